"""Proposal and tender, and how much of the price a document shows."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Literal

import pytest
from pypdf import PdfReader

from quoting.assets import templates_folder
from quoting.deliver import deliver
from quoting.documents import write_proposal
from quoting.documents.customer import CustomerView
from quoting.documents.formats import money, number
from quoting.documents.proposal import chapters_of, manuscript, proposal_html
from quoting.documents.view import customer_view
from quoting.documents.words import load_words
from quoting.errors import Mistakes
from quoting.forms import read_form
from quoting.kinds import Language
from quoting.quote import make_quote
from quoting.records import Quote
from quoting.rows import Catalog

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
ROOTS = (templates_folder(),)
LANGUAGES: tuple[Language, ...] = ("zh", "en")
# What would void a bid: a price that may move, a choice, a draft explained away, a question back.
SOFT = {
    "zh": "可选项 行情 供立项 重新确认 重新计算 需要您确认 待供应商书面报价 草案” 协商替换 租用 税法为准 请提供 请告知 "
    "排期前 签约前由 首次发布 报价单编号 报价日期 未核实 手工填写 待投标人 总价最低",
    "en": "Options, market once more,confirmed again,planning and budgeting,await a written,Questions to you,renting,"
    "please tell,please give,General knowledge,Quotation no.,by hand,before ordering,to be confirmed,reservations",
}


def quoted(
    form: str,
    catalog: Catalog,
    day: date,
    *,
    mode: Literal["proposal", "tender"] = "proposal",
    detail: Literal["lines", "groups", "none"] = "lines",
    budget: str = "",
) -> Quote:
    need = read_form(EXAMPLES / f"{form}.toml", catalog)
    if budget:
        need = replace(need, commercial=replace(need.commercial, budget=Decimal(budget)))
    need = replace(need, document=replace(need.document, mode=mode, price_detail=detail))
    return make_quote(need, catalog, day)


def view_of(quote: Quote, catalog: Catalog, language: Language = "zh") -> CustomerView:
    return customer_view(quote, catalog, load_words(language, ROOTS))


def html_of(quote: Quote, catalog: Catalog, language: Language) -> str:
    words = load_words(language, ROOTS)
    return proposal_html(customer_view(quote, catalog, words), words, ROOTS)


def amounts(text: str) -> set[str]:
    """Every amount with two places, and every whole number from ten thousand up."""
    return set(re.findall(r"(?<![\d.,])\d[\d,]*\.\d\d(?!\d)|(?<![\d.,])\d[\d,]{5,}(?![\d.,])", text))


def line_amounts(quote: Quote) -> set[str]:
    """Unit prices and subtotals of all lines and options as a document may print them."""
    known = [
        value
        for line in (*quote.price.lines, *quote.price.options)
        for value in (line.unit_price, line.subtotal)
        if value and value >= 100
    ]
    return {money(value) for value in known} | {number(value, 0) for value in known if value >= 10_000}


@pytest.mark.parametrize("form", ["entry", "enterprise", "failing-room", "xinchuang"])
@pytest.mark.parametrize("detail", ["groups", "none"])
def test_no_line_price_is_in_a_document_without_line_prices(
    form: str, detail: Literal["groups", "none"], catalog: Catalog, day: date
) -> None:
    quote = quoted(form, catalog, day, detail=detail)
    price = quote.price
    totals = [price.total, price.net, price.tax, price.priced_part, quote.requirement.commercial.budget]
    if detail == "groups":
        totals += [row.total for row in (*price.groups, *price.option_groups, *price.packages)]
        totals += [value for row in price.taxes for value in (row.net, row.tax)]
        totals += [remedy.price for remedy in price.remedies]
    allowed = {money(value) for value in totals if value} | {number(value, 0) for value in totals if value}
    for language in LANGUAGES:
        assert amounts(html_of(quote, catalog, language)) & line_amounts(quote) - allowed == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_detail_shows_what_it_says(language: Language, catalog: Catalog, day: date) -> None:
    pages = {
        detail: html_of(quoted("entry", catalog, day, detail=detail), catalog, language)
        for detail in ("lines", "groups", "none")
    }
    price = quoted("entry", catalog, day).price
    unit = next(line.unit_price for line in price.lines if line.quantity > 1 and line.unit_price)
    groups = [money(row.total) for row in price.groups if row.total]
    assert price.total is not None
    assert all(money(price.total) in page for page in pages.values())
    assert [money(unit) in pages[detail] for detail in pages] == [True, False, False]
    assert [all(total in pages[detail] for total in groups) for detail in pages] == [True, True, False]


def test_options_show_the_totals_of_their_groups_or_nothing(catalog: Catalog, day: date) -> None:
    grouped = quoted("entry", catalog, day, detail="groups")
    totals = [money(row.total) for row in grouped.price.option_groups if row.total]
    assert totals
    page, bare = (html_of(quoted("entry", catalog, day, detail=d), catalog, "zh") for d in ("groups", "none"))
    assert all(total in page for total in totals)
    assert not any(total in bare for total in totals)


@pytest.mark.parametrize("form", ["entry", "enterprise", "cluster", "xinchuang", "engineer-lines"])
def test_hardware_and_services_sum_to_the_total(form: str, catalog: Catalog, day: date) -> None:
    price = quoted(form, catalog, day).price
    assert [row.package for row in price.packages] == ["hardware", "service"]
    assert sum(row.total for row in price.packages if row.total) == price.total
    service = sum(line.subtotal or 0 for line in price.lines if line.group == "service")
    assert price.packages[1].total is not None
    assert price.packages[1].total >= service


@pytest.mark.parametrize("form", ["entry", "enterprise", "named-hardware", "failing-room"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_tender_has_one_plan_at_one_price(form: str, language: Language, catalog: Catalog, day: date) -> None:
    quote = quoted(form, catalog, day, mode="tender")
    view, page = view_of(quote, catalog, language), html_of(quote, catalog, language)
    assert (view.options, view.alternatives, view.others, view.asks) == ((), (), (), ())
    assert all(remedy.accepted for remedy in view.remedies)
    said = [words for words in SOFT[language].split("," if language == "en" else " ") if words in page]
    assert said == []
    assert quote.price.options  # there were some to leave out


def test_a_tender_names_no_figure_of_owning_or_renting(catalog: Catalog, day: date) -> None:
    view = view_of(quoted("enterprise", catalog, day, mode="tender"), catalog)
    taken = [row.id for source in view.sources for row in source.taken]
    assert [id for id in (*taken, *(row.id for row in view.basis)) if "ownership" in id] == []
    kept = view_of(quoted("enterprise", catalog, day), catalog)
    assert any("ownership" in row.id for source in kept.sources for row in source.taken)


def test_a_tender_costs_what_the_proposal_costs(catalog: Catalog, day: date) -> None:
    proposal, tender = (quoted("enterprise", catalog, day, mode=mode) for mode in ("proposal", "tender"))
    assert tender.price.total == proposal.price.total
    assert tender.price.lines == proposal.price.lines


def test_a_tender_from_estimates_stays_a_draft(catalog: Catalog, day: date) -> None:
    quote = quoted("enterprise", catalog, day, mode="tender")
    assert (quote.status == "draft") == quoted("enterprise", catalog, day).price.draft
    words = load_words("zh", ROOTS)
    pages = manuscript(customer_view(quote, catalog, words), words, ROOTS)
    assert ('class="watermark"' in pages.stationery) == (quote.status == "draft")


def test_a_bid_above_the_ceiling_is_a_finding_with_the_amount(catalog: Catalog, day: date) -> None:
    quote = quoted("entry", catalog, day, mode="tender", budget="300000")
    found = [one for one in quote.findings if one.id == "tender_budget"]
    assert [one.status for one in found] == ["fail"]
    assert quote.price.total is not None
    assert dict(found[0].arguments)["over"] == quote.price.total - 300_000
    view = view_of(quote, catalog)
    assert view.lights[2].status == "fail"
    assert money(quote.price.total - 300_000) in view.lights[2].sentence
    assert view.commercial[0].deviation == "负"


def test_a_bid_has_the_clauses_of_a_bid_whatever_the_form_chooses(catalog: Catalog, day: date) -> None:
    quote = quoted("entry", catalog, day, mode="tender")
    need = replace(quote.requirement, document=replace(quote.requirement.document, clauses="integration"))
    assert view_of(replace(quote, requirement=need), catalog).clauses == view_of(quote, catalog).clauses


def test_a_bid_above_the_ceiling_is_not_written(catalog: Catalog, day: date, tmp_path: Path) -> None:
    quote = quoted("failing-room", catalog, day, mode="tender")
    with pytest.raises(Mistakes, match=r"commercial\.budget: the bid of .* above the budget of 1000000\.00 yuan"):
        deliver(quote, catalog, tmp_path, "zh")
    assert list(tmp_path.iterdir()) == []


def test_a_bid_with_a_price_missing_is_not_written(catalog: Catalog, day: date, tmp_path: Path) -> None:
    quote = quoted("entry", catalog, day, mode="tender")
    with pytest.raises(Mistakes, match="a price for every line"):
        deliver(replace(quote, price=replace(quote.price, total=None)), catalog, tmp_path, "zh")
    assert list(tmp_path.iterdir()) == []


def test_a_bid_at_the_ceiling_is_within_it(catalog: Catalog, day: date) -> None:
    total = quoted("entry", catalog, day).price.total
    quote = quoted("entry", catalog, day, mode="tender", budget=str(total))
    assert [one.status for one in quote.price.checks if one.id == "tender_budget"] == ["pass"]
    assert not [one for one in quote.price.checks if one.id == "budget"]


def test_a_room_that_fails_is_a_negative_deviation(catalog: Catalog, day: date) -> None:
    view = view_of(quoted("failing-room", catalog, day, mode="tender"), catalog)
    assert [row.deviation for row in view.technical if "5 kW" in row.demand] == ["负"]


def test_a_proposal_has_no_deviation_tables(catalog: Catalog, day: date) -> None:
    quote = quoted("entry", catalog, day)
    view = view_of(quote, catalog)
    assert (view.technical, view.commercial) == ((), ())
    assert "偏离" not in html_of(quote, catalog, "zh")


@pytest.mark.parametrize("mode", ["proposal", "tender"])
def test_chapters_are_numbered_without_a_gap(mode: str) -> None:
    numbers = [int(no) for no, _ in chapters_of(mode) if no.isdecimal()]
    assert numbers == list(range(1, len(numbers) + 1))
    assert ("ownership" in [id for _, id in chapters_of(mode)]) == (mode == "proposal")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_tender_is_set_without_complaint(language: Language, catalog: Catalog, day: date, tmp_path: Path) -> None:
    path = tmp_path / "tender.pdf"
    write_proposal(quoted("entry", catalog, day, mode="tender"), path, language, catalog=catalog)
    text = re.sub(r"\s+", " ", " ".join(page.extract_text() for page in PdfReader(path).pages))
    assert {"zh": "商务偏离表", "en": "Commercial deviations"}[language] in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_first_issue_is_not_called_a_draft(language: Language) -> None:
    said = load_words(language, ROOTS).say("proposal.revision_first").lower()
    assert not re.search("draft|初稿|草", said)
