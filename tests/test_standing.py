"""Whose answer a check waits for, what it rests on, and what the room's options, remedies and cabinets say."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from site_cases import demand, fit, requirement

from quoting import load_catalog, make_quote, read_form
from quoting.documents.customer import CustomerView
from quoting.documents.standing import OF_THE_HOUSE, OF_THE_SERVER
from quoting.documents.view import customer_view
from quoting.documents.words import load_words
from quoting.records import Quote, Site
from quoting.requirement import Circuit, Hardware, Scope, SiteNeed
from quoting.rows import Catalog
from quoting.stages.bom import bom
from quoting.stages.site import site

D = Decimal
ROOT = Path(__file__).resolve().parent.parent
H20 = "srv-sxm-8x-h20-96g"
# What only the customer can answer, of the room, of the data to train on or of named hardware.
OF_THE_CUSTOMER = {
    *("rack_power.unknown", "circuit_80pct.unknown", "phase_balance.unknown", "redundancy_failover.unknown"),
    *("ups_capacity.unknown", "ups_runtime.unknown", "transformer.unknown", "transformer.no_load"),
    *("cooling_capacity.unknown", "cooling_redundancy.unknown", "inlet_temperature.unknown"),
    *("liquid_cooling.unknown", "floor_load.unknown", "floor_point_load.unknown", "delivery_route.unknown"),
    *("deadline.unknown", "interconnect.unknown"),
}


def words(language: str = "zh") -> Any:
    return load_words(language, (ROOT / "templates",))


def quoted(example: str, **changed: Any) -> Quote:
    catalog = load_catalog()
    return make_quote(
        replace(read_form(ROOT / f"examples/{example}.toml", catalog), **changed), catalog, date(2026, 12, 1)
    )


def seen(example: str, language: str = "zh") -> CustomerView:
    return customer_view(quoted(example), load_catalog(), words(language))


def in_room(catalog: Catalog, nodes: int = 1, hardware: Any = None, scope: Scope | None = None, **room: Any) -> Site:
    need = requirement(site=SiteNeed(**room), hardware=hardware, scope=scope)
    chosen = fit(catalog, H20, nodes, "enterprise")
    return site(need, chosen, bom(need, demand(), chosen, catalog), catalog)


# --------------------------------------------------------------------------- whose answer is missing


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_sentence_of_what_is_unknown_waits_for_somebody(language: str) -> None:
    """A new sentence must be put into one of the three sets; none of them holds a code without words."""
    ends = [code.removeprefix("check.").split(".") for code in words(language).codes("check")]
    unknown = {".".join(end) for end in ends if len(end) == 2 and (end[1] == "unknown" or end[1].startswith("no_"))}
    assert unknown == OF_THE_SERVER | OF_THE_HOUSE | OF_THE_CUSTOMER
    assert len(unknown) == len(OF_THE_SERVER) + len(OF_THE_HOUSE) + len(OF_THE_CUSTOMER)


def test_weight_and_supplies_of_our_own_server_are_ours_to_find_out() -> None:
    rows = {row.id: row.waits for row in seen("xinchuang").checks if row.waits}
    maker = {id for id, waits in rows.items() if waits == "maker"}
    assert maker == {
        *("psu_headroom", "redundancy_failover", "floor_load", "floor_point_load", "rack_load", "delivery_route")
    }
    assert {id for id, waits in rows.items() if waits == "customer"} == {"ups_capacity", "ups_runtime", "transformer"}


def test_the_summary_counts_both_kinds_apart() -> None:
    view = seen("xinchuang")
    assert any(text.startswith("另有 3 项待您提供资料后核验：") for text in view.attention)
    assert any(text.startswith("另有 6 项待厂家资料，由我方负责取得：") for text in view.attention)
    room = next(light for light in view.lights if light.id == "room")
    assert "3 项检查待您提供机房资料。5 项检查待厂家资料，由我方取得。" in room.sentence


def test_the_customers_own_server_is_the_customers_to_describe() -> None:
    waits = {row.id: row.waits for row in seen("named-hardware").checks if row.waits}
    assert (waits["floor_load"], waits["rack_units"], waits["delivery_route"]) == ("customer",) * 3


def test_a_lift_whose_rating_is_known_waits_for_the_weight_not_for_the_lift() -> None:
    route = next(row for row in seen("xinchuang").checks if row.id == "delivery_route")
    assert route.sentence == "电梯载重 2,000 kg；设备重量未知，能否承载未核。"


# --------------------------------------------------------------------------- supplies, power that nobody verified


def test_supplies_of_a_stated_server_are_counted_by_their_power(catalog: Catalog) -> None:
    """4 x 3000 W for 6 kW: two live when a feed is lost, two are needed, and nothing is left."""

    def judged(power: str) -> tuple[str, Any, Any]:
        own = Hardware(gpu="gpu-h20-96g", node_power_kw=D(power), psu_count=4, psu_w=D(3000))
        one = next(c for c in in_room(catalog, hardware=own, feeds="2N").checks if c.id == "redundancy_failover")
        return one.status, one.required, one.available

    assert judged("6") == ("warn", 2, 2)
    assert judged("5") == ("pass", 2, 2)
    assert judged("6.1") == ("fail", 3, 2)


def test_supplies_without_their_power_stay_unknown(catalog: Catalog) -> None:
    own = Hardware(gpu="gpu-h20-96g", node_power_kw=D(6), psu_count=4)
    found = in_room(catalog, hardware=own, feeds="2N").checks
    one = next(check for check in found if check.id == "redundancy_failover")
    assert (one.status, one.code) == ("unknown", "redundancy_failover.no_redundancy")


def test_a_verdict_on_a_power_nobody_verified_says_so() -> None:
    view = seen("xinchuang")
    unsure = {row.id for row in view.checks if row.unverified}
    assert unsure == {"rack_power", "circuit_80pct", "phase_balance", "liquid_cooling", "cooling_capacity"}
    for row in view.checks:
        assert row.sentence.endswith("（功率未核实）") == row.unverified
    assert "共 5 项判定所依据的设备功率未核实。" in next(light for light in view.lights if light.id == "room").sentence
    assert not any(row.unverified for row in seen("enterprise").checks)


# --------------------------------------------------------------------------- options, remedies, cabinets


def test_what_the_room_has_is_not_offered_again(catalog: Catalog) -> None:
    def offered(scope: Scope | None = None, **room: Any) -> set[str]:
        return {line.scope for line in in_room(catalog, scope=scope, **room).lines}

    works = {"ups", "battery", "cooling", "room_works"}
    assert offered() >= works
    there = {"ups_kva": D(120), "cooling_kw": D(60), "circuit": Circuit(phases=3, amps=D(32)), "feeds": "2N"}
    assert not offered(**there) & works
    assert not offered(Scope(reuse=("ups", "cooling"))) & {"ups", "battery", "cooling"}
    assert offered(Scope(include=("battery",)), **there) & works == {"battery"}


def test_remedies_have_numbers_a_state_and_a_sum() -> None:
    quote, view = quoted("failing-room"), seen("failing-room")
    assert [(row.no, row.needed) for row in view.remedies] == [("M1", True), ("M2", False), ("M3", True)]
    assert "PDU" in view.remedies[0].text
    assert quote.price.remedies_total == sum(remedy.price or D(0) for remedy in quote.price.remedies) == D("150418.00")


def test_remedies_that_cure_the_same_have_no_sum() -> None:
    room = replace(quoted("failing-room").requirement.site, racks=None, rack_power_kw=D(25), floor_load_kg_m2=D(100))
    quote = quoted("failing-room", site=room)
    cured = [id for remedy in quote.price.remedies for id in remedy.cures]
    assert (quote.price.remedies_total is None) == (len(cured) > len(set(cured)) or len(quote.price.remedies) < 2)


def test_the_proposal_says_whose_the_cabinets_are() -> None:
    assert seen("entry").rack_note == (
        "贵方可用机柜位 2 个，本方案占用 1 个。报价含新机柜 1 架；若沿用贵方现有机柜，请告知其尺寸与承重，"
        "核验后从总价中扣除。"
    )
    own = quoted("entry", scope=Scope(reuse=("rack",)))
    assert "沿用贵方机柜 1 架，不另报价" in customer_view(own, load_catalog(), words()).rack_note
    assert own.price.total < quoted("entry").price.total
