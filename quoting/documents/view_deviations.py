"""The deviation tables of a tender: every line of the form, a response of the bidder, and where its proof stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from quoting.documents import offer_plan, offer_terms, view_terms
from quoting.documents.customer import CheckRow, Deviation
from quoting.documents.demands import Demand, demands
from quoting.documents.formats import close_up
from quoting.documents.offer import Answer, Offer
from quoting.documents.words import Words
from quoting.records import Quote
from quoting.rows import Catalog

_COMMERCIAL = ("scope", "commercial", "project")
_ANSWERS: Mapping[str, Callable[[Demand, Offer], Answer]] = {
    "workload": offer_plan.of_work,
    "hardware": offer_plan.of_hardware,
    "site": offer_plan.of_room,
    "scope": offer_terms.of_scope,
    "compliance": offer_terms.of_rules,
    "commercial": offer_terms.of_money,
    "project": offer_terms.of_project,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """技术偏离表 (work, hardware, room, rules) and 商务偏离表 (money, dates, scope)."""

    technical: tuple[Deviation, ...] = ()
    commercial: tuple[Deviation, ...] = ()


def deviations(quote: Quote, checks: tuple[CheckRow, ...], catalog: Catalog, words: Words) -> Tables:
    """The tables of a tender; both empty outside one."""
    if quote.requirement.document.mode != "tender":
        return Tables()
    clauses = view_terms.clause_codes(quote, catalog, words)
    offer = Offer(quote=quote, catalog=catalog, words=words, checks=checks, clauses=clauses)
    asked = demands(quote.requirement, words)
    return Tables(
        technical=tuple(_row(one, offer) for one in asked if one.table not in _COMMERCIAL),
        commercial=tuple(_row(one, offer) for one in asked if one.table in _COMMERCIAL),
    )


def _row(demand: Demand, offer: Offer) -> Deviation:
    answer = _ANSWERS[demand.table](demand, offer)
    words = offer.words
    return Deviation(
        key=f"{demand.table}[{demand.number}].{demand.field}" if demand.number else f"{demand.table}.{demand.field}",
        demand=close_up(words.say("tender.demand", name=demand.name, value=demand.value)),
        response=close_up(answer.text),
        deviation=words.say(f"tender.deviation.{answer.judged}"),
        proof=answer.proof,
    )
