"""The plan in the customer's room: racks, checks with their margins, remedies, cables, proof."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from math import ceil
from pathlib import Path
from typing import Any

import pytest
from site_cases import demand, fit, requirement

from quoting.documents.words import load_words
from quoting.figure import evaluate
from quoting.forms.fields import keys_by_table
from quoting.parts import Cable, Optic, Rack, Switch
from quoting.records import Bom, Check, Site
from quoting.requirement import Circuit, Hardware, SiteNeed
from quoting.rows import Catalog
from quoting.stages.bom import bom
from quoting.stages.site import site

D = Decimal
H20, H100, B200 = "srv-sxm-8x-h20-96g", "srv-sxm-8x-h100", "srv-dgx-b200"
L20, ATLAS = "srv-pcie-8x-l20", "srv-atlas-800t-a2"
SEVERITY = {"pass": 0, "warn": 1, "unknown": 2, "fail": 3}


def plan(
    catalog: Catalog, platform: str, nodes: int = 1, tier: str = "enterprise", hardware: Any = None, **room: Any
) -> tuple[Bom, Site]:
    need = requirement(site=SiteNeed(**room), hardware=hardware)
    chosen = fit(catalog, platform, nodes, tier)
    bill = bom(need, demand(), chosen, catalog)
    return bill, site(need, chosen, bill, catalog)


def room_of(catalog: Catalog, platform: str, nodes: int = 1, **said: Any) -> Site:
    return plan(catalog, platform, nodes, **said)[1]


def check(found: Site, id: str) -> Check:
    return next(one for one in found.checks if one.id == id)


def status(catalog: Catalog, id: str, platform: str = H100, nodes: int = 1, **said: Any) -> str:
    return check(room_of(catalog, platform, nodes, **said), id).status


GOOD: dict[str, Any] = {
    "rack_power_kw": D(15),
    "circuit": Circuit(phases=3, amps=D(63)),
    "feeds": "2N",
    "transformer_kva": D(630),
    "transformer_load_kva": D(100),
    "ups_kva": D(60),
    "ups_minutes": D(30),
    "cooling_kw": D(60),
    "cooling_redundancy": "N+1",
    "supply_temperature_c": D(22),
    "liquid_ready": False,
    "floor_load_kg_m2": D(1200),
    "floor_point_kg": D(500),
    "door_mm": (1200, 2200),
    "lift_kg": D(2000),
    "lift_mm": (1500, 2500, 2300),
}


# --------------------------------------------------------------------------- racks


def test_a_good_room_passes_every_check(catalog: Catalog) -> None:
    assert {one.id: one.status for one in room_of(catalog, H20, **GOOD).checks if one.status != "pass"} == {}


def test_an_empty_form_is_unknown_never_a_pass(catalog: Catalog) -> None:
    unknown = {one.id for one in room_of(catalog, H20).checks if one.status == "unknown"}
    assert unknown >= {
        *("rack_power", "circuit_80pct", "phase_balance", "redundancy_failover", "ups_capacity", "ups_runtime"),
        *("transformer", "cooling_capacity", "cooling_redundancy", "inlet_temperature", "floor_load"),
        *("floor_point_load", "delivery_route"),
    }


def test_a_platform_without_power_and_weight_is_unknown(catalog: Catalog) -> None:
    bare = replace(catalog.platforms[H20], power_w=None, weight_kg=None, psu_count=None)
    other = replace(catalog, platforms={**catalog.platforms, H20: bare})
    found = room_of(other, H20, **GOOD)
    ids = (
        "rack_power",
        "circuit_80pct",
        "floor_load",
        "rack_load",
        "pdu_outlets",
        "redundancy_failover",
        "cooling_capacity",
    )
    assert {check(found, id).status for id in ids} == {"unknown"}
    assert found.power_kw is None


def test_every_device_stands_once_and_none_overlap(catalog: Catalog) -> None:
    bill, found = plan(catalog, H20, 16, "cluster")
    stand = sum(len(rack.placed) for rack in found.racks)
    switches = sum(i.quantity for i in bill.items if i.group == "network" and not i.optional)
    extra = sum(i.quantity for i in bill.items if i.sku in ("srv-head-2u", "sto-flash-2u") and not i.optional)
    assert stand == 16 + switches + extra
    for rack in found.racks:
        taken = [unit for one in rack.placed for unit in range(one.bottom, one.bottom + one.units)]
        assert len(taken) == len(set(taken))
        assert all(1 <= unit <= rack.units for unit in taken)


def test_no_rack_exceeds_what_the_room_carries_when_one_node_does_not(catalog: Catalog) -> None:
    found = room_of(catalog, H20, 8, rack_power_kw=D(16), feeds="2N")
    assert all(rack.power_kw is not None and rack.power_kw <= 16 for rack in found.racks)


def test_nodes_are_spread_evenly_over_the_racks_they_need(catalog: Catalog) -> None:
    found = room_of(catalog, H20, 4)
    assert [sum(one.label.startswith("N") for one in rack.placed) for rack in found.racks] == [2, 2]


def test_the_customers_rack_count_is_kept_when_it_holds_the_nodes(catalog: Catalog) -> None:
    found = room_of(catalog, H100, 3, racks=1, floor_load_kg_m2=D(500))
    assert len(found.racks) == 1
    assert check(found, "floor_load").status == "fail"


def test_more_racks_than_the_room_has_fail(catalog: Catalog) -> None:
    one = check(room_of(catalog, H100, 16, racks=2), "rack_units")
    assert (one.status, one.code) == ("fail", "rack_units.racks")


def test_four_dgx_h100_weigh_what_the_published_example_says(catalog: Catalog) -> None:
    found = room_of(catalog, H100, 4, racks=1)
    loaded = [one.value for one in found.figures if one.id == "site.R01.equipment_kg"]
    assert D(521) < D(str(loaded[0]))


# --------------------------------------------------------------------------- power


def test_a_10_kw_node_fails_in_a_5_kw_rack_with_a_remedy(catalog: Catalog) -> None:
    found = room_of(catalog, H100, rack_power_kw=D(5))
    assert check(found, "rack_power").status == "fail"
    assert any("rack_power" in remedy.cures and remedy.items for remedy in found.remedies)


def test_a_10_kw_node_fails_on_one_single_phase_32_a(catalog: Catalog) -> None:
    assert status(catalog, "circuit_80pct", circuit=Circuit(phases=1, amps=D(32))) == "fail"


def test_a_10_kw_node_holds_on_three_phase_32_a(catalog: Catalog) -> None:
    assert status(catalog, "circuit_80pct", circuit=Circuit(phases=3, amps=D(32)), feeds="2N") == "pass"


@pytest.mark.parametrize(("load", "expected"), [("3.4", "pass"), ("3.6", "warn"), ("4.0", "warn"), ("4.8", "fail")])
def test_a_feed_warns_from_seventy_per_cent_and_fails_above_eighty(catalog: Catalog, load: str, expected: str) -> None:
    said = Hardware(node_power_kw=D(load))
    circuit = Circuit(phases=1, amps=D(0), kw=D(5))
    assert status(catalog, "circuit_80pct", L20, hardware=said, circuit=circuit) == expected


def test_each_side_must_carry_the_whole_rack(catalog: Catalog) -> None:
    one = check(room_of(catalog, H100, circuit=Circuit(phases=3, amps=D(32)), feeds="2N"), "circuit_80pct")
    assert one.required == D("10.2")


def test_a_four_plus_two_node_does_not_survive_half_its_supplies(catalog: Catalog) -> None:
    found = room_of(catalog, H100, feeds="2N")
    one = check(found, "redundancy_failover")
    assert (one.status, one.required, one.available) == ("fail", 4, 3)
    assert "third_feed" in {remedy.id for remedy in found.remedies}


def test_an_n_plus_n_node_survives_a_lost_feed(catalog: Catalog) -> None:
    assert status(catalog, "redundancy_failover", H20, feeds="2N") == "pass"


def test_one_feed_is_a_warning(catalog: Catalog) -> None:
    assert status(catalog, "redundancy_failover", H20, feeds="N") == "warn"


def test_what_hangs_on_both_feeds_already_falls_on_the_survivor(catalog: Catalog) -> None:
    said = Hardware(node_power_kw=D("1.4"))
    room = {"circuit": Circuit(phases=3, amps=D(40)), "feeds": "2N", "existing_amps": D(21)}
    found = room_of(catalog, L20, 2, hardware=said, **room)
    assert check(found, "phase_balance").status == "fail"
    assert check(found, "redundancy_failover").status == "fail"


def test_outlets_of_the_right_kind_are_counted(catalog: Catalog) -> None:
    one = check(room_of(catalog, H100, circuit=Circuit(phases=1, amps=D(16)), feeds="N"), "pdu_outlets")
    assert (one.status, one.required, one.available) == ("fail", 6, 4)


# --------------------------------------------------------------------------- room


@pytest.mark.parametrize(
    ("room", "id", "expected"),
    [
        ({"ups_kva": D(13)}, "ups_capacity", "pass"),
        ({"ups_kva": D(11)}, "ups_capacity", "warn"),
        ({"ups_kva": D(10)}, "ups_capacity", "fail"),
        ({"ups_kva": D(60), "ups_load_kw": D(55)}, "ups_capacity", "fail"),
        ({"ups_minutes": D(15), "generator": True}, "ups_runtime", "pass"),
        ({"ups_minutes": D(15)}, "ups_runtime", "warn"),
        ({"ups_minutes": D("0.9")}, "ups_runtime", "fail"),
        ({"transformer_kva": D(630), "transformer_load_kva": D(380)}, "transformer", "pass"),
        ({"transformer_kva": D(630), "transformer_load_kva": D(480)}, "transformer", "warn"),
        ({"transformer_kva": D(630), "transformer_load_kva": D(560)}, "transformer", "fail"),
        ({"transformer_kva": D(630)}, "transformer", "unknown"),
        ({"cooling_kw": D(13)}, "cooling_capacity", "pass"),
        ({"cooling_kw": D(12)}, "cooling_capacity", "warn"),
        ({"cooling_kw": D("10.5")}, "cooling_capacity", "fail"),  # heat is 11.3 kW at a 10.2 kW rating
        ({"cooling_kw": D(0)}, "cooling_capacity", "fail"),
        ({"cooling_redundancy": "N"}, "cooling_redundancy", "warn"),
        ({"cooling_redundancy": "N+1"}, "cooling_redundancy", "pass"),
        ({"supply_temperature_c": D(24)}, "inlet_temperature", "pass"),
        ({"supply_temperature_c": D(28)}, "inlet_temperature", "warn"),
        ({"supply_temperature_c": D(32)}, "inlet_temperature", "fail"),  # above the node's 30, below A2's 35
        ({"floor_load_kg_m2": D(1000)}, "floor_load", "pass"),
        ({"floor_load_kg_m2": D(300)}, "floor_load", "fail"),
        ({"floor_load_kg_m2": D(300), "spreader_frame": True}, "floor_load", "warn"),
        ({"floor_load_kg_m2": D(150), "spreader_frame": True}, "floor_load", "fail"),
        ({"floor_point_kg": D(50)}, "floor_point_load", "fail"),
        ({"door_mm": (1200, 2200)}, "delivery_route", "pass"),
        ({"door_mm": (900, 2100)}, "delivery_route", "warn"),
        ({"door_mm": (900, 1900)}, "delivery_route", "fail"),
        ({"lift_kg": D(300)}, "delivery_route", "fail"),
        ({"lift_kg": D(1000)}, "delivery_route", "pass"),
    ],
)
def test_the_room_is_judged_by_its_thresholds(catalog: Catalog, room: dict[str, Any], id: str, expected: str) -> None:
    assert status(catalog, id, **room) == expected


@pytest.mark.parametrize(
    ("static", "rolling", "expected"),
    [
        (D(1500), D(1000), "pass"),
        (D("200.6"), D(200), "pass"),  # 130.45 kg of node and 30 of PDU and cables, times 1.25, are 200.56
        (D("200.5"), D(200), "fail"),
        (D(1500), D("160.45"), "pass"),
        (D(1500), D(160), "warn"),
        (None, D(1000), "unknown"),
        (D(1500), None, "unknown"),
    ],
)
def test_a_rack_is_held_against_its_static_and_rolling_rating(
    catalog: Catalog, static: Decimal | None, rolling: Decimal | None, expected: str
) -> None:
    racks = {
        sku: replace(part, static_kg=static, rolling_kg=rolling)
        for sku, part in catalog.parts.items()
        if isinstance(part, Rack)
    }
    other = replace(catalog, parts={**catalog.parts, **racks})
    judged = check(room_of(other, H100), "rack_load")
    assert (judged.status, judged.required) == (expected, D("160.45"))


def test_more_than_twenty_kilowatts_a_rack_warns_and_never_fails(catalog: Catalog) -> None:
    assert status(catalog, "liquid_cooling", H100, 4, racks=1) == "warn"


def test_a_stated_node_power_replaces_the_catalogues(catalog: Catalog) -> None:
    assert room_of(catalog, L20, hardware=Hardware(node_power_kw=D("4.8"))).power_kw == D("4.8")


# --------------------------------------------------------------------------- remedies


BAD: dict[str, Any] = {
    "rack_power_kw": D(5),
    "circuit": Circuit(phases=1, amps=D(32)),
    "feeds": "2N",
    "transformer_kva": D(100),
    "transformer_load_kva": D(90),
    "ups_kva": D(5),
    "ups_minutes": D(2),
    "cooling_kw": D(3),
    "cooling_redundancy": "N",
    "supply_temperature_c": D(34),
    "floor_load_kg_m2": D(300),
    "door_mm": (900, 1900),
}


def test_accepted_remedies_leave_nothing_failing(catalog: Catalog) -> None:
    failing = {one.id for one in room_of(catalog, H100, **BAD).checks if one.status == "fail"}
    after = room_of(catalog, H100, **BAD, accept=("all",))
    assert len(failing) >= 8
    assert [one.id for one in after.checks if one.status == "fail"] == []
    assert {id for remedy in after.remedies if remedy.accepted for id in remedy.cures} >= failing


def test_an_accepted_remedy_enters_the_lines_and_others_are_only_offered(catalog: Catalog) -> None:
    found = room_of(catalog, H100, **BAD, accept=("add_cooling",))
    assert [remedy.id for remedy in found.remedies if remedy.accepted] == ["add_cooling"]
    assert [line.scope for line in found.lines if line.why == "remedy.add_cooling"] == ["remedy"]
    assert "remedy" in catalog.terms.scope_default
    assert {remedy.id for remedy in found.remedies if not remedy.accepted} >= {"room_circuit", "spreader_frame"}


def test_every_offered_remedy_cures_what_it_says_when_accepted(catalog: Catalog) -> None:
    before = room_of(catalog, H100, **BAD)
    for remedy in before.remedies:
        after = room_of(catalog, H100, **BAD, accept=(remedy.id,))
        for id in remedy.cures:
            assert SEVERITY[check(after, id).status] < SEVERITY[check(before, id).status], (remedy.id, id)


def test_spreading_is_offered_where_the_rack_count_is_what_fails(catalog: Catalog) -> None:
    room: dict[str, Any] = {"racks": 1, "floor_load_kg_m2": D(600)}
    found = room_of(catalog, H100, 3, **room)
    spread = next(remedy for remedy in found.remedies if remedy.id == "spread_racks")
    assert "floor_load" in spread.cures
    assert any(item.sku.startswith("rack-") for item in spread.items)
    after = room_of(catalog, H100, 3, **room, accept=("spread_racks",))
    assert check(after, "floor_load").status == "pass"
    assert len(after.racks) > 1


@pytest.mark.parametrize("key", [key for key in GOOD if key in BAD])
def test_a_room_better_in_one_respect_fails_no_more(catalog: Catalog, key: str) -> None:
    bad = {one.id: one.status for one in room_of(catalog, H20, 2, **BAD).checks}
    better = {one.id: one.status for one in room_of(catalog, H20, 2, **{**BAD, key: GOOD[key]}).checks}
    assert sum(s == "fail" for s in better.values()) <= sum(s == "fail" for s in bad.values())


# --------------------------------------------------------------------------- lines and cables


def test_a_plan_has_what_it_needs_to_be_plugged_in(catalog: Catalog) -> None:
    found = room_of(catalog, H100, circuit=Circuit(phases=3, amps=D(32)), feeds="2N")
    quantity = {line.sku: line.quantity for line in found.lines}
    assert quantity["rack-42u-600x1200"] == 1
    assert quantity["pdu-3p32a"] == 2
    assert quantity["cab-power-c19-2m"] == 6


def test_ups_cooling_and_works_are_marked_as_outside_the_scope(catalog: Catalog) -> None:
    scopes = {line.scope for line in room_of(catalog, H20).lines}
    assert scopes >= {"ups", "battery", "cooling", "room_works"}
    assert {"ups", "battery", "cooling", "room_works"} <= set(catalog.terms.scope_optional)


@pytest.mark.parametrize("nodes", [2, 4, 16, 64])
def test_every_compute_link_ends_in_plugs_or_copper(catalog: Catalog, nodes: int) -> None:
    bill, found = plan(catalog, H20, nodes, "cluster")
    compute = bill.networks[0]
    links = copper = 0
    plugs = {"osfp_finned": 0, "osfp_flat": 0}
    for line in found.lines:
        part = catalog.parts[line.sku]
        if line.group != "cabling" or line.optional:
            continue
        if isinstance(part, Cable) and part.gbps == 400:
            each = 1 if part.medium == "fibre" else 2
            links += line.quantity * each
            copper += 0 if part.medium == "fibre" else line.quantity * each
        elif isinstance(part, Optic) and part.body in plugs:
            plugs[part.body] += line.quantity * part.ports
    wanted = compute.node_links + compute.leaf_spine_links
    on_fibre_down = plugs["osfp_flat"]
    assert wanted <= links <= wanted + len(found.racks) ** 2
    assert plugs["osfp_finned"] >= on_fibre_down
    assert on_fibre_down + copper >= compute.node_links - 1


@pytest.mark.parametrize(("nodes", "more"), [(12, 128), (17, 0)])
def test_links_that_complete_a_unit_are_options(catalog: Catalog, nodes: int, more: int) -> None:
    """12 nodes have 4 leaves of 32 uplinks; the unit of 32 nodes has 8."""
    options = [line for line in room_of(catalog, H20, nodes, tier="cluster").lines if line.optional]
    links = 0
    for line in options:
        part = catalog.parts[line.sku]
        if line.why == "fabric.full_unit_links" and isinstance(part, Cable):
            links += line.quantity * (1 if part.medium == "fibre" else 2)
    assert links == more


@pytest.mark.parametrize(("platform", "tier"), [(H20, "cluster"), (ATLAS, "xinchuang")])
def test_every_storage_link_ends_in_two_plugs_or_copper(catalog: Catalog, platform: str, tier: str) -> None:
    bill, found = plan(catalog, platform, 40, tier)
    lines = [line for line in found.lines if line.group == "cabling" and not line.optional]
    of_200g = [(line, part) for line in lines if getattr(part := catalog.parts[line.sku], "gbps", 0) == 200]
    plugs = sum(line.quantity for line, part in of_200g if isinstance(part, Optic))
    copper = sum(line.quantity for line, part in of_200g if isinstance(part, Cable) and part.medium != "fibre")
    networks = [network for network in bill.networks if network.gbps == 200]
    links = sum(network.node_links + network.leaf_spine_links for network in networks)
    stored = sum(network.ends_at("storage") for network in networks)  # at 100G, in the same cages
    assert "storage" in {network.id for network in networks}
    assert stored == 4
    assert plugs + 2 * copper == 2 * (links - stored)
    assert check(found, "cable_length").status == "pass"


def test_plugs_of_one_link_share_their_fibre(catalog: Catalog) -> None:
    for platform, nodes, tier in ((H20, 16, "cluster"), (ATLAS, 4, "xinchuang")):
        lines = room_of(catalog, platform, nodes, tier=tier).lines
        optics = [part for line in lines if isinstance(part := catalog.parts[line.sku], Optic) and part.gbps >= 200]
        cables = [part for line in lines if isinstance(part := catalog.parts[line.sku], Cable)]
        fibres = {part.body_a for part in cables if part.medium == "fibre" and part.gbps >= 200}
        assert {optic.fibre for optic in optics} <= fibres


def test_spares_are_two_per_cent_and_one_of_each_plug_and_cable(catalog: Catalog) -> None:
    lines = room_of(catalog, H20, 16, tier="cluster").lines
    used = {line.sku: line.quantity for line in lines if line.why in ("plug.links", "cable.links")}
    spare = {line.sku: line.quantity for line in lines if line.group == "spares"}
    assert spare == {sku: ceil(count * D("0.02")) + 1 for sku, count in used.items()}


def test_a_switch_stands_at_the_top_and_nodes_at_the_bottom(catalog: Catalog) -> None:
    rack = room_of(catalog, H20, 2, tier="cluster").racks[0]
    switches = [one.bottom for one in rack.placed if isinstance(catalog.parts[one.sku], Switch)]
    nodes = [one.bottom for one in rack.placed if one.label.startswith("N")]
    assert nodes[0] == 1
    assert min(switches) > max(nodes)


@pytest.mark.parametrize(
    ("platform", "tier", "shared"),
    [(H20, "cluster", False), (L20, "cluster", False), ("srv-atlas-800i-a2-64g", "xinchuang", True)],
)
def test_switches_are_labelled_by_the_network_they_serve(
    catalog: Catalog, platform: str, tier: str, shared: bool
) -> None:
    """A storage switch is of the make of a compute switch, in the domestic cluster of the very same."""
    bill, found = plan(catalog, platform, 40, tier)
    boxes = [box for rack in found.racks for box in rack.placed if isinstance(catalog.parts.get(box.sku), Switch)]
    stems = {"compute": "SW-C", "storage": "SW-S", "inband": "SW-B", "outofband": "SW-M"}
    wanted = {
        (f"{stems[network.id]}{number}", network.leaf_sku)
        for network in bill.networks
        for number in range(1, network.leaf + network.spine + network.core + 1)
    }
    assert len(boxes) == len(wanted)
    assert {(box.label, box.sku) for box in boxes} == wanted
    of = {network.id: network.leaf_sku for network in bill.networks}
    assert of["storage"] == "sw-h3c-s9825-128b"
    assert (of["storage"] == of.get("compute")) == shared


def test_networks_that_share_a_switch_take_their_own_in_labels_and_cables(catalog: Catalog) -> None:
    """A house may buy one 100G switch for storage and in-band: the first are the storage network's."""
    recipes = {**catalog.terms.recipes, "switch_storage": "sw-sn4600c"}
    house = replace(catalog, terms=replace(catalog.terms, recipes=recipes))
    bill, found = plan(house, H20, 40, "cluster")
    networks = {network.id: network for network in bill.networks}
    assert networks["storage"].leaf_sku == networks["inband"].leaf_sku == "sw-sn4600c"
    labels = [box.label for rack in found.racks for box in reversed(rack.placed) if box.sku == "sw-sn4600c"]
    assert labels == ["SW-S1", "SW-S2", "SW-B1", "SW-B2"]


