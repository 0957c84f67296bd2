"""Raw tables of a file turned into rows, field by field after the rows' own type hints; every mistake is collected.

Written out here because a general validator takes longer to build its validators than all files take to read.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from types import MappingProxyType, NoneType, SimpleNamespace, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from quoting.errors import Mistake
from quoting.parts import Against, Provenance

EMPTY: Mapping[str, Any] = MappingProxyType({})
_MOST, _LEAST = 10**15, Decimal("1e-15")  # beyond these a number is a slip, and would not print
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_PROVENANCE_KEYS = frozenset(("value", "source", "verified", "note", "against"))
_EXAMPLES: dict[Any, str] = {
    str: 'a text, as "PCIe"',
    int: "a whole number, as 8",
    Decimal: "a number, as 48 or 0.5",
    bool: "true or false",
    date: "a date, as 2026-11-30",
}


class Place(NamedTuple):
    """Where a value stands, for the mistake's line."""

    file: str
    path: str

    def at(self, key: str) -> Place:
        return Place(self.file, f"{self.path}.{key}" if self.path else key)


class Wrong(Exception):
    """One value that does not fit its field."""

    def __init__(self, place: Place, problem: str, expected: str = "", nearest: str = "") -> None:
        super().__init__(problem)
        self.mistake = Mistake(place.file, place.path, problem, expected, nearest)


def nearest(name: str, names: Iterable[str]) -> str:
    """The most similar of ``names``, or "" when none is near."""
    from rapidfuzz import fuzz, process

    found = process.extractOne(name, list(names), scorer=fuzz.ratio, score_cutoff=60)
    return found[0] if found else ""


class Shape(NamedTuple):
    """What a class of rows may hold: type hints by field, the keys that must be there, those read as unknown."""

    cls: type
    hints: Mapping[str, Any]
    required: frozenset[str]
    nullable: frozenset[str]  # required, but left out means not known
    known: frozenset[str]  # keys a file may use
    exact: Mapping[str, Any]  # by field, the type whose every value is right as it stands
    choices: Mapping[str, frozenset[Any]]  # by field, the texts it may be
    has_provenance: bool


@cache
def shape_of(cls: type) -> Shape:
    """The shape of a row class, read once from its type hints."""
    own = {field.name: _hint(str(field.type), cls.__module__) for field in fields(cls)}
    must = {field.name for field in fields(cls) if field.default is MISSING and field.default_factory is MISSING}
    nullable = frozenset(name for name in must if NoneType in get_args(own[name]))
    known = frozenset(own) - {"provenance", "layer"}
    exact = {name: _exact(own[name]) for name in known}
    choices = {name: frozenset(get_args(own[name])) for name in known if get_origin(own[name]) is Literal}
    return Shape(cls, own, frozenset(must) - nullable, nullable, known, exact, choices, "provenance" in own)


@cache
def _hint(text: str, module: str) -> Any:
    """The type a written hint means; the same few stand on hundreds of fields."""
    holder = SimpleNamespace(__annotations__={"hint": text})
    return get_type_hints(holder, vars(sys.modules[module]))["hint"]


def _exact(hint: Any) -> Any:
    plain = _not_none(hint) if get_origin(hint) in (Union, UnionType) else hint
    return plain if plain in (str, int, bool) else None


def row(cls: type, data: Mapping[str, Any], place: Place, mistakes: list[Mistake], layer: str = "") -> Any:
    """A row of ``cls`` from a raw table, or None with its mistakes appended."""
    shape, before = shape_of(cls), len(mistakes)
    plain, provenance = split(data, place, mistakes) if shape.has_provenance else (data, EMPTY)
    if not plain.keys() >= shape.required:
        mistakes.extend(_missing(key, shape.hints[key], place) for key in sorted(shape.required - plain.keys()))
    values: dict[str, Any] = dict.fromkeys(shape.nullable)
    exact, choices = shape.exact, shape.choices
    for key, value in plain.items():
        kind = type(value)
        if (kind is str and value in choices.get(key, ())) or (kind is exact.get(key) and _plain(value)):
            values[key] = value
        elif key in shape.known:
            try:
                values[key] = convert(shape.hints[key], value, place.at(key))
            except Wrong as wrong:
                mistakes.append(wrong.mistake)
        else:
            mistakes.append(_unknown(key, shape.known, place))
    if len(mistakes) > before:
        return None
    if shape.has_provenance:
        values["provenance"] = provenance
    if "layer" in shape.hints:
        values["layer"] = layer
    return cls(**values)


def split(
    data: Mapping[str, Any], place: Place, mistakes: list[Mistake]
) -> tuple[Mapping[str, Any], Mapping[str, Provenance]]:
    """Plain values and provenance of a row whose fields may be ``{value = 48, source = "..."}``."""
    tables = {key: value for key, value in data.items() if isinstance(value, dict)}
    if not tables:
        return data, EMPTY
    provenance: dict[str, Provenance] = {}
    for key, table in tables.items():
        try:
            provenance[key] = _provenance({"source": data.get("source", ""), **table}, place.at(key))
        except Wrong as wrong:
            mistakes.append(wrong.mistake)
    plain = {key: value.get("value") if key in tables else value for key, value in data.items()}
    return plain, MappingProxyType(provenance)


