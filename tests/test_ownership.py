"""Owning against renting at the use the form states: months with their proof, on the page and in the picture."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import replace
from decimal import Decimal

import pytest
from test_golden import DAY, GOLDEN

from quoting.assets import templates_folder
from quoting.documents.drawings import draw
from quoting.documents.proposal import proposal_html
from quoting.documents.view import customer_view
from quoting.documents.words import load_words
from quoting.forms import read_form
from quoting.quote import make_quote
from quoting.records import Quote
from quoting.rows import Catalog

D = Decimal
BAND = ["0.3", "0.5", "0.7", "0.9"]


def quoted(catalog: Catalog, use: str | None, tier: str = "enterprise", months: int | None = None) -> Quote:
    """The golden of a tier at another use."""
    asked = read_form(GOLDEN / f"{tier}.toml", catalog)
    utilisation = None if use is None else D(use)
    return make_quote(
        replace(asked, commercial=replace(asked.commercial, utilisation=utilisation, months=months)), catalog, DAY
    )


@pytest.mark.parametrize(
    ("use", "uses", "months"),
    [
        (None, ["0.3", "0.5", "0.6", "0.7", "0.9"], "63.1"),  # the rule's 60 %
        ("0.70", BAND, "52.1"),
        ("0.95", [*BAND, "0.95"], "36.3"),
        ("0.2", ["0.2", *BAND], "399.3"),
        ("0.1", ["0.1", *BAND], None),  # renting costs less than running
    ],
)
def test_the_use_of_the_plan_is_one_of_the_crossings(
    frozen_catalog: Catalog, use: str | None, uses: list[str], months: str | None
) -> None:
    owning = quoted(frozen_catalog, use).ownership
    assert [crossing.utilisation for crossing in owning.crossings] == [D(one) for one in uses]
    found = {crossing.utilisation: crossing.months for crossing in owning.crossings}
    assert found[owning.utilisation] == (None if months is None else D(months))
    assert owning.band == (D("0.3"), D("0.9"))


def test_months_at_the_plan_s_use_follow_from_the_amounts_on_the_page(frozen_catalog: Catalog) -> None:
    """Eight cards at 12 yuan for 730 h a month at 60 %: 42,048.00 yuan a month."""
    quote = quoted(frozen_catalog, None)
    owning, figures = quote.ownership, quote.figures
    assert owning.capex is not None
    assert owning.opex_month is not None
    assert figures["ownership.rent_month"].value == 8 * 12 * 730 * D("0.6") == D("42048")
    assert figures["ownership.rent_card_hour"].source == "rent-gongji"
    months = figures["ownership.payback_months"].value
    assert isinstance(months, Decimal)
    assert abs(months - owning.capex / (D(42048) - owning.opex_month)) < D("1e-9")
    own = next(one for one in owning.crossings if one.utilisation == owning.utilisation)
    assert own.months == round(months, 1)


def test_a_rent_without_tax_is_compared_with_it(frozen_catalog: Catalog) -> None:
    rents = tuple(replace(rent, tax_included=False) for rent in frozen_catalog.rents)
    quote = quoted(replace(frozen_catalog, rents=rents), "0.6")
    assert quote.ownership.rent_card_hour == D("12.72")
    assert quote.figures["ownership.rent_net"].value == D("12.00")
    assert quote.figures["ownership.rent_card_hour"].value == D("12.72")


def test_where_renting_costs_less_than_running_there_is_no_month(frozen_catalog: Catalog) -> None:
    assert "ownership.payback_months" not in quoted(frozen_catalog, "0.1").figures


def test_the_use_changes_neither_the_price_nor_the_band(frozen_catalog: Catalog) -> None:
    usual, busy = (quoted(frozen_catalog, use) for use in ("0.5", "0.6"))
    assert usual.price.total == busy.price.total
    assert usual.ownership.rent_low_by_month == busy.ownership.rent_low_by_month
    assert usual.ownership.rent_high_by_month == busy.ownership.rent_high_by_month
    others = [[one for one in quote.ownership.crossings if one.utilisation in map(D, BAND)] for quote in (usual, busy)]
    assert others[0] == others[1]


@pytest.mark.parametrize(("use", "told", "crossed"), [("0.6", "63", True), ("0.1", "", False)])
def test_page_and_picture_tell_the_month_at_the_plan_s_use(
    frozen_catalog: Catalog, use: str, told: str, crossed: bool
) -> None:
    roots = (templates_folder(),)
    words = load_words("zh", roots)
    view = customer_view(quoted(frozen_catalog, use, months=72), frozen_catalog, words)
    html = proposal_html(view, words, roots)
    picture = draw(view, words)["cost"]
    assert isinstance(picture, str)
    text = b64decode(picture.removeprefix("data:image/svg+xml;base64,")).decode()
    assert (f"按 60 % 的利用率，自建约从第 {told} 个月起比租用更省。" in html) == crossed
    assert ("按 10 % 的利用率，自建不会比租用更省。" in html) != crossed
    assert (f">第 {told} 个月持平<" in text) == crossed
    assert "利用率 30 % – 90 %" in text


def test_a_card_without_a_rent_has_no_month(frozen_catalog: Catalog) -> None:
    quote = quoted(replace(frozen_catalog, rents=()), None)
    assert {crossing.months for crossing in quote.ownership.crossings} == {None}
    words = load_words("zh", (templates_folder(),))
    assert customer_view(quote, frozen_catalog, words).owning.crossings == ()
