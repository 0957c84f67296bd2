"""Owning against renting: a band over utilisation, not one number.

Own(T) = capex + T x (energy + maintenance); Rent(T) = T x 730 h x cards x rate x utilisation, both with tax.
Months are computed only where a dated yuan rent of the same card exists; the rent at which buying pays is always shown.
Source of the formulas: total cost of ownership as in the GPU cluster calculators named in rules.toml `ownership`.
"""

from __future__ import annotations

from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from quoting.figure import Ledger, evaluate, round_fen
from quoting.records import Crossing, Fit, Ownership, Price, Site
from quoting.requirement import Requirement
from quoting.rows import Catalog, Rent, Rule
from quoting.stages.leaves import rule_leaf

ENERGY = "power_kw * utilisation * pue * hours_a_month * tariff"
MAINTENANCE = "capex * maintenance_share / 12"
RENT_UNIT = "CNY/(card·h)"
MONTHS = "capex / (rent_month - opex_month)"
RENT_THAT_PAYS = "(capex + months * opex_month) / (months * hours_a_month * cards * utilisation)"
RENT = "hours * cards * rent * utilisation"
BREAK_EVEN = "own / (hours * cards * rent)"
PRESENT_VALUE = "saving * (1 - (1 + rate) ** (0 - years)) / rate - capex"


def ownership(requirement: Requirement, fit: Fit, site: Site, price: Price, catalog: Catalog, day: date) -> Ownership:
    """The comparison for one priced plan; everything is None while the price or the power is unknown."""
    commercial, rule = requirement.commercial, catalog.rules["ownership"].values
    utilisation = commercial.utilisation or Decimal(rule["utilisation"])
    months = commercial.months or int(Decimal(rule["months"]))
    rent = _rent(fit.gpu, catalog, day)
    ledger = Ledger((*site.figures, *price.figures))
    if price.total is None or site.power_kw is None or not fit.cards:
        return _unknown(months, utilisation, rent)
    _leaves(requirement, fit, site, price, catalog, ledger)
    opex = _opex(requirement, catalog, utilisation, ledger)
    band = [Decimal(text) for text in str(rule["utilisation_band"]).split()]
    return Ownership(
        capex=price.total,
        opex_month=opex,
        rent_card_hour=_with_tax(rent, catalog),
        rent_source=rent.source if rent else "",
        months=months,
        utilisation=utilisation,
        crossings=_crossings(band, utilisation, rent, catalog, ledger),
        rent_that_pays=_rents_that_pay(str(rule["horizons"]), opex, utilisation, ledger),
        own_by_month=tuple(price.total + opex * month for month in range(months + 1)),
        rent_by_month=_rent_by_month(rent, months, utilisation, catalog, ledger),
        rent_low_by_month=_rent_by_month(rent, months, min(band), catalog, ledger),
        rent_high_by_month=_rent_by_month(rent, months, max(band), catalog, ledger),
        band=(min(band), max(band)),
        figures=ledger.figures(),
    )


def _unknown(months: int, utilisation: Decimal, rent: Rent | None) -> Ownership:
    return Ownership(
        capex=None,
        opex_month=None,
        rent_card_hour=None,
        rent_source=rent.source if rent else "",
        months=months,
        utilisation=utilisation,
        crossings=(),
        rent_that_pays=(),
    )


def _leaves(requirement: Requirement, fit: Fit, site: Site, price: Price, catalog: Catalog, ledger: Ledger) -> None:
    rule = catalog.rules["ownership"]
    for name in ("hours_a_month", "maintenance_share"):
        rule_leaf(ledger, catalog, "ownership", name)
    tariff = requirement.commercial.electricity_cny_kwh
    given = "form:commercial.electricity" if tariff is not None else _source(rule, "tariff")
    cny_kwh = tariff if tariff is not None else Decimal(rule.values["tariff"])
    ledger.leaf("ownership.tariff", cny_kwh, rule.units["tariff"], given)
    pue = catalog.rules["site.pue"].source if site.pue else _source(rule, "pue")
    ledger.leaf("ownership.pue", site.pue or Decimal(rule.values["pue"]), rule.units["pue"], pue)
    ledger.formula("ownership.power_kw", "kW", "power", power="site.power_kw")
    ledger.formula("ownership.capex", "CNY", "total", total="price.total")
    ledger.rule("ownership.cards", fit.cards or 0, "card", "fit.nodes", "recommended")


