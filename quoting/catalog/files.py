"""The files of one catalogue folder as raw tables, each with the place it stands in."""

from __future__ import annotations

import csv
import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, NamedTuple

import tomli

from quoting.catalog.shape import nearest
from quoting.errors import Mistake

PRICE_COLUMNS = ("sku", "price", "currency", "tax_included", "on", "until", "source", "supplier")
REFERENCE = "reference"  # forms the catalogue is checked with: no catalogue files
SIZE_CAP = 4 * 1024 * 1024  # of one file; a link may lead to anything
_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_YES_NO = {"true": True, "yes": True, "false": False, "no": False}


class Raw(NamedTuple):
    """One table of a file; ``table`` is its name (cpu, model, rule ...), ``place`` the way a person finds it."""

    table: str
    id: str
    file: str
    place: str
    data: dict[str, Any]


@dataclass
class Layer:
    """One catalogue folder as read; ``name`` is "" for the program's own."""

    name: str
    rows: list[Raw] = field(default_factory=list)
    rules: list[Raw] = field(default_factory=list)
    prices: list[Raw] = field(default_factory=list)
    single: dict[str, Raw] = field(default_factory=dict)  # house, terms
    version: str = ""
    files: list[tuple[str, bytes]] = field(default_factory=list)


def read_layer(root: Path, name: str, tables: dict[str, str], mistakes: list[Mistake]) -> Layer:
    """Every file of the folder; ``tables`` gives the id key of each table a file may hold ("cpu": "sku")."""
    layer = Layer(name)
    for path in sorted(_paths(root), key=lambda one: one.relative_to(root).as_posix()):
        inside = path.relative_to(root).as_posix()
        content = _content(path, f"{root.name}/{inside}", mistakes)
        if content is not None:
            layer.files.append((inside, content))
            _read_file(layer, f"{root.name}/{inside}", inside, content, tables, mistakes)
    return layer


def _content(path: Path, file: str, mistakes: list[Mistake]) -> bytes | None:
    """The bytes of an ordinary file, else None and a mistake: a pipe or a device would never end."""
    problem = "not an ordinary file"
    try:
        if path.is_file():
            with path.open("rb") as stream:
                content = stream.read(SIZE_CAP + 1)
            if len(content) <= SIZE_CAP:
                return content
            problem = "too large"
    except OSError as error:
        problem = f"cannot be read: {error.strerror}"
    mistakes.append(Mistake(file, "file", problem, f"a text file of at most {SIZE_CAP // 1024} KB"))
    return None


def _paths(root: Path) -> Iterator[Path]:
    for path in root.rglob("*.toml"):
        inside = path.relative_to(root)
        if inside.parts[0] != REFERENCE and not any(part.startswith(".") for part in inside.parts):
            yield path
    yield from (path for path in (root / "prices.csv", root / "VERSION") if os.path.lexists(path))


def _read_file(
    layer: Layer, file: str, inside: str, content: bytes, tables: dict[str, str], mistakes: list[Mistake]
) -> None:
    text = _text(content, file, mistakes)
    if inside == "VERSION":
        layer.version = text.strip()
    elif inside == "prices.csv":
        layer.prices.extend(_price_lines(text, file, mistakes))
    elif inside in ("house.toml", "terms.toml"):
        layer.single[inside[:-5]] = Raw(inside[:-5], "", file, "", _toml(text, file, mistakes))
    elif inside.startswith("rules/") or inside == "rules.toml":
        layer.rules.extend(_rules(_toml(text, file, mistakes), file, mistakes))
    else:
        layer.rows.extend(_rows(_toml(text, file, mistakes), file, tables, mistakes))


def _text(content: bytes, file: str, mistakes: list[Mistake]) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        mistakes.append(Mistake(file, f"line {line}", "not UTF-8 text", "the file saved as UTF-8"))
        return ""


def _toml(text: str, file: str, mistakes: list[Mistake]) -> dict[str, Any]:
    try:
        return tomli.loads(text, parse_float=Decimal)
    except tomli.TOMLDecodeError as error:
        problem, _, where = str(error).partition(" (at ")
        mistakes.append(Mistake(file, where.rstrip(")") or "file", f"not TOML: {problem}", 'lines as name = "value"'))
    except (ValueError, RecursionError):
        problem = "not TOML: nested too deeply, or a number too long"
        mistakes.append(Mistake(file, "file", problem, 'lines as name = "value"'))
    return {}


