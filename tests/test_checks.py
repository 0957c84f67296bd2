"""The catalogue's own check: what it finds, and that the catalogue that ships has no error."""

import ast
import tomllib
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from quoting.catalog import load_catalog
from quoting.checks import check_catalog
from quoting.checks.note import Note
from quoting.checks.platforms import platform_notes
from quoting.checks.prices import price_notes
from quoting.checks.reference import band_notes, reference_notes, tier_notes
from quoting.checks.rows import CHECKS, row_notes
from quoting.documents.words import load_words
from quoting.forms import read_form
from quoting.kinds import Language
from quoting.parts import Part, Platform, Provenance, RecipeLine
from quoting.quote import make_quote
from quoting.rows import Catalog, PriceRow

ROOT = Path(__file__).resolve().parent.parent
BASE = load_catalog(root=ROOT / "tests" / "catalog")
DAY = date(2026, 11, 30)
PCIE, SXM, DOMESTIC = "srv-pcie-8x-l20", "srv-sxm-8x-h20-96g", "srv-atlas-800t-a2"


def with_part(sku: str, catalog: Catalog = BASE, **changes: Any) -> Catalog:
    part: Part = replace(catalog.parts[sku], **changes)
    parts = {**catalog.parts, sku: part}
    return replace(
        catalog,
        parts=parts,
        platforms={key: one for key, one in parts.items() if isinstance(one, Platform)},
    )


def with_recipe(sku: str, change: Callable[[RecipeLine], RecipeLine | None]) -> Catalog:
    lines = tuple(line for old in BASE.platforms[sku].recipe if (line := change(old)) is not None)
    return with_part(sku, recipe=lines)


def of_role(role: str, **changes: Any) -> Callable[[RecipeLine], RecipeLine]:
    return lambda line: replace(line, **changes) if line.role == role else line


def without(role: str) -> Callable[[RecipeLine], RecipeLine | None]:
    return lambda line: None if line.role == role else line


def new(notes: Any, before: Any) -> set[tuple[str, str, str]]:
    return {(note.level, note.place, note.code) for note in notes} - {(n.level, n.place, n.code) for n in before}


def found(catalog: Catalog) -> set[tuple[str, str, str]]:
    """What the platform notes say that they do not say about the small catalogue as it is."""
    return new(platform_notes(catalog), platform_notes(BASE))


def rows_found(catalog: Catalog) -> set[tuple[str, str, str]]:
    return new(row_notes(catalog), row_notes(BASE))


# ------------------------------------------------------------------------------------------------ as they are


def errors(notes: Any) -> list[Note]:
    return [note for note in notes if note.level == "error"]


def test_the_catalogue_that_ships_has_no_error(catalog: Catalog, day: date) -> None:
    notes = check_catalog(catalog, day)
    assert errors(notes) == []
    assert {note.code for note in notes if note.place.startswith("reference/")} <= {
        "catalog.band.above",
        "catalog.band.below",
    }


def test_the_small_catalogue_has_no_error() -> None:
    assert errors([*platform_notes(BASE), *row_notes(BASE), *price_notes(BASE, DAY)]) == []


