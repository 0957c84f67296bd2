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
    assert all(sentence in summary for sentence in failed[:3])
    assert all(remedy.name in summary for remedy in view.remedies if not remedy.accepted)


def test_a_real_proposal_is_printed_in_our_own_face_alone(tmp_path: Path) -> None:
    form = next(form for form in EXAMPLES if form.stem == "entry")
    write_proposal(quote_of(form), tmp_path / "p.pdf", "zh", catalog=rows())
    pages = PdfReader(tmp_path / "p.pdf").pages
    fonts = {str(font.get_object()["/BaseFont"]) for page in pages for font in page["/Resources"]["/Font"].values()}
    assert {name.split("+")[1] for name in fonts} == {"Quoting-Sans", "Quoting-Sans-Bold"}
