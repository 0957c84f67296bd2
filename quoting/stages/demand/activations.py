"""Memory of activations, on one card, in decimal GB."""

from __future__ import annotations

from decimal import Decimal

from quoting.figure import evaluate

FULL_RECOMPUTE = (
    "(recompute * context * batch * hidden * layers + working * context * batch * hidden"
    " + logits * context * batch * vocab) / 1000000000"
)
NO_RECOMPUTE = "context * batch * hidden * (34 + 5 * heads * context / hidden) * layers / 1000000000"
TENSOR_PARALLEL = (
    "context * batch * hidden * (10 + 24 / tensor + 5 * heads * context / (hidden * tensor)) * layers / 1000000000"
)
TENSOR_AND_SEQUENCE = "context * batch * hidden * (34 + 5 * heads * context / hidden) / tensor * layers / 1000000000"
SELECTIVE = "34 * context * batch * hidden / tensor * layers / 1000000000"
MEGATRON = "context * batch * hidden * (18 + 4 * ffn / hidden) * layers / 1000000000"


def full_recompute_gb(
    context: int,
    batch: int,
    hidden: int,
    layers: int,
    vocab: int,
    recompute: Decimal,
    working: Decimal,
    logits: Decimal,
) -> Decimal:
    """Activations with every layer recomputed and flash attention: layer inputs, one working layer, the logits.

    At long context and large vocabulary the logits (16 bit, a 32 bit copy and its gradient: 10 bytes) dominate.
    """
    inputs = {"context": context, "batch": batch, "hidden": hidden, "layers": layers, "vocab": vocab}
    return evaluate(FULL_RECOMPUTE, {**inputs, "recompute": recompute, "working": working, "logits": logits})


def stored_gb(context: int, batch: int, hidden: int, layers: int, heads: int) -> Decimal:
    """Activations when nothing is recomputed, 16 bit (Korthikanti et al., arXiv:2205.05198)."""
    inputs = {"context": context, "batch": batch, "hidden": hidden, "layers": layers, "heads": heads}
    return evaluate(NO_RECOMPUTE, inputs)


def tensor_parallel_gb(
    context: int, batch: int, hidden: int, layers: int, heads: int, tensor: int, sequence: bool = False
) -> Decimal:
    """As ``stored_gb`` under tensor parallelism, with or without sequence parallelism (arXiv:2205.05198)."""
    inputs = {"context": context, "batch": batch, "hidden": hidden, "layers": layers, "heads": heads}
    return evaluate(TENSOR_AND_SEQUENCE if sequence else TENSOR_PARALLEL, {**inputs, "tensor": tensor})


def selective_gb(context: int, batch: int, hidden: int, layers: int, tensor: int = 1) -> Decimal:
    """Sequence parallelism with only the attention core recomputed (arXiv:2205.05198)."""
    inputs = {"context": context, "batch": batch, "hidden": hidden, "layers": layers, "tensor": tensor}
    return evaluate(SELECTIVE, inputs)


def megatron_gb(context: int, batch: int, hidden: int, layers: int, ffn: int) -> Decimal:
    """Activations as Megatron-LM's own calculator counts them (theoretical_memory_usage.py)."""
    inputs = {"context": context, "batch": batch, "hidden": hidden, "layers": layers, "ffn": ffn}
    return evaluate(MEGATRON, inputs)
