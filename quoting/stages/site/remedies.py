"""Changes that would cure what fails: each is a better room, and what it costs to make it so.

A remedy is offered when the room with it, packed and checked again, no longer fails a check that failed before; so an
accepted one cures by construction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from math import ceil

from quoting.kinds import Arguments
from quoting.parts import Cooler, Platform, Ups
from quoting.records import Item
from quoting.requirement import Circuit
from quoting.rows import Catalog
from quoting.stages.leaves import rule_number
from quoting.stages.site.layout import Layout
from quoting.stages.site.power import next_size
from quoting.stages.site.room import Room, amps_kw, best_sides, pdus, with_feeds
from quoting.stages.site.room_checks import runtime_target

SCOPE = "remedy"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One remedy applied: the room after it and the items it takes beside those the new packing brings."""

    id: str
    room: Room
    items: tuple[Item, ...] = ()
    arguments: Arguments = ()


Proposer = Callable[[Layout, Platform, Catalog], Change | None]


def proposals(layout: Layout, platform: Platform, catalog: Catalog) -> tuple[Change, ...]:
    """Every change worth trying on this room, the cheapest kind first."""
    weak = {check.id for check in layout.checks if check.status in ("fail", "warn")}
    made = (propose(layout, platform, catalog) for propose, targets in PROPOSERS if targets & weak)
    return tuple(change for change in made if change is not None)


def _item(catalog: Catalog, role: str, quantity: int, group: str, why: str) -> tuple[Item, ...]:
    sku = catalog.terms.recipes.get(role, "")
    if sku not in catalog.parts or quantity < 1:
        return ()
    return (Item(sku=sku, quantity=quantity, group=group, why=f"remedy.{why}", scope=SCOPE),)


def _with(room: Room, **changes: object) -> Room:
    return replace(room, need=replace(room.need, **changes))  # type: ignore[arg-type]


def _spread_racks(layout: Layout, platform: Platform, catalog: Catalog) -> Change | None:
    if layout.room.racks is None:
        return None
    return Change(id="spread_racks", room=replace(layout.room, racks=None))


def _supply_temperature(layout: Layout, platform: Platform, catalog: Catalog) -> Change | None:
    if layout.room.need.supply_temperature_c is None:
        return None
    celsius = rule_number(catalog, "inlet_temperature", "set")
    room = _with(layout.room, supply_temperature_c=celsius)
    return Change(id="supply_temperature", room=room, arguments=(("celsius", celsius),))


def _third_feed(layout: Layout, platform: Platform, catalog: Catalog) -> Change | None:
    if layout.room.sides != 2 or best_sides(platform) != 3:
        return None
    room = with_feeds(replace(layout.room, sides=3), catalog)
    return Change(id="third_feed", room=room, items=_circuits(layout, catalog, len(layout.racks)))


def _second_feed(layout: Layout, platform: Platform, catalog: Catalog) -> Change | None:
    if layout.room.need.feeds != "N":
        return None
    sides = best_sides(platform)
    room = with_feeds(replace(_with(layout.room, feeds="2N"), sides=max(2, sides)), catalog)
    return Change(id="second_feed", room=room, items=_circuits(layout, catalog, len(layout.racks) * (room.sides - 1)))


def _room_circuit(layout: Layout, platform: Platform, catalog: Catalog) -> Change | None:
    """Feeds for the rack as packed: the smallest circuit that carries it alone, several where none does."""
    loads = [load.power_kw for load in layout.loads.values()]
    if None in loads or not loads:
        return None
    room = layout.room
    node = max((kw for kw in loads if kw is not None), default=Decimal(0))
    share = rule_number(catalog, "circuit_80pct", "warn")
    known = [(pdu, amps_kw(pdu.phases, Decimal(pdu.amps), catalog) * share) for pdu in pdus(catalog)]
    if not known:
        return None
    pdu, each = next((pair for pair in known if pair[1] >= node), known[-1])
    circuits = max(1, ceil(node / each))
    need = replace(room.need, circuit=Circuit(phases=pdu.phases, amps=Decimal(pdu.amps)), existing_amps=None)
    if need.rack_power_kw is not None:
        need = replace(need, rack_power_kw=max(need.rack_power_kw, Decimal(ceil(node))))
    better = with_feeds(replace(room, need=need, circuits=circuits), catalog)
    role = f"room_circuit_{pdu.phases}p{pdu.amps}a"
    count = len(layout.racks) * room.sides * circuits
    arguments = (("phases", pdu.phases), ("amps", pdu.amps), ("feeds", count), ("power", node))
    items = _item(catalog, role, count, "power", "room_circuit")
    return Change(id="room_circuit", room=better, items=items, arguments=arguments)


def _circuits(layout: Layout, catalog: Catalog, count: int) -> tuple[Item, ...]:
    pdu = next((load.pdu for load in layout.loads.values() if load.pdu), None)
    role = f"room_circuit_{pdu.phases}p{pdu.amps}a" if pdu else "room_circuit"
    return _item(catalog, role, count * layout.room.circuits, "power", "room_circuit")


def _add_ups(layout: Layout, platform: Platform, catalog: Catalog) -> Change | None:
    need = layout.room.need
    if layout.totals.ups_kva is None or (need.ups_kva is None and need.ups_minutes is None):
        return None
    target = runtime_target(layout.room, catalog)
    items = tuple(replace(item, scope=SCOPE, why=f"remedy.{item.why}") for item in ups_items(layout, catalog))
    if not items:
        return None
    part = catalog.parts[items[0].sku]
    kva = part.kva * items[0].quantity if isinstance(part, Ups) else Decimal(0)
    room = _with(layout.room, ups_kva=kva, ups_load_kw=Decimal(0), ups_minutes=max(target, need.ups_minutes or target))
    return Change(id="add_ups", room=room, items=items, arguments=(("kva", kva), ("minutes", target)))


