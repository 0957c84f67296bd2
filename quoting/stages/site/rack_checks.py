"""The checks of one rack: units, power, circuits, phases, redundancy, outlets, liquid, floor."""

from __future__ import annotations

from decimal import Decimal

from quoting.kinds import Status
from quoting.records import Check
from quoting.rows import Catalog
from quoting.stages.leaves import rule_number
from quoting.stages.site.devices import Device
from quoting.stages.site.load import Load
from quoting.stages.site.power import alive_after_feed_loss, balanced_phases, imbalance, phase_amps
from quoting.stages.site.room import Room
from quoting.stages.site.verdict import at_most, made


def rack_checks(load: Load, room: Room, catalog: Catalog) -> tuple[Check, ...]:
    """Every check of a rack in the order of the design's list."""
    return (
        _units(load, room, catalog),
        _power(load, room),
        _circuit(load, room, catalog),
        *_phases(load, room, catalog),
        *_failover(load, room, catalog),
        _outlets(load, room),
        _liquid(load, room, catalog),
        _floor(load, room),
        _point(load, room),
        _ratings(load, room),
    )


def _units(load: Load, room: Room, catalog: Catalog) -> Check:
    if load.units is None:
        return made("rack_units", "unknown", None, room.units, "U", load.id)
    status = at_most(Decimal(load.units), Decimal(room.units), rule_number(catalog, "rack_units", "warn"))
    return made("rack_units", status, load.units, room.units, "U", load.id)


def _power(load: Load, room: Room) -> Check:
    limit, figures = room.need.rack_power_kw, (load.figure("power_kw"),)
    if load.power_kw is None:
        return made("rack_power", "unknown", None, limit, "kW", load.id, code="rack_power.no_power")
    status: Status = "unknown" if limit is None else "fail" if load.power_kw > limit else "pass"
    return made("rack_power", status, load.power_kw, limit, "kW", load.id, figures=figures)


def side_load(load: Load, room: Room, catalog: Catalog) -> Decimal | None:
    """What one side of a rack carries when another is lost, with what hangs on it already; None: unknown."""
    if load.power_kw is None:
        return None
    return load.power_kw / survivors(room) + existing_kw(room, catalog)


def survivors(room: Room) -> int:
    """Feeds that share a rack when one is lost; one where the feeds are not known, to be on the safe side."""
    return max(1, room.sides - 1) if room.need.feeds else 1


def existing_kw(room: Room, catalog: Catalog) -> Decimal:
    """kW already on a side; when A fails, B takes what hung on A as well."""
    amps = room.need.existing_amps
    if not amps:
        return Decimal(0)
    phases = room.need.circuit.phases if room.need.circuit else 3
    volts, factor = (rule_number(catalog, "site.power", key) for key in ("phase_v", "power_factor"))
    return amps * volts * factor * phases * min(room.sides, 2) / 1000


def _circuit(load: Load, room: Room, catalog: Catalog) -> Check:
    needed, full = side_load(load, room, catalog), room.side_full_kw
    where = f"{load.id}/A"
    if needed is None or full is None:
        code = "circuit_80pct.no_power" if needed is None else ""
        return made("circuit_80pct", "unknown", needed, room.side_kw, "kW", where, code=code)
    warn, fail = (rule_number(catalog, "circuit_80pct", key) for key in ("warn", "fail"))
    share = (("share", needed / full), ("rating", full), ("circuits", room.circuits))
    figures = (load.figure("side_load_kw"), "site.side_kw")
    status = at_most(needed, full, warn, fail)
    return made("circuit_80pct", status, needed, room.side_kw, "kW", where, arguments=share, figures=figures)


