"""Pages set in a process of their own are the pages set here, and what fails there is told here."""

from pathlib import Path

import pytest

from quoting.assets import stylesheet, templates_folder
from quoting.documents.render import press, to_pdf
from quoting.documents.setter import page_setter
from quoting.errors import Outside

ROOTS = (templates_folder(),)
PAGE = "<html lang='zh'><body><h1>方案</h1><p>{}</p></body></html>"


def test_the_same_page_gives_the_same_bytes_here_and_there() -> None:
    sheet = stylesheet(ROOTS)
    html = PAGE.format("一页")
    with page_setter(sheet) as setter:
        if setter is None:
            pytest.skip("one processor, or no fork: pages are set in line")
        there = setter.set(html, sheet, None, b"id", 60)
    assert there == to_pdf(html, press(sheet), b"id")


def test_what_the_renderer_complains_of_is_told_with_its_remedy() -> None:
    sheet = stylesheet(ROOTS)
    with page_setter(sheet) as setter:
        if setter is None:
            pytest.skip("one processor, or no fork: pages are set in line")
        with pytest.raises(Outside, match="may not load|cannot be loaded|Failed"):
            setter.set(PAGE.format("<img src='file:///etc/hostname'>"), sheet, None, b"id", 60)


def test_a_missing_font_folder_is_told_when_a_page_is_set(tmp_path: Path) -> None:
    sheet = stylesheet(ROOTS)
    with page_setter(sheet, tmp_path) as setter:
        if setter is None:
            pytest.skip("one processor, or no fork: pages are set in line")
        with pytest.raises(Outside, match=r"400\.ttf"):
            setter.set(PAGE.format("x"), sheet, tmp_path, b"id", 60)
