"""Operations of a training job."""

from __future__ import annotations

from decimal import Decimal

from quoting.figure import evaluate

OPERATIONS = "factor * active_params * 1000000000"
WITH_ATTENTION = "factor * active_params * 1000000000 + 12 * layers * hidden * context"
JOB = "per_token * tokens * 1000000000"
OPTIMAL_TOKENS = "20 * params"


def flops_per_token(active_params_b: Decimal, factor: Decimal) -> Decimal:
    """Operations a token: factor 6 for full training, 4 for adapters (no weight gradients of the base)."""
    return evaluate(OPERATIONS, {"factor": factor, "active_params": active_params_b})


def flops_per_token_with_attention(params_b: Decimal, layers: int, hidden: int, context: int) -> Decimal:
    """Operations a token of full training with the attention term, as llm-foundry counts its MFU."""
    inputs = {"factor": 6, "active_params": params_b, "layers": layers, "hidden": hidden, "context": context}
    return evaluate(WITH_ATTENTION, inputs)


def job_flops(per_token: Decimal, tokens_b: Decimal) -> Decimal:
    """Operations of the whole job over ``tokens_b`` billion tokens, epochs included."""
    return evaluate(JOB, {"per_token": per_token, "tokens": tokens_b})


def optimal_tokens_b(params_b: Decimal) -> Decimal:
    """Compute-optimal training tokens in billions (Hoffmann et al. 2022: about twenty a parameter)."""
    return evaluate(OPTIMAL_TOKENS, {"params": params_b})
