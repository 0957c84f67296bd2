"""A workstation beside a desk: no rack, one socket; only what the form says of the room is judged."""

from __future__ import annotations

from decimal import Decimal

from quoting.figure import Ledger
from quoting.parts import Platform
from quoting.records import Bom, Check, Site
from quoting.rows import Catalog
from quoting.stages.leaves import form_leaf, part_leaf, rule_number
from quoting.stages.site.devices import Device
from quoting.stages.site.layout import TIMES
from quoting.stages.site.lines import desk_lines
from quoting.stages.site.load import KILOWATTS, STATED
from quoting.stages.site.room import Room, amps_kw, pdus
from quoting.stages.site.room_checks import Totals, needs, room_checks
from quoting.stages.site.verdict import at_most, made

_ONLY = ("ups_capacity", "ups_runtime", "cooling_capacity", "inlet_temperature", "transformer", "cooling_redundancy")


def workstation_site(device: Device, room: Room, platform: Platform, catalog: Catalog, bom: Bom) -> Site:
    """Power, heat and the checks of workstations; a question the form does not raise is not asked at a desk."""
    ledger = Ledger(bom.figures)
    power = _power(device, ledger)
    heat = ledger.formula("site.heat_kw", "kW", "power", power="site.power_kw") if power is not None else None
    weight = _weight(device, ledger)
    ups, cooling, pue = needs(power, heat, catalog, ledger)
    totals = Totals(racks=0, power_kw=power, heat_kw=heat, weight_kg=weight, cooling_kw=cooling, ups_kva=ups, pue=pue)
    asked = room_checks(totals, room, platform, catalog, ledger)
    return Site(
        racks=(),
        checks=(
            _socket(device, room, catalog),
            *(check for check in asked if check.id in _ONLY and check.status != "unknown"),
        ),
        lines=desk_lines(device.count, catalog),
        remedies=(),
        power_kw=power,
        heat_kw=heat,
        cooling_kw=cooling,
        ups_kva=ups,
        weight_kg=weight,
        pue=pue,
        figures=ledger.figures(),
    )


def _power(device: Device, ledger: Ledger) -> Decimal | None:
    if device.power_kw is None:
        return None
    if device.stated_kw:
        stated = form_leaf(ledger, "hardware.power", device.power_kw, "kW")
        return ledger.formula("site.power_kw", "kW", STATED, count="bom.nodes", kw=stated)
    watts = part_leaf(ledger, device.part, "power_w", "W")
    return ledger.formula("site.power_kw", "kW", KILOWATTS, count="bom.nodes", watts=watts)


def _weight(device: Device, ledger: Ledger) -> Decimal | None:
    if device.weight_kg is None:
        return None
    each = part_leaf(ledger, device.part, "weight_kg", "kg")
    return ledger.formula("site.weight_kg", "kg", TIMES, count="bom.nodes", each=each)


def _socket(device: Device, room: Room, catalog: Catalog) -> Check:
    """One workstation on one circuit: the form's, else the smallest of the house, an ordinary socket circuit."""
    small = pdus(catalog)[:1]
    full = room.side_full_kw or next((amps_kw(pdu.phases, Decimal(pdu.amps), catalog) for pdu in small), None)
    if device.power_kw is None or full is None:
        return made("circuit_80pct", "unknown", device.power_kw, full, "kW", "W01")
    warn, fail = (rule_number(catalog, "circuit_80pct", key) for key in ("warn", "fail"))
    status = at_most(device.power_kw, full, warn, fail)
    arguments = (("share", device.power_kw / full), ("rating", full), ("circuits", 1))
    return made("circuit_80pct", status, device.power_kw, full * fail, "kW", "W01", arguments=arguments)
