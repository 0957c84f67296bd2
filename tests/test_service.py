"""What the service chapter promises is what the bill holds."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path

import pytest

from quoting.assets import templates_folder
from quoting.catalog import load_catalog
from quoting.documents.view_service import service
from quoting.documents.words import Words, load_words
from quoting.forms import read_form
from quoting.kinds import Language
from quoting.quote import make_quote
from quoting.records import Quote
from quoting.rows import Catalog

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


@cache
def rows() -> Catalog:
    return load_catalog()


@cache
def quote_of(example: str) -> Quote:
    return make_quote(read_form(EXAMPLES / f"{example}.toml", rows()), rows(), date(2026, 12, 1))


def words(language: Language = "zh") -> Words:
    return load_words(language, (templates_folder(),))


def promised(quote: Quote, language: Language = "zh") -> tuple[str, ...]:
    told: tuple[str, ...] = service(quote, rows(), words(language))["service_list"]
    return told


def without(quote: Quote, why: str) -> Quote:
    price = quote.price
    return replace(quote, price=replace(price, lines=tuple(line for line in price.lines if line.why != why)))


def test_faults_are_answered_as_the_warranty_bought_says() -> None:
    line = next(line for line in quote_of("enterprise").price.lines if line.why == "service.warranty")
    assert line.spec_zh in promised(quote_of("enterprise"))[0]
    assert "工作日电话" not in promised(quote_of("enterprise"))[0]
    assert "工作日电话" in promised(without(quote_of("enterprise"), "service.warranty"))[0]


@pytest.mark.parametrize(("example", "spares"), [("xinchuang", True), ("enterprise", False), ("entry", False)])
def test_spares_are_promised_where_they_are_bought(example: str, spares: bool) -> None:
    assert (words().say("proposal.service.spares") in promised(quote_of(example))) == spares


def test_training_is_an_option_until_it_is_a_line() -> None:
    code = "proposal.service.training_option"
    assert words().say(code) in promised(quote_of("enterprise"))
    taught = promised(quote_of("engineer-lines"))[2]
    assert "两天" in taught
    assert taught != words().say(code)


def test_a_bid_speaks_of_no_option() -> None:
    quote = quote_of("enterprise")
    asked = quote.requirement
    bid = replace(quote, requirement=replace(asked, document=replace(asked.document, mode="tender")))
    assert words().say("proposal.service.briefing") in promised(bid)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_paid_proof_of_concept_is_the_first_stage_and_says_what_follows(language: Language) -> None:
    told = service(quote_of("xinchuang"), rows(), words(language))
    assert told["steps"][0].name == words(language).say("delivery.poc.name")
    assert told["step_note"]
    plain = service(quote_of("enterprise"), rows(), words(language))
    assert len(plain["steps"]) == len(told["steps"]) - 1
    assert not plain["step_note"]
