"""The racks as rows of a sheet: each rack with its totals, under it what stands in it, from the top."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from quoting.documents.customer_plan import Box, Rack


@dataclass(frozen=True, slots=True, kw_only=True)
class RackRow:
    """A rack, or a piece of equipment inside one; what the other kind has is None."""

    rack: str
    name: str
    label: str = ""
    bottom: int | None = None
    units: int | None = None
    power_kw: Decimal | None = None
    weight_kg: Decimal | None = None
    capacity: int | None = None
    used: int | None = None
    rack_kw: Decimal | None = None
    rack_heat_kw: Decimal | None = None
    rack_kg: Decimal | None = None
    pdus: int | None = None
    c13: int | None = None
    c19: int | None = None
    whole: bool = False  # a rack
    inside: bool = False  # equipment


def rack_rows(racks: Iterable[Rack]) -> list[RackRow]:
    """Every rack followed by its equipment."""
    return [row for rack in racks for row in (_rack(rack), *_equipment(rack))]


def _rack(rack: Rack) -> RackRow:
    return RackRow(
        rack=rack.id,
        name=rack.name,
        capacity=rack.units,
        used=rack.units_used,
        rack_kw=rack.power_kw,
        rack_heat_kw=rack.heat_kw,
        rack_kg=rack.weight_kg,
        pdus=rack.pdus,
        c13=rack.outlets_c13,
        c19=rack.outlets_c19,
        whole=True,
    )


def _equipment(rack: Rack) -> Iterator[RackRow]:
    for box in reversed(rack.boxes):
        yield _box(rack.id, box)


def _box(rack: str, box: Box) -> RackRow:
    return RackRow(
        rack=rack,
        name=box.name,
        label=box.label,
        bottom=box.bottom if box.units else None,
        units=box.units or None,  # of unknown height
        power_kw=box.power_kw,
        weight_kg=box.weight_kg,
        inside=True,
    )
