"""Options the commands share, and what they mean."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quoting.errors import Mistake, Mistakes

if TYPE_CHECKING:
    from quoting.kinds import Language
    from quoting.rows import Catalog


class Tongue(StrEnum):
    """Language of documents and talk."""

    zh = "zh"
    en = "en"


Forms = Annotated[list[Path], typer.Argument(help="Forms, TOML or JSON.", show_default=False)]
Form = Annotated[Path, typer.Argument(help="A form, TOML or JSON.", show_default=False)]
Out = Annotated[Path, typer.Option("--out", help="Folder for results.")]
Lang = Annotated[Tongue | None, typer.Option("--lang", help="Language of the documents; the form's own by default.")]
Day = Annotated[
    str | None, typer.Option("--day", help="Day of the quotation, YYYY-MM-DD; today in Shanghai by default.")
]
Overlay = Annotated[
    list[Path] | None, typer.Option("--catalog", help="Your company's catalogue folder; may be given again.")
]
Templates = Annotated[Path | None, typer.Option("--templates", help="Your company's templates folder.")]
FontDir = Annotated[Path | None, typer.Option("--font-dir", help="Folder with 400.ttf and 700.ttf to use instead.")]


def today(text: str | None) -> date:
    """The day of ``--day``, else today in Shanghai; raises Mistakes for a text that is no day."""
    if text is None:
        from zoneinfo import ZoneInfo

        return datetime.now(ZoneInfo("Asia/Shanghai")).date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        mistake = Mistake("command line", "--day", f"{text!r} is not a day", "YYYY-MM-DD, for example 2026-11-30")
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
