"""The files of one quotation, written whole or not at all.

``output/<number>/client`` may be sent to the customer; ``output/<number>/internal`` never. A folder that holds another
quotation is never overwritten.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING

from quoting.errors import Mistake, Mistakes, Outside
from quoting.kinds import Language
from quoting.records import Quote
from quoting.rows import Catalog
from quoting.serial import canonical_json

if TYPE_CHECKING:
    from quoting.documents.setter import Setter

QUOTE_FILE = Path("internal", "quote.json")


def deliver(
    quote: Quote,
    catalog: Catalog,
    out: Path,
    language: Language,
    templates: Path | None = None,
    font_directory: Path | None = None,
    setter: Setter | None = None,
) -> list[Path]:
    """Write proposal, workbooks, mail and quote.json under ``out/<number>``; returns their paths in printed order.

    With a ``setter`` the proposal is set in its process while the workbooks are written here.
    Raises Mistakes (exit 2) for a tender that may not be handed in: above the budget, or with a price missing.
    Raises Outside (exit 4) when the folder holds something else, or the disk refuses.
    """
    refuse_void(quote)
    target = out / quote.number
    text = canonical_json(quote)
    _refuse_other(target, text)
    try:
        out.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{quote.number}-", dir=out))
    except OSError as error:
        raise Outside(f"cannot write to {out}: {error.strerror}", "choose another folder with --out DIR") from error
    try:
        whole = scratch / quote.number
        whole.mkdir()
        names = _write(quote, catalog, text, whole, language, templates, font_directory, setter)
        return _move(whole, target, names)
    except OSError as error:
        raise Outside(f"cannot write to {out}: {error.strerror}", "free some space or choose --out DIR") from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def refuse_void(quote: Quote) -> None:
    """A bid above the budget or without a price for every line is void, and no file of it is written."""
    if quote.requirement.document.mode != "tender":
        return
    if quote.price.total is None or quote.choice.chosen is None:
        problem = "a tender needs a price for every line, and some have none"
        raise Mistakes([Mistake("form", "document.mode", problem, "the missing prices in the catalogue, or proposal")])
    above = next((one for one in quote.price.checks if one.id == "tender_budget" and one.status == "fail"), None)
    if above is not None:
        problem = f"the bid of {above.required} yuan is above the budget of {above.available} yuan"
        remedy = 'a smaller scope, other [[line]] prices or another budget, or document.mode = "proposal"'
        raise Mistakes([Mistake("form", "commercial.budget", problem, remedy)])


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
    setter: Setter | None,
) -> list[Path]:
    from quoting.documents import write_purchasing, write_workbook
    from quoting.documents.email import proposal_name, workbook_name, write_mail
    from quoting.documents.letter import facts_of

    client, internal = folder / "client", folder / "internal"
    client.mkdir()
    internal.mkdir()
    proposal = client / proposal_name(language)
    workbook = client / workbook_name(language)
    purchasing = internal / "purchasing.xlsx"
    with _proposal(quote, proposal, language, catalog, templates, font_directory, setter):
        with their_mistakes(templates, "workbook/client.xml.j2"):
            write_workbook(quote, workbook, language, catalog=catalog, templates=templates)
        with their_mistakes(templates, "workbook/purchasing.xml.j2"):
            write_purchasing(quote, purchasing, language, catalog=catalog, templates=templates)
    with their_mistakes(templates, "mail/mail.html.j2"):
        mail = write_mail(facts_of(quote), folder, language, catalog=catalog, templates=templates)
    (folder / QUOTE_FILE).write_text(text, encoding="utf-8", newline="\n")
    return [path.relative_to(folder) for path in (proposal, workbook, mail, purchasing, folder / QUOTE_FILE)]


@contextmanager
def _proposal(
    quote: Quote,
    path: Path,
    language: Language,
    catalog: Catalog,
    templates: Path | None,
    font_directory: Path | None,
    setter: Setter | None,
) -> Iterator[None]:
    """The proposal is written when the block ends: beside the block's own work where there is a setter."""
    from quoting.documents import write_proposal

    def write() -> None:
        write_proposal(
            quote, path, language, catalog=catalog, templates=templates, font_directory=font_directory, setter=setter
        )

    if setter is None:
        yield
        with their_mistakes(templates, "proposal/proposal.html.j2"):
            write()
        return
    with ThreadPoolExecutor(1) as beside:
        written = beside.submit(write)
        yield
        with their_mistakes(templates, "proposal/proposal.html.j2"):
            written.result()


@contextmanager
def their_mistakes(templates: Path | None, name: str) -> Iterator[None]:
    """An error inside a template of the company's folder is a mistake in that file, with its line; not our fault."""
    try:
        yield
    except (Outside, Mistakes):
        raise
    except Exception as error:
        place = _place_in(templates, name, error) if templates else None
        if place is None:
            raise
        problem = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise Mistakes([Mistake(*place, problem, "a template that renders, as ours of that name does")]) from error


def _place_in(templates: Path, name: str, error: Exception) -> tuple[str, str] | None:
    """File and line of the company's own template that failed: by the traceback, by the error, or by its name."""
    frames = [(frame.filename, frame.lineno) for frame in extract_tb(error.__traceback__)]
    frames.append((str(getattr(error, "filename", None) or ""), getattr(error, "lineno", None)))
    for file, line in reversed(frames):
        if Path(file).is_relative_to(templates):
            return f"{templates.name}/{Path(file).relative_to(templates)}", f"line {line}"
    # What a workbook's template made is judged after it was rendered, when no line is known any more.
    return (f"{templates.name}/{name}", "file") if (templates / name).exists() else None


def _move(whole: Path, target: Path, names: list[Path]) -> list[Path]:
    """A new folder appears at once with all its files; in one that holds this quotation each file is replaced."""
    if not target.exists():
        with suppress(FileExistsError):  # another run of the same form was faster
            whole.rename(target)
    for name in names:
        if (whole / name).exists():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            os.replace(whole / name, target / name)
    return [target / name for name in names]
