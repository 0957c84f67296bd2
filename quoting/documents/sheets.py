"""A small sheet language: XML text in, frozen cells out. ``sheet_writer`` makes a file of them.

``<workbook head>`` holds ``<sheet name id freeze repeat fit filter>``; a sheet holds ``<column key width>`` and
``<row kind>``; a row holds the cells ``<text> <number> <date> <formula> <blank>`` and nothing else. A cell may have
``format`` and ``id``, a text ``span``: over how many columns it runs. ``head`` is printed over every page.

``<formula f="ROUND([quantity]*[unit_price],2)">123.45</formula>``: ``[key]`` is the cell of that column in this row,
``{key}`` the column over the rows of kind ``line`` (``{sheet.key}``: of the sheet with that id), ``@id`` the cell with
that id on any sheet; the element's text is the stored result. Text from outside can only be the text of a ``<text>``,
which is always written as a string.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

Kind = Literal["text", "number", "date", "formula", "blank"]
_COMMON = frozenset({"format", "id"})
_ATTRIBUTES = {
    "text": _COMMON | {"span"},
    "number": _COMMON,
    "date": _COMMON,
    "formula": _COMMON | {"f"},
    "blank": _COMMON,
}
_ROW = "\0"  # stands for the row's number; XML cannot hold it
_REFERENCE = re.compile(r"\[(\w+)\]|\{(?:(\w+)\.)?(\w+)\}|@(\w+)")


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell; ``formula`` holds the unresolved text of ``f``."""

    kind: Kind
    text: str = ""
    formula: str = ""
    format: str = ""
    id: str = ""
    span: int = 1


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
class Column:
    key: str
    width: Decimal


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

    @property
    def key(self) -> str:
        """What references call this sheet."""
        return self.id or self.name


def read_sheets(xml: str) -> tuple[Sheet, ...]:
    """Parse the sheet language. Raises ValueError for an element or attribute outside it."""
    from defusedxml.ElementTree import fromstring

    root = fromstring(xml)
    if root.tag != "workbook":
        raise ValueError(f"a workbook template starts with <workbook>, not <{root.tag}>")
    _expect(root, "workbook", {"head"})
    return tuple(_sheet(element, root.get("head", "")) for element in root)


def _sheet(element: Any, head: str) -> Sheet:
    _expect(element, "sheet", {"name", "id", "freeze", "repeat", "fit", "filter"})
    columns = [_column(child) for child in element if child.tag == "column"]
    rows = [_row(child) for child in element if child.tag != "column"]
    return Sheet(
        name=element.attrib["name"],
        columns=tuple(columns),
        rows=tuple(rows),
        freeze=_freeze(element.get("freeze", "0")),
        repeat=int(element.get("repeat", 0)),
        fit=element.get("fit", "landscape"),
        filter=int(element.get("filter", 0)),
        id=element.get("id", ""),
        head=head,
    )


def _freeze(text: str) -> tuple[int, int]:
    """``"2"`` keeps two rows on screen, ``"2 3"`` three columns as well."""
    rows, _, columns = text.partition(" ")
    return int(rows), int(columns or 0)


def _column(element: Any) -> Column:
    _expect(element, "column", {"key", "width"})
    return Column(element.get("key", ""), Decimal(element.attrib["width"]))


def _row(element: Any) -> Row:
    _expect(element, "row", {"kind"})
    return Row(element.get("kind", "line"), tuple(_cell(child) for child in element))


def _cell(element: Any) -> Cell:
    allowed = _ATTRIBUTES.get(element.tag)
    if allowed is None:
        raise ValueError(f"<{element.tag}> is not a cell")
    given = element.attrib
    if not allowed.issuperset(given):
        _expect(element, element.tag, set(allowed))
    text, span = (element.text or "").strip("\n"), int(given.get("span", 1))
    return Cell(element.tag, text, given.get("f", ""), given.get("format", ""), given.get("id", ""), span)


def _expect(element: Any, tag: str, attributes: set[str]) -> None:
    unknown = set(element.attrib) - attributes
    if element.tag != tag or unknown:
        raise ValueError(f"<{element.tag} {' '.join(sorted(unknown))}> where <{tag}> was expected")


# --------------------------------------------------------------------------- references


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where columns, line rows and named cells of a workbook are; sheets by id, or by name where they have none."""

    letters: Mapping[str, Mapping[str, str]]
    names: Mapping[str, str]  # sheet id -> name
    spans: Mapping[str, tuple[int, int]]  # first and last row of kind ``line``, from 1
    cells: Mapping[str, str]  # cell id -> absolute address with its sheet
    resolved: dict[tuple[str, str], str] = field(default_factory=dict)  # formulas but for their row

    def over(self, sheet: str, key: str) -> str:
        """The range of a column over the line rows."""
        letter, (first, last) = self.letters[sheet][key], self.spans[sheet]
        return f"{letter}${first}:{letter}${last}"


def letter(column: int) -> str:
    """0 -> A, 26 -> AA."""
    text, number = "", column + 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(65 + rest) + text
    return text


def addresses(sheets: tuple[Sheet, ...]) -> Addresses:
    """Every address a formula of these sheets may name."""
    return Addresses(
        letters={
            sheet.key: {column.key: letter(index) for index, column in enumerate(sheet.columns) if column.key}
            for sheet in sheets
        },
        names={sheet.key: sheet.name for sheet in sheets},
        spans={sheet.key: _span(sheet) for sheet in sheets},
        cells={
            cell.id: f"'{sheet.name}'!${letter(column)}${row}"
            for sheet in sheets
            for row, line in enumerate(sheet.rows, start=1)
            for column, cell in line.placed()
            if cell.id
        },
    )


def _span(sheet: Sheet) -> tuple[int, int]:
    lines = [number for number, row in enumerate(sheet.rows, start=1) if row.kind == "line"] or [1]
    return lines[0], lines[-1]


def resolve(formula: str, sheet: str, row: int, known: Addresses) -> str:
    """The spreadsheet formula for row ``row`` (from 1). Raises KeyError for an unknown key, sheet or id."""

    def one(match: re.Match[str]) -> str:
        here, other, over, named = match.groups()
        if here:
            return known.letters[sheet][here] + _ROW
        if other:
            return f"'{known.names[other]}'!{known.over(other, over)}"
        return known.over(sheet, over) if over else known.cells[named]

    if (formula, sheet) not in known.resolved:
        known.resolved[formula, sheet] = "=" + _REFERENCE.sub(one, formula)
    return known.resolved[formula, sheet].replace(_ROW, str(row))
