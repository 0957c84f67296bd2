"""Quantities as people spell them: one table a kind of quantity, one reader for all of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Context, Decimal
from typing import Literal

from quoting.forms.numbers import Piece, Raw, scan, spell, split_multiplier
from quoting.forms.text import Asks, Wrong, shown

_KEEP = Context(prec=15)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """How one kind of quantity is spelt. ``units`` maps a unit to its factor in ``unit``; "" is a bare number."""

    unit: str
    example: str
    units: Mapping[str, Decimal]
    low: Decimal
    high: Decimal
    take: Literal["low", "high"] = "high"  # the end of a range that a quotation must hold for
    refuse: Mapping[str, str] = field(default_factory=dict)
    filler: str = ""  # words that may surround the number and mean nothing
    whole: bool = False
    bare: str = ""  # why a bare number is refused
    single: Decimal | None = None  # factor of one counted thing, where 万 and 亿 may follow a bare number


@dataclass(frozen=True, slots=True)
class Reading:
    """A value, how it is echoed, and the questions that reading it left open (code and arguments)."""

    value: Decimal
    read: str
    asks: Asks = ()


def read_quantity(raw: Raw, kind: Quantity) -> Reading:
    """``raw`` as ``kind``; raises Wrong for another unit, several numbers, or a value out of its bounds."""
    scanned = scan(raw, kind.example, kind.filler)
    if re.search(r"(?<![\d\w])[-−]\s*$", scanned.before):
        raise Wrong(f"negative: {shown(raw)}", kind.example)
    strange = _without(scanned.before, kind.filler)
    if strange and strange not in ("+", "~"):
        raise Wrong(f"not understood: {shown(raw)}", kind.example)
    if len(scanned.pieces) > 1 and not scanned.is_range:
        raise Wrong(f"more than one number: {shown(raw)}", kind.example)
    values = _values(scanned.pieces, kind, raw)
    value = tidy(min(values) if kind.take == "low" else max(values))
    _bounded(value, kind, raw)
    asks: list[tuple[str, tuple[tuple[str, str], ...]]] = []
    if len(set(values)) > 1:
        ends = (("low", spell(min(values), kind.unit)), ("high", spell(max(values), kind.unit)))
        asks.append(("range", (*ends, ("taken", spell(value, kind.unit)))))
    if any(piece.vague for piece in scanned.pieces):
        asks.append(("order_of_magnitude", (("typed", shown(raw)), ("taken", spell(value, kind.unit)))))
    return Reading(value, spell(value, kind.unit), tuple(asks))


def tidy(value: Decimal) -> Decimal:
    """``value`` to fifteen digits, without trailing zeros: 15.000 -> 15."""
    short = _KEEP.plus(value)
    return short.quantize(Decimal(1)) if short == short.to_integral_value() else short.normalize()


def _values(pieces: tuple[Piece, ...], kind: Quantity, raw: Raw) -> list[Decimal]:
    last = _in_unit(pieces[-1], kind, raw)
    if len(pieces) == 1:
        return [last]
    first = pieces[0]
    if first.unit and _without(first.unit, kind.filler):
        return [_in_unit(first, kind, raw), last]
    low = _in_unit(Piece(first.number, pieces[1].unit), kind, raw)
    if low > last:
        low = first.number * kind.units.get("", Decimal(1))
    return [low, last]


def _in_unit(piece: Piece, kind: Quantity, raw: Raw) -> Decimal:
    unit = _without(piece.unit, kind.filler)
    if unit in kind.units:
        return piece.number * kind.units[unit]
    for refused, why in kind.refuse.items():
        if unit == refused:
            raise Wrong(why, kind.example)
    if kind.single is not None:
        factor, rest = split_multiplier(unit)
        if rest in kind.units:
            return piece.number * factor * kind.units[rest]
        if not rest and (factor != 1 or piece.number >= _COUNTED):
            return piece.number * factor * kind.single
    if not unit:
        raise Wrong(kind.bare or f"no unit: {shown(raw)}", kind.example)
    raise Wrong(f"unit {shown(unit)} is not understood", kind.example)


# A bare number from here on can only be a count of single parameters or tokens.
_COUNTED = Decimal(10) ** 6


def _bounded(value: Decimal, kind: Quantity, raw: Raw) -> None:
    if not kind.low <= value <= kind.high:
        bounds = f"between {spell(kind.low, kind.unit)} and {spell(kind.high, kind.unit)}, such as {kind.example}"
        raise Wrong(f"out of range: {shown(raw)}", bounds)
    if kind.whole and value != value.to_integral_value():
        raise Wrong(f"not a whole number: {shown(raw)}", kind.example)


def _without(text: str, filler: str) -> str:
    plain = re.sub(filler, "", text) if filler else text
    return re.sub(r"[\s:：，,。（）()]+", "", plain)
