"""The proposal: a quotation as a PDF a customer can read and sign."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from quoting.assets import stylesheet, templates_folder
from quoting.documents import formats
from quoting.documents.brand import ink_on
from quoting.documents.customer import CustomerView
from quoting.documents.drawings import draw
from quoting.documents.manuscript import Manuscript
from quoting.documents.render import TIME_LIMIT_S, environment, press, write_file
from quoting.documents.setter import Setter
from quoting.documents.typesetting import typeset
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
    ("A", "basis"),
    ("", "signature"),
)
# The templates of each part; a part starts on a page of its own. The contents stand after the first.
PARTS = (
    ("cover", "summary"),
    ("need", "sizing", "choice", "architecture"),
    ("room",),
    ("lines", "ownership", "service", "deviation"),
    ("basis", "signature"),
)
_LEFT_OUT = {"proposal": frozenset({"deviation"}), "tender": frozenset({"ownership"})}


def manuscript(view: CustomerView, words: Words, templates: Sequence[Path]) -> Manuscript:
    """A proposal before its pages are set."""
    words = words.bidding() if view.mode == "tender" else words
    page = _pages(view, words, templates)
    return Manuscript(
        parts=tuple(formats.keep_units(page("proposal", parts=(part,))) for part in parts_of(view.mode)),
        head=page("head"),
        stationery=page("stationery"),
        contents_title=words.say("proposal.chapter.contents"),
        contents_after=1,
        folio=(words.say("ui.page_before"), words.say("ui.page_middle"), words.say("ui.page_after")),
    )


def proposal_html(view: CustomerView, words: Words, templates: Sequence[Path]) -> str:
    """All parts of a proposal as one page text: what is said, without contents, page numbers and running heads."""
    words = words.bidding() if view.mode == "tender" else words
    return _pages(view, words, templates)("proposal", parts=parts_of(view.mode))


def _pages(view: CustomerView, words: Words, templates: Sequence[Path]) -> Callable[..., str]:
    """What renders a template of a proposal by its name."""
    env = environment(templates, _functions(words))
    shared = {"view": view, "pictures": draw(view, words), "chapters": chapters_of(view.mode)}

    def rendered(name: str, **more: Any) -> str:
        return str(env.get_template(f"proposal/{name}.html.j2").render(shared, **more))

    return rendered


def _functions(words: Words) -> dict[str, Any]:
    return {
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
        "powers": powers,
    }


def parts_of(mode: str) -> tuple[tuple[str, ...], ...]:
    """The templates of each part of a proposal or a tender."""
    return tuple(tuple(name for name in part if name not in _LEFT_OUT[mode]) for part in PARTS)


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
    limit_s: float = TIME_LIMIT_S,
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
    pages = manuscript(view, spoken, roots)
    sheet = stylesheet(roots)
    pdf = setter.set(pages, limit_s) if setter is not None else typeset(pages, press(sheet, font_directory), limit_s)
    write_file(Path(path), pdf)


def powers(text: str) -> Any:
    """A text with ``10^9`` set as a power; everything else is escaped."""
    from markupsafe import Markup, escape

    return Markup(re.sub(r"\^\s?(\d+(?:\.\d+)?)", r"<sup>\1</sup>", str(escape(text))))  # noqa: S704 - escaped first


def _installed_catalog() -> Catalog:
    from quoting.catalog import load_catalog

    return load_catalog()