def _phases(load: Load, room: Room, catalog: Catalog) -> tuple[Check, ...]:
    """Amperes on each phase of a three-phase side carrying the rack alone; single-phase circuits have nothing to
    balance."""
    circuit, where, figures = room.need.circuit, f"{load.id}/A", (load.figure("power_kw"),)
    if circuit is None or load.power_kw is None:
        code = "phase_balance.no_power" if circuit else ""
        return (made("phase_balance", "unknown", unit="A", where=where, code=code),)
    if circuit.phases == 1 or circuit.kw is not None:
        return ()
    own = _phase_amps(load, room, catalog)
    if own is None:
        return (made("phase_balance", "unknown", unit="A", where=where, code="phase_balance.no_supplies"),)
    existing = (room.need.existing_amps or Decimal(0)) * min(room.sides, 2)
    loads = tuple(amps / room.circuits + existing for amps in own)
    fail, warn, matters = (rule_number(catalog, "phase_balance", key) for key in ("fail", "warn", "matters"))
    uneven = imbalance(loads) > warn and max(loads) > circuit.amps * matters
    status: Status = "fail" if max(loads) > circuit.amps * fail else "warn" if uneven else "pass"
    arguments = (("imbalance", imbalance(loads)), ("existing", existing))
    limit = circuit.amps * fail
    return (made("phase_balance", status, max(loads), limit, "A", where, arguments=arguments, figures=figures),)


