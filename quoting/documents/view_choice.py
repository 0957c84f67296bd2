"""Beside the plan, as a customer may read it: alternatives with what they come to, and the hardware that was named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal

from quoting.documents.customer import CheckRow
from quoting.documents.customer_plan import Plan
from quoting.documents.formats import close_up, number
from quoting.documents.view_plan import plan
from quoting.documents.words import Words
from quoting.records import Outcome, Quote
from quoting.rows import Catalog


def with_outcomes(plans: Sequence[Plan], quote: Quote, words: Words) -> tuple[Plan, ...]:
    """The alternatives with the project's total in each case, and whether room and budget hold it.

    Without amounts where the document shows no prices of lines.
    """
    priced = quote.requirement.document.price_detail == "lines"
    return tuple(
        replace(
            one,
            total=outcome.total if priced else None,
            difference=outcome.difference if priced else None,
            standing=_standing(outcome, priced, words),
        )
        for one, outcome in zip(plans, quote.outcomes, strict=True)
    )


def _standing(outcome: Outcome, priced: bool, words: Words, failures: bool = False) -> str:
    """Room and budget in a few words; only what fails, when asked for ``failures``."""
    told = [words.say(f"alternative.room.{outcome.room}")] if not failures or outcome.room == "fail" else []
    if outcome.budget is not None and (not failures or outcome.budget == "fail"):
        known = priced and outcome.budget == "fail" and outcome.over_budget is not None
        code = "over" if known else outcome.budget
        told.append(words.say(f"alternative.budget.{code}", over=number(outcome.over_budget or Decimal(0), 0)))
    return words.say("alternative.join").join(told)


def own_plan(quote: Quote, catalog: Catalog, words: Words) -> Plan | None:
    """The plan itself, with its total and whether room and budget hold it; None when there is none."""
    chosen = quote.choice.chosen
    if chosen is None:
        return None
    standing = _standing(quote.outcome, True, words)
    return replace(plan(chosen, catalog, words), total=quote.price.total, standing=standing)


def cures(quote: Quote, plans: Sequence[Plan], words: Words) -> tuple[str, ...]:
    """A sentence for each alternative that room and budget hold where they do not hold the plan."""
    missing = _standing(quote.outcome, True, words, failures=True)
    return tuple(_sentence("cure", one, words, missing) for one in _curing(quote, plans))


def beside(quote: Quote, plans: Sequence[Plan], words: Words) -> tuple[str, ...]:
    """A sentence for each other cheaper alternative, and for the domestic one unless the plan's nodes are owned."""
    chosen = quote.choice.chosen
    cured = _curing(quote, plans)
    owned = chosen is not None and chosen.node_cost == 0
    told = [
        one
        for one, outcome in zip(plans, quote.outcomes, strict=True)
        if one not in cured
        and ((outcome.difference is not None and outcome.difference < 0) or (one.kind == "domestic" and not owned))
    ]
    return tuple(_sentence("line", one, words) for one in told)


def _curing(quote: Quote, plans: Sequence[Plan]) -> list[Plan]:
    if _holds(quote.outcome):
        return []
    return [one for one, outcome in zip(plans, quote.outcomes, strict=True) if _holds(outcome)]


def _holds(outcome: Outcome) -> bool:
    return outcome.room != "fail" and outcome.budget != "fail"


def _sentence(code: str, one: Plan, words: Words, missing: str = "") -> str:
    total = words.say("alternative.total", total=number(one.total, 0)) if one.total is not None else ""
    facts = words.say("alternative.join").join(part for part in (one.platform, total, one.time, one.standing) if part)
    return close_up(
        words.say(
            f"alternative.summary.{code}",
            name=words.say(f"alternative.{one.kind}.name") if one.kind else one.tier,
            facts=facts,
            missing=missing,
            why=words.say(f"alternative.{one.kind}.why_not") if one.kind else one.change,
        )
    )


def named_summary(named: Plan, rows: Iterable[CheckRow], words: Words) -> tuple[str, ...]:
    """The verdict on the hardware the customer named, then every check it fails."""
    verdict = words.say(
        "proposal.named_text",
        platform=named.platform,
        gpu=named.gpu,
        nodes=named.nodes,
        cards=named.cards,
        verdict=words.say(f"verdict.{named.verdict}"),
    )
    failed = tuple(dict.fromkeys(row.sentence for row in rows if row.status == "fail"))
    return (f"{verdict} {named.change}".strip() if not failed else verdict, *failed)
