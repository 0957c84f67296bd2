"""Each number of a rule has a unit of its own, and whatever prints it prints that unit."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path

import pytest

from quoting.assets import templates_folder
from quoting.catalog import load_catalog
from quoting.catalog.rule_units import UNITS, is_number
from quoting.documents.basis import basis
from quoting.documents.words import Words, load_words
from quoting.errors import Mistake, Mistakes
from quoting.explain import trail
from quoting.forms import read_form
from quoting.kinds import Language
from quoting.quote import make_quote
from quoting.records import Quote
from quoting.rows import Catalog

ROOT = Path(__file__).resolve().parent.parent
FROZEN = ROOT / "tests" / "catalog"
EXAMPLES = sorted(path.stem for path in (ROOT / "examples").glob("*.toml"))
DAY = date(2026, 12, 1)

# Written down beside the catalogue, from the formulas that use the values: what is multiplied by what, and gives what.
KNOWN = {
    "sizing.full.bytes": "byte/parameter",
    "sizing.full.use": "share",
    "sizing.lora.per_param": "byte/parameter",
    "sizing.lora.per_card": "GB/card",
    "sizing.lora.use": "share",
    "sizing.qlora.constant": "GB",
    "sizing.activations.recompute": "byte/(token·width·layer)",
    "sizing.activations.working": "byte/(token·width)",
    "sizing.gather.adapter_large_from_b": "B",
    "sizing.offload.buffer": "ratio",
    "sizing.checkpoint.kept": "copy",
    "vram_total.headroom": "ratio",
    "host_ram.warn": "ratio",
    "deadline.max_nodes": "node",
    "interconnect.fail": "Gbit/s",
    "fit.pcie_training.link_gbs": "GB/s",
    "fit.pcie_training.larger_card_gb": "GB",
    "fit.more_performance.gain": "ratio",
    "site.power.line_v": "V",
    "site.power.power_factor": "ratio",
    "site.packing.accessories_kg": "kg",
    "site.packing.rack_kw": "kW",
    "site.packing.nodes_unknown": "node",
    "site.cabling.unit_mm": "mm/U",
    "site.air.supply_cfm_kw": "CFM/kW",
    "site.air.altitude_m": "m",
    "circuit_80pct.fail": "share",
    "cooling_capacity.warn": "ratio",
    "ups_capacity.warn": "ratio",
    "transformer.sizes": "kVA",
    "floor_load.aisle_m": "m",
    "floor_point_load.feet": "piece",
    "fabric.inband.dac": "m",
    "fabric.spares.extra": "piece",
    "lead_time.warn": "share",
    "lead_time.commissioning_weeks": "week",
    "price_age.fail": "line",
    "ownership.hours_a_month": "h/month",
    "ownership.maintenance_share": "share/year",
    "ownership.horizons": "month",
    "default.context.training": "token",
    "mfu.h20.finetune": "share",
}
SYMBOLS = {
    "1",
    "CNY",
    "TPP",
    "B",
    "GB",
    "GB/s",
    "Gbit/s",
    "mm/U",
    "kg/U",
    "V",
    "CFM/kW",
    "L/(min·kW)",
    "BTU/(h·CFM·°F)",
}
Lay = Callable[[str], Path]


@pytest.mark.parametrize(("name", "unit"), KNOWN.items())
def test_a_value_has_the_unit_its_formula_gives_it(catalog: Catalog, name: str, unit: str) -> None:
    rule, _, key = name.rpartition(".")
    assert catalog.rules[rule].units[key] == unit


def test_every_number_of_every_rule_has_a_unit_and_nothing_else_has(catalog: Catalog) -> None:
    for rule in catalog.rules.values():
        assert rule.units.keys() == {key for key, value in rule.values.items() if is_number(value)}, rule.id


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (Decimal(0), True),
        ("64,128,144", True),
        ("0.20:0.94 1.00:0.91", True),
        ("1/3", True),
        ("zero3", False),
        ("", False),
        (True, False),
    ],
)
def test_numbers_and_texts_of_numbers_need_a_unit(value: object, number: bool) -> None:
    assert is_number(value) is number


# ------------------------------------------------------------------------------------------------ what is refused


@pytest.fixture
def lay(tmp_path: Path) -> Lay:
    """A folder laid over the catalogue, holding one file of rules."""

    def put(text: str) -> Path:
        folder = tmp_path / "ours"
        (folder / "rules").mkdir(parents=True, exist_ok=True)
        (folder / "rules" / "own.toml").write_text(text, encoding="utf-8")
        return folder

    return put


def refused(folder: Path) -> list[Mistake]:
    with pytest.raises(Mistakes) as caught:
        load_catalog([folder], FROZEN)
    return list(caught.value.mistakes)


NEW = '["mfu.own"]\nsource = "house_policy"\nrack_kg = 30\nwarn = 0.8\nname = "x"\n'


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("", {('"mfu.own".rack_kg', "no unit", ""), ('"mfu.own".warn', "no unit", "")}),
        ('units = {rack_kg = "kg"}', {('"mfu.own".warn', "no unit", "")}),
        ('units = {rack_kg = "KG", warn = "share"}', {('"mfu.own".units.rack_kg', 'unknown unit "KG"', "kg")}),
        ('units = {rack_kg = "", warn = "share"}', {('"mfu.own".units.rack_kg', 'unknown unit ""', "")}),
        ('units = {rack_kg = 5, warn = "share"}', {('"mfu.own".units.rack_kg', 'unknown unit "5"', "")}),
        (
            'units = {rack_kg = "kW", warn = "share"}',
            {('"mfu.own".units.rack_kg', "rack_kg in kW, by its name in kg", "")},
        ),
        (
            'units = {rack_kg = "kg", warn = "share", wran = "share"}',
            {('"mfu.own".units.wran', "unknown key", "warn")},
        ),
        (
            'units = {rack_kg = "kg", warn = "share", name = "share"}',
            {('"mfu.own".units.name', "a unit of what is no number", "")},
        ),
        ('unit = "share"', {('"mfu.own".unit', "rack_kg in share, by its name in kg", "")}),
        ('unit = "kg"\nunits = {warn = "share"}', {('"mfu.own".unit', "unit beside units", "")}),
        ('units = "kg"', {('"mfu.own".units', "wrong value kg", "")}),
    ],
)
def test_a_number_without_a_right_unit_is_refused(lay: Lay, line: str, told: set[tuple[str, str, str]]) -> None:
    found = [one for one in refused(lay(f"{NEW}{line}\n")) if line != 'units = "kg"' or one.problem != "no unit"]
    assert {(one.place, one.problem, one.nearest) for one in found} == told
    assert {one.file for one in found} == {"ours/rules/own.toml"}
    assert all(one.expected for one in found if not one.nearest)


def test_what_to_type_is_said(lay: Lay) -> None:
    line = refused(lay(NEW))[0].line()
    assert line.startswith('ours/rules/own.toml: "mfu.own".rack_kg: no unit; expected ')
    assert line.endswith('units = {rack_kg = "kg"}, or unit = "kg" for all values')


def test_a_unit_needs_a_number(lay: Lay) -> None:
    found = refused(lay('["mfu.own"]\nsource = "house_policy"\nname = "x"\nunit = "kg"\n'))
    assert [(one.place, one.problem) for one in found] == [('"mfu.own".unit', "a unit, but no number")]


# ------------------------------------------------------------------------------------------------ overlays


@pytest.mark.parametrize("line", ["", 'unit = "share"', 'units = {warn = "share"}', 'units.warn = "share"'])
def test_an_overlay_changes_a_value_and_keeps_its_unit(lay: Lay, line: str) -> None:
    catalog = load_catalog([lay(f'["lead_time"]\nwarn = 0.3\n{line}\n')], FROZEN)
    assert catalog.rules["lead_time"].values["warn"] == Decimal("0.3")
    assert catalog.rules["lead_time"].units == load_catalog(root=FROZEN).rules["lead_time"].units


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ('unit = "week"', '"lead_time".warn'),
        ('units = {warn = "week"}', '"lead_time".warn'),
        ('units = {fail = "week"}', '"lead_time".fail'),
    ],
)
def test_an_overlay_cannot_count_in_another_unit(lay: Lay, line: str, place: str) -> None:
    found = refused(lay(f'["lead_time"]\nwarn = 3\n{line}\n'))
    assert [(one.place, one.problem) for one in found] == [(place, "in week")]
    assert found[0].expected == "the value in share, as the catalogue has it"


# ------------------------------------------------------------------------------------------------ what prints them


@cache
def quoted(example: str) -> tuple[Catalog, Quote]:
    catalog = load_catalog()
    return catalog, make_quote(read_form(ROOT / "examples" / f"{example}.toml", catalog), catalog, DAY)


def own_unit(id: str, source: str, catalog: Catalog) -> str | None:
    """The catalogue's unit of a figure that is a rule's value, or a default taken from one; None for any other."""
    if source.startswith("default:"):
        rule_taken = catalog.rules.get(source.removeprefix("default:"))
        if rule_taken is None:  # an answer of the form that was left out counts as none
            return None
        units = set(rule_taken.units.values())
        assert len(units) == 1, source
        return units.pop()
    kind, _, rest = id.partition(".")
    rule, _, key = rest.rpartition(".")
    return catalog.rules[rule].units[key] if kind == "rule" else None


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_figure_of_a_rule_has_the_unit_of_its_own_value(example: str) -> None:
    catalog, quote = quoted(example)
    leaves = [figure for figure in quote.figures.values() if figure.kind == "leaf"]
    units = {one.id: own_unit(one.id, one.source, catalog) for one in leaves}
    ours = [one for one in leaves if units[one.id] is not None]
    assert len(ours) > 10
    assert {one.id: one.unit for one in ours} == {one.id: units[one.id] for one in ours}


@pytest.mark.parametrize("example", EXAMPLES)
def test_assumptions_of_owning_have_the_catalogues_units(example: str) -> None:
    catalog, quote = quoted(example)
    own = catalog.rules["ownership"].units
    for key in ("tariff", "pue", "utilisation"):
        if f"ownership.{key}" in quote.figures:
            assert quote.figures[f"ownership.{key}"].unit == own[key]


def test_explain_prints_the_unit_of_the_value() -> None:
    _, quote = quoted("entry")
    lines = {line.split(" = ")[0].strip(): line.strip() for id in quote.figures for line in trail(quote.figures, id)}
    assert lines["rule.sizing.lora.use"].startswith("rule.sizing.lora.use = 0.8 share    from")
    assert "rule.sizing.lora.per_card = 4 GB/card    from" in lines["rule.sizing.lora.per_card"]
    assert "rule.site.packing.accessories_kg = 30 kg    from" in lines["rule.site.packing.accessories_kg"]
    assert "form.workload[1].rank = 16    from" in lines["form.workload[1].rank"]


def words(language: Language) -> Words:
    return load_words(language, (templates_folder(),))


@pytest.mark.parametrize("language", ["zh", "en"])
def test_documents_print_the_unit_of_the_figure(language: Language) -> None:
    catalog, quote = quoted("entry")
    right = {row.id: row.unit for row in basis(quote.figures, catalog, words(language), {}).rows}
    wrong = {id: replace(figure, unit="kVA") for id, figure in quote.figures.items()}
    told = {row.id: row.unit for row in basis(wrong, catalog, words(language), {}).rows}
    assert set(told.values()) == {"kVA"}
    expected = {"zh": ("字节/参数", "GB/卡", "小时/月"), "en": ("bytes/param.", "GB/card", "h/month")}
    names = ("sizing.lora.per_param", "sizing.lora.per_card", "ownership.hours_a_month")
    assert tuple(right[f"rule.{name}"] for name in names) == expected[language]
    assert right["rule.site.packing.accessories_kg"] == "kg"
    assert right["rule.sizing.lora.use"] == right["rule.cooling_capacity.warn"] == ""


def test_a_unit_of_words_has_words_in_both_languages() -> None:
    spelt = {unit for unit in UNITS - SYMBOLS - {"share", "ratio"} if re.search("[A-Za-z]{3}", unit)}
    assert {"byte/parameter", "GB/card", "week"} <= spelt
    for unit in sorted(spelt):
        for language in ("zh", "en"):
            assert words(language).has(f"unit.{unit}"), (unit, language)
        assert not re.search("byte|parameter|card|node|copy|year|month", words("zh").say(f"unit.{unit}")), unit
