"""Rows of cards and time: how many cards, how fast a step, how long a run, what share of the peak."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from published import cases
from published.answers import D, factor, number_before
from published.cases import Case, coefficient
from published.rows import ONE, Call

from quoting.stages.demand.compute import flops_per_token, flops_per_token_with_attention, job_flops
from quoting.stages.fit.cards import recommended_nodes
from quoting.stages.fit.placing import Placement, place
from quoting.stages.fit.speed import reached_share, training_days, utilisation

SECONDS, HOURS = D(86400), D(24)


def counts(case: Case) -> Call:
    """Cards that hold the work: minimum and recommended for training steps, else the recommended alone."""
    host, rules = cases.host(case), cases.rules()

    def read(placement: Placement) -> Any:
        minimum = placement.minimum or 0
        wanted = placement.recommended or minimum
        if wanted > host.cards:
            wanted = recommended_nodes(-(-wanted // host.cards), rules) * host.cards
        return (minimum, wanted) if case["op"] == "step" else minimum if case["op"] == "exact" else wanted

    inputs = {"job": cases.prepared(case), "host": host, "limits": rules}
    return Call(function=place, inputs=inputs, read=read)


def speed(case: Case) -> Call:
    """A published speed as operations: share of the peak reached, or operations a second and card."""
    if "tok/s" not in case["notes"]:
        inputs = {"catalog": cases.catalog(), "name": cases.card(case).mfu, "pretrain": case["task"] == "pretrain"}
        return Call(function=utilisation, inputs=inputs, read=lambda share: share.high * 100)
    if "MFU" not in case["unit"]:
        tokens = number_before(case["notes"], "tok/s/GPU")
        inputs = {"active_params_b": cases.active(case), "factor": coefficient("sizing.flops", factor(case))}
        return Call(function=flops_per_token, inputs=inputs, read=lambda each: each * tokens / 10**12)
    shape = cases.shape(case)
    per_token = flops_per_token_with_attention(cases.params(case), shape.layers, shape.hidden, cases.context(case))
    inputs = {
        "per_token": per_token,
        "tokens_per_second": number_before(case["notes"], "tok/s"),
        "cards": cases.cards(case),
        "peak_tflops": cases.card(case).bf16_tflops,
    }
    return Call(function=reached_share, inputs=inputs, read=lambda share: share * 100)


def _days(case: Case, flops: Decimal, count: int, pretrain: bool, unit: Decimal) -> Call:
    card = cases.card(case)
    share = utilisation(cases.catalog(), card.mfu, pretrain).default
    inputs = {"flops": flops, "cards": count, "peak_tflops": card.bf16_tflops, "share": share}
    return Call(function=training_days, inputs=inputs, read=lambda days: days * unit)


def step_time(case: Case) -> Call:
    """Seconds of an optimizer step: every card works through its own accumulated sequences."""
    tokens = cases.context(case) * cases.batch(case) * cases.accumulated(case) / 10**9
    per_token = flops_per_token(cases.active(case), coefficient("sizing.flops", factor(case)))
    return _days(case, job_flops(per_token, tokens), 1, pretrain=False, unit=SECONDS)


def job_time(case: Case) -> Call:
    """Card-hours of a whole training run, or its days on the cards named."""
    per_token = flops_per_token(cases.active(case), coefficient("sizing.flops", factor(case)))
    flops = job_flops(per_token, D(case["tokens_b"]))
    hours = case["unit"] == "GPU-hours"
    return _days(case, flops, 1 if hours else cases.cards(case), pretrain=True, unit=HOURS if hours else ONE)
