"""Commands around what is sent: the mail, the request to suppliers, a look at the pages. cli.py gives them names."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quoting.errors import Mistake, Mistakes, Outside
from quoting.options import (
    Day,
    FontDir,
    Form,
    Lang,
    Out,
    Overlay,
    Templates,
    language,
    loaded_catalog,
    made_quote,
    today,
)

if TYPE_CHECKING:
    from datetime import date

    from quoting.documents.letter import Facts
    from quoting.documents.words import Words
    from quoting.kinds import Language

_MOST_BYTES = 64_000_000  # of a quote.json; a cluster's is below two million


def email(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A quotation's folder, output/<number>.", show_default=False)
    ],
    lang: Lang = None,
    day: Day = None,
    catalog: Overlay = None,
    templates: Templates = None,
) -> None:
    """Write client/mail.eml of a quotation: opens in a mail program, files attached, ready to send."""
    from quoting.deliver import their_mistakes
    from quoting.documents.email import write_mail
    from quoting.documents.letter import facts_in
    from quoting.report import words_of

    file = folder / "internal" / "quote.json"
    facts = facts_in(_text_of(file), file.name)
    tongue = language(lang, _written_language(folder, facts.language))
    loaded, words, now = loaded_catalog(catalog), words_of(tongue, templates), today(day)
    with their_mistakes(templates, "mail/mail.html.j2"):
        path = write_mail(facts, folder, tongue, catalog=loaded, templates=templates)
    typer.echo(path)
    for warning in _warnings(facts, now, words):
        typer.echo(f"quoting: {warning}", err=True)


def _text_of(file: Path) -> str:
    """The text of a folder's quote.json; raises Mistakes for a folder that is no quotation."""
    expected = "the folder of a quotation, as output/<number>"
    if not file.is_file():
        raise Mistakes([Mistake(str(file.parent.parent), "folder", "not a quotation", expected)])
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise Mistakes([Mistake(file.name, "file", "too long for a quotation", expected)])
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise Mistakes([Mistake(file.name, "file", "not UTF-8", expected)]) from None
    except OSError as error:
        raise Outside(f"cannot read {file}: {error.strerror}", "make the quotation again") from None


def _written_language(folder: Path, wanted: Language) -> Language:
    """The form's own language, or the other where only that one's proposal was made."""
    from quoting.documents.email import proposal_name

    other: Language = "en" if wanted == "zh" else "zh"
    here = {one: (folder / "client" / proposal_name(one)).is_file() for one in (wanted, other)}
    return other if here[other] and not here[wanted] else wanted


def _warnings(facts: Facts, day: date, words: Words) -> list[str]:
    """What a person should know before the mail goes out."""
    from quoting.documents.email import addressable

    expired = facts.valid_until is not None and facts.valid_until < day
    return [
        *([words.say("mail.warn.expired", day=facts.valid_until)] if expired else []),
        *([words.say("mail.warn.draft")] if facts.status == "draft" else []),
        *([] if addressable(facts.address) else [words.say("mail.warn.no_address")]),
    ]


def rfq(
    form: Form,
    out: Out = Path("output"),
    lang: Lang = None,
    day: Day = None,
    catalog: Overlay = None,
    templates: Templates = None,
) -> None:
    """Write the request for quotation (询价单) of a form: what to ask suppliers for, without customer or price."""
    from quoting.deliver import their_mistakes
    from quoting.documents.rfq import rfq_name, write_rfq

    loaded = loaded_catalog(catalog)
    quote = made_quote(form, loaded, today(day), templates)
    tongue = language(lang, quote.requirement.document.language)
    path = out / rfq_name(quote, tongue)
    with their_mistakes(templates, "workbook/rfq.xml.j2"):
        write_rfq(quote, path, tongue, catalog=loaded, templates=templates)
    typer.echo(path)


def preview(
    file: Annotated[
        Path, typer.Argument(metavar="FORM|PDF", help="A form, or a PDF already made.", show_default=False)
    ],
    out: Out = Path("output"),
    lang: Lang = None,
    day: Day = None,
    catalog: Overlay = None,
    templates: Templates = None,
    font_dir: FontDir = None,
) -> None:
    """Write the pages of a proposal as PNG pictures, and all of them on one sheet, contact.png."""
    from quoting.deliver import their_mistakes
    from quoting.documents import preview as pictures
    from quoting.documents import write_proposal

    pictures.find_tool()  # before a proposal is set in vain
    with tempfile.TemporaryDirectory() as scratch:
        pdf = file
        if file.suffix.lower() != ".pdf":
            loaded = loaded_catalog(catalog)
            quote = made_quote(file, loaded, today(day), templates)
            tongue = language(lang, quote.requirement.document.language)
            pdf = Path(scratch) / f"{quote.number}.{tongue}.pdf"
            with their_mistakes(templates, "proposal/proposal.html.j2"):
                write_proposal(quote, pdf, tongue, catalog=loaded, templates=templates, font_directory=font_dir)
        for path in pictures.preview(pdf, out / f"preview-{pdf.stem}"):
            typer.echo(path)
