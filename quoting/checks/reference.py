"""One reference form a tier, quoted from beginning to end and held against the tier's published band."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

from quoting.assets import catalog_folder
from quoting.checks.note import Note, error, warning
from quoting.errors import Mistakes
from quoting.forms import parse_form
from quoting.quote import make_quote
from quoting.records import Quote
from quoting.rows import Catalog, TierRow

_PER_CENT = Decimal("0.1")


def reference_notes(catalog: Catalog, day: date, folder: Path | None = None) -> Iterator[Note]:
    """Notes on the quotation of every reference form (``<tier>.toml``); ``folder`` defaults to the catalogue's own."""
    for path in sorted((folder or catalog_folder() / "reference").glob("*.toml")):
        yield from _form(path, catalog, day)


def _form(path: Path, catalog: Catalog, day: date) -> Iterator[Note]:
    place = f"reference/{path.name}"
    data = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    try:
        quote = make_quote(parse_form(data, catalog, place), catalog, day)
    except Mistakes as wrong:
        yield from (error(place, "reference.form", mistake=mistake.line()) for mistake in wrong.mistakes)
        return
    yield from tier_notes(quote, catalog, path.stem, place)


def tier_notes(quote: Quote, catalog: Catalog, expected: str, place: str) -> Iterator[Note]:
    """Notes on one quotation: is it the tier it stands for, and inside the band?"""
    chosen = quote.choice.chosen
    if chosen is None or chosen.tier != expected:
        yield error(place, "reference.tier", expected=expected, tier=chosen.tier if chosen else "-")
        return
    total = band_total(quote)
    if total is None:
        yield warning(place, "reference.total", known=quote.price.priced_part)
        return
    yield from band_notes(total, catalog.tiers[chosen.tier], place)


def band_total(quote: Quote) -> Decimal | None:
    """What is compared with the band, per node or per set as the price stage reckons it; None without a price."""
    return quote.price.band_total


def band_notes(total: Decimal, tier: TierRow, place: str) -> Iterator[Note]:
    """A warning with the percentage when ``total`` (yuan, tax included) lies outside the band."""
    limits = {"total": total, "low": tier.band_low, "high": tier.band_high}
    if total > tier.band_high:
        yield warning(place, "band.above", percent=_share(total, tier.band_high), **limits)
    elif total < tier.band_low:
        yield warning(place, "band.below", percent=-_share(total, tier.band_low), **limits)


def _share(total: Decimal, limit: Decimal) -> Decimal:
    return ((total / limit - 1) * 100).quantize(_PER_CENT)
