"""Formulas of electrical power: circuits, supplies, UPS, battery, generator, transformer.

Every function answers one question from Decimals; the texts are what is evaluated and printed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from math import ceil

from quoting.figure import evaluate

CIRCUIT_1P = "volts * amps / 1000"
CIRCUIT_3P = "3 ** 0.5 * volts * amps / 1000"
FEED_KW = "kva * power_factor"
USABLE = "full * share"
FEEDS = "ceil(load / usable)"
PHASE_AMPS = "load * 1000 / (volts * power_factor)"
AC_KW = "dc / efficiency"
UPS_KVA = "factor * load / power_factor"
BATTERY_WH = "load * 1000 * minutes / 60 / (efficiency * usable)"
BATTERY_AH = "margin * amps * hours / (efficiency * (1 + alpha * (celsius - 25)))"
BATTERY_AMPS = "kva * 1000 * power_factor / (efficiency * volts)"
GENERATOR_KW = "factor * load"
TRANSFORMER = "(facility / power_factor + existing) / kva"
TRANSFORMER_ROOM = "(share * kva - existing) * power_factor"
FACILITY_KW = "load * pue"
KVA_OF_KW = "kw / power_factor"
PDUS = "racks * feeds * sides"


def circuit_kva(phases: int, amps: Decimal, volts: Decimal) -> Decimal:
    """Full apparent power of a circuit in kVA: ``volts`` line to line for three phases, to neutral for one."""
    return evaluate(CIRCUIT_3P if phases == 3 else CIRCUIT_1P, {"volts": volts, "amps": amps})


def usable(full: Decimal, share: Decimal) -> Decimal:
    """What may be loaded for long, in the unit of ``full``; the trade takes 80 %."""
    return evaluate(USABLE, {"full": full, "share": share})


def feed_kw(kva: Decimal, power_factor: Decimal) -> Decimal:
    """Real power in kW of an apparent power."""
    return evaluate(FEED_KW, {"kva": kva, "power_factor": power_factor})


def circuit_usable_kva(phases: int, amps: Decimal, volts: Decimal, share: Decimal) -> Decimal:
    """Apparent power in kVA a circuit may carry for long."""
    return usable(circuit_kva(phases, amps, volts), share)


def circuit_kw(phases: int, amps: Decimal, volts: Decimal, power_factor: Decimal) -> Decimal:
    """Real power in kW of a circuit at its rating."""
    return feed_kw(circuit_kva(phases, amps, volts), power_factor)


def apparent_kva(kw: Decimal, power_factor: Decimal) -> Decimal:
    """Apparent power in kVA of a real power in kW; of a generator too, whose power factor is 0.8."""
    return evaluate(KVA_OF_KW, {"kw": kw, "power_factor": power_factor})


def rack_share(total: Decimal, racks: int) -> Decimal:
    """What one rack has of a total on average, in the unit of ``total``."""
    return evaluate("total / racks", {"total": total, "racks": racks})


def feeds_per_side(load_kw: Decimal, usable_kw: Decimal) -> int:
    """Feeds one side needs to carry ``load_kw`` alone; ``usable_kw`` is after the 80 %."""
    return int(evaluate(FEEDS, {"load": load_kw, "usable": usable_kw}))


def phase_amps(load_kw: Decimal, phase_v: Decimal, power_factor: Decimal) -> Decimal:
    """Amperes a single-phase load draws from one phase."""
    return evaluate(PHASE_AMPS, {"load": load_kw, "volts": phase_v, "power_factor": power_factor})


def line_to_phase_amps(line_amps: Decimal) -> Decimal:
    """Amperes in one outlet bank of a delta-connected unit whose line carries ``line_amps``."""
    return evaluate("line / 3 ** 0.5", {"line": line_amps})


def bank_kva(banks: int, amps: Decimal, volts: Decimal) -> Decimal:
    """Apparent power in kVA of outlet banks, each on its own breaker."""
    return evaluate("banks * volts * amps / 1000", {"banks": banks, "amps": amps, "volts": volts})


def pdu_count(racks: int, feeds: int, sides: int) -> int:
    """PDUs of equal racks: one for every feed of every side."""
    return int(evaluate(PDUS, {"racks": racks, "feeds": feeds, "sides": sides}))


def derated_amps(rating: Decimal, shares: Sequence[Decimal]) -> Decimal:
    """A rating after one share for continuous load, another for heat, and so on."""
    for share in shares:
        rating = evaluate(USABLE, {"full": rating, "share": share})
    return rating


def ac_kw(dc_kw: Decimal, efficiency: Decimal) -> Decimal:
    """AC input of a supply. Not for a maker's figure that is AC input already."""
    return evaluate(AC_KW, {"dc": dc_kw, "efficiency": efficiency})


def supply_efficiency(curve: Mapping[Decimal, Decimal], share: Decimal) -> Decimal:
    """Efficiency of a supply at a share of its rating, straight between the points of its class's curve.

    Below the first point and above the last it is theirs. The curves are rows ``supply.<class>`` of the rules.
    """
    points = sorted(curve.items())
    if share <= points[0][0]:
        return points[0][1]
    for (low, a), (high, b) in pairwise(points):
        if share <= high:
            return evaluate(
                "a + (b - a) * (at - low) / (high - low)", {"a": a, "b": b, "at": share, "low": low, "high": high}
            )
    return points[-1][1]


