"""Reading the catalogue: what a row becomes, what is refused and how it is told, and what an overlay changes."""

import re
import shutil
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quoting.assets import asset_folder, catalog_folder
from quoting.catalog import init_overlay, layer_of, load_catalog
from quoting.catalog.shape import Place, row
from quoting.errors import Mistake, Mistakes, Outside
from quoting.parts import Accelerator, Nic, Part, Platform
from quoting.rows import Catalog

FROZEN = Path(__file__).resolve().parent / "catalog"
NIC = """
[[nic]]
sku = "nic-test"
name_zh = "测试网卡"
name_en = "Test card"
ports = 2
gbps = 25
body = "sfp28"
source = "frozen-offer"
"""
Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Add text to a file of a copy of the small catalogue; gives the copy's folder."""
    root = tmp_path / "catalog"
    shutil.copytree(FROZEN, root)

    def add(name: str, text: str) -> Path:
        path = root / name
        path.parent.mkdir(exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
        return root

    return add


def mistakes(root: Path, *overlays: Path) -> tuple[Mistake, ...]:
    with pytest.raises(Mistakes) as caught:
        load_catalog(overlays, root)
    return caught.value.mistakes


# ------------------------------------------------------------------------------------------------ what a row becomes


def test_parts_hold_accelerators_and_platforms_too(frozen_catalog: Catalog) -> None:
    assert isinstance(frozen_catalog.parts["gpu-l20-48g"], Accelerator)
    assert isinstance(frozen_catalog.parts["srv-pcie-8x-l20"], Platform)
    assert frozen_catalog.accelerators.keys() | frozen_catalog.platforms.keys() < frozen_catalog.parts.keys()


def test_numbers_are_decimals_and_counts_are_integers(frozen_catalog: Catalog) -> None:
    card = frozen_catalog.accelerators["gpu-l20-48g"]
    assert (type(card.memory_gb), card.memory_gb) == (Decimal, Decimal(48))
    assert type(frozen_catalog.platforms["srv-pcie-8x-l20"].cards) is int


def test_the_table_gives_the_category(frozen_catalog: Catalog) -> None:
    assert frozen_catalog.parts["gpu-l20-48g"].category == "accelerator"


def test_a_value_with_its_own_source_becomes_value_and_provenance(write: Write) -> None:
    text = NIC.replace(
        "gbps = 25",
        'gbps = {value = 25, source = "frozen-offer", verified = false, note = "n", '
        'against = [{value = "10", source = "house_policy"}]}',
    )
    nic = load_catalog(root=write("parts/test.toml", text)).parts["nic-test"]
    origin = nic.provenance["gbps"]
    assert nic.gbps == 25  # type: ignore[attr-defined]
    assert (origin.source, origin.verified, origin.note) == ("frozen-offer", False, "n")
    assert (origin.against[0].value, origin.against[0].source) == ("10", "house_policy")


def test_a_value_table_without_source_takes_the_rows(write: Write) -> None:
    root = write("parts/test.toml", NIC.replace("gbps = 25", "gbps = {value = 25, verified = false}"))
    assert load_catalog(root=root).parts["nic-test"].provenance["gbps"].source == "frozen-offer"


def test_what_is_left_out_is_not_known(write: Write) -> None:
    text = '[[model]]\nid = "Secret"\ntype = "unknown"\nquotable = false\nsource = "frozen-offer"\n'
    assert load_catalog(root=write("models.toml", text)).models["Secret"].params_b is None


def test_rule_values_are_decimals_texts_and_flags(write: Write) -> None:
    text = (
        '["test.rule"]\nwarn = 1\nfail = {value = 0.5, source = "frozen-offer"}\nname = "x"\non = true\n'
        'units = {warn = "kW", fail = "share"}\n'
    )
    rule = load_catalog(root=write("rules/test.toml", text)).rules["test.rule"]
    assert dict(rule.values) == {"warn": Decimal(1), "fail": Decimal("0.5"), "name": "x", "on": True}
    assert rule.provenance["fail"].source == "frozen-offer"
    assert dict(rule.units) == {"warn": "kW", "fail": "share"}


def test_the_catalogue_cannot_be_changed(frozen_catalog: Catalog) -> None:
    for mapping in (frozen_catalog.parts, frozen_catalog.rules["circuit_80pct"].values, frozen_catalog.terms.markup):
        with pytest.raises(TypeError):
            mapping["x"] = None  # type: ignore[index]


# ------------------------------------------------------------------------------------------------ what is refused


def test_all_mistakes_are_told_at_once_with_file_place_and_nearest_name(write: Write) -> None:
    text = NIC.replace("ports = 2", 'port = 2\nprotocol = "ethernt"').replace("gbps = 25", 'gbps = "25"')
    found = {mistake.place: mistake for mistake in mistakes(write("parts/test.toml", text))}
    assert {mistake.file for mistake in found.values()} == {"catalog/parts/test.toml"}
    assert found["nic[nic-test].port"].problem == "unknown key"
    assert found["nic[nic-test].port"].nearest == "ports"
    assert found["nic[nic-test].ports"].problem == "missing"
    assert found["nic[nic-test].protocol"].nearest == "ethernet"
    assert found["nic[nic-test].gbps"].expected == "a whole number, as 8"
    assert len(found) == 4


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("ports = 2", "ports = 2.5", "wrong value 2.5"),
        ("ports = 2", "ports = true", "wrong value true"),
        ("ports = 2", "ports = 2\npower_w = nan", "wrong value NaN"),
        ("ports = 2", "ports = 2\npower_w = true", "wrong value true"),
        ("ports = 2", 'ports = 2\npower_w = "20"', 'wrong value "20"'),
        ("ports = 2", "ports = {value = 2, sorce = 1}", "unknown key"),
        ("ports = 2", 'ports = {source = "frozen-offer"}', "not known"),
        ('name_zh = "测试网卡"', "name_zh = 5", "wrong value 5"),
        ('source = "frozen-offer"', 'source = "frozen-ofer"', 'no source "frozen-ofer"'),
        ('sku = "nic-test"', 'sku = "nic-25g-2p"', "second row of this id, first in catalog/parts/compute.toml"),
        ("[[nic]]", "[[nik]]", "unknown table"),
        ("[[nic]]", "[nic]", "not a list of rows"),
    ],
)
def test_a_wrong_row_is_refused(write: Write, old: str, new: str, problem: str) -> None:
    found = mistakes(write("parts/test.toml", NIC.replace(old, new)))
    assert [mistake.problem for mistake in found] == [problem]


