"""The catalogue folder and its overlays as one frozen Catalog, or all their mistakes at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from quoting.assets import catalog_folder
from quoting.catalog.files import Layer, digest, read_layer
from quoting.catalog.house import full_colours, read_logo
from quoting.catalog.merge import ID_KEYS, Merged, merge_rows, merge_single
from quoting.catalog.references import reference_mistakes
from quoting.catalog.sense import sense_mistakes
from quoting.errors import Mistake, Mistakes, Outside
from quoting.parts import Accelerator, Platform
from quoting.rows import Catalog, House, Logo, PriceRow, Terms


def load_catalog(overlays: Sequence[Path] = (), root: Path | None = None) -> Catalog:
    """The catalogue at ``root`` (default: the program's own) with ``overlays`` laid over it, the last one on top.

    Raises Mistakes with every mistake of every file, and Outside when a folder is not there.
    """
    mistakes: list[Mistake] = []
    roots = [catalog_folder(root), *(_overlay(folder) for folder in overlays)]
    names = ["", *(folder.resolve().name for folder in overlays)]
    layers = [read_layer(path, name, ID_KEYS, mistakes) for path, name in zip(roots, names, strict=True)]
    merged = merge_rows(layers, mistakes)
    house = merge_single(layers, House, merged, mistakes)
    terms = merge_single(layers, Terms, merged, mistakes)
    logo = read_logo(roots, layers, mistakes)
    if not layers[0].version:
        mistakes.append(Mistake("VERSION", "line 1", "missing", "a version, as 2026.11"))
    mistakes += [*reference_mistakes(merged, terms), *sense_mistakes(merged, house, terms)]
    if mistakes:
        raise Mistakes(mistakes)
    return _catalog(layers, merged, full_colours(house), terms, logo)


def _overlay(folder: Path) -> Path:
    if not folder.is_dir():
        raise Outside(f"no folder {folder}", "quoting init DIR makes an overlay")
    return folder


def _catalog(layers: list[Layer], merged: Merged, house: House, terms: Terms, logo: Logo | None) -> Catalog:
    parts = merged.of("part")
    return Catalog(
        parts=MappingProxyType(parts),
        accelerators=_of_class(parts, Accelerator),
        platforms=_of_class(parts, Platform),
        models=MappingProxyType(merged.of("model")),
        tiers=MappingProxyType(merged.of("tier")),
        rules=MappingProxyType(merged.of("rule")),
        prices=_newest_first([price for price, _ in merged.prices]),
        rates=MappingProxyType(merged.of("rate")),
        rents=tuple(rent for rent, _ in merged.rents),
        sources=MappingProxyType(merged.of("source")),
        house=house,
        terms=terms,
        logo=logo,
        version=layers[0].version,
        digest=digest(layers),
        layers=tuple(layer.name for layer in layers[1:]),
        overlaid=MappingProxyType(merged.overlaid),
    )


def _of_class(parts: Mapping[str, Any], cls: type) -> Mapping[str, Any]:
    return MappingProxyType({sku: part for sku, part in parts.items() if isinstance(part, cls)})


def _newest_first(prices: list[PriceRow]) -> Mapping[str, tuple[PriceRow, ...]]:
    """By SKU, newest first; of one day the row read last, so an overlay wins."""
    by_sku: dict[str, list[PriceRow]] = {}
    for price in reversed(prices):
        by_sku.setdefault(price.sku, []).append(price)
    return MappingProxyType(
        {sku: tuple(sorted(rows, key=lambda row: -row.on.toordinal())) for sku, rows in by_sku.items()}
    )
