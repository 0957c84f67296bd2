"""Layers of raw tables merged into rows: a row of one id replaces the whole row, rules, house and terms go by key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from quoting.catalog.files import Layer, Raw
from quoting.catalog.overlaid_rules import changed_rule_mistakes, new_rule_mistakes
from quoting.catalog.rule_units import new_units, same_units
from quoting.catalog.shape import Place, Wrong, row, sound, split
from quoting.errors import Mistake
from quoting.parts import (
    Accelerator,
    Cable,
    Cooler,
    Cpu,
    Dimm,
    Drive,
    Nic,
    Optic,
    Part,
    Pdu,
    Platform,
    Provenance,
    Rack,
    Switch,
    Ups,
)
from quoting.rows import House, Model, PriceRow, Rate, Rent, Rule, Source, Terms, TierRow

PARTS: Mapping[str, type[Part]] = MappingProxyType(
    {
        "accelerator": Accelerator,
        "platform": Platform,
        "cpu": Cpu,
        "dimm": Dimm,
        "drive": Drive,
        "nic": Nic,
        "switch": Switch,
        "optic": Optic,
        "cable": Cable,
        "rack": Rack,
        "pdu": Pdu,
        "ups": Ups,
        "cooler": Cooler,
        "part": Part,
    }
)
OTHERS: Mapping[str, tuple[type, str]] = MappingProxyType(
    {
        "source": (Source, "id"),
        "model": (Model, "id"),
        "tier": (TierRow, "id"),
        "rate": (Rate, "currency"),
        "rent": (Rent, "accelerator"),
    }
)
ID_KEYS: dict[str, str] = {**dict.fromkeys(PARTS, "sku"), **{table: key for table, (_, key) in OTHERS.items()}}
_RULE_TEXTS = ("note", "source")
_RULE_UNITS = ("unit", "units")


@dataclass
class Merged:
    """Rows by kind and id with the raw table each came from; ids of rows that failed are kept in ``broken``."""

    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    raws: dict[tuple[str, str], Raw] = field(default_factory=dict)
    broken: dict[str, set[str]] = field(default_factory=dict)
    rents: list[tuple[Rent, Raw]] = field(default_factory=list)
    prices: list[tuple[PriceRow, Raw]] = field(default_factory=list)
    overlaid: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)  # "terms.recipes.rack" -> the file that says it

    def of(self, kind: str) -> dict[str, Any]:
        """Rows of one kind by id."""
        return self.rows.setdefault(kind, {})

    def file_of(self, key: str, otherwise: str) -> str:
        """The file that says ``key`` of house or terms; positions in lists do not count."""
        return self.files.get(key.partition("[")[0], otherwise)

    def names(self, kind: str) -> set[str]:
        """Every id of the kind a file speaks of, wrong rows included, so that one mistake is not told twice."""
        return self.of(kind).keys() | self.broken.get(kind, set())


def merge_rows(layers: list[Layer], mistakes: list[Mistake]) -> Merged:
    """Rows of all layers; later layers win row by row, prices and rents are appended."""
    merged = Merged()
    for layer in layers:
        mistakes.extend(_duplicates(layer.rows + layer.rules))
        for raw in layer.rows:
            _take(merged, raw, layer.name, mistakes)
        for raw in layer.prices:
            price = row(PriceRow, raw.data, Place(raw.file, f"{raw.place} {raw.id}".strip()), mistakes, layer.name)
            merged.prices += [(price, raw)] if price else []
    merge_rules(merged, layers, mistakes)
    return merged


def kind_of(table: str) -> str:
    """Tables of parts share one set of ids."""
    return "part" if table in PARTS else table


def _duplicates(raws: list[Raw]) -> Iterator[Mistake]:
    first: dict[tuple[str, str], Raw] = {}
    for raw in raws:
        key = (kind_of(raw.table), raw.id)
        if raw.table != "rent" and raw.id and key in first:
            yield Mistake(raw.file, raw.place, f"second row of this id, first in {first[key].file}", "another id")
        first.setdefault(key, raw)


def _take(merged: Merged, raw: Raw, layer: str, mistakes: list[Mistake]) -> None:
    kind = kind_of(raw.table)
    cls = PARTS[raw.table] if raw.table in PARTS else OTHERS[raw.table][0]
    data = {"category": raw.table, **raw.data} if raw.table in PARTS and raw.table != "part" else raw.data
    made = row(cls, data, Place(raw.file, raw.place), mistakes, layer)
    if made is None:
        merged.broken.setdefault(kind, set()).add(raw.id)
    elif raw.table == "rent":
        merged.rents.append((made, raw))
    else:
        merged.of(kind)[raw.id] = made
        merged.raws[kind, raw.id] = raw
        if layer and not hasattr(made, "layer"):
            merged.overlaid[f"{kind}.{raw.id}"] = layer


def merge_rules(merged: Merged, layers: list[Layer], mistakes: list[Mistake]) -> None:
    """Rules key by key: an overlay changes one threshold and leaves the others."""
    rules: dict[str, Rule] = merged.of("rule")
    for layer in layers:
        if layer.name:
            mistakes += new_rule_mistakes(layer.rules, rules)
        for raw in layer.rules:
            rules[raw.id] = _rule(rules.get(raw.id), raw, layer.name, mistakes)
            merged.raws["rule", raw.id] = raw


def _rule(base: Rule | None, raw: Raw, layer: str, mistakes: list[Mistake]) -> Rule:
    place = Place(raw.file, raw.place)
    stated = {key: raw.data[key] for key in _RULE_UNITS if key in raw.data}
    found, provenance = split({key: raw.data[key] for key in raw.data if key not in stated}, place, mistakes)
    plain = dict(found)
    texts = {key: _text(plain.pop(key), place.at(key), mistakes) for key in _RULE_TEXTS if key in plain}
    values = {key: _rule_value(value, place.at(key), mistakes) for key, value in plain.items()}
    if base is None:
        units = new_units(stated, values, place, mistakes)
        frozen = MappingProxyType(values)
        return Rule(id=raw.id, values=frozen, units=units, provenance=provenance, layer=layer, **texts)
    mistakes += changed_rule_mistakes(base.values, values, place)
    mistakes += same_units(stated, values, base, place)
    return _laid_over(base, values, texts, provenance, layer)


def _laid_over(
    base: Rule, values: Mapping[str, Any], texts: dict[str, str], provenance: Mapping[str, Provenance], layer: str
) -> Rule:
    source = texts.get("source", base.source)
    ours = {key: replace(provenance.get(key) or Provenance(source=source), layer=layer) for key in values}
    return replace(
        base,
        values=MappingProxyType({**base.values, **values}),
        provenance=MappingProxyType({**base.provenance, **ours}),
        layer=layer,
        note=texts.get("note", base.note),
    )


def _text(value: Any, place: Place, mistakes: list[Mistake]) -> str:
    if isinstance(value, str):
        return str(_sound(value, place, mistakes))
    mistakes.append(Mistake(place.file, place.path, f"wrong value {value}", "a text"))
    return ""


def _rule_value(value: Any, place: Place, mistakes: list[Mistake]) -> Decimal | str | bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str(_sound(value, place, mistakes))
    if isinstance(value, int | Decimal):
        return Decimal(_sound(value, place, mistakes))
    mistakes.append(Mistake(place.file, place.path, f"wrong value {value}", "a number, a text, true or false"))
    return ""


def _sound(value: Any, place: Place, mistakes: list[Mistake]) -> Any:
    try:
        return sound(value, place)
    except Wrong as wrong:
        mistakes.append(wrong.mistake)
        return type(value)()


def merge_single(layers: list[Layer], cls: type[House] | type[Terms], merged: Merged, mistakes: list[Mistake]) -> Any:
    """House or terms, key by key over the layers; None with a mistake when no layer has the file."""
    name = cls.__name__.lower()
    data: dict[str, Any] = {}
    for layer in layers:
        raw = layer.single.get(name)
        if raw is not None:
            data = _by_key(data, raw.data)
            merged.files |= {f"{name}.{key}": raw.file for key in _leaves(raw.data)}
            merged.overlaid |= {f"{name}.{key}": layer.name for key in _leaves(raw.data) if layer.name}
    if not data:
        mistakes.append(Mistake(f"{name}.toml", "file", "missing"))
        return None
    found: list[Mistake] = []
    made = row(cls, data, Place(f"{name}.toml", ""), found)
    mistakes += [replace(one, file=merged.file_of(f"{name}.{one.place}", one.file)) for one in found]
    return made


def _by_key(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """``over`` laid on ``base``, tables key by key, everything else replaced."""
    merged = dict(base)
    for key, value in over.items():
        both = isinstance(value, dict) and isinstance(base.get(key), dict)
        merged[key] = _by_key(base[key], value) if both else value
    return merged


def _leaves(data: dict[str, Any]) -> Iterator[str]:
    for key, value in data.items():
        if isinstance(value, dict):
            yield from (f"{key}.{inner}" for inner in _leaves(value))
        else:
            yield key