def _rules(content: dict[str, Any], file: str, mistakes: list[Mistake]) -> Iterator[Raw]:
    for id, data in content.items():
        if isinstance(data, dict):
            yield Raw("rule", id, file, f'"{id}"', data)
        else:
            mistakes.append(Mistake(file, id, "not a rule", 'a table, as ["circuit_80pct"]'))


def _rows(content: dict[str, Any], file: str, tables: dict[str, str], mistakes: list[Mistake]) -> Iterator[Raw]:
    for table, rows in content.items():
        if table not in tables:
            mistakes.append(
                Mistake(file, table, "unknown table", "a table of parts, as [[part]]", nearest(table, tables))
            )
        elif not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            mistakes.append(Mistake(file, table, "not a list of rows", f"[[{table}]] before each row"))
        else:
            yield from (_raw(table, tables[table], number, row, file) for number, row in enumerate(rows, 1))


def _raw(table: str, key: str, number: int, row: dict[str, Any], file: str) -> Raw:
    id = row.get(key)
    return Raw(table, id if isinstance(id, str) else "", file, f"{table}[{id or number}]", row)


def _price_lines(text: str, file: str, mistakes: list[Mistake]) -> Iterator[Raw]:
    reader = csv.DictReader(_LINE_BREAK.split(text), strict=True)
    columns = tuple(_cells(reader, file, mistakes))
    for column in PRICE_COLUMNS:
        if column not in columns and column not in ("until", "supplier"):
            mistakes.append(Mistake(file, "line 1", f"no column {column}", "the columns " + ",".join(PRICE_COLUMNS)))
    for column in columns:
        if column not in PRICE_COLUMNS:
            near = nearest(column, PRICE_COLUMNS)
            mistakes.append(Mistake(file, "line 1", f"unknown column {column[:40]}", "", near))
        elif columns.count(column) > 1:
            mistakes.append(Mistake(file, "line 1", f"column {column} twice", "each column once"))
    if any(mistake.file == file for mistake in mistakes):
        return
    for cells in _lines(reader, file, mistakes):
        place = f"line {reader.line_num}"
        if None in cells:
            mistakes.append(Mistake(file, place, "more cells than columns", "a comma inside a text needs quotes"))
        elif any(cell for cell in cells.values()):
            yield Raw("price", cells["sku"] or "", file, place, _price(cells))


def _cells(reader: csv.DictReader[str], file: str, mistakes: list[Mistake]) -> Iterable[str]:
    """The names of the columns."""
    try:
        return reader.fieldnames or ()
    except csv.Error as error:
        mistakes.append(_not_csv(reader, file, error))
        return PRICE_COLUMNS


def _lines(reader: csv.DictReader[str], file: str, mistakes: list[Mistake]) -> Iterator[dict[str, Any]]:
    """The lines up to the first that is not CSV: what an unclosed quote swallowed cannot be told from text."""
    try:
        yield from reader
    except csv.Error as error:
        mistakes.append(_not_csv(reader, file, error))


def _not_csv(reader: csv.DictReader[str], file: str, error: csv.Error) -> Mistake:
    return Mistake(file, f"line {reader.line_num + 1}", f"not CSV: {error}", "every quote closed on its line")


def _price(cells: dict[str, str | None]) -> dict[str, Any]:
    """The cells as the values a TOML file would give; a cell that cannot be read stays text, and is refused as such."""
    values: dict[str, Any] = {key: value.strip() for key, value in cells.items() if value and value.strip()}
    for key, read in (("price", _number), ("tax_included", _flag), ("on", _date), ("until", _date)):
        if key in values:
            values[key] = read(values[key])
    return values


def _flag(text: str) -> bool | str:
    return _YES_NO.get(text.lower(), text)


def _number(text: str) -> Decimal | str:
    try:
        return Decimal(text)
    except InvalidOperation:
        return text


def _date(text: str) -> date | str:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return text


def digest(layers: list[Layer]) -> str:
    """SHA-256 over the name and the bytes of every file, in order of layer and name."""
    total = hashlib.sha256()
    for number, layer in enumerate(layers):
        for name, content in layer.files:
            total.update(f"{number}/{name}\0{len(content)}\0".encode())
            total.update(content)
    return total.hexdigest()
