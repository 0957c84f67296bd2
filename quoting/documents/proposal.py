"""The proposal: a quotation as a PDF a customer can read and sign."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from quoting.assets import stylesheet, templates_folder
from quoting.documents import formats
from quoting.documents.brand import ink_on
from quoting.documents.customer import CustomerView
from quoting.documents.drawings import draw
from quoting.documents.render import TIME_LIMIT_S, environment, press, to_pdf, write_file
from quoting.documents.setter import Setter
from quoting.documents.view import customer_view
from quoting.documents.words import Words, load_words
from quoting.kinds import Language
from quoting.records import Quote
from quoting.rows import Catalog

CHAPTERS = (
    ("1", "need"),
    ("2", "sizing"),
    ("3", "choice"),
    ("4", "architecture"),
    ("5", "equipment"),
    ("6", "room"),
    ("7", "lines"),
    ("8", "price"),
    ("9", "ownership"),
    ("10", "delivery"),
    ("11", "service"),
    ("12", "terms"),
    ("13", "deviation"),
    ("", "signature"),
    ("A", "basis"),
)
_LEFT_OUT = {"proposal": frozenset({"deviation"}), "tender": frozenset({"ownership"})}
STEPS = ("contract", "survey", "arrival", "install", "test", "handover")


def proposal_html(view: CustomerView, words: Words, templates: Sequence[Path]) -> str:
    """The page text of a proposal, before it is set."""
    functions: dict[str, Any] = {
        "say": words.say,
        "under": words.under,
        "money": formats.money,
        "number": formats.number,
        "short": formats.short,
        "percent": formats.percent,
        "signed": partial(formats.percent, signed=True),
        "rate": formats.rate,
        "date": partial(formats.day, language=words.language, months=words.months),
        "ink_on": ink_on,
        "css_text": css_text,
        "powers": powers,
    }
    template = environment(templates, functions).get_template("proposal/proposal.html.j2")
    chapters = chapters_of(view.mode)
    return str(template.render(view=view, pictures=draw(view, words), chapters=chapters, steps=STEPS))


def chapters_of(mode: str) -> tuple[tuple[str, str], ...]:
    """Number and id of each chapter of a proposal or a tender, numbered without a gap."""
    kept = [(no, id) for no, id in CHAPTERS if id not in _LEFT_OUT[mode]]
    numbers = iter(range(1, len(kept) + 1))
    return tuple((str(next(numbers)) if no.isdecimal() else no, id) for no, id in kept)


def write_proposal(
    quote: Quote,
    path: Path,
    language: Language | None = None,
    *,
    catalog: Catalog | None = None,
    templates: Path | None = None,
    font_directory: Path | None = None,
    limit_s: int = TIME_LIMIT_S,
    setter: Setter | None = None,
) -> None:
    """Write the proposal of ``quote`` to ``path``, whole or not at all.

    ``language`` defaults to the form's, ``catalog`` to the one installed, ``templates`` is a company's folder whose
    files and words win over ours by name, ``setter`` a process that sets the pages instead of this one.
    Raises Outside for a missing font, a full disk, a render that complains or takes longer than ``limit_s``.
    """
    roots = (templates_folder(), *((templates,) if templates else ()))
    spoken = load_words(language or quote.requirement.document.language, roots)
    rows = catalog or _installed_catalog()
    view = customer_view(quote, rows, spoken)
    html = proposal_html(view, spoken, roots)
    identifier = hashlib.sha256(html.encode()).hexdigest()[:32].encode()
    sheet = stylesheet(roots)
    if setter is not None:
        pdf = setter.set(html, sheet, font_directory, identifier, limit_s)
    else:
        pdf = to_pdf(html, press(sheet, font_directory), identifier, limit_s)
    write_file(Path(path), pdf)


def css_text(text: str) -> Any:
    """A text as a CSS string in which nothing can end the string or the style element."""
    from markupsafe import Markup

    escaped = "".join(letter if letter.isascii() and letter.isalnum() else f"\\{ord(letter):x} " for letter in text)
    return Markup(f'"{escaped}"')  # noqa: S704 - every character but letters and digits is escaped above


def powers(text: str) -> Any:
    """A text with ``10^9`` set as a power; everything else is escaped."""
    from markupsafe import Markup, escape

    return Markup(re.sub(r"\^\s?(\d+(?:\.\d+)?)", r"<sup>\1</sup>", str(escape(text))))  # noqa: S704 - escaped first


def _installed_catalog() -> Catalog:
    from quoting.catalog import load_catalog

    return load_catalog()
