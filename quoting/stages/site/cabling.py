"""Cables and plugs of every network, by length and by the body at each end, with spares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal

from quoting.parts import Cable, Nic, Optic, Part, Platform, Switch
from quoting.records import Check, Item, Network
from quoting.rows import Catalog
from quoting.stages.fabric import count_fabric, node_optic, spares, supported_radices, switch_optic
from quoting.stages.leaves import rule_number
from quoting.stages.site.packing import Contents
from quoting.stages.site.positions import Tray, by_length, spread, stand
from quoting.stages.site.verdict import made

_REACH = {"dac": "dac", "acc": "acc", "splitter": "dac_splitter"}


@dataclass(slots=True)
class Bundle:
    """Cables and plugs counted so far, and the longest link no part on sale covers; ``on_sale`` are the house's."""

    on_sale: tuple[Cable, ...]
    cables: Counter[str] = field(default_factory=Counter)
    plugs: Counter[str] = field(default_factory=Counter)
    longest: Decimal = Decimal(0)
    too_long: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """One end of a link: the socket there, and the plug that goes into it."""

    body: str
    optic: Optic | None
    shared: bool  # a switch's plug carries ``optic.ports`` links


def cable(
    racks: tuple[Contents, ...], networks: Iterable[Network], platform: Platform, tray: Tray, catalog: Catalog
) -> tuple[tuple[Item, ...], tuple[Check, ...]]:
    """Cables and plugs of the networks, and the check of their lengths."""
    bundle = Bundle(on_sale=cables_on_sale(catalog))
    nodes = stand(racks, platform.sku)
    for network in networks:
        if network.id == "compute":
            _compute(bundle, network, nodes, racks, platform, tray, catalog)
        elif network.id == "inband":
            _inband(bundle, network, nodes, racks, platform, tray, catalog)
    checks = (_length_check(bundle),) if bundle.longest else ()
    return (*_items(bundle, catalog), *_copper_management(racks, networks, tray, catalog)), checks


def _length_check(bundle: Bundle) -> Check:
    if bundle.too_long:
        return made("cable_length", "fail", bundle.too_long, None, "m")
    return made("cable_length", "pass", bundle.longest, None, "m")


# --------------------------------------------------------------------------- compute fabric


def _compute(
    bundle: Bundle,
    network: Network,
    nodes: list[int],
    racks: tuple[Contents, ...],
    platform: Platform,
    tray: Tray,
    catalog: Catalog,
) -> None:
    switch = catalog.parts[network.leaf_sku]
    if not isinstance(switch, Switch):
        return
    places = stand(racks, switch.sku)
    leaves, spines = places[: network.leaf], places[network.leaf : network.leaf + network.spine]
    cores = places[network.leaf + network.spine :]
    down = by_length(_rails(network, nodes, leaves, switch, catalog), tray)
    up = by_length(_between(network, leaves, spines, switch), tray) + by_length(
        spread(network.spine_core_links, spines, cores), tray
    )
    short = max([*down, *up], default=Decimal(0)) <= rule_number(catalog, "fabric.reach", "short")
    at_switch = End(body=switch.body, optic=switch_optic(catalog, switch, short), shared=True)
    node_plug = node_optic(catalog, platform, short)
    at_node = End(body=node_plug.body if node_plug else platform.rail_body, optic=node_plug, shared=False)
    twin = 0 < platform.rail_cages < platform.rails
    _run(bundle, down, at_switch, at_node, None if twin else network.gbps, catalog)
    _run(bundle, up, at_switch, at_switch, network.gbps, catalog)
    if twin and node_plug is not None:
        bundle.plugs[node_plug.sku] = network.nodes * platform.rail_cages


