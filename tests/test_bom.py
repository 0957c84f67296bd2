"""The bill without the room: nodes, memory, networks, services, and the checks on plugs and supplies."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from site_cases import demand, fit, requirement

from quoting.forms import parse_form
from quoting.parts import Dimm
from quoting.records import Bom, Check, Item
from quoting.requirement import Hardware, LineChange, Scope
from quoting.rows import Catalog
from quoting.stages.bom import bom, with_pdus
from quoting.stages.bom.nodes import balanced_memory

H20, H100, L20, ATLAS = "srv-sxm-8x-h20-96g", "srv-sxm-8x-h100", "srv-pcie-8x-l20", "srv-atlas-800t-a2"


def bill(catalog: Catalog, platform: str, nodes: int, tier: str = "enterprise", **said: object) -> Bom:
    needed, stored = said.pop("host_ram_gb", Decimal(0)), said.pop("storage_gb", Decimal(1000))
    return bom(
        requirement(**said), demand(host_ram_gb=needed, storage_gb=stored), fit(catalog, platform, nodes, tier), catalog
    )


def lines(plan: Bom, group: str) -> dict[str, int]:
    return {item.sku: item.quantity for item in plan.items if item.group == group and not item.parent}


def check(plan: Bom, id: str) -> Check:
    return next(one for one in plan.checks if one.id == id)


def test_a_complete_node_is_one_priced_line_with_its_parts_below(catalog: Catalog) -> None:
    plan = bill(catalog, H20, 2)
    top = [item for item in plan.items if item.sku == H20]
    below = [item for item in plan.items if item.parent == H20]
    assert [item.quantity for item in top] == [2]
    assert {item.sku: item.quantity for item in below}["gpu-h20-96g"] == 16


def test_an_assembled_node_is_its_recipe_times_the_nodes(catalog: Catalog) -> None:
    recipe = {line.sku: line.quantity for line in catalog.platforms[L20].recipe}
    assert lines(bill(catalog, L20, 3, "entry"), "compute").items() >= {sku: 3 * n for sku, n in recipe.items()}.items()


def test_one_node_has_the_compute_fabric_as_an_option_only(catalog: Catalog) -> None:
    plan = bill(catalog, H20, 1)
    switches = [item for item in plan.items if item.group == "network"]
    assert [(network.id, network.shape, network.leaf) for network in plan.networks] == [
        ("inband", "direct", 0),
        ("outofband", "direct", 0),
    ]
    assert [item.optional for item in switches] == [True]


def test_two_training_nodes_get_a_fabric_an_inband_pair_and_management(catalog: Catalog) -> None:
    plan = bill(catalog, H20, 2)
    assert [network.id for network in plan.networks] == ["compute", "inband", "outofband"]
    assert lines(plan, "network")["sw-qm9700"] == 1
    assert next(network for network in plan.networks if network.id == "inband").leaf == 2


def test_a_customer_who_names_ethernet_gets_ethernet(catalog: Catalog) -> None:
    said = Hardware(gpu="gpu-h20-96g", protocol="ethernet")
    assert bill(catalog, H20, 4, "cluster", hardware=said).networks[0].protocol == "ethernet"
    assert bill(catalog, H20, 4, "cluster").networks[0].protocol == "infiniband"


def test_independent_inference_replicas_need_no_compute_fabric(catalog: Catalog) -> None:
    plan = bill(catalog, H20, 2, task="inference")
    assert [network.id for network in plan.networks] == ["inband", "outofband"]


def test_a_model_served_across_nodes_needs_a_compute_fabric(catalog: Catalog) -> None:
    whole = fit(catalog, H20, 2)
    across = replace(whole, workloads=tuple(replace(one, minimum_cards=16) for one in whole.workloads))
    plan = bom(requirement(task="inference"), demand(), across, catalog)
    assert plan.networks[0].id == "compute"


def test_a_domestic_plan_has_domestic_switches_system_and_services(catalog: Catalog) -> None:
    plan = bill(catalog, ATLAS, 4, "xinchuang")
    outside = [catalog.parts[item.sku] for item in plan.items if item.group in ("network", "software")]
    assert {part.origin for part in outside if part.category in ("switch", "operating_system")} == {"domestic"}
    assert {"svc-adapt-domestic", "svc-poc-domestic", "driver-ascend-cann"} <= {part.sku for part in outside} | set(
        lines(plan, "service")
    )


def test_a_switch_size_without_a_known_layout_is_refused_not_guessed(catalog: Catalog) -> None:
    small = replace(catalog.parts["sw-qm9700"], ports=40)
    parts = {**catalog.parts, "sw-qm9700": small}
    plan = bom(requirement(), demand(), fit(catalog, H20, 32), replace(catalog, parts=parts))
    assert check(plan, "port_count").status == "fail"
    assert all(network.id != "compute" for network in plan.networks)


@pytest.mark.parametrize("need", [1200, 1500, 2500])
def test_offload_gets_a_balanced_set_of_memory_that_holds_it(catalog: Catalog, need: int) -> None:
    platform = catalog.platforms[L20]
    found = balanced_memory(need, platform, catalog)
    assert found is not None
    part = catalog.parts[found.sku]
    assert isinstance(part, Dimm)
    assert part.capacity_gb * found.quantity >= need
    assert found.quantity % (8 * platform.cpu_sockets) == 0


def test_memory_is_raised_only_when_offload_needs_it(catalog: Catalog) -> None:
    platform = catalog.platforms[L20]
    own = next(line for line in platform.recipe if line.role == "dimm")
    assert lines(bill(catalog, L20, 1, "entry"), "compute")[own.sku] == own.quantity
    raised = bill(catalog, L20, 1, "entry", host_ram_gb=Decimal((platform.ram_gb or 0) + 1))
    total = sum(
        part.capacity_gb * item.quantity for item in raised.items if isinstance(part := catalog.parts[item.sku], Dimm)
    )
    assert total > (platform.ram_gb or 0)


def test_owned_nodes_stand_beside_new_ones(catalog: Catalog) -> None:
    own = Hardware(gpu="gpu-h20-96g", nodes=1, owned=True)
    nodes = [item for item in bill(catalog, H20, 3, hardware=own).items if item.sku == H20]
    assert {(item.owned, item.quantity) for item in nodes} == {(True, 1), (False, 2)}


def stored(catalog: Catalog, nodes: int, **need: object) -> list[bool]:
    return [item.optional for item in bill(catalog, H20, nodes, **need).items if item.group == "storage"]


def test_storage_is_in_the_plan_for_two_nodes_and_not_even_offered_beside_one_for_little_data(catalog: Catalog) -> None:
    assert [stored(catalog, nodes) for nodes in (1, 2)] == [[], [False]]
    assert stored(catalog, 1, scope=Scope(include=("storage",))) == [False]


def test_storage_is_offered_beside_one_node_whose_data_fills_a_tenth_of_a_set(catalog: Catalog) -> None:
    whole = catalog.rules["storage"]
    small = replace(whole, values={**whole.values, "usable_gb": 1})
    other = replace(catalog, rules={**catalog.rules, "storage": small})
    assert stored(other, 1) == [True]


def test_tuning_is_offered_where_training_crosses_a_fabric_or_the_form_asks(catalog: Catalog) -> None:
    def tuned(nodes: int, **need: object) -> bool:
        return any(item.scope == "tuning" for item in bill(catalog, H20, nodes, **need).items)

    assert (tuned(1), tuned(2)) == (False, True)
    assert tuned(1, scope=Scope(include=("tuning",)))


def test_on_site_years_of_a_server_we_did_not_supply_cover_labour_only(catalog: Catalog) -> None:
    own = Hardware(gpu="gpu-h20-96g", nodes=1, owned=True)
    service = {item.sku: item.quantity for item in bill(catalog, H20, 3, hardware=own).items if item.scope == "service"}
    assert service == {"svc-warranty-3y": 2, "svc-warranty-3y-own": 1}


def test_supplies_of_unknown_redundancy_pass_nothing_and_fail_where_all_are_too_few(catalog: Catalog) -> None:
    def judged(watts: int) -> tuple[str, str]:
        bare = replace(catalog.platforms[H20], psu_required=None, psu_count=4, psu_w=Decimal(watts))
        other = replace(catalog, platforms={**catalog.platforms, H20: bare})
        one = next(check for check in bill(other, H20, 1).checks if check.id == "psu_headroom")
        return one.status, one.code

    assert judged(2600) == ("unknown", "psu_headroom.no_redundancy")
    assert judged(1000) == ("fail", "")


def test_a_catalogue_without_storage_is_said_not_hidden(catalog: Catalog) -> None:
    recipes = {role: sku for role, sku in catalog.terms.recipes.items() if not role.startswith("storage")}
    bare = replace(catalog, terms=replace(catalog.terms, recipes=recipes))
    assert check(bill(bare, H20, 2), "storage").status == "unknown"


def test_every_line_has_a_known_part_a_reason_and_a_scope(catalog: Catalog) -> None:
    items: list[Item] = []
    for platform, nodes, tier in ((L20, 1, "entry"), (H20, 4, "cluster"), (ATLAS, 2, "xinchuang")):
        items += bill(catalog, platform, nodes, tier).items
    assert all(item.sku in catalog.parts and item.why and item.scope and item.quantity > 0 for item in items)


def test_no_nodes_is_an_empty_bill(catalog: Catalog) -> None:
    assert bill(catalog, H20, 0).items == ()


# --------------------------------------------------------------------------- supplies


@pytest.mark.parametrize(
    ("kw", "count", "watts", "status"),
    [
        ("0.745", 1, 850, "fail"),  # two 250 W cards restart on 850 W
        ("0.745", 1, 1300, "pass"),  # and run on 1300 W
        ("3.5", 4, 1000, "warn"),  # seven cards on four supplies run, with little to spare
        ("4.2", 4, 1000, "fail"),
    ],
)
def test_stated_supplies_are_judged_by_what_happened(
    catalog: Catalog, kw: str, count: int, watts: int, status: str
) -> None:
    said = Hardware(node_power_kw=Decimal(kw), psu_count=count, psu_w=Decimal(watts))
    assert check(bill(catalog, L20, 1, "entry", hardware=said), "psu_headroom").status == status


def test_redundant_supplies_count_only_those_that_must_live(catalog: Catalog) -> None:
    one = check(bill(catalog, H100, 1), "psu_headroom")
    assert (one.status, one.available) == ("pass", Decimal(13200))


def test_unknown_supplies_are_unknown(catalog: Catalog) -> None:
    bare = replace(catalog.platforms[H20], psu_w=None)
    other = replace(catalog, platforms={**catalog.platforms, H20: bare})
    assert check(bill(other, H20, 1), "psu_headroom").status == "unknown"


# --------------------------------------------------------------------------- plugs


def test_the_planned_plugs_fit_both_ends(catalog: Catalog) -> None:
    for platform, tier in ((H20, "cluster"), (H100, "cluster"), (ATLAS, "xinchuang")):
        assert check(bill(catalog, platform, 4, tier), "optics_form_factor").status == "pass", platform


def test_one_kind_of_finned_plug_ordered_for_both_sides_fails(catalog: Catalog) -> None:
    order = LineChange(action="add", sku="opt-800g-2dr4-finned", quantity=32)
    assert check(bill(catalog, H20, 4, lines=(order,)), "optics_form_factor").status == "fail"


def test_a_flat_plug_replaced_by_a_finned_one_fails(catalog: Catalog) -> None:
    swap = LineChange(action="replace", sku="opt-400g-dr4-osfp-flat", with_sku="opt-800g-2dr4-finned")
    assert check(bill(catalog, H20, 4, lines=(swap,)), "optics_form_factor").status == "fail"


def test_a_finned_plug_without_any_switch_fails(catalog: Catalog) -> None:
    order = LineChange(action="add", sku="opt-800g-2dr4-finned", quantity=1)
    assert check(bill(catalog, H20, 1, lines=(order,)), "optics_form_factor").status == "fail"


def test_one_spare_finned_plug_more_is_no_fault(catalog: Catalog) -> None:
    order = LineChange(action="add", sku="opt-800g-2dr4-finned", quantity=1)
    assert check(bill(catalog, H20, 4, lines=(order,)), "optics_form_factor").status == "pass"


def test_plugs_outside_one_makers_list_are_to_be_confirmed(catalog: Catalog) -> None:
    assert check(bill(catalog, ATLAS, 4, "xinchuang"), "optics_compatibility").status == "warn"


@pytest.mark.parametrize(
    ("typed", "protocol"),
    [("800G Ethernet", "ethernet"), ("400G IB", "infiniband"), ("400Gb/s", ""), ("400G IB RoCE", "")],
)
def test_the_network_named_in_a_form_is_read(catalog: Catalog, typed: str, protocol: str) -> None:
    form = {
        "customer": {"name": "示例"},
        "workload": [{"params": "7B", "task": "lora"}],
        "hardware": {"gpu": "H20 96G", "cards": 16, "interconnect": typed},
    }
    named = parse_form(form, catalog, "form.toml").hardware
    assert named is not None
    assert named.protocol == protocol


def test_up_to_32_nodes_the_inband_pair_carries_storage_too(catalog: Catalog) -> None:
    plan = bill(catalog, H20, 32, "cluster")
    assert [network.id for network in plan.networks] == ["compute", "inband", "outofband"]
    assert "switch.converged" in {item.why for item in plan.items}


def test_above_32_nodes_storage_has_two_planes_of_its_own_and_cards_for_them(catalog: Catalog) -> None:
    plan = bill(catalog, H20, 33, "cluster")
    storage = next(network for network in plan.networks if network.id == "storage")
    sets = sum(item.quantity for item in plan.items if item.group == "storage")
    assert (storage.leaf, storage.spine, storage.node_links) == (2, 0, 2 * 33 + 4 * sets)
    whys = {item.why: item.quantity for item in plan.items}
    assert whys["switch.storage"] == 2
    assert whys["recipe.storage_nic"] == 33
    assert "switch.inband" in whys
    assert "switch.converged" not in whys


def test_a_node_with_fast_ports_to_spare_takes_no_more_cards_for_storage(catalog: Catalog) -> None:
    plan = bill(catalog, H100, 40, "cluster")
    assert {"switch.storage"} <= {item.why for item in plan.items}
    assert "recipe.storage_nic" not in {item.why for item in plan.items}


def test_a_domestic_cluster_stores_over_domestic_switches_and_cards(catalog: Catalog) -> None:
    plan = bill(catalog, ATLAS, 40, "xinchuang")
    bought = [item for item in plan.items if item.why in ("switch.storage", "recipe.storage_nic")]
    assert {catalog.parts[item.sku].origin for item in bought} == {"domestic"}
    assert {item.why: item.quantity for item in bought} == {"switch.storage": 2, "recipe.storage_nic": 80}


def test_a_partial_unit_can_be_completed_as_an_option(catalog: Catalog) -> None:
    """12 nodes share 4 leaves and 2 spines; the unit of 32 has 8 and 4, so 6 switches are beside the total."""
    network = [item for item in bill(catalog, H20, 12, "cluster").items if item.sku == "sw-qm9700"]
    assert [(item.quantity, item.optional, item.why) for item in network] == [
        (6, False, "switch.two_tier"),
        (6, True, "fabric.full_unit"),
    ]


@pytest.mark.parametrize("nodes", [8, 17, 32, 40])
def test_no_full_unit_is_offered_where_day_one_has_its_switches(catalog: Catalog, nodes: int) -> None:
    assert "fabric.full_unit" not in {item.why for item in bill(catalog, H20, nodes, "cluster").items}


def ends(plan: Bom, id: str) -> dict[str, tuple[int, int]]:
    network = next(one for one in plan.networks if one.id == id)
    return {one.kind: (one.links, one.gbps) for one in network.ends}


def test_every_port_of_two_nodes_and_what_stands_beside_them_ends_on_a_switch(catalog: Catalog) -> None:
    """One head node of 2 x 25G, one storage system of 4 x 100G with two controllers."""
    plan = bill(catalog, H20, 2, "cluster")
    assert ends(plan, "inband") == {
        "node": (4, 100),
        "head": (2, 25),
        "storage": (4, 100),
        "peer": (2, 100),
        "outofband": (2, 100),
        "customer": (2, 100),
    }
    managed = {"node": (2, 1), "head": (1, 1), "storage": (2, 1), "switch": (3, 1), "pdu": (4, 1), "inband": (2, 100)}
    assert ends(plan, "outofband") == managed


def test_a_domestic_pair_takes_its_management_switch_at_10g(catalog: Catalog) -> None:
    plan = bill(catalog, ATLAS, 2, "xinchuang")
    assert ends(plan, "inband")["outofband"] == (2, 10)
    ports = next(one for one in plan.checks if one.id == "port_count" and one.where == "inband")
    assert (ports.required, ports.available, ports.status) == (5, 6, "pass")  # two storage, two peer, one uplink


def test_a_second_storage_set_takes_a_pair_with_more_fast_ports(catalog: Catalog) -> None:
    """Six 100G ports of a 25G switch do not take four of storage, two between the pair and an uplink."""
    plan = bill(catalog, ATLAS, 2, "xinchuang", storage_gb=Decimal(70_000))
    inband = next(one for one in plan.networks if one.id == "inband")
    assert catalog.parts[inband.leaf_sku].gbps == 100  # type: ignore[attr-defined]
    assert inband.gbps == 25
    assert ends(plan, "inband")["storage"] == (8, 100)
    assert check(plan, "port_count").status == "pass"


@pytest.mark.parametrize(("nodes", "pairs"), [(2, 1), (40, 1), (46, 2), (64, 2)])
def test_pairs_grow_with_what_ends_on_them(catalog: Catalog, nodes: int, pairs: int) -> None:
    """A 25G switch has 48 ports, two of them spare, and two head nodes beside the compute nodes."""
    inband = next(one for one in bill(catalog, L20, nodes, "cluster").networks if one.id == "inband")
    assert inband.leaf == 2 * pairs
    assert inband.ends_at("peer") == 2 * pairs + 2 * (pairs - 1)


def test_links_of_a_fast_card_run_at_the_speed_of_the_switch(catalog: Catalog) -> None:
    for nodes in (1, 2):
        inband = next(one for one in bill(catalog, H20, nodes).networks if one.id == "inband")
        assert (inband.gbps, inband.card_gbps) == (100, 200)


def test_storage_the_customer_has_takes_no_port_of_the_plan(catalog: Catalog) -> None:
    plan = bill(catalog, H20, 2, "cluster", scope=Scope(reuse=("storage",)))
    assert "storage" not in ends(plan, "inband")


def test_the_management_network_counts_the_pdus_the_racks_have(catalog: Catalog) -> None:
    plan = with_pdus(bill(catalog, H20, 2, "cluster"), 2)
    assert ends(plan, "outofband")["pdu"] == (2, 1)
    assert next(one for one in plan.networks if one.id == "outofband").node_links == 10
    assert next(one for one in plan.figures if one.id == "bom.outofband.node_links").value == 10
    assert next(one for one in plan.checks if one.where == "outofband").required == 10
    assert next(item for item in plan.items if item.why == "switch.outofband").arguments == (("links", 10),)
