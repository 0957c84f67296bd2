"""Rows of a table straight from records: what ``<lines of>`` of the sheet language stands for.

``<column key="subtotal" width="15" head="Subtotal"><text when="owned">owned</text><formula of="subtotal" none="?"
f="ROUND([quantity]*[unit_price],2)"/></column>``: the first cell whose ``when`` is a true field of the record is
written, with the value of its field ``of``. ``none`` is said for None; the element's text follows the field's.
A table of thousands of lines is made in a tenth of the time a template needs to spell them out.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import fields
from decimal import Decimal
from typing import Any

from quoting.documents.sheet_cells import BLANK, Bound, Cell, Column, Row

_SCIENTIFIC = Decimal(10) ** 15
_CENTRED = ("centre", "rate")
_NUMERIC = ("number", "formula")


def heads(columns: Sequence[Column], filtered: bool) -> Row:
    """The heads of the columns: over numbers to the right, but centred where a filter's button would hide them."""
    return Row("head", tuple(Cell("text", column.head, format=_over(column, filtered)) for column in columns))


def _over(column: Column, filtered: bool) -> str:
    last = column.cells[-1] if column.cells else None
    if last is None or (last.kind not in _NUMERIC and last.format not in _CENTRED):
        return ""
    return "centre" if filtered or last.format in _CENTRED else "right"


def line_rows(columns: Sequence[Column], records: Sequence[object], within: str = "") -> Iterator[Row]:
    """One row for each record: kind ``line``, or ``subline`` where its field ``within`` is true.

    Raises ValueError for a field the records do not have.
    """
    if not records:
        return
    known = {field.name for field in fields(records[0])}  # type: ignore[arg-type]
    named = {name for column in columns for cell in column.cells for name in (cell.of, cell.when) if name}
    if unknown := (named | ({within} if within else set())) - known:
        raise ValueError(f"<lines>: no field {' '.join(sorted(unknown))} in {type(records[0]).__name__}")
    makers = [_maker(column.cells) for column in columns]
    for record in records:
        kind = "subline" if within and getattr(record, within) else "line"
        yield Row(kind, tuple([make(record) for make in makers]))


def _maker(cells: Sequence[Bound]) -> Callable[[object], Cell]:
    """What makes a column's cell of a record."""
    choices = [(bound.when, bound.of, bound, dict[Hashable, Cell]()) for bound in cells]

    def make(record: object) -> Cell:
        for when, of, bound, made in choices:
            if when and not getattr(record, when):
                continue
            value = getattr(record, of) if of else None
            cell = made.get(value)  # most values come again and again
            if cell is None:
                cell = made[value] = _cell(bound, value)
            return cell
        return BLANK

    return make


def _cell(bound: Bound, value: Any) -> Cell:
    if not bound.of:
        return Cell(bound.kind, bound.text, bound.formula, bound.format)
    if value is None:
        return Cell("text", bound.none, format="right") if bound.none else BLANK
    if bound.kind == "text":
        return Cell("text", f"{value}{bound.text}".strip("\n"), format=bound.format)
    shown = bound.format or (number_format(value) if bound.kind == "number" else "")
    return Cell(bound.kind, str(value), bound.formula, shown)


def number_format(number: Decimal | int) -> str:
    """Whole numbers without a point, small ones with all their places, enormous ones with an exponent."""
    value = Decimal(number)
    if abs(value) >= _SCIENTIFIC:
        return "scientific"
    if value % 1 == 0:
        return "integer"
    return "general" if abs(value) * 100 < 1 else "decimal"
