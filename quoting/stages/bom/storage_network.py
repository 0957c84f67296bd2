"""The storage network of a large cluster: of its own above the size at which the in-band pair carries it too."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal

from quoting.parts import Nic, Platform, Switch
from quoting.records import Check, Ends, Fit, Item, Network
from quoting.rows import Catalog
from quoting.stages.bom.services import recipe
from quoting.stages.fabric import Fabric, UnsupportedFabric, count_fabric, supported_radices
from quoting.stages.leaves import rule_number

RULE = "fabric.storage"


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageNetwork:
    """What a storage network adds to the bill; nothing where storage goes over the in-band pair."""

    networks: tuple[Network, ...] = ()
    items: tuple[Item, ...] = ()
    checks: tuple[Check, ...] = ()


def is_separate(nodes: int, catalog: Catalog) -> bool:
    """Whether a cluster of ``nodes`` has a storage network of its own."""
    return nodes > rule_number(catalog, RULE, "separate_above")


def plan_storage(fit: Fit, platform: Platform, sets: int, catalog: Catalog) -> StorageNetwork:
    """Two planes, each with one port of every node and half the ports of each of ``sets`` storage systems."""
    nodes, domestic = fit.nodes or 0, fit.tier == "xinchuang"
    switch = catalog.parts.get(recipe(catalog, "switch_storage", domestic))
    if not is_separate(nodes, catalog) or not isinstance(switch, Switch):
        return StorageNetwork()
    ports = int(rule_number(catalog, RULE, "ports_per_node"))
    stored = sets * int(rule_number(catalog, RULE, "set_ports"))
    ends = nodes + stored // ports
    try:
        fabric = count_fabric(ends, 1, switch.ports, supported_radices(catalog), planes=ports)
    except UnsupportedFabric:
        return StorageNetwork(checks=(_refused(ends * ports, switch),))
    items = (_switches(switch, fabric, nodes, sets), *_cards(nodes, ports, switch, platform, domestic, catalog))
    joined = (
        Ends(kind="node", links=nodes * ports, gbps=switch.gbps),
        Ends(kind="storage", links=stored, gbps=int(rule_number(catalog, RULE, "set_gbps"))),
    )
    network = replace(_network(ends, ports, switch, fabric), ends=tuple(one for one in joined if one.links))
    return StorageNetwork(networks=(network,), items=items)


def _network(ends: int, ports: int, switch: Switch, fabric: Fabric) -> Network:
    return Network(
        id="storage",
        shape=fabric.shape,
        protocol=switch.protocol,
        gbps=switch.gbps,
        nodes=ends,
        ports_per_node=ports,
        leaf=fabric.leaf,
        spine=fabric.spine,
        core=fabric.core,
        node_links=fabric.node_links,
        leaf_spine_links=fabric.leaf_spine_links,
        spine_core_links=fabric.spine_core_links,
        leaf_sku=switch.sku,
        spine_sku=switch.sku if fabric.spine else "",
    )


def _switches(switch: Switch, fabric: Fabric, nodes: int, sets: int) -> Item:
    arguments = (("nodes", nodes), ("sets", sets), ("links", fabric.node_links), ("gbps", switch.gbps))
    quantity = fabric.switches
    return Item(
        sku=switch.sku, quantity=quantity, group="network", why="switch.storage", arguments=arguments, scope="switch"
    )


def _cards(
    nodes: int, ports: int, switch: Switch, platform: Platform, domestic: bool, catalog: Catalog
) -> tuple[Item, ...]:
    """Network cards for the storage ports, unless the node's own have as many free beside the in-band ones."""
    if _free_ports(platform, switch.gbps, ports, catalog) >= ports:
        return ()
    card = catalog.parts.get(recipe(catalog, "nic_storage", domestic))
    if not isinstance(card, Nic):
        return ()
    each = -(-ports // card.ports)
    arguments = (("each", each), ("nodes", nodes), ("gbps", card.gbps))
    return (Item(sku=card.sku, quantity=each * nodes, group="compute", why="recipe.storage_nic", arguments=arguments),)


def _free_ports(platform: Platform, gbps: int, inband: int, catalog: Catalog) -> int:
    """Ports of the node's own in-band cards that are fast enough, less the pair in-band traffic takes."""
    total = 0
    for line in platform.recipe:
        card = catalog.parts.get(line.sku)
        if line.role == "inband_nic" and isinstance(card, Nic) and card.gbps >= gbps:
            total += line.quantity * card.ports
    return total - inband


def _refused(ends: int, switch: Switch) -> Check:
    return Check(
        id="port_count",
        status="fail",
        required=Decimal(ends),
        unit="ports",
        where="storage",
        source="fabric.leaf_spine",
        arguments=(("gbps", switch.gbps),),
    )
