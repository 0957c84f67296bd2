"""make_quote: the stages in order. The table of contents of the program."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from types import MappingProxyType

from quoting import __version__
from quoting.figure import Figure
from quoting.kinds import Status
from quoting.records import (
    Bom,
    CatalogStamp,
    Check,
    Choice,
    Demand,
    Finding,
    Fit,
    Item,
    Outcome,
    Ownership,
    Price,
    Quote,
    Site,
)
from quoting.requirement import Requirement
from quoting.rows import Catalog
from quoting.serial import canonical_bytes
from quoting.stages.bom import bom as bom_stage
from quoting.stages.bom import with_pdus
from quoting.stages.changes import change_bom, change_site, refuse_unmatched
from quoting.stages.demand import demand as demand_stage
from quoting.stages.fit import fit as fit_stage
from quoting.stages.owned import with_owned_node
from quoting.stages.ownership import ownership as ownership_stage
from quoting.stages.price import price as price_stage
from quoting.stages.price import priced_remedies
from quoting.stages.site import site as site_stage

_WORST_FIRST: Mapping[Status, int] = MappingProxyType({"fail": 0, "warn": 1, "unknown": 2, "pass": 3})
_LEAST_SURE_FIRST: tuple[Status, ...] = ("fail", "unknown", "warn", "pass")

# What people ask for by name, and the changes (``Fit.change``) it may stand for, the first found wins.
ALTERNATIVES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "economy": ("fewer_nodes", "use_qlora"),
        "performance": ("more_performance",),
        "domestic": ("domestic",),
        "workstation": ("workstation",),
    }
)


def make_alternative(main: Quote, name: str, catalog: Catalog) -> Quote | None:
    """An alternative of ``main`` quoted in full, by its name in ALTERNATIVES; None when there is none of that name."""
    shown = {one.change for one in main.choice.alternatives}
    change = next((one for one in ALTERNATIVES[name] if one in shown), None)
    if change is None:
        return None
    requirement = _quantised(main.requirement) if change == "use_qlora" else main.requirement
    return make_quote(requirement, catalog, main.day, main.templates_digest, change)


def _quantised(requirement: Requirement) -> Requirement:
    """The same work with every LoRA on a 4 bit base."""
    return replace(
        requirement,
        workloads=tuple(
            replace(load, task="qlora", precision="int4") if load.task == "lora" and load.offload == "none" else load
            for load in requirement.workloads
        ),
    )


def make_quote(
    requirement: Requirement, catalog: Catalog, day: date, templates_digest: str = "", take: str = ""
) -> Quote:
    """The whole quotation for one form on one day; ``take`` quotes the alternative of that ``change`` instead.

    Same form, catalogue and day: the same bytes. Raises Mistakes when a line changed by hand is not there.
    """
    catalog = with_owned_node(requirement, catalog)
    demand = demand_stage(requirement, catalog)
    choice = fit_stage(requirement, demand, catalog, day, take)
    plan = choice.chosen or _nothing(choice)
    offer = _offer(requirement, demand, plan, catalog, day)
    bom, site, price = offer.bom, offer.site, offer.price
    refuse_unmatched(requirement.lines, offer.unchanged)
    ownership = ownership_stage(requirement, plan, site, price, catalog, day)
    named_site = _named_site(requirement, demand, choice, catalog, day)
    quote = Quote(
        schema=1,
        number="",
        revision=0,
        day=day,
        valid_until=price.valid_until,
        status="draft" if price.draft or choice.chosen is None else "final",
        program=f"quoting {__version__}",
        catalog=_stamp(catalog),
        templates_digest=templates_digest,
        requirement=requirement,
        demand=replace(demand, figures=()),
        choice=replace(choice, figures=()),
        bom=replace(bom, figures=()),
        site=replace(site, remedies=price.remedies, figures=()),
        named_site=named_site,
        price=replace(price, figures=()),
        ownership=replace(ownership, figures=()),
        outcome=_comes_to(choice.chosen.change if choice.chosen else "", offer, price.total),
        outcomes=tuple(_outcome(one, price.total, requirement, demand, catalog, day) for one in choice.alternatives),
        findings=_findings(requirement, choice, bom, site, named_site, price),
        figures=_figures(demand, choice, bom, site, price, ownership),
    )
    return replace(quote, number=_number(quote))


@dataclass(frozen=True, slots=True)
class _Offer:
    """A plan furnished, housed and priced; ``unchanged``: its lines before a sales engineer's changes."""

    bom: Bom
    site: Site
    price: Price
    unchanged: tuple[Item, ...]


