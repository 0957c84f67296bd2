"""Money and dates as a customer may read them: drafts, owning against renting, payment, when it is ready."""

from __future__ import annotations

from quoting.documents.customer import Crossing, Owning
from quoting.documents.customer_plan import Pair
from quoting.documents.formats import day, short
from quoting.documents.words import Words
from quoting.records import Ownership, Price, Quote


def ready(quote: Quote, words: Words) -> str:
    """In which week the plan can be used, beside the day it is wanted by; "" where no day is."""
    needed = quote.requirement.project.needed_by
    check = next((one for one in quote.price.checks if one.id == "lead_time"), None)
    if needed is None or check is None or check.required is None:
        return ""
    code = "late" if check.status == "fail" else "early"
    told = day(needed, words.language, words.months)
    return words.say(f"proposal.ready.{code}", weeks=short(check.required), day=told)


def all_draft(price: Price) -> bool:
    """Whether no price in the total is a supplier's own."""
    bought = {line.sku for line in price.lines if not line.included and not line.owned}
    return bool(bought) and bought <= set(price.draft_rows)


def draft_rows(quote: Quote, words: Words) -> tuple[Pair, ...]:
    """What makes this a draft, with the trust in its price but not its source."""
    chinese = words.language == "zh"
    names = {row.sku: row.name_zh if chinese else row.name_en for row in (*quote.price.lines, *quote.price.options)}
    grades = {row.sku: row.cost.grade for row in (*quote.price.lines, *quote.price.options) if row.cost}
    return tuple(
        Pair(label=names.get(sku, sku), text=words.say(f"grade.{grades[sku]}") if grades.get(sku) else "")
        for sku in quote.price.draft_rows
    )


def owning(ownership: Ownership) -> Owning:
    """Owning against renting; months of crossing only where a dated rent of the same card is known."""
    return Owning(
        capex=ownership.capex,
        opex_month=ownership.opex_month,
        rent_card_hour=ownership.rent_card_hour,
        months=ownership.months,
        utilisation=ownership.utilisation,
        crossings=tuple(
            Crossing(utilisation=c.utilisation, months=c.months)
            for c in ownership.crossings
            if ownership.rent_card_hour is not None
        ),
        rent_that_pays=ownership.rent_that_pays,
        own_by_month=ownership.own_by_month,
        rent_by_month=ownership.rent_by_month,
        rent_low_by_month=ownership.rent_low_by_month,
        rent_high_by_month=ownership.rent_high_by_month,
        band=ownership.band,
    )


def payment_steps(payment: str, words: Words) -> str:
    """ "30-60-10" in words where they are known, else as it stands."""
    steps = payment.split("-") if payment else []
    code = f"proposal.payment_steps.{len(steps)}"
    return (
        words.say(code, **dict(zip(("first", "second", "third"), steps, strict=False))) if words.has(code) else payment
    )
