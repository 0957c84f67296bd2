"""What the room adds to the bill: racks, PDUs, cords, panels, and the options beside the total."""

from __future__ import annotations

from collections import Counter
from math import ceil

from quoting.kinds import Arguments
from quoting.parts import Cooler
from quoting.records import Item, Network
from quoting.requirement import Scope
from quoting.rows import Catalog
from quoting.stages.site.layout import Layout
from quoting.stages.site.power import pdu_count
from quoting.stages.site.remedies import ups_items


def rack_lines(layout: Layout, catalog: Catalog) -> tuple[Item, ...]:
    """Racks, their PDUs, cords for every supply, blanking panels, and the work of putting it all in."""
    room, counts = layout.room, Counter(layout.racks)
    loads = [(layout.loads[contents], count) for contents, count in counts.items()]
    pdus: Counter[str] = Counter()
    for load, count in loads:
        if load.pdu is not None:
            pdus[load.pdu.sku] += pdu_count(count, load.pdus_per_side, room.sides)
    free = sum(max(0, room.units - (load.units or room.units)) * count for load, count in loads)
    racks = len(layout.racks)
    return (
        *_line(room.rack.sku, racks, "rack", "rack", "rack.packed", (("nodes", _nodes(layout)),)),
        *(
            line
            for sku, count in sorted(pdus.items())
            for line in _line(sku, count, "power", "pdu", "pdu.sides", (("sides", room.sides), ("racks", racks)))
        ),
        *_role(catalog, "cord_c13", sum(load.c13 * count for load, count in loads), "power", "pdu", "cord"),
        *_role(catalog, "cord_c19", sum(load.c19 * count for load, count in loads), "power", "pdu", "cord"),
        *_role(catalog, "blanking_panel", free, "rack", "rack", "panel.free"),
        *_role(catalog, "install", racks, "service", "deployment", "install"),
    )


def _nodes(layout: Layout) -> int:
    return sum(count for contents in layout.racks for device, count in contents if device.node)


def _line(sku: str, quantity: int, group: str, scope: str, why: str, arguments: Arguments = ()) -> tuple[Item, ...]:
    if quantity < 1:
        return ()
    return (Item(sku=sku, quantity=quantity, group=group, why=why, arguments=arguments, scope=scope),)


def _role(
    catalog: Catalog, role: str, quantity: int, group: str, scope: str, why: str, arguments: Arguments = ()
) -> tuple[Item, ...]:
    sku = catalog.terms.recipes.get(role, "")
    return _line(sku, quantity, group, scope, why, arguments) if sku in catalog.parts else ()


def joining_lines(networks: tuple[Network, ...], pdus: int, catalog: Catalog) -> tuple[Item, ...]:
    """Cables from the ports of one node's plan to the customer's own switches, those of ``pdus`` PDUs among them."""
    found: list[Item] = []
    for network in networks:
        if network.id == "inband":
            copper: Counter[str] = Counter()
            for one in network.ends:
                copper[f"dac_{one.gbps}g_3"] += one.links
            found += [
                line
                for role, count in copper.items()
                for line in _role(catalog, role, count, "cabling", "cabling", "cable.uplink")
            ]
        elif network.id == "outofband":
            count = network.node_links - network.ends_at("pdu") + pdus
            found += _role(catalog, "cat6", count, "cabling", "cabling", "cable.management")
    return tuple(found)


def desk_lines(nodes: int, catalog: Catalog) -> tuple[Item, ...]:
    """Copper of workstations: one for work and one for management."""
    return _role(catalog, "cat6", 2 * nodes, "cabling", "cabling", "cable.management")


def option_lines(layout: Layout, scope: Scope, catalog: Catalog) -> tuple[Item, ...]:
    """UPS with batteries, cooling, circuits: outside the scope unless the form takes them in.

    What the room has, by the form, is not offered again: where it does not suffice, a remedy says so.
    """
    need = layout.room.need
    there = {
        "ups": need.ups_kva is not None or need.ups_minutes is not None,
        "battery": need.ups_kva is not None or need.ups_minutes is not None or "ups" in scope.reuse,
        "cooling": need.cooling_kw is not None or need.cooling_redundancy is not None,
        "room_works": need.circuit is not None,
    }
    lines = (*ups_items(layout, catalog), *_cooling_lines(layout, catalog), *_circuit_lines(layout, catalog))
    left_out = {token for token, has in there.items() if has or token in scope.reuse}
    return tuple(line for line in lines if line.scope in scope.include or line.scope not in left_out)


def _cooling_lines(layout: Layout, catalog: Catalog) -> tuple[Item, ...]:
    """In-row units that carry the whole room, and one more."""
    totals = layout.totals
    unit = catalog.parts.get(catalog.terms.recipes.get("cooler_inrow", ""))
    if totals.cooling_kw is None or not isinstance(unit, Cooler):
        return ()
    count = ceil(totals.cooling_kw / unit.cooling_kw) + 1
    arguments: Arguments = (("need", totals.cooling_kw), ("each", unit.cooling_kw))
    return _line(unit.sku, count, "cooling", "cooling", "cooling.spare_unit", arguments)


def _circuit_lines(layout: Layout, catalog: Catalog) -> tuple[Item, ...]:
    works: Counter[str] = Counter()
    for contents, count in Counter(layout.racks).items():
        load = layout.loads[contents]
        if load.pdu is not None:
            role = f"room_circuit_{load.pdu.phases}p{load.pdu.amps}a"
            works[role] += pdu_count(count, load.pdus_per_side, layout.room.sides)
    return tuple(
        line
        for role, count in sorted(works.items())
        for line in _role(catalog, role, count, "power", "room_works", "circuit.each")
    )
