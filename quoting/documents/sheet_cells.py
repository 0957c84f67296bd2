"""What a workbook is made of before it is written: sheets, columns, rows and cells. ``sheets`` reads them from text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, Protocol

Kind = Literal["text", "number", "date", "formula", "blank"]


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell; ``formula`` holds the unresolved text of ``f``."""

    kind: Kind
    text: str = ""
    formula: str = ""
    format: str = ""
    id: str = ""
    span: int = 1


BLANK = Cell("blank")


@dataclass(frozen=True, slots=True)
class Row:
    kind: str
    cells: tuple[Cell, ...]

    def placed(self) -> Iterator[tuple[int, Cell]]:
        """Every cell with its column, from 0."""
        column = 0
        for cell in self.cells:
            yield column, cell
            column += cell.span


@dataclass(frozen=True, slots=True)
class Bound:
    """A cell of every line: the field ``of`` of its record, used where the field ``when`` is true."""

    kind: Kind
    of: str = ""
    when: str = ""
    none: str = ""  # what is said for None; "" leaves the cell empty
    text: str = ""  # follows the field's text, or stands alone
    format: str = ""
    formula: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """``cells``: what the lines hold here, the first that applies; none for a column left to a pen."""

    key: str
    width: Decimal
    head: str = ""
    cells: tuple[Bound, ...] = ()
    off: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """``freeze``: rows and columns kept on screen; ``repeat``: row repeated in print, from 1; ``filter``: head row."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    freeze: tuple[int, int] = (0, 0)
    repeat: int = 0
    fit: Literal["portrait", "landscape"] = "landscape"
    filter: int = 0
    id: str = ""
    head: str = ""
    foot: str = ""
    absent: frozenset[str] = frozenset()

    @property
    def key(self) -> str:
        """What references call this sheet."""
        return self.id or self.name


class Lists(Protocol):
    """Lists of columns by name."""

    def pick(self, name: str, columns: Sequence[Column]) -> tuple[Column, ...]:
        """The columns of the list ``name`` out of all a sheet could show."""
