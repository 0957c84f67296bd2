"""The catalogue: every number the program knows, read from data files, checked and frozen."""

from quoting.catalog.load import load_catalog
from quoting.catalog.overlay import init_overlay, layer_of
from quoting.catalog.prices import current_price, in_date, markup, node_price, sell_price, unit_cost

__all__ = [
    "current_price",
    "in_date",
    "init_overlay",
    "layer_of",
    "load_catalog",
    "markup",
    "node_price",
    "sell_price",
    "unit_cost",
]