def test_every_note_has_words_in_both_languages() -> None:
    codes = set()
    for path in sorted((ROOT / "quoting" / "checks").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.count(".") == 1:
                codes.add(node.value)
    for language in ("zh", "en"):
        words = tomllib.loads((ROOT / "templates" / "words" / language / "catalog.toml").read_text("utf-8"))["catalog"]
        worded = {f"{group}.{key}" for group, inner in words.items() if isinstance(inner, dict) for key in inner}
        assert worded <= codes
        assert {code for code in codes if code.partition(".")[0] in words} == worded


# ------------------------------------------------------------------------------------------------ servers


@pytest.mark.parametrize(
    ("catalog", "code"),
    [
        (with_recipe(PCIE, without("cpu")), "recipe.role"),
        (with_recipe(PCIE, without("system_drive")), "recipe.role"),
        (with_recipe(PCIE, of_role("accelerator", quantity=7)), "recipe.cards"),
        (with_recipe(PCIE, of_role("accelerator", sku="gpu-l40s-48g")), "recipe.accelerator"),
        (with_recipe(PCIE, of_role("dimm", quantity=15)), "memory.balance"),
        (with_recipe(PCIE, of_role("dimm", quantity=12)), "memory.balance"),
        (with_recipe(PCIE, of_role("dimm", sku="dimm-ddr4-32g")), "memory.type"),
        (with_part(PCIE, dimm_slots=8), "memory.slots"),
        (with_part(PCIE, ram_gb=1), "memory.sum"),
        (with_part(PCIE, cpu_sockets=1), "recipe.sockets"),
        (with_part(PCIE, recipe=()), "recipe.none"),
        (with_part(PCIE, power_w=Decimal(2000)), "power.cards"),
        (with_part(PCIE, psu_required=99), "psu.count"),
        (with_part(PCIE, psu_required=1, psu_w=Decimal(100)), "psu.power"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_server_that_contradicts_its_parts_is_an_error(catalog: Catalog, code: str) -> None:
    assert ("error", PCIE, f"catalog.{code}") in found(catalog)


@pytest.mark.parametrize(
    ("catalog", "place", "code"),
    [
        (with_recipe(SXM, without("compute_nic")), SXM, "recipe.rails"),
        (with_part(PCIE, psu_count=2, psu_required=2, psu_w=Decimal(9000)), PCIE, "psu.redundancy"),
        (with_part(PCIE, power_w=None), PCIE, "unknown"),
        (with_part(PCIE, weight_kg=Decimal(1000)), PCIE, "weight"),
        (with_part("sw-qm9700", weight_kg=Decimal(1)), "sw-qm9700", "weight"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_strange_server_is_a_warning(catalog: Catalog, place: str, code: str) -> None:
    assert ("warning", place, f"catalog.{code}") in found(catalog)


def test_half_the_channels_evenly_filled_are_balanced() -> None:
    cpu = BASE.parts[next(line.sku for line in BASE.platforms[PCIE].recipe if line.role == "cpu")]
    channels: int = 2 * cpu.memory_channels  # type: ignore[attr-defined]
    for count in (channels // 2, channels, 2 * channels):
        notes = found(with_recipe(PCIE, of_role("dimm", quantity=count)))
        assert ("error", PCIE, "catalog.memory.balance") not in notes


@pytest.mark.parametrize("answer", ["no", "unknown"])
def test_a_domestic_server_on_an_unverified_host_is_an_error(answer: str) -> None:
    assert ("error", DOMESTIC, "catalog.host.unverified") in found(with_part(DOMESTIC, host_domestic=answer))
    assert found(with_part(DOMESTIC, host_domestic=answer, quotable=False)) == set()


def test_a_domestic_server_with_an_imported_processor_is_an_error() -> None:
    notes = found(with_recipe(DOMESTIC, of_role("cpu", sku="cpu-xeon-gold-6530")))
    assert ("error", DOMESTIC, "catalog.host.imported") in notes


# ------------------------------------------------------------------------------------------------ other rows


def test_every_check_needs_its_rule() -> None:
    for id in CHECKS:
        rules = {key: rule for key, rule in BASE.rules.items() if key != id}
        assert rows_found(replace(BASE, rules=rules)) == {("error", id, "catalog.rule.missing")}


def test_an_estimate_without_method_is_an_error() -> None:
    source = replace(BASE.sources["house_policy"], grade="estimate", method=" ")
    notes = rows_found(replace(BASE, sources={**BASE.sources, source.id: source}))
    assert notes == {("error", "house_policy", "catalog.source.method")}


def test_a_row_without_source_is_an_error() -> None:
    notes = rows_found(with_part("rack-42u-600x1200", source=""))
    assert notes == {("error", "rack-42u-600x1200", "catalog.source.none")}


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"params_b": None}, "model.size"),
        ({"active_params_b": Decimal(900)}, "model.active"),
        ({"heads": 8, "kv_heads": 16}, "model.heads"),
        ({"type": "moe", "active_params_b": None}, "model.moe"),
        ({"aliases": ("QWEN2.5-7b",)}, "model.alias"),
    ],
)
def test_a_model_that_contradicts_itself_is_an_error(changes: dict[str, Any], code: str) -> None:
    model = replace(BASE.models["Qwen2.5-72B"], **changes)
    notes = rows_found(replace(BASE, models={**BASE.models, model.id: model}))
    assert notes == {("error", "Qwen2.5-72B", f"catalog.{code}")}


def test_tiers_are_all_there_and_their_bands_have_two_ends() -> None:
    entry = replace(BASE.tiers["entry"], band_low=Decimal(300000))
    tiers = {"entry": entry, "cluster": BASE.tiers["cluster"], "enterprise": BASE.tiers["enterprise"]}
    assert rows_found(replace(BASE, tiers=tiers)) == {
        ("error", "entry", "catalog.tier.band"),
        ("error", "xinchuang", "catalog.tier.missing"),
    }


def test_an_export_status_needs_its_rule_and_date() -> None:
    notes = rows_found(with_part("rack-42u-600x1200", export="licence", export_basis=""))
    assert notes == {("warning", "rack-42u-600x1200", "catalog.export.basis")}


# ------------------------------------------------------------------------------------------------ prices


def with_price(**changes: Any) -> Catalog:
    sku = "rack-42u-600x1200"
    row: PriceRow = replace(BASE.prices[sku][0], **changes)
    return replace(BASE, prices={**BASE.prices, sku: (row,)})


def prices_found(catalog: Catalog, day: date = DAY) -> set[tuple[str, str, str]]:
    return new(price_notes(catalog, day), price_notes(BASE, DAY))


def test_a_price_made_from_the_band_is_an_error() -> None:
    source = BASE.tiers["entry"].source
    assert prices_found(with_price(source=source)) == {("error", "rack-42u-600x1200", "catalog.price.band")}
    band = {"band_low": Provenance(source="house_policy")}
    catalog = replace(
        with_price(source="house_policy"),
        tiers={**BASE.tiers, "entry": replace(BASE.tiers["entry"], provenance=band)},
    )
    assert prices_found(catalog) == {("error", "rack-42u-600x1200", "catalog.price.band")}


def test_a_negative_price_is_an_error() -> None:
    assert prices_found(with_price(price=Decimal(-1))) == {("error", "rack-42u-600x1200", "catalog.price.sign")}


def test_expired_and_old_prices_are_each_told_once() -> None:
    assert prices_found(with_price(until=DAY - timedelta(days=1), on=DAY - timedelta(days=9))) == {
        ("warning", "rack-42u-600x1200", "catalog.price.expired")
    }
    assert prices_found(with_price(until=None, on=DAY - timedelta(days=91))) == {
        ("warning", "rack-42u-600x1200", "catalog.price.old")
    }
    later = [note for note in price_notes(BASE, DAY + timedelta(days=400)) if note.code == "catalog.price.expired"]
    assert [dict(note.arguments)["count"] for note in later] == [len(BASE.prices)]


def test_a_server_or_a_role_without_price_is_a_warning() -> None:
    prices = {sku: rows for sku, rows in BASE.prices.items() if sku not in (SXM, "rack-42u-600x1200")}
    notes = prices_found(replace(BASE, prices=prices))
    assert notes == {
        ("warning", SXM, "catalog.price.node"),
        ("warning", "rack-42u-600x1200", "catalog.price.role"),
    }


# ------------------------------------------------------------------------------------------------ reference forms


@pytest.mark.parametrize(
    ("total", "code", "percent"),
    [
        ("280000", None, None),
        ("150000", None, None),
        ("308000", "catalog.band.above", "10.0"),
        ("120000", "catalog.band.below", "20.0"),
    ],
)
def test_a_total_outside_the_band_is_a_warning_with_the_percentage(
    total: str, code: str | None, percent: str | None
) -> None:
    notes = list(band_notes(Decimal(total), BASE.tiers["entry"], "reference/entry.toml"))
    assert [note.code for note in notes] == ([code] if code else [])
    assert [str(dict(note.arguments)["percent"]) for note in notes] == ([percent] if percent else [])
    assert all(note.level == "warning" for note in notes)


def test_there_is_one_reference_form_for_every_tier(catalog: Catalog) -> None:
    forms = {path.stem for path in (ROOT / "catalog" / "reference").glob("*.toml")}
    assert forms == catalog.tiers.keys()


def reference(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text('form_version = 1\n[customer]\nname = "reference"\n' + text, encoding="utf-8")
    return folder


def test_a_reference_form_of_another_tier_is_an_error(tmp_path: Path) -> None:
    folder = reference(tmp_path, "cluster.toml", '[[workload]]\nmodel = "Qwen2.5-7B"\ntask = "lora"\n')
    notes = list(reference_notes(BASE, DAY, folder))
    assert [(note.level, note.code) for note in notes] == [("error", "catalog.reference.tier")]
    assert dict(notes[0].arguments) == {"expected": "cluster", "tier": "entry"}


def test_a_reference_form_that_is_refused_is_an_error(tmp_path: Path) -> None:
    folder = reference(tmp_path, "entry.toml", '[[workload]]\nmodel = "Qwen2.5-7B"\ntask = "lorra"\n')
    assert {(note.level, note.code) for note in reference_notes(BASE, DAY, folder)} == {
        ("error", "catalog.reference.form")
    }


def test_a_reference_form_without_a_total_is_a_warning(tmp_path: Path) -> None:
    folder = reference(tmp_path, "entry.toml", '[[workload]]\nmodel = "Qwen2.5-7B"\ntask = "lora"\n')
    quote = make_quote(read_form(folder / "entry.toml", BASE), BASE, DAY)
    bare = replace(quote, price=replace(quote.price, total=None, band_total=None))
    assert [note.code for note in tier_notes(bare, BASE, "entry", "x")] == ["catalog.reference.total"]
    assert {note.code for note in tier_notes(quote, BASE, "entry", "x")} <= {"catalog.band.above", "catalog.band.below"}


@pytest.mark.parametrize("tier", ["entry", "enterprise", "cluster", "xinchuang"])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_code_of_a_reference_quotation_has_words(catalog: Catalog, language: Language, tier: str) -> None:
    quote = make_quote(read_form(ROOT / "catalog" / "reference" / f"{tier}.toml", catalog), catalog, DAY)
    checks = [*quote.bom.checks, *quote.site.checks, *quote.price.checks]
    checks += [check for fit in (quote.choice.chosen, *quote.choice.others) if fit for check in fit.checks]
    codes = {f"check.{check.code or f'{check.id}.{check.status}'}" for check in checks}
    codes |= {f"why.{line.why}" for line in (*quote.price.lines, *quote.price.options)}
    codes |= {f"unit.{line.unit}" for line in quote.price.lines} | {f"group.{line.group}" for line in quote.price.lines}
    codes |= {f"regime.{need.regime}" for need in quote.demand.needs}
    codes |= {f"change.{fit.change}" for fit in quote.choice.others if fit.change}
    words = load_words(language, [ROOT / "templates"])
    assert {code for code in codes if not words.has(code)} == set()
    found = {finding.code for finding in quote.findings}
    assert {code for code in found if not words.has(code) and not words.has(f"finding.{code}")} == set()


@pytest.mark.parametrize("tier", ["entry", "enterprise", "cluster", "xinchuang"])
def test_offers_in_date_make_a_quotation_final_and_one_other_grade_makes_it_a_draft(tier: str) -> None:
    path = ROOT / "catalog" / "reference" / f"{tier}.toml"
    quote = make_quote(read_form(path, BASE), BASE, DAY)
    assert (quote.status, quote.price.draft_rows) == ("final", ())
    doubted = replace(BASE.sources["frozen-offer"], id="doubted", grade="estimate")
    sku = next(line.sku for line in quote.price.lines if line.unit_price)
    prices = {**BASE.prices, sku: tuple(replace(row, source="doubted") for row in BASE.prices[sku])}
    catalog = replace(BASE, prices=prices, sources={**BASE.sources, "doubted": doubted})
    draft = make_quote(read_form(path, catalog), catalog, DAY)
    assert (draft.status, draft.price.draft_rows) == ("draft", (sku,))
    assert draft.price.total == quote.price.total
