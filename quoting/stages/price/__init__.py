"""Price: what the lines cost, with tax, validity and the commercial checks.

The tax-inclusive unit price is the typed value. Subtotal is unit price times quantity, exactly; net is subtotal over
one plus the rate, half up per line; tax is the rest; totals are sums of lines. While any line has no price the total is
None.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from quoting.catalog import markup, unit_cost
from quoting.errors import Mistake, Mistakes
from quoting.figure import Ledger
from quoting.records import Bom, Fit, GroupTotal, PackageTotal, Price, PricedLine, Remedy, Site, TaxTotal
from quoting.requirement import Requirement
from quoting.rows import Catalog
from quoting.stages.price.checks import band_total, commercial_checks
from quoting.stages.price.lines import GROUPS, priced_lines, split_scope
from quoting.stages.price.uppercase import uppercase

UNIT_PRICE = "round_fen(round_fen(unit_cost * (1 + markup)) * (1 - discount))"
_ZERO = Decimal("0.00")
_TOO_LARGE = 10**13


def price(requirement: Requirement, fit: Fit, bom: Bom, site: Site, catalog: Catalog, day: date) -> Price:
    """Price the whole plan on ``day``; money is yuan with tax. Raises Mistakes for a total beyond all sense."""
    inside, options = split_scope((*bom.items, *site.lines), requirement, catalog)
    lines = priced_lines(inside, requirement, catalog, day)
    option_lines = priced_lines(options, requirement, catalog, day, prefix="O")
    totals = [line for line in lines if not line.included]
    _refuse_beyond_fen((*totals, *option_lines), requirement)
    ledger = Ledger()
    total = _total(totals, requirement, catalog, day, ledger)
    draft_rows = _draft_rows(totals)
    until = _valid_until(requirement, totals, catalog, day)
    remedies = priced_remedies(site.remedies, requirement, catalog, day)
    unofficial = not all(workload.official for workload in requirement.workloads)
    result = Price(
        lines=lines,
        options=option_lines,
        net=None if total is None else _known_sum(line.net for line in totals),
        tax=None if total is None else _known_sum(line.tax for line in totals),
        total=total,
        total_upper=None if total is None else uppercase(total),
        priced_part=sum((line.subtotal for line in totals if line.subtotal is not None), _ZERO),
        groups=_groups(totals),
        option_groups=_groups([line for line in option_lines if not line.included and not line.owned]),
        packages=_packages(totals, catalog),
        taxes=_taxes(totals),
        band_total=band_total(inside, lines, catalog),
        cost_total=_costs(totals),
        margin_total=_margins(totals),
        remedies=remedies,
        remedies_total=_together(remedies),
        draft=bool(draft_rows) or total is None or unofficial,
        draft_rows=draft_rows,
        valid_days=(until - day).days,
        valid_until=until,
        payment=_payment(requirement, totals, catalog),
        lead_weeks=max((line.lead_weeks for line in totals if line.lead_weeks is not None), default=None),
        figures=ledger.figures(),
    )
    return replace(result, checks=commercial_checks(requirement, fit, result, catalog, day))


def _refuse_beyond_fen(lines: Iterable[PricedLine], requirement: Requirement) -> None:
    """A sum so large that a figure's fifteen digits would lose its fen is a slip of the form; raises Mistakes."""
    if sum((line.subtotal for line in lines if line.subtotal is not None), _ZERO) < _TOO_LARGE:
        return
    place = "line" if requirement.lines else "workload"
    raise Mistakes([Mistake("form", place, "the total is impossibly large", f"below {_TOO_LARGE:,} yuan")])


def _total(
    lines: list[PricedLine], requirement: Requirement, catalog: Catalog, day: date, ledger: Ledger
) -> Decimal | None:
    # What holds nothing of value is no offer: "to be confirmed", never 0.
    if any(line.subtotal is None for line in lines) or not any(line.subtotal for line in lines):
        return None
    discount = requirement.commercial.discount
    ledger.leaf("form.commercial.discount", discount, "share", "form:commercial.discount")
    ids = tuple(_line_figures(line, catalog, day, ledger) for line in lines)
    return ledger.formula("price.total", "CNY", "round_fen(sum(subtotals))", subtotals=ids)


def _line_figures(line: PricedLine, catalog: Catalog, day: date, ledger: Ledger) -> str:
    """Quantity, unit price and subtotal of a line: the quantity by the rule that put it there, the price from our
    cost, and none for what the customer owns."""
    place = f"price.line.{line.no}"
    ledger.rule(f"{place}.quantity", line.quantity, "", f"why.{line.why}", "")
    _unit_price_figure(line, catalog, day, ledger)
    ledger.formula(
        f"{place}.subtotal",
        "CNY",
        "round_fen(unit_price * quantity)",
        unit_price=f"{place}.unit_price",
        quantity=f"{place}.quantity",
    )
    return f"{place}.subtotal"