def supplies_kw(alive: int, each_kw: Decimal) -> Decimal:
    """What the supplies still alive can give."""
    return evaluate("alive * each", {"alive": alive, "each": each_kw})


def alive_after_feed_loss(count: int, sides: int) -> int:
    """Supplies alive when one of ``sides`` feeds is lost and they are spread evenly; the fuller side is lost."""
    return count - ceil(count / sides)


def ups_kva(load_kw: Decimal, factor: Decimal, power_factor: Decimal) -> Decimal:
    """Rated output of a UPS for ``load_kw``: 1.2 times by the electrical code."""
    return evaluate(UPS_KVA, {"load": load_kw, "factor": factor, "power_factor": power_factor})


def next_size(need: Decimal, sizes: Sequence[Decimal]) -> Decimal | None:
    """The smallest size on sale that covers ``need``; None when none does."""
    return min((size for size in sizes if size >= need), default=None)


def modules(need: Decimal, each: Decimal, redundant: int = 0) -> int:
    """Units of ``each`` that carry ``need``, and ``redundant`` more."""
    return int(evaluate("ceil(need / each)", {"need": need, "each": each})) + redundant


def battery_wh(load_kw: Decimal, minutes: Decimal, efficiency: Decimal, usable_share: Decimal) -> Decimal:
    """Energy of a battery that carries ``load_kw`` for ``minutes``, in watt hours."""
    inputs = {"load": load_kw, "minutes": minutes, "efficiency": efficiency, "usable": usable_share}
    return evaluate(BATTERY_WH, inputs)


def battery_ah(
    amps: Decimal, hours: Decimal, margin: Decimal, efficiency: Decimal, alpha: Decimal, celsius: Decimal
) -> Decimal:
    """Battery capacity Q = K I T / (eta (1 + alpha (t - 25))) of the Chinese code, in Ah."""
    inputs = {"margin": margin, "amps": amps, "hours": hours, "efficiency": efficiency, "alpha": alpha}
    return evaluate(BATTERY_AH, {**inputs, "celsius": celsius})


def battery_amps(kva: Decimal, power_factor: Decimal, efficiency: Decimal, volts: Decimal) -> Decimal:
    """Discharge current of a UPS's battery at ``volts``."""
    return evaluate(BATTERY_AMPS, {"kva": kva, "power_factor": power_factor, "efficiency": efficiency, "volts": volts})


def generator_kw(load_kw: Decimal, factor: Decimal) -> Decimal:
    """Output of a generator for a rated load."""
    return evaluate(GENERATOR_KW, {"load": load_kw, "factor": factor})


def fuel_litres(load_kw: Decimal, hours: Decimal, litres_per_kwh: Decimal) -> Decimal:
    """Fuel a generator burns in ``hours`` at ``load_kw``, in litres."""
    return evaluate("load * hours * litres", {"load": load_kw, "hours": hours, "litres": litres_per_kwh})


def transformer_amps(kva: Decimal, line_v: Decimal) -> Decimal:
    """Amperes on each line of a three-phase transformer's low-voltage side at its rating."""
    return evaluate("kva * 1000 / (3 ** 0.5 * volts)", {"kva": kva, "volts": line_v})


def transformer_share(facility_kw: Decimal, existing_kva: Decimal, kva: Decimal, power_factor: Decimal) -> Decimal:
    """Load rate of a transformer with this load added."""
    inputs = {"facility": facility_kw, "existing": existing_kva, "kva": kva, "power_factor": power_factor}
    return evaluate(TRANSFORMER, inputs)


def transformer_room_kw(kva: Decimal, existing_kva: Decimal, share: Decimal, power_factor: Decimal) -> Decimal:
    """Facility power in kW, cooling included, that still fits on a transformer loaded to ``share``."""
    inputs = {"kva": kva, "existing": existing_kva, "share": share, "power_factor": power_factor}
    return evaluate(TRANSFORMER_ROOM, inputs)


def usage_effectiveness(facility_kw: Decimal, load_kw: Decimal) -> Decimal:
    """PUE: power of the facility over that of the IT load."""
    return evaluate("facility / load", {"facility": facility_kw, "load": load_kw})


def facility_kw(load_kw: Decimal, pue: Decimal) -> Decimal:
    """Power of the facility for an IT load."""
    return evaluate(FACILITY_KW, {"load": load_kw, "pue": pue})


def phase_loads(supplies: int, each: Decimal, phases: int = 3, first: int = 0) -> tuple[Decimal, ...]:
    """Load on each phase when supply i hangs on phase (first + i) modulo ``phases``; the unit is that of ``each``."""
    counts = [0] * phases
    for phase in range(phases):
        counts[(first + phase) % phases] = (supplies - phase + phases - 1) // phases
    return tuple(count * each for count in counts)


def balanced_phases(plugs: Sequence[Decimal], phases: int = 3) -> tuple[Decimal, ...]:
    """Load on each phase when plugs are spread by hand: the biggest first, each to the phase that carries least."""
    loads = [Decimal(0)] * phases
    for plug in sorted(plugs, reverse=True):
        loads[loads.index(min(loads))] += plug
    return tuple(loads)


def imbalance(loads: Sequence[Decimal]) -> Decimal:
    """How far the fullest phase is above the average: 0.15 is fifteen per cent."""
    total = sum(loads, Decimal(0))
    return max(loads) * len(loads) / total - 1 if total else Decimal(0)