def _provenance(table: Mapping[str, Any], place: Place) -> Provenance:
    if not table.keys() <= _PROVENANCE_KEYS:
        key = sorted(table.keys() - _PROVENANCE_KEYS)[0]
        raise Wrong(place.at(key), "unknown key", "one of " + " ".join(sorted(_PROVENANCE_KEYS)))
    if not table["source"]:
        raise Wrong(place, "no source", '{value = 48, source = "maker-2026"}')
    source, note, verified = table["source"], table.get("note", ""), table.get("verified", True)
    if not (type(source) is type(note) is str and type(verified) is bool):
        raise Wrong(place, "wrong value in the table", "source and note as texts, verified as true or false")
    listed = table.get("against")
    against = convert(tuple[Against, ...], listed, place.at("against")) if listed else ()
    return Provenance(source=source, verified=verified, note=note, against=against)


def _unknown(key: str, known: Iterable[str], place: Place) -> Mistake:
    return Mistake(place.file, place.at(key).path, "unknown key", "", nearest(key, known))


def _missing(key: str, hint: Any, place: Place) -> Mistake:
    return Mistake(place.file, place.at(key).path, "missing", _wanted(hint))


def convert(hint: Any, value: Any, place: Place) -> Any:
    """``value`` as the type ``hint``; raises Wrong. Whole numbers are taken where a Decimal is wanted."""
    if type(value) is hint and hint is not Decimal:
        return sound(value, place)
    if hint is Decimal:
        return _decimal(value, place)
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return None if value is None else convert(_not_none(hint), value, place)
    if origin is Literal:
        return _literal(hint, value, place)
    if origin is tuple and isinstance(value, list):
        return _tuple(get_args(hint)[0], value, place)
    if origin is not None and issubclass(origin, Mapping) and isinstance(value, dict):
        of = get_args(hint)[1]
        return MappingProxyType({key: convert(of, part, place.at(key)) for key, part in value.items()})
    if isinstance(hint, type) and is_dataclass(hint) and isinstance(value, dict):
        return _record(hint, value, place)
    if hint is date and isinstance(value, date) and not isinstance(value, datetime):
        return value
    raise Wrong(place, "not known" if value is None else f"wrong value {_shown(value)}", _wanted(hint))


def _decimal(value: Any, place: Place) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise Wrong(place, f"wrong value {_shown(value)}", _wanted(Decimal))
    number: Decimal = sound(Decimal(value), place)
    return number


def _plain(value: Any) -> bool:
    """Whether a text, number or flag is sound at first sight; most are."""
    return value.isprintable() if isinstance(value, str) else 0 <= value < _MOST


def sound(value: Any, place: Place) -> Any:
    """``value`` if it can stand in a row: a text without control characters, a number that is no nonsense.

    Only a temperature may be below zero. Raises Wrong.
    """
    if isinstance(value, str):
        bad = next((one for one in value if unicodedata.category(one) in ("Cc", "Co") and one not in "\n\t"), "")
        bad = bad or next((one for one in value if one in _BIDI), "")
        if bad:
            raise Wrong(place, f"forbidden character U+{ord(bad):04X}", _EXAMPLES[str])
    elif isinstance(value, int | Decimal):
        number = Decimal(value)
        if not number.is_finite() or not -_MOST < number < _MOST or 0 < abs(number) < _LEAST:
            raise Wrong(place, f"wrong value {_shown(value)}", _wanted(type(value)))
        if number < 0 and not place.path.endswith("_c"):
            raise Wrong(place, f"below zero: {_shown(value)}", _wanted(type(value)))
    return value


def _literal(hint: Any, value: Any, place: Place) -> Any:
    allowed = get_args(hint)
    if type(value) in (str, int) and value in allowed:
        return value
    near = nearest(value, [str(one) for one in allowed]) if isinstance(value, str) else ""
    raise Wrong(place, f"wrong value {_shown(value)}", _wanted(hint), near)


def _tuple(of: Any, value: list[Any], place: Place) -> tuple[Any, ...]:
    return tuple(convert(of, part, Place(place.file, f"{place.path}[{n}]")) for n, part in enumerate(value, 1))


def _record(cls: type, value: dict[str, Any], place: Place) -> Any:
    mistakes: list[Mistake] = []
    made = row(cls, value, place, mistakes)
    if mistakes:
        first = mistakes[0]
        raise Wrong(Place(first.file, first.place), first.problem, first.expected, first.nearest)
    return made


@cache
def _not_none(hint: Any) -> Any:
    rest = [part for part in get_args(hint) if part is not NoneType]
    return rest[0] if len(rest) == 1 else Union[tuple(rest)]  # noqa: UP007 - built at run time


def _wanted(hint: Any) -> str:
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return _wanted(_not_none(hint))
    if origin is Literal:
        return "one of " + " ".join(str(one) for one in get_args(hint))
    if origin is tuple:
        return f"a list, each {_wanted(get_args(hint)[0])}"
    if is_dataclass(hint) and isinstance(hint, type):
        return "a table with " + " ".join(field.name for field in fields(hint))
    return _EXAMPLES.get(hint, "a table")


def _shown(value: Any) -> str:
    text = f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 40 else text[:37] + "..."
