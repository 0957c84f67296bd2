"""Records as JSON, one spelling for each: the bytes that are hashed, kept and compared.

Keys in record order, Decimals as plain strings without exponent and with the zeros they have, counts as integers,
dates in ISO 8601, lists for tuples. Records hold no float; a test reads whole quotations for one.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import orjson

_INDENTED = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE


def canonical_bytes(value: Any) -> bytes:
    """The record as indented JSON in UTF-8, ending in a newline; equal records give equal bytes.

    Raises TypeError for what is no record, text, number, date, list or table of these.
    """
    return orjson.dumps(value, default=_plain, option=_INDENTED)


def canonical_json(value: Any) -> str:
    """``canonical_bytes`` as text."""
    return canonical_bytes(value).decode()


def json_line(value: Any) -> str:
    """The record as JSON on one line, without a newline."""
    return orjson.dumps(value, default=_plain).decode()


def to_jsonable(value: Any) -> Any:
    """The record as dicts, lists, strings, integers, booleans and None."""
    return orjson.loads(orjson.dumps(value, default=_plain))


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"no JSON for {type(value).__name__}")
