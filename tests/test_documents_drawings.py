"""Pictures: drawn from the view, in the document's words, as attributes only."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree

import pytest
import sample_quote

from quoting.assets import templates_folder
from quoting.documents.customer import CustomerView, Group
from quoting.documents.drawings import draw, svg
from quoting.documents.drawings.groups import price_by_group
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
    assert "R01 – R03" in text
    assert "× 3" in text
    assert "R04" in text
    assert "14.9 kW" in text


def test_every_device_of_a_lone_rack_is_named_with_its_units() -> None:
    text = drawn(draw(*seen(sample_quote.entry(), "en"))["racks"][0])
    for name in ("N01", "SW1", "SW2", "U4–U7", ">U42<"):
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
    assert "第 13.2 个月持平" in drawn(draw(*seen(sample_quote.entry()))["cost"])


def test_group_chart_leaves_out_groups_without_a_price() -> None:
    groups = [
        Group(id=id, name=id, total=total, lines=())
        for id, total in (("a", Decimal(100)), ("b", None), ("c", Decimal(50)))
    ]
    text = drawn(price_by_group(groups, svg.Ink("#000000", "#ff0000")))
    assert ">b<" not in text
    assert "100.00" in text


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
