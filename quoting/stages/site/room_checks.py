"""The checks of the whole room: UPS, transformer, cooling, inlet air, the way in."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from quoting.figure import Ledger
from quoting.kinds import Status
from quoting.parts import Platform
from quoting.records import Check
from quoting.rows import Catalog
from quoting.stages.leaves import form_leaf, rule_leaf, rule_number
from quoting.stages.site.floor import fits_cabin, passes_opening
from quoting.stages.site.heat import COOLING
from quoting.stages.site.power import FACILITY_KW, TRANSFORMER, UPS_KVA
from quoting.stages.site.room import Room
from quoting.stages.site.verdict import SEVERITY, at_least, at_most, made


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Sums over all racks. None is unknown."""

    racks: int
    power_kw: Decimal | None
    heat_kw: Decimal | None
    weight_kg: Decimal | None
    cooling_kw: Decimal | None = None
    ups_kva: Decimal | None = None
    pue: Decimal | None = None


def room_checks(totals: Totals, room: Room, platform: Platform, catalog: Catalog, ledger: Ledger) -> tuple[Check, ...]:
    """Every check of the room in the order of the design's list."""
    return (
        *_rack_count(totals, room),
        _ups(totals, room, catalog, ledger),
        _runtime(room, catalog),
        _transformer(totals, room, catalog, ledger),
        _cooling(totals, room, catalog),
        _cooling_redundancy(room),
        _inlet(room, platform, catalog),
        _route(room, platform, catalog),
    )


def needs(power: Decimal | None, heat: Decimal | None, catalog: Catalog, ledger: Ledger) -> tuple[Decimal | None, ...]:
    """UPS kVA, cooling kW and PUE for the room's sums, written down; None where the sum is unknown."""
    pue = rule_leaf(ledger, catalog, "site.pue", "room")
    ups = cooling = None
    if power is not None:
        factor = rule_leaf(ledger, catalog, "ups_capacity", "warn")
        output = rule_leaf(ledger, catalog, "ups_capacity", "output_factor")
        inputs = {"factor": factor, "load": "site.power_kw", "power_factor": output}
        ups = ledger.formula("site.ups_kva", "kVA", UPS_KVA, **inputs)
        ledger.formula("site.facility_kw", "kW", FACILITY_KW, load="site.power_kw", pue=pue)
    if heat is not None:
        margin = rule_leaf(ledger, catalog, "cooling_capacity", "warn")
        cooling = ledger.formula("site.cooling_kw", "kW", COOLING, heat="site.heat_kw", margin=margin)
    return ups, cooling, ledger.number(pue)


def _rack_count(totals: Totals, room: Room) -> tuple[Check, ...]:
    """Only when the room cannot hold the racks: otherwise the units of the fullest rack are the news."""
    if room.racks is None or totals.racks <= room.racks:
        return ()
    return (made("rack_units", "fail", totals.racks, room.racks, "rack", code="rack_units.racks"),)


def _ups(totals: Totals, room: Room, catalog: Catalog, ledger: Ledger) -> Check:
    have, need = room.need.ups_kva, totals.ups_kva
    if have is None or need is None or totals.power_kw is None:
        code = "ups_capacity.no_power" if need is None else ""
        return made("ups_capacity", "unknown", need, have, "kVA", code=code, figures=("site.ups_kva",) if need else ())
    present = room.need.ups_load_kw or Decimal(0)
    extra = present / rule_number(catalog, "ups_capacity", "output_factor")
    warn, fail = (rule_number(catalog, "ups_capacity", key) for key in ("warn", "fail"))
    load = need / warn + extra
    form_leaf(ledger, "site.ups", have, "kVA")
    status, told = at_least(have, load, warn, fail), (("own", need), ("present", present))
    code = f"ups_capacity.{status}_shared" if present else ""
    return made("ups_capacity", status, load * warn, have, "kVA", "", code, told, ("site.ups_kva",))


def runtime_target(room: Room, catalog: Catalog) -> Decimal:
    """Minutes a UPS must last: shorter with a generator. An unknown generator counts as none."""
    return rule_number(catalog, "ups_runtime", "with_generator" if room.need.generator else "without_generator")


def _runtime(room: Room, catalog: Catalog) -> Check:
    minutes, target = room.need.ups_minutes, runtime_target(room, catalog)
    if minutes is None:
        return made("ups_runtime", "unknown", target, None, "min")
    floor = "fail_with_generator" if room.need.generator else "fail_without_generator"
    least = rule_number(catalog, "ups_runtime", floor)
    status: Status = "fail" if minutes < least else "warn" if minutes < target else "pass"
    return made("ups_runtime", status, target, minutes, "min")


