"""Which platform is chosen and why, on the real catalogue."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from sizing.plan import DAY, catalog, choice, on, plan, requirement, workload

from quoting.figure import evaluate
from quoting.records import Choice, Fit
from quoting.requirement import Hardware
from quoting.stages.demand import demand
from quoting.stages.fit import fit

D = Decimal


def chosen(*given: Any, **more: Any) -> Fit:
    found = choice(*given, **more).chosen
    assert found is not None
    return found


def test_70b_full_training_takes_three_to_four_80_gb_nodes() -> None:
    short = on(choice("Llama-3-70B", "full", context=2048), "srv-sxm-8x-h100")
    assert (short.minimum_nodes, short.nodes) == (3, 4)
    long = on(choice("Llama-3-70B", "full", context=4096), "srv-sxm-8x-h100")
    assert long.minimum_nodes == 4
    assert on(choice("Llama-3-70B", "full"), "srv-sxm-8x-h20-96g").minimum_nodes == 3


def test_70b_full_training_is_cluster_work_and_the_two_node_claim_is_refuted() -> None:
    found = choice("Llama-3-70B", "full")
    assert found.chosen is not None
    assert found.chosen.tier == "cluster"
    claim = next(finding for finding in found.findings if finding.code == "two_nodes_short")
    arguments = dict(claim.arguments)
    assert arguments["capacity"] == 1280
    assert D(arguments["static"] or 0) > 1400


@pytest.mark.parametrize(
    ("model", "task", "tier", "card_gb"),
    [
        ("Qwen2.5-7B", "lora", "entry", None),
        ("DeepSeek-R1-Distill-Qwen-32B", "lora", "entry", 48),
        ("Llama-3-70B", "qlora", "entry", None),
        ("Qwen2.5-72B", "lora", "enterprise", None),
        ("DeepSeek-R1-Distill-Llama-70B", "lora", "enterprise", None),
        ("Qwen2.5-14B", "full", "enterprise", None),
        ("DeepSeek-R1", "inference", "enterprise", 141),
    ],
)
def test_tier_follows_from_the_work(model: str, task: str, tier: str, card_gb: int | None) -> None:
    found = chosen(model, task)
    assert found.tier == tier
    assert card_gb is None or catalog().accelerators[found.gpu].memory_gb == card_gb


@pytest.mark.parametrize(
    ("model", "task"), [("Qwen2.5-72B", "lora"), ("GLM-4-9B", "full"), ("DeepSeek-R1", "inference")]
)
def test_required_domestic_work_gets_domestic_parts(model: str, task: str) -> None:
    found = chosen(model, task, domestic="required")
    assert found.tier == "xinchuang"
    assert catalog().accelerators[found.gpu].origin == "domestic"
    assert any(check.id == "domestic_stack" and check.status == "warn" for check in found.checks)


def test_glm_9b_full_domestic_is_one_node_of_64_gb_and_32_gb_is_rejected_per_card() -> None:
    found = choice("GLM-4-9B", "full", domestic="required")
    assert found.chosen is not None
    assert found.chosen.nodes == 1
    assert catalog().accelerators[found.chosen.gpu].memory_gb == 64
    small = on(found, "srv-atlas-800i-a2-32g")
    assert small.rejected_by == "per_card_memory"
    assert small.rejected_required is not None
    assert small.rejected_available is not None
    assert small.rejected_required > small.rejected_available


def test_671b_int8_domestic_takes_two_nodes() -> None:
    found = chosen("DeepSeek-R1", "inference", precision="int8", domestic="required")
    assert (found.tier, found.nodes, found.cards) == ("xinchuang", 2, 16)


def test_7b_full_training_on_eight_24_gb_cards_fails_per_card_only() -> None:
    small = on(choice("Qwen2.5-7B", "full"), "srv-pcie-8x-4090d")
    assert (small.feasible, small.rejected_by) == (False, "per_card_memory")


def test_671b_fp8_is_never_proposed_on_eight_96_gb_cards() -> None:
    for concurrency in (1, 16):
        one_node = on(choice("DeepSeek-R1", "inference", concurrency=concurrency, context=1024), "srv-sxm-8x-h20-96g")
        assert (one_node.nodes or 0) != 1


def test_export_controlled_cards_are_never_chosen() -> None:
    for model, task in (("Llama-3-70B", "full"), ("Llama-3.1-405B", "pretrain"), ("Qwen2.5-72B", "lora")):
        found = choice(model, task)
        assert found.chosen is not None
        card = catalog().accelerators[found.chosen.gpu]
        assert card.export != "stopped"
        assert card.export != "licence" or (card.tpp is not None and card.tpp < 4800)
        rejected = {other.gpu for other in found.others if other.rejected_by == "export_control"}
        assert {"gpu-h100-80g-sxm", "gpu-h200-141g"} <= rejected


def test_licence_bound_cards_are_not_chosen_when_the_form_excludes_them() -> None:
    found = choice("Qwen2.5-72B", "lora", controlled_parts="exclude")
    assert found.chosen is None
    assert found.reasons == ("nothing_fits",)


def test_every_platform_is_judged_once() -> None:
    found = choice("Qwen2.5-7B", "lora")
    assert found.chosen is not None
    names = [other.platform for other in found.others] + [found.chosen.platform]
    assert sorted(names) == sorted(catalog().platforms)


def test_a_workstation_needs_the_form_to_allow_one() -> None:
    assert on(choice("Qwen2.5-7B", "lora"), "ws-2x-4090d").rejected_by == "fit.form_factor"
    found = chosen("Qwen2.5-7B", "lora", form_factor="any")
    assert catalog().platforms[found.platform].form_factor == "workstation"


def test_preferred_domestic_is_an_alternative() -> None:
    found = choice("Qwen2.5-7B", "lora", domestic="preferred")
    assert found.chosen is not None
    assert found.chosen.tier == "entry"
    assert [one.tier for one in found.alternatives if one.change == "domestic"] == ["xinchuang"]


def test_qlora_is_the_step_down_from_an_enterprise_node() -> None:
    found = choice("Qwen2.5-72B", "lora")
    assert [one.tier for one in found.alternatives if one.change == "use_qlora"] == ["entry"]


def test_the_fewest_nodes_are_the_economy_alternative() -> None:
    found = choice("Llama-3.1-405B", "full")
    assert found.chosen is not None
    economy = next(one for one in found.alternatives if one.change == "fewer_nodes")
    assert economy.nodes == found.chosen.minimum_nodes
    assert economy.platform == found.chosen.platform


def test_a_deadline_adds_nodes_or_moves_the_tier() -> None:
    slow = chosen("Qwen2.5-14B", "full", tokens_b=D(10))
    fast = chosen("Qwen2.5-14B", "full", tokens_b=D(10), deadline_days=D(3))
    assert slow.days is not None
    assert fast.days is not None
    assert slow.days > 3 >= fast.days
    assert (fast.nodes or 0) > (slow.nodes or 0)


def test_an_impossible_deadline_is_a_failed_check_not_a_refusal() -> None:
    found = choice("Llama-3.1-405B", "pretrain", tokens_b=D(15000), deadline_days=D(7))
    assert found.chosen is not None
    assert any(check.id == "deadline" and check.status == "fail" for check in found.chosen.checks)
    assert "deadline_missed" in found.reasons


def test_a_deadline_without_tokens_is_unknown() -> None:
    checks = chosen("Qwen2.5-7B", "lora", deadline_days=D(7)).checks
    assert [check.status for check in checks if check.id == "deadline"] == ["unknown"]


def test_days_for_a_billion_tokens_are_always_told_for_training() -> None:
    assert chosen("Qwen2.5-7B", "lora").days_per_billion_tokens
    assert chosen("Qwen2.5-7B", "inference").days_per_billion_tokens is None


def test_workloads_at_the_same_time_add_their_cards() -> None:
    one, two = (workload("Qwen2.5-72B", "inference", id) for id in ("w1", "w2"))
    together = plan(requirement(one, two))[1]
    apart = plan(requirement(replace(one, concurrent=False), replace(two, concurrent=False)))[1]
    for platform in ("srv-atlas-800t-a2", "srv-sxm-8x-h20-96g"):
        many, few = on(together, platform), on(apart, platform)
        assert sum(part.minimum_cards or 0 for part in many.workloads) <= (many.cards or 0)
        assert (many.nodes or 0) >= (few.nodes or 0)


def test_an_asked_speed_adds_replicas() -> None:
    plain = chosen("Qwen2.5-32B", "inference", concurrency=32)
    speed = plain.workloads[0].tokens_per_second
    assert speed is not None
    fast = chosen("Qwen2.5-32B", "inference", concurrency=32, tokens_per_second=speed * 2)
    assert any(check.id == "throughput" for check in fast.checks)
    assert (fast.workloads[0].tokens_per_second or 0) >= speed * 2


def test_a_small_card_does_not_train_what_the_rule_forbids() -> None:
    found = choice("DeepSeek-R1-Distill-Qwen-32B", "lora")
    assert on(found, "srv-pcie-8x-4090d").rejected_by == "fit.pcie_training"
    assert on(choice("Qwen2.5-72B", "lora"), "srv-pcie-8x-l20").rejected_by == "interconnect"


def test_more_than_the_node_limit_is_an_honest_no() -> None:
    found = choice(None, "pretrain", params="9000000")
    assert found.chosen is None
    assert all(not other.feasible for other in found.others)


def test_every_formula_figure_of_the_chosen_plan_is_what_its_text_gives() -> None:
    for model, task in (("Qwen2.5-7B", "lora"), ("Llama-3-70B", "full"), ("Qwen2.5-72B", "inference")):
        needed, found = plan(requirement(workload(model, task, tokens_b=D(1))))
        known = {figure.id: figure.value for figure in (*needed.figures, *found.figures)}
        for figure in found.figures:
            if figure.kind == "formula":
                assert evaluate(figure.text, {name: known[str(ref)] for name, ref in figure.inputs}) == figure.value
        assert found.chosen is not None
        assert known["fit.cards"] == found.chosen.cards
        assert known["fit.memory_gb"] == found.chosen.memory_gb


def test_every_rule_figure_names_a_rule_of_the_catalogue() -> None:
    for model, task in (("Qwen2.5-7B", "lora"), ("DeepSeek-R1", "inference"), ("GLM-4-9B", "full")):
        needed, found = plan(requirement(workload(model, task)))
        for figure in (*needed.figures, *found.figures):
            assert figure.kind != "rule" or figure.text in catalog().rules, figure.id


def test_states_are_divided_when_the_sharding_stated_fits_nowhere() -> None:
    found = choice("Llama-3-8B", "full", sharding="ddp")
    assert found.chosen is not None
    assert "states_divided" in found.reasons


def test_pretraining_is_recommended_a_power_of_two_of_nodes() -> None:
    found = on(choice("Llama-3.1-405B", "pretrain"), "srv-sxm-8x-h100")
    assert (found.minimum_nodes, found.nodes) == (19, 32)


def test_the_same_need_gives_the_same_choice() -> None:
    wanted = requirement(workload("Qwen2.5-72B", "lora"))
    needed = demand(wanted, catalog())
    assert fit(wanted, needed, catalog(), DAY) == fit(wanted, needed, catalog(), DAY)


def named(model: str, task: str, gpu: str, cards: int | None, **given: Any) -> Choice:
    keys = ("nodes", "owned", "ram_gb", "interconnect_gbps")
    hardware = Hardware(gpu=gpu, cards=cards, **{key: given.pop(key) for key in keys if key in given})
    return choice(model, task, hardware=hardware, **given)


def test_named_hardware_for_sale_that_fits_is_taken() -> None:
    found = named("Qwen2.5-7B", "lora", "gpu-l20-48g", 8)
    assert found.chosen is not None
    assert found.chosen == found.named
    assert found.chosen.platform == "srv-pcie-8x-l20"
    assert found.reasons == ("named_hardware",)


def test_named_hardware_under_export_control_is_verified_but_not_taken() -> None:
    found = named("Qwen2.5-72B", "lora", "gpu-h100-80g-sxm", 8)
    assert found.named is not None
    assert found.chosen is not None
    assert found.named.verdict == "fits"
    assert found.chosen.gpu != "gpu-h100-80g-sxm"
    assert any(check.id == "export_control" and check.status == "fail" for check in found.named.checks)


def test_a_card_without_any_platform_of_ours_is_still_verified() -> None:
    found = named("Llama-3-8B", "lora", "gpu-a40-48g", 2)
    assert found.named is not None
    assert (found.named.platform, found.named.cards, found.named.verdict) == ("", 2, "fits")


@pytest.mark.parametrize(
    ("given", "change"),
    [
        (("Llama-2-70B", "full", "gpu-a100-80g-sxm", 8), "more_cards"),
        (("GLM-4-9B", "full", "gpu-a100-80g-sxm", 8, "ddp"), "shard_zero3"),
        (("DeepSeek-V3", "inference", "gpu-a800-80g-sxm", 8), "weights_bf16"),
        (("Qwen2.5-7B", "lora", "gpu-h100-80g-sxm", 8), "another_card"),
    ],
)
def test_the_smallest_change_that_helps_is_named(given: tuple[Any, ...], change: str) -> None:
    sharding = given[4] if len(given) > 4 else "zero3"
    found = named(*given[:4], sharding=sharding)
    assert found.named is not None
    assert found.named.change == change


def test_host_memory_below_the_cards_fails() -> None:
    found = named("Llama-3-8B", "lora", "gpu-a40-48g", 2, ram_gb=16)
    assert found.named is not None
    assert any(check.id == "host_ram" and check.status == "fail" for check in found.named.checks)
