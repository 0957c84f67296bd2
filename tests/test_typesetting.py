"""Parts set side by side make one book: numbered, listed, bookmarked, the same whoever sets them."""

import re
from collections.abc import Sequence
from io import BytesIO
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from quoting.assets import stylesheet, templates_folder
from quoting.documents import typesetting
from quoting.documents.binding import with_contents
from quoting.documents.manuscript import Leaf, Manuscript, Mark, Notes
from quoting.documents.render import Press, press
from quoting.documents.typesetting import halves, typeset
from quoting.errors import Outside

HEAD = "<!doctype html><html lang='zh-CN'><head><title>书</title><style>html { --colour: #123456 }</style></head>"
TALL = "<p style='height: 150mm'>一段</p>"


def book_of(parts: Sequence[str]) -> Manuscript:
    """A manuscript of bodies; as in a proposal an end is marked, and the stationery says what it is."""
    return Manuscript(
        parts=tuple(f"{HEAD}<body>{part}<div id='end'></div></body></html>" for part in parts),
        head=HEAD,
        stationery="<section class='leaf'><p>封</p></section><section class='leaf'><p>笺</p></section>",
        contents_title="目录",
        contents_after=1,
        folio=("第", "页共", "页"),
    )


@pytest.fixture(scope="module")
def shared() -> Press:
    return press(stylesheet((templates_folder(),)))


def texts(pdf: bytes) -> list[str]:
    return [re.sub(r"\s+", "", page.extract_text()) for page in PdfReader(BytesIO(pdf)).pages]


def outline(items: list[Any], reader: PdfReader) -> list[tuple[str, int]]:
    """Title and page, counted from 1, of every bookmark, sections after their chapter."""
    found = []
    for item in items:
        if isinstance(item, list):
            found += outline(item, reader)
        else:
            found.append((item.title, (reader.get_destination_page_number(item) or 0) + 1))
    return found


CHAPTERS = (
    f"<section class='cover'>封面</section><h1>甲章</h1>{TALL}<h2>甲一</h2>{TALL}",
    f"<h1>乙章</h1>{TALL}<h2>乙一</h2>{TALL}<h2>乙二</h2>",
    f"<h1>丙章</h1>{TALL}",
)


def test_every_heading_is_listed_and_bookmarked_with_the_page_it_stands_on(shared: Press) -> None:
    pdf = typeset(book_of(CHAPTERS), shared, 60)
    pages, reader = texts(pdf), PdfReader(BytesIO(pdf))
    marks = outline(reader.outline, reader)
    assert [title for title, _ in marks] == ["甲章", "甲一", "乙章", "乙一", "乙二", "丙章"]
    contents = next(page for page in pages if "目录" in page)
    for title, page in marks:
        assert title in pages[page - 1]
        assert f"{title}···{page}" in contents


def test_pages_are_numbered_through_and_the_cover_is_not(shared: Press) -> None:
    pages = texts(typeset(book_of(CHAPTERS), shared, 60))
    assert "页共" not in pages[0]
    for number, page in enumerate(pages[1:], 2):
        assert f"第{number}页共{len(pages)}页" in page


def test_the_cover_has_its_own_stationery(shared: Press) -> None:
    pages = texts(typeset(book_of(CHAPTERS), shared, 60))
    assert "封" in pages[0]
    assert ["笺" in page for page in pages] == [False] + [True] * (len(pages) - 1)


def test_every_line_of_the_contents_leads_to_its_page(shared: Press) -> None:
    reader = PdfReader(BytesIO(typeset(book_of(CHAPTERS), shared, 60)))
    contents = next(page for page in reader.pages if "目录" in page.extract_text())
    places = reader.named_destinations
    targets = []
    for found in contents["/Annots"]:
        link = found.get_object()
        name = link["/Dest"] if "/Dest" in link else link["/A"]["/D"]
        targets.append((reader.get_destination_page_number(places[name]) or 0) + 1)
    assert targets == [page for _, page in outline(reader.outline, reader)]


def test_one_part_makes_a_book(shared: Press) -> None:
    pages = texts(typeset(book_of(CHAPTERS[:1]), shared, 60))
    assert len(pages) == 4  # cover, two pages of text, contents


