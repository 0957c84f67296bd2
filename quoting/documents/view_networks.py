"""Networks as a customer may read them: what ends where, at which speed, and what is the customer's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quoting.documents.customer_plan import Fabric, Joined
from quoting.documents.view_plan import part_name
from quoting.documents.words import Words
from quoting.records import Ends, Network, Quote
from quoting.rows import Catalog


def networks(quote: Quote, catalog: Catalog, words: Words) -> dict[str, Any]:
    """The fields of a view that tell of the networks."""
    return {
        "fabrics": tuple(_fabric(network, catalog, words) for network in quote.bom.networks),
        "network_notes": tuple(_notes(quote, catalog, words)),
    }


def _fabric(network: Network, catalog: Catalog, words: Words) -> Fabric:
    """One network, with the names of its switches."""
    return Fabric(
        id=network.id,
        name=words.say(f"network.{network.id}"),
        shape=words.get(f"shape.{network.shape}", network.shape),
        protocol=words.get(f"protocol.{network.protocol}", network.protocol),
        gbps=network.gbps,
        nodes=network.nodes,
        ports_per_node=network.ports_per_node,
        leaf=network.leaf,
        spine=network.spine,
        core=network.core,
        node_links=network.node_links,
        leaf_spine_links=network.leaf_spine_links,
        spine_core_links=network.spine_core_links,
        oversubscription=network.oversubscription,
        leaf_name=part_name(network.leaf_sku, catalog, words) if network.leaf_sku else "",
        spine_name=part_name(network.spine_sku, catalog, words) if network.spine_sku else "",
        switches=_switches(network, words),
        joined=(*(_joined(network, one, words) for one in _ends(network)), *_between(network, words)),
    )


def _switches(network: Network, words: Words) -> str:
    """Switches by tier, or whose they are."""
    if network.shape == "direct":
        return words.say("proposal.joined.own")
    if not network.spine:
        return str(network.leaf)
    tiers = ("leaf", "spine", "core")
    counts = ((tier, getattr(network, tier)) for tier in tiers)
    return " · ".join(words.say(f"proposal.joined.{tier}", count=count) for tier, count in counts if count)


def _ends(network: Network) -> Iterator[Ends]:
    """Every kind of link; those of the compute fabric are in its counts."""
    if network.ends:
        yield from network.ends
    else:
        yield Ends(kind="node", links=network.node_links, gbps=network.gbps)


def _joined(network: Network, one: Ends, words: Words) -> Joined:
    """What the links end at, with their number, and their speed where it is not that of copper management ports."""
    management = network.id == "outofband"
    name = words.say(f"proposal.joined.{'managed_' if management and one.kind == 'storage' else ''}{one.kind}")
    code = "count" if management and one.gbps == network.gbps else "links"
    count = words.say(f"proposal.joined.{code}", count=one.links, gbps=one.gbps)
    return Joined(kind=one.kind, name=name, text=count, links=one.links)


def _between(network: Network, words: Words) -> Iterator[Joined]:
    """Links between tiers of switches."""
    counts = {"leaf_spine": network.leaf_spine_links, "spine_core": network.spine_core_links}
    for kind, links in counts.items():
        if links:
            text = words.say("proposal.joined.links", count=links, gbps=network.gbps)
            yield Joined(kind=kind, name=words.say(f"proposal.joined.{kind}"), text=text, links=links)


def _notes(quote: Quote, catalog: Catalog, words: Words) -> Iterator[str]:
    """Sentences on what would raise a question: idle cards, links slower than their cards, what is the customer's."""
    by_id = {network.id: network for network in quote.bom.networks}
    platform = catalog.platforms.get(quote.choice.chosen.platform) if quote.choice.chosen else None
    if by_id and platform and platform.rails and "compute" not in by_id:
        yield words.say("proposal.network.idle_cards", count=platform.rails, gbps=platform.rail_gbps)
    inband, managed = by_id.get("inband"), by_id.get("outofband")
    if inband and inband.card_gbps:
        yield words.say("proposal.network.slower_link", card=inband.card_gbps, gbps=inband.gbps)
    if inband is None and managed:
        yield words.say("proposal.network.unknown_ports")
    if managed and managed.shape == "direct":
        yield words.say("proposal.network.own_switches")
    up = [one for network in by_id.values() for one in network.ends if one.kind == "customer"]
    if up:
        told = " + ".join(words.say("proposal.joined.links", count=one.links, gbps=one.gbps) for one in up)
        yield words.say("proposal.network.uplink", links=told)
    if "compute" in by_id:
        yield words.say("proposal.lossless")
