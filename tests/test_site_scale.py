"""Rooms of many racks: links spread evenly, outlets for everything that is packed."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal

import pytest
import site_cases as made

from quoting.requirement import Circuit, SiteNeed
from quoting.stages.bom import bom
from quoting.stages.site import site
from quoting.stages.site.positions import by_length, spread, tray_of

FEW = [rack for rack in range(100) for _ in range(3)]  # three switches to a rack


def test_links_between_many_small_racks_are_spread_evenly() -> None:
    links = spread(5000, FEW, FEW)
    assert links.total() == 5000
    assert max(links.values()) == 1


def test_links_of_a_pod_stay_in_the_pod() -> None:
    links = spread(900, FEW, FEW, groups=10)
    assert links.total() == 900
    assert all(a // 10 == b // 10 for (a, b), count in links.items() if count)


def test_links_are_counted_by_length_as_one_by_one(catalog) -> None:
    tray, links = tray_of(42, catalog), spread(5000, FEW, [rack + 30 for rack in FEW])
    single: Counter[Decimal] = Counter()
    for (a, b), count in links.items():
        single[tray.length_m(a, b)] += count
    assert by_length(links, tray) == +single


@pytest.mark.parametrize("circuit", [None, Circuit(phases=3, amps=Decimal(63))])
@pytest.mark.parametrize("platform", ["srv-sxm-8x-h20-141g", "srv-pcie-8x-l20"])
def test_a_room_we_may_fill_as_we_like_has_outlets_for_everything(catalog, platform: str, circuit) -> None:
    requirement, plan = made.requirement(SiteNeed(circuit=circuit)), made.fit(catalog, platform, 512, "cluster")
    bill = bom(requirement, made.demand(), plan, catalog)
    room = site(requirement, plan, bill, catalog)
    assert [check.status for check in room.checks if check.id == "pdu_outlets"] == ["pass"]
