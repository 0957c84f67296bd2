"""The whole work on one server: nodes, time and speed."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from math import ceil

from quoting.records import Fit, WorkloadFit
from quoting.rows import Catalog
from quoting.stages.fit.jobs import Job, serving
from quoting.stages.fit.placing import Host, Placement, Rejection, replica_speed, tier_of
from quoting.stages.fit.rules import Limits
from quoting.stages.fit.speed import (
    BILLION_TOKENS,
    deadline_cards,
    first_token_seconds,
    training_days,
    utilisation,
)


def combined(cards: list[int], running: list[bool]) -> int:
    """Cards of several workloads: those that run at the same time add up, the others take turns."""
    together = sum(count for count, concurrent in zip(cards, running, strict=True) if concurrent)
    return max([together, *cards])


def node_counts(placements: tuple[Placement, ...], jobs: tuple[Job, ...], host: Host) -> tuple[int, int]:
    """Fewest and recommended nodes before time is looked at, both at least one."""
    running = [job.workload.concurrent for job in jobs]
    minimum = combined([placement.minimum or 0 for placement in placements], running)
    recommended = combined([placement.recommended or placement.minimum or 0 for placement in placements], running)
    return max(1, ceil(minimum / host.cards)), max(1, ceil(recommended / host.cards))


def nodes_for_deadline(jobs: tuple[Job, ...], host: Host, catalog: Catalog, limits: Limits) -> int:
    """Nodes that finish every job in time; 0 when no job has both tokens and a deadline."""
    peak, nodes = host.accelerator.bf16_tflops, 0
    if not peak:
        return 0
    for job in jobs:
        days = job.need.deadline_days
        if days and job.need.flops:
            share = utilisation(catalog, host.accelerator.mfu, job.need.task == "pretrain").default
            cards = deadline_cards(job.need.flops, peak, share, limits.available, days)
            nodes = max(nodes, ceil(cards / host.cards))
    return nodes


def with_speed(job: Job, placement: Placement, host: Host, cards: int, catalog: Catalog, limits: Limits) -> WorkloadFit:
    """The workload on so many cards, with its time or its speed."""
    need, accelerator = job.need, host.accelerator
    per_card = job.shares.per_card(cards) if job.training else _serving_share(job, placement, host)
    fitted = WorkloadFit(
        workload=need.workload,
        minimum_cards=placement.minimum,
        recommended_cards=placement.recommended,
        per_card_gb=per_card,
        tensor_parallel=placement.layout.tensor if placement.layout else None,
        copy_cards=placement.layout.tensor * placement.layout.pipeline if placement.layout else None,
    )
    if not job.training:
        return _served(fitted, job, placement, host, limits)
    if need.flops is None or not accelerator.bf16_tflops:
        return fitted
    share = utilisation(catalog, accelerator.mfu, need.task == "pretrain")
    days = training_days(need.flops, cards, accelerator.bf16_tflops, share.default)
    low, high = days * share.default / share.high, days * share.default / share.low
    return replace(fitted, days=days, days_low=low, days_high=high)


def _serving_share(job: Job, placement: Placement, host: Host) -> Decimal | None:
    if placement.layout is None:
        return None
    model, layout = serving(job, host.accelerator), placement.layout
    share = min(job.workload.concurrency, layout.requests)
    cache = model.cache * share / (layout.pipeline * min(layout.tensor, model.kv_heads))
    return model.weights / (layout.tensor * layout.pipeline) + cache


def _served(fitted: WorkloadFit, job: Job, placement: Placement, host: Host, limits: Limits) -> WorkloadFit:
    layout, workload = placement.layout, job.workload
    speed = replica_speed(job, layout, host, limits) if layout and layout.replicas else None
    if layout is None or speed is None:
        return fitted
    peak, first = host.accelerator.bf16_tflops, None
    if peak:
        cards = layout.tensor * layout.pipeline
        first = first_token_seconds(workload.active_params_b, workload.context, peak, cards, limits.prefill)
    return replace(fitted, tokens_per_second=speed * layout.replicas, first_token_s=first)


def days_per_billion(jobs: tuple[Job, ...], host: Host, cards: int, catalog: Catalog) -> Decimal | None:
    """Days for a billion tokens of the heaviest training workload."""
    peak = host.accelerator.bf16_tflops
    trained = [job for job in jobs if job.training]
    if not peak or not trained:
        return None
    heaviest = max(trained, key=lambda job: job.need.flops_per_token)
    share = utilisation(catalog, host.accelerator.mfu, heaviest.need.task == "pretrain").default
    return training_days(heaviest.need.flops_per_token * BILLION_TOKENS, cards, peak, share)


def total_days(fits: tuple[WorkloadFit, ...], jobs: tuple[Job, ...]) -> Decimal | None:
    """Days of all training: jobs that run together take the longest, the others follow one another."""
    known = [(fit.days, job.workload.concurrent) for fit, job in zip(fits, jobs, strict=True) if fit.days is not None]
    if not known:
        return None
    together = max((days for days, concurrent in known if concurrent), default=Decimal(0))
    return together + sum((days for days, concurrent in known if not concurrent), Decimal(0))


def fit_on(
    host: Host,
    jobs: tuple[Job, ...],
    placements: tuple[Placement, ...],
    nodes: int,
    minimum: int,
    catalog: Catalog,
    limits: Limits,
    cards: int | None = None,
) -> Fit:
    """The whole work on ``nodes`` nodes of a host; ``cards`` when the nodes are not full."""
    cards = cards or nodes * host.cards
    shares = own_cards(jobs, [placement.recommended for placement in placements], cards)
    fits = tuple(
        with_speed(job, placement, host, own, catalog, limits)
        for job, placement, own in zip(jobs, placements, shares, strict=True)
    )
    memory = host.accelerator.memory_gb
    power = host.power_w
    return Fit(
        tier=tier_of(host.family, nodes),
        platform=host.sku,
        gpu=host.accelerator.sku,
        nodes=nodes,
        cards=cards,
        minimum_nodes=minimum,
        memory_gb=memory * cards if memory is not None else None,
        node_cost=None,
        power_kw=power * nodes / 1000 if power is not None else None,
        days=total_days(fits, jobs),
        days_per_billion_tokens=days_per_billion(jobs, host, cards, catalog),
        feasible=True,
        workloads=fits,
    )


def own_cards(jobs: tuple[Job, ...], wanted: list[int | None], cards: int) -> list[int]:
    """Cards each workload works on: all of them, or its share when others run at the same time."""
    together = [count or cards for job, count in zip(jobs, wanted, strict=True) if job.workload.concurrent]
    if len(together) < 2:
        return [cards] * len(jobs)
    total = sum(together)
    return [
        max(1, cards * (count or cards) // total) if job.workload.concurrent else cards
        for job, count in zip(jobs, wanted, strict=True)
    ]


def unfit(
    host: Host, placements: tuple[Placement, ...], jobs: tuple[Job, ...], rejection: Rejection, recommended: int | None
) -> Fit:
    """A platform that cannot do the work, with the rule that says so and the count it would need."""
    minimum = None
    if all(placement.minimum is not None for placement in placements):
        minimum = node_counts(placements, jobs, host)[0]
    return Fit(
        tier=tier_of(host.family, minimum or 1),
        platform=host.sku,
        gpu=host.accelerator.sku,
        nodes=recommended if minimum is not None else None,
        cards=recommended * host.cards if recommended and minimum is not None else None,
        minimum_nodes=minimum,
        memory_gb=None,
        node_cost=None,
        power_kw=None,
        days=None,
        days_per_billion_tokens=None,
        feasible=False,
        verdict="no",
        rejected_by=rejection.rule,
        rejected_required=rejection.required,
        rejected_available=rejection.available,
        rejected_unit=rejection.unit,
    )
