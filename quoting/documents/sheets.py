"""A small sheet language: XML text in, frozen cells out. ``sheet_writer`` makes a file of them.

``<workbook head foot>`` holds ``<sheet name id freeze repeat fit filter list>``; a sheet holds ``<column key width
head off>``, ``<row kind>``, ``<heads/>`` and ``<lines of within>``; a row holds the cells ``<text> <number> <date>
<formula> <blank>`` and nothing else. A cell may have ``format`` and ``id``, a text or blank ``span``: over how many
columns it runs, and any cell ``at``: the key of the column it stands in. ``head`` is printed over every page, ``foot``
under it with ``[page]`` and ``[pages]``.

``<heads/>`` is the row of the columns' heads. ``<lines of="bom"/>`` is one row for each record of that table, made of
the cells inside the ``<column>`` elements: see ``sheet_lines``. ``list`` names the list of ``workbook/columns.toml``
that says which columns are shown and in which order: see ``sheet_columns``.

``<formula f="ROUND([quantity]*[unit_price],2)">123.45</formula>``: ``[key]`` is the cell of that column in this row,
``{key}`` the column over the rows of kind ``line`` and ``subline`` (``{sheet.key}``: of the sheet with that id),
``@id`` the cell with that id on any sheet; the element's text is the stored result. Where a column it names is left
out, the result stands alone. Text from outside can only be the text of a ``<text>``, always written as a string.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from quoting.documents.sheet_cells import BLANK, Bound, Cell, Column, Lists, Row, Sheet
from quoting.documents.sheet_lines import heads, line_rows
from quoting.errors import Mistake, Mistakes

_COMMON = frozenset({"format", "id", "at"})
_ATTRIBUTES = {
    "text": _COMMON | {"span"},
    "number": _COMMON,
    "date": _COMMON,
    "formula": _COMMON | {"f"},
    "blank": _COMMON | {"span"},
}
_SHEET_NAME = re.compile(r"(?!')[^\[\]:*?/\\]{1,31}(?<!')\Z")
_SHEET_RULE = "1 to 31 characters without [ ] : * ? / \\ and no apostrophe at an end"
_BOUND = frozenset({"of", "when", "none", "format", "f"})  # of a cell inside a column


def read_sheets(
    xml: str, tables: Mapping[str, Sequence[object]] | None = None, lists: Lists | None = None
) -> tuple[Sheet, ...]:
    """Parse the sheet language; ``tables`` are the records ``<lines of>`` names.

    Raises ValueError for an element, attribute, field or column outside the language, Mistakes for names of sheets.
    """
    from defusedxml.ElementTree import fromstring

    root = fromstring(xml)
    if root.tag != "workbook":
        raise ValueError(f"a workbook template starts with <workbook>, not <{root.tag}>")
    _expect(root, "workbook", {"head", "foot"})
    sheets = tuple(_sheet(element, root.attrib, tables or {}, lists) for element in root)
    _refuse_names([sheet.name for sheet in sheets])
    return sheets


def _refuse_names(names: Sequence[str]) -> None:
    """Raises Mistakes for names of sheets no spreadsheet takes: they are words a company may change."""
    seen = Counter(name.casefold() for name in names)
    bad = [name for name in names if not _SHEET_NAME.match(name) or seen[name.casefold()] > 1]
    if bad:
        raise Mistakes(
            [Mistake("workbook", name[:40], "no name for a sheet", f"{_SHEET_RULE}, each once") for name in bad]
        )


def _sheet(element: Any, book: Mapping[str, str], tables: Mapping[str, Sequence[object]], lists: Lists | None) -> Sheet:
    _expect(element, "sheet", {"name", "id", "freeze", "repeat", "fit", "filter", "list"})
    possible = [_column(child) for child in element if child.tag == "column"]
    shown = tuple(column for column in possible if not column.off)
    if lists and "list" in element.attrib:
        shown = lists.pick(element.attrib["list"], possible)
    absent = frozenset(column.key for column in possible) - {column.key for column in shown}
    rows = (row for child in element if child.tag != "column" for row in _rows(child, element, shown, absent, tables))
    return Sheet(
        name=element.attrib["name"],
        columns=shown,
        rows=tuple(rows),
        freeze=_freeze(element.get("freeze", "0")),
        repeat=int(element.get("repeat", 0)),
        fit=element.get("fit", "landscape"),
        filter=int(element.get("filter", 0)),
        id=element.get("id", ""),
        head=book.get("head", ""),
        foot=book.get("foot", ""),
        absent=absent,
    )


def _freeze(text: str) -> tuple[int, int]:
    """``"2"`` keeps two rows on screen, ``"2 3"`` three columns as well."""
    rows, _, columns = text.partition(" ")
    return int(rows), int(columns or 0)


def _column(element: Any) -> Column:
    _expect(element, "column", {"key", "width", "head", "off"})
    given = element.attrib
    cells = tuple(_bound(child) for child in element)
    return Column(given.get("key", ""), Decimal(given["width"]), given.get("head", ""), cells, bool(given.get("off")))


def _bound(element: Any) -> Bound:
    if element.tag not in _ATTRIBUTES:
        raise ValueError(f"<{element.tag}> is not a cell")
    _expect(element, element.tag, set(_BOUND) if element.tag == "formula" else set(_BOUND - {"f"}))
    named = {name: element.get(name, "") for name in ("of", "when", "none", "format")}
    return Bound(kind=element.tag, text=(element.text or "").strip("\n"), formula=element.get("f", ""), **named)


def _rows(
    element: Any,
    sheet: Any,
    columns: tuple[Column, ...],
    absent: frozenset[str],
    tables: Mapping[str, Sequence[object]],
) -> Iterator[Row]:
    if element.tag == "heads":
        _expect(element, "heads", set())
        yield heads(columns, bool(sheet.get("filter")))
    elif element.tag == "lines":
        _expect(element, "lines", {"of", "within"})
        yield from line_rows(columns, tables[element.attrib["of"]], element.get("within", ""))
    else:
        made = _row(element, columns, absent)
        yield _within(made, len(columns)) if "list" in sheet.attrib else made


def _row(element: Any, columns: tuple[Column, ...], absent: frozenset[str]) -> Row:
    _expect(element, "row", {"kind"})
    placed = {child.attrib["at"]: _cell(child) for child in element if "at" in child.attrib}
    kind = element.get("kind", "line")
    if not placed:
        return Row(kind, tuple(_cell(child) for child in element))
    unknown = placed.keys() - {column.key for column in columns} - absent
    if unknown or len(placed) != len(element):
        raise ValueError(f"<row {' '.join(sorted(unknown))}> names no column of its sheet, or not for every cell")
    return Row(kind, tuple(placed.get(column.key, BLANK) for column in columns))


def _within(row: Row, columns: int) -> Row:
    """The row without what would stand right of the last column, where a company's list is shorter than ours."""
    if sum(cell.span for cell in row.cells) <= columns:
        return row
    kept = [replace(cell, span=min(cell.span, columns - at)) for at, cell in row.placed() if at < columns]
    return Row(row.kind, tuple(kept))


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
