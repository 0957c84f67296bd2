"""Which equipment stands in which rack: as many nodes to a rack as the room carries, then the rest, first fit.

Equal racks share one record, so the work grows with the number of racks, not with its square.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from heapq import heapify, heappop, heappush
from math import ceil

from quoting.rows import Catalog
from quoting.stages.leaves import rule_number
from quoting.stages.site.devices import Device
from quoting.stages.site.room import Room, outlets_there

Contents = tuple[tuple[Device, int], ...]
Failures = Callable[[Contents], frozenset[str]]  # ids of the checks that fail
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


def pack(equipment: Iterable[Device], room: Room, catalog: Catalog, failures: Failures) -> Packing:
    """Pack everything; ``failures`` names the failed checks of one rack's contents.

    The most nodes to a rack that fail nothing; where every count fails, the one with the fewest failures. The rest
    stands with them where it makes no check fail, else in racks of its own, or in what units a full room has left:
    whichever fails fewer checks.
    """
    judge = lru_cache(maxsize=None)(failures)
    node, *rest = equipment
    each = nodes_per_rack(node, room, catalog, judge)
    ordered = _best(node, rest, each, room, catalog, judge)
    if room.racks is not None and _failing(ordered, room, judge):
        most = max(room.racks, len(ordered)) + 1
        counts = [count for count in _counts(node, room, catalog) if racks_for(node.count, count) <= most]
        others = [_best(node, rest, count, room, catalog, judge) for count in counts if count != each]
        ordered = _fewest([ordered, *others], room.racks, room, judge)
    return Packing(racks=ordered, nodes_per_rack=each)


def _fewest(found: list[tuple[Contents, ...]], most: int, room: Room, judge: Failures) -> tuple[Contents, ...]:
    """The packing that fails fewest checks among those the room holds and those that take fewest racks beyond it."""
    beyond = min((len(racks) for racks in found if len(racks) > most), default=most)
    near = [racks for racks in found if len(racks) <= beyond]
    return min(near, key=lambda racks: (len(_failing(racks, room, judge)), len(racks) > most))


def node_racks(node: Device, each: int) -> tuple[Contents, ...]:
    """The racks of nodes alone, the last one with what is left."""
    full, left = divmod(node.count, each)
    return (((node, each),),) * full + ((((node, left),),) if left else ())


def _best(
    node: Device, rest: list[Device], each: int, room: Room, catalog: Catalog, judge: Failures
) -> tuple[Contents, ...]:
    """So many nodes to a rack, and the rest in the way that fails fewest checks."""
    racks = node_racks(node, each)
    ways = (True, False) if room.racks is not None and rest else (False,)
    arranged = [_arrange(rest, racks, room, catalog, judge, squeeze) for squeeze in ways]
    if len(ways) > 1 and len(racks) <= (room.racks or 0):
        arranged.append(_even(rest, racks, room))
    return min(arranged, key=lambda ordered: len(_failing(ordered, room, judge)))


def _even(rest: Iterable[Device], nodes: tuple[Contents, ...], room: Room) -> tuple[Contents, ...]:
    """The rest spread over all racks of the room, each piece into the one that draws least and has the units."""
    racks = [list(contents) for contents in nodes] + [[] for _ in range((room.racks or 0) - len(nodes))]
    loads = [(power_of(contents) or Decimal(0), number) for number, contents in enumerate(map(tuple, racks))]
    heapify(loads)
    for device in rest:
        for _ in range(device.count):
            full = []
            while loads and _free(device, racks[loads[0][1]], room, None) < 1:
                full.append(heappop(loads))
            if not loads:
                loads.append((Decimal(0), len(racks)))
                racks.append([])
            load, number = heappop(loads)
            racks[number] = _with(device, 1, racks[number])
            for one in (*full, (load + (device.power_kw or Decimal(0)), number)):
                heappush(loads, one)
    return tuple(tuple(rack) for rack in racks if rack)


def _arrange(
    rest: Iterable[Device], nodes: tuple[Contents, ...], room: Room, catalog: Catalog, judge: Failures, squeeze: bool
) -> tuple[Contents, ...]:
    """The racks of nodes with the rest of the equipment; ``squeeze`` fills a full room by units alone."""
    own = len(nodes) > rule_number(catalog, "site.packing", NETWORK_RACKS_FROM)
    others = [] if own else [list(contents) for contents in nodes]
    for device in rest:
        _place(device, others, room, catalog, judge, squeeze)
    placed = [tuple(rack) for rack in others]
    middle = len(nodes) // 2
    return (*nodes[:middle], *placed, *nodes[middle:]) if own else tuple(placed)


def _failing(racks: tuple[Contents, ...], room: Room, judge: Failures) -> frozenset[str]:
    """Ids of the checks that fail in any rack, or because there are too many racks."""
    many = room.racks is not None and len(racks) > room.racks
    return frozenset({"rack_units"} if many else ()).union(*(judge(contents) for contents in set(racks)))


def racks_for(count: int, each: int) -> int:
    """Racks that hold ``count`` nodes, ``each`` to a rack."""
    return ceil(count / each)


def nodes_per_rack(node: Device, room: Room, catalog: Catalog, judge: Failures) -> int:
    """How many nodes stand in one rack."""
    counts = _counts(node, room, catalog)
    enough = [count for count in counts if room.racks is None or racks_for(node.count, count) <= room.racks]
    scored = [(_score(node, count, room, catalog, judge), count) for count in enough or counts[-1:]]
    best = min(score for score, _ in scored)
    same = [count for score, count in scored if score == best]
    each = max(same) if best == 0 else min(same)
    return ceil(node.count / racks_for(node.count, each))  # as even as that number of racks allows


def _counts(node: Device, room: Room, catalog: Catalog) -> list[int]:
    """Nodes to a rack that the units take."""
    tallest = max(1, room.units // node.units) if node.units else 1
    if node.power_kw is None:
        tallest = min(tallest, int(rule_number(catalog, "site.packing", "nodes_unknown")))
    return list(range(1, min(tallest, node.count) + 1))


def _score(node: Device, count: int, room: Room, catalog: Catalog, judge: Failures) -> int:
    contents: Contents = ((node, count),)
    limit, heavy = power_limit(room, catalog), weight_of(contents) or Decimal(0)
    over = room.need.rack_power_kw is None and count > 1 and (power_of(contents) or Decimal(0)) > limit
    return len(judge(contents)) + int(over) + int(count > 1 and heavy > weight_limit(room, catalog))


def power_limit(room: Room, catalog: Catalog) -> Decimal:
    """kW a rack may take: the room's, and what its feeds carry; the house default where neither is known."""
    known = [kw for kw in (room.need.rack_power_kw, room.side_kw) if kw is not None]
    return min(known, default=rule_number(catalog, "site.packing", "rack_kw"))