def test_two_subsets_of_a_font_have_two_names(shared: Press) -> None:
    reader = PdfReader(BytesIO(typeset(book_of(CHAPTERS), shared, 60)))
    names = [
        str(found["/FontName"])
        for found in (reader.get_object(number) for number in range(1, len(reader.xref_objStm) + len(reader.xref[0])))
        if isinstance(found, dict) and "/FontName" in found
    ]
    assert len(names) >= 3
    assert len(set(names)) == len(names)


def test_a_last_page_with_next_to_nothing_is_saved_by_setting_closer(shared: Press) -> None:
    line = "<p>行</p>"
    for lines in range(20, 80):
        loose = typesetting.laid_out(book_of([line * lines]).parts[0], shared)
        if len(loose.pages) == 2:
            break
    assert 0 < typesetting._left_over(loose) < 0.11
    kept = typesetting._without_a_nearly_empty_page(book_of([line * lines]).parts[0], shared)
    assert len(kept.pages) == 1


def test_a_well_filled_last_page_is_left_alone(shared: Press) -> None:
    part = book_of([TALL * 3]).parts[0]
    assert len(typesetting._without_a_nearly_empty_page(part, shared).pages) == 3


@pytest.mark.parametrize("part", [0, 1, 2])
@pytest.mark.parametrize(
    ("spoilt", "told"),
    [
        ("<img src='file:///etc/hostname'>", "document refused"),
        ("<p style='colour: red'>x</p>", "Ignored"),
        ("<p>\U000e8123</p>", "notdef"),
    ],
)
def test_a_complaint_about_any_part_is_told(part: int, spoilt: str, told: str, shared: Press) -> None:
    chapters = list(CHAPTERS)
    chapters[part] += spoilt
    with pytest.raises(Outside, match=told):
        typeset(book_of(chapters), shared, 60)


@given(st.lists(st.integers(0, 3000), min_size=1, max_size=6), st.integers(0, 800))
def test_no_other_way_to_stack_the_parts_is_more_even(weights: list[int], beside: int) -> None:
    def heavier(first: Sequence[int]) -> int:
        load = beside + sum(weights[place] for place in first)
        return max(load, sum(weights) + beside - load)

    first, second = halves(weights, beside)
    assert sorted((*first, *second)) == list(range(len(weights)))
    places = range(len(weights))
    every = (chosen for size in range(1, len(weights) + 1) for chosen in combinations(places, size))
    assert heavier(first) == min(map(heavier, every))


def test_the_contents_take_as_many_pages_as_their_lines_need() -> None:
    marks = tuple(Mark(2, "节", 0, 0) for _ in range(73))
    leaves = with_contents(book_of(["", ""]), [[Leaf(0, 0)], [Leaf(1, 0, Notes(marks))]])
    assert [leaf.stack for leaf in leaves] == [0, None, None, 1]


def test_a_reference_prints_the_page_its_target_stands_on(shared: Press) -> None:
    chapters = (CHAPTERS[0] + "<p>见</p><div id='page-of.there.1'></div>", f"{TALL}{TALL}<h1 id='there'>彼章</h1>")
    pages = texts(typeset(book_of(chapters), shared, 60))
    target = next(page for page, text in enumerate(pages, 1) if "彼章" in text and "目录" not in text)
    asking = next(text for text in pages if "见" in text)
    assert re.sub(r"第\d+页共\d+页", "", asking).endswith(f"{target}笺")


def test_no_column_of_the_contents_is_longer_than_a_page(shared: Press) -> None:
    for sections in (40, 50, 60, 70):
        chapters = [f"<h1>甲</h1>{''.join(f'<h2>{number}</h2>' for number in range(sections))}", "<h1>乙</h1>"]
        pages = texts(typeset(book_of(chapters), shared, 60))
        assert sum("目录" in page for page in pages) == 1
        assert pages[-1].startswith("乙")


@pytest.mark.parametrize("sections", [1, 60])
@pytest.mark.parametrize("label", ["W" * 300, "算" * 200, "Compute, network, storage, software"])
def test_a_line_of_the_contents_is_one_line_and_short_headings_stand_whole(
    label: str, sections: int, shared: Press
) -> None:
    chapters = [f"<h1>甲</h1>{f'<h2>{label}</h2>' * sections}", "<h1>乙</h1>"]
    pages = texts(typeset(book_of(chapters), shared, 60))
    contents = "".join(page for page in pages if page.count("···") > 2)
    assert contents.count("···") == sections + 2
    assert sum("目录" in page for page in pages) == 1
    assert (re.sub(r"\s", "", label) in contents) == label.startswith("Compute")
