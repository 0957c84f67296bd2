"""The networks of a plan: compute fabric, in-band, out-of-band."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal

from quoting.parts import Platform, Switch
from quoting.records import Check, Fit, Item, Network
from quoting.requirement import Requirement
from quoting.rows import Catalog
from quoting.stages.bom.inband import plan_inband
from quoting.stages.bom.outofband import Equipment, plan_outofband
from quoting.stages.bom.services import recipe
from quoting.stages.bom.storage_network import plan_storage
from quoting.stages.fabric import (
    Fabric,
    UnsupportedFabric,
    count_fabric,
    full_unit,
    node_optic,
    supported_radices,
    switch_optic,
)
from quoting.stages.margins import margin


@dataclass(frozen=True, slots=True, kw_only=True)
class Networks:
    """What the networks of one plan add to the bill."""

    networks: tuple[Network, ...] = ()
    items: tuple[Item, ...] = ()
    checks: tuple[Check, ...] = ()


def plan_networks(
    requirement: Requirement, fit: Fit, platform: Platform, heads: int, sets: int, catalog: Catalog
) -> Networks:
    """Networks by rule: compute fabric from two nodes that work on one job, in-band and out-of-band from two nodes,
    and one of its own for storage in a large cluster; with ``heads`` head nodes and ``sets`` storage systems on them.
    """
    if platform.form_factor == "workstation":
        return Networks()
    compute = _compute(requirement, fit, platform, catalog)
    storage = plan_storage(fit, platform, sets, catalog)
    bought = (*compute.items, *storage.items)
    switches = sum(item.quantity for item in bought if item.scope == "switch" and not item.optional)
    beside = Equipment(heads=heads, sets=sets, switches=switches)
    inband = plan_inband(fit, platform, beside, catalog)
    managed = plan_outofband(fit, beside, inband.networks, catalog)
    parts = (compute, storage, inband, managed)
    return Networks(
        networks=tuple(network for part in parts for network in part.networks),
        items=tuple(item for part in parts for item in part.items),
        checks=tuple(check for part in parts for check in part.checks),
    )


def needs_fabric(requirement: Requirement, fit: Fit, platform: Platform) -> bool:
    """Whether nodes work on one job: training on two or more, or a model served across nodes.

    Independent inference replicas need no compute fabric.
    """
    if (fit.nodes or 0) < 2:
        return False
    training = any(workload.task != "inference" for workload in requirement.workloads)
    return training or any((part.minimum_cards or 0) > platform.cards for part in fit.workloads)


def _compute(requirement: Requirement, fit: Fit, platform: Platform, catalog: Catalog) -> Networks:
    if not platform.rails:
        return Networks()
    if not needs_fabric(requirement, fit, platform):
        return Networks(items=_fabric_option(requirement, fit, platform, catalog))
    nodes, wanted = fit.nodes or 0, platform.rails
    for sku in _compute_switches(requirement, fit, platform, catalog):
        switch = catalog.parts[sku]
        if not isinstance(switch, Switch) or switch.gbps < platform.rail_gbps or not _links(switch, platform, catalog):
            continue
        radix = switch.ports * (switch.gbps // platform.rail_gbps)
        try:
            fabric = count_fabric(nodes, wanted, radix, supported_radices(catalog))
        except UnsupportedFabric:
            continue
        plan = _compute_plan(nodes, platform, switch, fabric)
        return replace(plan, items=(*plan.items, *_full_unit(nodes, wanted, switch, fabric, catalog)))
    return Networks(checks=(_refused(nodes, platform),))


def _links(switch: Switch, platform: Platform, catalog: Catalog) -> bool:
    """Whether the catalogue's plugs for the two ends talk to each other; a missing plug is judged later."""
    ends = switch_optic(catalog, switch), node_optic(catalog, platform)
    return None in ends or len({(optic.fibre, optic.gbps) for optic in ends if optic}) == 1


def _compute_switches(requirement: Requirement, fit: Fit, platform: Platform, catalog: Catalog) -> list[str]:
    """Switches to try: domestic ones for 信创; else of the protocol the customer names, or the platform's."""
    asked = requirement.hardware.protocol if requirement.hardware else ""
    if fit.tier == "xinchuang":
        small = f"switch_compute_domestic_{platform.rail_gbps}g"
        roles = [small, f"{small}_large", "switch_compute_domestic"]
    elif platform.fabric == "ethernet" or (platform.fabric == "both" and asked == "ethernet"):
        roles = ["switch_compute_eth"]
    else:
        roles = ["switch_compute_ib"]
    return [sku for role in roles if (sku := recipe(catalog, role))]


def _compute_plan(nodes: int, platform: Platform, switch: Switch, fabric: Fabric) -> Networks:
    network = Network(
        id="compute",
        shape=fabric.shape,
        protocol=switch.protocol,
        gbps=platform.rail_gbps,
        nodes=nodes,
        ports_per_node=platform.rails,
        leaf=fabric.leaf,
        spine=fabric.spine,
        core=fabric.core,
        node_links=fabric.node_links,
        leaf_spine_links=fabric.leaf_spine_links,
        spine_core_links=fabric.spine_core_links,
        leaf_sku=switch.sku,
        spine_sku=switch.sku if fabric.spine else "",
    )
    arguments = (
        ("nodes", nodes),
        ("links", fabric.node_links),
        ("leaf", fabric.leaf),
        ("spine", fabric.spine),
        ("core", fabric.core),
        ("unit", fabric.unit_nodes),
    )
    item = _switch_item(switch.sku, fabric.switches, f"switch.{fabric.shape}", arguments)
    check = Check(
        id="port_count",
        status="pass",
        required=Decimal(nodes),
        available=Decimal(fabric.unit_nodes),
        margin=margin("port_count", Decimal(nodes), Decimal(fabric.unit_nodes)),
        unit="node",
        where="compute",
        source="fabric.leaf_spine",
    )
    return Networks(networks=(network,), items=(item,), checks=(check,))


def _full_unit(nodes: int, rails: int, switch: Switch, day_one: Fabric, catalog: Catalog) -> tuple[Item, ...]:
    """The switches that complete the last unit, beside the total, as builders are told to install from the start."""
    whole = full_unit(nodes, rails, day_one.radix, supported_radices(catalog))
    if whole is None:
        return ()
    arguments = (("nodes", nodes), ("unit", whole.unit_nodes), ("leaf", whole.leaf), ("spine", whole.spine))
    more = whole.switches - day_one.switches
    return (replace(_switch_item(switch.sku, more, "fabric.full_unit", arguments), optional=True),) if more else ()


def _refused(nodes: int, platform: Platform) -> Check:
    return Check(
        id="port_count",
        status="fail",
        required=Decimal(nodes * platform.rails),
        unit="ports",
        where="compute",
        source="fabric.leaf_spine",
        arguments=(("gbps", platform.rail_gbps),),
    )


def _fabric_option(requirement: Requirement, fit: Fit, platform: Platform, catalog: Catalog) -> tuple[Item, ...]:
    """One switch beside the total, for the day a second node comes."""
    found = _compute_switches(requirement, fit, platform, catalog)
    fast = [sku for sku in found if getattr(catalog.parts[sku], "gbps", 0) >= platform.rail_gbps]
    if not fast:
        return ()
    item = Item(sku=fast[0], quantity=1, group="network", why="switch.option", scope="switch", optional=True)
    return (item,)


def _switch_item(sku: str, quantity: int, why: str, arguments: tuple[tuple[str, int], ...]) -> Item:
    return Item(sku=sku, quantity=quantity, group="network", why=why, arguments=arguments, scope="switch")
