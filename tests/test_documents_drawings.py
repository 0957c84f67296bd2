"""Pictures: drawn from the view, in the document's words, as attributes only."""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import fields, replace
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree

import pytest
import sample_quote

from quoting.assets import templates_folder
from quoting.documents.brand import contrast
from quoting.documents.customer import Crossing, CustomerView, Group
from quoting.documents.customer_plan import Supply
from quoting.documents.drawings import draw, svg
from quoting.documents.drawings.groups import price_by_group
from quoting.documents.drawings.rack import numbered, span
from quoting.documents.fonts import FAMILY, font_files
from quoting.documents.formats import money, number, percent, short
from quoting.documents.view import customer_view
from quoting.documents.words import Words, load_words
from quoting.errors import Outside
from quoting.records import Quote


def seen(quote: Quote, language: str = "zh") -> tuple[CustomerView, Words]:
    words = load_words(language, (templates_folder(), sample_quote.WORDS_ROOT))  # type: ignore[arg-type]
    return customer_view(quote, sample_quote.catalog(), words), words


def drawn(source: object) -> str:
    assert isinstance(source, str)
    text = b64decode(source.removeprefix("data:image/svg+xml;base64,")).decode()
    assert ElementTree.fromstring(text).get("font-family") == FAMILY
    assert "style" not in text
    return text


def test_equal_racks_are_drawn_once_with_their_number() -> None:
    pictures = draw(*seen(sample_quote.cluster()))["racks"]
    assert len(pictures) == 1
    text = drawn(pictures[0])
    assert "R01 – R03 × 3 架，相同" in text
    assert "每架 " in text
    assert "R04" in text
    assert "14.9 kW" in text


def test_every_device_of_a_lone_rack_is_named_with_its_units() -> None:
    text = drawn(draw(*seen(sample_quote.entry(), "en"))["racks"][0])
    for name in ("N01", "SW1", "SW2", "U4–U7", ">U42 · "):
        assert name in text


def test_topology_counts_switches_and_links() -> None:
    text = drawn(draw(*seen(sample_quote.cluster()))["topology"])
    assert "32 条 · 400G InfiniBand" in text
    assert "计算节点 ×4" in text


def test_many_nodes_collapse() -> None:
    quote = sample_quote.cluster()
    chosen = replace(quote.choice.chosen, nodes=64)  # type: ignore[type-var]
    text = drawn(draw(*seen(replace(quote, choice=replace(quote.choice, chosen=chosen))))["topology"])
    assert "N64" in text
    assert "N05" not in text


def test_cost_chart_needs_both_sides() -> None:
    assert draw(*seen(sample_quote.cluster()))["cost"] == ""
    assert "第 13 个月持平" in drawn(draw(*seen(sample_quote.entry()))["cost"])


def test_break_even_beyond_the_chart_is_told() -> None:
    view, words = seen(sample_quote.entry(), "en")
    far = replace(view.owning, crossings=(Crossing(utilisation=view.owning.utilisation, months=Decimal(52)),))
    text = drawn(draw(replace(view, owning=far), words)["cost"])
    assert f"{percent(far.utilisation)} use, month 52" in text
    assert "break-even in month" not in text
    never = replace(view.owning, crossings=(Crossing(utilisation=view.owning.utilisation, months=None),))
    assert f"{percent(never.utilisation)} use, never" in drawn(draw(replace(view, owning=never), words)["cost"])


def test_renting_is_a_band_over_utilisation() -> None:
    view, words = seen(sample_quote.entry(), "en")
    low, high = (tuple(Decimal(rate) * month for month in range(37)) for rate in (16000, 48000))
    owning = replace(view.owning, rent_low_by_month=low, rent_high_by_month=high, band=(Decimal("0.3"), Decimal("0.9")))
    text = drawn(draw(replace(view, owning=owning), words)["cost"])
    assert "renting at 30 % – 90 % use" in text
    assert "90 % use" in text
    assert "<polygon" in text
    assert "<polygon" not in drawn(draw(view, words)["cost"])


def supplied(**known: object) -> Supply:
    nothing = dict.fromkeys(field.name for field in fields(Supply))
    return Supply(**{**nothing, "sides": (), "ups": False, **known})  # type: ignore[arg-type]


def test_power_path_says_what_is_unknown() -> None:
    view, words = seen(sample_quote.entry(), "en")
    text = drawn(draw(replace(view, supply=supplied()), words)["power"])
    assert text.count("unknown") == 3  # feeds, their circuit, generator
    assert "Feeds unknown" in text
    assert "Mains" in text
    assert "size not given" in text
    assert "UPS" not in text
    assert "Transformer" not in text


def test_power_path_draws_each_feed_with_its_circuit() -> None:
    view, words = seen(sample_quote.cluster())
    known = supplied(
        transformer_kva=Decimal(630),
        transformer_load_kva=Decimal(260),
        ups_kva=Decimal(120),
        ups_needed_kva=Decimal("8.2"),
        ups=True,
        generator=True,
        sides=("A", "B"),
        phases=3,
        amps=Decimal(32),
        circuit_kw=Decimal("20.01"),
        power_kw=Decimal("45.2"),
    )
    text = drawn(draw(replace(view, supply=known), words)["power"])
    for told in ("A 路", "B 路", "3 相 32 A", "每回路 20 kW", "630 kVA", "120 kVA", "合计 45.2 kW", "R01–R03"):
        assert told in text, told
    assert "B 路电源" in text
    assert "dasharray" not in text
    assert ">UPS<" not in drawn(draw(replace(view, supply=replace(known, ups=False)), words)["power"])
    single = drawn(draw(replace(view, supply=replace(known, sides=("A",))), words)["power"])
    assert ">B 路<" not in single
    assert "断电即停机" in single


