"""Which equipment stands in which rack: as many nodes to a rack as the room carries, then the rest, first fit.

Equal racks share one record, so the work grows with the number of racks, not with its square.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from math import ceil

from quoting.rows import Catalog
from quoting.stages.leaves import rule_number
from quoting.stages.site.devices import Device
from quoting.stages.site.room import Room, outlets_there

Contents = tuple[tuple[Device, int], ...]
NETWORK_RACKS_FROM = "network_racks_from"
_ANY = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one rack may take beside its units; None: no limit of that kind."""

    kw: Decimal
    kg: Decimal
    c13: int | None
    c19: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Packing:
    """Contents of every rack in room order, and how many racks stand before the first without nodes."""

    racks: tuple[Contents, ...]
    nodes_per_rack: int


def units_of(contents: Contents) -> int | None:
    """Rack units taken; None when one is unknown."""
    if any(device.units is None for device, _ in contents):
        return None
    return sum((device.units or 0) * count for device, count in contents)


def power_of(contents: Contents) -> Decimal | None:
    """Electrical power in kW; None when one is unknown."""
    return _total(contents, lambda device: device.power_kw)


def heat_of(contents: Contents) -> Decimal | None:
    """Heat in kW; None when one is unknown."""
    return _total(contents, lambda device: device.heat_kw)


def weight_of(contents: Contents) -> Decimal | None:
    """Weight of the equipment in kg; None when one is unknown."""
    return _total(contents, lambda device: device.weight_kg)


def outlets_of(contents: Contents, kind: str) -> int:
    """Outlets of a kind the equipment needs."""
    return sum((device.supplies or 0) * count for device, count in contents if device.outlet == kind)


def _total(contents: Contents, of: Callable[[Device], Decimal | None]) -> Decimal | None:
    total = Decimal(0)
    for device, count in contents:
        each = of(device)
        if each is None:
            return None
        total += each * count
    return total


def pack(equipment: Iterable[Device], room: Room, catalog: Catalog, failures: Callable[[Contents], int]) -> Packing:
    """Pack everything; ``failures`` counts the failed checks of one rack's contents.

    The most nodes to a rack that fail nothing; where every count fails, the one with the fewest failures.
    """
    node, *rest = equipment
    each = nodes_per_rack(node, room, catalog, failures)
    full, left = divmod(node.count, each)
    racks: list[list[tuple[Device, int]]] = [[(node, each)] for _ in range(full)]
    if left:
        racks.append([(node, left)])
    own = len(racks) > rule_number(catalog, "site.packing", NETWORK_RACKS_FROM)
    others: list[list[tuple[Device, int]]] = [] if own else racks
    for device in rest:
        _place(device, others, room, catalog)
    middle = len(racks) // 2
    ordered = [*racks[:middle], *others, *racks[middle:]] if own else racks
    return Packing(racks=tuple(tuple(rack) for rack in ordered), nodes_per_rack=each)


def racks_for(count: int, each: int) -> int:
    """Racks that hold ``count`` nodes, ``each`` to a rack."""
    return ceil(count / each)


