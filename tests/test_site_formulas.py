"""Formulas of power, heat and floor against published and derived cases."""

from __future__ import annotations

import csv
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from quoting.stages.site import floor, heat, power

D = Decimal
TABLE = Path(__file__).parent / "facility" / "power_cases.csv"
ROWS = {row["id"]: row for row in csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines())}
WATER, PG25 = (D(1), D("4.18")), (D("1.02"), D("3.9"))  # kg/L, kJ/(kg K)
AIR = (D("1.2"), D("1.005"))  # kg/m3, kJ/(kg K)
CFM_F = D("1.08")


def rack(*parts: tuple[int, str]) -> Decimal:
    return sum((count * D(kw) for count, kw in parts), D(0))


# What the product answers for each row, by its public functions.
ANSWERS: dict[str, Callable[[], Decimal]] = {
    "H02": lambda: heat.kw_of_btu(D(38557)),
    "H03": lambda: heat.btu_per_hour(D("10.2")),
    "H04": lambda: heat.tons(D("10.2")),
    "H06": lambda: heat.kcal_per_hour(D("1.76")),
    "H07": lambda: heat.sensible_constant(D("0.075"), D("0.24")),
    "H08": lambda: heat.btu_per_hour(D("14.3")),
    "A01": lambda: heat.airflow_cfm(D(1), D(20), CFM_F),
    "A02": lambda: heat.airflow_cfm(D(4), D(20), D("1.085")),
    "A05": lambda: heat.air_kw_per_m3h(*AIR),
    "A06": lambda: heat.air_rise_f(D("10.2"), D(1105), CFM_F),
    "A07": lambda: heat.air_rise_f(D("14.3"), D(1550), CFM_F),
    "A08": lambda: heat.air_rise_f(D("6.5"), D(840), CFM_F),
    "A09": lambda: heat.supply_airflow_cfm(D("28.6"), D(150)),
    "A12": lambda: heat.at_altitude(D(154), D("0.93")),
    "P01": lambda: power.circuit_kva(3, D(32), D(400)),
    "P02": lambda: power.usable(power.circuit_kva(3, D(32), D(400)), D("0.8")),
    "P03": lambda: power.circuit_kva(3, D(32), D(380)),
    "P04": lambda: power.usable(power.circuit_kva(3, D(32), D(380)), D("0.8")),
    "P05": lambda: power.usable(power.circuit_kva(3, D(63), D(380)), D("0.8")),
    "P08": lambda: power.usable(power.circuit_kva(1, D(16), D(220)), D("0.8")),
    "P11": lambda: power.feed_kw(power.circuit_kva(1, D(30), D(230)), D("0.9")) * 1000,
    "P12": lambda: power.derated_amps(D(30), D("0.8"), D("0.87")),
    "P13": lambda: power.feed_kw(power.circuit_kva(1, D("20.88"), D(230)), D("0.8")) * 1000,
    "P14": lambda: power.usable(power.circuit_kva(3, D(30), D(208)), D("0.8")) * 1000,
    "P16": lambda: 3 * power.circuit_kva(1, D(16), D(208)) * 1000,
    "P18": lambda: power.line_to_phase_amps(D(24)),
    "P21": lambda: power.derated_amps(D(30), D("0.8")),
    "E03": lambda: power.supplies_kw(4, D("3.3")),
    "E04": lambda: power.supplies_kw(power.alive_after_feed_loss(6, 2), D("3.3")),
    "U04": lambda: power.battery_amps(D(10), D(1), D(1), D(192)),
    "U08": lambda: power.ups_kva(D("40.8"), D("1.2"), D(1)),
    "U09": lambda: power.ups_kva(D("22.4"), D("1.2"), D("0.9")),
    "U10": lambda: power.battery_ah(D(100), D("0.25"), D("1.25"), D("0.4"), D("0.01"), D(25)),
    "G01": lambda: power.generator_kw(D(200), D("1.2")),
    "T02": lambda: power.transformer_share(power.facility_kw(D("63.2"), D("1.5")), D(60), D(250), D("0.95")),
    "T03": lambda: power.transformer_room_kw(D(630), D(380), D("0.85"), D("0.95")),
    "F02": lambda: floor.kg_of_pounds(D("271.5")),
    "F04": lambda: floor.kn_per_m2(floor.footprint_load(FOUR_H100, D("0.6"), D("1.2"))),
    "F05": lambda: floor.kn_per_m2(floor.tributary_load(FOUR_H100, D("0.6"), D("1.2"), D("1.2"))),
    "F06": lambda: floor.kg_per_m2(D(12)),
    "L03": lambda: heat.pipe_bore(D("0.0025"), D("1.5")),
    "L04": lambda: heat.pipe_velocity(D("0.0025"), D("0.05")),
    "L05": lambda: heat.pump_w(D("0.0025"), D(100_000), D("0.65")),
    "L09": lambda: heat.liquid_flow(D(1), D(10), *PG25),
    "L10": lambda: heat.liquid_flow(D(1), D(5), D("0.998"), D("4.18")),
    "L12": lambda: heat.condenser_kw(D(100), D(5)),
    "Q01": lambda: heat.kw_of_kcal(D(50 * 300)),
}
FOUR_H100 = floor.rack_weight(D(180), 4 * D("130.45"), D(30))


