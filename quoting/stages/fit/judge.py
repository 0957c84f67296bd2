"""Every platform judged: by physics, by what may be quoted, by time, by price."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal

from quoting.parts import Platform
from quoting.records import Fit
from quoting.requirement import Requirement
from quoting.rows import Catalog
from quoting.stages.fit.candidates import fit_on, node_counts, nodes_for_deadline, unfit
from quoting.stages.fit.cards import recommended_nodes
from quoting.stages.fit.jobs import Job
from quoting.stages.fit.placing import Host, Placement, Rejection, host_of, place
from quoting.stages.fit.policy import barred, cost_order, grade
from quoting.stages.fit.rules import Limits

TIERS = ("entry", "enterprise", "cluster", "xinchuang")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A platform with its fit and everything the choice looks at."""

    platform: Platform
    host: Host
    placements: tuple[Placement, ...]
    fit: Fit
    barred: Rejection | None
    in_time: bool  # deadlines met and asked speeds reached
    grade: int
    raised: Rejection | None  # the per-card check asked for more nodes than total memory does


def candidate(
    platform: Platform,
    work: tuple[Job, ...],
    requirement: Requirement,
    catalog: Catalog,
    rules: Limits,
    price: Callable[[str], Decimal | None],
) -> Candidate:
    """One platform judged by physics, then by what may be quoted, then by time."""
    host = host_of(platform, catalog, rules)
    placements = tuple(place(job, host, rules) for job in work)
    rejection = next((one.rejection for one in placements if one.rejection), None)
    minimum, wanted = node_counts(placements, work, host)
    most = min(_most_nodes(work, host), rules.max_nodes)
    wanted = min(recommended_nodes(max(minimum, wanted), rules), max(most, minimum))
    if rejection is None and minimum > most:
        rejection = Rejection(rule="fit.nodes", required=Decimal(minimum), available=Decimal(most), unit="node")
    if rejection is not None:
        fitted, in_time = unfit(host, placements, work, rejection, wanted), False
    else:
        nodes, in_time = _in_time(work, host, wanted, most, catalog, rules)
        fitted = fit_on(host, work, placements, nodes, minimum, catalog, rules)
        in_time = in_time and _fast(work, fitted)
        cost = price(platform.sku)
        fitted = replace(fitted, node_cost=None if cost is None else cost * nodes)
    return Candidate(
        platform=platform,
        host=host,
        placements=placements,
        fit=fitted,
        barred=barred(platform, host.accelerator, requirement, rules),
        in_time=in_time,
        grade=grade(host.accelerator),
        raised=_raised(work, placements, host, rules),
    )


def _most_nodes(work: tuple[Job, ...], host: Host) -> int:
    """Nodes that may be quoted together: training on all of them, or independent serving."""
    return host.max_nodes_training if any(job.training for job in work) else host.max_nodes_serving


def _in_time(
    work: tuple[Job, ...], host: Host, nodes: int, most: int, catalog: Catalog, rules: Limits
) -> tuple[int, bool]:
    """Nodes once time is looked at, and whether every deadline that can be judged is met."""
    needed = nodes_for_deadline(work, host, catalog, rules)
    asked = any(job.need.deadline_days and job.need.flops for job in work)
    if needed <= nodes:
        return nodes, not asked or bool(host.accelerator.bf16_tflops)
    wanted = recommended_nodes(needed, rules)
    if wanted <= min(most, rules.deadline_max_nodes):
        return wanted, True
    return nodes, False


def _fast(work: tuple[Job, ...], fitted: Fit) -> bool:
    """Whether every asked speed is reached by the estimate."""
    for job, one in zip(work, fitted.workloads, strict=True):
        asked, first = job.workload.tokens_per_second, job.workload.first_token_s
        if asked is not None and (one.tokens_per_second is None or one.tokens_per_second < asked):
            return False
        if first is not None and (one.first_token_s is None or one.first_token_s > first):
            return False
    return True


def _raised(work: tuple[Job, ...], placements: tuple[Placement, ...], host: Host, rules: Limits) -> Rejection | None:
    memory = host.accelerator.memory_gb
    for job, placement in zip(work, placements, strict=True):
        by_total = placement.by_total
        if memory and by_total and job.shares.total and placement.minimum and placement.minimum > by_total:
            needed = job.shares.per_card(by_total)
            room = memory * rules.usable_training
            if needed > room and placement.minimum > host.cards:
                return Rejection(rule="per_card_memory", required=needed, available=room, unit="GB")
    return None


def choose(candidates: list[Candidate]) -> Candidate | None:
    """The cheapest of the smallest tier, freely exported parts before licence-bound ones; in time if any is."""
    able = [one for one in candidates if one.fit.feasible and one.barred is None]
    able = [one for one in able if one.in_time] or able
    for tier in TIERS:
        in_tier = [one for one in able if one.fit.tier == tier]
        freest = [one for one in in_tier if one.grade == min(other.grade for other in in_tier)]
        if freest:
            return min(freest, key=order)
    return None


def order(one: Candidate) -> tuple[bool, Decimal, Decimal, str]:
    """Cheapest first, an unknown price last; ties by power, then SKU."""
    unknown, cost = cost_order(one.fit.node_cost)
    return unknown, cost, one.fit.power_kw or Decimal(0), one.fit.platform
