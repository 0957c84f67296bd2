"""The racks as drawn: nodes from the bottom, switches from the top."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from quoting.records import Placed, RackPlan
from quoting.stages.site.devices import Device
from quoting.stages.site.layout import Layout, rack_id
from quoting.stages.site.packing import Contents
from quoting.stages.site.power import pdu_count


def rack_plans(layout: Layout) -> tuple[RackPlan, ...]:
    """Every rack with its equipment in place; labels count through the room."""
    used: Counter[str] = Counter()
    return tuple(
        _plan(rack_id(number), contents, layout, used) for number, contents in enumerate(layout.racks, start=1)
    )


def units_used(racks: Iterable[RackPlan]) -> int | None:
    """Rack units the equipment of all racks takes; None when those of one are unknown."""
    used = [rack.units_used for rack in racks]
    return None if None in used else sum(count for count in used if count is not None)


def pdus_of(layout: Layout) -> tuple[int, ...]:
    """PDUs of every rack."""
    sides = layout.room.sides
    return tuple(pdu_count(1, layout.loads[contents].pdus_per_side, sides) for contents in layout.racks)


def _plan(id: str, contents: Contents, layout: Layout, used: Counter[str]) -> RackPlan:
    load, room = layout.loads[contents], layout.room
    return RackPlan(
        id=id,
        sku=room.rack.sku,
        units=room.units,
        placed=_placed(contents, room.units, used),
        power_kw=load.power_kw,
        heat_kw=load.heat_kw,
        weight_kg=load.weight_kg,
        feeds_per_side=load.pdus_per_side,
        pdus=pdu_count(1, load.pdus_per_side, room.sides),
        outlets_c13=load.c13,
        outlets_c19=load.c19,
        units_used=load.units,
    )


def _placed(contents: Contents, units: int, used: Counter[str]) -> tuple[Placed, ...]:
    placed: list[Placed] = []
    low, high = 1, units + 1
    for device, count in contents:
        tall = device.units or 0
        for _ in range(count):
            if device.label.startswith("SW"):
                high -= tall
                bottom = high
            else:
                bottom, low = low, low + tall
            placed.append(_one(device, bottom, tall, used))
    return tuple(sorted(placed, key=lambda one: one.bottom))


def _one(device: Device, bottom: int, tall: int, used: Counter[str]) -> Placed:
    """``used`` counts what stands already, by SKU and by label."""
    label = device.label_of(used[device.part.sku])
    used.update((device.part.sku, label))
    return Placed(
        sku=device.part.sku,
        label=f"{label}{used[label]:02d}" if device.node else f"{label}{used[label]}",
        bottom=bottom,
        units=tall,
        power_kw=device.power_kw,
        weight_kg=device.weight_kg,
    )
