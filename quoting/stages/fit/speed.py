"""How long training takes and how fast serving answers: upper estimates, not promises."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import ceil

from quoting.figure import evaluate
from quoting.rows import Catalog
from quoting.stages.fit.rules import number

DAYS = "flops / (cards * peak * 1000000000000 * utilisation * 86400)"
CARDS_FOR_DEADLINE = "flops / (peak * 1000000000000 * utilisation * available * 86400 * days)"
REACHED = "per_token * tokens / (cards * peak * 1000000000000)"
DECODE = "bandwidth * cards * share * requests / (weights_read + requests * cache)"
PREFILL = "2 * active_params * prompt / (peak * 1000 * cards * share)"
BILLION_TOKENS = Decimal(1_000_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Utilisation:
    """Share of the dense 16 bit peak that training reaches: low, default, high."""

    low: Decimal
    default: Decimal
    high: Decimal


def utilisation(catalog: Catalog, name: str, pretrain: bool) -> Utilisation:
    """The row of model FLOPs utilisation of a card; KeyError when the catalogue has none."""
    key = "pretrain" if pretrain else "finetune"
    row = f"mfu.{name}"
    return Utilisation(
        low=number(catalog, row, f"{key}_low"),
        default=number(catalog, row, key),
        high=number(catalog, row, f"{key}_high"),
    )


def training_days(flops: Decimal, cards: int, peak_tflops: Decimal, share: Decimal) -> Decimal:
    """Days of a job of ``flops`` operations on ``cards`` cards."""
    return evaluate(DAYS, {"flops": flops, "cards": cards, "peak": peak_tflops, "utilisation": share})


def reached_share(per_token: Decimal, tokens_per_second: Decimal, cards: int, peak_tflops: Decimal) -> Decimal:
    """Share of the dense peak that a measured speed reaches (model FLOPs utilisation), over all ``cards``."""
    inputs = {"per_token": per_token, "tokens": tokens_per_second, "cards": cards, "peak": peak_tflops}
    return evaluate(REACHED, inputs)


def deadline_cards(flops: Decimal, peak_tflops: Decimal, share: Decimal, available: Decimal, days: Decimal) -> int:
    """Cards that finish in ``days`` when they are available for the given share of the time."""
    inputs = {"flops": flops, "peak": peak_tflops, "utilisation": share, "available": available, "days": days}
    return ceil(evaluate(CARDS_FOR_DEADLINE, inputs))


def decode_tokens_per_second(
    bandwidth_gbs: Decimal, cards: int, share: Decimal, requests: int, weights_read_gb: Decimal, cache_gb: Decimal
) -> Decimal:
    """Tokens a second of one replica over all its requests: memory bandwidth over weights and cache read a step."""
    inputs = {"bandwidth": bandwidth_gbs, "cards": cards, "share": share, "requests": requests}
    return evaluate(DECODE, {**inputs, "weights_read": weights_read_gb, "cache": cache_gb})


def first_token_seconds(
    active_params_b: Decimal, prompt: int, peak_tflops: Decimal, cards: int, share: Decimal
) -> Decimal:
    """Seconds to read a prompt: two operations a parameter and token over the peak reached."""
    inputs = {"active_params": active_params_b, "prompt": prompt, "peak": peak_tflops, "cards": cards, "share": share}
    return evaluate(PREFILL, inputs)
