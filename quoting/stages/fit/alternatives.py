"""Plans to show beside the chosen one: fewest nodes, 4 bit adapters, faster, domestic, workstation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal

from quoting.records import Demand, Fit
from quoting.requirement import Requirement
from quoting.rows import Catalog
from quoting.stages.fit.candidates import fit_on
from quoting.stages.fit.cards import recommended_nodes
from quoting.stages.fit.checks import all_checks
from quoting.stages.fit.jobs import Job
from quoting.stages.fit.judge import Candidate, candidate, choose, order
from quoting.stages.fit.policy import barred
from quoting.stages.fit.rules import Limits, number
from quoting.stages.fit.stepdown import stepped_down
from quoting.stages.fit.verify import Setting


def checked(one: Candidate, fitted: Fit, jobs: tuple[Job, ...], limits: Limits) -> Fit:
    """A proposal of ours with its checks."""
    setting = Setting(
        host=one.host,
        cards=fitted.cards or one.host.cards,
        nodes=fitted.nodes or 1,
        ram_gb=one.host.ram_gb,
        between_gbps=one.host.between_gbps,
        named=False,
    )
    checks = all_checks(setting, jobs, fitted.workloads, limits)
    close = ("vram_total", "per_card_memory", "kv_cache_room")
    tight = any(check.status == "warn" and check.id in close for check in checks)
    return replace(fitted, checks=checks, verdict="tight" if tight else "fits")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """Everything an alternative is worked out from."""

    chosen: Fit | None
    candidates: list[Candidate]
    jobs: tuple[Job, ...]
    requirement: Requirement
    demand: Demand
    catalog: Catalog
    limits: Limits
    price: Callable[[str], Decimal | None]


def alternatives(outlook: Outlook) -> tuple[Fit, ...]:
    """Fewest nodes, QLoRA, the next faster plan, a domestic plan, a workstation when the form allows one.

    ``change`` of each names what it is: fewer_nodes, use_qlora, more_performance, domestic, workstation.
    """
    found = (_economy(outlook), _step_down(outlook), _faster(outlook), _domestic(outlook), _workstation(outlook))
    return tuple(_compared(one, outlook.chosen) for one in found if one is not None)


def swapped(take: str, chosen: Fit | None, found: tuple[Fit, ...]) -> tuple[Fit | None, tuple[Fit, ...]]:
    """The alternative ``take`` as the plan, and the recommended plan with the other alternatives beside it.

    Without an alternative of that name the plan is already the one asked for, and only says so; "" changes nothing.
    """
    if not take or chosen is None:
        return chosen, found
    taken = next((one for one in found if one.change == take), None)
    if taken is None:
        return replace(chosen, change=take), found
    beside = (replace(chosen, change="recommended"), *(one for one in found if one is not taken))
    return taken, tuple(_compared(one, taken) for one in beside)


def _compared(one: Fit, chosen: Fit | None) -> Fit:
    """The plan with what its nodes cost more than the chosen plan's."""
    if chosen is None or chosen.node_cost is None or one.node_cost is None:
        return one
    return replace(one, cost_difference=one.node_cost - chosen.node_cost)


def _faster(outlook: Outlook) -> Fit | None:
    """The cheapest plan that trains, or where nothing is trained answers, faster by the catalogue's share.

    Any platform that may be quoted on the nodes it needs, or the chosen one on its next recommended count.
    """
    chosen, rule = outlook.chosen, "fit.more_performance"
    if chosen is None or rule not in outlook.catalog.rules:
        return None
    wanted, ours = number(outlook.catalog, rule, "gain"), _rate(chosen)
    able = [one for one in outlook.candidates if one.fit.feasible and one.barred is None]
    able = [*able, *_next_count(able, outlook)]
    faster = [one for one in able if ours is not None and (_rate(one.fit) or 0) >= ours * wanted]
    freest = [one for one in faster if one.grade == min(other.grade for other in faster)]
    return _best(freest, outlook, "more_performance")


def _rate(fit: Fit) -> Decimal | None:
    """Billions of tokens trained a day; tokens a second of all services where nothing is trained; None: unknown."""
    if fit.days_per_billion_tokens:
        return 1 / fit.days_per_billion_tokens
    speeds = [one.tokens_per_second for one in fit.workloads]
    return sum((speed for speed in speeds if speed), Decimal(0)) if speeds and all(speeds) else None


