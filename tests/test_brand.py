"""A house's logo, colours and clauses: what is embedded, what is refused, and that it can be read."""

from __future__ import annotations

import base64
import re
import struct
import zlib
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
import sample_quote
from PIL import Image
from pypdf import PdfReader

from quoting.assets import templates_folder
from quoting.catalog import load_catalog
from quoting.documents import write_proposal
from quoting.documents.brand import contrast, ink_on, logo_source, readable
from quoting.documents.proposal import manuscript
from quoting.documents.view import customer_view
from quoting.documents.words import load_words
from quoting.errors import Mistakes
from quoting.rows import Catalog, House, Logo

HOUSES = Path(__file__).resolve().parent / "houses"
ROOTS = (templates_folder(), sample_quote.WORDS_ROOT)
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10 10">'


def svg(inside: str, head: str = HEAD) -> Logo:
    return Logo("house/logo.svg", f"{head}{inside}</svg>".encode())


def content(logo: Logo) -> bytes:
    return base64.b64decode(logo_source(logo).partition(",")[2])


def branded(house: str) -> Catalog:
    """The sample quotation's catalogue with a sample house's brand."""
    brand = load_catalog([HOUSES / house])
    return replace(sample_quote.catalog(), house=brand.house, logo=brand.logo)


def overlay(folder: Path, logo: str, data: bytes | None = None) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "house.toml").write_text(f'logo = "{logo}"\n', encoding="utf-8")
    if data is not None:
        (folder / logo).write_bytes(data)
    return folder


def refused(*overlays: Path) -> str:
    with pytest.raises(Mistakes) as caught:
        load_catalog(overlays)
    return str(caught.value)


@pytest.mark.parametrize(("house", "kind"), [("aurora", "svg+xml"), ("meridian", "png")])
def test_a_logo_stands_on_the_cover_and_in_the_running_head(house: str, kind: str) -> None:
    catalog, words = branded(house), load_words("en", ROOTS)
    pages = manuscript(customer_view(sample_quote.entry(), catalog, words), words, ROOTS)
    assert f'<div class="logo"><img src="data:image/{kind};base64,' in pages.parts[0]
    assert f'<div class="running"><img src="data:image/{kind};base64,' in pages.stationery


@pytest.mark.parametrize("house", ["aurora", "meridian"])
def test_a_sample_house_makes_a_clean_proposal(house: str, tmp_path: Path) -> None:
    path, catalog = tmp_path / "p.pdf", branded(house)
    write_proposal(sample_quote.entry(), path, "zh", catalog=catalog, templates=sample_quote.WORDS_ROOT)
    pages = PdfReader(path).pages
    assert catalog.house.name_zh in re.sub(r"\s", "", pages[0].extract_text())
    drawn = [page for page in pages if "/XObject" in page["/Resources"]]
    assert len(drawn) == len(pages)


def test_without_a_logo_the_name_is_drawn() -> None:
    words = load_words("zh", ROOTS)
    pages = manuscript(customer_view(sample_quote.entry(), sample_quote.catalog(), words), words, ROOTS)
    assert "<img" not in pages.stationery
    assert 'class="logo"' not in pages.parts[0]
    assert sample_quote.catalog().house.name_zh in pages.parts[0]
    assert sample_quote.catalog().house.short_zh in pages.stationery


@pytest.mark.parametrize(
    "inside",
    [
        "<script>1</script>",
        '<rect width="1" height="1" onclick="x()"/>',
        '<image href="https://example.com/a.png" width="9" height="9"/>',
        '<use xlink:href="#a"/>',
        '<a href="https://example.com"><rect width="1" height="1"/></a>',
        '<rect width="1" height="1" xlink:href="https://example.com"/>',
        "<foreignObject><p>x</p></foreignObject>",
        '<rect width="1" height="1"><animate attributeName="x" to="9"/></rect>',
        '<style>@import "https://example.com/a.css";</style>',
        '<rect width="1" height="1" style="fill:url(https://example.com/a)"/>',
        '<rect width="1" height="1" style="background:url(file:///etc/passwd)"/>',
        '<rect width="1" height="1" fill="url(https://example.com/a#b)"/>',
        '<rect width="1" height="1" filter="url(#f)"/>',
        "<g>" * 30 + "</g>" * 30,
        '<rect width="1" height="1"/>' * 6000,
    ],
)
def test_an_svg_that_could_run_fetch_or_swell_is_refused(inside: str) -> None:
    with pytest.raises(Mistakes, match=r"house/logo\.svg: logo: .*; expected an SVG of plain shapes"):
        logo_source(svg(inside))


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
        "<svg",
        "<html/>",
        '<svg xmlns="http://www.w3.org/2000/svg"/>',
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 900"/>',
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1e9 1e9"/>',
    ],
)
def test_what_is_no_sound_svg_is_refused(text: str) -> None:
    with pytest.raises(Mistakes):
        logo_source(Logo("house/logo.svg", text.encode()))