def ups_items(layout: Layout, catalog: Catalog) -> tuple[Item, ...]:
    """The smallest UPS that carries the room, several of the largest where none does, with batteries."""
    need, recipes = layout.totals.ups_kva, catalog.terms.recipes
    roles = [role for role in recipes if role.startswith("ups_") and role.removeprefix("ups_").isdigit()]
    sizes = sorted(int(role.removeprefix("ups_")) for role in roles)
    if need is None or not sizes:
        return ()
    size = next((size for size in sizes if size >= need), sizes[-1])
    count = max(1, ceil(need / size))
    minutes = int(runtime_target(layout.room, catalog))
    wanted = ((f"ups_{size}", "ups"), (f"battery_{size}_{minutes}", "battery"))
    arguments = (("need", need), ("minutes", minutes))
    return tuple(
        Item(sku=recipes[role], quantity=count, group="power", why=scope, arguments=arguments, scope=scope)
        for role, scope in wanted
        if recipes.get(role) in catalog.parts
    )


def _add_cooling(layout: Layout, platform: Platform, catalog: Catalog) -> Change | None:
    need, cooling = layout.totals.cooling_kw, layout.room.need.cooling_kw
    unit = catalog.parts.get(catalog.terms.recipes.get("cooler_inrow", ""))
    known = cooling is not None or layout.room.need.cooling_redundancy is not None
    if need is None or not known or not isinstance(unit, Cooler):
        return None
    count = max(0, ceil((need - (cooling or Decimal(0))) / unit.cooling_kw)) + 1
    given = (cooling or Decimal(0)) + unit.cooling_kw * (count - 1)
    room = _with(layout.room, cooling_kw=given if cooling is not None else None, cooling_redundancy="N+1")
    arguments = (("units", count), ("each", unit.cooling_kw))
    items = _item(catalog, "cooler_inrow", count, "cooling", "add_cooling")
    return Change(id="add_cooling", room=room, items=items, arguments=arguments)


def _add_cdu(layout: Layout, platform: Platform, catalog: Catalog) -> Change | None:
    unit = catalog.parts.get(catalog.terms.recipes.get("cdu", ""))
    heat = layout.totals.heat_kw
    if (
        layout.room.need.liquid_ready is not False
        or not platform.liquid
        or heat is None
        or not isinstance(unit, Cooler)
    ):
        return None
    items = _item(catalog, "cdu", ceil(heat / unit.cooling_kw) + 1, "cooling", "add_cdu")
    works = _item(catalog, "room_water", 1, "cooling", "add_cdu")
    return Change(id="add_cdu", room=_with(layout.room, liquid_ready=True), items=(*items, *works))


def _transformer(layout: Layout, platform: Platform, catalog: Catalog) -> Change | None:
    need, power = layout.room.need, layout.totals.power_kw
    if need.transformer_kva is None or power is None or layout.totals.pue is None:
        return None
    factor, share = rule_number(catalog, "site.power", "power_factor"), rule_number(catalog, "transformer", "warn")
    wanted = (power * layout.totals.pue / factor + (need.transformer_load_kva or Decimal(0))) / share
    sizes = [Decimal(size) for size in str(catalog.rules["transformer"].values["sizes"]).split(",")]
    size = next_size(wanted, sizes)
    if size is None:
        return None
    items = _item(catalog, "transformer", 1, "power", "transformer")
    return Change(
        id="transformer", room=_with(layout.room, transformer_kva=size), items=items, arguments=(("kva", size),)
    )


def _spreader_frame(layout: Layout, platform: Platform, catalog: Catalog) -> Change | None:
    if layout.room.need.spreader_frame:
        return None
    items = _item(catalog, "spreader_frame", len(layout.racks), "rack", "spreader_frame")
    return Change(id="spreader_frame", room=_with(layout.room, spreader_frame=True), items=items)


def _disassembled(layout: Layout, platform: Platform, catalog: Catalog) -> Change | None:
    if layout.room.need.door_mm is None and layout.room.need.lift_mm is None:
        return None
    items = _item(catalog, "install", len(layout.racks), "service", "disassembled_delivery")
    return Change(id="disassembled_delivery", room=replace(layout.room, disassembled=True), items=items)


# What each can cure, so that only those worth a second packing are tried.
PROPOSERS: tuple[tuple[Proposer, frozenset[str]], ...] = (
    (_supply_temperature, frozenset({"inlet_temperature"})),
    (
        _spread_racks,
        frozenset({"rack_units", "rack_power", "circuit_80pct", "phase_balance", "pdu_outlets", "liquid_cooling"})
        | frozenset({"floor_load", "floor_point_load", "redundancy_failover", "rack_load"}),
    ),
    (_room_circuit, frozenset({"rack_power", "circuit_80pct", "phase_balance", "pdu_outlets", "redundancy_failover"})),
    (_third_feed, frozenset({"redundancy_failover", "pdu_outlets"})),
    (_second_feed, frozenset({"redundancy_failover", "pdu_outlets"})),
    (_spreader_frame, frozenset({"floor_load", "floor_point_load"})),
    (_disassembled, frozenset({"delivery_route"})),
    (_add_ups, frozenset({"ups_capacity", "ups_runtime"})),
    (_add_cooling, frozenset({"cooling_capacity", "cooling_redundancy"})),
    (_add_cdu, frozenset({"liquid_cooling"})),
    (_transformer, frozenset({"transformer"})),
)
