"""Formulas of power, heat and floor beyond the published tables."""

from __future__ import annotations

from decimal import Decimal

import pytest

from quoting.stages.site import floor, heat, power

D = Decimal
AIR = (D("1.2"), D("1.005"))  # kg/m3, kJ/(kg K)
PG25 = (D("1.02"), D("3.9"))  # kg/L, kJ/(kg K)


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


def test_thinner_air_asks_for_more_of_it() -> None:
    pressure = heat.pressure_share(D("609.6"))  # 2,000 feet
    assert round(pressure, 2) == D("0.93")
    assert heat.supply_airflow_cfm(D(10), D(150), pressure) > 1600


def test_air_rise_and_airflow_are_each_other_s_answer() -> None:
    flow = heat.airflow_m3h(D(10), D(12), *AIR)
    assert round(heat.air_rise_c(D(10), flow, *AIR), 9) == 12
    assert round(heat.m3h_of_cfm(D(150))) == 255


def test_the_liquid_and_the_air_share_the_heat() -> None:
    assert heat.liquid_kw(D(40), D("0.75")) + heat.residual_air_kw(D(40), D("0.75")) == 40


@pytest.mark.parametrize(
    ("share", "efficiency"), [("0.05", "0.90"), ("0.35", "0.95"), ("0.5", "0.96"), ("1.2", "0.91")]
)
def test_a_supply_s_efficiency_lies_between_the_points_of_its_class(share: str, efficiency: str) -> None:
    curve = {D("0.1"): D("0.90"), D("0.2"): D("0.94"), D("0.5"): D("0.96"), D(1): D("0.91")}
    assert power.supply_efficiency(curve, D(share)) == D(efficiency)


def test_a_size_on_sale_covers_the_need_or_there_is_none() -> None:
    sizes = (D(40), D(60), D(30))
    assert (power.next_size(D(31), sizes), power.next_size(D(60), sizes), power.next_size(D(61), sizes)) == (
        40,
        60,
        None,
    )


def test_a_transformer_a_generator_and_its_fuel() -> None:
    assert round(power.transformer_amps(D(630), D(400))) == 909
    assert power.apparent_kva(D(240), D("0.8")) == 300
    assert power.fuel_litres(D(240), D(12), D("0.25")) == 720


def test_pue_and_the_facility_s_power_are_each_other_s_answer() -> None:
    assert power.usage_effectiveness(power.facility_kw(D(100), D("1.4")), D(100)) == D("1.4")