@pytest.mark.parametrize("id", ANSWERS)
def test_a_published_case_is_reproduced(id: str) -> None:
    row = ROWS[id]
    assert abs(ANSWERS[id]() - D(row["expected"])) <= D(row["tol"]), row["question"]


def test_a_lost_feed_takes_the_fuller_side() -> None:
    assert [power.alive_after_feed_loss(count, sides) for count, sides in ((6, 2), (6, 3), (5, 2), (8, 2))] == [
        *(3, 4, 2, 4),
    ]


def test_feeds_on_one_side_carry_the_rack_alone() -> None:
    usable = power.usable(power.feed_kw(power.circuit_kva(3, D(32), D(380)), D("0.95")), D("0.8"))
    assert [power.feeds_per_side(D(kw), usable) for kw in ("10.2", "20.4", "40.8")] == [1, 2, 3]


def test_supplies_take_the_phases_in_turn() -> None:
    assert power.phase_loads(4, D(2)) == (4, 2, 2)
    assert power.phase_loads(2, D(2), first=2) == (2, 0, 2)
    assert power.imbalance((D(4), D(2), D(2))) == D("0.5")


def test_plugs_are_spread_over_the_phases_the_biggest_first() -> None:
    assert power.balanced_phases([D(1), D(5), D(1), D(3), D(2)]) == (5, 4, 3)


def test_spare_modules_come_on_top() -> None:
    assert power.modules(D("48.96"), D(20), 1) == 4


def test_a_battery_carries_the_load_for_the_minutes_asked() -> None:
    assert abs(power.battery_wh(D(40), D(15), D("0.95"), D("0.8")) - D("13157.9")) < 1


def test_more_rise_needs_less_air_and_less_liquid() -> None:
    assert heat.airflow_m3h(D(1), D(10), *AIR) < heat.airflow_m3h(D(1), D(5), *AIR)
    assert heat.liquid_rise(D(1), D("1.5"), *PG25) == pytest.approx(D("10.05"), abs=D("0.01"))


def test_the_liquid_leaves_a_rest_to_the_air() -> None:
    assert heat.residual_air_kw(D(40), D("0.75")) == 10


def test_a_load_on_one_phase_draws_its_amperes() -> None:
    assert round(power.phase_amps(D("1.4"), D(208), D(1)), 1) == D("6.7")


@pytest.mark.parametrize(
    ("opening", "passes"), [((900, 2100), True), ((600, 2000), True), ((599, 2100), False), ((900, 1999), False)]
)
def test_a_rack_goes_upright_through_an_opening(opening: tuple[int, int], passes: bool) -> None:
    assert floor.passes_opening((600, 1200, 2000), opening) is passes


def test_a_rack_may_be_turned_in_a_lift() -> None:
    assert floor.fits_cabin((600, 1200, 2000), (1300, 700, 2100))
    assert not floor.fits_cabin((600, 1200, 2000), (1300, 500, 2100))
