"""The room worked out once: racks packed, every rack and the whole room checked."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from quoting.figure import Figure, Ledger
from quoting.parts import Platform
from quoting.records import Check
from quoting.rows import Catalog
from quoting.stages.site.air import write_air
from quoting.stages.site.circuits import write_circuits
from quoting.stages.site.devices import Device
from quoting.stages.site.load import SUM, Load, load_of
from quoting.stages.site.packing import Contents, pack
from quoting.stages.site.rack_checks import rack_checks
from quoting.stages.site.room import Room
from quoting.stages.site.room_checks import Totals, needs, room_checks
from quoting.stages.site.verdict import worst

TIMES = "count * each"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A room with its racks. ``loads`` has one entry for each kind of rack."""

    room: Room
    racks: tuple[Contents, ...]
    loads: dict[Contents, Load]
    totals: Totals
    checks: tuple[Check, ...]
    figures: tuple[Figure, ...]


def lay_out(
    equipment: tuple[Device, ...],
    room: Room,
    platform: Platform,
    catalog: Catalog,
    known: tuple[Figure, ...] = (),
) -> Layout:
    """Pack the equipment into the room and judge it."""
    packing = pack(equipment, room, catalog, lambda contents: _failures(contents, room, catalog))
    ledger, first = Ledger(known), _first_of_kind(packing.racks)
    loads = {contents: load_of(id, contents, room, catalog, ledger) for contents, id in first.items()}
    totals = _totals(packing.racks, loads, catalog, ledger)
    write_circuits(loads.values(), room, catalog, ledger)
    write_air(totals.heat_kw, room, platform, catalog, ledger)
    checks = worst(check for load in loads.values() for check in rack_checks(load, room, catalog))
    whole = room_checks(totals, room, platform, catalog, ledger)
    return Layout(
        room=room,
        racks=packing.racks,
        loads=loads,
        totals=totals,
        checks=worst((*checks, *whole)),
        figures=ledger.figures(),
    )


def _failures(contents: Contents, room: Room, catalog: Catalog) -> frozenset[str]:
    load = load_of("R00", contents, room, catalog, Ledger())
    return frozenset(check.id for check in rack_checks(load, room, catalog) if check.status == "fail")


def _first_of_kind(racks: tuple[Contents, ...]) -> dict[Contents, str]:
    first: dict[Contents, str] = {}
    for number, contents in enumerate(racks, start=1):
        first.setdefault(contents, rack_id(number))
    return first


def rack_id(number: int) -> str:
    """R01, R02 ..."""
    return f"R{number:02d}"


def _totals(racks: tuple[Contents, ...], loads: dict[Contents, Load], catalog: Catalog, ledger: Ledger) -> Totals:
    counts: dict[Contents, int] = {}
    for contents in racks:
        counts[contents] = counts.get(contents, 0) + 1
    kinds = [(loads[contents], count) for contents, count in counts.items()]
    for load, count in kinds:
        ledger.rule(load.figure("racks"), Decimal(count), "rack", "site.packing", "fewest_failures")
    power, heat, weight = (_total(ledger, kinds, name) for name in ("power_kw", "heat_kw", "weight_kg"))
    ups, cooling, pue = needs(power, heat, catalog, ledger)
    return Totals(
        racks=len(racks), power_kw=power, heat_kw=heat, weight_kg=weight, cooling_kw=cooling, ups_kva=ups, pue=pue
    )


def _total(ledger: Ledger, kinds: list[tuple[Load, int]], name: str) -> Decimal | None:
    if any(getattr(load, name) is None for load, _ in kinds):
        return None
    unit, parts = "kg" if name == "weight_kg" else "kW", []
    for load, _ in kinds:
        figure = load.figure(f"all_{name}")
        ledger.formula(figure, unit, TIMES, count=load.figure("racks"), each=load.figure(name))
        parts.append(figure)
    return ledger.formula(f"site.{name}", unit, SUM, parts=tuple(parts))
