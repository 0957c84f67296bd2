"""News beside the checks: unofficial sizes, shapes by analogy, slow cards, a claim that does not hold."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from quoting.kinds import Arguments
from quoting.records import Demand, Finding, Fit
from quoting.rows import Catalog
from quoting.stages.fit.jobs import Job
from quoting.stages.fit.rules import number
from quoting.stages.fit.speed import deadline_cards, training_days, utilisation


def findings(chosen: Fit | None, jobs: tuple[Job, ...], demand: Demand, catalog: Catalog) -> tuple[Finding, ...]:
    """What a person must know about the sizing and the choice."""
    found = [*_models(jobs, demand), *_claims(jobs, catalog)]
    if chosen is None:
        return (*found, Finding(id="choice", status="fail", code="nothing_fits"))
    if any(job.training for job in jobs) and catalog.accelerators[chosen.gpu].mfu == "h20":
        arguments = (("days", chosen.days_per_billion_tokens), ("cards", chosen.cards))
        found.append(Finding(id="speed", status="warn", code="slow_training_card", arguments=arguments))
    return (*found, *_time(chosen, jobs, catalog))


def _time(chosen: Fit, jobs: tuple[Job, ...], catalog: Catalog) -> Iterator[Finding]:
    """The arithmetic of a job that is late by its deadline, or takes longer than anybody plans: card-days and cards."""
    accelerator, cards = catalog.accelerators[chosen.gpu], chosen.cards or 0
    peak = accelerator.bf16_tflops
    for job in jobs:
        flops, asked = job.need.flops, job.need.deadline_days
        if not peak or not flops:
            continue
        share = utilisation(catalog, accelerator.mfu, job.need.task == "pretrain").default
        target = asked or number(catalog, "fit.long_job", "days")
        needed = deadline_cards(flops, peak, share, number(catalog, "sizing.availability", "share"), target)
        days = training_days(flops, max(cards, 1), peak, share)
        if days <= target:
            continue
        alone = training_days(flops, 1, peak, share)
        told = (("days", days), ("target", target), ("card_days", alone), ("cards", Decimal(cards)))
        yield Finding(
            id="deadline",
            status="fail" if asked else "warn",
            code="deadline_cards" if asked else "long_job",
            where=job.need.workload,
            source=catalog.rules["fit.long_job"].source,
            arguments=(*((name, Decimal(round(value))) for name, value in told), ("needed", Decimal(needed))),
        )


def _models(jobs: tuple[Job, ...], demand: Demand) -> Iterator[Finding]:
    likes = {figure.id: figure.decided_by for figure in demand.figures if figure.text == "sizing.nearest"}
    for job in jobs:
        where, name = job.need.workload, job.workload.name
        if job.workload.model is not None and not job.need.official:
            arguments = (("name", name), ("params_b", job.workload.params_b))
            yield Finding(id="model", status="warn", code="model_unofficial", where=where, arguments=arguments)
        like = likes.get(f"demand.{where}.layers")
        if like:
            seen: Arguments = (("name", name), ("params_b", job.workload.params_b), ("like", like))
            code = "model_nearest" if job.workload.model else "model_by_size"
            yield Finding(id="model", status="pass", code=code, where=where, arguments=seen)


def _claims(jobs: tuple[Job, ...], catalog: Catalog) -> Iterator[Finding]:
    """Two 640 GB nodes for full training of a 70B model: less than the states alone."""
    rule = "fit.two_nodes_claim"
    low, high = number(catalog, rule, "from_b"), number(catalog, rule, "to_b")
    nodes, node = number(catalog, rule, "nodes"), number(catalog, rule, "node_gb")
    for job in jobs:
        static = job.need.static_gb
        if job.need.task == "full" and low <= job.workload.params_b <= high and static > nodes * node:
            arguments = (("nodes", nodes), ("node_gb", node), ("capacity", nodes * node), ("static", static))
            yield Finding(
                id="vram_total",
                status="warn",
                code="two_nodes_short",
                where=job.need.workload,
                source=catalog.rules[rule].source,
                arguments=arguments,
            )
