"""Choices of a form that change what training keeps: the optimizer, and the layers that adapters sit on."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from sizing.plan import catalog, requirement, workload

from quoting.errors import Mistakes
from quoting.figure import Figure
from quoting.forms import parse_form
from quoting.records import Need
from quoting.stages.demand import demand
from quoting.stages.demand.regimes import regime, regime_states_gb, regimes


def need(task: str, **given: Any) -> Need:
    return demand(requirement(workload("Qwen2.5-7B", task, **given)), catalog()).needs[0]


def figures(task: str, **given: Any) -> dict[str, Figure]:
    return {one.id: one for one in demand(requirement(workload("Qwen2.5-7B", task, **given)), catalog()).figures}


@pytest.mark.parametrize(("optimizer", "bytes_each"), [("adamw", 20), ("adam_8bit", 10), ("pure_bf16", 8)])
@pytest.mark.parametrize("task", ["full", "pretrain"])
def test_states_follow_the_optimizer(task: str, optimizer: str, bytes_each: int) -> None:
    found = need(task, optimizer=optimizer)
    assert found.static_gb == bytes_each * Decimal("7.616")
    assert found.memory_low_gb <= found.memory_gb <= found.memory_high_gb
    assert found.regime == f"{task}.{'mixed' if optimizer == 'adamw' else optimizer}"


def test_bytes_of_an_optimizer_are_the_sum_of_its_parts() -> None:
    shown = figures("full", optimizer="adam_8bit")
    assert shown["demand.w1.bytes_per_param"].text == "weights + gradients + master + optimizer"
    assert shown["rule.regime.adam_8bit.optimizer"].source == "regime_transformers"


def test_a_regime_is_its_states_whoever_asks() -> None:
    for one in regimes(catalog()):
        assert regime_states_gb(Decimal(7), one) == 7 * one.bytes
    assert regime(catalog(), "pure_bf16").bytes == 8


def test_adapters_on_attention_alone_need_less() -> None:
    everywhere, attention = need("lora", rank=64), need("lora", rank=64, targets="attention")
    assert attention.static_gb < everywhere.static_gb
    # 28 layers: query and output 2 x (3584 + 3584), key and value 2 x (3584 + 512), rank 64.
    assert attention.static_gb - 2 * Decimal("7.616") == 16 * Decimal(64 * 28 * (2 * 7168 + 2 * 4096)) / 10**9


FORM = {
    "form_version": 1,
    "customer": {"name": "示例客户"},
    "workload": [{"model": "Qwen2.5-7B", "task": "full"}],
}


@pytest.mark.parametrize(
    ("key", "typed", "read"),
    [
        ("optimizer", "8bit Adam", "adam_8bit"),
        ("optimizer", "纯BF16", "pure_bf16"),
        ("optimizer", "AdamW", "adamw"),
        ("targets", "q_proj,v_proj", "attention"),
        ("targets", "全部线性层", "all_linear"),
    ],
)
def test_a_form_names_them_in_people_s_words(key: str, typed: str, read: str) -> None:
    form = {**FORM, "workload": [{**FORM["workload"][0], key: typed}]}  # type: ignore[dict-item]
    assert getattr(parse_form(form, catalog(), "form.toml").workloads[0], key) == read


def test_an_unknown_optimizer_is_refused_with_the_names_that_are_known() -> None:
    form = {**FORM, "workload": [{**FORM["workload"][0], "optimizer": "lion"}]}  # type: ignore[dict-item]
    with pytest.raises(Mistakes) as told:
        parse_form(form, catalog(), "form.toml")
    assert "adam_8bit" in str(told.value)
