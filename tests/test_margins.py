"""What is left over, as a share of the limit."""

from __future__ import annotations

from decimal import Decimal

import pytest

from quoting.stages.margins import margin


@pytest.mark.parametrize(
    ("id", "required", "available", "unit", "left"),
    [
        ("budget", "1907264.60", "1000000", "CNY", "-0.9072646"),
        ("rack_power", "9", "12", "kW", "0.25"),
        ("rack_units", "4", "40", "U", "0.9"),
        ("deadline", "45", "30", "day", "-0.5"),
        ("throughput", "100", "50", "tokens/s", "-0.5"),
        ("throughput", "100", "150", "tokens/s", "0.5"),
        ("throughput", "2", "1", "s", "0.5"),
        ("throughput", "2", "3", "s", "-0.5"),
        ("ups_runtime", "30", "15", "min", "-0.5"),
        ("rack_power", "0", "12", "kW", "1"),
        ("rack_power", "9", "0", "kW", None),
        ("inlet_temperature", "22", "35", "°C", None),
        ("export_control", "2368", "4800", "TPP", None),
    ],
)
def test_a_margin_is_the_share_of_the_limit_that_is_left(
    id: str, required: str, available: str, unit: str, left: str | None
) -> None:
    assert margin(id, Decimal(required), Decimal(available), unit) == (None if left is None else Decimal(left))


def test_nothing_is_left_of_what_nobody_knows() -> None:
    assert margin("rack_power", None, Decimal(1)) is None
    assert margin("rack_power", Decimal(1), None) is None
