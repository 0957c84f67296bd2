"""One kind of rack, worked out: what it draws, gives off, weighs and is fed with, each with its proof."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from quoting.figure import Ledger
from quoting.parts import Pdu
from quoting.rows import Catalog
from quoting.stages.leaves import form_leaf, part_leaf, rule_leaf
from quoting.stages.site.devices import Device
from quoting.stages.site.floor import FOOTPRINT, POINT, TRIBUTARY, WEIGHT
from quoting.stages.site.packing import Contents, heat_of, outlets_of, power_of, units_of, weight_of
from quoting.stages.site.room import Room, pdu_for

KILOWATTS = "count * watts / 1000"
STATED = "count * kw"
KILOGRAMS = "count * each"
SUM = "sum(parts)"
METRES = "mm / 1000"
CONTENTS = "equipment + accessories"
RATED = "static / margin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """A rack of one kind; ``id`` is the first of its kind. None is unknown."""

    id: str
    contents: Contents
    units: int | None
    power_kw: Decimal | None
    heat_kw: Decimal | None
    weight_kg: Decimal | None  # loaded
    contents_kg: Decimal | None  # without the rack itself
    rated_kg: Decimal | None  # contents its static rating allows, with the margin
    footprint_kg_m2: Decimal | None
    tributary_kg_m2: Decimal | None
    foot_kg: Decimal | None
    c13: int
    c19: int
    pdu: Pdu | None
    pdus_per_side: int

    def figure(self, name: str) -> str:
        """Id of one of this rack's figures."""
        return f"site.{self.id}.{name}"


def load_of(id: str, contents: Contents, room: Room, catalog: Catalog, ledger: Ledger) -> Load:
    """Work out a rack and write every number of it down."""
    power = _sum(ledger, id, "power_kw", contents, power_of(contents))
    heat = _sum(ledger, id, "heat_kw", contents, heat_of(contents))
    weight = _weight(ledger, id, contents, room, catalog)
    floor = _floor(ledger, id, room, catalog) if weight is not None else (None, None, None)
    c13, c19 = outlets_of(contents, "C13"), outlets_of(contents, "C19")
    pdu, count = pdu_for(room, power, -(-c13 // room.sides), -(-c19 // room.sides), catalog)
    return Load(
        id=id,
        contents=contents,
        units=units_of(contents),
        power_kw=power,
        heat_kw=heat,
        weight_kg=weight,
        contents_kg=_contents(ledger, id, catalog) if weight is not None else None,
        rated_kg=_rated(ledger, room, catalog),
        footprint_kg_m2=floor[0],
        tributary_kg_m2=floor[1],
        foot_kg=floor[2],
        c13=c13,
        c19=c19,
        pdu=pdu,
        pdus_per_side=count,
    )


def _count(ledger: Ledger, id: str, device: Device, count: int) -> str:
    name = f"site.{id}.{device.part.sku}.count"
    ledger.rule(name, Decimal(count), "piece", "site.packing", "fewest_failures")
    return name


def _sum(ledger: Ledger, id: str, name: str, contents: Contents, known: Decimal | None) -> Decimal | None:
    if known is None:
        return None
    parts = tuple(_one(ledger, id, name, device, count) for device, count in contents)
    return ledger.formula(f"site.{id}.{name}", "kW", SUM, parts=parts)


def _one(ledger: Ledger, id: str, name: str, device: Device, count: int) -> str:
    figure, number = f"site.{id}.{device.part.sku}.{name}", _count(ledger, id, device, count)
    if device.stated_kw and device.power_kw is not None:
        stated = form_leaf(ledger, "hardware.power", device.power_kw, "kW")
        ledger.formula(figure, "kW", STATED, count=number, kw=stated)
        return figure
    field = "heat_w" if name == "heat_kw" and getattr(device.part, "heat_w", None) is not None else "power_w"
    ledger.formula(figure, "kW", KILOWATTS, count=number, watts=part_leaf(ledger, device.part, field, "W"))
    return figure


def _weight(ledger: Ledger, id: str, contents: Contents, room: Room, catalog: Catalog) -> Decimal | None:
    if weight_of(contents) is None:
        return None
    parts = []
    for device, count in contents:
        name = f"site.{id}.{device.part.sku}.weight_kg"
        each = part_leaf(ledger, device.part, "weight_kg", "kg")
        ledger.formula(name, "kg", KILOGRAMS, count=_count(ledger, id, device, count), each=each)
        parts.append(name)
    ledger.formula(f"site.{id}.equipment_kg", "kg", SUM, parts=tuple(parts))
    known = room.rack.weight_kg is not None
    empty = part_leaf(ledger, room.rack, "weight_kg", "kg") if known else _default(ledger, catalog, "rack_kg")
    accessories = _default(ledger, catalog, "accessories_kg")
    inputs = {"empty": empty, "equipment": f"site.{id}.equipment_kg", "accessories": accessories}
    return ledger.formula(f"site.{id}.weight_kg", "kg", WEIGHT, **inputs)


def _contents(ledger: Ledger, id: str, catalog: Catalog) -> Decimal:
    inputs = {"equipment": f"site.{id}.equipment_kg", "accessories": _default(ledger, catalog, "accessories_kg")}
    return ledger.formula(f"site.{id}.contents_kg", "kg", CONTENTS, **inputs)


def _rated(ledger: Ledger, room: Room, catalog: Catalog) -> Decimal | None:
    if room.rack.static_kg is None:
        return None
    static, margin = (
        part_leaf(ledger, room.rack, "static_kg", "kg"),
        rule_leaf(ledger, catalog, "rack_load", "static_margin"),
    )
    return ledger.formula("site.rack.rated_kg", "kg", RATED, static=static, margin=margin)


def _default(ledger: Ledger, catalog: Catalog, key: str) -> str:
    return rule_leaf(ledger, catalog, "site.packing", key)


def _floor(ledger: Ledger, id: str, room: Room, catalog: Catalog) -> tuple[Decimal, Decimal, Decimal]:
    weight = f"site.{id}.weight_kg"
    for side in ("width", "depth"):
        mm = part_leaf(ledger, room.rack, f"{side}_mm", "mm")
        ledger.formula(f"site.rack.{side}_m", "m", METRES, mm=mm)
    area = {"width": "site.rack.width_m", "depth": "site.rack.depth_m"}
    foot = ledger.formula(f"site.{id}.footprint_kg_m2", "kg/m²", FOOTPRINT, weight=weight, **area)
    aisle = rule_leaf(ledger, catalog, "floor_load", "aisle_m")
    around = ledger.formula(f"site.{id}.tributary_kg_m2", "kg/m²", TRIBUTARY, weight=weight, aisle=aisle, **area)
    feet = rule_leaf(ledger, catalog, "floor_point_load", "feet")
    return foot, around, ledger.formula(f"site.{id}.foot_kg", "kg", POINT, weight=weight, feet=feet)
