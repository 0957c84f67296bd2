"""Counting cards: the answer holds, and one step less does not."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st
from sizing.plan import catalog

from quoting.stages.fit.cards import (
    Serving,
    Shares,
    best_layout,
    layouts,
    recommended_nodes,
    requests_held,
    rounded_cards,
    tensor_sizes,
    training_cards,
)
from quoting.stages.fit.rules import limits

RULES = limits(catalog())
gigabytes = st.integers(1, 4000).map(Decimal)
small = st.integers(0, 40).map(Decimal)


@given(sharded=gigabytes, kept=small, activations=small, total=gigabytes, memory=st.sampled_from([24, 48, 80, 141]))
def test_fewest_cards_hold_the_work_and_one_step_less_does_not(
    sharded: Decimal, kept: Decimal, activations: Decimal, total: Decimal, memory: int
) -> None:
    shares = Shares(
        sharded=sharded,
        replicated=kept,
        activations=activations,
        overhead=Decimal("1.5"),
        gather=Decimal(4),
        total=total,
    )
    usable = RULES.usable_training
    cards = training_cards(shares, Decimal(memory), usable, 8)

    def holds(count: int) -> bool:
        return shares.per_card(count) <= memory * usable and memory * count >= total

    if cards is None:
        assert not holds(1 << 20)
        return
    assert holds(cards)
    fewer = cards // 2 if cards <= 8 else cards - 8
    assert fewer == 0 or not holds(fewer)


@given(st.integers(1, 400))
def test_recommended_nodes_are_never_fewer_and_never_twice_as_many(nodes: int) -> None:
    wanted = recommended_nodes(nodes, RULES)
    assert nodes <= wanted < 2 * nodes + 1
    assert wanted in (1, 2, 4, 8) or wanted % (4 if wanted <= 32 else 8) == 0


@given(st.integers(1, 100), st.sampled_from([1, 2, 4, 8]))
def test_cards_round_to_powers_of_two_then_whole_nodes(cards: int, per_node: int) -> None:
    rounded = rounded_cards(cards, per_node)
    assert rounded >= cards
    assert rounded in (1, 2, 4) or rounded % per_node == 0


@given(
    weights=gigabytes,
    cache=st.integers(1, 400).map(lambda tenth: Decimal(tenth) / 10),
    heads=st.sampled_from([28, 32, 40, 56, 64, 128]),
    kv_heads=st.sampled_from([1, 2, 4, 8]),
    concurrency=st.integers(1, 200),
)
def test_a_serving_layout_holds_every_request(
    weights: Decimal, cache: Decimal, heads: int, kv_heads: int, concurrency: int
) -> None:
    model = Serving(weights=weights, cache=cache, heads=heads, kv_heads=kv_heads, concurrency=concurrency)
    room = Decimal(80) * RULES.usable_inference - RULES.reserve_gb
    best = best_layout(layouts(model, room, 8, 64), 8)
    if best is None:
        assert requests_held(model, room, max(tensor_sizes(heads, 8)), 64) < 1
        return
    assert heads % best.tensor == 0
    assert best.replicas * requests_held(model, room, best.tensor, best.pipeline) >= concurrency


def test_attention_heads_bound_tensor_parallelism() -> None:
    assert tensor_sizes(28, 8) == [1, 2, 4]
    assert tensor_sizes(56, 8) == [1, 2, 4, 8]


def test_cache_is_copied_beyond_the_key_value_heads() -> None:
    wide = Serving(weights=Decimal(8), cache=Decimal(1), heads=32, kv_heads=2, concurrency=1)
    assert requests_held(wide, Decimal(20), 2, 1) == 32
    assert requests_held(wide, Decimal(20), 8, 1) == 38
