"""The room as the plan sees it: what the form says, what remedies change, what each rack is fed with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal

from quoting.parts import Pdu, Platform, Rack
from quoting.requirement import Circuit, Requirement, SiteNeed
from quoting.rows import Catalog
from quoting.stages.leaves import rule_number
from quoting.stages.site.power import circuit_kw, usable

_PDUS = ("pdu_1p16a", "pdu_1p32a", "pdu_3p16a", "pdu_3p32a", "pdu_3p63a")


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """``need`` is the form's room with accepted remedies worked in."""

    need: SiteNeed
    rack: Rack
    units: int
    racks: int | None
    sides: int  # feeds that stand in for each other: 1 for N, 2 for A/B, 3 where the supplies ask for it
    circuits: int = 1  # on each side of a rack, where the circuit is known
    side_kw: Decimal | None = None  # what one side may carry for long, all its circuits; None: circuit unknown
    side_full_kw: Decimal | None = None  # the same, at its rating
    disassembled: bool = False


def room_of(requirement: Requirement, platform: Platform, catalog: Catalog) -> Room | None:
    """The room of a form; None when the catalogue names no rack."""
    rack = catalog.parts.get(catalog.terms.recipes.get("rack", ""))
    if not isinstance(rack, Rack):
        return None
    need = requirement.site
    room = Room(
        need=need,
        rack=rack,
        units=need.rack_units or rack.units,
        racks=need.racks,
        sides=planned_sides(need, platform),
    )
    return with_feeds(room, catalog)


def planned_sides(need: SiteNeed, platform: Platform) -> int:
    """Feeds to plan for: what the room has; where that is unknown, what the node's supplies ask for."""
    if need.feeds is not None:
        return 2 if need.feeds == "2N" else 1
    return best_sides(platform)


def best_sides(platform: Platform) -> int:
    """One feed for one supply, three for 4+2 supplies that two halves would starve, else two."""
    count, required = platform.psu_count, platform.psu_required
    if count == 1:
        return 1
    if count and required and count // 2 < required and count % 3 == 0 and count * 2 // 3 >= required:
        return 3
    return 2


def with_feeds(room: Room, catalog: Catalog) -> Room:
    """The room with what one side of a rack carries worked out from its circuit."""
    full = circuit_full_kw(room.need, catalog)
    if full is None:
        return replace(room, side_kw=None, side_full_kw=None)
    full *= room.circuits
    return replace(room, side_full_kw=full, side_kw=usable(full, rule_number(catalog, "circuit_80pct", "fail")))


def circuit_full_kw(need: SiteNeed, catalog: Catalog) -> Decimal | None:
    """kW of one circuit at its rating; None when unknown."""
    circuit = need.circuit
    if circuit is None:
        return None
    if circuit.kw is not None:
        return circuit.kw
    return amps_kw(circuit.phases, circuit.amps, catalog)


def amps_kw(phases: int, amps: Decimal, catalog: Catalog) -> Decimal:
    """kW of a circuit at China's nominal voltage and the planning power factor."""
    volts = rule_number(catalog, "site.power", "line_v" if phases == 3 else "phase_v")
    return circuit_kw(phases, amps, volts, rule_number(catalog, "site.power", "power_factor"))


def pdus(catalog: Catalog) -> tuple[Pdu, ...]:
    """The PDUs of the house, small ones first."""
    found = (catalog.parts.get(catalog.terms.recipes.get(role, "")) for role in _PDUS)
    return tuple(part for part in found if isinstance(part, Pdu))


def pdu_for(room: Room, load_kw: Decimal | None, c13: int, c19: int, catalog: Catalog) -> tuple[Pdu | None, int]:
    """The PDU of one side of a rack and how many: by the circuit there is, else the smallest that does it alone."""
    known = pdus(catalog)
    circuit = room.need.circuit
    if circuit is not None:
        same = [pdu for pdu in known if _takes(pdu, circuit, catalog)]
        return (same or list(known) or [None])[0], room.circuits  # type: ignore[list-item]
    share = rule_number(catalog, "circuit_80pct", "fail")
    for pdu in known:
        carries = load_kw is None or amps_kw(pdu.phases, Decimal(pdu.amps), catalog) * share >= load_kw
        if carries and pdu.c13 >= c13 and pdu.c19 >= c19:
            return pdu, 1
    return (known[-1] if known else None), _several(known, load_kw, (c13, c19), share, catalog)


def _takes(pdu: Pdu, circuit: Circuit, catalog: Catalog) -> bool:
    """Whether a PDU can be fed by a circuit and use all of it."""
    if circuit.kw is not None:
        return amps_kw(pdu.phases, Decimal(pdu.amps), catalog) >= circuit.kw
    return pdu.phases == circuit.phases and pdu.amps >= circuit.amps


def _several(
    known: tuple[Pdu, ...], load_kw: Decimal | None, plugs: tuple[int, int], share: Decimal, catalog: Catalog
) -> int:
    """How many of the largest PDU carry the load and have the outlets."""
    if not known:
        return 1
    largest = known[-1]
    each = amps_kw(largest.phases, Decimal(largest.amps), catalog) * share
    by_outlets = (-(-need // have) for need, have in zip(plugs, (largest.c13, largest.c19), strict=True) if have)
    return max(1, *by_outlets, 0 if load_kw is None else -int(-load_kw // each))


def outlets_there(room: Room, kind: str, catalog: Catalog) -> int | None:
    """Outlets of a kind on all sides of a rack whose circuits are given; None where they are not: PDUs are added."""
    if room.need.circuit is None:
        return None
    pdu, count = pdu_for(room, None, 0, 0, catalog)
    return None if pdu is None else (pdu.c13 if kind == "C13" else pdu.c19) * count * room.sides
