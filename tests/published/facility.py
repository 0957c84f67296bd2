"""Published rows of power, heat, floor, cost of ownership and cluster networks, and the call that answers each.

``power_cases.csv`` gives the inputs of a row as text; the numbers in it, in the order they stand, are what the
product's function is called with. Three transfers are told here: loads written "4 x 10.2 kW + 2 x 1.72 kW" become the
contents of a rack, a share becomes a factor, and a row that builds on another formula gets its input from that formula.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from published.rows import Call, Row

from quoting.catalog import load_catalog
from quoting.parts import Part
from quoting.stages import fabric, ownership
from quoting.stages.leaves import rule_curve
from quoting.stages.site import floor, heat, packing, power
from quoting.stages.site.devices import Device

HERE = Path(__file__).resolve().parent
D = Decimal
ONE = Decimal(1)
SUPPORTED = frozenset({64, 128, 144})
THOUSANDTH = D("0.001")  # the table prints W and VA, the functions answer kW and kVA

_NUMBER = re.compile(r"(?<![A-Za-z\d.])\d+(?:\.\d+)?")
_LOAD = re.compile(r"(\d+) x (\d+(?:\.\d+)?)")


def numbers(text: str) -> list[Decimal]:
    """The numbers of an inputs text; digits in a unit or a name (m3, H100) are none."""
    return [D(found) for found in _NUMBER.findall(text)]


def _device(amount: Decimal, field: str) -> Device:
    known = {"units": None, "power_kw": None, "heat_kw": None, "weight_kg": None} | {field: amount}
    part = Part(sku=f"{field}-{amount}", category="node", name_zh="", name_en="")
    return Device(part=part, label="N", count=1, supplies=None, **known)


def contents(text: str, field: str) -> packing.Contents:
    """What stands in a rack: "4 x 10.2 kW + 2 x 1.72 kW"."""
    return tuple((_device(D(each), field), int(count)) for count, each in _LOAD.findall(text))


Maker = Callable[[str], Call]


def plain(function: Callable[..., Any], names: str, per: Decimal = ONE) -> Maker:
    """Call with the numbers of the text under these names."""

    def make(text: str) -> Call:
        return Call(function=function, inputs=dict(zip(names.split(), numbers(text), strict=True)), per=per)

    return make


def rack(per: Decimal = ONE) -> Maker:
    """The power of a rack with these contents."""
    return lambda text: Call(function=packing.power_of, inputs={"contents": contents(text, "power_kw")}, per=per)


def _units(text: str) -> Call:
    return Call(function=packing.units_of, inputs={"contents": contents(text.replace(" U", ""), "units")})


def _derated(text: str) -> Call:
    rating, *shares = numbers(text)
    return Call(function=power.derated_amps, inputs={"rating": rating, "shares": shares})


def _efficiency(text: str) -> Call:
    curve = rule_curve(load_catalog(), "site.supply", "titanium")
    return Call(function=power.supply_efficiency, inputs={"curve": curve, "share": numbers(text)[0]})


def _supplies(text: str) -> Call:
    alive, each = numbers(text)
    return Call(function=power.supplies_kw, inputs={"alive": int(alive), "each_kw": each})


def _ups_loaded(text: str) -> Call:
    load, share, factor = numbers(text)
    return Call(function=power.ups_kva, inputs={"load_kw": load, "factor": 1 / share, "power_factor": factor})


def _ups_without_factor(text: str) -> Call:
    kw, factor = numbers(text)
    return Call(function=power.apparent_kva, inputs={"kw": kw, "power_factor": factor}, per=THOUSANDTH)


def _transformer(text: str) -> Call:
    load, pue, existing, kva, factor = numbers(text)
    inputs = {"facility_kw": power.facility_kw(load, pue), "existing_kva": existing, "kva": kva}
    return Call(function=power.transformer_share, inputs={**inputs, "power_factor": factor})


def _floor(function: Callable[..., Decimal], *names: str) -> Maker:
    def make(text: str) -> Call:
        empty, count, each, accessories, *sides = numbers(text)
        weight = floor.rack_weight(empty, count * each, accessories)
        inputs = {"weight_kg": weight, **dict(zip(names, sides, strict=True))}
        return Call(function=function, inputs=inputs, read=floor.kn_per_m2)

    return make


def _valve(text: str) -> Call:
    flow, drop = numbers(text)
    return Call(function=heat.valve_cv, inputs={"kv": heat.valve_kv(flow, drop)})


def _area(text: str) -> Call:
    area, each = numbers(text)
    return Call(function=heat.kw_of_kcal, inputs={"kcal": area * each})


def _switches(text: str) -> Call:
    nodes, rails, radix = map(int, numbers(text))
    inputs = {"nodes": nodes, "rails": rails, "radix": radix, "supported": SUPPORTED}
    return Call(function=fabric.count_fabric, inputs=inputs, read=lambda answer: answer.switches)


def _rent_total(text: str) -> Decimal:
    cards, years, hours, rent, share = numbers(text)[:5]
    return ownership.rent_paid(cards, years * hours, rent, share)


def _rented(text: str) -> Call:
    cards, years, hours, rent, share = numbers(text)
    inputs = {"cards": cards, "hours": years * hours, "rent": rent, "utilisation": share}
    return Call(function=ownership.rent_paid, inputs=inputs)


def _saved(text: str) -> Call:
    *_, capex, running = numbers(text)
    inputs = {"rent_total": _rent_total(text), "capex": capex, "opex_total": running}
    return Call(function=ownership.saving, inputs=inputs)


def _break_even(text: str) -> Call:
    cards, years, hours, rent, capex, running = numbers(text)
    inputs = {"own_total": capex + running, "cards": cards, "hours": years * hours, "rent": rent}
    return Call(function=ownership.break_even_utilisation, inputs=inputs)


def _present(text: str) -> Call:
    _, years, *_, capex, running, rate = numbers(text)
    yearly = (_rent_total(text) - running) / years
    inputs = {"capex": capex, "saving_year": yearly, "years": years, "rate": rate}
    return Call(function=ownership.present_value, inputs=inputs)


_AIR = "kw rise_f btu_per_cfm_f"
_RISE = "kw cfm btu_per_cfm_f"
_FULL = "phases amps volts"
_UPS = "load_kw factor power_factor"
_LIQUID = "kw rise_c density heat_capacity"

MAKERS: dict[str, Maker] = {
    "H02": plain(heat.kw_of_btu, "btu"),
    "H03": plain(heat.btu_per_hour, "kw"),
    "H04": plain(heat.tons, "kw"),
    "H06": plain(heat.kcal_per_hour, "kw"),
    "H07": plain(heat.sensible_constant, "density_lb_ft3 heat_btu_lb_f"),
    "H08": plain(heat.btu_per_hour, "kw"),
    "A01": plain(heat.airflow_cfm, _AIR),
    "A02": plain(heat.airflow_cfm, _AIR),
    "A05": plain(heat.air_kw_per_m3h, "density heat_capacity"),
    "A06": plain(heat.air_rise_f, _RISE),
    "A07": plain(heat.air_rise_f, _RISE),
    "A08": plain(heat.air_rise_f, _RISE),
    "A09": plain(heat.supply_airflow_cfm, "kw cfm_per_kw"),
    "A12": plain(heat.at_altitude, "cfm pressure"),
    **dict.fromkeys(("R01", "R02", "R03", "R05", "R06", "R07", "R08", "R09", "R11", "R12", "U06"), rack()),
    "R15": plain(power.rack_share, "total racks"),
    "P01": plain(power.circuit_kva, _FULL),
    "P03": plain(power.circuit_kva, _FULL),
    **dict.fromkeys(("P02", "P04", "P05", "P08"), plain(power.circuit_usable_kva, f"{_FULL} share")),
    "P14": plain(power.circuit_usable_kva, f"{_FULL} share", THOUSANDTH),
    **dict.fromkeys(("P11", "P13"), plain(power.circuit_kw, f"{_FULL} power_factor", THOUSANDTH)),
    "P12": _derated,
    "P21": _derated,
    "P15": rack(THOUSANDTH),
    "P16": plain(power.bank_kva, "banks amps volts", THOUSANDTH),
    "P18": plain(power.line_to_phase_amps, "line_amps"),
    "P22": plain(power.pdu_count, "racks feeds sides"),
    "E01": _efficiency,
    "E03": _supplies,
    "E04": _supplies,
    "U01": _ups_without_factor,
    "U03": _ups_loaded,
    "U04": plain(power.battery_amps, "kva power_factor efficiency volts"),
    "U05": plain(power.ups_kva, _UPS),
    "U08": plain(power.ups_kva, _UPS),
    "U09": plain(power.ups_kva, _UPS),
    "U10": plain(power.battery_ah, "amps hours margin efficiency alpha celsius"),
    "G01": plain(power.generator_kw, "load_kw factor"),
    "T02": _transformer,
    "T03": plain(power.transformer_room_kw, "kva existing_kva share power_factor"),
    "F02": plain(floor.kg_of_pounds, "pounds"),
    "F04": _floor(floor.footprint_load, "width_m", "depth_m"),
    "F05": _floor(floor.tributary_load, "width_m", "depth_m", "aisle_m"),
    "F06": plain(floor.kg_per_m2, "kn"),
    "F07": _units,
    "F08": _units,
    "L01": plain(heat.flow_by_rule, "kw litres_per_kw"),
    "L03": plain(heat.pipe_bore, "flow_m3_s velocity"),
    "L04": plain(heat.pipe_velocity, "flow_m3_s bore_m"),
    "L05": plain(heat.pump_w, "flow_m3_s pressure_pa efficiency"),
    "L07": _valve,
    "L09": plain(heat.liquid_flow, _LIQUID),
    "L10": plain(heat.liquid_flow, _LIQUID),
    "L12": plain(heat.condenser_kw, "kw cop"),
    "Q01": _area,
    "C02": plain(packing.racks_for, "count each"),
    "C03": _switches,
    "B02": _rented,
    "B03": _saved,
    "B04": _break_even,
    "B06": _present,
    "B07": plain(ownership.saving_that_pays, "capex months"),
    "B08": plain(ownership.energy_month, "power_kw load pue hours tariff"),
}


def table(name: str) -> list[dict[str, str]]:
    """A table of this folder, one dict a row."""
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _power_rows() -> Iterator[Row]:
    for row in table("power_cases.csv"):
        yield Row(
            id=row["id"],
            kind=row["domain"],
            expected=D(row["expected"]),
            op="abs",
            tolerance=D(row["tol"]),
            call=MAKERS[row["id"]](row["inputs"]),
        )


# --------------------------------------------------------------------------- networks

# The table writes two links of a pair as one cable: 800G cables of two planes, and 800G links of this guide.
_PAIRS = {"ASTER-64": 2}
_TWIN_CAGES = 4  # of an eight-card node, two ports to a cage


def _oracle(row: dict[str, str]) -> bool:
    return row["use_as_oracle"].startswith(("yes", "expected"))


def network(row: dict[str, str]) -> dict[str, Any]:
    """What ``count_fabric`` is called with for a row."""
    return {
        "nodes": int(row["nodes"]),
        "rails": int(row["gpus_per_node"]),
        "radix": int(row["radix"]),
        "supported": SUPPORTED,
        "extra_links": int(row["extra_leaf_ports"]),
        "redundant": row["id"].startswith("BASEPOD"),
        "planes": int(row["planes"]),
    }


def _counts(row: dict[str, str]) -> Callable[[fabric.Fabric], tuple[int, ...]]:
    def read(found: fabric.Fabric) -> tuple[int, ...]:
        pairs = _PAIRS.get(row["id"], found.planes)
        between = (found.peer_links or found.leaf_spine_links) // pairs
        cables = (found.node_links // found.planes, between, found.spine_core_links)
        plugs = (fabric.switch_transceivers(found, filled=True),) if row["switch_transceivers"] else ()
        return (found.leaf, found.spine, found.core, *cables, *plugs)

    return read


def _published(row: dict[str, str]) -> tuple[Decimal, ...]:
    columns = ("leaf", "spine", "core", "node_leaf_cables", "leaf_spine_cables", "spine_core_cables")
    plugs = (row["switch_transceivers"],) if row["switch_transceivers"] else ()
    return tuple(D(value) for value in (*(row[column] for column in columns), *plugs))


def _fabric_rows() -> Iterator[Row]:
    for row in filter(_oracle, table("fabric_cases.csv")):
        call = Call(function=fabric.count_fabric, inputs=network(row), read=_counts(row))
        yield Row(id=row["id"], kind="network", expected=_published(row), op="exact", call=call)
        if row["node_transceivers"]:
            yield _node_plugs(row)


def _node_plugs(row: dict[str, str]) -> Row:
    inputs = {"nodes": int(row["nodes"]), "rails": int(row["gpus_per_node"]), "cages": _TWIN_CAGES}
    call = Call(function=fabric.node_transceivers, inputs=inputs)
    return Row(
        id=f"{row['id']}-node-plugs", kind="network", expected=D(row["node_transceivers"]), op="exact", call=call
    )


@cache
def rows() -> list[Row]:
    """Every row of power, heat, floor, ownership and networks."""
    return [*_power_rows(), *_fabric_rows()]