def _phase_amps(load: Load, room: Room, catalog: Catalog) -> tuple[Decimal, ...] | None:
    volts, factor = (rule_number(catalog, "site.power", key) for key in ("phase_v", "power_factor"))
    plugs: list[Decimal] = []
    for device, count in load.contents:
        if device.supplies is None or device.power_kw is None:
            return None
        a_side = max(1, device.supplies // room.sides)
        plugs += [phase_amps(device.power_kw / (a_side * survivors(room)), volts, factor)] * (a_side * count)
    return balanced_phases(plugs)


def _failover(load: Load, room: Room, catalog: Catalog) -> tuple[Check, ...]:
    """Whether every node keeps the supplies it needs, and the surviving side its rating, when one feed is lost."""
    node = next((device for device, _ in load.contents if device.node), None)
    if node is None or node.supplies == 1:
        return ()
    if room.need.feeds is None or node.supplies is None or node.required is None:
        return (_not_judged(node, load, room),)
    if room.sides == 1:
        code = "redundancy_failover.single"
        return (made("redundancy_failover", "warn", node.required, 0, "PSU", load.id, code),)
    return (_survives(node, load, room, catalog),)


def _not_judged(node: Device, load: Load, room: Room) -> Check:
    """What is missing: the room's feeds, the number of supplies, or how many of them full load needs."""
    if room.need.feeds is None:
        code = ""
    else:
        code = f"redundancy_failover.{'no_supplies' if node.supplies is None else 'no_redundancy'}"
    alive = _alive(node, room) if node.supplies else None
    counted = (("count", node.supplies),)
    return made("redundancy_failover", "unknown", node.required, alive, "PSU", load.id, code, counted)


def _alive(node: Device, room: Room) -> int:
    return alive_after_feed_loss(node.supplies or 0, room.sides)


def _survives(node: Device, load: Load, room: Room, catalog: Catalog) -> Check:
    needed, full = side_load(load, room, catalog), room.side_full_kw
    if needed is not None and full is not None and needed > full:
        code = "redundancy_failover.overload"
        return made("redundancy_failover", "fail", needed, full, "kW", load.id, code=code)
    alive, required = _alive(node, room), node.required or 0
    status: Status = "fail" if alive < required else "warn" if _barely(node, alive, catalog) else "pass"
    return made("redundancy_failover", status, required, alive, "PSU", load.id)


def _barely(node: Device, alive: int, catalog: Catalog) -> bool:
    """Whether supplies of a stated power carry the node without the margin redundant ones should have."""
    if node.supply_kw is None or node.power_kw is None:
        return False
    return alive * node.supply_kw < node.power_kw * rule_number(catalog, "psu_headroom", "redundant_warn")


def _outlets(load: Load, room: Room) -> Check:
    known = all(device.supplies is not None and device.outlet for device, _ in load.contents)
    if not known or load.pdu is None:
        return made("pdu_outlets", "unknown", None, None, "piece", load.id)
    sides, each = room.sides, load.pdus_per_side
    short = [
        (kind, -(-need // sides), have * each)
        for kind, need, have in (("C13", load.c13, load.pdu.c13), ("C19", load.c19, load.pdu.c19))
    ]
    kind, need, have = min(short, key=lambda row: Decimal(row[2] - row[1]) / max(row[1], 1))
    status: Status = "fail" if need > have else "pass"
    return made("pdu_outlets", status, need, have, "piece", load.id, arguments=(("kind", kind), ("sides", sides)))


def _liquid(load: Load, room: Room, catalog: Catalog) -> Check:
    limit = rule_number(catalog, "liquid_cooling", "warn")
    needs = any(getattr(device.part, "liquid", False) for device, _ in load.contents)
    if needs and room.need.liquid_ready is not True:
        status: Status = "unknown" if room.need.liquid_ready is None else "fail"
        return made("liquid_cooling", status, load.power_kw, None, "kW", load.id, code=f"liquid_cooling.{status}")
    if load.power_kw is None:
        return made("liquid_cooling", "unknown", None, limit, "kW", load.id, "liquid_cooling.no_power")
    figures = (load.figure("power_kw"),)
    if load.power_kw > limit and room.need.liquid_ready:
        known, code = (("limit", limit),), "liquid_cooling.ready"
        return made("liquid_cooling", "pass", load.power_kw, None, "kW", load.id, code, known, figures)
    status = "warn" if load.power_kw > limit else "pass"
    return made("liquid_cooling", status, load.power_kw, limit, "kW", load.id, figures=figures)


def _floor(load: Load, room: Room) -> Check:
    rating, foot, around = room.need.floor_load_kg_m2, load.footprint_kg_m2, load.tributary_kg_m2
    figures = (load.figure("footprint_kg_m2"), load.figure("tributary_kg_m2")) if foot is not None else ()
    arguments = (("tributary", around), ("weight", load.weight_kg))
    if rating is None or foot is None or around is None:
        code = "floor_load.no_weight" if foot is None else ""
        return made("floor_load", "unknown", foot, rating, "kg/m²", load.id, code, arguments, figures)
    if around > rating:
        code = "floor_load.tributary"
        return made("floor_load", "fail", around, rating, "kg/m²", load.id, code, arguments, figures)
    status: Status = "pass" if foot <= rating else "warn" if room.need.spreader_frame else "fail"
    return made("floor_load", status, foot, rating, "kg/m²", load.id, arguments=arguments, figures=figures)


def _point(load: Load, room: Room) -> Check:
    limit, figures = room.need.floor_point_kg, (load.figure("foot_kg"),) if load.foot_kg is not None else ()
    if limit is None or load.foot_kg is None:
        code = "floor_point_load.no_weight" if load.foot_kg is None else ""
        return made("floor_point_load", "unknown", load.foot_kg, limit, "kg", load.id, code, figures=figures)
    over = load.foot_kg > limit
    status: Status = "pass" if not over else "warn" if room.need.spreader_frame else "fail"
    return made("floor_point_load", status, load.foot_kg, limit, "kg", load.id, figures=figures)


def _ratings(load: Load, room: Room) -> Check:
    """What stands in the rack against its static rating with a margin; above its rolling rating it moves empty."""
    needed, rated, rolling = load.contents_kg, load.rated_kg, room.rack.rolling_kg
    if needed is None or rated is None:
        code = "rack_load.no_weight" if needed is None else ""
        return made("rack_load", "unknown", needed, rated, "kg", load.id, code)
    arguments, figures = (("rolling", rolling),), (load.figure("contents_kg"), "site.rack.rated_kg")
    if needed > rated:
        return made("rack_load", "fail", needed, rated, "kg", load.id, arguments=arguments, figures=figures)
    if rolling is None:
        return made("rack_load", "unknown", needed, rated, "kg", load.id, "rack_load.no_rolling", figures=figures)
    status: Status = "warn" if needed > rolling else "pass"
    return made("rack_load", status, needed, rated, "kg", load.id, arguments=arguments, figures=figures)
