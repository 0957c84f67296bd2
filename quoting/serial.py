"""Records as JSON, one spelling for each: the bytes that are hashed, kept and compared.

Keys in record order, Decimals as plain strings without exponent and with the zeros they have, counts as integers,
dates in ISO 8601, lists for tuples. There is no float; one is refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from json.encoder import encode_basestring as quoted
from operator import attrgetter
from typing import Any


@cache
def _names(cls: type) -> tuple[str, ...]:
    if not is_dataclass(cls):
        raise TypeError(f"no JSON for {cls.__name__}")
    return tuple(field.name for field in fields(cls))


@cache
def _fields(cls: type) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    """The keys of a record as JSON writes them, and what reads all its values at once."""
    names = _names(cls)
    reader = attrgetter(*names) if len(names) > 1 else lambda value: (getattr(value, names[0]),)
    return tuple(f'"{name}": ' for name in names), reader


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


# What one value is as text; everything else is a list or a table.
_TEXT: dict[type, Callable[[Any], str]] = {
    str: quoted,
    Decimal: '"{:f}"'.format,
    int: str,
    bool: lambda value: "true" if value else "false",
    type(None): lambda _: "null",
    date: lambda value: f'"{value.isoformat()}"',
}


def _write(value: Any, newline: str, out: list[str]) -> None:
    """Append the text of ``value``; ``newline`` is a line break with the indent of where we are."""
    text = _TEXT.get(type(value))
    if text is not None:
        out.append(text(value))
    elif isinstance(value, tuple | list):
        _write_all(value, [""] * len(value), "[", "]", newline, out)
    elif isinstance(value, Mapping):
        _write_all(value.values(), [f"{quoted(str(key))}: " for key in value], "{", "}", newline, out)
    else:
        keys, read = _fields(value.__class__)
        _write_all(read(value), keys, "{", "}", newline, out)


def _write_all(
    values: Iterable[Any], keys: Sequence[str], opening: str, closing: str, newline: str, out: list[str]
) -> None:
    # The scalars of a record, most of a quote, are written here and not by a call each.
    deeper, before = newline + " ", opening
    for key, value in zip(keys, values, strict=True):
        text = _TEXT.get(type(value))
        if text is not None:
            out.append(f"{before}{deeper}{key}{text(value)}")
        else:
            out.append(f"{before}{deeper}{key}")
            _write(value, deeper, out)
        before = ","
    out.append(newline + closing if keys else opening + closing)
