"""Where equipment stands, and how long a cable between two racks is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal

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
    return [
        rack
        for rack, contents in enumerate(racks)
        for device, count in contents
        if device.part.sku == sku
        for _ in range(count)
    ]


def spread(total: int, a: list[int], b: list[int]) -> Counter[tuple[int, int]]:
    """``total`` links between two sets of equipment, spread evenly over the pairs of their racks."""
    links: Counter[tuple[int, int]] = Counter()
    if not a or not b:
        return links
    for rack_a, count_a in Counter(a).items():
        for rack_b, count_b in Counter(b).items():
            links[rack_a, rack_b] = total * count_a * count_b // (len(a) * len(b))
    links[a[-1], b[-1]] += total - links.total()
    return links


def by_length(links: Counter[tuple[int, int]], tray: Tray) -> Counter[Decimal]:
    """The same links by routed length."""
    lengths: Counter[Decimal] = Counter()
    for (a, b), count in links.items():
        if count:
            lengths[tray.length_m(a, b)] += count
    return lengths
