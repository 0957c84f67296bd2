"""Pages as pictures: every page once, a sheet of all, old ones gone, and what is said when the tool is missing."""

from __future__ import annotations

import shutil
import sys
from io import BytesIO
from pathlib import Path

import pytest
import sample_quote
from PIL import Image
from pypdf import PdfReader, PdfWriter

from quoting.cli import main
from quoting.documents import write_proposal
from quoting.documents.preview import TOOL, contact_sheet, preview
from quoting.errors import Mistakes, Outside

ROOT = Path(__file__).resolve().parent.parent
drawn = pytest.mark.skipif(shutil.which(TOOL) is None, reason=f"{TOOL} of poppler-utils is missing")


def blank_pdf(path: Path, pages: int, width: int = 595, height: int = 842) -> Path:
    writer = PdfWriter()
    for _ in range(pages):
        writer.add_blank_page(width, height)
    writer.write(path)
    return path


@drawn
def test_every_page_of_a_proposal_is_a_picture_and_all_are_on_one_sheet(tmp_path: Path) -> None:
    pdf = tmp_path / "proposal.pdf"
    templates, rows = sample_quote.WORDS_ROOT, sample_quote.catalog()
    write_proposal(sample_quote.entry(), pdf, "zh", catalog=rows, templates=templates)
    *pages, sheet = preview(pdf, tmp_path / "out")
    assert len(pages) == len(PdfReader(pdf).pages)
    assert sheet.name == "contact.png"
    with Image.open(pages[0]) as first:
        assert max(first.size) == 1600
        assert len(first.convert("RGB").getcolors(2**24) or ()) > 10
    with Image.open(sheet) as whole:
        rows_of_pages = -(-len(pages) // 5)
        assert whole.width > 5 * 320
        assert whole.height > rows_of_pages * 420


@drawn
def test_pictures_of_an_earlier_call_go_and_other_files_stay(tmp_path: Path) -> None:
    out = tmp_path / "out"
    preview(blank_pdf(tmp_path / "long.pdf", 12), out)
    (out / "notes.txt").write_text("kept", encoding="utf-8")
    preview(blank_pdf(tmp_path / "short.pdf", 2), out)
    assert sorted(path.name for path in out.iterdir()) == ["contact.png", "notes.txt", "page-1.png", "page-2.png"]


@drawn
def test_a_page_of_enormous_size_makes_a_picture_of_ordinary_size(tmp_path: Path) -> None:
    [page, _] = preview(blank_pdf(tmp_path / "huge.pdf", 1, 14_000, 14_000), tmp_path / "out")
    with Image.open(page) as picture:
        assert max(picture.size) == 1600


@drawn
@pytest.mark.parametrize("content", [b"", b"<html>", b"%PDF-1.7 and no more"])
def test_what_is_no_pdf_is_a_mistake_in_that_file(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.pdf").write_bytes(content)
    with pytest.raises(Mistakes, match=r"x\.pdf: file: not a PDF"):
        preview(tmp_path / "x.pdf", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_missing_tool_is_named_with_the_line_to_type(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(Outside, match="apt-get install -y poppler-utils"):
        preview(blank_pdf(tmp_path / "a.pdf", 1), tmp_path / "out")
    monkeypatch.setattr(sys, "argv", ["quoting", "preview", str(tmp_path / "a.pdf"), "--out", str(tmp_path)])
    with pytest.raises(SystemExit) as left:
        main()
    captured = capsys.readouterr()
    assert (left.value.code, captured.out) == (4, "")
    assert captured.err.count("\n") == 1
    assert TOOL in captured.err


@pytest.mark.parametrize("count", [1, 4, 5, 6, 23])
def test_a_contact_sheet_has_room_for_every_page(count: int, tmp_path: Path) -> None:
    paths = [tmp_path / f"page-{number:02}.png" for number in range(count)]
    for path in paths:
        Image.new("RGB", (100, 141), "#FF0000").save(path)
    with Image.open(BytesIO(contact_sheet(paths))) as sheet:
        red = sum(1 for pixel in sheet.convert("RGB").get_flattened_data() if pixel == (255, 0, 0))
    assert red == count * 100 * 141


@drawn
def test_the_command_draws_a_form_and_a_pdf(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def small(_quote: object, path: Path, *_: object, **__: object) -> None:
        blank_pdf(path, 3)

    monkeypatch.setattr("quoting.documents.write_proposal", small)
    for file, pages in ((ROOT / "examples" / "entry.toml", 3), (blank_pdf(tmp_path / "one.pdf", 1), 1)):
        monkeypatch.setattr(sys, "argv", ["quoting", "preview", str(file), "--out", str(tmp_path / file.stem)])
        with pytest.raises(SystemExit) as left:
            main()
        said = capsys.readouterr().out.splitlines()
        assert not left.value.code
        assert [Path(line).exists() for line in said] == [True] * (pages + 1)
        assert len({Path(line).parent for line in said}) == 1
