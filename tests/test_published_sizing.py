"""Every row of the published sizing cases against the product's own functions, one test a row."""

from __future__ import annotations

from decimal import Decimal

import pytest
from published.cases import HERE, table
from published.rows import Row, misses, mutation_score
from published.sizing import row, rows

from quoting.stages.demand.regimes import regimes

MISSES = misses(HERE / "misses_sizing.toml")
ROWS = rows()
SCORED = [
    pytest.param(
        one,
        id=f"{one.id}-{one.call.name}",
        marks=[pytest.mark.xfail(strict=True, reason=MISSES[one.id])] if one.id in MISSES else [],
    )
    for one in ROWS
    if one.scored
]


@pytest.mark.parametrize("one", SCORED)
def test_a_published_row_is_reproduced(one: Row) -> None:
    assert one.holds(), f"published {one.expected}, answered {one.call.answer()}, rule {one.reference}"


def test_every_row_of_the_table_is_there_once() -> None:
    ids = [case["id"] for case in table()]
    assert [one.id for one in ROWS] == ids
    assert len(set(ids)) == len(ids) >= 237


def test_expected_misses_are_few_and_rows_of_the_table() -> None:
    scored = {one.id for one in ROWS if one.scored}
    assert set(MISSES) <= scored
    assert len(MISSES) * 10 <= len(scored)


def test_an_answer_half_as_large_again_turns_the_rows_red() -> None:
    assert mutation_score(ROWS) >= Decimal("0.95")


@pytest.mark.parametrize("one", ROWS, ids=lambda one: one.id)
def test_the_function_called_is_a_public_one_of_the_product(one: Row) -> None:
    assert one.call.name.startswith("quoting.stages.")
    assert not one.call.function.__name__.startswith(("_", "<"))


@pytest.mark.parametrize("name", ["gpus", "params_b", "seq_len"])
def test_answers_come_from_the_inputs_of_the_row(name: str) -> None:
    """Twice the cards, parameters or tokens change the answers of the rows that name them."""
    changed = [case for case in table() if case["kind"] in _READS[name] and case[name]]
    assert changed
    same = [case["id"] for case in changed if row(case).call.answer() == row(_doubled(case, name)).call.answer()]
    assert len(same) * 10 <= len(changed)


_READS = {
    "gpus": ("mem_states", "host_ram", "mem_measured"),
    "params_b": ("mem_states", "mem_rule", "mem_claim", "weights", "checkpoint", "ft_speed", "inf_rule"),
    "seq_len": ("kv", "inf_measured", "ft_speed"),
}


def _doubled(case: dict[str, str], name: str) -> dict[str, str]:
    return {**case, name: str(2 * Decimal(case[name]))}


def test_regimes_are_those_published(catalog) -> None:
    by_name = {one.name: one.bytes for one in regimes(catalog)}
    assert (by_name["zero_paper"], by_name["mixed"], by_name["zero2_estimator"]) == (16, 18, 20)
    assert [one.bytes for one in regimes(catalog)] == sorted(by_name.values())