def _transformer(totals: Totals, room: Room, catalog: Catalog, ledger: Ledger) -> Check:
    kva, existing = room.need.transformer_kva, room.need.transformer_load_kva
    warn, fail = (rule_number(catalog, "transformer", key) for key in ("warn", "fail"))
    if kva is None or not kva or totals.power_kw is None:
        return made("transformer", "unknown", None, fail, "share", code="transformer.no_power" if kva else "")
    load = form_leaf(ledger, "site.transformer_load", existing, "kVA")
    size = form_leaf(ledger, "site.transformer", kva, "kVA")
    factor = rule_leaf(ledger, catalog, "site.power", "power_factor")
    inputs = {"facility": "site.facility_kw", "existing": load, "kva": size, "power_factor": factor}
    share = ledger.formula("site.transformer_share", "share", TRANSFORMER, **inputs)
    status, figures = at_most(share, Decimal(1), warn, fail), ("site.transformer_share",)
    arguments = (("percent", round(share * 100)), ("limit", round(fail * 100)))
    if existing is None and status != "fail":
        code = "transformer.no_load"
        return made("transformer", "unknown", share, fail, "share", "", code, arguments, figures)
    return made("transformer", status, share, fail, "share", arguments=arguments, figures=figures)


def _cooling(totals: Totals, room: Room, catalog: Catalog) -> Check:
    have, heat = room.need.cooling_kw, totals.heat_kw
    figures = ("site.cooling_kw",) if totals.cooling_kw is not None else ()
    if have is None or heat is None:
        code = "cooling_capacity.no_heat" if heat is None else ""
        return made("cooling_capacity", "unknown", totals.cooling_kw, have, "kW", code=code, figures=figures)
    warn, fail = (rule_number(catalog, "cooling_capacity", key) for key in ("warn", "fail"))
    arguments = (("heat", heat),)
    status = at_least(have, heat, warn, fail)
    return made("cooling_capacity", status, totals.cooling_kw, have, "kW", arguments=arguments, figures=figures)


def _cooling_redundancy(room: Room) -> Check:
    kind = room.need.cooling_redundancy
    status: Status = "unknown" if kind is None else "warn" if kind == "N" else "pass"
    return made("cooling_redundancy", status, arguments=(("kind", kind),))


def _inlet(room: Room, platform: Platform, catalog: Catalog) -> Check:
    celsius, most, least = room.need.supply_temperature_c, platform.inlet_max_c, platform.inlet_min_c
    if celsius is None or most is None:
        code = "" if celsius is None else "inlet_temperature.no_limit"
        return made("inlet_temperature", "unknown", celsius, most, "°C", code=code)
    high, low = (rule_number(catalog, "inlet_temperature", key) for key in ("high", "low"))
    outside = celsius > most or (least is not None and celsius < least)
    status: Status = "fail" if outside else "warn" if celsius > high or celsius < low else "pass"
    return made("inlet_temperature", status, celsius, most, "°C")


def _route(room: Room, platform: Platform, catalog: Catalog) -> Check:
    """The smallest opening and the lift against the biggest thing carried: a rack, and the heaviest piece."""
    judged = [check for check in (_door(room, catalog), _lift(room, platform, catalog)) if check is not None]
    if not judged:
        return made("delivery_route", "unknown", room.rack.width_mm, None, "mm")
    return max(judged, key=lambda check: SEVERITY[check.status])


def _door(room: Room, catalog: Catalog) -> Check | None:
    door, rack = room.need.door_mm, room.rack
    if door is None:
        return None
    wide, high = (rule_number(catalog, "delivery_route", key) for key in ("wide_mm", "high_mm"))
    through = room.disassembled or passes_opening((rack.width_mm, rack.depth_mm, rack.height_mm), door)
    narrow = not room.disassembled and (door[0] < wide or door[1] < high)
    status: Status = "fail" if not through else "warn" if narrow else "pass"
    short = door[1] < rack.height_mm
    need, have = (rack.height_mm, door[1]) if short else (rack.width_mm, door[0])
    return made("delivery_route", status, need, have, "mm", "door")


def _lift(room: Room, platform: Platform, catalog: Catalog) -> Check | None:
    kg, cabin, rack = room.need.lift_kg, room.need.lift_mm, room.rack
    if kg is None and cabin is None:
        return None
    if cabin is not None and not room.disassembled and not fits_cabin(_size(room), cabin):
        return made("delivery_route", "fail", *_too_long(_size(room), cabin), "mm", "lift")
    if kg is None:
        return made("delivery_route", "pass", rack.height_mm, cabin[2] if cabin else None, "mm", "lift")
    if platform.weight_kg is None:
        return made("delivery_route", "unknown", None, kg, "kg", "lift", "delivery_route.no_weight")
    rack_kg = Decimal(0) if room.disassembled else rack.weight_kg or Decimal(0)
    need = max(platform.weight_kg, rack_kg) + rule_number(catalog, "delivery_route", "pallet_kg")
    return made("delivery_route", "fail" if need > kg else "pass", need, kg, "kg", "lift")


def _too_long(item: tuple[int, int, int], cabin: tuple[int, int, int]) -> tuple[int, int]:
    """The side that does not fit, and what the cabin has for it: height, else the longer one, else the shorter."""
    ground = zip(sorted(item[:2], reverse=True), sorted(cabin[:2], reverse=True), strict=True)
    sides = ((item[2], cabin[2]), *ground)
    return next((side, free) for side, free in sides if side > free)


def _size(room: Room) -> tuple[int, int, int]:
    return room.rack.width_mm, room.rack.depth_mm, room.rack.height_mm
