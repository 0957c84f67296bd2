"""What a client reads: answers in the document's language, people's units, names instead of codes."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from quoting.assets import templates_folder
from quoting.documents import basis, readings, view_lines, view_plan
from quoting.documents.formats import billions, number
from quoting.documents.proposal import CHAPTERS, powers
from quoting.documents.words import load_words
from quoting.figure import Figure
from quoting.kinds import Language
from quoting.records import Check
from tests import sample_quote

ZH = load_words("zh", (templates_folder(),))
EN = load_words("en", (templates_folder(),))


@pytest.mark.parametrize(
    ("value", "language", "text"),
    [
        ("72.706", "zh", "727 亿"),
        ("0.4", "zh", "4 亿"),
        ("0.02", "zh", "2,000 万"),
        ("72.706", "en", "72.7 billion"),
        ("0.02", "en", "20 million"),
    ],
)
def test_counts_are_said_as_people_say_them(value: str, language: Language, text: str) -> None:
    assert billions(Decimal(value), language) == text


def test_operations_are_powers_of_ten_not_twelve_digits() -> None:
    assert number(Decimal(145_412_000_000)) == "1.45×10^11"
    assert str(powers("2 × 10^9 <b>")) == "2 × 10<sup>9</sup> &lt;b&gt;"


@pytest.mark.parametrize(
    ("key", "read", "text"),
    [
        ("workload[1].task", "inference", "推理"),
        ("workload[1].deadline", "14 days", "14 天"),
        ("workload[1].tokens", "0.2 B tokens", "2 亿 token"),
        ("commercial.budget", "2,200,000 CNY", "2,200,000 元"),
        ("commercial.electricity", "0.75 CNY/kWh", "0.75 元/度"),
        ("site.feeds", "2N", "双路"),
        ("site.circuit", "3 x 32 A", "3 × 32 A"),
        ("site.floor_load", "1,200 kg/m2", "1,200 kg/m²"),
    ],
)
def test_a_reading_is_in_the_language_of_the_document(key: str, read: str, text: str) -> None:
    assert readings.reading(key, read, ZH) == text


def test_racks_and_feeds_are_called_what_they_are() -> None:
    assert view_lines.place("R01", ZH, None) == "机柜 R01"
    assert view_lines.place("R01/A", EN, None) == "Rack R01, feed A"
    assert view_lines.place("osfp_flat", EN, None) == "flat-top OSFP"


def test_workloads_are_told_apart_by_task_then_by_name() -> None:
    load = sample_quote.entry().requirement.workloads[0]
    served, twin = replace(load, id="w2", task="inference"), replace(load, id="w2", name="B", model=None)
    catalog = sample_quote.catalog()
    assert view_plan.work_names((load,), catalog, ZH) == {load.id: ""}
    assert set(view_plan.work_names((load, served), catalog, ZH).values()) == {ZH.say(f"task.{load.task}"), "推理"}
    assert view_plan.work_names((load, twin), catalog, ZH)["w2"].startswith("B ")


@pytest.mark.parametrize(
    ("value", "unit", "chinese", "english"),
    [
        ("30", "kg", "kg", "kg"),
        ("1.15", "ratio", "", ""),
        ("0.80", "share", "", ""),
        ("16", "1", "", ""),
        ("2.5", "byte/parameter", "字节/参数", "bytes/param."),
        ("1", "copy", "份", "copy"),
        ("3", "copy", "份", "copies"),
        ("0.05", "share/year", "每年", "a year"),
    ],
)
def test_the_unit_of_a_figure_is_its_own_in_the_readers_language(
    value: str, unit: str, chinese: str, english: str
) -> None:
    figure = Figure("rule.any.value", Decimal(value), unit, "leaf", "x")
    assert (basis._unit(figure, ZH), basis._unit(figure, EN)) == (chinese, english)


def test_how_the_house_sets_prices_is_no_business_of_the_customer() -> None:
    shown = [id for id in ("tier_band", "price_age", "budget", "no_price") if view_lines._for_customers(_check(id))]
    assert shown == ["budget"]
    assert view_lines._for_customers(replace(_check("no_price"), status="fail"))


def _check(id: str) -> Check:
    return Check(id=id, status="pass", unit="CNY", source="")


def test_signature_stands_before_the_appendix() -> None:
    ids = [id for _, id in CHAPTERS]
    assert ids.index("signature") < ids.index("basis")
