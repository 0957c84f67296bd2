"""Every published row of power, heat, floor, ownership and networks against the product's own functions."""

from __future__ import annotations

import pytest
from published.facility import HERE, rows, table
from published.rows import Row, misses, mutation_score

MISSES = misses(HERE / "misses_facility.toml")
ROWS = [
    pytest.param(
        row,
        id=f"{row.id}-{row.call.name}",
        marks=[pytest.mark.xfail(strict=True, reason=MISSES[row.id])] if row.id in MISSES else [],
    )
    for row in rows()
]


@pytest.mark.parametrize("row", ROWS)
def test_a_published_row_is_reproduced(row: Row) -> None:
    assert row.holds(), f"published {row.expected}, answered {row.call.answer()}"


def test_every_row_of_the_tables_is_scored() -> None:
    scored = {row.id for row in rows() if row.scored}
    power = {row["id"] for row in table("power_cases.csv")}
    oracles = {row["id"] for row in table("fabric_cases.csv") if not row["use_as_oracle"].startswith("no")}
    assert scored >= power | oracles


def test_an_answer_half_as_large_again_turns_the_rows_red() -> None:
    assert mutation_score(rows()) >= 0.95


def test_few_rows_are_missed() -> None:
    assert len(MISSES) * 10 <= len(rows())


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.id)
def test_the_function_called_is_the_product_s_own(row: Row) -> None:
    assert row.call.name.startswith("quoting.")
    assert not row.call.function.__name__.startswith(("_", "<"))