def test_racks_that_do_not_follow_one_another_are_named_apart() -> None:
    assert numbered(["R01", "R02", "R03"]) == "R01 – R03"
    assert numbered(["R01", "R02", "R05", "R07", "R08"]) == "R01 – R02, R05, R07 – R08"
    assert span(["SW-C9", "SW-C11", "SW-C10", "SW-C2"]) == "SW-C2, SW-C9–11"


def test_memory_bar_tells_states_activations_and_headroom_apart_without_colour() -> None:
    view, words = seen(sample_quote.entry(), "en")
    work = replace(view.works[0], kv_gb=Decimal(8), activation_gb=Decimal(4), overhead_gb=Decimal(2))
    text = drawn(draw(replace(view, works=(work,)), words)["memory"][0])
    assert "KV cache 8 GB" in text
    assert "activations, runtime (one card) 6 GB" in text
    assert text.count('fill="none"') >= 4  # two hatchings in the bar, two in the key


def test_long_switch_names_are_wrapped_not_cut() -> None:
    view, words = seen(sample_quote.cluster(), "en")
    name = "InfiniBand switch with sixty-four ports of 400 gigabits and redundant supplies"
    fabrics = tuple(replace(one, leaf_name=name) for one in view.fabrics)
    text = drawn(draw(replace(view, fabrics=fabrics), words)["topology"])
    assert "…" not in re.sub("<[^>]+>", "", text).replace("S…", "")
    assert all(word in text for word in name.split())


def test_lone_node_shows_the_speed_of_its_uplinks() -> None:
    view, words = seen(sample_quote.entry(), "en")
    assert view.plan is not None
    plan = replace(view.plan, uplink="service and management 2 × 25G")
    text = drawn(draw(replace(view, plan=plan, fabrics=()), words)["topology"])
    assert "2 × 25G" in text


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_picture_says_what_it_shows(language: str) -> None:
    view, words = seen(sample_quote.entry(), language)
    for name, source in draw(view, words).items():
        for one in (source,) if isinstance(source, str) else source:
            label = ElementTree.fromstring(drawn(one)).get("aria-label")
            assert label == words.say(f"drawing.{name.removesuffix('s') if name == 'racks' else name}.alt")


@pytest.mark.parametrize("colour", ["#123A5E", "#2D8A80", "#661133", "#000000", "#767676", "#B8860B"])
@pytest.mark.parametrize("share", [1.0, 0.7, 0.4, 0.14])
def test_labels_can_be_read_on_every_tint(colour: str, share: float) -> None:
    fill = svg.tint(colour, share)
    assert contrast(fill, svg.letters_on(fill)) >= Decimal("4.5")


def test_tint_is_the_colour_thinned_with_white() -> None:
    assert svg.tint("#123A5E", 1) == "#123a5e"
    assert svg.tint("#000000", 0.2) == "#cccccc"
    assert svg.letters_on("#123a5e") == "#ffffff"
    assert svg.letters_on("#eeeeee") == svg.TEXT


def test_group_chart_leaves_out_groups_without_a_price() -> None:
    groups = [
        Group(id=id, name=id, total=total, lines=())
        for id, total in (("a", Decimal(100)), ("b", None), ("c", Decimal(50)))
    ]
    _, words = seen(sample_quote.entry(), "en")
    text = drawn(price_by_group(groups, Decimal(150), words, svg.Ink("#000000", "#ff0000")))
    assert ">b<" not in text
    assert "100.00" in text
    assert "150.00" in text
    assert "Total" not in drawn(price_by_group(groups, None, words, svg.Ink("#000000", "#ff0000")))


def test_text_in_a_picture_is_escaped_and_clipped() -> None:
    assert "&lt;b&gt;" in svg.text(0, 0, "<b>")
    assert svg.clip("一二三四五六", 10, 35) == "一二…"
    assert svg.clip("short", 10, 100) == "short"


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (money(Decimal("1234567.5")), "1,234,567.50"),
        (money(Decimal("0.005")), "0.01"),
        (number(Decimal("-0.0001")), "0"),
        (number(Decimal("290824000000000000000")), "2.91×10^20"),
        (short(Decimal("1410.6")), "1,411"),
        (short(Decimal("12.34")), "12.3"),
        (short(Decimal("0.126")), "0.13"),
        (percent(Decimal("0.1538"), signed=True), "+15.4 %"),
        (percent(Decimal("-0.1769"), signed=True), "−17.7 %"),
    ],
)
def test_numbers_look_as_people_write_them(shown: str, expected: str) -> None:
    assert shown == expected


def test_font_folder_without_fonts_is_refused_with_the_line_to_type(tmp_path: Path) -> None:
    with pytest.raises(Outside, match=r"lacks 400\.ttf, 700\.ttf; .*quoting fonts") as caught:
        font_files(tmp_path)
    assert caught.value.exit_code == 4


def test_unwritable_font_cache_is_exit_4(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("QUOTING_CACHE", str(tmp_path / "file"))
    with pytest.raises(Outside, match="cannot write the font cache") as caught:
        font_files()
    assert caught.value.exit_code == 4
    assert "QUOTING_CACHE" in caught.value.remedy


def test_given_font_folder_is_used(tmp_path: Path) -> None:
    for weight in (400, 700):
        (tmp_path / f"{weight}.ttf").write_bytes(b"")
    assert font_files(tmp_path) == {400: tmp_path / "400.ttf", 700: tmp_path / "700.ttf"}