def weight_limit(room: Room, catalog: Catalog) -> Decimal:
    """kg of equipment a rack may hold: by its static rating with a margin, and by the floor under and around it."""
    rack, rating = room.rack, room.need.floor_load_kg_m2
    width, depth = Decimal(rack.width_mm) / 1000, Decimal(rack.depth_mm) / 1000
    limits = [rack.static_kg / rule_number(catalog, "rack_load", "static_margin")] if rack.static_kg else []
    if rating is not None:
        area = depth + rule_number(catalog, "floor_load", "aisle_m") if room.need.spreader_frame else depth
        own = rack.weight_kg or rule_number(catalog, "site.packing", "rack_kg")
        limits.append(rating * width * area - own - rule_number(catalog, "site.packing", "accessories_kg"))
    return min(limits, default=Decimal("Infinity"))


def _place(
    device: Device, racks: list[list[tuple[Device, int]]], room: Room, catalog: Catalog, judge: Failures, squeeze: bool
) -> None:
    """First fit by every limit; with ``squeeze``, in a room with no more racks where no check fails that did not
    before, then by units alone; else in new racks."""
    limits = Limits(
        kw=power_limit(room, catalog),
        kg=weight_limit(room, catalog),
        c13=outlets_there(room, "C13", catalog),
        c19=outlets_there(room, "C19", catalog),
    )
    left = _fill(device, device.count, racks, room, limits, judge)
    if (device.power_kw or 0) > limits.kw:  # no rack of its own would help it
        left = _fill(device, left, racks, room, None, judge)
    if squeeze and room.racks is not None and len(racks) >= room.racks:
        left = _fill(device, left, racks, room, None, judge)
        left = _fill(device, left, racks, room, None, None)
    while left:
        racks.append([])
        left = _fill(device, left, racks[-1:], room, limits, judge, least=1)


def _fill(
    device: Device,
    left: int,
    racks: list[list[tuple[Device, int]]],
    room: Room,
    limits: Limits | None,
    judge: Failures | None,
    least: int = 0,
) -> int:
    """Put what fits into each rack in turn, ``least`` of it anyway, and return what is left."""
    for rack in racks:
        if not left:
            break
        take = min(left, _free(device, rack, room, limits))
        if judge is not None:
            take = _bearable(device, take, rack, judge)
        take = max(take, least)
        if take:
            rack[:] = _with(device, take, rack)
            left -= take
    return left


def _bearable(device: Device, take: int, rack: list[tuple[Device, int]], judge: Failures) -> int:
    """How many of ``take`` can be added without a check of the rack failing that did not fail before."""
    before = judge(tuple(rack)) if take and rack else frozenset()
    while take and not judge(tuple(_with(device, take, rack))) <= before:
        take -= 1
    return take


def _with(device: Device, count: int, rack: list[tuple[Device, int]]) -> list[tuple[Device, int]]:
    """The rack with more of a device; with what it has of the same it stays one entry."""
    if rack and rack[-1][0] == device:
        return [*rack[:-1], (device, rack[-1][1] + count)]
    return [*rack, (device, count)]


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
