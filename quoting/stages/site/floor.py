"""Formulas of weight on a floor and of the way there."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from quoting.figure import evaluate

WEIGHT = "empty + equipment + accessories"
FOOTPRINT = "weight / (width * depth)"
TRIBUTARY = "weight / (width * (depth + aisle))"
POINT = "weight / feet"


def rack_weight(empty_kg: Decimal, equipment_kg: Decimal, accessories_kg: Decimal) -> Decimal:
    """A loaded rack in kg."""
    return evaluate(WEIGHT, {"empty": empty_kg, "equipment": equipment_kg, "accessories": accessories_kg})


def footprint_load(weight_kg: Decimal, width_m: Decimal, depth_m: Decimal) -> Decimal:
    """Load on the rack's own area in kg/m²."""
    return evaluate(FOOTPRINT, {"weight": weight_kg, "width": width_m, "depth": depth_m})


def tributary_load(weight_kg: Decimal, width_m: Decimal, depth_m: Decimal, aisle_m: Decimal) -> Decimal:
    """Load on the rack's area and its share of the aisles in kg/m²."""
    return evaluate(TRIBUTARY, {"weight": weight_kg, "width": width_m, "depth": depth_m, "aisle": aisle_m})


def point_load(weight_kg: Decimal, feet: Decimal) -> Decimal:
    """Load on one foot of a rack in kg."""
    return evaluate(POINT, {"weight": weight_kg, "feet": feet})


def kn_per_m2(kg_per_m2: Decimal) -> Decimal:
    """An area load in kN/m² of kg/m² under standard gravity."""
    return evaluate("kg * 9.80665 / 1000", {"kg": kg_per_m2})


def kg_per_m2(kn: Decimal) -> Decimal:
    """An area load in kg/m² of kN/m²."""
    return evaluate("kn * 1000 / 9.80665", {"kn": kn})


def kg_of_pounds(pounds: Decimal) -> Decimal:
    """Kilograms of pounds."""
    return evaluate("pounds * 0.45359237", {"pounds": pounds})


def passes_opening(item_mm: Sequence[int], opening_mm: Sequence[int]) -> bool:
    """Whether an upright item (width, depth, height) goes through an opening (width, height) by its narrow side."""
    width, depth, height = item_mm
    return min(width, depth) <= opening_mm[0] and height <= opening_mm[1]


def fits_cabin(item_mm: Sequence[int], cabin_mm: Sequence[int]) -> bool:
    """Whether an upright item stands in a lift cabin (width, depth, height), turned if need be."""
    width, depth, height = item_mm
    ground = sorted((width, depth)), sorted(cabin_mm[:2])
    return height <= cabin_mm[2] and all(side <= room for side, room in zip(*ground, strict=True))
