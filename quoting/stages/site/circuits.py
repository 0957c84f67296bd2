"""The proof of what a side of a rack carries: one circuit, all circuits of a side, the load on it, its share."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from quoting.figure import Ledger
from quoting.requirement import Circuit
from quoting.rows import Catalog
from quoting.stages.leaves import form_leaf, rule_leaf
from quoting.stages.site.load import Load
from quoting.stages.site.power import CIRCUIT_1P, CIRCUIT_3P, FEED_KW, USABLE
from quoting.stages.site.rack_checks import survivors
from quoting.stages.site.room import Room

SIDE = "circuits * each"
EXISTING = "amps * volts * power_factor * phases * sides / 1000"
SIDE_LOAD = "load / feeds + existing"
SHARE = "load / full"


def write_circuits(loads: Iterable[Load], room: Room, catalog: Catalog, ledger: Ledger) -> None:
    """Write down the figures behind ``circuit_80pct`` of every kind of rack; nothing where the circuit is unknown."""
    circuit = room.need.circuit
    if circuit is None:
        return
    each = _one_circuit(circuit, catalog, ledger)
    ledger.rule("site.circuits", Decimal(room.circuits), "piece", "circuit_80pct", "given")
    ledger.formula("site.side_full_kw", "kW", SIDE, circuits="site.circuits", each=each)
    share = rule_leaf(ledger, catalog, "circuit_80pct", "fail")
    ledger.formula("site.side_kw", "kW", USABLE, full="site.side_full_kw", share=share)
    existing = _existing(circuit, room, catalog, ledger)
    ledger.rule("site.surviving_feeds", Decimal(survivors(room)), "piece", "redundancy_failover", "one_feed_lost")
    for load in loads:
        if load.power_kw is not None:
            _one_rack(load, existing, ledger)


def _one_rack(load: Load, existing: str, ledger: Ledger) -> None:
    inputs = {"load": load.figure("power_kw"), "feeds": "site.surviving_feeds", "existing": existing}
    ledger.formula(load.figure("side_load_kw"), "kW", SIDE_LOAD, **inputs)
    side = {"load": load.figure("side_load_kw"), "full": "site.side_full_kw"}
    ledger.formula(load.figure("circuit_share"), "share", SHARE, **side)


def _one_circuit(circuit: Circuit, catalog: Catalog, ledger: Ledger) -> str:
    if circuit.kw is not None:
        return form_leaf(ledger, "site.circuit", circuit.kw, "kW")
    volts = rule_leaf(ledger, catalog, "site.power", "line_v" if circuit.phases == 3 else "phase_v")
    amps = form_leaf(ledger, "site.circuit", circuit.amps, "A")
    text = CIRCUIT_3P if circuit.phases == 3 else CIRCUIT_1P
    ledger.formula("site.circuit_kva", "kVA", text, volts=volts, amps=amps)
    factor = rule_leaf(ledger, catalog, "site.power", "power_factor")
    ledger.formula("site.circuit_kw", "kW", FEED_KW, kva="site.circuit_kva", power_factor=factor)
    return "site.circuit_kw"


def _existing(circuit: Circuit, room: Room, catalog: Catalog, ledger: Ledger) -> str:
    amps = form_leaf(ledger, "site.existing_load", room.need.existing_amps, "A")
    ledger.rule("site.circuit_phases", Decimal(circuit.phases), "piece", "circuit_80pct", "given")
    ledger.rule("site.sides_added", Decimal(min(room.sides, 2)), "piece", "redundancy_failover", "one_feed_lost")
    inputs = {"amps": amps, "phases": "site.circuit_phases", "sides": "site.sides_added"}
    volts, factor = (rule_leaf(ledger, catalog, "site.power", key) for key in ("phase_v", "power_factor"))
    ledger.formula("site.existing_kw", "kW", EXISTING, volts=volts, power_factor=factor, **inputs)
    return "site.existing_kw"
