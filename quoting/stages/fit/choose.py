"""The stage itself: every platform judged, one chosen, named hardware verified, alternatives shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal

from quoting.catalog import node_price
from quoting.parts import Platform
from quoting.records import Choice, Demand, Fit
from quoting.requirement import Requirement
from quoting.rows import Catalog
from quoting.stages.fit.alternatives import Outlook, alternatives, checked, swapped
from quoting.stages.fit.countings import countings
from quoting.stages.fit.figures import figures
from quoting.stages.fit.findings import findings
from quoting.stages.fit.jobs import Job, jobs
from quoting.stages.fit.judge import Candidate, candidate, choose
from quoting.stages.fit.named import adopt, named_fit
from quoting.stages.fit.placing import Rejection
from quoting.stages.fit.policy import FOREIGN, SERVING_ONLY
from quoting.stages.fit.rules import limits
from quoting.stages.fit.stepdown import divided


def fit(requirement: Requirement, demand: Demand, catalog: Catalog, day: date, take: str = "") -> Choice:
    """Every platform of the catalogue against the demand, the chosen one first among those of the smallest tier.

    ``others`` holds all platforms but the chosen, each with the one rule that rejected it ("" is merely dearer).
    ``take`` chooses the alternative of that ``change`` in place of the recommended plan, which is then shown beside it.
    """
    rules, work = limits(catalog), jobs(requirement, demand, catalog)
    price = _pricer(catalog, day)

    def judged(some: tuple[Job, ...]) -> list[Candidate]:
        return [candidate(platform, some, requirement, catalog, rules, price) for platform in _all(catalog)]

    plan, candidates = work, judged(work)
    if choose(candidates) is None and (whole := divided(work, catalog)) is not None:
        plan, candidates = whole, judged(whole)
    best = choose(candidates)
    named = named_fit(work, requirement, catalog, rules)
    taken = adopt(named, requirement, catalog, rules, price)
    chosen = taken or (checked(best, best.fit, plan, rules) if best else None)
    outlook = Outlook(
        chosen=chosen,
        candidates=candidates,
        jobs=plan,
        requirement=requirement,
        demand=demand,
        catalog=catalog,
        limits=rules,
        price=price,
    )
    chosen, beside = swapped(take, chosen, alternatives(outlook))
    return Choice(
        chosen=chosen,
        named=taken or named,
        others=_others(candidates, chosen, best, taken is not None, _asked(requirement)),
        alternatives=beside,
        reasons=("alternative",) if take else _reasons(chosen, taken, best, candidates, plan is not work),
        findings=findings(chosen, plan, demand, catalog),
        countings=countings(chosen, plan, catalog),
        figures=figures(chosen, plan, catalog) if chosen else (),
    )


def _asked(requirement: Requirement) -> Decimal | None:
    """The one deadline of the form; None when there is none, or several that no one number stands for."""
    asked = [load.deadline_days for load in requirement.workloads if load.deadline_days is not None]
    return asked[0] if len(asked) == 1 else None


def _others(
    candidates: list[Candidate], chosen: Fit | None, best: Candidate | None, named: bool, asked: Decimal | None
) -> tuple[Fit, ...]:
    """Every platform but the chosen, judged."""
    name = chosen.platform if chosen else ""
    judged = (_judged(one, best, named, asked) for one in candidates if one.fit.platform != name)
    return tuple(_measured(one, chosen) for one in judged)


def _measured(one: Fit, chosen: Fit | None) -> Fit:
    """The fit with how far it is from what the rule asks; a merely dearer one is compared by node cost."""
    required, available = one.rejected_required, one.rejected_available
    if not one.rejected_by and chosen is not None:
        required, available = chosen.node_cost, one.node_cost
    if not required or available is None:
        return one
    return replace(one, rejected_margin=available / required - 1)


def _all(catalog: Catalog) -> list[Platform]:
    return [catalog.platforms[sku] for sku in sorted(catalog.platforms)]


def _pricer(catalog: Catalog, day: date) -> Callable[[str], Decimal | None]:
    def price(sku: str) -> Decimal | None:
        return node_price(catalog, catalog.platforms[sku], day)

    return price


def _judged(one: Candidate, best: Candidate | None, named: bool, asked: Decimal | None) -> Fit:
    """The fit with the one rule that rejected it, origin first; "" when it is merely dearer."""
    foreign = one.barred is not None and one.barred.rule in FOREIGN
    if not one.fit.feasible and not foreign:
        return one.fit
    rejection = one.barred or (_lost(one, best, asked) if best else None)
    if rejection is not None and rejection.rule == SERVING_ONLY:
        rejection = one.raised or rejection
    if rejection is None and named:
        rejection = Rejection(rule="fit.named")
    if rejection is None:
        return one.fit
    return replace(
        one.fit,
        rejected_by=rejection.rule,
        rejected_required=rejection.required,
        rejected_available=rejection.available,
        rejected_unit=rejection.unit,
    )


def _lost(one: Candidate, best: Candidate, asked: Decimal | None) -> Rejection | None:
    """Why a platform that fits and may be quoted was not taken."""
    if best.in_time and not one.in_time:
        return Rejection(rule="deadline", required=asked, available=one.fit.days, unit="day")
    if one.fit.tier != best.fit.tier:
        return Rejection(rule="fit.tier", required=best.fit.node_cost, available=one.fit.node_cost, unit="CNY")
    if one.grade > best.grade:
        return Rejection(rule="export_control", available=one.host.accelerator.tpp, unit="TPP")
    return one.raised


def _reasons(
    chosen: Fit | None, taken: Fit | None, best: Candidate | None, candidates: list[Candidate], divided_states: bool
) -> tuple[str, ...]:
    """Why this one, decisive first."""
    if chosen is None:
        return ("nothing_fits",)
    if taken is not None or best is None:
        return ("named_hardware",)
    rivals = [one for one in candidates if one is not best and _rival(one, best)]
    reasons = [f"tier_{chosen.tier}"]
    if divided_states:
        reasons.append("states_divided")
    if best.grade == 0 and any(one.grade for one in rivals):
        reasons.append("freer_export")
    if chosen.node_cost is None:
        reasons.append("no_price")
    else:
        reasons.append("cheapest_in_tier" if rivals else "only_in_tier")
    if not best.in_time:
        reasons.append("deadline_missed")
    return tuple(reasons)


def _rival(one: Candidate, best: Candidate) -> bool:
    return one.fit.feasible and one.barred is None and one.fit.tier == best.fit.tier
