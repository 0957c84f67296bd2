"""Answers of a bid to demands about money, dates, scope and rules of supply."""

from __future__ import annotations

from quoting.documents.demands import Demand
from quoting.documents.formats import money
from quoting.documents.offer import Answer, Judged, Offer
from quoting.records import PricedLine

_TOTAL = "grand-total"


def of_money(demand: Demand, offer: Offer) -> Answer:
    """Price, payment, validity, warranty, currency."""
    price, words = offer.quote.price, offer.words
    if demand.field == "payment":
        kept: Judged = "none" if price.payment == offer.quote.requirement.commercial.payment else "negative"
        return offer.say("payment", kept, "clause-1", value=price.payment)
    if demand.field == "validity_days":
        asked = offer.quote.requirement.commercial.validity_days or 0
        holds: Judged = "none" if price.valid_days >= asked else "negative"
        return offer.say("validity", holds, offer.clause(".validity"), value=price.valid_days)
    if demand.field == "warranty_years":
        return offer.say("warranty", "none", offer.clause(".warranty"), value=demand.value)
    if demand.field == "currency":
        return offer.say("currency", "none", _TOTAL)
    total = words.say("ui.pending") if price.total is None else money(price.total)
    net = words.say("ui.pending") if price.net is None else money(price.net)
    above = offer.check("tender_budget")
    judged: Judged = "negative" if price.total is None or (above is not None and above.status == "fail") else "none"
    if demand.field == "budget_tax_included":
        return offer.say("total_and_net", "none", _TOTAL, total=total, net=net)
    included = offer.quote.requirement.commercial.budget_tax_included
    return offer.say("total" if included else "net", judged, _TOTAL, value=total if included else net)


def of_project(demand: Demand, offer: Offer) -> Answer:
    """Where, when and in which form it is delivered."""
    price, words = offer.quote.price, offer.words
    if demand.field == "delivery_city":
        return offer.say("city", "none", offer.clause(".delivery"), value=demand.value)
    if demand.field == "form_factor":
        chosen = offer.quote.choice.chosen
        platform = offer.catalog.platforms.get(chosen.platform) if chosen else None
        form = platform.form_factor if platform else demand.read
        same: Judged = "none" if demand.read in ("any", form) else "negative"
        return offer.say("plain", same, "plan", value=words.get(f"reading.form_factor.{form}", form))
    row = offer.check("lead_time")
    if row is None or row.required is None:
        return offer.say("lead_time", "negative", "delivery-lead", weeks=price.lead_weeks)
    return offer.say("needed_by", "negative" if row.status == "fail" else "none", row.anchor, weeks=row.required)


def of_scope(demand: Demand, offer: Offer) -> Answer:
    """What is in the price, what is left out, what the buyer has."""
    quote = offer.quote
    asked = getattr(quote.requirement.scope, demand.field)
    bought = {line.sku for line in quote.price.lines if not line.owned}
    priced = {item.scope for item in (*quote.bom.items, *quote.site.lines) if item.sku in bought}
    wanted = demand.field == "include"
    kept: Judged = "none" if all((token in priced) == wanted for token in asked) else "negative"
    return offer.say(f"scope.{demand.field}", kept, "lines", value=demand.value)


def of_rules(demand: Demand, offer: Offer) -> Answer:
    """信创, imports, parts under export control, 等保."""
    if demand.field == "mlps_level":
        return offer.say("mlps", "negative", "lines", value=demand.value)
    if demand.field == "controlled_parts":
        row = offer.check("export_control")
        barred = demand.read == "exclude" and row is not None and row.status != "pass"
        code = "controlled.exclude" if demand.read == "exclude" else "controlled.allow"
        return offer.say(code, "negative" if barred else "none", row.anchor if row else "lines")
    imported = _imported(offer)
    judged: Judged = "none" if demand.read == "preferred" else "negative"
    if demand.read in ("no", "true"):
        return offer.say("origin.free", "none", "lines")
    open_origins = _named([line for line in _goods(offer) if line.origin == "unknown"], offer)
    if not imported and open_origins:
        return offer.say(
            "origin.open", "none" if demand.read == "preferred" else "negative", "lines", value=open_origins
        )
    if not imported:
        return offer.say("origin.domestic", "none", "lines")
    return offer.say("origin.imported", judged, "lines", value=_named(imported, offer))


def _named(lines: list[PricedLine], offer: Offer) -> str:
    names = dict.fromkeys(line.name_zh if offer.words.language == "zh" else line.name_en for line in lines)
    return offer.words.say("proposal.join").join(names)


def _goods(offer: Offer) -> list[PricedLine]:
    return [line for line in offer.quote.price.lines if not line.owned and line.origin != "none"]


def _imported(offer: Offer) -> list[PricedLine]:
    return [line for line in _goods(offer) if line.origin == "imported"]
