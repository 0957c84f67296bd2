"""News beside the checks: unofficial sizes, shapes by analogy, slow cards, a claim that does not hold."""

from __future__ import annotations

from collections.abc import Iterator

from quoting.kinds import Arguments
from quoting.records import Demand, Finding, Fit
from quoting.rows import Catalog
from quoting.stages.fit.jobs import Job
from quoting.stages.fit.rules import number


def findings(chosen: Fit | None, jobs: tuple[Job, ...], demand: Demand, catalog: Catalog) -> tuple[Finding, ...]:
    """What a person must know about the sizing and the choice."""
    found = [*_models(jobs, demand), *_claims(jobs, catalog)]
    if chosen is None:
        return (*found, Finding(id="choice", status="fail", code="nothing_fits"))
    if any(job.training for job in jobs) and catalog.accelerators[chosen.gpu].mfu == "h20":
        arguments = (("days", chosen.days_per_billion_tokens), ("cards", chosen.cards))
        found.append(Finding(id="speed", status="warn", code="slow_training_card", arguments=arguments))
    return tuple(found)


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