def _offer(
    requirement: Requirement, demand: Demand, plan: Fit, catalog: Catalog, day: date, remedies: bool = True
) -> _Offer:
    bom = change_bom(bill := bom_stage(requirement, demand, plan, catalog), requirement.lines, catalog)
    room = site_stage(requirement, plan, bom, catalog, offers=remedies)
    site = change_site(room, requirement.lines)
    bom = with_pdus(bom, sum(rack.pdus for rack in site.racks))
    price = price_stage(requirement, plan, bom, site, catalog, day)
    return _Offer(bom, site, price, (*bill.items, *room.lines))


def _outcome(
    fit: Fit, total: Decimal | None, requirement: Requirement, demand: Demand, catalog: Catalog, day: date
) -> Outcome:
    """What an alternative comes to in this room and at this budget."""
    if fit.change == "use_qlora":
        requirement = _quantised(requirement)
        demand = demand_stage(requirement, catalog)
    offer = _offer(requirement, demand, fit, catalog, day, remedies=False)
    return _comes_to(fit.change, offer, total)


def _comes_to(change: str, offer: _Offer, plan_total: Decimal | None) -> Outcome:
    total = offer.price.total
    budget = next((one for one in offer.price.checks if one.id in ("budget", "tender_budget")), None)
    over = dict(budget.arguments).get("over") if budget else None
    room = {one.status for one in offer.site.checks}
    return Outcome(
        change=change,
        total=total,
        difference=total - plan_total if total is not None and plan_total is not None else None,
        room=next((status for status in _LEAST_SURE_FIRST if status in room), "unknown"),
        budget=budget.status if budget else None,
        over_budget=over if isinstance(over, Decimal) else None,
    )


def _nothing(choice: Choice) -> Fit:
    """A plan of no nodes, for a need that nothing in the catalogue meets: the quote is still made, and says so."""
    nearest = choice.others[0]
    return replace(nearest, nodes=0, cards=0, minimum_nodes=0, node_cost=None, feasible=False)


def _named_site(requirement: Requirement, demand: Demand, choice: Choice, catalog: Catalog, day: date) -> Site | None:
    """The room, supplies and plugs checked for hardware the customer named, where that is not what is quoted."""
    named = choice.named
    if named is None or named == choice.chosen or not named.nodes or named.platform not in catalog.platforms:
        return None
    bill = bom_stage(requirement, demand, named, catalog)
    site = site_stage(requirement, named, bill, catalog)
    remedies = priced_remedies(site.remedies, requirement, catalog, day)
    return replace(site, figures=(), lines=(), checks=(*bill.checks, *site.checks), remedies=remedies)


def _stamp(catalog: Catalog) -> CatalogStamp:
    as_of = max((row.on for rows in catalog.prices.values() for row in rows), default=None)
    return CatalogStamp(version=catalog.version, digest=catalog.digest, prices_as_of=as_of)


def _figures(*stages: Demand | Choice | Bom | Site | Price | Ownership) -> Mapping[str, Figure]:
    return {figure.id: figure for stage in stages for figure in stage.figures}


def _findings(
    requirement: Requirement, choice: Choice, bom: Bom, site: Site, named_site: Site | None, price: Price
) -> tuple[Finding, ...]:
    """Everything a person must know, worst first: questions, then checks that are not passed."""
    asks = [
        Finding(id="ask", status="warn", code=f"ask.{a.code}", arguments=a.arguments, where=a.key)
        for a in requirement.asks
    ]
    fit_checks = choice.chosen.checks if choice.chosen else ()
    named_checks = _named_checks(choice, named_site)
    checks = _not_passed((*fit_checks, *bom.checks, *site.checks, *price.checks))
    found = [*asks, *choice.findings, *checks, *_not_passed(named_checks, "named")]
    return tuple(sorted(found, key=lambda finding: _WORST_FIRST[finding.status]))


def _named_checks(choice: Choice, named_site: Site | None) -> tuple[Check, ...]:
    if choice.named is None or choice.named == choice.chosen:
        return ()
    return (*choice.named.checks, *(named_site.checks if named_site else ()))


def _not_passed(checks: Iterable[Check], subject: str = "") -> list[Finding]:
    return [
        Finding(
            id=check.id,
            status=check.status,
            code=f"check.{check.code or f'{check.id}.{check.status}'}",
            arguments=(
                ("required", check.required),
                ("available", check.available),
                ("margin", check.margin),
                ("unit", check.unit),
                *check.arguments,
            ),
            where="/".join(part for part in (subject, check.where) if part),
            source=check.source,
        )
        for check in checks
        if check.status != "pass"
    ]


def _number(quote: Quote) -> str:
    """``D``, the day, and the first ten hex digits of SHA-256 over the quote without number, revision and status."""
    bare = replace(quote, number="", revision=0, status="draft")
    digest = hashlib.sha256(canonical_bytes(bare)).hexdigest()
    return f"D{quote.day:%Y%m%d}-{digest[:10]}"