def test_a_row_that_failed_is_not_also_told_as_missing(write: Write) -> None:
    root = write("parts/test.toml", NIC.replace("ports = 2", "ports = 2.5"))
    with (root / "terms.toml").open("a", encoding="utf-8") as file:
        file.write('test = "nic-test"\n')
    assert [mistake.place for mistake in mistakes(root)] == ["nic[nic-test].ports"]


def test_text_that_is_no_toml_is_told_with_its_line(write: Write) -> None:
    found = mistakes(write("parts/test.toml", "[[nic]]\nsku = \n"))
    assert found[0].place == "line 2, column 7"
    assert found[0].problem.startswith("not TOML")


def test_bytes_that_are_no_text_are_told_with_their_line(write: Write) -> None:
    root = write("parts/test.toml", "# one\n")
    (root / "parts" / "test.toml").write_bytes(b"# one\n\xff\xfe")
    assert (mistakes(root)[0].place, mistakes(root)[0].problem) == ("line 2", "not UTF-8 text")


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ('["a"]\nwarn = [1]\n', '"a".warn', "wrong value [1]"),
        ('["a"]\nsource = 5\n', '"a".source', "wrong value 5"),
        ('["a"]\nsource = "nowhere"\n', '"a".source', 'no source "nowhere"'),
        ('["a"]\nunit = "kW"\nwarn = {value = 1, source = "nowhere"}\n', '"a".warn.source', 'no source "nowhere"'),
        ('["a"]\nunit = "kW"\nwarn = {value = 1}\n', '"a".warn', "no source"),
        ('["circuit_80pct"]\nwarn = 1\n', '"circuit_80pct"', "second row of this id, first in catalog/rules/site.toml"),
        ("warn = 1\n", "warn", "not a rule"),
    ],
)
def test_a_wrong_rule_is_refused(write: Write, text: str, place: str, problem: str) -> None:
    found = mistakes(write("rules/test.toml", text))
    assert [(mistake.place, mistake.problem) for mistake in found] == [(place, problem)]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("gpu-l20,1,CNY,true,2026-11-30,,frozen-offer,", 'no part "gpu-l20"'),
        ("gpu-l20-48g,1,EUR,true,2026-11-30,,frozen-offer,", 'no rate for currency "EUR"'),
        ("gpu-l20-48g,1,CNY,true,2026-11-30,,offer,", 'no source "offer"'),
        ("gpu-l20-48g,1万,CNY,true,2026-11-30,,frozen-offer,", 'wrong value "1万"'),
        ("gpu-l20-48g,1,CNY,maybe,2026-11-30,,frozen-offer,", 'wrong value "maybe"'),
        ("gpu-l20-48g,1,CNY,true,30.11.2026,,frozen-offer,", 'wrong value "30.11.2026"'),
        ("gpu-l20-48g,1,CNY,true,,,frozen-offer,", "missing"),
        ('gpu-l20-48g,"1,000",CNY,true,2026-11-30,,frozen-offer,', 'wrong value "1,000"'),
        ("gpu-l20-48g,1,000,CNY,true,2026-11-30,,frozen-offer,", "more cells than columns"),
    ],
)
def test_a_wrong_price_is_refused_with_its_line(write: Write, line: str, problem: str) -> None:
    root = write("prices.csv", line + "\n")
    number = len((root / "prices.csv").read_text(encoding="utf-8").splitlines())
    found = mistakes(root)
    assert [mistake.problem for mistake in found] == [problem]
    assert found[0].place.startswith(f"line {number}")