def test_a_workstation_stands_beside_a_desk(catalog: Catalog) -> None:
    name = next(sku for sku, row in catalog.platforms.items() if row.form_factor == "workstation" and row.power_w)
    found = room_of(catalog, name)
    assert found.racks == ()
    assert check(found, "circuit_80pct").status in ("pass", "warn")


def test_no_nodes_is_an_empty_room(catalog: Catalog) -> None:
    assert room_of(catalog, H20, 0).checks == ()


# --------------------------------------------------------------------------- proof and words


def test_every_formula_of_the_room_evaluates_to_itself(catalog: Catalog) -> None:
    bill, found = plan(catalog, H20, 4, "cluster", **GOOD)
    values = {one.id: one.value for one in (*bill.figures, *found.figures)}
    formulas = [one for one in (*bill.figures, *found.figures) if one.kind == "formula"]
    for figure in formulas:
        inputs = {
            name: tuple(values[id] for id in ref) if isinstance(ref, tuple) else values[ref]
            for name, ref in figure.inputs
        }
        assert evaluate(figure.text, inputs) == figure.value, figure.id
    assert found.power_kw == values["site.power_kw"]
    assert len(formulas) > 20


def test_every_answer_used_is_a_key_of_the_form(catalog: Catalog) -> None:
    hardware = Hardware(node_power_kw=D("4.8"), psu_count=4, psu_w=D(2000))
    bill, found = plan(catalog, L20, 2, "entry", hardware=hardware, **GOOD, existing_amps=D(3))
    keys = {one.source.removeprefix("form:") for one in (*bill.figures, *found.figures) if one.kind == "leaf"}
    known = {f"{table}.{key}" for table, names in keys_by_table().items() for key in names}
    assert {key for key in keys if key.split(".")[0] in ("site", "hardware")} <= known
    assert "hardware.power" in keys


