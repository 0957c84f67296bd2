"""The files of one quotation, written whole or not at all.

``output/<number>/client`` may be sent to the customer; ``output/<number>/internal`` never. A folder that holds another
quotation is never overwritten.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from quoting.errors import Outside
from quoting.kinds import Language
from quoting.records import Quote
from quoting.rows import Catalog
from quoting.serial import canonical_json

QUOTE_FILE = Path("internal", "quote.json")


def deliver(
    quote: Quote,
    catalog: Catalog,
    out: Path,
    language: Language,
    templates: Path | None = None,
    font_directory: Path | None = None,
) -> list[Path]:
    """Write proposal, workbooks and quote.json under ``out/<number>``; returns their paths in printed order.

    Raises Outside (exit 4) when the folder holds something else, or the disk refuses.
    """
    target = out / quote.number
    text = canonical_json(quote)
    _refuse_other(target, text)
    try:
        out.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{quote.number}-", dir=out))
    except OSError as error:
        raise Outside(f"cannot write to {out}: {error.strerror}", "choose another folder with --out DIR") from error
    try:
        names = _write(quote, catalog, text, scratch, language, templates, font_directory)
        return _move(scratch, target, names)
    except OSError as error:
        raise Outside(f"cannot write to {out}: {error.strerror}", "free some space or choose --out DIR") from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _refuse_other(target: Path, text: str) -> None:
    if not target.exists():
        return
    held = target / QUOTE_FILE
    same = held.is_file() and held.read_bytes() == text.encode()
    if not same:
        raise Outside(f"{target} already exists and holds something else", "move it away, or choose --out DIR")


def _write(
    quote: Quote,
    catalog: Catalog,
    text: str,
    folder: Path,
    language: Language,
    templates: Path | None,
    font_directory: Path | None,
) -> list[Path]:
    from quoting.documents import write_proposal, write_purchasing, write_workbook

    client, internal = folder / "client", folder / "internal"
    client.mkdir()
    internal.mkdir()
    proposal = client / f"proposal.{language}.pdf"
    workbook = client / ("bom.xlsx" if language == "zh" else f"bom.{language}.xlsx")
    purchasing = internal / "purchasing.xlsx"
    write_proposal(quote, proposal, language, catalog=catalog, templates=templates, font_directory=font_directory)
    write_workbook(quote, workbook, language, catalog=catalog, templates=templates)
    write_purchasing(quote, purchasing, language, catalog=catalog, templates=templates)
    (folder / QUOTE_FILE).write_text(text, encoding="utf-8", newline="\n")
    return [path.relative_to(folder) for path in (proposal, workbook, purchasing, folder / QUOTE_FILE)]


def _move(scratch: Path, target: Path, names: list[Path]) -> list[Path]:
    """quote.json goes last: a folder without it is one that was not finished."""
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        os.replace(scratch / name, target / name)
    return [target / name for name in names]
