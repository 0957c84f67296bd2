"""A small sheet language: XML text in, frozen cells, workbook file out.

``<workbook>`` holds ``<sheet name id freeze repeat fit filter>``; a sheet holds ``<column key width>`` and
``<row kind>``; a row holds the cells ``<text> <number> <date> <formula> <blank>`` and nothing else. A cell may have
``format`` and ``id``.

``<formula f="ROUND([quantity]*[unit_price],2)">123.45</formula>``: ``[key]`` is the cell of that column in this row,
``{key}`` the column over the rows of kind ``line`` (``{sheet.key}``: of the sheet with that id), ``@id`` the cell with
that id on any sheet; the element's text is the stored result. Text from outside can only be the text of a ``<text>``,
which is always written as a string.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import IO, Any, Literal

Kind = Literal["text", "number", "date", "formula", "blank"]
_CELLS = ("text", "number", "date", "formula", "blank")
_REFERENCE = re.compile(r"\[(\w+)\]|\{(?:(\w+)\.)?(\w+)\}|@(\w+)")
_LOOKS_LIKE_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝")


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell; ``formula`` holds the unresolved text of ``f``."""

    kind: Kind
    text: str = ""
    formula: str = ""
    format: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    kind: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Column:
    key: str
    width: Decimal


@dataclass(frozen=True, slots=True)
class Sheet:
    """``freeze``: rows kept on screen; ``repeat``: row repeated in print, from 1; ``filter``: head row of a filter."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    freeze: int = 0
    repeat: int = 0
    fit: Literal["portrait", "landscape"] = "landscape"
    filter: int = 0
    id: str = ""


def read_sheets(xml: str) -> tuple[Sheet, ...]:
    """Parse the sheet language. Raises ValueError for an element or attribute outside it."""
    from defusedxml.ElementTree import fromstring

    root = fromstring(xml)
    if root.tag != "workbook":
        raise ValueError(f"a workbook template starts with <workbook>, not <{root.tag}>")
    return tuple(_sheet(element) for element in root)


def _sheet(element: Any) -> Sheet:
    _expect(element, "sheet", {"name", "id", "freeze", "repeat", "fit", "filter"})
    columns = [_column(child) for child in element if child.tag == "column"]
    rows = [_row(child) for child in element if child.tag != "column"]
    return Sheet(
        name=element.attrib["name"],
        columns=tuple(columns),
        rows=tuple(rows),
        freeze=int(element.get("freeze", 0)),
        repeat=int(element.get("repeat", 0)),
        fit=element.get("fit", "landscape"),
        filter=int(element.get("filter", 0)),
        id=element.get("id", ""),
    )


def _column(element: Any) -> Column:
    _expect(element, "column", {"key", "width"})
    return Column(element.get("key", ""), Decimal(element.attrib["width"]))


def _row(element: Any) -> Row:
    _expect(element, "row", {"kind"})
    return Row(element.get("kind", "line"), tuple(_cell(child) for child in element))


def _cell(element: Any) -> Cell:
    if element.tag not in _CELLS:
        raise ValueError(f"<{element.tag}> is not a cell")
    allowed = {"format", "id"} | ({"f"} if element.tag == "formula" else set())
    _expect(element, element.tag, allowed)
    text = (element.text or "").strip("\n")
    return Cell(element.tag, text, element.get("f", ""), element.get("format", ""), element.get("id", ""))


def _expect(element: Any, tag: str, attributes: set[str]) -> None:
    unknown = set(element.attrib) - attributes
    if element.tag != tag or unknown:
        raise ValueError(f"<{element.tag} {' '.join(sorted(unknown))}> where <{tag}> was expected")


# --------------------------------------------------------------------------- references


def _letter(column: int) -> str:
    text, number = "", column + 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(65 + rest) + text
    return text


def cell_names(sheets: tuple[Sheet, ...]) -> dict[str, str]:
    """Cell id -> absolute address with its sheet."""
    return {
        cell.id: f"'{sheet.name}'!${_letter(column)}${row}"
        for sheet in sheets
        for row, line in enumerate(sheet.rows, start=1)
        for column, cell in enumerate(line.cells)
        if cell.id
    }


def _letters(sheet: Sheet) -> dict[str, str]:
    return {column.key: _letter(index) for index, column in enumerate(sheet.columns) if column.key}


def _range(sheet: Sheet, key: str) -> str:
    letter = _letters(sheet)[key]
    lines = [number for number, row in enumerate(sheet.rows, start=1) if row.kind == "line"] or [1]
    return f"{letter}${lines[0]}:{letter}${lines[-1]}"


def resolve(formula: str, sheet: Sheet, row: int, names: Mapping[str, str], sheets: tuple[Sheet, ...] = ()) -> str:
    """The spreadsheet formula for row ``row`` (from 1). Raises KeyError for an unknown key, sheet or id."""
    by_id = {each.id: each for each in sheets}

    def one(match: re.Match[str]) -> str:
        here, other, over, named = match.groups()
        if here:
            return f"{_letters(sheet)[here]}{row}"
        if other:
            return f"'{by_id[other].name}'!{_range(by_id[other], over)}"
        return _range(sheet, over) if over else names[named]

    return "=" + _REFERENCE.sub(one, formula)


# --------------------------------------------------------------------------- writing


def write_xlsx(sheets: tuple[Sheet, ...], styles: Any, stream: IO[bytes], properties: Mapping[str, Any]) -> None:
    """Write the workbook; ``styles(row kind, cell format, cell kind)`` gives XlsxWriter format properties."""
    import xlsxwriter

    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    book = xlsxwriter.Workbook(stream, options)
    book.set_properties(dict(properties))
    book.set_calc_mode("auto")
    formats: dict[tuple[tuple[str, Any], ...], Any] = {}
    names = cell_names(sheets)
    for sheet in sheets:
        _write_sheet(book, sheet, sheets, styles, formats, names)
    book.close()


def _write_sheet(
    book: Any, sheet: Sheet, sheets: tuple[Sheet, ...], styles: Any, formats: dict[Any, Any], names: Mapping[str, str]
) -> None:
    page = book.add_worksheet(sheet.name)
    for index, column in enumerate(sheet.columns):
        page.set_column(index, index, int(column.width))
    _set_up_print(page, sheet)
    for number, row in enumerate(sheet.rows):
        for column_index, cell in enumerate(row.cells):
            chosen = _format(book, styles(row.kind, cell.format, cell.kind), cell, formats)
            if cell.kind == "formula":
                formula = resolve(cell.formula, sheet, number + 1, names, sheets)
                page.write_formula(number, column_index, formula, chosen, Decimal(cell.text or 0))
            else:
                _write_cell(page, number, column_index, cell, chosen)


def _set_up_print(page: Any, sheet: Sheet) -> None:
    page.set_paper(9)
    page.set_landscape() if sheet.fit == "landscape" else page.set_portrait()
    page.fit_to_pages(1, 0)
    page.set_margins(left=0.4, right=0.4, top=0.6, bottom=0.6)
    page.set_footer("&L&A&R&P / &N")
    page.hide_gridlines(2)
    if sheet.freeze:
        page.freeze_panes(sheet.freeze, 0)
    if sheet.repeat:
        page.repeat_rows(sheet.repeat - 1)
    if sheet.filter:
        lines = [number for number, row in enumerate(sheet.rows) if row.kind in ("line", "subline")]
        page.autofilter(sheet.filter - 1, 0, max(lines, default=sheet.filter - 1), len(sheet.columns) - 1)


def _format(book: Any, properties: Mapping[str, Any], cell: Cell, formats: dict[Any, Any]) -> Any:
    wanted = dict(properties)
    if cell.kind == "text" and cell.text.startswith(_LOOKS_LIKE_FORMULA):
        wanted["quote_prefix"] = True
    key = tuple(sorted(wanted.items()))
    if key not in formats:
        formats[key] = book.add_format(wanted)
    return formats[key]


def _write_cell(page: Any, row: int, column: int, cell: Cell, chosen: Any) -> None:
    if cell.kind == "blank" or not cell.text:
        page.write_blank(row, column, None, chosen)
    elif cell.kind == "text":
        page.write_string(row, column, cell.text, chosen)
    elif cell.kind == "number":
        page.write_number(row, column, Decimal(cell.text), chosen)
    else:
        page.write_datetime(row, column, _midnight(cell.text), chosen)


def _midnight(text: str) -> datetime:
    day = date.fromisoformat(text)
    return datetime(day.year, day.month, day.day)  # noqa: DTZ001 - a spreadsheet day has no time zone


def stored(sheets: tuple[Sheet, ...]) -> Iterator[tuple[str, str, Cell]]:
    """Every cell with its sheet and address: for tests and for reading back."""
    for sheet in sheets:
        for number, row in enumerate(sheet.rows, start=1):
            for column, cell in enumerate(row.cells):
                yield sheet.name, f"{_letter(column)}{number}", cell