def test_what_a_check_compares_is_what_its_figures_say(catalog: Catalog) -> None:
    said: dict[str, Any] = {**GOOD, "existing_amps": D(7)}
    bill, found = plan(catalog, H20, 4, "cluster", **said)
    values = {one.id: one.value for one in (*bill.figures, *found.figures)}
    circuit = check(found, "circuit_80pct")
    assert circuit.required is not None
    assert circuit.available is not None
    assert [values[id] for id in circuit.figures] == [
        pytest.approx(circuit.required, abs=D("1e-9")),
        pytest.approx(circuit.available, abs=D("1e-9")),
    ]
    assert {id for one in (*bill.checks, *found.checks) for id in one.figures} <= set(values)


def test_every_leaf_of_the_room_has_a_source(catalog: Catalog) -> None:
    bill, found = plan(catalog, H20, 4, "cluster", **GOOD)
    leaves = [one for one in (*bill.figures, *found.figures) if one.kind == "leaf"]
    assert {one.source for one in leaves if not one.source.startswith(("form:", "default:"))} <= set(catalog.sources)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_code_of_bill_and_room_has_words(catalog: Catalog, language: Any) -> None:
    words = load_words(language, [Path(__file__).resolve().parent.parent / "templates"])
    rooms = ({}, GOOD, BAD, {**BAD, "accept": ("all",)}, {"racks": 1, "feeds": "N", "floor_load_kg_m2": D(100)})
    said = 0
    for platform, nodes, tier in ((L20, 1, "entry"), (H100, 16, "cluster"), (ATLAS, 4, "xinchuang")):
        for room in rooms:
            bill, found = plan(catalog, platform, nodes, tier, **room)
            for one in (*bill.checks, *found.checks):
                sides = {"required": one.required, "available": one.available, "margin": one.margin}
                arguments = {**sides, "unit": one.unit, "where": one.where, **dict(one.arguments)}
                assert words.say(f"check.{one.code or f'{one.id}.{one.status}'}", **arguments)
                assert words.say(f"check.{one.id}.name")
                said += 1
            for item in (*bill.items, *found.lines):
                assert words.say(f"why.{item.why}", **dict(item.arguments))
            for remedy in found.remedies:
                assert words.say(f"remedy.{remedy.id}.text", **dict(remedy.arguments))
    assert said > 200


def test_words_have_the_same_codes_in_both_languages() -> None:
    roots = [Path(__file__).resolve().parent.parent / "templates"]
    zh, en = (load_words(language, roots) for language in ("zh", "en"))
    for prefix in ("check", "remedy", "why", "network"):
        assert zh.codes(prefix) == en.codes(prefix)