def _source(rule: Rule, key: str) -> str:
    """Where a value of a rule comes from: its own source, else the rule's."""
    known = rule.provenance.get(key)
    return known.source if known else rule.source


def _opex(requirement: Requirement, catalog: Catalog, utilisation: Decimal, ledger: Ledger) -> Decimal:
    asked = requirement.commercial.utilisation is not None
    rule = catalog.rules["ownership"]
    given = "form:commercial.utilisation" if asked else _source(rule, "utilisation")
    ledger.leaf("ownership.utilisation", utilisation, rule.units["utilisation"], given)
    ledger.formula(
        "ownership.energy_month",
        "CNY",
        ENERGY,
        power_kw="ownership.power_kw",
        utilisation="ownership.utilisation",
        pue="ownership.pue",
        hours_a_month="rule.ownership.hours_a_month",
        tariff="ownership.tariff",
    )
    ledger.formula(
        "ownership.maintenance_month",
        "CNY",
        MAINTENANCE,
        capex="ownership.capex",
        maintenance_share="rule.ownership.maintenance_share",
    )
    return ledger.formula(
        "ownership.opex_month",
        "CNY",
        "round_fen(energy + maintenance)",
        energy="ownership.energy_month",
        maintenance="ownership.maintenance_month",
    )


def _rent(gpu: str, catalog: Catalog, day: date) -> Rent | None:
    """The newest dated rent of exactly this card, on demand before reserved."""
    rows = [row for row in catalog.rents if row.accelerator == gpu and row.on <= day]
    return max(rows, key=lambda row: (not row.reserved, row.on), default=None)


def _with_tax(rent: Rent | None, catalog: Catalog) -> Decimal | None:
    if rent is None:
        return None
    factor = 1 if rent.tax_included else 1 + catalog.terms.tax_rate["service"]
    return round_fen(rent.cny_per_hour * factor)


def _opex_at(utilisation: Decimal, ledger: Ledger) -> Decimal:
    keys = ("ownership.pue", "rule.ownership.hours_a_month", "ownership.tariff")
    energy = energy_month(ledger.number("ownership.power_kw"), utilisation, *map(ledger.number, keys))
    return energy + ledger.number("ownership.maintenance_month")


def _rent_month(rate: Decimal, utilisation: Decimal, ledger: Ledger) -> Decimal:
    cards, hours = ledger.number("ownership.cards"), ledger.number("rule.ownership.hours_a_month")
    return rent_paid(cards, hours, rate, utilisation)


def _crossings(
    band: list[Decimal], utilisation: Decimal, rent: Rent | None, catalog: Catalog, ledger: Ledger
) -> tuple[Crossing, ...]:
    """Months at each use of the band and at the plan's own, rising; the plan's own with its proof."""
    own = Crossing(utilisation=utilisation, months=_own_months(rent, catalog, ledger))
    others = (_crossing(value, rent, catalog, ledger) for value in band if value != utilisation)
    return tuple(sorted((own, *others), key=lambda crossing: crossing.utilisation))


def _own_months(rent: Rent | None, catalog: Catalog, ledger: Ledger) -> Decimal | None:
    if rent is None:
        return None
    _rent_leaves(rent, catalog, ledger)
    keys = {"cards": "ownership.cards", "rent": "ownership.rent_card_hour", "utilisation": "ownership.utilisation"}
    month = ledger.formula("ownership.rent_month", "CNY", RENT, hours="rule.ownership.hours_a_month", **keys)
    if month <= ledger.number("ownership.opex_month"):
        return None
    keys = {key: f"ownership.{key}" for key in ("capex", "rent_month", "opex_month")}
    return _tenth(ledger.formula("ownership.payback_months", "month", MONTHS, **keys))


def _rent_leaves(rent: Rent, catalog: Catalog, ledger: Ledger) -> None:
    """The rent as its source states it, and with tax where that one has none."""
    if rent.tax_included:
        ledger.leaf("ownership.rent_card_hour", round_fen(rent.cny_per_hour), RENT_UNIT, rent.source)
        return
    ledger.leaf("ownership.rent_net", rent.cny_per_hour, RENT_UNIT, rent.source)
    ledger.leaf("ownership.tax_rate", catalog.terms.tax_rate["service"], "share", catalog.terms.source)
    keys = {"rent": "ownership.rent_net", "tax": "ownership.tax_rate"}
    ledger.formula("ownership.rent_card_hour", RENT_UNIT, "round_fen(rent * (1 + tax))", **keys)


def _tenth(months: Decimal) -> Decimal:
    return months.quantize(Decimal("0.1"), ROUND_HALF_UP)


