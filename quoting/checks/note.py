"""One thing the check of the catalogue has to say."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

Level = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Note:
    """``code`` is worded by words; ``place`` is a SKU, a row id or a reference form."""

    level: Level
    place: str
    code: str
    arguments: tuple[tuple[str, str | int | Decimal | None], ...] = ()


def error(place: str, code: str, **arguments: str | int | Decimal | None) -> Note:
    """A contradiction: the catalogue must be mended."""
    return Note("error", place, f"catalog.{code}", tuple(arguments.items()))


def warning(place: str, code: str, **arguments: str | int | Decimal | None) -> Note:
    """Something missing or strange that quotations survive."""
    return Note("warning", place, f"catalog.{code}", tuple(arguments.items()))
