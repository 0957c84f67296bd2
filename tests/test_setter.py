"""Pages set in a process of their own are the pages set here, and what fails there is told here."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import sample_quote

from quoting.assets import stylesheet, templates_folder
from quoting.documents import write_proposal
from quoting.documents.manuscript import Manuscript
from quoting.documents.setter import Setter, page_setter
from quoting.errors import Outside
from quoting.rows import Catalog

SHEET = stylesheet((templates_folder(),))
HEAD = "<html lang='zh'>"


def holding(content: str) -> Manuscript:
    return Manuscript(
        parts=(f"{HEAD}<body>{content}</body></html>",),
        head=HEAD,
        stationery="<section class='leaf'></section>" * 2,
        contents_title="目录",
        contents_after=1,
        folio=("第 ", " 页 共 ", " 页"),
    )


@pytest.fixture
def setter() -> Iterator[Setter]:
    with page_setter(SHEET) as setter:
        if setter is None:
            pytest.skip("one processor, or no fork: pages are set in line")
        yield setter


def test_the_same_quotation_gives_the_same_bytes_here_and_there(
    setter: Setter, catalog: Catalog, tmp_path: Path
) -> None:
    quote = sample_quote.entry()
    write_proposal(quote, tmp_path / "here.pdf", "zh", catalog=catalog, templates=sample_quote.WORDS_ROOT)
    write_proposal(
        quote, tmp_path / "there.pdf", "zh", catalog=catalog, templates=sample_quote.WORDS_ROOT, setter=setter
    )
    assert (tmp_path / "here.pdf").read_bytes() == (tmp_path / "there.pdf").read_bytes()


def test_what_the_renderer_complains_of_is_told_here(setter: Setter) -> None:
    with pytest.raises(Outside, match="document"):
        setter.set(holding("<img src='file:///etc/hostname'>"), SHEET, None, 60)


def test_a_render_over_its_time_is_told_here(setter: Setter) -> None:
    with pytest.raises(Outside, match="longer than"):
        setter.set(holding("<p>算</p>" * 20_000), SHEET, None, 1)


def test_a_missing_font_is_told_when_a_page_is_set(tmp_path: Path) -> None:
    with page_setter(SHEET, tmp_path) as setter:
        if setter is None:
            pytest.skip("one processor, or no fork: pages are set in line")
        with pytest.raises(Outside, match=r"400\.ttf"):
            setter.set(holding("x"), SHEET, tmp_path, 60)
