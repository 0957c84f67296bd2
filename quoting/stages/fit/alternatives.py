"""Plans to show beside the chosen one: fewest nodes, 4 bit adapters, domestic, workstation."""

from __future__ import annotations

from dataclasses import replace

from quoting.records import Fit
from quoting.requirement import Requirement
from quoting.rows import Catalog
from quoting.stages.fit.candidates import fit_on
from quoting.stages.fit.checks import all_checks
from quoting.stages.fit.jobs import Job
from quoting.stages.fit.judge import Candidate, order
from quoting.stages.fit.policy import barred
from quoting.stages.fit.rules import Limits
from quoting.stages.fit.verify import Setting


def checked(one: Candidate, fitted: Fit, jobs: tuple[Job, ...], limits: Limits) -> Fit:
    """A proposal of ours with its checks."""
    setting = Setting(
        host=one.host,
        cards=fitted.cards or one.host.cards,
        nodes=fitted.nodes or 1,
        ram_gb=one.host.ram_gb,
        between_gbps=None,
        named=False,
    )
    checks = all_checks(setting, jobs, fitted.workloads, limits)
    close = ("vram_total", "per_card_memory", "kv_cache_room")
    tight = any(check.status == "warn" and check.id in close for check in checks)
    return replace(fitted, checks=checks, verdict="tight" if tight else "fits")


def alternatives(
    chosen: Fit | None,
    candidates: list[Candidate],
    jobs: tuple[Job, ...],
    requirement: Requirement,
    catalog: Catalog,
    limits: Limits,
) -> tuple[Fit, ...]:
    """Economy of the chosen platform, a domestic plan when preferred, a workstation when the form allows one."""
    found = [
        _economy(chosen, candidates, jobs, catalog, limits) if chosen else None,
        _domestic(chosen, candidates, jobs, requirement, catalog, limits),
        _workstation(chosen, candidates, jobs, requirement, limits),
    ]
    return tuple(one for one in found if one is not None)


def _economy(
    chosen: Fit, candidates: list[Candidate], jobs: tuple[Job, ...], catalog: Catalog, limits: Limits
) -> Fit | None:
    """The same platform on the fewest nodes, when that is less than recommended."""
    one = next((candidate for candidate in candidates if candidate.fit.platform == chosen.platform), None)
    minimum, nodes = chosen.minimum_nodes, chosen.nodes
    if one is None or not minimum or not nodes or minimum >= nodes or not one.fit.feasible:
        return None
    fitted = fit_on(one.host, jobs, one.placements, minimum, minimum, catalog, limits)
    cost = None if chosen.node_cost is None else chosen.node_cost / nodes * minimum
    return checked(one, replace(fitted, node_cost=cost), jobs, limits)


def _domestic(
    chosen: Fit | None,
    candidates: list[Candidate],
    jobs: tuple[Job, ...],
    requirement: Requirement,
    catalog: Catalog,
    limits: Limits,
) -> Fit | None:
    """The cheapest domestic plan, when the form prefers one and the chosen is not."""
    if requirement.compliance.domestic != "preferred" or (chosen and chosen.tier == "xinchuang"):
        return None
    able = [
        one
        for one in candidates
        if one.fit.feasible and barred(one.platform, one.host.accelerator, requirement, limits, domestic=True) is None
    ]
    return _best(able, jobs, limits)


def _workstation(
    chosen: Fit | None,
    candidates: list[Candidate],
    jobs: tuple[Job, ...],
    requirement: Requirement,
    limits: Limits,
) -> Fit | None:
    """The cheapest workstation that does the work, when the form allows one and the chosen is another."""
    if requirement.project.form_factor == "rack":
        return None
    able = [
        one
        for one in candidates
        if one.fit.feasible and one.barred is None and one.platform.form_factor == "workstation"
    ]
    able = [one for one in able if chosen is None or one.fit.platform != chosen.platform]
    return _best(able, jobs, limits)


def _best(able: list[Candidate], jobs: tuple[Job, ...], limits: Limits) -> Fit | None:
    if not able:
        return None
    one = min(able, key=lambda candidate: (not candidate.in_time, order(candidate)))
    return checked(one, one.fit, jobs, limits)
