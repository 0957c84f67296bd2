"""Pages of a PDF as pictures, and all of them on one sheet, so that a person sees what a customer will see."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

from quoting.documents.render import write_file
from quoting.errors import Mistake, Mistakes, Outside

TOOL = "pdftoppm"
_REMEDY = "as root, type: apt-get install -y poppler-utils"
_TIME_LIMIT_S = 120
_MOST_PAGES = 200
_LONG_SIDE = 1600  # pixels of a page's longer side, whatever size the page claims to have
_ACROSS, _CELL, _GAP, _LABEL = 5, (320, 420), 16, 20  # of the contact sheet, in pixels
_DESK, _INK = "#E5E7EB", "#1F2937"


def preview(pdf: Path, folder: Path) -> list[Path]:
    """Write ``page-01.png`` ... and ``contact.png`` of a PDF into ``folder``; returns their paths, the sheet last.

    Pictures of an earlier call there are replaced. Raises Mistakes for a file that is no readable PDF, Outside when
    poppler's tool is missing or takes too long.
    """
    tool = find_tool()
    _refuse_other_kinds(pdf)
    with tempfile.TemporaryDirectory() as scratch:
        _draw(tool, pdf.resolve(), Path(scratch))
        drawn = sorted(Path(scratch).glob("page-*.ppm"))
        if not drawn:
            raise _unreadable(pdf)
        pages = {f"{path.stem}.png": _png(path) for path in drawn}
        sheet = contact_sheet(drawn)
    _clear(folder)
    for name, content in (*pages.items(), ("contact.png", sheet)):
        write_file(folder / name, content)
    return [folder / name for name in (*pages, "contact.png")]


def find_tool() -> str:
    """The path of poppler's tool. Raises Outside where it is missing."""
    tool = shutil.which(TOOL)
    if tool is None:
        raise Outside(f"{TOOL} is not here, which turns pages into pictures", _REMEDY)
    return tool


def _refuse_other_kinds(pdf: Path) -> None:
    try:
        with pdf.open("rb") as stream:
            good = stream.read(1024).lstrip().startswith(b"%PDF-")
    except OSError as error:
        raise Mistakes([Mistake(pdf.name, "file", f"cannot be read: {error.strerror}", "a PDF or a form")]) from None
    if not good:
        raise _unreadable(pdf)


def _unreadable(pdf: Path) -> Mistakes:
    return Mistakes([Mistake(pdf.name, "file", "not a PDF that can be drawn", "a proposal, or a form")])


def _draw(tool: str, pdf: Path, folder: Path) -> None:
    # Plain pixels: the tool takes ten times as long to pack them as PNG.
    command = [tool, "-scale-to", str(_LONG_SIDE), "-l", str(_MOST_PAGES), str(pdf), str(folder / "page")]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_TIME_LIMIT_S, check=False)  # noqa: S603 - no shell
    except subprocess.TimeoutExpired:
        raise Outside(f"{TOOL} took longer than {_TIME_LIMIT_S} s", "give a smaller PDF") from None
    if done.returncode:
        raise _unreadable(pdf)


def _png(page: Path) -> bytes:
    from PIL import Image

    with Image.open(page) as picture:
        return _packed(picture)


def _packed(picture: Any) -> bytes:
    stream = BytesIO()
    picture.save(stream, "PNG")
    return stream.getvalue()


def contact_sheet(pages: list[Path]) -> bytes:
    """All pages small on one picture, numbered from 1, as PNG bytes."""
    from PIL import Image, ImageDraw

    across = min(_ACROSS, len(pages))
    down = -(-len(pages) // across)
    width, height = _CELL[0] + _GAP, _CELL[1] + _LABEL + _GAP
    sheet = Image.new("RGB", (across * width + _GAP, down * height + _GAP), _DESK)
    pen = ImageDraw.Draw(sheet)
    for index, path in enumerate(pages):
        left, top = _GAP + index % across * width, _GAP + index // across * height
        _paste(sheet, path, left, top)
        pen.text((left + _CELL[0] // 2, top + _CELL[1] + _LABEL // 2), str(index + 1), fill=_INK, anchor="mm")
    return _packed(sheet)


def _paste(sheet: Any, path: Path, left: int, top: int) -> None:
    from PIL import Image

    with Image.open(path) as page:
        small = page.convert("RGB")
        small.thumbnail(_CELL, Image.Resampling.LANCZOS)
    sheet.paste(small, (left + (_CELL[0] - small.width) // 2, top + (_CELL[1] - small.height) // 2))


def _clear(folder: Path) -> None:
    """Take away the pictures of an earlier call, and nothing else."""
    for path in (*folder.glob("page-*.png"), folder / "contact.png"):
        if path.is_file() and not path.is_symlink():
            path.unlink()
