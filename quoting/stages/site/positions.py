"""Where equipment stands, and how long a cable between two racks is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from quoting.parts import Part
from quoting.rows import Catalog
from quoting.stages.leaves import rule_number
from quoting.stages.site.packing import Contents


@dataclass(frozen=True, slots=True, kw_only=True)
class Tray:
    """The cabling rule of a room, read once."""

    slack_m: Decimal
    slack_in_rack_m: Decimal
    pitch_m: Decimal
    overhead_m: Decimal
    row: int
    row_pitch_m: Decimal
    height_m: Decimal

    def length_m(self, a: int, b: int) -> Decimal:
        """Routed length between racks ``a`` and ``b`` (from 0): up, along the tray, down, and slack at both ends."""
        if a == b:
            return self.height_m / 2 + 2 * self.slack_in_rack_m
        along = abs(a % self.row - b % self.row) * self.pitch_m
        across = abs(a // self.row - b // self.row) * self.row_pitch_m
        return along + across + 2 * self.overhead_m + 2 * self.slack_m


def tray_of(units: int, catalog: Catalog) -> Tray:
    """The room's tray over racks of ``units``."""
    get = {key: rule_number(catalog, "site.cabling", key) for key in catalog.rules["site.cabling"].values}
    return Tray(
        slack_m=get["slack_m"],
        slack_in_rack_m=get["slack_in_rack_m"],
        pitch_m=get["rack_pitch_m"],
        overhead_m=get["overhead_m"],
        row=int(get["rack_row"]),
        row_pitch_m=get["row_pitch_m"],
        height_m=units * get["unit_mm"] / 1000,
    )


def stand(racks: tuple[Contents, ...], sku: str) -> list[int]:
    """The rack of every piece of a SKU, in room order."""
    return _racks_of(racks, lambda part: part.sku == sku)


def of_category(racks: tuple[Contents, ...], category: str) -> list[int]:
    """The rack of every piece of equipment of a category, in room order."""
    return _racks_of(racks, lambda part: part.category == category)


def _racks_of(racks: tuple[Contents, ...], wanted: Callable[[Part], bool]) -> list[int]:
    return [
        rack
        for rack, contents in enumerate(racks)
        for device, count in contents
        if wanted(device.part)
        for _ in range(count)
    ]


def spread(total: int, a: list[int], b: list[int], groups: int = 1) -> Counter[tuple[int, int]]:
    """``total`` links between two sets of equipment, spread evenly over the pairs of their racks.

    ``groups`` are pods: the first part of one set is linked with the first part of the other only, and so on.
    """
    links: Counter[tuple[int, int]] = Counter()
    if not a or not b:
        return links
    pairs = [pair for group in range(groups) for pair in _pairs(_part(a, group, groups), _part(b, group, groups))]
    weight, done, given = sum(pair[2] for pair in pairs), 0, 0
    for rack_a, rack_b, count in pairs:
        done += count
        links[rack_a, rack_b] += total * done // weight - given
        given = total * done // weight
    return links


def _part(places: list[int], number: int, parts: int) -> list[int]:
    return places[len(places) * number // parts : len(places) * (number + 1) // parts]


def _pairs(a: list[int], b: list[int]) -> list[tuple[int, int, int]]:
    """Every pair of racks and how many pairs of equipment stand in it."""
    near = Counter(b).items()
    return [(rack_a, rack_b, count_a * count_b) for rack_a, count_a in Counter(a).items() for rack_b, count_b in near]


def by_length(links: Counter[tuple[int, int]], tray: Tray) -> Counter[Decimal]:
    """The same links by routed length, which is the same for all pairs that stand alike."""
    alike: dict[tuple[bool, int, int], tuple[int, int]] = {}
    counts: Counter[tuple[bool, int, int]] = Counter()
    for (a, b), count in links.items():
        if count:
            apart = (a == b, abs(a % tray.row - b % tray.row), abs(a // tray.row - b // tray.row))
            alike.setdefault(apart, (a, b))
            counts[apart] += count
    lengths: Counter[Decimal] = Counter()
    for apart, count in counts.items():
        lengths[tray.length_m(*alike[apart])] += count
    return lengths