def nodes_per_rack(node: Device, room: Room, catalog: Catalog, failures: Callable[[Contents], int]) -> int:
    """How many nodes stand in one rack."""
    tallest = max(1, room.units // node.units) if node.units else 1
    if node.power_kw is None:
        tallest = min(tallest, int(rule_number(catalog, "site.packing", "nodes_unknown")))
    counts = range(1, min(tallest, node.count) + 1)
    enough = [count for count in counts if room.racks is None or racks_for(node.count, count) <= room.racks]
    scored = [(_score(node, count, room, catalog, failures), count) for count in enough or counts[-1:]]
    best = min(score for score, _ in scored)
    same = [count for score, count in scored if score == best]
    each = max(same) if best == 0 else min(same)
    return ceil(node.count / racks_for(node.count, each))  # as even as that number of racks allows


def _score(node: Device, count: int, room: Room, catalog: Catalog, failures: Callable[[Contents], int]) -> int:
    contents: Contents = ((node, count),)
    limit, heavy = power_limit(room, catalog), weight_of(contents) or Decimal(0)
    over = room.need.rack_power_kw is None and count > 1 and (power_of(contents) or Decimal(0)) > limit
    return failures(contents) + int(over) + int(count > 1 and heavy > weight_limit(room, catalog))


def power_limit(room: Room, catalog: Catalog) -> Decimal:
    """kW a rack may take: the room's, and what its feeds carry; the house default where neither is known."""
    known = [kw for kw in (room.need.rack_power_kw, room.side_kw) if kw is not None]
    return min(known, default=rule_number(catalog, "site.packing", "rack_kw"))


def weight_limit(room: Room, catalog: Catalog) -> Decimal:
    """kg of equipment a rack may hold: by its static rating with a margin, and by the floor under and around it."""
    rack, rating = room.rack, room.need.floor_load_kg_m2
    width, depth = Decimal(rack.width_mm) / 1000, Decimal(rack.depth_mm) / 1000
    limits = [rack.static_kg / rule_number(catalog, "site.packing", "static_margin")] if rack.static_kg else []
    if rating is not None:
        area = depth + rule_number(catalog, "floor_load", "aisle_m") if room.need.spreader_frame else depth
        own = rack.weight_kg or rule_number(catalog, "site.packing", "rack_kg")
        limits.append(rating * width * area - own - rule_number(catalog, "site.packing", "accessories_kg"))
    return min(limits, default=Decimal("Infinity"))


def _place(device: Device, racks: list[list[tuple[Device, int]]], room: Room, catalog: Catalog) -> None:
    """First fit by every limit; in a room with no more racks by units alone; else in racks of its own."""
    limits = Limits(
        kw=power_limit(room, catalog),
        kg=weight_limit(room, catalog),
        c13=outlets_there(room, "C13", catalog),
        c19=outlets_there(room, "C19", catalog),
    )
    left = _fill(device, device.count, racks, room, limits)
    if room.racks is not None and len(racks) >= room.racks:
        left = _fill(device, left, racks, room, None)
    while left:
        racks.append([])
        left = _fill(device, left, racks[-1:], room, limits, least=1)


def _fill(
    device: Device,
    left: int,
    racks: list[list[tuple[Device, int]]],
    room: Room,
    limits: Limits | None,
    least: int = 0,
) -> int:
    """Put what fits into each rack in turn, ``least`` of it anyway, and return what is left."""
    for rack in racks:
        if not left:
            break
        take = min(left, max(_free(device, rack, room, limits), least))
        if take:
            _put(device, take, rack)
            left -= take
    return left


def _put(device: Device, count: int, rack: list[tuple[Device, int]]) -> None:
    """Into the rack; with what it has of the same device, put there under stricter limits, it stays one entry."""
    if rack and rack[-1][0] == device:
        count += rack.pop()[1]
    rack.append((device, count))


def _free(device: Device, rack: list[tuple[Device, int]], room: Room, limits: Limits | None) -> int:
    """How many of a device a rack still takes; without ``limits`` by units alone."""
    contents = tuple(rack)
    used = units_of(contents)
    if used is None or not device.units:
        return 0
    free = [(room.units - used) // device.units]
    if limits is not None:
        free.append(_spare(limits.kw, power_of(contents), device.power_kw))
        free.append(_spare(limits.kg, weight_of(contents), device.weight_kg))
        free.append(_plugs(device, contents, limits))
    return max(0, min(free))


def _plugs(device: Device, contents: Contents, limits: Limits) -> int:
    """How many of a device find outlets for all their supplies."""
    there = {"C13": limits.c13, "C19": limits.c19}.get(device.outlet)
    if there is None or not device.supplies:
        return _ANY
    return (there - outlets_of(contents, device.outlet)) // device.supplies


def _spare(limit: Decimal, used: Decimal | None, each: Decimal | None) -> int:
    """How many of ``each`` fit under a limit; where a figure is unknown the limit cannot bind."""
    if used is None or not each or not limit.is_finite():
        return _ANY
    return int((limit - used) // each)
