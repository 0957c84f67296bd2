"""Prices held against the day, their sources and what is offered for sale."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from quoting.catalog import current_price, in_date, node_price, unit_cost
from quoting.checks.note import Note, error, warning
from quoting.parts import Platform
from quoting.rows import Catalog, PriceRow


def price_notes(catalog: Catalog, day: date) -> Iterator[Note]:
    """Notes on prices as they stand on ``day``."""
    yield from _from_the_band(catalog)
    yield from _ages(catalog, day)
    yield from (
        error(price.sku, "price.sign", price=price.price)
        for rows in catalog.prices.values()
        for price in rows
        if price.price < 0
    )
    for platform in catalog.platforms.values():
        if platform.quotable and node_price(catalog, platform, day) is None:
            yield warning(platform.sku, "price.node", missing=" ".join(_missing(catalog, platform, day)))
    for sku in sorted(set(catalog.terms.recipes.values())):
        if unit_cost(catalog, sku, day) is None:
            yield warning(sku, "price.role", role=next(r for r, s in catalog.terms.recipes.items() if s == sku))


def _missing(catalog: Catalog, platform: Platform, day: date) -> list[str]:
    skus = [platform.sku] if platform.sold == "complete" else [line.sku for line in platform.recipe]
    return [sku for sku in skus if unit_cost(catalog, sku, day) is None]


def _from_the_band(catalog: Catalog) -> Iterator[Note]:
    """A price made from a tier's published band would prove nothing when compared with it."""
    bands = {tier.source for tier in catalog.tiers.values()}
    bands |= {
        provenance.source
        for tier in catalog.tiers.values()
        for key, provenance in tier.provenance.items()
        if key.startswith("band_")
    }
    for rows in catalog.prices.values():
        yield from (error(price.sku, "price.band", source=price.source) for price in rows if price.source in bands)


def _ages(catalog: Catalog, day: date) -> Iterator[Note]:
    """One note for all expired prices and one for all old ones: they grow old together."""
    current = [price for sku in catalog.prices if (price := current_price(catalog, sku, day)) is not None]
    expired = [price for price in current if not in_date(price, day)]
    if expired:
        yield warning(*_oldest(expired, "price.expired"), count=len(expired), on=_oldest_row(expired).on.isoformat())
    limit = int(catalog.rules["catalog.price_age"].values["days"])
    old = [price for price in current if in_date(price, day) and (day - price.on).days > limit]
    if old:
        row = _oldest_row(old)
        yield warning(row.sku, "price.old", count=len(old), on=row.on.isoformat(), limit=limit)


def _oldest(rows: list[PriceRow], code: str) -> tuple[str, str]:
    return _oldest_row(rows).sku, code


def _oldest_row(rows: list[PriceRow]) -> PriceRow:
    return min(rows, key=lambda price: (price.on, price.sku))
