"""Formulas of heat, air and liquid. Unit conversions are in the texts; coefficients are arguments."""

from __future__ import annotations

from decimal import Decimal

from quoting.figure import evaluate

BTU_H = "kw * 3412.142"
KW_OF_BTU = "btu / 3412.142"
KCAL_H = "kw * 860"
TONS = "kw * 3412.142 / 12000"
COOLING = "heat * margin"
AIRFLOW_F = "kw * 3412.142 / (constant * rise)"
RISE_F = "kw * 3412.142 / (constant * cfm)"
AIRFLOW_M3H = "kw * 3600 / (density * heat_capacity * rise)"
FLOW = "60 * kw / (density * heat_capacity * rise)"
RISE_LIQUID = "60 * kw / (density * heat_capacity * flow)"
CONDENSER = "kw * (1 + 1 / cop)"
FLOW_BY_RULE = "kw * litres"
SUPPLY_AIR = "kw * cfm / pressure"
LIQUID_KW = "kw * share"
RESIDUAL = "kw * (1 - share)"
PRESSURE = "(1 - 0.0000225577 * metres) ** 5.25588"
_PI = "3.14159265358979"


def btu_per_hour(kw: Decimal) -> Decimal:
    """Heat in BTU/h of a power in kW."""
    return evaluate(BTU_H, {"kw": kw})


def kw_of_btu(btu: Decimal) -> Decimal:
    """Heat in kW of BTU/h."""
    return evaluate(KW_OF_BTU, {"btu": btu})


def kcal_per_hour(kw: Decimal) -> Decimal:
    """Heat in kcal/h, by the trade's factor of 860."""
    return evaluate(KCAL_H, {"kw": kw})


def kw_of_kcal(kcal: Decimal) -> Decimal:
    """Heat in kW of kcal/h."""
    return evaluate("kcal / 860", {"kcal": kcal})


def tons(kw: Decimal) -> Decimal:
    """Refrigeration tons of a heat in kW."""
    return evaluate(TONS, {"kw": kw})


def cooling_kw(heat_kw: Decimal, margin: Decimal) -> Decimal:
    """Cooling to install for a heat; ``margin`` 1.15 is fifteen per cent more."""
    return evaluate(COOLING, {"heat": heat_kw, "margin": margin})


def sensible_constant(density_lb_ft3: Decimal, heat_btu_lb_f: Decimal) -> Decimal:
    """BTU/h a CFM carries for each degree Fahrenheit."""
    return evaluate("60 * density * heat", {"density": density_lb_ft3, "heat": heat_btu_lb_f})


def airflow_cfm(kw: Decimal, rise_f: Decimal, btu_per_cfm_f: Decimal, pressure: Decimal = Decimal(1)) -> Decimal:
    """Air in CFM that carries ``kw`` away at a rise in Fahrenheit; ``pressure`` is a share of sea level's."""
    return evaluate(AIRFLOW_F, {"kw": kw, "constant": btu_per_cfm_f, "rise": rise_f}) / pressure


def air_rise_f(kw: Decimal, cfm: Decimal, btu_per_cfm_f: Decimal) -> Decimal:
    """Rise in Fahrenheit of ``cfm`` of air that takes up ``kw``."""
    return evaluate(RISE_F, {"kw": kw, "constant": btu_per_cfm_f, "cfm": cfm})


def at_altitude(cfm: Decimal, pressure: Decimal) -> Decimal:
    """The same air mass where the pressure is a share of sea level's."""
    return evaluate("cfm / pressure", {"cfm": cfm, "pressure": pressure})


def airflow_m3h(kw: Decimal, rise_c: Decimal, density: Decimal, heat_capacity: Decimal) -> Decimal:
    """Air in m³/h for a rise in kelvin; density kg/m³, heat capacity kJ/(kg·K)."""
    return evaluate(AIRFLOW_M3H, {"kw": kw, "rise": rise_c, "density": density, "heat_capacity": heat_capacity})


def air_kw_per_m3h(density: Decimal, heat_capacity: Decimal) -> Decimal:
    """kW one m³/h of air carries for each kelvin."""
    return evaluate("density * heat_capacity / 3600", {"density": density, "heat_capacity": heat_capacity})


