"""A form file to plain data: size, encoding, syntax, depth. Everything that can be wrong with it is a Mistake."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from quoting.errors import Mistake, Mistakes
from quoting.forms.text import shown

SIZE_CAP = 256 * 1024
DEPTH_CAP = 6
_MOST_DOTS = 64
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'')
_ENDINGS = (".toml", ".json")


def read_data(path: Path) -> dict[str, Any]:
    """The data of a TOML or JSON file; raises Mistakes for a file that cannot be read as one."""
    try:
        data = _parse(path.suffix.lower(), _text(path))
        _shallow(data)
    except _Unreadable as unreadable:
        raise Mistakes([Mistake(shown(path.name), *unreadable.args)]) from None
    return data


class _Unreadable(Exception):
    """place, problem, expected"""


def _text(path: Path) -> str:
    if path.suffix.lower() not in _ENDINGS:
        raise _Unreadable("file", f"unknown kind of file: {shown(path.suffix) or 'no ending'}", "a .toml or .json file")
    try:
        if path.is_dir():
            raise _Unreadable("file", "is a folder", "a .toml or .json file")
        if path.exists() and not path.is_file():
            raise _Unreadable("file", "is not an ordinary file", "a .toml or .json file")
        with path.open("rb") as stream:
            content = stream.read(SIZE_CAP + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a file name"
        raise _Unreadable("file", f"cannot be read: {reason}", "a readable .toml or .json file") from None
    if len(content) > SIZE_CAP:
        raise _Unreadable("file", "too large", f"at most {SIZE_CAP // 1024} KB")
    return _decoded(content)


def _decoded(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _Unreadable("file", "is UTF-16", "UTF-8: save it again with that encoding")
    if b"\0" in content:
        raise _Unreadable("file", "is binary", "a text file")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise _Unreadable(f"line {line}", "is not UTF-8 (GBK?)", "UTF-8: save it again with that encoding") from None


def _parse(ending: str, text: str) -> dict[str, Any]:
    try:
        return _toml(text) if ending == ".toml" else _json(text)
    except RecursionError:
        raise _Unreadable("file", "nested too deeply", f"at most {DEPTH_CAP} levels") from None


def _toml(text: str) -> dict[str, Any]:
    _few_dots(text)
    try:
        return tomllib.loads(text, parse_float=_number)
    except tomllib.TOMLDecodeError as error:
        message, _, place = str(error).rpartition(" (at ")
        where = place.rstrip(")") if message else "file"
        raise _Unreadable(where, f"not valid TOML: {shown(message or place)}", 'key = "value"') from None
    except ValueError as error:
        raise _Unreadable("file", f"not valid TOML: {shown(error)}", 'key = "value"') from None


def _few_dots(text: str) -> None:
    """Refuse a key of very many parts before the parser sees it: its memory grows with their square."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.count(".") > _MOST_DOTS and _STRING.sub("", line).partition("#")[0].count(".") > _MOST_DOTS:
            raise _Unreadable(f"line {number}", "nested too deeply", f"at most {DEPTH_CAP} levels")


def _json(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text, parse_float=_number, parse_constant=_constant, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise _Unreadable(where, f"not valid JSON: {error.msg}", '"key": "value"') from None
    except ValueError as error:
        raise _Unreadable("file", f"not valid JSON: {shown(error)}", '"key": "value"') from None
    if not isinstance(data, dict):
        raise _Unreadable("file", "is not a table", '{"customer": {...}, "workload": [...]}')
    return data


def _number(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        raise ValueError(f"number out of range: {shown(text)}") from None


def _constant(text: str) -> Decimal:
    raise ValueError(f"not a number: {text}")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for key, value in pairs:
        if key in table:
            raise ValueError(f"key twice: {shown(key)}")
        table[key] = value
    return table


def _shallow(data: dict[str, Any]) -> None:
    level: list[Any] = [data]
    for _ in range(DEPTH_CAP):
        level = [child for parent in level for child in _children(parent)]
    if level:
        raise _Unreadable("file", "nested too deeply", f"at most {DEPTH_CAP} levels")


def _children(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, list):
        yield from value