def test_a_price_list_needs_its_columns(write: Write) -> None:
    root = write("VERSION", "")
    (root / "prices.csv").write_text("sku,prise,currency,tax_included,on,source\n", encoding="utf-8")
    assert {mistake.problem: mistake.nearest for mistake in mistakes(root)} == {
        "no column price": "",
        "unknown column prise": "price",
    }


def test_references_between_rows_are_followed(write: Write) -> None:
    root = write("rents.toml", "[[rent]]\naccelerator = 'gpu-x'\ncny_per_hour = 5\ntax_included = true\n")
    with (root / "rents.toml").open("a", encoding="utf-8") as file:
        file.write("reserved = false\non = 2026-11-30\nsource = 'frozen-offer'\n")
    platform = root / "platforms" / "entry.toml"
    text = platform.read_text(encoding="utf-8")
    platform.write_text(text.replace('accelerator = "gpu-l20-48g"', 'accelerator = "rack-42u-600x1200"', 1), "utf-8")
    problems = {mistake.problem for mistake in mistakes(root)}
    assert problems == {'no accelerator "gpu-x"', 'no accelerator "rack-42u-600x1200"'}


def test_a_catalogue_without_house_or_version_is_refused(write: Write) -> None:
    root = write("VERSION", "")
    (root / "VERSION").unlink()
    (root / "house.toml").unlink()
    assert {mistake.file for mistake in mistakes(root)} == {"VERSION", "house.toml"}


VALUES = st.recursive(
    st.integers()
    | st.booleans()
    | st.text()
    | st.decimals()
    | st.dates()
    | st.sampled_from(["ethernet", "goods", "frozen-offer", date(2026, 11, 30)]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["value", "source", "verified", "note", "against", "sku"]), inner)
    ),
    max_leaves=6,
)


@pytest.mark.parametrize("cls", [Nic, Platform])
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine says nothing about rows
@given(data=st.data())
def test_any_table_is_a_row_or_mistakes(cls: type[Part], data: st.DataObject) -> None:
    keys = st.sampled_from([*cls.__dataclass_fields__, "skew", ""])
    table = data.draw(st.dictionaries(keys, VALUES))
    found: list[Mistake] = []
    made = row(cls, table, Place("a.toml", "nic[1]"), found)
    assert (made is None) == bool(found)
    assert all(mistake.line().startswith("a.toml: nic[1]") for mistake in found)


# ------------------------------------------------------------------------------------------------ overlays


