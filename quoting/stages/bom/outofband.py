"""The out-of-band network: a management port of everything that has one, and the switches they end on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from quoting.parts import Switch
from quoting.records import Bom, Check, Ends, Fit, Item, Network
from quoting.rows import Catalog
from quoting.stages.bom.services import recipe
from quoting.stages.fabric import outofband_switches
from quoting.stages.leaves import rule_number
from quoting.stages.margins import margin

RULE = "fabric.outofband"


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipment:
    """What a plan has beside its nodes."""

    heads: int
    sets: int  # storage systems that are sold
    switches: int = 0  # of the compute and the storage network


@dataclass(frozen=True, slots=True, kw_only=True)
class Managed:
    """One network with its line and its check; none of them where the catalogue has no switch for it."""

    networks: tuple[Network, ...] = ()
    items: tuple[Item, ...] = ()
    checks: tuple[Check, ...] = ()


def managed_switch(fit: Fit, catalog: Catalog) -> Switch | None:
    """The out-of-band switch of the house; None where it has none."""
    part = catalog.parts.get(recipe(catalog, "switch_outofband", fit.tier == "xinchuang"))
    return part if isinstance(part, Switch) else None


def takes_slower(switch: Switch, gbps: int) -> bool:
    """Whether an SFP28 cage takes an SFP+ plug of ``gbps``."""
    return (switch.body, gbps) == ("sfp28", 10)


def joined_gbps(switch: Switch, managed: Switch | None) -> int:
    """Speed of an out-of-band switch's uplink into an in-band one; 0 where no port of the one takes the other's."""
    gbps = managed.uplink_gbps if managed else 0
    return gbps if gbps in (switch.gbps, switch.uplink_gbps) or takes_slower(switch, gbps) else 0


def plan_outofband(fit: Fit, beside: Equipment, inband: tuple[Network, ...], catalog: Catalog) -> Managed:
    """Copper management ports of every node, head node, storage controller, switch and PDU."""
    nodes, switch = fit.nodes or 0, managed_switch(fit, catalog)
    ends = tuple(one for one in _managed_ends(nodes, beside, inband, catalog) if one.links)
    total = sum(one.links for one in ends)
    if nodes < rule_number(catalog, RULE, "from_nodes"):
        return Managed(networks=(_outofband(nodes, total, ends, shape="direct"),))
    if switch is None:
        return Managed()
    usable = int(rule_number(catalog, RULE, "usable_ports"))
    count = outofband_switches(total, usable)
    ends += tuple(one for one in _above(switch, count, inband) if one.links)
    network = replace(_outofband(nodes, total, ends), leaf=count, leaf_sku=switch.sku)
    return Managed(
        networks=(network,),
        items=(switch_line(switch.sku, count, "switch.outofband", (("links", total),)),),
        checks=(ports_check("outofband", -(-total // count), switch.ports, fits=True),),
    )


def _managed_ends(nodes: int, beside: Equipment, inband: tuple[Network, ...], catalog: Catalog) -> Iterator[Ends]:
    switches = beside.switches + sum(network.leaf for network in inband)
    controllers = int(rule_number(catalog, "fabric.storage", "set_controllers"))
    yield Ends(kind="node", links=nodes, gbps=1)
    yield Ends(kind="head", links=beside.heads, gbps=1)
    yield Ends(kind="storage", links=beside.sets * controllers, gbps=1)
    yield Ends(kind="switch", links=switches, gbps=1)
    yield Ends(kind="pdu", links=nodes * int(rule_number(catalog, RULE, "pdus_per_node")), gbps=1)


def _above(switch: Switch, count: int, inband: tuple[Network, ...]) -> Iterator[Ends]:
    """A chain of out-of-band switches, the first of them with an uplink to both in-band switches of a pair.

    Where no port of an in-band switch takes the uplink, it is the customer's network that takes it.
    """
    gbps = switch.uplink_gbps or switch.gbps
    yield Ends(kind="peer", links=count - 1, gbps=gbps)
    up = sum(network.ends_at("outofband") for network in inband)
    yield Ends(kind="inband", links=up, gbps=gbps) if up else Ends(kind="customer", links=1, gbps=gbps)


def _outofband(nodes: int, links: int, ends: tuple[Ends, ...], shape: Literal["direct", "star"] = "star") -> Network:
    return Network(
        id="outofband",
        shape=shape,
        protocol="ethernet",
        gbps=1,
        nodes=nodes,
        ports_per_node=1,
        node_links=links,
        ends=ends,
    )


def with_pdus(bom: Bom, pdus: int) -> Bom:
    """The bill with the PDUs the racks really have on the management network, whose number it had to assume."""
    old = next((network for network in bom.networks if network.id == "outofband"), None)
    if old is None or old.ends_at("pdu") == pdus:
        return bom
    rest = tuple(one for one in old.ends if one.kind != "pdu")
    told = (*rest[: _place(rest)], Ends(kind="pdu", links=pdus, gbps=1), *rest[_place(rest) :])
    links = old.node_links - old.ends_at("pdu") + pdus
    new = replace(old, node_links=links, ends=tuple(one for one in told if one.links))
    return replace(
        bom,
        networks=tuple(new if network is old else network for network in bom.networks),
        items=tuple(
            replace(item, arguments=(("links", links),)) if item.why == "switch.outofband" else item
            for item in bom.items
        ),
        checks=tuple(_again(check, links, new.leaf) for check in bom.checks),
        figures=tuple(
            replace(figure, value=Decimal(links)) if figure.id == "bom.outofband.node_links" else figure
            for figure in bom.figures
        ),
    )


def _again(check: Check, links: int, leaf: int) -> Check:
    """The check of the ports with ``links`` on ``leaf`` switches; any other check as it is."""
    if (check.id, check.where) != ("port_count", "outofband") or not leaf:
        return check
    return ports_check("outofband", -(-links // leaf), int(check.available or 0), fits=check.status == "pass")


def _place(ends: tuple[Ends, ...]) -> int:
    """Where PDUs stand among the ends: after the switches, before what goes up."""
    return sum(one.kind in ("node", "head", "storage", "switch") for one in ends)


def switch_line(sku: str, quantity: int, why: str, arguments: tuple[tuple[str, int], ...]) -> Item:
    """The line of the bill for the switches of a network."""
    return Item(sku=sku, quantity=quantity, group="network", why=why, arguments=arguments, scope="switch")


def ports_check(where: str, taken: int, ports: int, fits: bool) -> Check:
    """Whether the fullest kind of port of one switch of a network suffices."""
    return Check(
        id="port_count",
        status="pass" if fits else "fail",
        code="port_count.switch" if fits else "port_count.full",
        required=Decimal(taken),
        available=Decimal(ports),
        margin=margin("port_count", Decimal(taken), Decimal(ports)),
        unit="ports",
        where=where,
        source=f"fabric.{where}",
    )
