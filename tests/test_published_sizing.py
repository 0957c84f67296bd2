"""Every row of the published sizing cases against the product's own functions, one test a row."""

from __future__ import annotations

from decimal import Decimal

import pytest
from published.cases import HERE, Case, card, catalog, need, table
from published.rows import Row, misses, mutation_score
from published.sizing import row, rows

from quoting.stages.demand.activations import full_recompute_gb, selective_gb, stored_gb, tensor_parallel_gb
from quoting.stages.demand.regimes import regimes
from quoting.stages.fit.cards import tensor_degrees, tensor_sizes
from quoting.stages.fit.speed import utilisation

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


def test_published_card_hours_lie_between_ours_at_high_and_low_utilisation() -> None:
    """Two of three: outside are 8B on very large clusters, and runs a point beyond the band of the A100."""
    inside = []
    for case in table():
        if case["kind"] != "time_to_train":
            continue
        call = row(case).call
        band = utilisation(catalog(), card(case).mfu, pretrain=True)
        fewest, most = (call.read(call.function(**{**call.inputs, "share": share})) for share in (band.high, band.low))
        inside.append(fewest <= Decimal(case["expected_value"]) <= most)
    assert sum(inside) * 3 >= 2 * len(inside)


FULL = [case for case in table() if (case["kind"], case["task"]) == ("mem_measured", "full") and case["op"] != "info"]


@pytest.mark.parametrize("case", FULL, ids=lambda case: case["id"])
def test_measured_full_training_lies_in_the_range_that_is_shown(case: Case) -> None:
    found = need(case)
    assert found.memory_low_gb <= Decimal(case["expected_value"]) <= found.memory_high_gb


@pytest.mark.parametrize(("heads", "hidden", "layers", "term"), [(96, 12288, 96, 80), (128, 20480, 105, 64)])
def test_stored_activations_have_the_attention_term_of_the_paper(
    heads: int, hidden: int, layers: int, term: int
) -> None:
    """arXiv:2205.05198: the term of the attention core is 80 for GPT-3 and 64 for MT-NLG, beside 34."""
    unit = Decimal(2048 * hidden * layers) / 10**9
    whole = stored_gb(2048, 1, hidden, layers, heads)
    assert whole == (34 + term) * unit
    assert tensor_parallel_gb(2048, 1, hidden, layers, heads, 8) == (10 + 3 + Decimal(term) / 8) * unit
    assert tensor_parallel_gb(2048, 1, hidden, layers, heads, 8, sequence=True) == whole / 8
    assert selective_gb(2048, 1, hidden, layers, 8) == Decimal(34) / 8 * unit
    assert full_recompute_gb(2048, 1, hidden, layers, 0, Decimal(2), Decimal(0), Decimal(0)) == 2 * unit


@pytest.mark.parametrize(
    ("heads", "degrees"), [(56, [1, 2, 4, 7, 8]), (28, [1, 2, 4, 7]), (64, [1, 2, 4, 8]), (40, [1, 2, 4, 5, 8])]
)
def test_tensor_parallel_degrees_divide_the_heads(heads: int, degrees: list[int]) -> None:
    assert tensor_degrees(heads, 8) == degrees
    assert set(tensor_sizes(heads, 8)) == set(degrees) & {1, 2, 4, 8}


def test_regimes_are_those_published() -> None:
    by_name = {one.name: one.bytes for one in regimes(catalog())}
    assert (by_name["zero_paper"], by_name["mixed"], by_name["zero2_estimator"]) == (16, 18, 20)
    assert [one.bytes for one in regimes(catalog())] == sorted(by_name.values())
