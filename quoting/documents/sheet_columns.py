"""Which columns the tables of a workbook show, in which order: ``workbook/columns.toml`` of the templates folders.

``[client] bom = ["no", "name", {key = "quantity", width = 8}]``: a list of a company's file takes the place of ours.
A key is one of the table's columns, or a column of the company's own with words under ``book.own``, left to a pen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import tomli

from quoting.catalog.shape import nearest
from quoting.documents.sheet_cells import Column
from quoting.documents.words import Words
from quoting.errors import Mistake, Mistakes

FILE = "workbook/columns.toml"
_OWN_WIDTH, _WIDEST = 16, 200  # characters
_EXPECTED = 'a list of columns, as ["no", {key = "name", width = 30}]'


@dataclass(frozen=True, slots=True)
class ColumnLists:
    """Every list with the file it comes from."""

    lists: Mapping[str, tuple[str, Any]]
    words: Words

    def pick(self, name: str, columns: Sequence[Column]) -> tuple[Column, ...]:
        """The columns of the list ``name`` out of all a table could show, without those switched off.

        Raises Mistakes for a list that is none, a column twice, or one nobody knows.
        """
        file, entries = self.lists[name]
        if not isinstance(entries, list) or not entries:
            raise Mistakes([Mistake(file, name, "not a list of columns", _EXPECTED)])
        known, mistakes, chosen = {column.key: column for column in columns}, list[Mistake](), list[Column]()
        for number, entry in enumerate(entries, 1):
            found = self._one(entry, known, {column.key for column in chosen})
            if isinstance(found, Column):
                chosen.append(found)
            else:
                mistakes.append(replace(found, file=file, place=f"{name}[{number}]"))
        if mistakes:
            raise Mistakes(mistakes)
        return tuple(column for column in chosen if not column.off)

    def _one(self, entry: object, known: Mapping[str, Column], taken: set[str]) -> Column | Mistake:
        given = entry if isinstance(entry, dict) else {"key": entry}
        key, width = given.get("key"), given.get("width")
        if not isinstance(key, str) or given.keys() - {"key", "width"}:
            return Mistake("", "", "not a column", _EXPECTED)
        if width is not None and (type(width) is not int or not 1 <= width <= _WIDEST):
            return Mistake("", "", f"width {str(width)[:20]}", f"whole characters from 1 to {_WIDEST}")
        if key in taken:
            return Mistake("", "", f"column {key[:40]} a second time", "every column once")
        column = known.get(key) or self._own(key)
        if column is None:
            expected = f"one of {', '.join(known)}; or words for a column of your own, book.own.{key[:40]}"
            return Mistake("", "", f"unknown column {key[:40]}", expected, nearest(key, known))
        return replace(column, width=Decimal(width)) if width else column

    def _own(self, key: str) -> Column | None:
        code = f"book.own.{key}"
        return Column(key, Decimal(_OWN_WIDTH), self.words.say(code)) if self.words.has(code) else None


def column_lists(roots: Sequence[Path], words: Words) -> ColumnLists:
    """The lists of all templates folders, a later one's in the place of ours. Raises Mistakes for a broken file."""
    found: dict[str, tuple[str, Any]] = {}
    for root in roots:
        file = f"{root.name}/{FILE}"
        for name, entries in _read(root / FILE, file).items():
            if found and root is not roots[0] and name not in found:
                raise Mistakes([Mistake(file, name, "unknown list", ", ".join(found), nearest(name, found))])
            found[name] = (file, entries)
    return ColumnLists(found, words)


def _read(path: Path, file: str) -> Mapping[str, Any]:
    if not path.exists():
        return {}
    try:
        tables = tomli.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise Mistakes([Mistake(file, "file", f"not TOML: {str(error)[:80]}", _EXPECTED)]) from None
    flat: dict[str, Any] = {}
    for book, lists in tables.items():
        if not isinstance(lists, dict):
            raise Mistakes([Mistake(file, str(book)[:40], "not a table", '[client] and under it bom = ["no", "name"]')])
        flat |= {f"{book}.{name}": entries for name, entries in lists.items()}
    return flat
