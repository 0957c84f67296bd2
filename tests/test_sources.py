"""Addresses in the catalogue and the pages are the makers' own."""

import re
from pathlib import Path

from quoting.rows import Catalog

ROOT = Path(__file__).resolve().parent.parent
REWRITTEN = re.compile(r":443/https?|workers\.dev")


def test_no_source_is_read_through_somebody_elses_address(catalog: Catalog) -> None:
    assert [source.id for source in catalog.sources.values() if REWRITTEN.search(source.ref)] == []


def test_no_file_of_ours_holds_a_rewritten_address() -> None:
    files = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.*"), *(ROOT / "catalog").rglob("*.toml")]
    texts = {file: file.read_text(encoding="utf-8") for file in files if file.suffix in (".md", ".json", ".toml")}
    assert [str(file) for file, text in texts.items() if REWRITTEN.search(text)] == []
