"""What workloads need: formulas against published numbers, and the stage's own promises."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from sizing.plan import catalog, requirement, workload

from quoting.figure import evaluate
from quoting.records import Need
from quoting.stages.demand import demand
from quoting.stages.demand.activations import full_recompute_gb
from quoting.stages.demand.inference import cache_tokens, engine_cache_gb, kv_bytes_per_token, latent_kv_bytes_per_token
from quoting.stages.demand.shape import adapters_b, parameter_count, published, shape_of
from quoting.stages.demand.states import (
    checkpoint_gb,
    deepspeed_zero2_gb,
    deepspeed_zero3_gb,
    deepspeed_zero3_host_gb,
    megatron_states_gb,
    quantised_weights_gb,
    zero_states_gb,
)

GIB = Decimal(1024) ** 3 / Decimal(10) ** 9
D = Decimal


def need(model: str | None, task: str, **given: Any) -> Need:
    return demand(requirement(workload(model, task, **given)), catalog()).needs[0]


def close(value: Decimal, expected: str, share: str) -> bool:
    return abs(value / D(expected) - 1) <= D(share)


@pytest.mark.parametrize(("stage", "expected"), [(0, "120"), (1, "31.4"), (2, "16.6"), (3, "1.875")])
def test_zero_states_are_those_of_the_paper(stage: Any, expected: str) -> None:
    assert close(zero_states_gb(D("7.5"), 64, stage), expected, "0.005")


def test_deepspeed_estimates_are_those_the_tool_prints() -> None:
    params, largest = D("2.851"), D("0.0329")
    assert abs(deepspeed_zero2_gb(params, 8) / GIB - D("11.28")) <= D("0.02")
    assert abs(deepspeed_zero3_gb(params, largest, 8, "optimizer") / GIB - D("0.78")) <= D("0.02")
    host = deepspeed_zero3_host_gb(params, largest, 8, 1, "none", D("1.5"))
    assert abs(host / GIB - D("1.43")) <= D("0.06")


def test_megatron_states_divide_by_model_and_data_parallel() -> None:
    assert megatron_states_gb(D(70), 1, 1, distributed=False) == 18 * 70
    assert megatron_states_gb(D(70), 8, 12, distributed=True) == D(70) * 7 / 8


@pytest.mark.parametrize(
    ("model", "billions"),
    [
        ("Llama-3-8B", "8.030"),
        ("Llama-3-70B", "70.554"),
        ("Llama-3.1-405B", "405.853"),
        ("Qwen2.5-72B", "72.706"),
        ("Yi-34B", "34.39"),
    ],
)
def test_parameters_counted_from_the_shape_are_the_published_count(model: str, billions: str) -> None:
    row = next(
        row for row in catalog().models.values() if model.lower() in (row.id.lower(), *map(str.lower, row.aliases))
    )
    bias = row.family.startswith("qwen2")
    assert close(D(parameter_count(published(row), qkv_bias=bias)) / 10**9, billions, "0.0005")


def test_cache_bytes_follow_the_attention_kind() -> None:
    assert kv_bytes_per_token(36, 8, 128) == 147_456
    assert latent_kv_bytes_per_token(61, 512, 64) == 70_272
    row = next(row for row in catalog().models.values() if row.attention == "mla")
    assert latent_kv_bytes_per_token(row.layers or 0, row.kv_lora_rank or 0, row.qk_rope_head_dim or 0) == 70_272


def test_serving_engine_split_is_that_of_the_published_log() -> None:
    cache = engine_cache_gb(D("39.50"), D("0.90"), D("14.96"), D("9.37"), D("0.10"))
    assert abs(cache - D("11.12")) <= D("0.005")
    assert cache_tokens(cache * GIB, 131_072) == pytest.approx(91_056, rel=0.001)


def test_adapters_grow_with_the_rank() -> None:
    shape = shape_of(workload("Qwen2.5-7B", "lora"), catalog().models)
    assert adapters_b(shape, 64) == 4 * adapters_b(shape, 16)
    assert D("0.03") < adapters_b(shape, 16) < D("0.05")


def test_long_context_and_a_large_vocabulary_dominate_activations() -> None:
    inputs = (1, 3584, 28, 152_064, D(2), D(34), D(10))
    assert close(full_recompute_gb(2048, *inputs), "3.8", "0.02")
    assert full_recompute_gb(4096, *inputs) == 2 * full_recompute_gb(2048, *inputs)


def test_eight_bit_weights_keep_their_embeddings_in_sixteen() -> None:
    assert close(quantised_weights_gb(D("13.9"), D("1.287"), D(1)), "15.18", "0.001")


def test_checkpoints_are_those_of_the_published_run() -> None:
    assert close(checkpoint_gb(D("176.25"), D(14), D(1)) / GIB, "2298", "0.001")


def test_full_training_is_twenty_bytes_at_eighty_per_cent() -> None:
    found = need("Llama-3-70B", "full")
    assert found.static_gb == 20 * D("70.554")
    assert found.memory_gb == 25 * D("70.554")
    assert (found.memory_low_gb, found.memory_high_gb) == (18 * D("70.554"), 30 * D("70.554"))
    assert found.checkpoint_gb == 3 * 14 * D("70.554")


def test_pretraining_leaves_more_room() -> None:
    assert need("Llama-3-8B", "pretrain").memory_gb == evaluate("20 * params / 0.70", {"params": D("8.030")})


def test_lora_and_qlora_follow_the_simple_rules_at_short_context() -> None:
    assert need("Qwen2.5-72B", "lora").memory_gb == evaluate("(2.5 * p + 4) / 0.8", {"p": D("72.706")})
    assert need("Qwen2.5-72B", "qlora").memory_gb == evaluate("(0.75 * p + 6) / 0.8", {"p": D("72.706")})


def test_long_context_lifts_the_need_above_the_simple_rule() -> None:
    assert need("Qwen2.5-7B", "lora", context=32768).memory_gb > 2 * need("Qwen2.5-7B", "lora").memory_gb


@pytest.mark.parametrize(
    ("sharding", "on_every_card"), [("zero3", D(0)), ("zero2", 2 * D("8.030")), ("ddp", 20 * D("8.030"))]
)
def test_only_full_sharding_divides_all_states(sharding: str, on_every_card: Decimal) -> None:
    found = need("Llama-3-8B", "full", sharding=sharding)
    assert found.replicated_gb == on_every_card
    assert found.sharded_gb + found.replicated_gb == found.static_gb


def test_offload_moves_states_to_the_host() -> None:
    kept, optimizer, everything = (need("Llama-3-8B", "full", offload=kind) for kind in ("none", "optimizer", "all"))
    assert kept.static_gb > optimizer.static_gb > everything.static_gb
    assert kept.host_ram_gb == 0
    assert optimizer.host_ram_gb == 16 * D("8.030") * D("1.5")
    assert everything.host_ram_gb == 18 * D("8.030") * D("1.5")


def test_memory_follows_total_and_compute_follows_active_parameters() -> None:
    found = need("DeepSeek-R1", "inference", precision="int8")
    assert found.static_gb > 671
    assert need("DeepSeek-V3", "full").flops_per_token == 6 * D("36.7") * 10**9


def test_inference_uses_the_published_precision_unless_the_form_says_otherwise() -> None:
    assert need("DeepSeek-R1", "inference").regime == "inference.fp8"
    assert not need("DeepSeek-R1", "inference").needs_fp8
    assert need("DeepSeek-R1", "inference", precision="fp8").needs_fp8
    assert need("Qwen2.5-32B", "inference").regime == "inference.bf16"


def test_operations_need_tokens() -> None:
    assert need("Llama-3-8B", "lora").flops is None
    assert need("Llama-3-8B", "lora", tokens_b=D(2)).flops == 4 * D("8.030") * 2 * 10**18


def test_a_size_without_a_model_takes_the_nearest_shape_and_says_so() -> None:
    shape = shape_of(workload(None, "lora", params="13"), catalog().models)
    assert shape.like
    assert 38 <= shape.layers <= 42
    figures = demand(requirement(workload(None, "lora", params="13")), catalog()).figures
    layers = next(figure for figure in figures if figure.id == "demand.w1.layers")
    assert (layers.kind, layers.text, layers.decided_by) == ("rule", "sizing.nearest", shape.like)


@pytest.mark.parametrize("task", ["inference", "qlora", "lora", "full", "pretrain"])
@pytest.mark.parametrize("offload", ["none", "optimizer", "all"])
def test_every_formula_figure_is_what_its_text_gives(task: str, offload: str) -> None:
    figures = demand(requirement(workload("Qwen2.5-7B", task, offload=offload, tokens_b=D(1))), catalog()).figures
    known = {figure.id: figure.value for figure in figures}
    formulas = [figure for figure in figures if figure.kind == "formula"]
    assert len(formulas) >= 5
    for figure in formulas:
        inputs = {
            name: tuple(known[one] for one in ref) if isinstance(ref, tuple) else known[ref]
            for name, ref in figure.inputs
        }
        assert evaluate(figure.text, inputs) == figure.value, figure.id


def test_every_leaf_names_a_source_of_the_catalogue_or_the_form() -> None:
    for model, task in (("Qwen2.5-7B", "lora"), ("DeepSeek-R1", "inference"), (None, "full")):
        given = {} if model else {"params": "13"}
        for figure in demand(requirement(workload(model, task, **given)), catalog()).figures:
            if figure.kind == "leaf":
                known = figure.source in catalog().sources
                assert known or figure.source.split(":")[0] in ("form", "default"), (figure.id, figure.source)
