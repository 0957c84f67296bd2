"""Which price holds on a day, and what it makes in yuan with tax. Decimal only."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from quoting.figure import round_fen
from quoting.parts import Platform
from quoting.rows import Catalog, PriceRow

_HOME = "CNY"


def in_date(price: PriceRow, day: date) -> bool:
    """Whether the price holds on ``day``, both ends included."""
    return price.on <= day and (price.until is None or day <= price.until)


def current_price(catalog: Catalog, sku: str, day: date) -> PriceRow | None:
    """The price that holds on ``day``: a supplier's offer before anything else, then the newest.

    Out of date everywhere: the newest expired one. Prices of a later day do not count. None without any.
    """
    known = [price for price in catalog.prices.get(sku, ()) if price.on <= day]
    holding = [price for price in known if in_date(price, day)]
    # What a supplier signs for today beats an estimate somebody made after it.
    offers = (price for price in holding if _offered(catalog, price))
    return next(offers, holding[0] if holding else known[0] if known else None)


def _offered(catalog: Catalog, price: PriceRow) -> bool:
    source = catalog.sources.get(price.source)
    return source is not None and source.grade == "quoted"


def unit_cost(catalog: Catalog, sku: str, day: date) -> Decimal | None:
    """What one unit costs us in yuan, tax included; None without a price.

    A foreign price is taken at the catalogue's rate; a price without tax gets the rate of the part's tax class.
    """
    price = current_price(catalog, sku, day)
    if price is None:
        return None
    yuan = price.price if price.currency == _HOME else price.price * catalog.rates[price.currency].cny
    return yuan if price.tax_included else yuan * (1 + catalog.terms.tax_rate[catalog.parts[sku].tax])


def markup(catalog: Catalog, sku: str) -> Decimal:
    """The share put on the cost of this part: its category's, or the default."""
    shares = catalog.terms.markup
    return shares.get(catalog.parts[sku].category, shares["default"])


def sell_price(catalog: Catalog, sku: str, day: date) -> Decimal | None:
    """The unit price we ask, tax included, rounded to a fen; None without a cost."""
    cost = unit_cost(catalog, sku, day)
    return None if cost is None else round_fen(cost * (1 + markup(catalog, sku)))


def node_price(catalog: Catalog, platform: Platform, day: date) -> Decimal | None:
    """One node's price: a complete node's own, an assembled node's recipe; None if any part of it has no price."""
    if platform.sold == "complete":
        return sell_price(catalog, platform.sku, day)
    total = Decimal(0)
    for line in platform.recipe:
        price = sell_price(catalog, line.sku, day)
        if price is None:
            return None
        total += price * line.quantity
    return total if platform.recipe else None
