"""The catalogue held against itself and the world.

Shape and references are mistakes that ``load_catalog`` refuses; here is what a catalogue that loads can still get
wrong: rows that contradict one another, prices without footing, reference quotations outside the published bands.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from quoting.checks.note import Note
from quoting.checks.platforms import platform_notes
from quoting.checks.prices import price_notes
from quoting.checks.reference import reference_notes
from quoting.checks.rows import row_notes
from quoting.rows import Catalog

__all__ = ["Note", "check_catalog"]


def check_catalog(catalog: Catalog, day: date, references: Path | None = None) -> Sequence[Note]:
    """Every note on the catalogue as of ``day``; an empty answer means nothing is wrong and nothing is strange.

    ``references`` is a folder of reference forms, by default the catalogue's own.
    """
    return (
        *platform_notes(catalog),
        *row_notes(catalog),
        *price_notes(catalog, day),
        *reference_notes(catalog, day, references),
    )
