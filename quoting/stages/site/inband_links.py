"""Cables of the in-band network and management ports: nodes, head nodes, storage, switches, PDUs."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from itertools import pairwise

from quoting.parts import Optic, Switch
from quoting.records import EndKind, Item, Network
from quoting.rows import Catalog
from quoting.stages.fabric import switch_optic
from quoting.stages.leaves import rule_number
from quoting.stages.site.links import Bundle, End, run_links
from quoting.stages.site.packing import Contents
from quoting.stages.site.positions import Tray, by_length, of_category, stand

BODIES = {
    10: "sfp_plus",
    25: "sfp28",
    100: "qsfp28",
    200: "qsfp56",
}  # the plug of a speed where a cage takes slower ones
_REACH = "fabric.inband"
Places = Counter[tuple[int, int]]


def plugged(body: str, shared: bool, catalog: Catalog) -> End:
    """An end with the plug of ``body``."""
    plug = catalog.parts.get(catalog.terms.recipes.get(f"optic_node_{body}", ""))
    return End(body=body, optic=plug if isinstance(plug, Optic) else None, shared=shared)


def _body(switch: Switch, gbps: int) -> str:
    """The plug a link of ``gbps`` has: that of the port of its speed, or a slower one a faster cage takes."""
    own = {switch.gbps: switch.body, switch.uplink_gbps: switch.uplink_body}
    return own.get(gbps) or BODIES.get(gbps, switch.body)


def inband_links(
    bundle: Bundle,
    network: Network,
    racks: tuple[Contents, ...],
    nodes: list[int],
    first: int,
    tray: Tray,
    catalog: Catalog,
) -> None:
    """Cables of one in-band network; ``first`` switches of its SKU belong to networks before it."""
    switch = catalog.parts[network.leaf_sku]
    if not isinstance(switch, Switch):
        return
    places = stand(racks, switch.sku)[first:][: network.leaf]
    pair = places[:2]
    wanted: tuple[tuple[EndKind, list[Places]], ...] = (
        ("node", _of_nodes(nodes, places)),
        ("head", _to_each(of_category(racks, "management_server"), pair, network.ends_at("head"))),
        ("storage", _to_each(of_category(racks, "storage"), pair, network.ends_at("storage"))),
        ("peer", _peers(places, catalog)),
    )
    for kind, of_switches in wanted:
        gbps = next((one.gbps for one in network.ends if one.kind == kind), 0)
        for links in of_switches if gbps else ():
            _run(bundle, switch, gbps, by_length(links, tray), catalog)


def _run(bundle: Bundle, switch: Switch, gbps: int, lengths: Counter[Decimal], catalog: Catalog) -> None:
    """The links of one switch at one speed, split from its cages where they are of a wider kind."""
    body = _body(switch, gbps)
    if (switch.body, body) == ("qsfp28", "sfp28"):
        at_switch = End(body=switch.body, optic=switch_optic(catalog, switch), shared=True)
    else:
        at_switch = plugged(body, True, catalog)
    run_links(bundle, lengths, at_switch, plugged(body, False, catalog), gbps, catalog, _REACH)


def _of_nodes(nodes: list[int], places: list[int]) -> list[Places]:
    """For each switch the links to its nodes: a node has a port on both switches of its pair."""
    found: list[Places] = [Counter() for _ in places]
    each = max(1, -(-2 * len(nodes) // max(1, len(places))))
    for number, rack in enumerate(nodes):
        pair = min(len(places) - 1, number // each * 2)
        for switch in range(pair, min(pair + 2, len(places))):
            found[switch][rack, places[switch]] += 1
    return found


def _to_each(racks: list[int], pair: list[int], links: int) -> list[Places]:
    """``links`` of the equipment in ``racks``, as many on the one switch of the pair as on the other."""
    each = links // (len(racks) * len(pair)) if racks and pair else 0
    return [
        Counter({key: count * each for key, count in Counter((rack, place) for rack in racks).items()})
        for place in pair
    ]


def _peers(places: list[int], catalog: Catalog) -> list[Places]:
    """Links between the switches of each pair, and from each further pair to the first."""
    peers = int(rule_number(catalog, _REACH, "peer_links"))
    found = [Counter({(places[number], places[number + 1]): peers}) for number in range(0, len(places) - 1, 2)]
    up = (Counter({(places[number], places[number % 2]): 1}) for number in range(2, len(places)))
    return [*found, *up]


# --------------------------------------------------------------------------- out of band


def outofband_uplinks(
    bundle: Bundle,
    managed: Network,
    inband: Network | None,
    racks: tuple[Contents, ...],
    firsts: tuple[int, int],
    tray: Tray,
    catalog: Catalog,
) -> None:
    """The chain of out-of-band switches, and its uplinks to the first in-band pair."""
    own = stand(racks, managed.leaf_sku)[firsts[0] :][: managed.leaf]
    above = stand(racks, inband.leaf_sku)[firsts[1] :][:2] if inband else []
    switch = catalog.parts[managed.leaf_sku]
    if not isinstance(switch, Switch):
        return
    chain = Counter(pairwise(own))
    up = Counter((own[0], place) for place in above) if own and managed.ends_at("inband") else Counter()
    for kind, links in (("peer", chain), ("inband", up)):
        gbps = next((one.gbps for one in managed.ends if one.kind == kind), 0)
        if gbps:
            end = plugged(switch.uplink_body or switch.body, True, catalog)
            run_links(bundle, by_length(links, tray), end, end, gbps, catalog, _REACH)


def management_cables(
    bundle: Bundle,
    managed: Network,
    racks: tuple[Contents, ...],
    pdus: tuple[int, ...],
    first: int,
    tray: Tray,
    catalog: Catalog,
) -> tuple[Item, ...]:
    """One copper cable for each managed port, as long as the way to the next management switch asks for.

    ``pdus`` are those of each rack.
    """
    home = Counter(stand(racks, managed.leaf_sku)[first:])
    left = managed.node_links - managed.ends_at("pdu") + sum(pdus)
    cables: Counter[str] = Counter()
    for rack in sorted(range(len(racks)), key=lambda rack: rack not in home):
        count = min(left, _ports(racks[rack], catalog) - home[rack] + pdus[rack])
        length = min((_way(tray, rack, other) for other in home), default=Decimal(0))
        cables[_copper(bundle, length)] += count
        left -= count
    cables[_copper(bundle, Decimal(0))] += left
    return tuple(
        Item(sku=sku, quantity=quantity, group="cabling", why="cable.management", scope="cabling")
        for sku, quantity in sorted(cables.items())
        if sku and quantity
    )


def _way(tray: Tray, rack: int, other: int) -> Decimal:
    """Within a rack from its foot to its head, since a PDU's port may be anywhere; else as any cable is laid."""
    return tray.height_m + 2 * tray.slack_in_rack_m if rack == other else tray.length_m(rack, other)


def _copper(bundle: Bundle, length: Decimal) -> str:
    """The shortest patch cord on sale that reaches; "" where none does, which the bundle is told."""
    fit = [part for part in bundle.on_sale if part.medium == "cat6" and part.length_m >= length]
    if not fit:
        bundle.too_long = max(bundle.too_long, length)
    return min(fit, key=lambda part: part.length_m).sku if fit else ""


def _ports(contents: Contents, catalog: Catalog) -> int:
    """Management ports of the equipment of one rack: one of each device, one of each storage controller."""
    controllers = int(rule_number(catalog, "fabric.storage", "set_controllers"))
    return sum(count * (controllers if device.part.category == "storage" else 1) for device, count in contents)
