"""Clauses of a quotation by scenario."""

from __future__ import annotations

from quoting.documents.customer_plan import Pair
from quoting.documents.words import Words
from quoting.errors import Mistake, Mistakes
from quoting.records import Quote
from quoting.rows import Catalog

_SHARED = frozenset({"payment", "common"})  # tables of clauses that are no scenario
_STEPS = ("first", "second", "third")


def clauses(quote: Quote, catalog: Catalog, words: Words) -> tuple[Pair, ...]:
    """Payment, then the clauses of the scenario, then those that every scenario but a tender shares.

    A tender has its own, for a price that may change voids a bid. Else the form chooses, or the house; else it is
    integration where services are quoted and goods where none are. Raises Mistakes for a scenario without words.
    """
    arguments = _arguments(quote, catalog)
    return tuple(
        Pair(label=words.say(f"{code}.name"), text=words.say(f"{code}.text", **arguments))
        for code in clause_codes(quote, catalog, words)
    )


def clause_codes(quote: Quote, catalog: Catalog, words: Words) -> tuple[str, ...]:
    """The codes of the clauses, in printed order; raises as ``clauses`` does."""
    scenario = _scenario(quote, catalog, words)
    prefixes = (f"clause.{scenario}", *(() if scenario == "tender" else ("clause.common",)))
    codes = (code for prefix in prefixes for code in words.codes(prefix) if code.endswith(".name"))
    return (_payment_code(quote, words), *(code.removesuffix(".name") for code in codes))


def _scenario(quote: Quote, catalog: Catalog, words: Words) -> str:
    document = quote.requirement.document
    chosen = "tender" if document.mode == "tender" else document.clauses or catalog.house.clauses
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