def _next_count(able: list[Candidate], outlook: Outlook) -> list[Candidate]:
    """The chosen platform on the next recommended count of nodes, where it may be joined for training."""
    chosen = outlook.chosen
    one = next((one for one in able if chosen and one.fit.platform == chosen.platform), None)
    if one is None or chosen is None or not chosen.nodes or not any(job.training for job in outlook.jobs):
        return []
    nodes = recommended_nodes(chosen.nodes + 1, outlook.limits)
    if nodes > min(one.host.max_nodes_training, outlook.limits.deadline_max_nodes):
        return []
    fewest = chosen.minimum_nodes or chosen.nodes
    fitted = fit_on(one.host, outlook.jobs, one.placements, nodes, fewest, outlook.catalog, outlook.limits)
    cost = None if chosen.node_cost is None else chosen.node_cost / chosen.nodes * nodes
    return [replace(one, fit=replace(fitted, node_cost=cost))]


def _economy(outlook: Outlook) -> Fit | None:
    """The same platform on the fewest nodes, when that is less than recommended."""
    chosen = outlook.chosen
    if chosen is None:
        return None
    one = next((candidate for candidate in outlook.candidates if candidate.fit.platform == chosen.platform), None)
    minimum, nodes = chosen.minimum_nodes, chosen.nodes
    if one is None or not minimum or not nodes or minimum >= nodes or not one.fit.feasible:
        return None
    fitted = fit_on(one.host, outlook.jobs, one.placements, minimum, minimum, outlook.catalog, outlook.limits)
    cost = None if chosen.node_cost is None else chosen.node_cost / nodes * minimum
    fitted = checked(one, replace(fitted, node_cost=cost), outlook.jobs, outlook.limits)
    return replace(fitted, change="fewer_nodes")


def _step_down(outlook: Outlook) -> Fit | None:
    """QLoRA in place of LoRA, when that is the difference between a dearer tier and the entry tier."""
    chosen = outlook.chosen
    if chosen is not None and chosen.tier not in ("enterprise", "cluster"):
        return None
    jobs = stepped_down(outlook.jobs, outlook.demand, outlook.catalog)
    if jobs is None:
        return None
    one = choose(
        [
            candidate(candidate_.platform, jobs, outlook.requirement, outlook.catalog, outlook.limits, outlook.price)
            for candidate_ in outlook.candidates
            if candidate_.barred is None
        ]
    )
    if one is None or (chosen is not None and (one.fit.platform == chosen.platform or _dearer(one.fit, chosen))):
        return None
    return replace(checked(one, one.fit, jobs, outlook.limits), change="use_qlora")


def _dearer(one: Fit, chosen: Fit) -> bool:
    """Whether its nodes are known to cost more, so that there is nothing economical in it."""
    return one.node_cost is not None and chosen.node_cost is not None and one.node_cost > chosen.node_cost


def _domestic(outlook: Outlook) -> Fit | None:
    """The cheapest domestic plan, when the chosen is not."""
    chosen, requirement = outlook.chosen, outlook.requirement
    if chosen and chosen.tier == "xinchuang":
        return None
    able = [
        one
        for one in outlook.candidates
        if one.fit.feasible
        and barred(one.platform, one.host.accelerator, requirement, outlook.limits, domestic=True) is None
    ]
    return _best(able, outlook, "domestic")


def _workstation(outlook: Outlook) -> Fit | None:
    """The cheapest workstation that does the work, when the form allows one and the chosen is another."""
    chosen = outlook.chosen
    if outlook.requirement.project.form_factor == "rack":
        return None
    able = [
        one
        for one in outlook.candidates
        if one.fit.feasible and one.barred is None and one.platform.form_factor == "workstation"
    ]
    able = [one for one in able if chosen is None or one.fit.platform != chosen.platform]
    return _best(able, outlook, "workstation")


def _best(able: list[Candidate], outlook: Outlook, label: str) -> Fit | None:
    if not able:
        return None
    one = min(able, key=lambda candidate: (not candidate.in_time, order(candidate)))
    return replace(checked(one, one.fit, outlook.jobs, outlook.limits), change=label)
