"""Values of the right shape that make no sense: an offer that ends before it begins, a free accelerator."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quoting.catalog.files import Raw
from quoting.catalog.merge import Merged
from quoting.errors import Mistake
from quoting.parts import Accelerator, Platform
from quoting.rows import House, Terms

_COLOUR = re.compile(r"#(?:[0-9A-Fa-f]{3}){1,2}")
_MOST_DAYS = 3650  # of validity: ten years


def sense_mistakes(merged: Merged, house: House | None, terms: Terms | None) -> Iterator[Mistake]:
    """Mistakes of prices, rates, rents, house and terms, each with the file it stands in."""
    yield from _prices(merged)
    for currency, rate in merged.of("rate").items():
        if not rate.cny:
            yield _not_zero(merged.raws["rate", currency], "cny", "yuan for one unit, as 7.1")
    for rent, raw in merged.rents:
        if not rent.cny_per_hour:
            yield _not_zero(raw, "cny_per_hour", "yuan for a card-hour, as 6.5")
    for name in ("colour", "accent"):
        value = getattr(house, name, "#000000")
        if not _COLOUR.fullmatch(value):
            file = merged.file_of(f"house.{name}", "house.toml")
            yield Mistake(file, name, "not a colour", "three or six hexadecimal digits, for example #123A5E")
    yield from _terms(merged, terms) if terms else ()


def _prices(merged: Merged) -> Iterator[Mistake]:
    parts = merged.of("part")
    for price, raw in merged.prices:
        place = f"{raw.place} {raw.id}".strip()
        # Software may be free and ports come with the board; what a quotation is made of is not.
        if not price.price and isinstance(parts.get(price.sku), Accelerator | Platform):
            yield Mistake(raw.file, place, "a price of zero", "a price, or no line: then it is to be confirmed")
        if price.until is not None and price.until < price.on:
            yield Mistake(raw.file, place, f"ends on {price.until}, before it begins", "until on or after on")


def _not_zero(raw: Raw, key: str, expected: str) -> Mistake:
    return Mistake(raw.file, f"{raw.place}.{key}", "zero", expected)


def _terms(merged: Merged, terms: Terms) -> Iterator[Mistake]:
    for name in ("validity_days", "validity_days_volatile"):
        if not 1 <= getattr(terms, name) <= _MOST_DAYS:
            file = merged.file_of(f"terms.{name}", "terms.toml")
            yield Mistake(file, name, "no number of days", f"1 to {_MOST_DAYS}")
    for tax, rate in terms.tax_rate.items():
        if rate >= 1:
            file = merged.file_of(f"terms.tax_rate.{tax}", "terms.toml")
            yield Mistake(file, f"tax_rate.{tax}", f"{rate} is no share", "a share below 1, as 0.13 for 13 %")
