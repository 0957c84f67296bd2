"""Real requirements told in public, as forms, against what is known about them.

``python tests/score_cases.py`` writes docs/cases.md (hits, misses, reasons); tests/test_real_cases.py holds the score.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from quoting.catalog import load_catalog
from quoting.forms import read_form
from quoting.quote import make_quote
from quoting.records import Check, Quote
from quoting.rows import Catalog

HERE = Path(__file__).resolve().parent
CASES = HERE / "real_cases"
PAGE = HERE.parent / "docs" / "cases.md"
DAY = date(2026, 11, 30)


@dataclass(frozen=True)
class Score:
    """One case: what was expected and not seen; empty is a hit."""

    case: dict[str, Any]
    missed: tuple[str, ...]
    seen: str


def cases() -> list[dict[str, Any]]:
    return list(tomllib.loads((CASES / "expected.toml").read_text(encoding="utf-8"), parse_float=Decimal)["case"])


def judged(quote: Quote) -> list[Check]:
    """The checks of the hardware and room the customer told of; of the plan where nothing was named."""
    named = quote.choice.named
    fit = named or quote.choice.chosen
    site = quote.named_site or quote.site
    return [*(fit.checks if fit else ()), *quote.bom.checks, *site.checks, *quote.price.checks]


def score(case: dict[str, Any], catalog: Catalog) -> Score:
    requirement = read_form(CASES / case["form"], catalog)
    quote = make_quote(requirement, catalog, DAY)
    return Score(case, tuple(_missed(case["expect"], quote)), _seen(quote))


def _missed(expect: dict[str, Any], quote: Quote) -> Iterator[str]:
    checks = judged(quote)
    tier = _tier(quote)
    if "tiers" in expect and tier not in expect["tiers"]:
        yield f"tier {tier} instead of {' or '.join(expect['tiers'])}"
    for status, enough in (("fail", ("fail",)), ("warn", ("warn", "fail"))):  # a warning is the least expected
        ids = {check.id for check in checks if check.status in enough}
        yield from (f"{id} does not {status}" for id in expect.get(status, ()) if id not in ids)
        any_of = expect.get(f"{status}_any", ())
        if any_of and not ids & set(any_of):
            yield f"none of {', '.join(any_of)} does {status}"
    passed = {check.id for check in checks if check.status == "pass"}
    yield from (f"{id} does not pass" for id in expect.get("pass", ()) if id not in passed)
    failed = {check.id for check in checks if check.status == "fail"}
    yield from (f"{id} fails" for id in expect.get("not_fail", ()) if id in failed)
    if "days" in expect:
        yield from _wrong_days(expect["days"], quote)
    asked = {ask.key for ask in quote.requirement.asks}
    yield from (f"nothing asked about {key}" for key in expect.get("ask", ()) if not any(key in ask for ask in asked))


def _tier(quote: Quote) -> str:
    """The tier quoted; for "how many of this card?" the tier of that many of this card."""
    hardware, named, chosen = quote.requirement.hardware, quote.choice.named, quote.choice.chosen
    asked_how_many = hardware is not None and hardware.cards is None and hardware.nodes is None
    fit = named if asked_how_many and named else chosen
    return fit.tier if fit else "none"


def _wrong_days(expected: list[int], quote: Quote) -> Iterator[str]:
    fit = quote.choice.named or quote.choice.chosen
    days = fit.days if fit else None
    if days is None or not expected[0] <= days <= expected[1]:
        yield f"{days} days instead of {expected[0]} to {expected[1]}"


def _seen(quote: Quote) -> str:
    chosen, named = quote.choice.chosen, quote.choice.named
    plan = f"{chosen.tier}, {chosen.nodes} × {chosen.platform or chosen.gpu}" if chosen else "nothing fits"
    if named is None:
        return plan
    failed = ", ".join(dict.fromkeys(check.id for check in judged(quote) if check.status == "fail"))
    return f"named: {named.verdict}{' (' + failed + ')' if failed else ''}; quoted: {plan}"


def page(scores: list[Score]) -> str:
    hits = sum(not each.missed for each in scores)
    lines = [
        "# Real requirements against the program",
        "",
        "Made by `python tests/score_cases.py`. Each case is a requirement, a fault or a price told in public, written",
        "as a form under `tests/real_cases/`; what is expected of it is in `expected.toml` there, with what is known",
        "and where it was told.",
        "",
        f"**{hits} of {len(scores)} hit.**",
        "",
        "| case | mode | expected | seen | result | told at |",
        "|---|---|---|---|---|---|",
    ]
    lines += [_line(each) for each in scores]
    return "\n".join(lines) + "\n"


def _line(each: Score) -> str:
    case = each.case
    expected = "; ".join(
        f"{key} {value if isinstance(value, str) else ', '.join(map(str, value))}"
        for key, value in case["expect"].items()
    )
    result = "hit" if not each.missed else "**miss**: " + "; ".join(each.missed)
    form = case["form"].removesuffix(".toml")
    return f"| {form} | {case['mode']} | {expected} | {each.seen} | {result} | {case['source']} |"


def main() -> None:
    catalog = load_catalog()
    scores = [score(case, catalog) for case in cases()]
    PAGE.write_text(page(scores), encoding="utf-8")
    print(f"{sum(not each.missed for each in scores)} of {len(scores)} hit")
    for each in scores:
        if each.missed:
            print(f"{each.case['form']}: {'; '.join(each.missed)}")


if __name__ == "__main__":
    main()
