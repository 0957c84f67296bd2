"""The documents of every example form: worded in both languages, and silent about cost."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from quoting.assets import templates_folder
from quoting.catalog import load_catalog
from quoting.documents import write_proposal
from quoting.documents.basis import figure_name
from quoting.documents.customer import CustomerView
from quoting.documents.formats import money
from quoting.documents.proposal import proposal_html
from quoting.documents.view import customer_view
from quoting.documents.words import Words, load_words
from quoting.figure import Figure, evaluate
from quoting.forms import read_form
from quoting.kinds import Language
from quoting.quote import make_quote
from quoting.records import Quote
from quoting.rows import Catalog

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.toml"))
ROOTS = (templates_folder(),)
each_example = pytest.mark.parametrize("form", EXAMPLES, ids=lambda form: form.stem)


@cache
def quote_of(form: Path) -> Quote:
    return make_quote(read_form(form, rows()), rows(), date(2026, 11, 30))


@cache
def rows() -> Catalog:
    return load_catalog()


@cache
def words_of(language: Language) -> Words:
    return load_words(language, ROOTS)


def seen(form: Path, language: Language) -> CustomerView:
    return customer_view(quote_of(form), rows(), words_of(language))


@each_example
@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_code_of_the_quote_has_words(form: Path, language: Language) -> None:
    html = proposal_html(seen(form, language), words_of(language), ROOTS)
    total = quote_of(form).price.total
    assert (money(total) if total is not None else words_of(language).say("ui.pending")) in html
    assert ">None<" not in html


@each_example
def test_every_figure_of_the_appendix_has_a_name(form: Path) -> None:
    nameless = [row.id for row in seen(form, "en").basis if figure_name(row.id, words_of("en")) == row.id]
    assert nameless == []


@each_example
def test_no_cost_is_in_the_customers_text(form: Path) -> None:
    price = quote_of(form).price
    lines = [line for line in (*price.lines, *price.options) if line.cost and line.cost.unit_cost]
    public = {money(value) for line in lines for value in (line.unit_price, line.subtotal) if value is not None}
    costs = {line.cost.unit_cost for line in lines if line.cost and line.cost.unit_cost}
    telling = {money(cost) for cost in costs if cost > 1000} - public  # small ones meet other numbers by chance
    html = proposal_html(seen(form, "zh"), words_of("zh"), ROOTS)
    assert [cost for cost in telling if f">{cost}<" in html or f" {cost}" in html] == []


@each_example
def test_every_formula_gives_the_value_printed_beside_it(form: Path) -> None:
    figures = quote_of(form).figures
    wrong = [
        figure.id
        for figure in figures.values()
        if figure.kind == "formula" and figure.value != evaluate(figure.text, _inputs(figure, figures))
    ]
    assert wrong == []


def _inputs(figure: Figure, figures: Mapping[str, Figure]) -> dict[str, Any]:
    return {
        name: figures[ref].value if isinstance(ref, str) else tuple(figures[id].value for id in ref)
        for name, ref in figure.inputs
    }


@each_example
def test_no_code_of_ours_is_on_the_page(form: Path) -> None:
    html = re.sub(
        r"<style>.*?</style>|<[^>]*>", " ", proposal_html(seen(form, "zh"), words_of("zh"), ROOTS), flags=re.S
    )
    assert re.findall(r"\b(?:w\d|osfp_\w+|rule\.\S+|site\.\S+|house\.toml|inference|round_fen)\b", html) == []


@each_example
def test_the_named_hardware_and_the_remedies_stand_on_the_summary(form: Path) -> None:
    view = seen(form, "zh")
    html = proposal_html(view, words_of("zh"), ROOTS)
    summary = html[html.index('id="summary"') : html.index('id="need"')]
    failed = [check.sentence for check in view.named_checks if check.status == "fail"]
    assert bool(view.named) == bool(view.named_summary)
    assert all(sentence in summary for sentence in failed[: 1 if view.cures else 3])
    assert all(remedy.name in summary for remedy in view.remedies if not remedy.accepted)


def test_a_real_proposal_is_printed_in_our_own_face_alone(tmp_path: Path) -> None:
    form = next(form for form in EXAMPLES if form.stem == "entry")
    write_proposal(quote_of(form), tmp_path / "p.pdf", "zh", catalog=rows())
    pages = PdfReader(tmp_path / "p.pdf").pages
    fonts = {str(font.get_object()["/BaseFont"]) for page in pages for font in page["/Resources"]["/Font"].values()}
    assert {name.split("+")[1] for name in fonts} == {"Quoting-Sans", "Quoting-Sans-Bold"}


def example(name: str) -> Path:
    return next(form for form in EXAMPLES if form.stem == name)


def page(name: str, language: Language) -> str:
    return proposal_html(seen(example(name), language), words_of(language), ROOTS)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_reasons_of_a_sales_engineers_changes_and_the_discount_stand_on_the_page(language: Language) -> None:
    html, say = page("engineer-lines", language), words_of(language).say
    for reason in ("客户要求现场培训一次", "客户机房没有温湿度监测", "部署安排在周末"):
        assert say("proposal.changed_why", reason=reason) in html
    assert say("proposal.discount_note", share="3 %") in html
    assert say("proposal.lines_changed") in html
    assert say("proposal.lines_changed") not in page("entry", language)


def test_our_own_entries_are_not_what_the_customer_wrote() -> None:
    labels = [row.label for row in seen(example("engineer-lines"), "zh").understood]
    assert not [label for label in labels if label.startswith(("优惠", "含税单价"))]
    assert "预算上限" in labels


@each_example
def test_the_lead_of_the_bill_fits_the_bill(form: Path) -> None:
    view = seen(form, "zh")
    whole = any(line.included for group in view.groups for line in group.lines)
    said = words_of("zh").say("proposal.lines_whole") in proposal_html(view, words_of("zh"), ROOTS)
    assert said == whole


def test_a_line_of_no_price_says_it_is_in_the_total() -> None:
    html = page("xinchuang", "zh")
    assert f'<td class="num">{words_of("zh").say("ui.in_total")}</td>' in html


@each_example
def test_defaults_in_use_are_listed_and_no_others(form: Path) -> None:
    labels = {row.label for row in seen(form, "zh").defaults}
    asked = quote_of(form).requirement.commercial
    assert ("付款方式" in labels) == (not asked.payment)
    assert ("质保年限" in labels) == (not asked.warranty_years)
    assert ("利用率" in labels) == (asked.utilisation is None)
    domestic = quote_of(form).requirement.compliance.domestic == "required"
    assert not (domestic and labels & {"受管制部件", "允许进口部件"})


_SLIPS = {
    "zh": re.compile(r"[\u4e00-\u9fff)] ?[,;:()]|[,;:()] ?[\u4e00-\u9fff]| （|\d°C|\d x \d"),
    "en": re.compile(r"(?<!\.\d)(?<=\d) ?x ?\d|\d ?x (?=[A-Za-z])| C\b(?<=\d C)|[\u4e00-\u9fff“”，（]"),
}


def test_names_in_the_catalogue_are_spelt_as_their_language_wants() -> None:
    named = [*rows().parts.values(), *rows().platforms.values(), *rows().accelerators.values()]
    texts = [(text, "zh") for row in named for text in (row.name_zh, getattr(row, "spec_zh", ""))]
    texts += [(text, "en") for row in named for text in (row.name_en, getattr(row, "spec_en", ""))]
    assert [text for text, language in texts if _SLIPS[language].search(text)] == []


def test_a_brand_has_one_spelling() -> None:
    brands = {row.brand for row in (*rows().parts.values(), *rows().accelerators.values())}
    assert [brand for brand in brands if re.search(r"[\u4e00-\u9fff]", brand)] == []
    assert {code.removeprefix("brand.") for code in words_of("zh").codes("brand")} <= brands


@each_example
def test_one_of_a_thing_is_told_in_the_singular(form: Path) -> None:
    text = re.sub(r"<[^>]*>", "|", page(form.stem, "en"))
    counted = r"nodes|cards|racks|days|weeks|sets|pcs|supplies|units|requests|tokens|ports|years"
    assert re.findall(rf"(?<![\d.,×–-])(?<!\d )\b1 (?:{counted})\b", text) == []


@each_example
def test_the_appendix_holds_no_calculation_that_changes_nothing(form: Path) -> None:
    told = [row.how for row in seen(form, "zh").basis if row.how]
    assert [how for how in told if re.fullmatch(r"1 × [\d,.]+|[\d,.]+ (?:× 1|÷ 1|[+−] 0)", how)] == []
    assert len(told) > 30
