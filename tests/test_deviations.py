"""The deviation tables of a tender: every line of the form, a response to each, the page of its proof."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from pypdf import PdfReader

from quoting.assets import templates_folder
from quoting.documents import write_proposal
from quoting.documents.customer import CustomerView, Deviation
from quoting.documents.view import customer_view
from quoting.documents.words import load_words
from quoting.forms import parse_form
from quoting.forms.files import read_data
from quoting.kinds import Language
from quoting.quote import make_quote
from quoting.records import Quote
from quoting.rows import Catalog

EXAMPLES = sorted((Path(__file__).resolve().parents[1] / "examples").glob("*.toml"))
ASKING = ("workload", "hardware", "site", "compliance", "commercial", "project", "scope")
ASKS_NOTHING = {"project.name", *(f"commercial.{key}" for key in ("utilisation", "electricity", "discount", "months"))}
ROOTS = (templates_folder(),)


def bid(data: dict[str, object], catalog: Catalog, day: date) -> Quote:
    need = parse_form(data, catalog, "form.toml")
    return make_quote(replace(need, document=replace(need.document, mode="tender")), catalog, day)


def view_of(quote: Quote, catalog: Catalog, language: Language = "zh") -> CustomerView:
    return customer_view(quote, catalog, load_words(language, ROOTS))


def form(name: str, **changes: dict[str, object]) -> dict[str, object]:
    data = dict(read_data(next(path for path in EXAMPLES if path.stem == name)))
    return {**data, **{table: {**data.get(table, {}), **entries} for table, entries in changes.items()}}


def keys_of(data: dict[str, object]) -> set[str]:
    found = set()
    for name in ASKING:
        tables = data.get(name, {})
        if isinstance(tables, list):
            found |= {f"{name}[{number}].{key}" for number, table in enumerate(tables, 1) for key in table}
        elif isinstance(tables, dict):
            found |= {f"{name}.{key}" for key in tables}
    return found - ASKS_NOTHING


def answered(view: CustomerView) -> dict[str, Deviation]:
    return {row.key: row for row in (*view.technical, *view.commercial)}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_line_of_a_form_is_answered(path: Path, catalog: Catalog, day: date) -> None:
    data = form(path.stem)
    quote = bid(data, catalog, day)
    for language, judged in (("zh", {"正", "无", "负"}), ("en", {"better", "none", "worse"})):
        rows = answered(view_of(quote, catalog, language))
        assert set(rows) == keys_of(data)
        assert len(rows) == len(view_of(quote, catalog).technical) + len(view_of(quote, catalog).commercial)
        assert {row.deviation for row in rows.values()} <= judged
        assert all(row.response.strip() and row.proof for row in rows.values())


@pytest.mark.parametrize(("name", "language"), [("enterprise", "zh"), ("xinchuang", "en"), ("named-hardware", "zh")])
def test_each_page_number_is_that_of_the_proof(
    name: str, language: Language, catalog: Catalog, day: date, tmp_path: Path
) -> None:
    quote = bid(form(name), catalog, day)
    path = tmp_path / "bid.pdf"
    write_proposal(quote, path, language, catalog=catalog)
    pages = [page.extract_text() for page in PdfReader(path).pages]
    view = view_of(quote, catalog, language)
    rows = (*view.technical, *view.commercial)
    head = load_words(language, ROOTS).say("tender.head.page")
    # A page's own numbers come after its content: the folio, then the references in their order.
    after = [re.split(r"第 \d+ 页 共|Page \d+ of", text)[-1] for text in pages if head in text]
    printed = [int(number) for text in after for number in re.findall(r"(?m)^(\d+)$", text)]
    assert len(printed) == len(rows)
    for row, page in zip(rows, printed, strict=True):
        offered = row.response.replace(re.split("：|: ", row.demand, maxsplit=1)[1], "")
        told = re.findall(r"(?<![-A-Za-z.\d,])\d+(?:,\d{3})*(?:\.\d+)?", offered)
        if told:
            assert max(told, key=len) in pages[page - 1], row


@pytest.mark.parametrize(
    ("table", "key", "typed", "response", "judged"),
    [
        ("scope", "include", ["training"], "已列入清单与总价：培训", "无"),
        ("scope", "exclude", ["rack"], "未列入清单与总价：机柜", "无"),
        ("scope", "reuse", ["交换机"], "沿用招标人现有设备，不另报价：交换机", "无"),
        ("compliance", "mlps_level", "等保三级", "清单未列安全设备与测评服务；按等保 3 级建设与测评须另行约定", "负"),
        ("compliance", "imports_allowed", "允许", "响应", "无"),
        ("project", "form_factor", "机架式", "机架式", "无"),
        ("commercial", "currency", "CNY", "以人民币报价与结算", "无"),
        ("commercial", "validity_days", 3, "3 天", "无"),
        ("commercial", "payment", "30%、70%", "接受，按 30-70 支付", "无"),
        ("site", "generator", "无", "响应，按此条件设计与实施", "无"),
        ("site", "rack_power", "2kW", "单柜满载", "负"),
    ],
)
def test_a_response_is_what_the_plan_offers(
    table: str, key: str, typed: object, response: str, judged: str, catalog: Catalog, day: date
) -> None:
    view = view_of(bid(form("entry", **{table: {key: typed}}), catalog, day), catalog)
    row = answered(view)[f"{table}.{key}"]
    assert row.response.startswith(response)
    assert row.deviation == judged


def test_a_speed_is_better_only_where_the_slow_end_is_in_time(catalog: Catalog, day: date) -> None:
    quote = bid(form("enterprise"), catalog, day)
    assert quote.choice.chosen is not None
    fit = quote.choice.chosen.workloads[0]
    assert fit.days is not None
    assert fit.days_high is not None
    judged = {}
    for asked in (fit.days - Decimal("0.01"), (fit.days + fit.days_high) / 2, fit.days_high + 1):
        loads = quote.requirement.workloads
        need = replace(quote.requirement, workloads=(replace(loads[0], deadline_days=asked), *loads[1:]))
        row = answered(view_of(replace(quote, requirement=need), catalog))["workload[1].deadline"]
        judged[asked] = row.deviation
    assert list(judged.values()) == ["负", "无", "正"]


def test_imported_lines_deviate_from_domestic_only(catalog: Catalog, day: date) -> None:
    quote = bid(form("entry"), catalog, day)
    asked = replace(quote.requirement.plain[0], key="compliance.domestic", typed="required", read="required")
    need = replace(quote.requirement, plain=(asked,))
    row = answered(view_of(replace(quote, requirement=need), catalog))
    assert row["compliance.domestic"].deviation == "负"
    assert "4090" in row["compliance.domestic"].response


# The house's own concern, printed in no customer's document.
INSIDE = ("check.tier_band.", "check.price_age.", "check.no_price.")


def test_no_check_of_a_bid_asks_back_or_leaves_open() -> None:
    words = load_words("zh", ROOTS).bidding()
    said = {code: text for code, text in words.entries.items() if code.startswith("check.")}
    soft = {
        code
        for code, text in said.items()
        if re.search("请(提供|告知|排|调)|待确认|待厂家|厂家确认|签约|PoC|贵方", text)
    }
    assert {code for code in soft if not code.startswith(INSIDE)} == set()


def test_what_a_bid_says_differently_has_a_namesake() -> None:
    codes = load_words("zh", ROOTS).entries
    assert [code for code in codes if code.startswith("bid.") and code.removeprefix("bid.") not in codes] == []
