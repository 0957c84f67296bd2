"""The proposal: what it says, what it never says, and that a spoilt one is never written."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import sample_quote
from pypdf import PdfReader

from quoting.assets import templates_folder
from quoting.documents import write_proposal
from quoting.documents.customer import CustomerView
from quoting.documents.proposal import manuscript, proposal_html
from quoting.documents.view import customer_view
from quoting.documents.words import Words, load_words
from quoting.errors import Mistakes, Outside
from quoting.kinds import Language
from quoting.records import Quote

ROOTS = (templates_folder(), sample_quote.WORDS_ROOT)
SECRETS = ("987654", "987,654", "98.77", "12345.67", "12,345.67", "Canary", "canary")


def written(quote: Quote, path: Path, language: Language = "zh", **more: Any) -> Path:
    catalog = more.pop("catalog", None) or sample_quote.catalog()
    write_proposal(quote, path, language, catalog=catalog, templates=sample_quote.WORDS_ROOT, **more)
    return path


def text_of(path: Path) -> str:
    return re.sub(r"\s+", "", "".join(page.extract_text() for page in PdfReader(path).pages))


def view_of(quote: Quote, language: Language = "zh") -> tuple[CustomerView, Words]:
    words = load_words(language, ROOTS)
    return customer_view(quote, sample_quote.catalog(), words), words


def html_of(quote: Quote, language: Language = "zh") -> str:
    view, words = view_of(quote, language)
    return proposal_html(view, words, ROOTS)


def named(quote: Quote, name: str) -> Quote:
    customer = replace(quote.requirement.customer, name=name)
    return replace(quote, requirement=replace(quote.requirement, customer=customer))


@pytest.fixture(scope="module")
def chinese(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(sample_quote.entry(), tmp_path_factory.mktemp("zh") / "proposal.zh.pdf")


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(sample_quote.cluster(), tmp_path_factory.mktemp("en") / "proposal.en.pdf", "en")


def test_total_in_figures_and_in_capitals_is_printed(chinese: Path, english: Path) -> None:
    for path, quote in ((chinese, sample_quote.entry()), (english, sample_quote.cluster())):
        text = text_of(path)
        assert f"{quote.price.total:,.2f}" in text
        assert str(quote.price.total_upper) in text


def test_every_priced_line_is_printed(chinese: Path) -> None:
    text = text_of(chinese)
    for line in sample_quote.entry().price.lines:
        assert re.sub(r"\s+", "", line.name_zh) in text
        assert line.subtotal is None or f"{line.subtotal:,.2f}" in text


def test_pages_are_numbered_in_the_document_language(chinese: Path, english: Path) -> None:
    pages = len(PdfReader(chinese).pages)
    assert f"第2页共{pages}页" in text_of(chinese)
    pages = len(PdfReader(english).pages)
    assert f"Page2of{pages}" in text_of(english)


def test_every_chapter_has_a_bookmark_and_a_line_in_the_contents(chinese: Path) -> None:
    reader = PdfReader(chinese)
    marks = [re.sub(r"\s+", "", mark.title) for mark in reader.outline if not isinstance(mark, list)]
    words = load_words("zh", ROOTS)
    contents = re.sub(r"\s+", "", reader.pages[2].extract_text())
    for id in ("need", "sizing", "choice", "room", "lines", "price", "ownership", "terms", "basis", "signature"):
        title = words.say(f"proposal.chapter.{id}")
        assert any(mark.endswith(title) for mark in marks)
        assert title in contents


def test_draft_is_stamped_on_every_page_and_lists_its_rows(chinese: Path) -> None:
    reader = PdfReader(chinese)
    stamped = ["草" in page.extract_text() and "案" in page.extract_text() for page in reader.pages]
    assert all(stamped[1:])
    assert "待供应商书面报价的项目" in text_of(chinese)


def stamps(quote: Quote) -> int:
    view, words = view_of(quote)
    return manuscript(view, words, ROOTS).stationery.count('class="watermark"')


def test_final_quote_is_not_stamped() -> None:
    quote = sample_quote.entry()
    assert stamps(quote) == 2  # over the cover, and over every other page
    final = replace(quote, status="final", price=replace(quote.price, draft=False, draft_rows=()))
    assert stamps(final) == 0


def test_no_cost_margin_or_supplier_in_the_pdf(chinese: Path, english: Path) -> None:
    for path in (chinese, english):
        reader = PdfReader(path)
        said = text_of(path) + str(reader.metadata)
        assert [secret for secret in SECRETS if secret in said] == []


def test_view_has_no_field_for_cost_margin_or_supplier() -> None:
    names = set(field_names(CustomerView))
    assert {name for name in names if re.search(r"cost|supplier|floor|markup|provenance", name)} == set()
    view, _ = view_of(sample_quote.entry())
    assert [secret for secret in SECRETS if secret in repr(view)] == []


def field_names(record: type) -> Iterator[str]:
    import quoting.documents.customer as customer

    for kind in vars(customer).values():
        if dataclasses.is_dataclass(kind):
            yield from (field.name for field in dataclasses.fields(kind))


def test_same_quote_gives_the_same_bytes(chinese: Path, tmp_path: Path) -> None:
    again = written(sample_quote.entry(), tmp_path / "again.pdf")
    assert again.read_bytes() == chinese.read_bytes()


def test_pdf_has_no_script_form_or_attachment(chinese: Path) -> None:
    reader = PdfReader(chinese)
    root = reader.trailer["/Root"]
    assert not reader.attachments
    assert {"/AcroForm", "/OpenAction", "/AA"} & set(root) == set()
    assert reader.metadata is not None
    assert reader.metadata.author == "示例智算集成有限公司"


def test_unknown_price_is_to_be_confirmed_and_never_zero() -> None:
    quote = sample_quote.entry()
    lines = (replace(quote.price.lines[0], unit_price=None, subtotal=None, net=None, tax=None), *quote.price.lines[1:])
    price = replace(
        quote.price, lines=lines, total=None, net=None, tax=None, total_upper=None, priced_part=Decimal("100.00")
    )
    html = html_of(replace(quote, price=price))
    assert '<div class="figure">待定</div>' in html
    assert "100.00" in html
    assert "None" not in html


def test_markup_in_customer_text_is_text() -> None:
    hostile = '<img src="file:///etc/passwd"><b>{{ 7*7 }} {0} %s'
    html = html_of(named(sample_quote.entry(), hostile))
    assert '<img src="file' not in html
    assert "&lt;img src=&#34;file:///etc/passwd&#34;&gt;&lt;b&gt;{{ 7*7 }} {0} %s" in html


def test_company_name_cannot_leave_the_style_element() -> None:
    quote, catalog = sample_quote.entry(), sample_quote.catalog()
    house = replace(catalog.house, short_zh='</style><script>"; } body { display: none')
    words = load_words("zh", ROOTS)
    html = proposal_html(customer_view(quote, replace(catalog, house=house), words), words, ROOTS)
    assert "<script>" not in html
    assert "display: none" not in html


def test_house_colour_is_a_colour() -> None:
    catalog = sample_quote.catalog()
    house = replace(catalog.house, colour="red; background: url(evil)")
    with pytest.raises(Mistakes, match="not a colour"):
        customer_view(sample_quote.entry(), replace(catalog, house=house), load_words("zh", ROOTS))


def test_missing_glyph_spoils_the_document_and_nothing_is_written(tmp_path: Path) -> None:
    target = tmp_path / "out" / "proposal.pdf"
    with pytest.raises(Outside, match="not clean"):
        written(named(sample_quote.entry(), "客户 \U000e8123"), target)
    assert not target.exists()


def test_render_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    target = tmp_path / "proposal.pdf"
    with pytest.raises(Outside, match="longer than"):
        written(sample_quote.entry(), target, limit_s=0.05)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_group_detail_hides_unit_prices_and_keeps_the_totals(language: Language) -> None:
    quote = sample_quote.cluster()
    document = replace(quote.requirement.document, price_detail="groups")
    html = html_of(replace(quote, requirement=replace(quote.requirement, document=document)), language)
    assert "1,185,600.00" not in html.replace("1,185,600.00</td></tr>", "")  # the node as another platform stays
    assert f"{quote.price.total:,.2f}" in html
    assert f"{quote.price.groups[0].total:,.2f}" in html


def test_formula_is_printed_with_its_numbers() -> None:
    html = html_of(sample_quote.cluster())
    assert "20 × 70 ÷ 0.8 = " in html
    assert "1,750 GB" in html


def test_no_plan_is_said_plainly() -> None:
    quote = sample_quote.entry()
    html = html_of(replace(quote, choice=replace(quote.choice, chosen=None, reasons=())), "en")
    assert "No platform in the present catalogue" in html