def air_rise_c(kw: Decimal, m3h: Decimal, density: Decimal, heat_capacity: Decimal) -> Decimal:
    """Rise in kelvin of an air flow in m³/h that takes up ``kw``; density kg/m³, heat capacity kJ/(kg·K)."""
    inputs = {"kw": kw, "flow": m3h, "density": density, "heat_capacity": heat_capacity}
    return evaluate("kw * 3600 / (density * heat_capacity * flow)", inputs)


def m3h_of_cfm(cfm: Decimal) -> Decimal:
    """Air in m³/h of CFM."""
    return evaluate("cfm * 1.69901", {"cfm": cfm})


def supply_airflow_cfm(kw: Decimal, cfm_per_kw: Decimal, pressure: Decimal = Decimal(1)) -> Decimal:
    """Air a room supplies by a rule of CFM for each kW; ``pressure`` is a share of sea level's."""
    return evaluate(SUPPLY_AIR, {"kw": kw, "cfm": cfm_per_kw, "pressure": pressure})


def pressure_share(metres: Decimal) -> Decimal:
    """Pressure of the air at a height as a share of sea level's, by the standard atmosphere (ISO 2533)."""
    return evaluate(PRESSURE, {"metres": metres})


def liquid_flow(kw: Decimal, rise_c: Decimal, density: Decimal, heat_capacity: Decimal) -> Decimal:
    """Coolant in L/min that carries ``kw`` at a rise in kelvin; density kg/L, heat capacity kJ/(kg·K)."""
    return evaluate(FLOW, {"kw": kw, "rise": rise_c, "density": density, "heat_capacity": heat_capacity})


def liquid_rise(kw: Decimal, flow_l_min: Decimal, density: Decimal, heat_capacity: Decimal) -> Decimal:
    """Rise in kelvin of a coolant flow that takes up ``kw``."""
    inputs = {"kw": kw, "flow": flow_l_min, "density": density, "heat_capacity": heat_capacity}
    return evaluate(RISE_LIQUID, inputs)


def residual_air_kw(kw: Decimal, liquid_share: Decimal) -> Decimal:
    """Heat the room's air still takes when the liquid takes a share."""
    return evaluate(RESIDUAL, {"kw": kw, "share": liquid_share})


def liquid_kw(kw: Decimal, liquid_share: Decimal) -> Decimal:
    """Heat in kW the liquid takes, and a coolant distribution unit must carry."""
    return evaluate(LIQUID_KW, {"kw": kw, "share": liquid_share})


def flow_by_rule(kw: Decimal, litres_per_kw: Decimal) -> Decimal:
    """Coolant in L/min by a rule of L/min for each kW; the open rack guideline's typical value is 1.5."""
    return evaluate(FLOW_BY_RULE, {"kw": kw, "litres": litres_per_kw})


def pipe_bore(flow_m3_s: Decimal, velocity: Decimal) -> Decimal:
    """Smallest inner diameter in metres for a velocity in m/s."""
    return evaluate(f"(4 * flow / ({_PI} * velocity)) ** 0.5", {"flow": flow_m3_s, "velocity": velocity})


def pipe_velocity(flow_m3_s: Decimal, bore_m: Decimal) -> Decimal:
    """Velocity in m/s in a pipe of a bore in metres."""
    return evaluate(f"4 * flow / ({_PI} * bore ** 2)", {"flow": flow_m3_s, "bore": bore_m})


def pump_w(flow_m3_s: Decimal, pressure_pa: Decimal, efficiency: Decimal) -> Decimal:
    """Input of a pump in watts."""
    inputs = {"flow": flow_m3_s, "pressure": pressure_pa, "efficiency": efficiency}
    return evaluate("flow * pressure / efficiency", inputs)


def condenser_kw(kw: Decimal, cop: Decimal) -> Decimal:
    """Heat a chiller of this coefficient of performance rejects."""
    return evaluate(CONDENSER, {"kw": kw, "cop": cop})


def valve_kv(flow_m3_s: Decimal, drop_pa: Decimal, gravity: Decimal = Decimal(1)) -> Decimal:
    """Flow factor Kv of a valve, m³/h at 1 bar, that passes a flow at a pressure drop in Pa; gravity is of water."""
    inputs = {"flow": flow_m3_s, "drop": drop_pa, "gravity": gravity}
    return evaluate("flow * 3600 * (gravity * 100000 / drop) ** 0.5", inputs)


def valve_cv(kv: Decimal) -> Decimal:
    """Flow coefficient Cv in US units of a flow factor Kv."""
    return evaluate("kv * 1.156", {"kv": kv})
