"""Where the columns, lines and named cells of a workbook are, and what a formula of the sheet language becomes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from quoting.documents.sheet_cells import Sheet

_ROW = "\0"  # stands for the row's number; XML cannot hold it
_REFERENCE = re.compile(r"\[(\w+)\]|\{(?:(\w+)\.)?(\w+)\}|@(\w+)")


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where columns, line rows and named cells of a workbook are; sheets by id, or by name where they have none."""

    letters: Mapping[str, Mapping[str, str]]
    names: Mapping[str, str]  # sheet id -> name
    spans: Mapping[str, tuple[int, int]]  # first and last row of a table, from 1
    absent: Mapping[str, frozenset[str]]  # columns a sheet could show and does not
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


def _quoted(name: str) -> str:
    """A sheet's name as formulas write it."""
    return "'" + name.replace("'", "''") + "'"


def addresses(sheets: tuple[Sheet, ...]) -> Addresses:
    """Every address a formula of these sheets may name."""
    return Addresses(
        letters={
            sheet.key: {column.key: letter(index) for index, column in enumerate(sheet.columns) if column.key}
            for sheet in sheets
        },
        names={sheet.key: sheet.name for sheet in sheets},
        spans={sheet.key: _span(sheet) for sheet in sheets},
        absent={sheet.key: sheet.absent for sheet in sheets},
        cells={
            cell.id: f"{_quoted(sheet.name)}!${letter(column)}${row}"
            for sheet in sheets
            for row, line in enumerate(sheet.rows, start=1)
            for column, cell in line.placed()
            if cell.id
        },
    )


def _span(sheet: Sheet) -> tuple[int, int]:
    lines = [number for number, row in enumerate(sheet.rows, start=1) if row.kind in ("line", "subline")] or [1]
    return lines[0], lines[-1]


def resolve(formula: str, sheet: str, row: int, known: Addresses) -> str:
    """The spreadsheet formula for row ``row`` (from 1); "" when it names a column that is left out.

    Raises KeyError for an unknown key, sheet or id.
    """
    made = known.resolved.get((formula, sheet))
    if made is None:
        made = known.resolved[formula, sheet] = _resolved(formula, sheet, known)
    return made.replace(_ROW, str(row))


def _resolved(formula: str, sheet: str, known: Addresses) -> str:
    named = [(match[2] or sheet, match[1] or match[3]) for match in _REFERENCE.finditer(formula)]
    if any(key in known.absent.get(place, ()) for place, key in named):
        return ""

    def one(match: re.Match[str]) -> str:
        here, other, over, cell = match.groups()
        if here:
            return known.letters[sheet][here] + _ROW
        if other:
            return f"{_quoted(known.names[other])}!{known.over(other, over)}"
        return known.over(sheet, over) if over else known.cells[cell]

    return "=" + _REFERENCE.sub(one, formula)
