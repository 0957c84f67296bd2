"""The in-band network: what ends on which switch, and what joins the customer's own switches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from math import ceil

from quoting.parts import Nic, Platform, Switch
from quoting.records import Ends, Fit, Network
from quoting.rows import Catalog
from quoting.stages.bom.outofband import (
    Equipment,
    Managed,
    joined_gbps,
    managed_switch,
    ports_check,
    switch_line,
    takes_slower,
)
from quoting.stages.bom.services import recipe
from quoting.stages.bom.storage_network import is_separate
from quoting.stages.leaves import rule_number

_INBAND = "fabric.inband"
_SPEEDS = ("", "_25g", "_100g", "_200g")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pairs:
    """So many pairs of one switch; ``taken`` of ``ports`` of the fullest kind of port of its first pair."""

    switch: Switch
    pairs: int
    taken: int
    ports: int
    fits: bool


def card_gbps(platform: Platform, catalog: Catalog) -> int:
    """Speed of a node's in-band ports, from its network card; 0 when the recipe names none."""
    for line in platform.recipe:
        part = catalog.parts.get(line.sku)
        if line.role == "inband_nic" and isinstance(part, Nic):
            return part.gbps
    return 0


def plan_inband(fit: Fit, platform: Platform, beside: Equipment, catalog: Catalog) -> Managed:
    """A pair of switches, each node and head node with a port on both; more pairs as nodes fill them.

    Up to the size at which storage has a network of its own the pair carries it too. One node joins the customer's
    switches instead.
    """
    nodes = fit.nodes or 0
    if nodes < rule_number(catalog, _INBAND, "from_nodes"):
        return Managed(networks=_joining(nodes, platform, beside, catalog))
    if is_separate(nodes, catalog):
        beside = replace(beside, sets=0)
    found = [_pairs(switch, fit, platform, beside, catalog) for switch in _candidates(fit, platform, catalog)]
    if not found:
        return Managed()
    plan = next((one for one in found if one.fits), found[0])
    network = _network(plan, fit, platform, beside, catalog)
    why = "switch.inband" if is_separate(nodes, catalog) else "switch.converged"
    arguments = (("nodes", nodes), ("links", sum(one.links for one in network.ends)))
    item = switch_line(plan.switch.sku, network.leaf, why, arguments)
    return Managed(
        networks=(network,), items=(item,), checks=(ports_check("inband", plan.taken, plan.ports, plan.fits),)
    )


def _candidates(fit: Fit, platform: Platform, catalog: Catalog) -> list[Switch]:
    """The house's in-band switches: the fastest a node's ports can feed first, faster ones after all others."""
    gbps, domestic = card_gbps(platform, catalog), "_domestic" if fit.tier == "xinchuang" else ""
    parts = (catalog.parts.get(recipe(catalog, f"switch_inband{domestic}{speed}")) for speed in _SPEEDS)
    found = {part.sku: part for part in parts if isinstance(part, Switch)}
    fed = gbps or next((part.gbps for part in found.values()), 0)
    return sorted(found.values(), key=lambda part: (part.gbps > fed, abs(fed - part.gbps)))


def _pairs(switch: Switch, fit: Fit, platform: Platform, beside: Equipment, catalog: Catalog) -> _Pairs:
    """As few pairs as take the nodes; their other links go to the first pair."""
    nodes, spare = fit.nodes or 0, int(rule_number(catalog, _INBAND, "spare_ports"))
    for pairs in range(1, nodes + 1):
        use = _use(switch, tuple(_of_one(switch, pairs, fit, platform, beside, catalog)), catalog)
        if use is None:
            return _Pairs(switch=switch, pairs=1, taken=0, ports=0, fits=False)
        own, up = use
        if own <= switch.ports - spare:
            break
    full = [(own, switch.ports), (up, switch.uplink_ports)]
    taken, ports = max((one for one in full if one[1] or one[0]), key=lambda one: Decimal(one[0]) / max(1, one[1]))
    return _Pairs(switch=switch, pairs=pairs, taken=taken, ports=ports, fits=taken <= ports)


def _of_one(
    switch: Switch, pairs: int, fit: Fit, platform: Platform, beside: Equipment, catalog: Catalog
) -> Iterator[tuple[int, int]]:
    """Speed and number of the links of one switch of the first pair."""
    between = switch.uplink_gbps or switch.gbps
    yield _link_gbps(switch, platform, catalog), ceil((fit.nodes or 0) / pairs)
    yield int(rule_number(catalog, "fabric.head_nodes", "gbps")), beside.heads
    yield _storage_gbps(catalog), beside.sets * _storage_ports(catalog) // 2
    yield between, int(rule_number(catalog, _INBAND, "peer_links")) + pairs - 1
    yield between, int(rule_number(catalog, _INBAND, "uplinks"))
    yield joined_gbps(switch, managed_switch(fit, catalog)) or switch.gbps, int(_joins(switch, fit, catalog))


