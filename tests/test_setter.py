"""Pages set in a process of their own are the pages set here, and what fails there is told here."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import sample_quote

from quoting.assets import stylesheet, templates_folder
from quoting.documents import write_proposal
from quoting.documents.setter import Setter, page_setter
from quoting.errors import Outside
from quoting.rows import Catalog

SHEET = stylesheet((templates_folder(),))
CLEAN = "<html lang='zh'><body>{}</body></html>"


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
        setter.set(CLEAN.format("<img src='file:///etc/hostname'>"), SHEET, None, b"id", 60)


def test_a_render_over_its_time_is_told_here(setter: Setter) -> None:
    with pytest.raises(Outside, match="longer than"):
        setter.set(CLEAN.format("<p>算</p>" * 20_000), SHEET, None, b"id", 1)


def test_a_missing_font_is_told_when_a_page_is_set(tmp_path: Path) -> None:
    with page_setter(SHEET, tmp_path) as setter:
        if setter is None:
            pytest.skip("one processor, or no fork: pages are set in line")
        with pytest.raises(Outside, match=r"400\.ttf"):
            setter.set(CLEAN.format("x"), SHEET, tmp_path, b"id", 60)