@pytest.fixture
def overlay(tmp_path: Path) -> Write:
    root = tmp_path / "ours"
    root.mkdir()

    def put(name: str, text: str) -> Path:
        path = root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return root

    return put


def test_a_row_of_the_same_id_replaces_the_whole_row(overlay: Write) -> None:
    folder = overlay("cards.toml", NIC.replace("nic-test", "nic-25g-2p"))
    catalog = load_catalog([folder], FROZEN)
    assert catalog.parts["nic-25g-2p"].name_en == "Test card"
    assert catalog.parts["nic-25g-2p"].power_w is None
    assert catalog.layers == ("ours",)
    assert (layer_of(catalog, "nic-25g-2p"), layer_of(catalog, "gpu-l20-48g")) == ("ours", "")


def test_a_row_may_become_one_of_another_kind(overlay: Write) -> None:
    folder = overlay("cards.toml", NIC.replace("nic-test", "rack-42u-600x1200"))
    assert type(load_catalog([folder], FROZEN).parts["rack-42u-600x1200"]).__name__ == "Nic"


def test_rules_merge_key_by_key_and_each_value_knows_its_layer(overlay: Write) -> None:
    base = load_catalog(root=FROZEN).rules["circuit_80pct"]
    folder = overlay("rules/own.toml", '["circuit_80pct"]\nwarn = 0.5\nsource = "house_policy"\n')
    rule = load_catalog([folder], FROZEN).rules["circuit_80pct"]
    assert rule.values["warn"] == Decimal("0.5")
    assert rule.values["fail"] == base.values["fail"]
    assert (rule.source, rule.layer) == (base.source, "ours")
    assert (rule.provenance["warn"].source, rule.provenance["warn"].layer) == ("house_policy", "ours")
    assert rule.provenance.get("fail") == base.provenance.get("fail")


def test_house_and_terms_merge_key_by_key(overlay: Write) -> None:
    overlay("house.toml", 'name_zh = "某某科技"\n')
    folder = overlay("terms.toml", "validity_days = 20\n[markup]\naccelerator = 0.1\n")
    ours, base = load_catalog([folder], FROZEN), load_catalog(root=FROZEN)
    assert (ours.house.name_zh, ours.house.name_en) == ("某某科技", base.house.name_en)
    assert (ours.terms.validity_days, ours.terms.warranty_years) == (20, base.terms.warranty_years)
    assert dict(ours.terms.markup) == {**base.terms.markup, "accelerator": Decimal("0.1")}
    assert layer_of(ours, "terms.markup.accelerator") == layer_of(ours, "house.name_zh") == "ours"
    assert layer_of(ours, "house.name_en") == ""


def test_the_last_overlay_is_on_top(overlay: Write, tmp_path: Path) -> None:
    folder = overlay("house.toml", 'phone = "1"\n')
    top = tmp_path / "top"
    top.mkdir()
    (top / "house.toml").write_text('phone = "2"\n', encoding="utf-8")
    catalog = load_catalog([folder, top], FROZEN)
    assert catalog.house.phone == "2"
    assert layer_of(catalog, "house.phone") == "top"
    assert catalog.layers == ("ours", "top")


def test_a_mistake_in_an_overlay_names_the_overlays_file(overlay: Write) -> None:
    overlay("house.toml", 'fone = "1"\n')
    folder = overlay("terms.toml", '[markup]\nnic = "5%"\n')
    found = {(mistake.file, mistake.place) for mistake in mistakes(FROZEN, folder)}
    assert found == {("ours/house.toml", "fone"), ("ours/terms.toml", "markup.nic")}


def test_a_role_of_an_overlay_needs_a_part(overlay: Write) -> None:
    folder = overlay("terms.toml", '[recipes]\nrack = "rack-42u-600x120"\n')
    found = mistakes(FROZEN, folder)
    assert [(one.file, one.place, one.nearest) for one in found] == [
        ("ours/terms.toml", "recipes.rack", "rack-42u-600x1200")
    ]


