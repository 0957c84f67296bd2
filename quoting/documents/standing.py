"""What a check stands on: who must supply the datum it lacks, and whether a power figure behind it was verified."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from quoting.figure import Figure
from quoting.records import Check
from quoting.rows import Catalog

Waits = Literal["", "customer", "maker"]
# What the maker of the server must say: the customer, where the server is the customer's own.
OF_THE_SERVER = frozenset(
    {
        *("vram_total.unknown", "per_card_memory.unknown", "throughput.unknown", "host_ram.unknown"),
        *("bf16_support.unknown", "fp8_support.unknown", "psu_headroom.unknown", "psu_headroom.no_redundancy"),
        *("rack_units.unknown", "rack_power.no_power", "circuit_80pct.no_power", "phase_balance.no_power"),
        *("phase_balance.no_supplies", "redundancy_failover.no_supplies", "redundancy_failover.no_redundancy"),
        *("pdu_outlets.unknown", "ups_capacity.no_power", "transformer.no_power", "cooling_capacity.no_heat"),
        *("inlet_temperature.no_limit", "liquid_cooling.no_power", "floor_load.no_weight"),
        *("floor_point_load.no_weight", "rack_load.no_weight", "delivery_route.no_weight"),
    }
)
# What we must find out ourselves, of the market, of a model or of what we add.
OF_THE_HOUSE = frozenset(
    {
        *("kv_cache_room.unknown", "long_context.unknown", "sharding.unknown", "export_control.unknown"),
        *("domestic_stack.unknown", "optics_form_factor.unknown", "optics_compatibility.unknown"),
        *("port_count.unknown", "cable_length.unknown", "storage.unknown", "rack_load.no_rolling"),
        *("rack_load.unknown", "budget.unknown", "price_age.unknown", "tier_band.unknown"),
    }
)
_POWER = ("power_w", "heat_w")


def waits_for(check: Check, owned: bool) -> Waits:
    """Whose answer a check waits for; ``owned``: the server is the customer's own. "" where it is judged."""
    if check.status != "unknown":
        return ""
    code = check.code or f"{check.id}.unknown"
    if code in OF_THE_SERVER:
        return "customer" if owned else "maker"
    return "maker" if code in OF_THE_HOUSE else "customer"


def rests_on_unverified_power(check: Check, figures: Mapping[str, Figure], catalog: Catalog) -> bool:
    """Whether the proof of a judged check leads to a power or heat figure that no document confirms."""
    if check.status == "unknown":
        return False
    todo, seen = [*check.figures], set[str]()
    while todo:
        id = todo.pop()
        figure = figures.get(id)
        if figure is None or id in seen:
            continue
        seen.add(id)
        if id.endswith(_POWER) and _is_unverified(figure.source, catalog):
            return True
        todo += [one for _, ref in figure.inputs for one in ((ref,) if isinstance(ref, str) else ref)]
    return False


def _is_unverified(source: str, catalog: Catalog) -> bool:
    return source in catalog.sources and catalog.sources[source].grade == "unverified"
