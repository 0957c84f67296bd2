"""The counting rules of a cluster network beyond the published tables."""

from __future__ import annotations

from decimal import Decimal

import pytest

from quoting.stages.fabric import (
    Reach,
    UnsupportedFabric,
    count_fabric,
    fibres,
    full_unit,
    medium,
    outofband_switches,
    spares,
    spine_count,
    switch_transceivers,
)

SUPPORTED = frozenset({64, 128, 144})


def test_twenty_four_leaves_take_sixteen_spines_because_uplinks_are_spread_evenly():
    assert spine_count(24, 32, 64) == 16


def test_a_radix_without_a_published_table_is_refused_beyond_one_switch():
    with pytest.raises(UnsupportedFabric) as refused:
        count_fabric(140, 8, 40, SUPPORTED)
    assert refused.value.reason == "radix"


def test_a_star_needs_no_table():
    assert count_fabric(4, 8, 40, SUPPORTED).leaf == 1


def test_more_ends_than_three_tiers_carry_are_refused():
    with pytest.raises(UnsupportedFabric) as refused:
        count_fabric(10_000, 8, 64, SUPPORTED)
    assert refused.value.reason == "size"


def test_two_to_one_halves_the_uplinks():
    even, lean = (count_fabric(32, 8, 64, SUPPORTED, oversubscription=Decimal(part)) for part in (1, 2))
    assert (even.leaf_spine_links, lean.leaf_spine_links) == (256, 128)


def test_two_to_one_halves_the_tiers_above_the_leaves() -> None:
    lean = count_fabric(512, 8, 64, SUPPORTED, oversubscription=Decimal(2))
    assert (lean.leaf, lean.spine, lean.core) == (128, 64, 32)
    assert (lean.leaf_spine_links, lean.spine_core_links) == (2048, 2048)


def test_a_partial_unit_says_how_many_nodes_would_fill_it():
    assert count_fabric(20, 8, 64, SUPPORTED).unit_nodes == 32
    assert count_fabric(40, 8, 64, SUPPORTED).unit_nodes == 64


def test_links_of_the_nodes_bought_need_fewer_plugs_than_filled_leaves():
    fabric = count_fabric(127, 8, 64, SUPPORTED, extra_links=4)
    assert (switch_transceivers(fabric), switch_transceivers(fabric, filled=True)) == (1534, 1536)


def test_every_link_is_one_fibre():
    assert fibres(count_fabric(127, 8, 64, SUPPORTED, extra_links=4)) == 2044


def test_spares_are_two_per_cent_and_one():
    assert spares(64, Decimal("0.02"), 1) == 3
    assert spares(0, Decimal("0.02"), 1) == 0


def test_management_switches_keep_four_ports_free():
    assert outofband_switches(45, 44) == 2


@pytest.mark.parametrize(
    ("length", "expected"),
    [("2", "dac"), ("2.5", "acc"), ("5", "acc"), ("50", "short"), ("51", "long"), ("101", "longest"), ("2001", None)],
)
def test_the_medium_follows_the_length(length, expected):
    reach = Reach(dac_m=Decimal(2), acc_m=Decimal(5), short_m=Decimal(50), long_m=Decimal(100), longest_m=Decimal(2000))
    assert medium(Decimal(length), reach) == expected


def test_two_planes_of_storage_count_as_the_published_four_unit_cluster_does() -> None:
    """127 nodes of two storage ports on 64-port switches: 8 leaves and 4 spines."""
    fabric = count_fabric(127, 1, 64, SUPPORTED, planes=2)
    assert (fabric.leaf, fabric.spine, fabric.node_links) == (8, 4, 254)


@pytest.mark.parametrize(
    ("nodes", "radix", "whole"), [(9, 64, (8, 4, 256)), (12, 64, (8, 4, 256)), (24, 128, (8, 4, 512))]
)
def test_a_full_unit_has_the_leaves_and_links_of_all_its_nodes(
    nodes: int, radix: int, whole: tuple[int, int, int]
) -> None:
    full = full_unit(nodes, 8, radix, SUPPORTED)
    assert full is not None
    assert (full.leaf, full.spine, full.leaf_spine_links) == whole


@pytest.mark.parametrize(("nodes", "radix"), [(8, 64), (31, 64), (100, 64), (300, 64), (16, 128)])
def test_there_is_no_full_unit_beside_one_switch_or_whole_leaves(nodes: int, radix: int) -> None:
    assert full_unit(nodes, 8, radix, SUPPORTED) is None