def test_rates_and_tiers_of_an_overlay_know_their_layer(overlay: Write) -> None:
    folder = overlay("rates.toml", '[[rate]]\ncurrency = "USD"\ncny = 7\non = 2026-11-30\nsource = "house_policy"\n')
    catalog = load_catalog([folder], FROZEN)
    assert catalog.rates["USD"].cny == 7
    assert layer_of(catalog, "USD") == "ours"


def test_an_unknown_id_has_no_layer(frozen_catalog: Catalog) -> None:
    with pytest.raises(KeyError):
        layer_of(frozen_catalog, "nothing")


def test_a_missing_folder_is_told_with_what_to_type(tmp_path: Path) -> None:
    with pytest.raises(Outside, match="quoting init"):
        load_catalog([tmp_path / "nowhere"], FROZEN)
    with pytest.raises(Outside, match="no folder"):
        load_catalog(root=tmp_path / "nowhere")


def test_the_example_overlay_changes_nothing_and_is_never_written_over(tmp_path: Path) -> None:
    folder = tmp_path / "ours"
    written = init_overlay(folder)
    assert {path.name for path in written} >= {"house.toml", "terms.toml", "prices.csv"}
    with_overlay, alone = load_catalog([folder], FROZEN), load_catalog(root=FROZEN)
    assert (with_overlay.house, with_overlay.prices) == (alone.house, alone.prices)
    with pytest.raises(Outside, match="not empty"):
        init_overlay(folder)


def test_the_example_overlay_is_right_once_its_lines_are_taken_in(tmp_path: Path) -> None:
    folder = tmp_path / "ours"
    for path in init_overlay(folder):
        lines = path.read_text(encoding="utf-8").splitlines()
        kept = [line.removeprefix("# ") for line in lines if not line.startswith("# ") or is_data(line[2:])]
        path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    catalog = load_catalog([folder], FROZEN)
    assert layer_of(catalog, "rack-own-42u") == "ours"
    assert layer_of(catalog, "house.phone") == "ours"
    assert layer_of(catalog, "circuit_80pct") == "ours"


def is_data(line: str) -> bool:
    return line.startswith("[") or (" = " in line and line.split(" = ")[0].isidentifier())


# ------------------------------------------------------------------------------------------------ stamps and places


def test_the_digest_is_that_of_every_file_in_order(write: Write, overlay: Write) -> None:
    root = write("VERSION", "")
    first = load_catalog(root=root)
    assert load_catalog(root=FROZEN).digest == first.digest
    assert load_catalog([overlay("house.toml", 'phone = "1"\n')], root).digest != first.digest
    write("house.toml", "# a word more\n")
    assert load_catalog(root=root).digest != first.digest


def test_the_version_is_one_line(frozen_catalog: Catalog) -> None:
    assert frozen_catalog.version == (FROZEN / "VERSION").read_text(encoding="utf-8").strip() != ""


def test_a_flag_goes_before_the_installed_folders_and_the_working_directory_is_never_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "catalog").mkdir()
    monkeypatch.chdir(tmp_path)
    assert catalog_folder() != tmp_path / "catalog"
    assert catalog_folder(tmp_path) == tmp_path
    with pytest.raises(Outside):
        asset_folder("nothing-of-this-name")


def test_the_examples_of_the_readme_are_right(write: Write, tmp_path: Path) -> None:
    text = (FROZEN.parent.parent / "catalog" / "README.md").read_text(encoding="utf-8")
    source, part, rule = re.findall(r"^```toml\n(.*?)^```", text, re.S | re.M)
    write("sources/readme.toml", source + source.replace("vendor-x-datasheet", "another-source"))
    write("sources/readme.toml", source.replace("vendor-x-datasheet", "supplier-a-2026-11"))
    price = re.search(r"^nic-x-.*$", text, re.M)
    write("parts/readme.toml", part)
    assert price
    (tmp_path / "ours" / "rules").mkdir(parents=True)
    (tmp_path / "ours" / "rules" / "own.toml").write_text(rule, encoding="utf-8")
    catalog = load_catalog([tmp_path / "ours"], write("prices.csv", price[0] + "\n"))
    assert catalog.rules["site.packing"].layer == "ours"
    assert catalog.parts["nic-x-100g-2p"].power_w == 18
    assert catalog.prices["nic-x-100g-2p"][0].supplier == "Supplier A"
