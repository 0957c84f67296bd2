"""Every name one row uses for another is held against the rows there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quoting.catalog.merge import Merged
from quoting.catalog.shape import nearest
from quoting.errors import Mistake
from quoting.parts import Accelerator, Part, Platform, Provenance
from quoting.rows import Terms

HOME = "CNY"


def reference_mistakes(merged: Merged, terms: Terms | None) -> list[Mistake]:
    """A mistake for every name that leads nowhere: SKUs, accelerators, models, sources, currencies, rules."""
    found = [*_parts(merged), *_sources(merged), *_prices(merged), *_models(merged)]
    return found + (list(_terms(merged, terms)) if terms else [])


def _missing(file: str, place: str, what: str, name: str, names: Iterable[str]) -> Mistake:
    return Mistake(file, place, f'no {what} "{name}"', "", nearest(name, names))


def _accelerators(merged: Merged) -> set[str]:
    known = {sku for sku, part in merged.of("part").items() if isinstance(part, Accelerator)}
    return known | merged.broken.get("part", set())


def _parts(merged: Merged) -> Iterator[Mistake]:
    parts, cards = merged.names("part"), _accelerators(merged)
    for sku, part in merged.of("part").items():
        raw = merged.raws["part", sku]
        if isinstance(part, Accelerator) and f"mfu.{part.mfu}" not in merged.names("rule"):
            rules = [name[4:] for name in merged.names("rule") if name.startswith("mfu.")]
            yield _missing(raw.file, f"{raw.place}.mfu", "rule mfu", part.mfu, rules)
        if not isinstance(part, Platform):
            continue
        if part.accelerator not in cards:
            yield _missing(raw.file, f"{raw.place}.accelerator", "accelerator", part.accelerator, cards)
        for number, line in enumerate(part.recipe, 1):
            if line.sku not in parts:
                yield _missing(raw.file, f"{raw.place}.recipe[{number}].sku", "part", line.sku, parts)


def _sources(merged: Merged) -> Iterator[Mistake]:
    known = merged.names("source")
    for kind in ("part", "model", "tier", "rule", "rate"):
        for id, one in merged.of(kind).items():
            raw = merged.raws[kind, id]
            if one.source and one.source not in known:
                yield _missing(raw.file, f"{raw.place}.source", "source", one.source, known)
            for key, provenance in getattr(one, "provenance", {}).items():
                yield from _provenance(raw.file, f"{raw.place}.{key}", provenance, known)
    for rent, raw in merged.rents:
        if rent.source not in known:
            yield _missing(raw.file, f"{raw.place}.source", "source", rent.source, known)


def _provenance(file: str, place: str, provenance: Provenance, known: set[str]) -> Iterator[Mistake]:
    if provenance.source not in known:
        yield _missing(file, f"{place}.source", "source", provenance.source, known)
    for number, against in enumerate(provenance.against, 1):
        if against.source not in known:
            yield _missing(file, f"{place}.against[{number}].source", "source", against.source, known)


def _prices(merged: Merged) -> Iterator[Mistake]:
    parts, sources, currencies = merged.names("part"), merged.names("source"), merged.names("rate") | {HOME}
    for price, raw in merged.prices:
        for what, name, names in (
            ("part", price.sku, parts),
            ("source", price.source, sources),
            ("rate for currency", price.currency, currencies),
        ):
            if name not in names:
                yield _missing(raw.file, raw.place, what, name, names)
    cards = _accelerators(merged)
    for rent, raw in merged.rents:
        if rent.accelerator not in cards:
            yield _missing(raw.file, raw.place, "accelerator", rent.accelerator, cards)


def _models(merged: Merged) -> Iterator[Mistake]:
    known = merged.names("model")
    for id, model in merged.of("model").items():
        raw = merged.raws["model", id]
        for name in model.instead:
            if name not in known:
                yield _missing(raw.file, f"{raw.place}.instead", "model", name, known)


def _terms(merged: Merged, terms: Terms) -> Iterator[Mistake]:
    parts: dict[str, Part] = merged.of("part")
    known, sources = parts.keys() | merged.broken.get("part", set()), merged.names("source")
    for role, sku in terms.recipes.items():
        if sku not in known:
            file = merged.file_of(f"terms.recipes.{role}", "terms.toml")
            yield _missing(file, f"recipes.{role}", "part", sku, known)
    if terms.source not in sources:
        yield _missing(merged.file_of("terms.source", "terms.toml"), "source", "source", terms.source, sources)
    for table, mapping in (("markup", terms.markup), ("lead_weeks", terms.lead_weeks)):
        if "default" not in mapping:
            yield Mistake("terms.toml", f"{table}.default", "missing", "a value for every category not listed")
    for tax in ("goods", "works", "service"):
        if tax not in terms.tax_rate:
            yield Mistake("terms.toml", f"tax_rate.{tax}", "missing", "a share, as 0.13")
