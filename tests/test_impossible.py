"""Requests nobody can fulfil get an honest answer with its arithmetic: not a stack of racks, and not a crash."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest
from laws import form, quoted, rows

from quoting.assets import templates_folder
from quoting.documents.words import load_words
from quoting.errors import Mistakes
from quoting.records import Finding, Quote

TRILLION = {"params": "1000B", "task": "pretrain", "tokens": "10T"}


def found(quote: Quote, code: str) -> Finding:
    return next(finding for finding in quote.findings if finding.code == code)


def numbers(finding: Finding) -> dict[str, Any]:
    return dict(finding.arguments)


def said(finding: Finding) -> list[str]:
    """The finding in both languages."""
    code = finding.code if finding.code.startswith("check.") else f"finding.{finding.code}"
    return [
        load_words(language, (templates_folder(),)).say(code, where=finding.where, **dict(finding.arguments))
        for language in ("zh", "en")
    ]


def test_a_trillion_parameters_on_one_node_do_not_fit_and_the_quote_says_by_how_much() -> None:
    quote = quoted(form([TRILLION], hardware={"gpu": "H20 96G", "cards": 8, "nodes": 1}))
    named = quote.choice.named
    assert named is not None
    assert named.verdict == "no"
    short = next(check for check in named.checks if check.id == "vram_total")
    assert short.required is not None
    assert short.status == "fail"
    assert short.available == 768
    assert short.required > 20 * short.available
    assert dict(named.change_arguments)["cards"] > 100


def test_a_job_of_a_century_is_told_with_its_card_days() -> None:
    quote = quoted(form([TRILLION]))
    told = numbers(found(quote, "long_job"))
    flops = 6 * Decimal(10) ** 12 * Decimal(10) ** 13
    card = rows().accelerators[quote.choice.chosen.gpu]  # type: ignore[union-attr]
    share = Decimal(rows().rules[f"mfu.{card.mfu}"].values["pretrain"])
    card_days = flops / ((card.bf16_tflops or 0) * Decimal(10) ** 12 * share * 86400)
    assert abs(told["card_days"] - card_days) <= 1
    assert abs(told["days"] * told["cards"] - told["card_days"]) <= told["cards"]
    assert told["needed"] > told["card_days"] / told["target"]


@pytest.mark.parametrize("typed", ["H9999 300G", "A8000 80G", "RTX 9090"])
def test_a_card_that_does_not_exist_is_refused_with_the_nearest_that_does(typed: str) -> None:
    with pytest.raises(Mistakes) as refused:
        form([{"model": "Qwen2.5-7B", "task": "lora"}], hardware={"gpu": typed, "cards": 8})
    [mistake] = refused.value.mistakes
    assert mistake.place == "hardware.gpu"
    assert typed in mistake.problem
    assert mistake.nearest


@pytest.mark.parametrize("work", [("Qwen2.5-7B", "lora"), ("Qwen2.5-72B", "full"), ("DeepSeek-V3", "inference")])
def test_racks_of_a_hundred_watts_fail_with_both_numbers_and_no_rack_for_each_switch(work: tuple[str, str]) -> None:
    quote = quoted(form([{"model": work[0], "task": work[1]}], {"rack_power": "0.1kW"}))
    check = next(check for check in quote.site.checks if check.id == "rack_power")
    assert check.status == "fail"
    assert check.available == Decimal("0.1")
    assert check.required is not None
    assert check.required > 1
    assert len(quote.site.racks) <= (quote.choice.chosen.nodes or 0) + 1  # type: ignore[union-attr]


@pytest.mark.parametrize("racks", [1, 2])
def test_the_same_in_a_room_of_few_racks(racks: int) -> None:
    answers: Mapping[str, Any] = {"rack_power": "0.1kW", "racks": racks}
    quote = quoted(form([{"model": "Qwen2.5-72B", "task": "full"}], answers))
    assert "rack_power" in {check.id for check in quote.site.checks if check.status == "fail"}
    assert len(quote.site.racks) <= racks + 1


@pytest.mark.parametrize("model", ["Llama-3.1-405B", "Llama-3-70B"])
def test_three_months_that_need_an_army_of_cards_are_answered_with_the_arithmetic(model: str) -> None:
    quote = quoted(form([{"model": model, "task": "pretrain", "tokens": "15T", "deadline": "90天"}]))
    finding = found(quote, "deadline_cards")
    told = numbers(finding)
    assert finding.status == "fail"
    assert told["needed"] > 10_000
    assert told["target"] == 90
    assert told["needed"] * told["target"] >= told["card_days"]
    assert told["needed"] > 50 * told["cards"]
    assert quote.choice.chosen is not None
    assert quote.choice.chosen.cards == told["cards"]  # what is quoted is not the army
    assert all(f"{told['needed']:,}" in text or str(told["needed"]) in text for text in said(finding))


def test_a_job_that_is_done_in_time_hears_nothing_of_it() -> None:
    quote = quoted(form([{"model": "Qwen2.5-7B", "task": "lora", "tokens": "0.1B", "deadline": "30天"}]))
    assert {finding.code for finding in quote.findings} & {"deadline_cards", "long_job"} == set()