def _crossing(utilisation: Decimal, rent: Rent | None, catalog: Catalog, ledger: Ledger) -> Crossing:
    rate = _with_tax(rent, catalog)
    if rate is None:
        return Crossing(utilisation=utilisation, months=None)
    month, opex = _rent_month(rate, utilisation, ledger), _opex_at(utilisation, ledger)
    months = payback_months(ledger.number("ownership.capex"), month, opex)
    return Crossing(utilisation=utilisation, months=None if months is None else _tenth(months))


def _rents_that_pay(
    horizons: str, opex: Decimal, utilisation: Decimal, ledger: Ledger
) -> tuple[tuple[int, Decimal], ...]:
    return tuple((int(months), _rent_that_pays(int(months), opex, utilisation, ledger)) for months in horizons.split())


def _rent_that_pays(months: int, opex: Decimal, utilisation: Decimal, ledger: Ledger) -> Decimal:
    keys = ("ownership.capex", "rule.ownership.hours_a_month", "ownership.cards")
    capex, hours, cards = map(ledger.number, keys)
    return round_fen(rent_that_pays(capex, opex, months, hours, cards, utilisation))


def _rent_by_month(
    rent: Rent | None, months: int, utilisation: Decimal, catalog: Catalog, ledger: Ledger
) -> tuple[Decimal, ...]:
    rate = _with_tax(rent, catalog)
    if rate is None:
        return ()
    month = round_fen(_rent_month(rate, utilisation, ledger))
    return tuple(month * count for count in range(months + 1))


# --------------------------------------------------------------------------- the formulas alone


def energy_month(power_kw: Decimal, load: Decimal, pue: Decimal, hours: Decimal, tariff: Decimal) -> Decimal:
    """Electricity of a month in the currency of ``tariff`` (a kWh); ``load`` is the share of ``power_kw`` drawn."""
    inputs = {"power_kw": power_kw, "utilisation": load, "pue": pue, "hours_a_month": hours, "tariff": tariff}
    return evaluate(ENERGY, inputs)


def rent_paid(cards: Decimal, hours: Decimal, rent: Decimal, utilisation: Decimal) -> Decimal:
    """What renting ``cards`` on demand costs over ``hours`` at ``rent`` a card-hour; reserved cards: utilisation 1."""
    return evaluate(RENT, {"cards": cards, "hours": hours, "rent": rent, "utilisation": utilisation})


def payback_months(capex: Decimal, rent_month: Decimal, opex_month: Decimal) -> Decimal | None:
    """Months after which buying has cost no more than renting; None when renting costs no more than running."""
    if rent_month <= opex_month:
        return None
    return evaluate(MONTHS, {"capex": capex, "rent_month": rent_month, "opex_month": opex_month})


def saving(rent_total: Decimal, capex: Decimal, opex_total: Decimal) -> Decimal:
    """What owning saves over a period against renting, undiscounted; negative when renting is cheaper."""
    return evaluate("rent - capex - opex", {"rent": rent_total, "capex": capex, "opex": opex_total})


def saving_that_pays(capex: Decimal, months: Decimal) -> Decimal:
    """What each month must save so that a purchase is paid back in ``months``."""
    return evaluate("capex / months", {"capex": capex, "months": months})


def break_even_utilisation(own_total: Decimal, cards: Decimal, hours: Decimal, rent: Decimal) -> Decimal:
    """The share of ``hours`` above which owning costs less than renting; above 1 owning never does."""
    return evaluate(BREAK_EVEN, {"own": own_total, "cards": cards, "hours": hours, "rent": rent})


def present_value(capex: Decimal, saving_year: Decimal, years: Decimal, rate: Decimal) -> Decimal:
    """Net present value of a purchase that saves ``saving_year`` at the end of each year; ``rate`` 0.1 is 10 %."""
    if not rate:
        return saving_year * years - capex
    return evaluate(PRESENT_VALUE, {"saving": saving_year, "rate": rate, "years": years, "capex": capex})


def rent_that_pays(
    capex: Decimal, opex_month: Decimal, months: Decimal | int, hours: Decimal, cards: Decimal, utilisation: Decimal
) -> Decimal:
    """Rent a card-hour at which buying breaks even after ``months``; ``hours`` are those of a month."""
    inputs = {"capex": capex, "months": months, "opex_month": opex_month, "hours_a_month": hours, "cards": cards}
    return evaluate(RENT_THAT_PAYS, {**inputs, "utilisation": utilisation})