def _use(switch: Switch, links: tuple[tuple[int, int], ...], catalog: Catalog) -> tuple[int, int] | None:
    """Ports taken of a switch's own and of its uplinks; None where some link is of a speed it has no port for."""
    own = up = 0
    for gbps, count in (one for one in links if one[1]):
        if gbps == switch.gbps or takes_slower(switch, gbps):
            own += count
        elif gbps == switch.uplink_gbps:
            up += count
        elif splits_to(switch, gbps):
            own += ceil(count / 4) * int(rule_number(catalog, _INBAND, "split_ports"))
        else:
            return None
    return own, up


def splits_to(switch: Switch, gbps: int) -> bool:
    """Whether a QSFP28 cage splits into four links of ``gbps``."""
    return (switch.body, gbps) == ("qsfp28", 25)


def _link_gbps(switch: Switch, platform: Platform, catalog: Catalog) -> int:
    """A link runs at the slower of its two ends; a card that is not known is taken as fast as the switch."""
    return min(card_gbps(platform, catalog) or switch.gbps, switch.gbps)


def _storage_gbps(catalog: Catalog) -> int:
    return int(rule_number(catalog, "fabric.storage", "set_gbps"))


def _storage_ports(catalog: Catalog) -> int:
    return int(rule_number(catalog, "fabric.storage", "set_ports"))


def _network(plan: _Pairs, fit: Fit, platform: Platform, beside: Equipment, catalog: Catalog) -> Network:
    switch, nodes = plan.switch, fit.nodes or 0
    each = int(rule_number(catalog, _INBAND, "switches"))
    gbps, card = _link_gbps(switch, platform, catalog), card_gbps(platform, catalog)
    return Network(
        id="inband",
        shape="star",
        protocol="ethernet",
        gbps=gbps,
        nodes=nodes,
        ports_per_node=2,
        leaf=plan.pairs * each,
        node_links=2 * nodes,
        leaf_sku=switch.sku,
        ends=tuple(one for one in _ends(plan, gbps, fit, beside, catalog) if one.links),
        card_gbps=card if card > gbps else 0,
    )


def _ends(plan: _Pairs, gbps: int, fit: Fit, beside: Equipment, catalog: Catalog) -> Iterator[Ends]:
    switch, each = plan.switch, int(rule_number(catalog, _INBAND, "switches"))
    between = switch.uplink_gbps or switch.gbps
    peers = plan.pairs * int(rule_number(catalog, _INBAND, "peer_links")) + (plan.pairs - 1) * each
    head = int(rule_number(catalog, "fabric.head_nodes", "gbps"))
    yield Ends(kind="node", links=2 * (fit.nodes or 0), gbps=gbps)
    yield Ends(kind="head", links=beside.heads * int(rule_number(catalog, "fabric.head_nodes", "ports")), gbps=head)
    yield Ends(kind="storage", links=beside.sets * _storage_ports(catalog), gbps=_storage_gbps(catalog))
    yield Ends(kind="peer", links=peers, gbps=between)
    if _joins(switch, fit, catalog):
        yield Ends(kind="outofband", links=each, gbps=joined_gbps(switch, managed_switch(fit, catalog)))
    yield Ends(kind="customer", links=each * int(rule_number(catalog, _INBAND, "uplinks")), gbps=between)


def _joining(nodes: int, platform: Platform, beside: Equipment, catalog: Catalog) -> tuple[Network, ...]:
    """What one node plugs into the customer's switches, at the fastest speed the house has copper for."""
    card = card_gbps(platform, catalog)
    fed = [part.gbps for part in _house_switches(catalog) if part.gbps <= card]
    if not fed:
        return ()
    ends = (
        Ends(kind="node", links=2 * nodes, gbps=max(fed)),
        Ends(kind="storage", links=beside.sets * _storage_ports(catalog), gbps=_storage_gbps(catalog)),
    )
    network = Network(
        id="inband",
        shape="direct",
        protocol="ethernet",
        gbps=max(fed),
        nodes=nodes,
        ports_per_node=2,
        node_links=2 * nodes,
        ends=tuple(one for one in ends if one.links),
        card_gbps=card if card > max(fed) else 0,
    )
    return (network,)


def _house_switches(catalog: Catalog) -> list[Switch]:
    parts = (catalog.parts.get(recipe(catalog, f"switch_inband{speed}")) for speed in _SPEEDS)
    return [part for part in parts if isinstance(part, Switch)]


def _joins(switch: Switch, fit: Fit, catalog: Catalog) -> bool:
    return bool(joined_gbps(switch, managed_switch(fit, catalog)))
