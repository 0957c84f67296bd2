"""Where published rules of training memory disagree: what each would give for this work on the chosen card."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from math import ceil

from quoting.figure import evaluate
from quoting.records import Counting, Fit
from quoting.rows import Catalog, Rule
from quoting.stages.fit.cards import rounded_cards
from quoting.stages.fit.jobs import Job
from quoting.stages.fit.rules import number

PARTS = "weights + gradients + master + optimizer"
STATES = "bytes_per_param * params"
CARDS = "ceil(states / use / memory)"


def countings(chosen: Fit | None, jobs: tuple[Job, ...], catalog: Catalog) -> tuple[Counting, ...]:
    """Every published rule for every training, fewest bytes first; the same share of a card filled under each.

    For adapters the rules of full training stand beside the one of adapters, which is used.

    Cards are rounded as in a plan; what a single card must hold besides is left out.
    """
    memory = catalog.accelerators[chosen.gpu].memory_gb if chosen else None
    if chosen is None or memory is None:
        return ()
    per_node = catalog.platforms[chosen.platform].cards if chosen.platform in catalog.platforms else chosen.cards or 1
    found = (
        _counting(job, id, ends, memory, per_node, catalog)
        for job in jobs
        if job.need.task in ("full", "pretrain") or job.adapter_rule is not None
        for id, ends in _rules(job, catalog)
    )
    return tuple(sorted(found, key=lambda one: (one.workload, one.high_bytes, one.low_bytes, one.rule)))


def _rules(job: Job, catalog: Catalog) -> Iterator[tuple[str, tuple[Decimal, Decimal]]]:
    """Ids with the fewest and most bytes a parameter; a frozen base is no full training."""
    own = job.adapter_rule[0] if job.adapter_rule else number(catalog, f"sizing.{job.need.task}", "bytes")
    for id, row in catalog.rules.items():
        if id.startswith("published."):
            ends = number(catalog, id, "low"), number(catalog, id, "high")
            if ends != (own, own):  # else it is the rule used
                yield id, ends
        elif id.startswith("regime.") and row.values["gradients"]:
            bytes_per_param = _bytes(row)
            if id != _used(job) and bytes_per_param == own and _used(job) == f"sizing.{job.need.task}":
                continue  # the rule used has these bytes from this very count
            yield id, (bytes_per_param, bytes_per_param)
    yield f"sizing.{job.need.task}", (own, own)


def _source(row: Rule) -> str:
    """The source of the bytes where the rule names one, else the rule's."""
    known = row.provenance.get("bytes")
    return (known.source if known else "") or row.source


def _bytes(row: Rule) -> Decimal:
    return evaluate(PARTS, {key: Decimal(row.values[key]) for key in ("weights", "gradients", "master", "optimizer")})


def _used(job: Job) -> str:
    optimizer = job.workload.optimizer
    own = job.adapter_rule is not None or optimizer == "adamw"
    return f"sizing.{job.need.task}" if own else f"regime.{optimizer}"


def _counting(
    job: Job, id: str, ends: tuple[Decimal, Decimal], memory: Decimal, per_node: int, catalog: Catalog
) -> Counting:
    use = number(catalog, f"sizing.{job.need.task}", "use")
    low, high = (evaluate(STATES, {"bytes_per_param": end, "params": job.workload.params_b}) for end in ends)
    cards = [ceil(evaluate(CARDS, {"states": states, "use": use, "memory": memory})) for states in (low, high)]
    return Counting(
        workload=job.need.workload,
        rule=id,
        low_bytes=ends[0],
        high_bytes=ends[1],
        low_gb=low,
        high_gb=high,
        low_cards=rounded_cards(max(1, cards[0]), per_node),
        high_cards=rounded_cards(max(1, cards[1]), per_node),
        used=id == _used(job) and job.workload.offload == "none",
        source=_source(catalog.rules[id]),
    )
