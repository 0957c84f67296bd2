"""Rows of training memory: states by estimator, vendors' rules, measured peaks, checkpoints."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from published import cases
from published.answers import D, needed, number_after
from published.cases import Case, coefficient
from published.rows import Call

from quoting.stages.demand.regimes import regime, regime_states_gb
from quoting.stages.demand.shape import embeddings_b
from quoting.stages.demand.states import (
    checkpoint_gb,
    deepspeed_zero2_gb,
    deepspeed_zero2_host_gb,
    deepspeed_zero3_gb,
    deepspeed_zero3_host_gb,
    megatron_states_gb,
    training_states_gb,
    zero_states_gb,
)
from quoting.stages.fit.cards import Shares

SHARD = re.compile(r"(TP|PP|DP)(\d+)")


def states(case: Case) -> Call:
    """Model states of a card, by the estimator the row comes from."""
    if "deepspeed" in case["source"].lower():
        return _deepspeed(case)
    shards = {name: int(value) for name, value in SHARD.findall(case["zero_stage"])}
    if shards or "distributed" in case["optimizer"] or "Megatron" in case["zero_stage"]:
        return _megatron(case, shards)
    inputs = {"params_b": cases.params(case), "cards": cases.cards(case), "stage": int(case["zero_stage"][0])}
    optimizer = number_after(case["optimizer"], "K=")
    return Call(function=zero_states_gb, inputs=inputs | ({"optimizer": optimizer} if optimizer else {}))


def _megatron(case: Case, shards: dict[str, int]) -> Call:
    whole = cases.cards(case) if not shards else 1
    inputs = {
        "params_b": cases.params(case),
        "model_parallel": whole * shards.get("TP", 1) * shards.get("PP", 1),
        "data_parallel": shards.get("DP", 1),
        "distributed": "distributed" in case["optimizer"] or case["zero_stage"].startswith("1"),
    }
    return Call(function=megatron_states_gb, inputs=inputs)


def _offload(case: Case) -> Any:
    stage = case["zero_stage"]
    return "all" if "both" in stage else "optimizer" if "opt" in stage else "none"


def _largest(case: Case) -> Decimal:
    """The largest layer, billions: as the row says, else the embedding."""
    stated = number_after(case["notes"], "largest_layer_params=")
    return stated / 10**9 if stated else embeddings_b(cases.shape(case))


def _deepspeed(case: Case) -> Call:
    inputs: dict[str, Any] = {"params_b": cases.params(case), "cards": cases.cards(case)}
    if case["zero_stage"].startswith("2"):
        return Call(function=deepspeed_zero2_gb, inputs=inputs | {"offload": _offload(case) != "none"})
    inputs |= {"largest_layer_b": _largest(case), "offload": _offload(case)}
    return Call(function=deepspeed_zero3_gb, inputs=inputs)


def host_ram(case: Case) -> Call:
    """Host memory of a node by DeepSpeed's estimator."""
    inputs = {"params_b": cases.params(case), "cards_per_node": cases.cards(case), "nodes": 1}
    inputs |= {"buffer": number_after(case["notes"], "buffer_factor")}
    if case["zero_stage"].startswith("2"):
        return Call(function=deepspeed_zero2_host_gb, inputs=inputs | {"offload": _offload(case) != "none"})
    inputs |= {"offload": _offload(case), "zero_init": "no zero_init" not in case["zero_stage"]}
    return Call(function=deepspeed_zero3_host_gb, inputs=inputs | {"largest_layer_b": _largest(case)})


def rule_of_memory(case: Case) -> Call:
    """A vendor's estimate or bound: full training by its regime, adapters by the product's need.

    An estimate without activations is held against the states; a least memory against the need before headroom; a
    most against one card's sum; a coarse value that must not come out against the need as it is quoted.
    """
    if case["task"] in ("full", "pretrain"):
        return _regime(case)
    use = coefficient(f"sizing.{case['task']}", "use")
    match case["op"]:
        case "ge":
            return needed(case, lambda need: need.memory_gb * use)
        case "le":
            return measured(case)
        case "not":
            return needed(case, lambda need: need.memory_gb)
    return needed(case, lambda need: need.static_gb)


def _regime(case: Case) -> Call:
    name = "mixed" if re.search("amp|mixed", case["precision"], re.IGNORECASE) else "pure_bf16"
    inputs = {"params_b": cases.params(case), "regime": regime(cases.catalog(), name)}
    return Call(function=regime_states_gb, inputs=inputs)


def claim(case: Case) -> Call:
    """A claim about full training: its states at the bytes a parameter the product quotes with."""
    inputs = {"params_b": cases.params(case), "bytes_per_param": coefficient("sizing.full", "bytes")}
    return Call(function=training_states_gb, inputs=inputs)


def measured(case: Case) -> Call:
    """Memory measured in training: one card's states, activations, workspace and buffers, over the cards.

    Full training over several cards: the states by the estimator of the way they are divided.
    """
    count = cases.cards(case)
    total = count if "total" in case["unit"] else 1
    if case["task"] in ("full", "pretrain") and count > 1:
        call = _deepspeed(case) if case["zero_stage"][:1] in "23" else states(case)
        need = cases.need(case)
        beside = need.activation_gb + need.overhead_gb
        return Call(function=call.function, inputs=call.inputs, read=lambda per_card: (per_card + beside) * total)
    inputs = {"self": cases.prepared(case).shares, "cards": count}
    return Call(function=Shares.per_card, inputs=inputs, read=lambda per_card: per_card * total)


def disk(case: Case) -> Call:
    """One checkpoint with its optimizer states."""
    inputs = {
        "params_b": cases.params(case),
        "kept": D(1),
        "bytes_per_param": coefficient("sizing.checkpoint", "bytes"),
    }
    return Call(function=checkpoint_gb, inputs=inputs)
