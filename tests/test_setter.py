"""Pages set in a process of their own are the pages set here, and what fails there is told here."""

import multiprocessing
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
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
HEAD = "<html lang='zh'><style>html { --colour: #123456 }</style>"


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
        setter.set(holding("<img src='file:///etc/hostname'>"), 60)


def test_a_render_over_its_time_is_told_here(setter: Setter) -> None:
    with pytest.raises(Outside, match="longer than"):
        setter.set(holding("<p>算</p>" * 20_000), 1)


def test_a_missing_font_is_told_when_a_page_is_set(tmp_path: Path) -> None:
    with page_setter(SHEET, tmp_path) as setter:
        if setter is None:
            pytest.skip("one processor, or no fork: pages are set in line")
        with pytest.raises(Outside, match=r"400\.ttf"):
            setter.set(holding("x"), 60)


def test_a_setter_goes_on_after_a_failure(setter: Setter) -> None:
    two = holding("x")
    two = replace(two, parts=(two.parts[0].replace("x", "<h1>甲</h1>"), two.parts[0].replace("x", "<h1>乙</h1>")))
    whole = setter.set(two, 60)
    for part in range(2):
        spoilt = list(two.parts)
        spoilt[part] = spoilt[part].replace("<body>", "<body><p style='colour: red'>x</p>")
        with pytest.raises(Outside, match="Ignored"):
            setter.set(replace(two, parts=tuple(spoilt)), 60)
        assert setter.set(two, 60) == whole


def test_a_long_answer_nobody_waits_for_is_in_nobodys_way(setter: Setter, monkeypatch: pytest.MonkeyPatch) -> None:
    many = "".join(f"<p>{chr(code)}</p>" for code in range(0x4E00, 0x5600))  # a PDF of more than a pipe holds
    two = holding(many)
    two = replace(two, parts=(two.parts[0], two.parts[0]))
    whole = setter.set(two, 60)
    monkeypatch.setattr("quoting.documents.binding.frame_html", broken)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            setter.set(two, 60)
    monkeypatch.undo()
    assert setter.set(two, 60) == whole


def broken(*_: object) -> str:
    raise ZeroDivisionError


def test_a_long_stationery_is_in_nobodys_way(setter: Setter) -> None:
    many = "".join(f"<p>{chr(code)}</p>" for code in range(0x4E00, 0x5600))
    two = holding(many)
    long = f"<section class='leaf'><!--{'x' * 2_000_000}--></section>"
    two = replace(two, parts=(two.parts[0], two.parts[0]), stationery=long + "<section class='leaf'></section>")
    assert setter.set(two, 60).startswith(b"%PDF")


@pytest.mark.parametrize("which", [0, 1])
def test_an_ended_process_is_told(which: int) -> None:
    with page_setter(SHEET) as setter:
        if setter is None:
            pytest.skip("one processor, or no fork: pages are set in line")
        setter.set(holding("x"), 60)
        setter.pipes[which].close()
        with pytest.raises(Outside, match="was ended"):
            setter.set(holding("x"), 60)


def running(group: int) -> bool:
    """Whether a process of the group still runs; one that ended and that nobody has asked after does not."""
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _parent, belongs = status.read_text().rpartition(")")[2].split()[:3]
            if int(belongs) == group and state != "Z":
                return True
    return False


def test_no_process_outlives_the_block() -> None:
    with page_setter(SHEET) as setter:
        if setter is None:
            pytest.skip("one processor, or no fork: pages are set in line")
        setter.set(holding("x"), 60)
        (first,) = multiprocessing.active_children()
        assert first.pid is not None
        assert running(first.pid)
    assert not running(first.pid)
