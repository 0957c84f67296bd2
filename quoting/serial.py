"""Records as JSON, one spelling for each: the bytes that are hashed, kept and compared.

Keys in record order, Decimals as plain strings without exponent and with the zeros they have, counts as integers,
dates in ISO 8601, lists for tuples. There is no float; one is refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from json.encoder import encode_basestring as quoted
from typing import Any


@cache
def _names(cls: type) -> tuple[str, ...]:
    if not is_dataclass(cls):
        raise TypeError(f"no JSON for {cls.__name__}")
    return tuple(field.name for field in fields(cls))


@cache
def _keys(cls: type) -> tuple[tuple[str, str], ...]:
    return tuple((name, f'"{name}": ') for name in _names(cls))


def to_jsonable(value: Any) -> Any:
    """The record as dicts, lists, strings, integers, booleans and None; raises TypeError for anything else."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, tuple | list):
        return [to_jsonable(part) for part in value]
    if isinstance(value, Mapping):
        return {str(key): to_jsonable(part) for key, part in value.items()}
    if isinstance(value, date):
        return value.isoformat()
    return {name: to_jsonable(getattr(value, name)) for name in _names(value.__class__)}


def canonical_json(value: Any) -> str:
    """The record as indented JSON text ending in a newline; equal records give equal text."""
    out: list[str] = []
    _write(value, "\n", out)
    out.append("\n")
    return "".join(out)


def json_line(value: Any) -> str:
    """The record as JSON on one line, without a newline."""
    return json.dumps(to_jsonable(value), ensure_ascii=False, separators=(",", ":"))


def _write(value: Any, newline: str, out: list[str]) -> None:
    """Append the text of ``value``; ``newline`` is a line break with the indent of where we are."""
    scalar = _scalar(value)
    if scalar is not None:
        out.append(scalar)
    elif isinstance(value, tuple | list):
        _write_list(value, newline, out)
    elif isinstance(value, Mapping):
        _write_table([(part, f"{quoted(str(key))}: ") for key, part in value.items()], newline, out)
    else:
        _write_table([(getattr(value, name), key) for name, key in _keys(value.__class__)], newline, out)


def _scalar(value: Any) -> str | None:
    cls = type(value)
    if cls is str:
        return quoted(value)
    if value is None:
        return "null"
    if cls is Decimal:
        return f'"{value:f}"'
    if cls is bool:
        return "true" if value else "false"
    if cls is int:
        return str(value)
    if cls is date:
        return f'"{value.isoformat()}"'
    return None


def _write_list(values: tuple[Any, ...] | list[Any], newline: str, out: list[str]) -> None:
    deeper, before = newline + " ", "["
    for value in values:
        out.append(before + deeper)
        _write(value, deeper, out)
        before = ","
    out.append(newline + "]" if values else "[]")


def _write_table(pairs: list[tuple[Any, str]], newline: str, out: list[str]) -> None:
    deeper, before = newline + " ", "{"
    for value, key in pairs:
        out.append(before + deeper + key)
        _write(value, deeper, out)
        before = ","
    out.append(newline + "}" if pairs else "{}")
