"""Leaves of the proof: a value of a rule, a part or the form, written into a ledger under its agreed id.

Each function returns the id of the leaf, ready to be an input of a formula.
"""

from __future__ import annotations

from decimal import Decimal

from quoting.figure import Ledger
from quoting.parts import Part
from quoting.rows import Catalog


def rule_number(catalog: Catalog, rule: str, key: str) -> Decimal:
    """A number of a rule of the catalogue; KeyError when the catalogue lacks it."""
    return Decimal(catalog.rules[rule].values[key])


def rule_curve(catalog: Catalog, rule: str, key: str) -> dict[Decimal, Decimal]:
    """A curve of a rule, written "0.20:0.94 0.50:0.96": value by place, in the order written."""
    points = (point.split(":") for point in str(catalog.rules[rule].values[key]).split())
    return {Decimal(place): Decimal(value) for place, value in points}


def rule_leaf(ledger: Ledger, catalog: Catalog, rule: str, key: str) -> str:
    """The id ``rule.<rule>.<key>``, written with the unit and the source of that value."""
    row, id = catalog.rules[rule], f"rule.{rule}.{key}"
    known = row.provenance.get(key)
    ledger.leaf(id, rule_number(catalog, rule, key), row.units[key], known.source if known else row.source)
    return id


def part_leaf(ledger: Ledger, part: Part, field: str, unit: str) -> str:
    """The id ``catalog.<sku>.<field>``; the field must be known."""
    known, id = part.provenance.get(field), f"catalog.{part.sku}.{field}"
    ledger.leaf(id, Decimal(getattr(part, field)), unit, known.source if known else part.source)
    return id


def form_leaf(ledger: Ledger, key: str, value: Decimal | int | None, unit: str) -> str:
    """The id ``form.<key>`` of an answer of the form; 0, said to be a default, where the form is silent."""
    id = f"form.{key}"
    ledger.leaf(id, Decimal(value or 0), unit, f"form:{key}" if value is not None else f"default:{key}")
    return id
