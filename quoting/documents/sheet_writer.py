"""Sheets to a workbook file, with XlsxWriter: stored results beside live formulas, and rows tall enough to read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import IO, Any

from quoting.documents.row_heights import height, lines, room
from quoting.documents.sheet_addresses import Addresses, addresses, letter, resolve
from quoting.documents.sheet_cells import Cell, Row, Sheet

_FONT_SIZE, _TALLEST = 11, 409  # points: the file format's default and limit
_WHOLE_SIGNS, _LONGEST_HEAD = re.compile(r"(?:[^&]|&&)*"), 240  # of 255 with its codes
_FUNCTION = re.compile(r"([A-Z.]+)\(")
_OLD_FUNCTIONS = frozenset({"ROUND", "SUM", "SUMIF", "IF"})
_LOOKS_LIKE_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝")

Styles = Callable[[str, str, str], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class _Look:
    """One format as XlsxWriter knows it, with what decides how tall its cells are."""

    made: Any
    wraps: bool
    font_size: int
    indent: int
    one_line: int


@dataclass(slots=True)
class _Looks:
    """The formats of one workbook, each made once."""

    book: Any
    styles: Styles
    known: dict[tuple[str, str, str, bool], _Look] = field(default_factory=dict)

    def __call__(self, row: str, cell: Cell) -> _Look:
        """The look of a cell; a text that might be taken for a formula gets a quote prefix."""
        quoted = cell.kind == "text" and cell.text.startswith(_LOOKS_LIKE_FORMULA)
        key = (row, cell.format, cell.kind, quoted)
        if key not in self.known:
            wanted = dict(self.styles(row, cell.format, cell.kind)) | ({"quote_prefix": True} if quoted else {})
            self.known[key] = self._look(wanted, cell.kind)
        return self.known[key]

    def _look(self, wanted: dict[str, Any], kind: str) -> _Look:
        size = int(wanted.get("font_size", _FONT_SIZE))
        wraps = kind == "text" and bool(wanted.get("text_wrap"))
        return _Look(self.book.add_format(wanted), wraps, size, int(wanted.get("indent", 0)), height(1, size))


def write_xlsx(sheets: tuple[Sheet, ...], styles: Styles, stream: IO[bytes], properties: Mapping[str, Any]) -> None:
    """Write the workbook; ``styles(row kind, cell format, cell kind)`` gives XlsxWriter format properties."""
    import xlsxwriter
    from xlsxwriter.worksheet import Worksheet

    class Page(Worksheet):  # type: ignore[misc]
        """Takes a formula of old functions as it is: thirty searches for newer ones are a fifth of the time."""

        def _prepare_formula(self, formula: str, *more: object) -> Any:
            plain = _OLD_FUNCTIONS.issuperset(_FUNCTION.findall(formula))
            return formula.removeprefix("=") if plain else super()._prepare_formula(formula, *more)

    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    book = xlsxwriter.Workbook(stream, options)
    book.set_properties(dict(properties))
    book.set_calc_mode("auto")
    looks, known = _Looks(book, styles), addresses(sheets)
    for sheet in sheets:
        page = book.add_worksheet(sheet.name, worksheet_class=Page)
        _set_up_print(page, sheet)
        _set_up_screen(page, sheet)
        widths = tuple(int(column.width) for column in sheet.columns)
        for number, row in enumerate(sheet.rows):
            _write_row(page, number, row, sheet.key, widths, looks, known)
    book.close()


def _set_up_print(page: Any, sheet: Sheet) -> None:
    page.set_paper(9)
    page.set_landscape() if sheet.fit == "landscape" else page.set_portrait()
    page.fit_to_pages(1, 0)
    page.set_margins(left=0.25, right=0.25, top=0.55, bottom=0.5)
    page.set_header("&L&8 " + _literal(sheet.head))
    counted = _literal(sheet.foot or "[page] / [pages]").replace("[page]", "&P").replace("[pages]", "&N")
    page.set_footer(f"&L&8 &A&R&8 {counted}")
    if sheet.repeat:
        page.repeat_rows(sheet.repeat - 1)


def _literal(text: str) -> str:
    """A head or foot in which "&" is no code, cut to what the file format takes."""
    return _WHOLE_SIGNS.match(text.replace("&", "&&")[:_LONGEST_HEAD])[0]  # type: ignore[index]


def _set_up_screen(page: Any, sheet: Sheet) -> None:
    for index, column in enumerate(sheet.columns):
        page.set_column(index, index, int(column.width))
    page.hide_gridlines(2)
    if any(sheet.freeze):
        page.freeze_panes(*sheet.freeze)
    if sheet.filter:
        listed = [number for number, row in enumerate(sheet.rows) if row.kind in ("line", "subline")]
        page.autofilter(sheet.filter - 1, 0, max(listed, default=sheet.filter - 1), len(sheet.columns) - 1)
    last = f"{letter(max(len(sheet.columns), 1) - 1)}{max(len(sheet.rows), 1)}"
    page.ignore_errors({"number_stored_as_text": f"A1:{last}"})  # line numbers such as 1.1 are texts


def _write_row(
    page: Any, number: int, row: Row, sheet: str, widths: tuple[int, ...], looks: _Looks, known: Addresses
) -> None:
    tallest = 0
    for column, cell in row.placed():
        look = looks(row.kind, cell)
        tall = look.one_line
        if look.wraps and cell.text:
            fits = room(sum(widths[column : column + cell.span]), look.font_size, look.indent)
            tall = height(lines(cell.text, fits), look.font_size)
        tallest = max(tallest, tall)
        if cell.kind == "formula":
            _write_formula(page, number, column, cell, look, resolve(cell.formula, sheet, number + 1, known))
        else:
            _write_cell(page, number, column, cell, look.made)
    if tallest:
        page.set_row(number, min(tallest, _TALLEST))


def _write_formula(page: Any, row: int, column: int, cell: Cell, look: _Look, formula: str) -> None:
    result = Decimal(cell.text or 0)
    if formula:
        page.write_formula(row, column, formula, look.made, result)
    else:
        page.write_number(row, column, result, look.made)


def _write_cell(page: Any, row: int, column: int, cell: Cell, chosen: Any) -> None:
    if cell.span > 1:
        page.merge_range(row, column, row, column + cell.span - 1, "", chosen)
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