def _between(network: Network, leaves: list[int], spines: list[int], switch: Switch) -> Counter[tuple[int, int]]:
    """Links from leaves to spines; with three tiers those of a pod, as many leaves as half a switch has ports."""
    half = switch.ports * (switch.gbps // network.gbps) // 2
    pods = max(1, network.leaf // half) if network.shape == "three_tier" else 1
    return spread(network.leaf_spine_links, leaves, spines, pods)


def _rails(
    network: Network, nodes: list[int], leaves: list[int], switch: Switch, catalog: Catalog
) -> Counter[tuple[int, int]]:
    """Links between racks of nodes and racks of leaves: port i of every node goes to leaf i of its group."""
    radix = switch.ports * (switch.gbps // network.gbps)
    unit = count_fabric(network.nodes, network.ports_per_node, radix, supported_radices(catalog)).unit_nodes
    group_nodes = unit if network.shape == "star" else min(unit, radix // 2)
    groups = max(1, -(-len(nodes) // group_nodes))
    each = max(1, len(leaves) // groups)
    links: Counter[tuple[int, int]] = Counter()
    for group in range(groups):
        near = Counter(leaves[group * each : (group + 1) * each])
        members = Counter(nodes[group * group_nodes : (group + 1) * group_nodes])
        for rack, count in members.items():
            for leaf, switches in near.items():
                links[rack, leaf] += count * switches * network.ports_per_node // each
    return links


# --------------------------------------------------------------------------- in-band and management


def _inband(
    bundle: Bundle,
    network: Network,
    nodes: list[int],
    racks: tuple[Contents, ...],
    platform: Platform,
    tray: Tray,
    catalog: Catalog,
) -> None:
    switch = catalog.parts[network.leaf_sku]
    if not isinstance(switch, Switch) or not inband_gbps(platform, catalog):
        return
    places = stand(racks, switch.sku)
    each = max(1, -(-2 * len(nodes) // max(1, len(places))))
    links: Counter[tuple[int, int]] = Counter()
    for number, rack in enumerate(nodes):
        first = min(len(places) - 1, number // each * 2)
        for place in places[first : first + 2]:
            links[rack, place] += 1
    at_switch = End(body=switch.body, optic=switch_optic(catalog, switch), shared=True)
    # A faster cage of the same family takes the switch's slower plug.
    plug = catalog.parts.get(catalog.terms.recipes.get(f"optic_node_{switch.body}", ""))
    at_node = End(body=switch.body, optic=plug if isinstance(plug, Optic) else None, shared=False)
    _run(bundle, by_length(links, tray), at_switch, at_node, switch.gbps, catalog, "fabric.inband")


def _inband_card(platform: Platform, catalog: Catalog) -> Nic | None:
    parts = (catalog.parts.get(line.sku) for line in platform.recipe if line.role == "inband_nic")
    return next((part for part in parts if isinstance(part, Nic)), None)


def inband_gbps(platform: Platform, catalog: Catalog) -> int:
    """Speed of a node's in-band ports; 0 when its recipe names no card."""
    card = _inband_card(platform, catalog)
    return card.gbps if card else 0


def _copper_management(
    racks: tuple[Contents, ...], networks: Iterable[Network], tray: Tray, catalog: Catalog
) -> tuple[Item, ...]:
    """One copper cable for each managed end: short where its switch is in the rack, long elsewhere."""
    managed = next((network for network in networks if network.id == "outofband"), None)
    if managed is None:
        return ()
    home = set(stand(racks, managed.leaf_sku))
    count = sum(n for rack, contents in enumerate(racks) if rack in home for _, n in contents)
    near = min(count, managed.node_links)
    wanted = (("cat6_3", near), ("cat6_10", managed.node_links - near))
    return tuple(
        Item(sku=sku, quantity=quantity, group="cabling", why="cable.management", scope="cabling")
        for role, quantity in wanted
        if (sku := catalog.terms.recipes.get(role, "")) in catalog.parts and quantity
    )


# --------------------------------------------------------------------------- one kind of link


def _run(
    bundle: Bundle,
    lengths: Counter[Decimal],
    a: End,
    b: End,
    copper_gbps: int | None,
    catalog: Catalog,
    reach: str = "fabric.reach",
) -> None:
    """Count the cables and plugs of links of one kind; copper where a cable on sale reaches, fibre elsewhere."""
    on_fibre = 0
    for length, count in lengths.items():
        bundle.longest = max(bundle.longest, length)
        copper = _copper(length, a, b, copper_gbps, catalog, reach, bundle.on_sale)
        if copper is not None:
            bundle.cables[copper.sku] += -(-count // _links(copper))
            continue
        on_fibre += count
        fibre = _fibre(length, a.optic, bundle.on_sale)
        if fibre is None:
            bundle.too_long = max(bundle.too_long, length)
        else:
            bundle.cables[fibre.sku] += count
    for end in (a, b):
        if end.optic is not None and (end is a or copper_gbps is not None):
            each = end.optic.ports if end.shared else 1
            bundle.plugs[end.optic.sku] += -(-on_fibre // each)


def _links(part: Cable) -> int:
    """Links one copper cable carries: two from a twin-port cage."""
    return 2 if part.medium == "splitter" or part.body_a == "osfp_finned" else 1


def _copper(
    length: Decimal,
    a: End,
    b: End,
    gbps: int | None,
    catalog: Catalog,
    reach: str,
    on_sale: Iterable[Cable],
) -> Cable | None:
    if gbps is None:
        return None
    fit = [
        part
        for part in on_sale
        if part.medium in _REACH
        and (part.body_a, part.body_b) == (a.body, b.body)
        and part.gbps == gbps
        and length <= part.length_m <= _limit(part, catalog, reach)
    ]
    return min(fit, key=lambda part: part.length_m, default=None)


def _limit(part: Cable, catalog: Catalog, reach: str) -> Decimal:
    own = catalog.rules[reach].values
    key = _REACH[part.medium]
    if part.medium == "dac" and part.body_a != "osfp_finned" and reach == "fabric.reach":
        key = "dac_splitter"  # single-port copper goes as far as a splitter
    return Decimal(own[key]) if key in own else rule_number(catalog, "fabric.reach", key)


def _fibre(length: Decimal, optic: Optic | None, on_sale: Iterable[Cable]) -> Cable | None:
    if optic is None or length > optic.reach_m:
        return None
    fit = [
        part for part in on_sale if part.medium == "fibre" and part.body_a == optic.fibre and part.length_m >= length
    ]
    return min(fit, key=lambda part: part.length_m, default=None)


def cables_on_sale(catalog: Catalog) -> tuple[Cable, ...]:
    """The cables the house's terms name."""
    recipes: Iterable[Part | None] = (catalog.parts.get(sku) for sku in catalog.terms.recipes.values())
    return tuple(part for part in recipes if isinstance(part, Cable))


# --------------------------------------------------------------------------- lines


def _items(bundle: Bundle, catalog: Catalog) -> tuple[Item, ...]:
    share, extra = (rule_number(catalog, "fabric.spares", key) for key in ("share", "extra"))
    lines: list[Item] = []
    for why, counter in (("plug", bundle.plugs), ("cable", bundle.cables)):
        for sku, count in sorted(counter.items()):
            if not count:
                continue
            lines.append(Item(sku=sku, quantity=count, group="cabling", why=f"{why}.links", scope="cabling"))
            more = spares(count, share, int(extra))
            arguments = (("share", share), ("extra", extra), ("used", count))
            spare = Item(sku=sku, quantity=more, group="spares", why="spares", arguments=arguments, scope="spares")
            lines.append(spare)
    return tuple(lines)