def test_an_svg_keeps_its_shapes_and_loses_its_notes() -> None:
    made = content(Logo("house/logo.svg", (HOUSES / "aurora" / "logo.svg").read_bytes())).decode()
    assert 'fill="url(#sky)"' in made
    assert 'stop-color="#123A5E"' in made
    assert "inkscape" not in made
    assert "drawn for a test" not in made


def test_a_png_is_encoded_anew_without_its_notes() -> None:
    plain = (HOUSES / "meridian" / "logo.png").read_bytes()
    note = b"tEXtComment\0secret note"
    chunk = struct.pack(">I", len(note) - 4) + note + struct.pack(">I", zlib.crc32(note))
    made = content(Logo("house/logo.png", plain[:33] + chunk + plain[33:] + b"<script>"))
    assert b"secret" not in made
    assert b"<script>" not in made
    assert Image.open(BytesIO(made)).size == Image.open(BytesIO(plain)).size


def test_a_png_of_too_many_pixels_is_refused_before_it_is_decoded() -> None:
    head = b"IHDR" + struct.pack(">IIBBBBB", 30000, 30000, 8, 6, 0, 0, 0)
    bomb = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))
    with pytest.raises(Mistakes, match="16 megapixels"):
        logo_source(Logo("house/logo.png", bomb))


@pytest.mark.parametrize("data", [b"", b"GIF89a", (HOUSES / "meridian" / "logo.png").read_bytes()[:300]])
def test_a_broken_png_is_refused(data: bytes) -> None:
    with pytest.raises(Mistakes, match="not a sound PNG"):
        logo_source(Logo("house/logo.png", data))


def test_a_logo_outside_its_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "logo.png").write_bytes((HOUSES / "meridian" / "logo.png").read_bytes())
    folder = overlay(tmp_path / "ours", "../logo.png")
    assert "leads out of its folder" in refused(folder)
    (folder / "link.png").symlink_to(tmp_path / "logo.png")
    assert "leads out of its folder" in refused(overlay(folder, "link.png"))


def test_a_logo_that_is_missing_too_large_or_of_another_kind_is_refused(tmp_path: Path) -> None:
    assert "there is no file" in refused(overlay(tmp_path / "a", "logo.png"))
    assert "too large" in refused(overlay(tmp_path / "b", "logo.png", b"0" * (512 * 1024 + 1)))
    told = refused(overlay(tmp_path / "c", "logo.gif", b"GIF89a"))
    assert "c/house.toml: logo: logo.gif is neither PNG nor SVG; expected a PNG or SVG file of at most 512 KB" in told


def test_a_changed_logo_changes_the_catalogue(tmp_path: Path) -> None:
    before = load_catalog([overlay(tmp_path / "a", "logo.svg", b"<svg/>")]).digest
    assert load_catalog([overlay(tmp_path / "a", "logo.svg", b"<svg />")]).digest != before


def test_a_colour_in_three_digits_is_one_in_six() -> None:
    assert load_catalog([HOUSES / "meridian"]).house.colour == "#661133"


def test_a_colour_too_light_for_headings_is_darkened_and_a_dark_one_kept() -> None:
    assert readable("#123A5E") == "#123A5E"
    for colour in ("#3CB6A9", "#EE6600", "#FFFF00", "#FFFFFF"):
        assert contrast(readable(colour), "#FFFFFF") >= 4.5
    assert contrast("#000000", "#FFFFFF") == 21


@pytest.mark.parametrize(("colour", "ink"), [("#123A5E", "#FFFFFF"), ("#3CB6A9", "#000000"), ("#FFFF00", "#000000")])
def test_text_on_the_house_colour_stands_out(colour: str, ink: str) -> None:
    assert ink_on(colour) == ink


def labels(house: House) -> list[str]:
    words = load_words("en", ROOTS)
    view = customer_view(sample_quote.entry(), replace(sample_quote.catalog(), house=house), words)
    return [clause.label for clause in view.clauses]


def test_the_house_chooses_its_clauses() -> None:
    house = sample_quote.catalog().house
    assert "Inspection on arrival" in labels(replace(house, clauses="goods"))
    assert "Data and results" in labels(replace(house, clauses="services"))
    assert labels(replace(house, clauses="goods"))[0] == "Payment"
    with pytest.raises(Mistakes, match="no clauses are called leasing; expected goods or integration"):
        labels(replace(house, clauses="leasing"))


@pytest.mark.parametrize("name", ["payment", "common"])
def test_tables_that_are_no_scenario_cannot_be_chosen(name: str) -> None:
    with pytest.raises(Mistakes):
        labels(replace(sample_quote.catalog().house, clauses=name))


def test_services_in_the_quotation_bring_the_clauses_of_integration() -> None:
    quote, words = sample_quote.entry(), load_words("en", ROOTS)
    with_service = any(line.group == "service" for line in quote.price.lines)
    bare = replace(
        quote, price=replace(quote.price, lines=tuple(line for line in quote.price.lines if line.group != "service"))
    )
    told = [[c.label for c in customer_view(one, sample_quote.catalog(), words).clauses] for one in (quote, bare)]
    assert ("Delivery and installation" in told[0]) == with_service
    assert "Inspection on arrival" in told[1]
