"""The parts outside a node, as a bill needs them: every link has its plugs and lengths, domestic means domestic."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from quoting.catalog import load_catalog
from quoting.parts import Cable, Optic, Pdu, Switch, Ups
from quoting.rows import Catalog

ROOT = Path(__file__).parent.parent
LENGTHS = {Decimal(metres) for metres in (3, 5, 10, 20, 30, 50)}
SCOPES = ("transformer", "room_works", "database", "training", "tuning", "hosting", "inspection")
ROLE_OF_SCOPE = {"room_works": "room_circuit"}


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


def words(language: str) -> dict[str, Any]:
    file = ROOT / "templates" / "words" / language / "parts.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def optics(catalog: Catalog) -> list[Optic]:
    return [part for part in catalog.parts.values() if isinstance(part, Optic)]


def cables(catalog: Catalog, medium: str) -> list[Cable]:
    return [part for part in catalog.parts.values() if isinstance(part, Cable) and part.medium == medium]


def test_fibre_is_sold_in_every_length_for_every_optic(catalog: Catalog) -> None:
    for optic in optics(catalog):
        fibres = [one for one in cables(catalog, "fibre") if one.body_a == one.body_b == optic.fibre]
        assert {one.length_m for one in fibres} >= LENGTHS, optic.sku


def test_optical_switch_ports_have_an_optic_of_their_body_and_speed(catalog: Catalog) -> None:
    for switch in (part for part in catalog.parts.values() if isinstance(part, Switch) and part.body != "rj45"):
        plug = catalog.parts[catalog.terms.recipes[f"optic_switch_{switch.body}"]]
        assert isinstance(plug, Optic)
        assert (plug.body, plug.gbps) == (switch.body, switch.gbps), switch.sku
        assert switch.cages * plug.ports == switch.ports, switch.sku


def test_optics_at_the_two_ends_of_a_link_share_fibre_and_speed(catalog: Catalog) -> None:
    roles = catalog.terms.recipes
    pairs = [
        ("optic_switch_osfp_finned", "optic_node_osfp_flat"),
        ("optic_switch_osfp_finned", "optic_node_osfp_twin"),
        ("optic_switch_osfp_finned", "optic_node_qsfp112"),
        ("optic_switch_osfp_finned_mm", "optic_node_osfp_flat_mm"),
        ("optic_switch_qsfp_dd", "optic_node_qsfp112_domestic"),
        ("optic_switch_qsfp56", "optic_node_qsfp56"),
    ]
    for switch_role, node_role in pairs:
        ends = [catalog.parts[roles[role]] for role in (switch_role, node_role)]
        assert all(isinstance(end, Optic) for end in ends)
        assert len({(end.fibre, end.gbps) for end in ends if isinstance(end, Optic)}) == 1, (switch_role, node_role)


def test_twin_port_copper_between_switches_stops_at_two_metres(catalog: Catalog) -> None:
    twin = [one for one in cables(catalog, "dac") if one.body_a == one.body_b == "osfp_finned"]
    assert max(one.length_m for one in twin) == 2
    assert max(one.length_m for one in cables(catalog, "splitter")) == 3


def test_domestic_roles_hold_nothing_imported(catalog: Catalog) -> None:
    for role, sku in catalog.terms.recipes.items():
        if "domestic" in role:
            assert catalog.parts[sku].origin in ("domestic", "none"), role


def test_lines_every_plan_takes_are_not_imported(catalog: Catalog) -> None:
    shared = ("rack", "cord_c13", "cord_c19", "cat6", "software_stack", "ups", "battery", "cooler_inrow")
    for role in (*shared, *(role for role in catalog.terms.recipes if role.startswith("pdu_") and "brand" not in role)):
        assert catalog.parts[catalog.terms.recipes[role]].origin == "domestic", role


def test_pdu_roles_name_their_circuit(catalog: Catalog) -> None:
    for role, sku in catalog.terms.recipes.items():
        if role.startswith("pdu_"):
            pdu = catalog.parts[sku]
            assert isinstance(pdu, Pdu)
            assert role.startswith(f"pdu_{pdu.phases}p{pdu.amps}a")
            assert pdu.c13 > 0 < pdu.c19


def test_every_ups_has_battery_sets_that_hold_its_load(catalog: Catalog) -> None:
    for role, sku in catalog.terms.recipes.items():
        part = catalog.parts[sku]
        if not role.startswith("battery_") or not isinstance(part, Ups):
            continue
        kva, minutes = (int(text) for text in role.split("_")[1:])
        assert (int(part.kva), part.battery_minutes) == (kva, minutes)
        assert part.energy_wh is not None
        assert part.energy_wh * 60 >= part.kw * 1000 * minutes, sku
        assert f"ups_{kva}" in catalog.terms.recipes


def test_options_the_form_can_ask_for_have_a_part(catalog: Catalog) -> None:
    for token in SCOPES:
        assert token in catalog.terms.scope_optional
        assert ROLE_OF_SCOPE.get(token, token) in catalog.terms.recipes


def test_scope_is_in_or_beside_the_total_never_both(catalog: Catalog) -> None:
    assert not set(catalog.terms.scope_default) & set(catalog.terms.scope_optional)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_categories_and_units_have_names(catalog: Catalog, language: str) -> None:
    named = words(language)
    assert {part.category for part in catalog.parts.values()} <= named["part"].keys()
    assert {part.unit for part in catalog.parts.values()} <= named["unit"].keys()


def test_names_are_worded_in_both_languages() -> None:
    zh, en = words("zh"), words("en")
    assert {table: set(rows) for table, rows in zh.items()} == {table: set(rows) for table, rows in en.items()}


def test_policy_names_every_category(catalog: Catalog) -> None:
    categories = {part.category for part in catalog.parts.values()}
    assert categories <= catalog.terms.lead_weeks.keys()
    assert categories <= catalog.terms.markup.keys()


def test_tier_bands_are_the_published_ones(catalog: Catalog) -> None:
    bands = {tier.id: (int(tier.band_low), int(tier.band_high), tier.band_per) for tier in catalog.tiers.values()}
    assert bands == {
        "entry": (150_000, 280_000, "node"),
        "enterprise": (850_000, 1_450_000, "node"),
        "cluster": (2_800_000, 6_500_000, "set"),
        "xinchuang": (650_000, 1_100_000, "node"),
    }
