"""Options the commands share, and what they mean."""

from __future__ import annotations

import re
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quoting.errors import Mistake, Mistakes

if TYPE_CHECKING:
    from quoting.kinds import Language
    from quoting.records import Quote
    from quoting.rows import Catalog


# Of this millennium: a mistyped year would make a quotation that no price is in date for, or that never ends.
_DAY = re.compile(r"2\d{3}-\d{2}-\d{2}", re.ASCII)


class Tongue(StrEnum):
    """Language of documents and talk."""

    zh = "zh"
    en = "en"


class Beside(StrEnum):
    """Alternatives people ask for by name."""

    economy = "economy"
    performance = "performance"
    domestic = "domestic"
    workstation = "workstation"


Forms = Annotated[list[Path], typer.Argument(metavar="FORM", help="Forms, TOML or JSON.", show_default=False)]
Form = Annotated[Path, typer.Argument(metavar="FORM", help="A form, TOML or JSON.", show_default=False)]
Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for results.")]
Lang = Annotated[Tongue | None, typer.Option("--lang", metavar="zh|en", help="Language; the form's own by default.")]
Day = Annotated[
    str | None,
    typer.Option("--day", metavar="DAY", help="Day of the quotation, YYYY-MM-DD; today in Shanghai by default."),
]
Overlay = Annotated[
    list[Path] | None,
    typer.Option("--catalog", metavar="DIR", help="Your company's catalogue folder; may be given again."),
]
Templates = Annotated[Path | None, typer.Option("--templates", metavar="DIR", help="Your company's templates folder.")]
FontDir = Annotated[
    Path | None, typer.Option("--font-dir", metavar="DIR", help="Folder with 400.ttf and 700.ttf to use instead.")
]
Alternatives = Annotated[
    list[Beside] | None,
    typer.Option("--with-alternative", metavar="NAME", help="Quote it in full too: economy, performance, domestic ..."),
]


def today(text: str | None) -> date:
    """The day of ``--day``, else today in Shanghai; raises Mistakes for a text that is no day."""
    if text is None:
        from zoneinfo import ZoneInfo

        return datetime.now(ZoneInfo("Asia/Shanghai")).date()
    try:
        if not _DAY.fullmatch(text):
            raise ValueError(text)
        return date.fromisoformat(text)
    except ValueError:
        mistake = Mistake("command line", "--day", f"{text[:40]!r} is not a day", "YYYY-MM-DD, for example 2026-11-30")
        raise Mistakes([mistake]) from None


def language(flag: Tongue | None, otherwise: Language) -> Language:
    """The language asked for, else the other."""
    if flag is None:
        return otherwise
    return "zh" if flag is Tongue.zh else "en"


def loaded_catalog(overlays: list[Path] | None) -> Catalog:
    """Our catalogue with the company's own on top."""
    from quoting.catalog import load_catalog

    return load_catalog(overlays or ())


def made_quote(form: Path, catalog: Catalog, day: date, templates: Path | None = None) -> Quote:
    """The quotation of a form; raises Mistakes for a form that is wrong."""
    from quoting.assets import templates_digest
    from quoting.forms import read_form
    from quoting.quote import make_quote

    return make_quote(read_form(form, catalog), catalog, day, templates_digest(templates))


def with_alternatives(quotes: list[Quote], asked: list[Beside] | None, catalog: Catalog) -> list[Quote]:
    """Every quotation followed by the alternatives asked for; on stderr those there are none of."""
    from quoting.quote import make_alternative

    found: list[Quote] = []
    for main in quotes:
        found.append(main)
        for name in dict.fromkeys(asked or ()):
            other = make_alternative(main, name.value, catalog)
            if other is None:
                typer.echo(f"quoting: {main.number} has no {name.value} alternative", err=True)
            else:
                found.append(other)
    return found
