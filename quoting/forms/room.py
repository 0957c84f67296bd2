"""[site]: the customer's room. What is not answered stays unknown."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, Literal, cast

from quoting.forms import quantities as q
from quoting.forms import words
from quoting.forms.numbers import spell
from quoting.forms.reader import Notes, Table, nearest
from quoting.forms.text import Wrong, folded, key_of, shown
from quoting.forms.units import read_quantity
from quoting.requirement import Circuit, SiteNeed

_CIRCUIT = "3x32A, 单相16A or 5kW"
_PHASES = (
    (re.compile(r"^(?:三相|3\s*(?:[x*×]|p(?:h(?:ase)?)?|相)|每相)"), 3),
    (re.compile(r"^(?:单相|1\s*(?:[x*×]|p(?:h(?:ase)?)?|相))"), 1),
    (re.compile(r"380|400v|415v|三相|3(?:p(?!n?e)|φ|ph)"), 3),
    (re.compile(r"2[0-4]0v|220|单相|1(?:p|φ|ph)"), 1),
)
_DOOR = "1.2m x 2.2m (width x height)"
_LIFT = "1000kg, or H210 W99 D137cm 630kg"
_LENGTH = {
    "mm": Decimal(1),
    "毫米": Decimal(1),
    "cm": Decimal(10),
    "厘米": Decimal(10),
    "m": Decimal(1000),
    "米": Decimal(1000),
}
_SIDES = {"w": "w", "宽": "w", "b": "w", "h": "h", "高": "h", "d": "d", "深": "d", "长": "d", "l": "d"}
_SIDE = re.compile(r"(?:([whdbl]|宽|高|深|长)\s*)?(\d+(?:\.\d+)?)\s*(mm|cm|m(?![a-z²2])|毫米|厘米|米)?")
_SMALLEST_MM, _LARGEST_MM = 200, 20000


def read_site(notes: Notes, data: object, keys: tuple[str, ...]) -> SiteNeed:
    """The room as answered."""
    table = Table(notes, "site", data, keys)
    lift, door = table.read("lift", _lift) or (None, None), table.read("door", _door)
    _echo(table, lift, door)
    return SiteNeed(
        racks=table.whole("racks", q.RACKS),
        rack_power_kw=table.quantity("rack_power", q.POWER_KW),
        rack_units=table.whole("rack_units", q.RACK_UNITS),
        circuit=_asked_circuit(table),
        feeds=cast(Literal["N", "2N"] | None, table.choice("feeds", words.FEEDS)),
        existing_amps=table.quantity("existing_load", q.AMPERES),
        transformer_kva=table.quantity("transformer", q.KVA),
        transformer_load_kva=table.quantity("transformer_load", q.LOAD_KVA),
        ups_kva=table.quantity("ups", q.KVA),
        ups_load_kw=table.quantity("ups_load", q.LOAD_KW),
        ups_minutes=table.quantity("ups_minutes", q.MINUTES),
        generator=table.flag("generator"),
        cooling_kw=table.quantity("cooling", q.ROOM_KW),
        cooling_redundancy=cast(Any, table.choice("cooling_redundancy", words.COOLING_REDUNDANCY)),
        supply_temperature_c=table.quantity("supply_temperature", q.CELSIUS),
        liquid_ready=table.flag("liquid_ready"),
        floor_load_kg_m2=table.quantity("floor_load", q.FLOOR),
        floor_point_kg=table.quantity("floor_point", q.KILOGRAMS),
        spreader_frame=table.flag("spreader_frame"),
        door_mm=door,
        lift_kg=lift[0],
        lift_mm=lift[1],
        altitude_m=table.quantity("altitude", q.METRES),
        accept=_accept(table),
    )


def _echo(table: Table, lift: tuple[Decimal | None, tuple[int, ...] | None], door: tuple[int, ...] | None) -> None:
    load, cabin = lift
    parts = [spell(load, "kg")] if load is not None else []
    parts += [_size(cabin)] if cabin else []
    table.notes.read_as(table.at("lift"), table.raw("lift"), ", ".join(parts))
    table.notes.read_as(table.at("door"), table.raw("door"), _size(door) if door else "")


def _size(sides: tuple[int, ...]) -> str:
    return " x ".join(str(side) for side in sides) + " mm"


def _asked_circuit(table: Table) -> Circuit | None:
    found = table.read("circuit", read_circuit)
    if found is None:
        return None
    circuit, sure = found
    read = f"{circuit.kw} kW" if circuit.kw is not None else f"{circuit.phases} x {circuit.amps} A"
    table.notes.read_as(table.at("circuit"), table.raw("circuit"), read)
    if not sure:
        table.notes.ask(table.at("circuit"), "circuit_phases", typed=shown(table.raw("circuit")), taken=circuit.phases)
    return circuit


def read_circuit(raw: Any) -> tuple[Circuit, bool]:
    """One feed of a rack, and whether its phases were said; without them the smaller reading is taken."""
    if not isinstance(raw, str):
        raise Wrong(f"not a circuit: {shown(raw)}", _CIRCUIT)
    text = folded(raw).replace(" ", "")
    if re.search(r"kva", text):
        raise Wrong("kVA is apparent power: state amperes or kW", _CIRCUIT)
    if re.search(r"\d\s*k?(?:w|千瓦|瓦)", text) and not re.search(r"\da", text):
        power = read_quantity(raw, q.POWER_KW).value
        return Circuit(phases=1, amps=Decimal(0), kw=power), True
    found = list(re.finditer(r"(?<![\d.])(\d+(?:\.\d+)?)(?:a|安)", text))
    match = found[0] if found else None
    if re.search(r"[2两双]路|a/b|ab路", text) or len(found) > 1:
        raise Wrong(f"more than one feed: {shown(raw)}", f"one feed here ({_CIRCUIT}), and feeds = 2N for two")
    if match is None:
        raise Wrong(f"not a circuit: {shown(raw)}", _CIRCUIT)
    amps = read_quantity(match.group(0), q.BREAKER).value
    head = text[: match.start()]
    if head.endswith(("-", "−")):
        raise Wrong(f"negative: {shown(raw)}", _CIRCUIT)
    if re.match(r"(?:[02]|[4-9]|\d\d+)[x*×]", head):
        raise Wrong(f"neither one nor three phases: {shown(raw)}", f"{_CIRCUIT}; two feeds are feeds = 2N")
    phases = next((phases for pattern, phases in _PHASES if pattern.search(text)), None)
    return Circuit(phases=cast(Literal[1, 3], phases or 1), amps=amps), phases is not None


def _sides(text: str, order: str, expected: str) -> dict[str, int]:
    """Named or ordered lengths in millimetres: 1.2m x 2.2m, H210 W99 D137cm; the last unit holds for all."""
    matches = [match for match in _SIDE.finditer(text) if match.group(2)]
    if len(matches) != len(order):
        raise Wrong(f"not {len(order)} lengths: {shown(text)}", expected)
    last = matches[-1].group(3)
    found: dict[str, int] = {}
    for position, match in enumerate(matches):
        unit = match.group(3) or last
        if unit is None:
            raise Wrong(f"no unit: {shown(text)}", expected)
        length = Decimal(match.group(2)) * _LENGTH[unit]
        if not _SMALLEST_MM <= length <= _LARGEST_MM:
            raise Wrong(f"out of range: {shown(text)}", expected)
        found[_SIDES[match.group(1)] if match.group(1) else order[position]] = int(length)
    if set(found) != set(order):
        raise Wrong(f"which is which? {shown(text)}", expected)
    return found


def _door(raw: Any) -> tuple[int, int]:
    if not isinstance(raw, str):
        raise Wrong(f"not a width and height: {shown(raw)}", _DOOR)
    sides = _sides(folded(raw), "wh", _DOOR)
    return sides["w"], sides["h"]


def _lift(raw: Any) -> tuple[Decimal | None, tuple[int, int, int] | None]:
    """What a lift carries, and the size of its cabin (width, depth, height); either may be missing."""
    if not isinstance(raw, str) or raw.strip().isdigit():
        return read_quantity(raw, q.KILOGRAMS).value, None
    text = folded(raw)
    match = re.search(r"(?<![\d.])\d+(?:,\d{3})*(?:\.\d+)?\s*(?:kg|公斤|千克|吨|t(?![a-z]))", text)
    load = read_quantity(match.group(0), q.KILOGRAMS).value if match else None
    rest = text.replace(match.group(0), " ") if match else text
    if not re.search(r"\d", rest):
        if load is None:
            raise Wrong(f"not a lift: {shown(raw)}", _LIFT)
        return load, None
    sides = _sides(rest, "wdh", _LIFT)
    return load, (sides["w"], sides["d"], sides["h"])


def _accept(table: Table) -> tuple[str, ...]:
    """Ids of accepted remedies; the catalogue's list, where there is one, says which exist."""
    rule = table.notes.catalog.rules.get("remedies")

    def remedy(word: str) -> str:
        name = "all" if key_of(word) in ("all", "全部", "都接受") else word.strip().casefold().replace("-", "_")
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
            raise Wrong(f"not a remedy: {shown(word)}", '"all" or ids such as "spread_racks"')
        if rule is not None and name != "all" and name not in rule.values:
            raise Wrong(
                f"unknown remedy: {shown(word)}", f"all or one of {', '.join(rule.values)}", nearest(name, rule.values)
            )
        return name

    return table.list("accept", remedy)
