"""What many tests need: the catalogue that ships, and a small one that only changes when it is refreshed."""

from datetime import date
from pathlib import Path

import pytest

from quoting.catalog import load_catalog
from quoting.rows import Catalog

FROZEN = Path(__file__).resolve().parent / "catalog"


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture(scope="session")
def frozen_catalog() -> Catalog:
    return load_catalog(root=FROZEN)


@pytest.fixture(scope="session")
def day() -> date:
    """A day on which the prices of both catalogues are known."""
    return date(2026, 11, 30)
