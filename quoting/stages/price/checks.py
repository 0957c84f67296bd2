"""Commercial checks: tier band, budget, price age, missing prices, lead time."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from decimal import Decimal

from quoting.figure import round_fen
from quoting.kinds import Arguments, Status
from quoting.records import Check, Fit, Item, Price, PricedLine
from quoting.requirement import Requirement
from quoting.rows import Catalog, Rule, TierRow
from quoting.stages.margins import margin


def band_total(items: Iterable[Item], lines: Iterable[PricedLine], catalog: Catalog) -> Decimal | None:
    """What the published band of a tier is compared with: node, fabric and deployment, tax included; rules.toml names
    the scopes. None while any of them has no price."""
    scopes = str(catalog.rules["tier_band"].values["scopes"]).split()
    skus = {item.sku for item in items if item.scope in scopes and not item.parent}
    subtotals = [line.subtotal for line in lines if not line.included and line.sku in skus]
    if any(subtotal is None for subtotal in subtotals):
        return None
    return sum((subtotal for subtotal in subtotals if subtotal is not None), Decimal("0.00"))


def commercial_checks(
    requirement: Requirement, fit: Fit, price: Price, catalog: Catalog, day: date
) -> tuple[Check, ...]:
    """The checks of one priced plan, in the order they are printed."""
    return (
        *_tier_band(fit, price, catalog),
        *_budget(requirement, price, catalog),
        _no_price(price),
        _price_age(price, catalog, day),
        *_lead_time(requirement, price, catalog, day),
    )


def _tier_band(fit: Fit, price: Price, catalog: Catalog) -> tuple[Check, ...]:
    """Inside the band passes; outside warns with the percentage. Nothing is compared where the nodes are owned."""
    if any(line.owned and line.group == "compute" for line in price.lines):
        return ()
    tier = catalog.tiers[fit.tier]
    if price.band_total is None or not fit.nodes:
        return (Check(id="tier_band", status="unknown", unit="CNY", source=tier.source),)
    return (_banded(price.band_total / (fit.nodes if tier.band_per == "node" else 1), tier),)


def _banded(compared: Decimal, tier: TierRow) -> Check:
    bound = tier.band_low if compared < tier.band_low else tier.band_high
    inside = tier.band_low <= compared <= tier.band_high
    outside = Decimal(0) if inside else compared / bound - 1
    return Check(
        id="tier_band",
        status="pass" if inside else "warn",
        required=bound,
        available=round_fen(compared),
        margin=outside,
        unit="CNY",
        arguments=(("low", tier.band_low), ("high", tier.band_high), ("per", tier.band_per), ("outside", outside)),
        source=tier.source,
    )


def _budget(requirement: Requirement, price: Price, catalog: Catalog) -> tuple[Check, ...]:
    commercial = requirement.commercial
    if commercial.budget is None:
        return ()
    asked = price.total if commercial.budget_tax_included else price.net
    tax = "included" if commercial.budget_tax_included else "excluded"
    arguments = (("tax", tax),)
    if asked is None:
        return (Check(id="budget", status="unknown", available=commercial.budget, unit="CNY", arguments=arguments),)
    left = margin("budget", asked, commercial.budget) or Decimal(0)
    status = _graded(left, catalog.rules["budget"])
    if requirement.document.mode == "tender":
        return (_tender_budget(commercial.budget, asked, left, status, tax),)
    return (
        Check(
            id="budget",
            status=status,
            required=asked,
            available=commercial.budget,
            margin=left,
            unit="CNY",
            arguments=(*arguments, *_beyond(commercial.budget, asked)),
            source="budget",
        ),
    )


def _beyond(budget: Decimal, asked: Decimal) -> Arguments:
    """By how much the price exceeds the budget in yuan, and how far it is from it as a share of the budget."""
    over = max(Decimal(0), asked - budget)
    return (("over", over), ("share", abs(budget - asked) / budget if budget else Decimal(0)))


def _tender_budget(budget: Decimal, asked: Decimal, left: Decimal, status: Status, tax: str) -> Check:
    """A bid above the budget is void; one below it is a bid, however near."""
    return Check(
        id="tender_budget",
        status="fail" if status == "fail" else "pass",
        required=asked,
        available=budget,
        margin=left,
        unit="CNY",
        arguments=(("tax", tax), *_beyond(budget, asked)),
        source="budget",
    )


def _graded(left: Decimal, rule: Rule) -> Status:
    """``warn`` and ``fail`` are the margins below which the status holds."""
    if left < Decimal(rule.values["fail"]):
        return "fail"
    return "warn" if left < Decimal(rule.values["warn"]) else "pass"


def _no_price(price: Price) -> Check:
    missing = [line.sku or line.name_zh for line in price.lines if not line.included and line.unit_price is None]
    return Check(
        id="no_price",
        status="fail" if missing else "pass",
        required=Decimal(0),
        available=Decimal(len(missing)),
        unit="lines",
        arguments=(("skus", ", ".join(missing)),),
        source="no_price",
    )


def _price_age(price: Price, catalog: Catalog, day: date) -> Check:
    """The oldest price in the total, in days. Only a supplier's own end date fails: an estimate is a draft anyway."""
    rule = catalog.rules["price_age"]
    costs = [line.cost for line in price.lines if line.cost is not None and line.quantity]
    expired = [line.sku for line in price.lines if line.cost is not None and line.cost.expired]
    age = max(((day - cost.on).days for cost in costs if cost.on), default=None)
    if age is None:
        return Check(id="price_age", status="unknown", unit="days", source="price_age")
    old = age > Decimal(rule.values["warn"])
    status: Status = "fail" if len(expired) > int(Decimal(rule.values["fail"])) else "warn" if old else "pass"
    return Check(
        id="price_age",
        status=status,
        required=Decimal(rule.values["warn"]),
        available=Decimal(age),
        unit="days",
        arguments=(("expired", ", ".join(expired)),),
        source="price_age",
    )


def _lead_time(requirement: Requirement, price: Price, catalog: Catalog, day: date) -> tuple[Check, ...]:
    """Weeks to the wanted date against the longest lead time plus commissioning."""
    needed = requirement.project.needed_by
    if needed is None or price.lead_weeks is None:
        return ()
    rule = catalog.rules["lead_time"]
    required = Decimal(price.lead_weeks) + Decimal(rule.values["commissioning_weeks"])
    available = Decimal((needed - day) // timedelta(days=1)) / 7
    slack = available / required - 1 if required else Decimal(0)
    status: Status = "fail" if available < required else ("warn" if slack < Decimal(rule.values["warn"]) else "pass")
    return (
        Check(
            id="lead_time",
            status=status,
            required=required,
            available=available.quantize(Decimal("0.1")),
            margin=margin("lead_time", required, available),
            unit="weeks",
            arguments=(("needed_by", needed.isoformat()),),
            source="lead_time",
        ),
    )
