"""Which public function of the product answers a published sizing row, by what the row measures."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

from published import cases
from published.answers import GIB, D, factor
from published.cases import TABLE, Case, coefficient
from published.memory import claim, disk, host_ram, measured, rule_of_memory, states
from published.rows import ONE, Call, Row
from published.serving import cache, engine_tokens, served, served_weights, weights
from published.timing import counts, job_time, speed, step_time

ANSWERS: dict[str, Callable[[Case], Call]] = {
    "mem_states": states,
    "host_ram": host_ram,
    "mem_rule": rule_of_memory,
    "mem_claim": claim,
    "mem_measured": measured,
    "weights": weights,
    "kv": cache,
    "kv_tokens": engine_tokens,
    "inf_measured": served,
    "inf_rule": served_weights,
    "checkpoint": disk,
    "gpu_count": counts,
    "throughput": speed,
    "ft_speed": step_time,
    "time_to_train": job_time,
}
# A band this wide would hide an answer half as large again: the published rule's own value holds it too.
WIDE = D("0.2")
# Counts are rounded to whole steps, so ours and the rule's may be a step apart.
STEP_BAND = D("0.35")
OPEN_ENDED = ("factor", "step", "ge", "not")


def rows(path: Path = TABLE) -> list[Row]:
    """Every row of the table; rows for information are not counted."""
    return [row(case) for case in cases.table(path)]


def row(case: Case) -> Row:
    """One row with the call that answers it."""
    call = ANSWERS.get(case["kind"], claim)(case)
    binary = GIB if "GiB" in case["unit"] else ONE
    return Row(
        id=case["id"],
        kind=case["kind"],
        expected=D(case["expected_value"]),
        op=case["op"],  # type: ignore[arg-type]
        tolerance=_tolerance(case),
        call=Call(function=call.function, inputs=call.inputs, read=call.read, per=binary),
        reference=reference(case),
        within=STEP_BAND if case["kind"] == "gpu_count" else WIDE,
    )


def _tolerance(case: Case) -> Decimal:
    return D(case["tol"]) if re.fullmatch(r"[\d.]+", case["tol"]) else D(0)


def reference(case: Case) -> Decimal | None:
    """The value of the rule that answers, where the row's own band is wide or open at one end."""
    if case["op"] not in OPEN_ENDED and _tolerance(case) < WIDE:
        return None
    rule = case["ref_rule"].strip()
    if case["op"] == "not" and case["task"] == "qlora":
        return _quoted_qlora(case) if cases.bits(case) <= 4 else None
    if not case["ref_value"] or rule.startswith("0.5625P"):  # the weights alone bound a need from below, nothing more
        return None
    # A vendor's bytes of a frozen base leave out the adapters that ours holds.
    return None if (case["kind"], case["op"], factor(case)) == ("mem_rule", "rel", "adapter") else D(case["ref_value"])


def _quoted_qlora(case: Case) -> Decimal:
    """The rule of 4 bit adapters as it is quoted: a share of the parameters and a constant, with headroom."""
    per_param, constant, use = (coefficient("sizing.qlora", key) for key in ("per_param", "constant", "use"))
    return (per_param * cases.params(case) + constant) / use
