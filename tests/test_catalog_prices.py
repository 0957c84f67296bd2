"""What a part costs on a day: the newest offer in date, its currency, its tax, the house's share on it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoting.catalog import current_price, load_catalog, node_price, sell_price, unit_cost
from quoting.rows import Catalog, PriceRow

FROZEN = Path(__file__).resolve().parent / "catalog"
BASE = load_catalog(root=FROZEN)
SKU, DAY = "gpu-l20-48g", date(2026, 11, 30)
MONEY = st.decimals("0.01", 10_000_000, places=2)
DAYS = st.integers(-400, 400).map(lambda days: DAY + timedelta(days=days))


def offer(price: str | Decimal = "100", on: date = DAY, until: date | None = None, **more: Any) -> PriceRow:
    fields = {"sku": SKU, "currency": "CNY", "tax_included": True, "source": "frozen-offer", **more}
    return PriceRow(price=Decimal(price), on=on, until=until, **fields)


def priced(*rows: PriceRow) -> Catalog:
    newest_first = tuple(sorted(rows, key=lambda row: row.on, reverse=True))
    return replace(BASE, prices={**BASE.prices, SKU: newest_first})


OFFERS = st.builds(
    lambda on, days: offer(on=on, until=None if days is None else on + timedelta(days=days)),
    DAYS,
    st.none() | st.integers(0, 200),
)


@given(st.lists(OFFERS, max_size=6), DAYS)
def test_the_newest_offer_in_date_holds_else_the_newest_past_one(rows: list[PriceRow], day: date) -> None:
    found = current_price(priced(*rows), SKU, day)
    known = [row for row in rows if row.on <= day]
    valid = [row for row in known if row.until is None or row.until >= day]
    best = max((row.on for row in valid or known), default=None)
    assert (found.on if found else None) == best
    assert found is None or found in (valid or known)


def test_a_part_without_an_offer_has_no_price() -> None:
    assert current_price(BASE, "nothing", DAY) is None
    assert unit_cost(priced(), SKU, DAY) is None
    assert sell_price(priced(), SKU, DAY) is None


def test_an_offer_holds_on_its_first_and_last_day() -> None:
    catalog = priced(offer("1", DAY, DAY), offer("2", DAY - timedelta(days=90)))
    assert unit_cost(catalog, SKU, DAY) == 1
    assert unit_cost(catalog, SKU, DAY + timedelta(days=1)) == 2
    assert unit_cost(catalog, SKU, DAY - timedelta(days=1)) == 2


def test_a_foreign_price_is_taken_at_the_catalogues_rate() -> None:
    assert unit_cost(priced(offer("100", currency="USD")), SKU, DAY) == 100 * BASE.rates["USD"].cny


@pytest.mark.parametrize(("tax", "rate"), [("goods", "0.13"), ("works", "0.09"), ("service", "0.06")])
def test_a_price_without_tax_gets_that_of_the_parts_class(tax: str, rate: str) -> None:
    catalog = priced(offer("100", tax_included=False))
    part = replace(catalog.parts[SKU], tax=tax)
    catalog = replace(catalog, parts={**catalog.parts, SKU: part})
    assert unit_cost(catalog, SKU, DAY) == 100 * (1 + Decimal(rate))


@given(MONEY)
def test_what_we_ask_is_the_cost_with_the_categorys_share_rounded_half_up(price: Decimal) -> None:
    catalog = priced(offer(price))
    share = catalog.terms.markup["accelerator"]
    expected = (price * (1 + share)).quantize(Decimal("0.01"), ROUND_HALF_UP)
    assert sell_price(catalog, SKU, DAY) == expected


def test_a_category_without_a_share_gets_the_default() -> None:
    terms = replace(BASE.terms, markup={"default": Decimal("0.25")})
    assert sell_price(replace(priced(offer("100")), terms=terms), SKU, DAY) == 125


def test_an_assembled_node_is_the_sum_of_its_recipe() -> None:
    platform = BASE.platforms["srv-pcie-8x-l20"]
    prices = {line.sku: (offer(str(100 + n), sku=line.sku),) for n, line in enumerate(platform.recipe)}
    catalog = replace(BASE, prices=prices)
    expected = sum(sell_price(catalog, line.sku, DAY) * line.quantity for line in platform.recipe)  # type: ignore[operator]
    assert node_price(catalog, platform, DAY) == expected
    prices.pop(platform.recipe[-1].sku)
    assert node_price(replace(BASE, prices=prices), platform, DAY) is None


def test_a_complete_node_has_its_own_price() -> None:
    platform = BASE.platforms["srv-sxm-8x-h20-96g"]
    catalog = replace(BASE, prices={platform.sku: (offer("1000000", sku=platform.sku),)})
    assert node_price(catalog, platform, DAY) == sell_price(catalog, platform.sku, DAY)
    assert node_price(replace(BASE, prices={}), platform, DAY) is None


def test_prices_of_an_overlay_are_added_and_the_newest_in_date_wins(tmp_path: Path, write_prices: Any) -> None:
    ours = write_prices(
        f"{SKU},20000,CNY,true,2026-11-30,2026-12-05,frozen-offer,A",
        f"{SKU},1,CNY,true,2020-01-01,,frozen-offer,B",
    )
    catalog = load_catalog([ours], FROZEN)
    assert unit_cost(catalog, SKU, DAY) == 20000
    assert [row.layer for row in catalog.prices[SKU] if row.on == DAY] == ["ours"]
    assert len(catalog.prices[SKU]) == 2 + len(BASE.prices.get(SKU, ()))
    assert [row.on for row in catalog.prices[SKU]] == sorted((row.on for row in catalog.prices[SKU]), reverse=True)


def test_of_two_offers_of_one_day_the_overlays_wins(write_prices: Callable[..., Path]) -> None:
    sku, rows = next(iter(BASE.prices.items()))
    ours = write_prices(f"{sku},7,CNY,true,{rows[0].on.isoformat()},,frozen-offer,A")
    assert unit_cost(load_catalog([ours], FROZEN), sku, DAY) == 7


@pytest.fixture
def write_prices(tmp_path: Path) -> Callable[..., Path]:
    def write(*lines: str) -> Path:
        folder = tmp_path / "ours"
        folder.mkdir()
        # A spreadsheet writes a byte order mark and CRLF.
        head = "\ufeffsku,price,currency,tax_included,on,until,source,supplier"
        (folder / "prices.csv").write_text("\r\n".join([head, *lines]) + "\r\n", encoding="utf-8")
        return folder

    return write
