"""The unit of every number of a rule: stated in the file, of one list, and in agreement with the value's own name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from quoting.catalog.shape import Place, nearest
from quoting.errors import Mistake
from quoting.rows import Rule

UNITS = frozenset(
    (
        *("1", "share", "ratio", "share/year", "CNY", "CNY/kWh", "TPP"),
        *("B", "byte/parameter", "byte/(token·width)", "byte/(token·width·layer)", "byte/(token·vocabulary)"),
        *("FLOP/(parameter·token)", "GB", "GB/card", "GB/node", "GB/s", "Gbit/s"),
        *("token", "token/sample", "request", "sequence", "epoch", "copy"),
        *("card", "node", "rack", "port", "port/node", "piece", "piece/node", "PSU", "line"),
        *("min", "h/month", "day", "week", "month"),
        *("m", "mm", "mm/U", "kg", "kg/U", "V", "kW", "kVA", "°C"),
        *("CFM/kW", "L/(min·kW)", "BTU/(h·CFM·°F)"),
    )
)
# What a value's name ends in, and the unit it then has, alone or for one of something ("GB/card"); the first that fits.
_ENDINGS: Mapping[str, str] = MappingProxyType(
    {
        "_cfm_kw": "CFM/kW",
        "_l_min_kw": "L/(min·kW)",
        "_gbs": "GB/s",
        "_gb": "GB",
        "_kg": "kg",
        "_kw": "kW",
        "_mm": "mm",
        "_m": "m",
        "_v": "V",
        "_b": "B",
        "_bytes": "byte",
        "_share": "share",
        "_tokens": "token",
        "_nodes": "node",
        "_cards": "card",
        "_ports": "port",
        "_days": "day",
        "_weeks": "week",
        "_months": "month",
    }
)
_NUMBERS = re.compile(r"[\d.,:/ ]*\d[\d.,:/ ]*")
_EXAMPLE = 'units = {warn = "share", rack_kg = "kg"}'


def is_number(value: Any) -> bool:
    """Whether a value needs a unit: a number, or a text of numbers such as "64,128" or "0.2:0.94 0.5:0.96"."""
    return isinstance(value, Decimal) or (isinstance(value, str) and bool(_NUMBERS.fullmatch(value)))


def new_units(
    data: Mapping[str, Any], values: Mapping[str, Any], place: Place, mistakes: list[Mistake]
) -> Mapping[str, str]:
    """The unit of every number of a new rule, from ``unit`` (one for all) or ``units`` (by value) of its table."""
    found = _stated(data, values, values, place, mistakes)
    if "unit" not in data:
        told = data["units"] if isinstance(data.get("units"), dict) else {}
        mistakes += [_missing(key, place) for key, value in values.items() if is_number(value) and key not in told]
    return MappingProxyType(found)


def same_units(data: Mapping[str, Any], values: Mapping[str, Any], base: Rule, place: Place) -> Iterator[Mistake]:
    """Mistakes of an overlay's units: it need not repeat them, and none may differ, since formulas count in them."""
    mistakes: list[Mistake] = []
    stated = _stated(data, values, {**base.values, **values}, place, mistakes)
    yield from mistakes
    for key, unit in stated.items():
        own = base.units.get(key, unit)
        if unit != own:
            yield Mistake(place.file, place.at(key).path, f"in {unit}", f"the value in {own}, as the catalogue has it")


def _missing(key: str, place: Place) -> Mistake:
    own = _by_name(key) or "share"
    expected = f'its unit, as units = {{{key} = "{own}"}}, or unit = "{own}" for all values'
    return Mistake(place.file, place.at(key).path, "no unit", expected)


def _stated(
    data: Mapping[str, Any], own: Mapping[str, Any], whole: Mapping[str, Any], place: Place, mistakes: list[Mistake]
) -> dict[str, str]:
    """The units a table states, by value; ``unit`` holds for the numbers of the table itself."""
    if "unit" in data and "units" in data:
        mistakes.append(Mistake(place.file, place.at("unit").path, "unit beside units", f"one of them, as {_EXAMPLE}"))
        return {}
    if "unit" in data:
        return _one(data["unit"], own, place, mistakes)
    several = data.get("units", {})
    if not isinstance(several, dict):
        mistakes.append(Mistake(place.file, place.at("units").path, f"wrong value {several}"[:60], _EXAMPLE))
        return {}
    where = place.at("units")
    found = {key: _checked(key, unit, whole, where.at(key), mistakes) for key, unit in several.items()}
    return {key: unit for key, unit in found.items() if unit}


def _one(unit: Any, own: Mapping[str, Any], place: Place, mistakes: list[Mistake]) -> dict[str, str]:
    numbers = [key for key, value in own.items() if is_number(value)]
    if not numbers:
        mistakes.append(Mistake(place.file, place.at("unit").path, "a unit, but no number", "no unit"))
        return {}
    before = len(mistakes)
    first = _checked(numbers[0], unit, own, place.at("unit"), mistakes)
    if len(mistakes) == before:
        mistakes += [wrong for key in numbers[1:] for wrong in _disagrees(key, first, place.at("unit"))]
    return dict.fromkeys(numbers, first) if first else {}


def _checked(key: str, unit: Any, values: Mapping[str, Any], place: Place, mistakes: list[Mistake]) -> str:
    """The unit of one value, or "" with a mistake."""
    if key not in values:
        mistakes.append(Mistake(place.file, place.path, "unknown key", "a value of this rule", nearest(key, values)))
    elif not is_number(values[key]):
        if values[key] != "":  # what could not be read is told already
            mistakes.append(Mistake(place.file, place.path, "a unit of what is no number", "no unit"))
    elif not isinstance(unit, str) or unit not in UNITS:
        alike = {one.casefold(): one for one in UNITS}
        near = alike.get(str(unit).casefold()) or nearest(str(unit), sorted(UNITS))
        mistakes.append(Mistake(place.file, place.path, f'unknown unit "{str(unit)[:40]}"', 'a unit, as "kW"', near))
    else:
        wrong = list(_disagrees(key, unit, place))
        mistakes += wrong
        return "" if wrong else unit
    return ""


def _by_name(key: str) -> str:
    return next((unit for ending, unit in _ENDINGS.items() if f"_{key}".endswith(ending)), "")


def _disagrees(key: str, unit: str, place: Place) -> Iterator[Mistake]:
    """A name that ends in one unit, held in another."""
    own = _by_name(key)
    if own and unit != own and not unit.startswith(f"{own}/"):
        yield Mistake(place.file, place.path, f"{key} in {unit}, by its name in {own}", f'"{own}"')
