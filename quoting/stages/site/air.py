"""The proof of the air a room must supply, and of what coolant takes off it."""

from __future__ import annotations

from decimal import Decimal

from quoting.figure import Ledger
from quoting.parts import Platform
from quoting.rows import Catalog
from quoting.stages.leaves import form_leaf, rule_leaf
from quoting.stages.site.heat import BTU_H, FLOW_BY_RULE, LIQUID_KW, PRESSURE, RESIDUAL, SUPPLY_AIR, TONS
from quoting.stages.site.room import Room


def write_air(heat: Decimal | None, room: Room, platform: Platform, catalog: Catalog, ledger: Ledger) -> None:
    """Write down the heat in BTU/h and refrigeration tons, the air at the room's height, and the coolant where the
    servers take one; nothing where the heat is unknown."""
    if heat is None:
        return
    ledger.formula("site.heat_btu_h", "BTU/h", BTU_H, kw="site.heat_kw")
    ledger.formula("site.heat_tons", "RT", TONS, kw="site.heat_kw")
    ledger.formula("site.air_pressure", "share", PRESSURE, metres=_height(room, catalog, ledger))
    by_air = _liquid(room, platform, catalog, ledger)
    cfm = rule_leaf(ledger, catalog, "site.air", "supply_cfm_kw")
    ledger.formula("site.airflow_cfm", "CFM", SUPPLY_AIR, kw=by_air, cfm=cfm, pressure="site.air_pressure")


def _height(room: Room, catalog: Catalog, ledger: Ledger) -> str:
    metres = room.need.altitude_m
    if metres is None:
        return rule_leaf(ledger, catalog, "site.air", "altitude_m")
    return form_leaf(ledger, "site.altitude", metres, "m")


def _liquid(room: Room, platform: Platform, catalog: Catalog, ledger: Ledger) -> str:
    """Id of the heat that is left to the air."""
    if not (platform.liquid and room.need.liquid_ready):
        return "site.heat_kw"
    share = rule_leaf(ledger, catalog, "site.liquid", "share")
    litres = rule_leaf(ledger, catalog, "site.liquid", "flow_l_min_kw")
    ledger.formula("site.liquid_kw", "kW", LIQUID_KW, kw="site.heat_kw", share=share)
    ledger.formula("site.liquid_l_min", "L/min", FLOW_BY_RULE, kw="site.liquid_kw", litres=litres)
    ledger.formula("site.residual_air_kw", "kW", RESIDUAL, kw="site.heat_kw", share=share)
    return "site.residual_air_kw"
