"""Cables and plugs of every network, by length and by the body at each end, with spares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from itertools import takewhile

from quoting.parts import Optic, Platform, Switch
from quoting.records import Check, Item, Network
from quoting.rows import Catalog
from quoting.stages.fabric import count_fabric, full_unit, node_optic, supported_radices, switch_optic
from quoting.stages.leaves import rule_number
from quoting.stages.site.inband_links import (
    BODIES,
    inband_links,
    management_cables,
    outofband_uplinks,
    plugged,
)
from quoting.stages.site.links import Bundle, End, cables_on_sale, link_items, option_items, run_links
from quoting.stages.site.packing import Contents
from quoting.stages.site.positions import Tray, by_length, of_category, spread, stand
from quoting.stages.site.verdict import made


def cable(
    racks: tuple[Contents, ...],
    networks: tuple[Network, ...],
    platform: Platform,
    pdus: tuple[int, ...],
    tray: Tray,
    catalog: Catalog,
) -> tuple[tuple[Item, ...], tuple[Check, ...]]:
    """Cables and plugs of the networks, and the check of their lengths; ``pdus`` are those of each rack."""
    bundle = Bundle(on_sale=cables_on_sale(catalog))
    nodes = stand(racks, platform.sku)
    firsts = {network.id: first_of(network, networks) for network in networks}
    by_id = {network.id: network for network in networks}
    management: tuple[Item, ...] = ()
    for network in networks:
        first = firsts[network.id]
        if network.id == "compute":
            _compute(bundle, network, nodes, racks, platform, tray, catalog)
        elif network.id == "storage":
            _storage(bundle, network, racks, platform, first, tray, catalog)
        elif network.id == "inband":
            inband_links(bundle, network, racks, nodes, first, tray, catalog)
        else:
            above = by_id.get("inband")
            outofband_uplinks(bundle, network, above, racks, (first, firsts.get("inband", 0)), tray, catalog)
            management = management_cables(bundle, network, racks, pdus, first, tray, catalog)
    checks = (_length_check(bundle),) if bundle.longest else ()
    return (*link_items(bundle, catalog), *bundle.full_unit, *management), checks


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
    cores = places[network.leaf + network.spine :][: network.core]
    down = by_length(_rails(network, nodes, leaves, switch, catalog), tray)
    up = by_length(_between(network, leaves, spines, switch), tray) + by_length(
        spread(network.spine_core_links, spines, cores), tray
    )
    short = max([*down, *up], default=Decimal(0)) <= rule_number(catalog, "fabric.reach", "short")
    at_switch = End(body=switch.body, optic=switch_optic(catalog, switch, short), shared=True)
    node_plug = node_optic(catalog, platform, short)
    at_node = End(body=node_plug.body if node_plug else platform.rail_body, optic=node_plug, shared=False)
    twin = 0 < platform.rail_cages < platform.rails
    run_links(bundle, down, at_switch, at_node, None if twin else network.gbps, catalog)
    run_links(bundle, up, at_switch, at_switch, network.gbps, catalog)
    _full_unit(bundle, network, switch, max(up, default=Decimal(0)), at_switch, catalog)
    if twin and node_plug is not None:
        bundle.plugs[node_plug.sku] = network.nodes * platform.rail_cages


def _full_unit(bundle: Bundle, network: Network, switch: Switch, length: Decimal, end: End, catalog: Catalog) -> None:
    """Links that complete the last unit, as options, each as long as the longest of the network between switches."""
    radix = switch.ports * (switch.gbps // network.gbps)
    whole = full_unit(network.nodes, network.ports_per_node, radix, supported_radices(catalog))
    if whole is None:
        return
    beside = Bundle(on_sale=bundle.on_sale)
    more = whole.leaf_spine_links - network.leaf_spine_links
    run_links(beside, Counter({length: more}), end, end, network.gbps, catalog)
    bundle.full_unit = option_items(beside, (("nodes", network.nodes), ("unit", whole.unit_nodes), ("links", more)))


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


# --------------------------------------------------------------------------- storage


def first_of(network: Network, networks: Iterable[Network]) -> int:
    """How many switches of the same SKU belong to the networks before this one, which stand first."""
    before = takewhile(lambda other: other.id != network.id, networks)
    return sum(other.leaf + other.spine + other.core for other in before if other.leaf_sku == network.leaf_sku)


def _storage(
    bundle: Bundle,
    network: Network,
    racks: tuple[Contents, ...],
    platform: Platform,
    first: int,
    tray: Tray,
    catalog: Catalog,
) -> None:
    """On each plane one port of every node, half the ports of a storage system, and the leaves to the spines."""
    switch = catalog.parts[network.leaf_sku]
    if not isinstance(switch, Switch):
        return
    places = stand(racks, switch.sku)[first:]
    leaves, spines = places[: network.leaf], places[network.leaf : network.leaf + network.spine]
    cores = places[network.leaf + network.spine :][: network.core]
    nodes = stand(racks, platform.sku)
    stored = of_category(racks, "storage")
    each = network.ends_at("storage") // (max(1, len(stored)) * network.ports_per_node)
    ends = [*nodes, *(rack for rack in stored for _ in range(each))]
    down, at_storage = _planes(network, ends, len(nodes), leaves, switch)
    up = by_length(spread(network.leaf_spine_links, leaves, spines, network.ports_per_node), tray) + by_length(
        spread(network.spine_core_links, spines, cores, network.ports_per_node), tray
    )
    at_switch = End(body=switch.body, optic=switch_optic(catalog, switch), shared=True)
    plug = catalog.parts.get(catalog.terms.recipes.get(f"optic_node_{switch.body}", ""))
    at_node = End(body=switch.body, optic=plug if isinstance(plug, Optic) else None, shared=False)
    run_links(bundle, by_length(down, tray), at_switch, at_node, network.gbps, catalog)
    run_links(bundle, up, at_switch, at_switch, network.gbps, catalog)
    gbps = next((one.gbps for one in network.ends if one.kind == "storage"), 0)
    if gbps:
        body = BODIES.get(gbps, switch.body)
        ends_of = plugged(body, True, catalog), plugged(body, False, catalog)
        run_links(bundle, by_length(at_storage, tray), *ends_of, gbps, catalog)


def _planes(
    network: Network, ends: list[int], nodes: int, leaves: list[int], switch: Switch
) -> tuple[Counter[tuple[int, int]], Counter[tuple[int, int]]]:
    """Links of the first ``nodes`` of the ends, and of the others, to the leaves of each plane."""
    links: tuple[Counter[tuple[int, int]], Counter[tuple[int, int]]] = (Counter(), Counter())
    each = switch.ports if network.shape == "star" else switch.ports // 2
    of_plane = max(1, len(leaves) // network.ports_per_node)
    for first in range(0, of_plane * network.ports_per_node, of_plane):
        for number, rack in enumerate(ends):
            links[number >= nodes][rack, leaves[first + min(number // each, of_plane - 1)]] += 1
    return links
