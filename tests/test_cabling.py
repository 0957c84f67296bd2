"""Every port that is sold has a cable of its speed, and the network table counts what the bill holds."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import Any

import pytest
from site_cases import demand, fit, requirement

from quoting.parts import Cable, Optic
from quoting.records import Bom, Site
from quoting.requirement import Circuit, SiteNeed
from quoting.rows import Catalog
from quoting.stages.bom import bom, with_pdus
from quoting.stages.site import site
from quoting.stages.site.inband_links import plugged
from quoting.stages.site.links import Bundle, End, cables_on_sale, run_links

D = Decimal
H20, L20, ATLAS = "srv-sxm-8x-h20-96g", "srv-pcie-8x-l20", "srv-atlas-800t-a2"


def plan(catalog: Catalog, platform: str, nodes: int = 1, tier: str = "enterprise", **room: Any) -> tuple[Bom, Site]:
    need, chosen = requirement(site=SiteNeed(**room)), fit(catalog, platform, nodes, tier)
    bill = bom(need, demand(), chosen, catalog)
    return bill, site(need, chosen, bill, catalog)


def ended(catalog: Catalog, found: Site, gbps: int) -> tuple[int, int]:
    """Links the cables of a speed carry, and the plugs there are for those on fibre."""
    links = plugs = 0
    for line in found.lines:
        part = catalog.parts[line.sku]
        if line.group != "cabling" or line.optional:
            continue
        if isinstance(part, Cable) and part.gbps == gbps and part.medium != "cat6":
            links += line.quantity * (2 if part.body_a == "osfp_finned" else 1)
        elif isinstance(part, Optic) and part.gbps == gbps:
            plugs += line.quantity
    return links, plugs


# Cables count as one link each but for the breakout to the head nodes, of which each switch has one.
@pytest.mark.parametrize(
    ("platform", "tier", "nodes", "wanted"),
    [
        (H20, "cluster", 2, {100: 4 + 4 + 2 + 2, 25: 2}),  # nodes, storage, pair, out-of-band; head node
        (ATLAS, "xinchuang", 2, {25: 4 + 2, 10: 2}),
        (L20, "cluster", 8, {25: 16 + 4, 100: 4 + 2 + 2}),
    ],
)
def test_every_port_has_a_cable_of_its_speed(
    catalog: Catalog, platform: str, tier: str, nodes: int, wanted: dict[int, int]
) -> None:
    _, found = plan(catalog, platform, nodes, tier)
    assert {gbps: ended(catalog, found, gbps)[0] for gbps in wanted} == wanted
    assert [one.status for one in found.checks if one.id == "cable_length"] == ["pass"]


def test_a_head_node_far_from_a_100g_switch_hangs_on_a_breakout_of_fibre(catalog: Catalog) -> None:
    bundle = Bundle(on_sale=cables_on_sale(catalog))
    at_switch = End(body="qsfp28", optic=catalog.parts["opt-100g-sr4"], shared=True)  # type: ignore[arg-type]
    run_links(bundle, Counter({D(8): 2}), at_switch, plugged("sfp28", False, catalog), 25, catalog, "fabric.inband")
    assert bundle.cables == {"cab-fan-mpo12-4lc-10m": 1}
    assert bundle.plugs == {"opt-100g-sr4": 1, "opt-25g-sr": 2}
    assert not bundle.too_long


@pytest.mark.parametrize(
    ("platform", "tier", "nodes"), [(H20, "cluster", 2), (ATLAS, "xinchuang", 3), (H20, "cluster", 40)]
)
def test_every_managed_port_has_one_copper_cable(catalog: Catalog, platform: str, tier: str, nodes: int) -> None:
    bill, found = plan(catalog, platform, nodes, tier)
    managed = next(
        network
        for network in with_pdus(bill, sum(rack.pdus for rack in found.racks)).networks
        if network.id == "outofband"
    )
    assert sum(line.quantity for line in found.lines if line.why == "cable.management") == managed.node_links


def test_one_node_is_cabled_to_the_customers_switches_at_the_speed_told(catalog: Catalog) -> None:
    bill, found = plan(catalog, H20, 1, circuit=Circuit(phases=3, amps=D(32)), feeds="2N")
    inband = bill.networks[0]
    quantity = {line.sku: line.quantity for line in found.lines}
    assert quantity[f"cab-dac-{inband.gbps}g-3m"] == inband.node_links == 2
    assert quantity["cab-cat6-5m"] == 1 + 2  # the node and two PDUs


def test_management_copper_is_as_long_as_the_way(catalog: Catalog) -> None:
    """Within a rack 3 m, to the next 10 m, and never longer than a patch cord that is sold."""
    _, few = plan(catalog, ATLAS, 4, "xinchuang", racks=4)
    cords = {line.sku for line in few.lines if line.why == "cable.management"}
    assert cords == {"cab-cat6-3m", "cab-cat6-10m"}
    _, many = plan(catalog, H20, 64, "cluster")
    assert [one.status for one in many.checks if one.id == "cable_length"] == ["pass"]
