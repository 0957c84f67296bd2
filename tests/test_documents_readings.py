"""What a client reads: answers in the document's language, people's units, names instead of codes."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from quoting.assets import templates_folder
from quoting.catalog import load_catalog
from quoting.documents import basis, readings, view_lines, view_plan
from quoting.documents.formats import billions, keep_units, number
from quoting.documents.proposal import CHAPTERS, powers
from quoting.documents.words import load_words
from quoting.figure import Figure, Ledger
from quoting.kinds import Language
from quoting.records import Check
from quoting.stages.leaves import form_leaf
from tests import sample_quote

ZH = load_words("zh", (templates_folder(),))
EN = load_words("en", (templates_folder(),))
CATALOG = load_catalog()


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


def test_signature_stands_after_the_appendix() -> None:
    ids = [id for _, id in CHAPTERS]
    assert ids.index("signature") > ids.index("basis")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("负载 +15.2 %。", "负载 +15.2_%。"),
        ("768 GB 与 30.1 周", "768_GB 与 30.1_周"),
        ("<td>4 × node</td>", "<td>4_×_node</td>"),
        ("2 × 200G, 35 °C, 1,200 kg/m²", "2_×_200G, 35_°C, 1,200_kg/|m²"),
        ("200 GB/s, 342 tokens/s, 342 token/s", "200_GB/|s, 342_tokens/|s, 342_token/|s"),
        ("990 × 1370 × 2100 mm", "990_× 1370_×_2100_mm"),
        ("131,072 tokens in 16.6 days", "131,072_tokens in 16.6_days"),
        ("含税。 整机；\n 部件", "含税。整机；部件"),
        ("<b>关于：</b> 全部", "<b>关于：</b>全部"),
        ("CNY 1,000 and 3 Gardens", "CNY_1,000 and 3 Gardens"),
    ],
)
def test_a_number_keeps_its_unit_on_its_line(text: str, kept: str) -> None:
    assert keep_units(text) == kept.replace("_", "\u00a0").replace("|", "\u2060")


def test_what_the_form_left_open_is_no_answer_of_the_form() -> None:
    ledger = Ledger()
    form_leaf(ledger, "site.existing_load", None, "A")
    form_leaf(ledger, "site.ups_load", Decimal(0), "kVA")
    sources = {figure.id: basis.source_title(figure.source, CATALOG, ZH)[0] for figure in ledger.figures()}
    assert sources == {"form.site.existing_load": "默认取值", "form.site.ups_load": "需求表：UPS 已用负载"}


def test_a_decision_is_told_by_its_rule_not_by_the_words_for_failing_it() -> None:
    figure = Figure(
        id="fit.nodes", value=Decimal(1), unit="node", kind="rule", text="fit.nodes", decided_by="deadline", source=""
    )
    row = basis.basis({figure.id: figure}, CATALOG, ZH, {}).rows[0]
    assert row.how == "节点数取整规则 · 按期完成"


def test_sources_worded_for_customers_are_sources_of_the_catalogue() -> None:
    prefix = "source_title."
    worded = {code.removeprefix(prefix) for code in ZH.codes("source_title")}
    assert worded <= set(CATALOG.sources)
    named = {f"publisher.{source.publisher}" for source in CATALOG.sources.values()}
    assert set(ZH.codes("publisher")) <= named


def test_what_rows_repeat_is_told_once() -> None:
    figures = {
        id: Figure(id=id, value=Decimal("1.6"), unit="ratio", kind="leaf", text="", source="room-practice")
        for id in ("rule.site.pue.room", "ownership.pue")
    }
    assert [row.id for row in basis.basis(figures, CATALOG, ZH, {}).rows] == ["rule.site.pue.room"]


def test_a_brand_is_called_as_its_readers_know_it() -> None:
    assert [basis.brand_name("Huawei", words) for words in (ZH, EN)] == ["华为", "Huawei"]
    assert basis.brand_name("Made here", ZH) == "Made here"
