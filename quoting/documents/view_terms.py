"""Clauses of a quotation by scenario, and the deviation tables of a tender."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Literal

from quoting.documents import readings, view_lines
from quoting.documents.customer import Deviation
from quoting.documents.customer_plan import Pair
from quoting.documents.formats import short
from quoting.documents.view_plan import part_name
from quoting.documents.words import Words
from quoting.errors import Mistake, Mistakes
from quoting.records import Check, Quote, WorkloadFit
from quoting.requirement import Understood
from quoting.rows import Catalog

Judged = Literal["positive", "none", "negative", "open"]
_SHARED = frozenset({"payment", "common"})  # tables of clauses that are no scenario
_STEPS = ("first", "second", "third")
_POSITION = re.compile(r"\[(\d+)\]")
# Which checks answer a demand about the room, the hardware or the money.
_CHECKS: Mapping[str, tuple[str, ...]] = {
    "site.rack_power": ("rack_power",),
    "site.rack_units": ("rack_units",),
    "site.circuit": ("circuit_80pct",),
    "site.feeds": ("redundancy_failover",),
    "site.transformer": ("transformer",),
    "site.transformer_load": ("transformer",),
    "site.ups": ("ups_capacity",),
    "site.ups_load": ("ups_capacity",),
    "site.ups_minutes": ("ups_runtime",),
    "site.cooling": ("cooling_capacity",),
    "site.supply_temperature": ("inlet_temperature",),
    "site.floor_load": ("floor_load",),
    "site.door": ("delivery_route",),
    "site.lift": ("delivery_route",),
    "hardware.ram": ("host_ram",),
    "commercial.budget": ("tender_budget",),
    "project.needed_by": ("lead_time",),
}
_TO_JUDGE: Mapping[str, Judged] = {"pass": "none", "warn": "none", "fail": "negative", "unknown": "open"}
_WORST = ("fail", "unknown", "warn", "pass")
# Where a demand is answered; what none of these begins is a term.
_CHAPTERS = (
    ("workload", "sizing"),
    ("hardware", "choice"),
    ("compliance", "choice"),
    ("site", "room"),
    ("commercial.budget", "price"),
    ("project.", "delivery"),
)
# What only tells how to calculate or write asks nothing of a bidder.
_NO_DEMAND = re.compile(r"(document|line|scope)\W|commercial\.(utilisation|electricity|discount|months)\Z")


def clauses(quote: Quote, catalog: Catalog, words: Words) -> tuple[Pair, ...]:
    """Payment, then the clauses of the scenario, then those that every scenario but a tender shares.

    The form chooses the scenario, else the tender mode, else the house; else it is integration where services are
    quoted and goods where none are. Raises Mistakes for a scenario without words.
    """
    scenario = _scenario(quote, catalog, words)
    prefixes = (f"clause.{scenario}", *(() if scenario == "tender" else ("clause.common",)))
    codes = [code for prefix in prefixes for code in words.codes(prefix) if code.endswith(".name")]
    arguments = _arguments(quote, catalog)
    names = [_payment_code(quote, words), *(code.removesuffix(".name") for code in codes)]
    return tuple(Pair(label=words.say(f"{code}.name"), text=words.say(f"{code}.text", **arguments)) for code in names)


def _scenario(quote: Quote, catalog: Catalog, words: Words) -> str:
    document = quote.requirement.document
    chosen = document.clauses or ("tender" if document.mode == "tender" else catalog.house.clauses)
    if not chosen:
        return "integration" if any(line.group == "service" for line in quote.price.lines) else "goods"
    known = dict.fromkeys(code.split(".")[1] for code in words.codes("clause"))
    allowed = [name for name in known if name not in _SHARED]
    if chosen not in allowed:
        raise Mistakes([Mistake("house.toml", "clauses", f"no clauses are called {chosen[:40]}", " or ".join(allowed))])
    return chosen


def _payment_code(quote: Quote, words: Words) -> str:
    steps = len(quote.price.payment.split("-")) if quote.price.payment else 0
    code = f"clause.payment.{steps}"
    return code if words.has(f"{code}.name") else "clause.payment.other"


def _arguments(quote: Quote, catalog: Catalog) -> dict[str, object]:
    """What the clauses may name, from the record."""
    steps = quote.price.payment.split("-") if quote.price.payment else []
    need = quote.requirement
    return {
        "payment": quote.price.payment,
        "valid_days": quote.price.valid_days,
        "valid_until": quote.valid_until,
        "lead_weeks": quote.price.lead_weeks,
        "warranty_years": need.commercial.warranty_years or catalog.terms.warranty_years,
        "city": need.project.delivery_city or need.customer.city or None,
        **dict(zip(_STEPS, steps, strict=False)),
    }


# --------------------------------------------------------------------------- deviation tables


def technical(quote: Quote, catalog: Catalog, words: Words) -> tuple[Deviation, ...]:
    """技术偏离表 of a tender: every understood line about the work, the hardware and the room against the plan."""
    told = (one for one in _demands(quote) if not _is_commercial(one.key))
    return tuple(_deviation(one, quote, catalog, words) for one in told)


def commercial(quote: Quote, catalog: Catalog, words: Words) -> tuple[Deviation, ...]:
    """商务偏离表 of a tender: budget, dates, delivery, payment, validity and warranty as asked against the offer."""
    told = [one for one in _demands(quote) if _is_commercial(one.key)]
    keys = {one.key for one in told}
    stated = [one for one in _stated(quote) if one.key not in keys]
    return tuple(_deviation(one, quote, catalog, words) for one in (*told, *stated))


def _is_commercial(key: str) -> bool:
    return key.startswith(("commercial.", "project."))


def _demands(quote: Quote) -> list[Understood]:
    if quote.requirement.document.mode != "tender":
        return []
    return [one for one in quote.requirement.understood if not _NO_DEMAND.match(one.key)]


def _stated(quote: Quote) -> list[Understood]:
    """Terms so plain in the form that nothing had to be understood."""
    need = quote.requirement
    stated = {
        "project.needed_by": need.project.needed_by,
        "project.delivery_city": need.project.delivery_city,
        "commercial.payment": need.commercial.payment,
        "commercial.validity_days": need.commercial.validity_days,
        "commercial.warranty_years": need.commercial.warranty_years,
    }
    if need.document.mode != "tender":
        return []
    return [Understood(key=key, typed=str(value), read=str(value)) for key, value in stated.items() if value]


def _deviation(one: Understood, quote: Quote, catalog: Catalog, words: Words) -> Deviation:
    name, value = readings.field_name(one.key, words), _value(one, one.read, words)
    response, judged = _response(one, quote, catalog, words)
    return Deviation(
        demand=words.say("tender.demand", name=name[:1].upper() + name[1:], value=value),
        response=response,
        deviation=words.say(f"tender.deviation.{judged}"),
        chapter=_chapter(one.key),
    )


def _chapter(key: str) -> str:
    """The chapter that answers a demand."""
    return next((chapter for start, chapter in _CHAPTERS if key.startswith(start)), "terms")


def _value(one: Understood, text: str, words: Words) -> str:
    """What is asked or offered, with its unit where the form needs none."""
    if one.key == "commercial.warranty_years" and text.isdecimal():
        return words.say("proposal.years", years=text)
    if one.key == "commercial.validity_days" and text.isdecimal():
        return f"{text} {words.say('ui.days')}"
    return readings.reading(one.key, text, words)


def _response(one: Understood, quote: Quote, catalog: Catalog, words: Words) -> tuple[str, Judged]:
    if quote.choice.chosen is None:
        return words.say("tender.no_plan"), "negative"
    if one.key.startswith("workload["):
        return _of_work(one.key, quote, words)
    if one.key == "hardware.gpu" and quote.requirement.hardware:
        same = quote.requirement.hardware.gpu == quote.choice.chosen.gpu
        value = part_name(quote.choice.chosen.gpu, catalog, words)
        return words.say("tender.offered", value=value), "none" if same else "negative"
    return _checked(one.key, quote, catalog, words) or _accepted(one, quote, words)


def _checked(key: str, quote: Quote, catalog: Catalog, words: Words) -> tuple[str, Judged] | None:
    """What the worst of the checks that answer a demand says."""
    wanted = _CHECKS.get(key, ())
    found = sorted((check for check in _checks(quote) if check.id in wanted), key=lambda one: _WORST.index(one.status))
    if not found:
        return None
    return view_lines.check_sentence(found[0], words, catalog), _TO_JUDGE[found[0].status]


def _checks(quote: Quote) -> Iterable[Check]:
    chosen = quote.choice.chosen.checks if quote.choice.chosen else ()
    return (*chosen, *quote.bom.checks, *quote.site.checks, *quote.price.checks)


def _accepted(one: Understood, quote: Quote, words: Words) -> tuple[str, Judged]:
    """Terms the quotation was made with are accepted, where it kept them; what nothing measures is left to a hand."""
    kept = {
        "project.delivery_city": quote.requirement.project.delivery_city,
        "commercial.payment": quote.price.payment,
        "commercial.validity_days": str(quote.price.valid_days),
        "commercial.warranty_years": one.read,
    }
    value = kept.get(one.key)
    if value is None:
        return words.say("tender.by_hand"), "open"
    return words.say("tender.offered", value=_value(one, value, words)), "none" if value == one.read else "negative"


def _of_work(key: str, quote: Quote, words: Words) -> tuple[str, Judged]:
    """What the plan does for a workload; a demand without a measure of its own is part of what was sized for."""
    position = _POSITION.search(key)
    load = quote.requirement.workloads[int(position[1]) - 1 if position else 0]
    fits = {fit.workload: fit for fit in quote.choice.chosen.workloads} if quote.choice.chosen else {}
    fit, field = fits.get(load.id), key.rpartition(".")[2]
    if fit is None or quote.choice.chosen is None:
        return words.say("tender.by_hand"), "open"
    asked, offered = _measured(field, load.deadline_days, load.tokens_per_second, load.first_token_s, fit)
    if asked is None:
        return words.say("tender.sized", cards=quote.choice.chosen.cards), "none"
    if offered is None:
        return words.say("tender.by_hand"), "open"
    return words.say(f"tender.{field}", value=short(offered)), _compared(asked, offered, field != "tokens_per_second")


def _measured(
    field: str, days: Decimal | None, speed: Decimal | None, first: Decimal | None, fit: WorkloadFit
) -> tuple[Decimal | None, Decimal | None]:
    """What is asked and offered in one field of a workload."""
    measures = {
        "deadline": (days, fit.days),
        "tokens_per_second": (speed, fit.tokens_per_second),
        "first_token": (first, fit.first_token_s),
    }
    return measures.get(field, (None, None))


def _compared(asked: Decimal, offered: Decimal, less_is_more: bool) -> Judged:
    if offered == asked:
        return "none"
    return "positive" if (offered < asked) == less_is_more else "negative"