def _unit_price_figure(line: PricedLine, catalog: Catalog, day: date, ledger: Ledger) -> None:
    place, price = f"price.line.{line.no}", line.unit_price or _ZERO
    cost = unit_cost(catalog, line.sku, day) if line.sku and line.cost else None
    if line.price_typed:
        ledger.leaf(f"{place}.unit_price", price, "CNY", f"form:line ({line.changed})")
    elif line.cost is None or cost is None:
        ledger.rule(f"{place}.unit_price", price, "CNY", "why.owned", "")
    else:
        category = catalog.parts[line.sku].category
        ledger.leaf(f"terms.markup.{category}", markup(catalog, line.sku), "share", catalog.terms.source)
        ledger.leaf(f"{place}.unit_cost", cost, "CNY", line.cost.source)
        ledger.formula(
            f"{place}.unit_price",
            "CNY",
            UNIT_PRICE,
            unit_cost=f"{place}.unit_cost",
            markup=f"terms.markup.{category}",
            discount="form.commercial.discount",
        )


def _known_sum(values: Iterable[Decimal | None]) -> Decimal | None:
    total = _ZERO
    for value in values:
        if value is None:
            return None
        total += value
    return total


def _groups(lines: list[PricedLine]) -> tuple[GroupTotal, ...]:
    present = [group for group in GROUPS if any(line.group == group for line in lines)]
    return tuple(
        GroupTotal(group=group, total=_known_sum(line.subtotal for line in lines if line.group == group))
        for group in present
    )


def _packages(lines: list[PricedLine], catalog: Catalog) -> tuple[PackageTotal, ...]:
    hardware = [line for line in lines if _is_hardware(line, catalog)]
    service = [line for line in lines if not _is_hardware(line, catalog)]
    return (
        *([PackageTotal(package="hardware", total=_known_sum(line.subtotal for line in hardware))] if hardware else []),
        *([PackageTotal(package="service", total=_known_sum(line.subtotal for line in service))] if service else []),
    )


def _is_hardware(line: PricedLine, catalog: Catalog) -> bool:
    """By the tax class of the part; a line typed by hand without a part is what its group is."""
    part = catalog.parts.get(line.sku)
    return part.tax == "goods" if part else line.group != "service"


def _taxes(lines: list[PricedLine]) -> tuple[TaxTotal, ...]:
    rates = sorted({line.tax_rate for line in lines}, reverse=True)
    return tuple(_tax_total(rate, [line for line in lines if line.tax_rate == rate]) for rate in rates)


def _tax_total(rate: Decimal, lines: list[PricedLine]) -> TaxTotal:
    return TaxTotal(
        rate=rate,
        net=sum((line.net for line in lines if line.net is not None), _ZERO),
        tax=sum((line.tax for line in lines if line.tax is not None), _ZERO),
    )


def _costs(lines: list[PricedLine]) -> Decimal | None:
    return _known_sum(_ZERO if line.owned else line.cost.total if line.cost else None for line in lines)


def _margins(lines: list[PricedLine]) -> Decimal | None:
    return _known_sum(_ZERO if line.owned else line.cost.total_margin if line.cost else None for line in lines)


def _draft_rows(lines: list[PricedLine]) -> tuple[str, ...]:
    """SKUs whose price no supplier stands behind today. A price typed by hand is the engineer's own word."""
    return tuple(
        line.sku
        for line in lines
        if line.cost is not None
        and line.quantity
        and not line.price_typed
        and (line.cost.expired or line.cost.grade != "quoted")
    )


def _valid_until(requirement: Requirement, lines: list[PricedLine], catalog: Catalog, day: date) -> date:
    """The last day of validity: the form's or the house's days, never past a supplier's own date."""
    terms = catalog.terms
    volatile = any(_category(line, catalog) in terms.volatile for line in lines if line.quantity)
    days = requirement.commercial.validity_days or (terms.validity_days_volatile if volatile else terms.validity_days)
    ends = [line.cost.until for line in lines if line.cost and line.cost.until and not line.cost.expired]
    return min([day + timedelta(days=days), *ends])


def _category(line: PricedLine, catalog: Catalog) -> str:
    part = catalog.parts.get(line.sku)
    return part.category if part else ""


def _payment(requirement: Requirement, lines: list[PricedLine], catalog: Catalog) -> str:
    if requirement.commercial.payment:
        return requirement.commercial.payment
    integration = any(line.group == "service" for line in lines)
    return catalog.terms.payment_integration if integration else catalog.terms.payment_goods


def priced_remedies(
    remedies: tuple[Remedy, ...], requirement: Requirement, catalog: Catalog, day: date
) -> tuple[Remedy, ...]:
    """The remedies with what each would add to the total; None where a part of it has no price."""
    return tuple(_priced(remedy, requirement, catalog, day) for remedy in remedies)


def _together(remedies: tuple[Remedy, ...]) -> Decimal | None:
    """What all remedies not taken cost; None of fewer than two, and where one of them makes another needless."""
    offered = [remedy for remedy in remedies if not remedy.accepted]
    cured = [check for remedy in offered for check in remedy.cures]
    if len(offered) < 2 or len(cured) > len(set(cured)):
        return None
    return _known_sum(remedy.price for remedy in offered)


def _priced(remedy: Remedy, requirement: Requirement, catalog: Catalog, day: date) -> Remedy:
    inside, _ = split_scope(remedy.items, requirement, catalog)
    lines = priced_lines(inside, requirement, catalog, day)
    if not lines:
        return remedy
    return replace(remedy, price=_known_sum(line.subtotal for line in lines if not line.included))
