"""Memory of weights, gradients and optimizer: what training keeps whether or not a token flows.

Parameters are in billions, results in decimal GB (a billion parameters of one byte each is one GB). Each formula's text
is what is evaluated and what is printed.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from quoting.figure import evaluate

ZeroStage = Literal[0, 1, 2, 3]

STATES = "bytes_per_param * params"
ZERO_0 = "(weights + gradients + optimizer) * params"
ZERO_1 = "(weights + gradients + optimizer / cards) * params"
ZERO_2 = "(weights + (gradients + optimizer) / cards) * params"
ZERO_3 = "(weights + gradients + optimizer) * params / cards"
MEGATRON = "(weights_and_gradients + optimizer / data_parallel) * params / model_parallel"
DEEPSPEED_ZERO_3 = "4 * largest_layer + bytes_per_param * params / cards"
DEEPSPEED_ZERO_2 = "2 * params + 18 * params / cards"
DEEPSPEED_ZERO_2_OFFLOADED = "2 * params"
ADAPTED = "base + state_bytes * adapters"
QUANTISED = "bytes_per_param * (params - embeddings) + 2 * embeddings"
CHECKPOINT = "bytes_per_param * params * kept"

_ZERO = {0: ZERO_0, 1: ZERO_1, 2: ZERO_2, 3: ZERO_3}


def training_states_gb(params_b: Decimal, bytes_per_param: Decimal) -> Decimal:
    """Weights, gradients and optimizer of one whole copy, GB (20 bytes: the DeepSpeed ZeRO-2 estimator's sum)."""
    return evaluate(STATES, {"bytes_per_param": bytes_per_param, "params": params_b})


def zero_states_gb(
    params_b: Decimal,
    cards: int,
    stage: ZeroStage,
    weights: Decimal = Decimal(2),
    gradients: Decimal = Decimal(2),
    optimizer: Decimal = Decimal(12),
) -> Decimal:
    """States on one card under ZeRO stage 0 to 3, GB (Rajbhandari et al., arXiv:1910.02054, figure 1)."""
    inputs = {"params": params_b, "cards": cards, "weights": weights, "gradients": gradients, "optimizer": optimizer}
    return evaluate(_ZERO[stage], inputs)


def megatron_states_gb(params_b: Decimal, model_parallel: int, data_parallel: int, distributed: bool) -> Decimal:
    """States on one card of a TP x PP shard, GB: 18 bytes, or 6 + 12/DP with the distributed optimizer.

    Source: Megatron-LM, theoretical_memory_usage.py.
    """
    shards = data_parallel if distributed else 1
    inputs = {"weights_and_gradients": 6, "optimizer": 12, "data_parallel": shards}
    return evaluate(MEGATRON, {**inputs, "params": params_b, "model_parallel": model_parallel})


def deepspeed_zero3_gb(
    params_b: Decimal, largest_layer_b: Decimal, cards: int, offload: Literal["none", "optimizer", "all"]
) -> Decimal:
    """One card's states by DeepSpeed's ZeRO-3 estimator, GB; the tool prints the same in GiB."""
    bytes_per_param = {"none": 18, "optimizer": 2, "all": 0}[offload]
    inputs = {"largest_layer": largest_layer_b, "bytes_per_param": bytes_per_param, "params": params_b, "cards": cards}
    return evaluate(DEEPSPEED_ZERO_3, inputs)


def deepspeed_zero2_gb(params_b: Decimal, cards: int, offload: bool = False) -> Decimal:
    """One card's states by DeepSpeed's ZeRO-2 code (the documentation page prints an older 4P + 16P/N), GB.

    With the optimizer offloaded only the 16 bit weights stay on the card.
    """
    text = DEEPSPEED_ZERO_2_OFFLOADED if offload else DEEPSPEED_ZERO_2
    return evaluate(text, {"params": params_b, "cards": cards})


HOST_ZERO_2 = "max(offloaded_bytes, 4 * cards) * params * buffer"


def deepspeed_zero2_host_gb(
    params_b: Decimal, cards_per_node: int, nodes: int, offload: bool, buffer: Decimal
) -> Decimal:
    """Host memory of one node by DeepSpeed's ZeRO-2 estimator, GB."""
    cards = cards_per_node * nodes if offload else cards_per_node
    inputs = {"offloaded_bytes": 16 if offload else 0, "cards": cards, "params": params_b, "buffer": buffer}
    return evaluate(HOST_ZERO_2, inputs)


HOST_ZERO_3 = "max(offloaded_bytes * params / nodes, 4 * loaded * cards_per_node) * buffer"


def deepspeed_zero3_host_gb(
    params_b: Decimal,
    largest_layer_b: Decimal,
    cards_per_node: int,
    nodes: int,
    offload: Literal["none", "optimizer", "all"],
    buffer: Decimal,
    zero_init: bool = True,
) -> Decimal:
    """Host memory of one node by DeepSpeed's ZeRO-3 estimator, GB.

    Without zero_init every process first builds the whole model in host memory.
    """
    loaded = params_b if not zero_init else (largest_layer_b if offload == "none" else Decimal(0))
    inputs = {
        "offloaded_bytes": {"none": 0, "optimizer": 16, "all": 18}[offload],
        "params": params_b,
        "nodes": nodes,
        "loaded": loaded,
        "cards_per_node": cards_per_node,
        "buffer": buffer,
    }
    return evaluate(HOST_ZERO_3, inputs)


def quantised_weights_gb(params_b: Decimal, embeddings_b: Decimal, bytes_per_param: Decimal) -> Decimal:
    """Weights whose embedding and head stay in 16 bit, GB; 0.5625 bytes is 4 bit with its scales."""
    inputs = {"bytes_per_param": bytes_per_param, "params": params_b, "embeddings": embeddings_b}
    return evaluate(QUANTISED, inputs)


def adapted_states_gb(base_gb: Decimal, adapters_b: Decimal, state_bytes: Decimal) -> Decimal:
    """A frozen base and its trained adapters with their gradients and optimizer, GB."""
    return evaluate(ADAPTED, {"base": base_gb, "state_bytes": state_bytes, "adapters": adapters_b})


def checkpoint_gb(params_b: Decimal, bytes_per_param: Decimal, kept: Decimal) -> Decimal:
    """Disk for the checkpoints kept, GB (14 bytes a parameter with optimizer: BLOOM, 2.3 TB for 176B)."""
    return evaluate(CHECKPOINT, {"bytes_per_param": bytes_per_param, "params": params_b, "kept": kept})
