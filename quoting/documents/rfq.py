"""The request for quotation (询价单): what to ask suppliers for. It cannot hold a price, a cost or the customer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from quoting.documents.basis import brand_name, unit_name
from quoting.documents.render import write_file
from quoting.documents.words import Words
from quoting.documents.workbooks import Book, book_bytes, book_words
from quoting.errors import Mistake, Mistakes, Outside
from quoting.kinds import Language
from quoting.records import PricedLine, Quote
from quoting.rows import Catalog, House

# Which groups of a quotation one kind of supplier sells. Services are our own work and what we own is not bought.
_CLASSES: Mapping[str, tuple[str, ...]] = {
    "server": ("compute", "storage"),
    "network": ("network", "cabling", "spares"),
    "software": ("software",),
    "room": ("rack", "power", "cooling"),
}
_NOT_BOUGHT = ("service", "owned")
_HEAD_ROW = 8  # of the template: title, five rows about the request, the asking, then the heads


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedLine:
    """One line as a supplier sees it."""

    no: str
    sku: str
    name: str
    brand: str
    spec: str
    part_number: str
    unit: str
    quantity: int
    optional: bool
    included: bool  # part of the complete node above


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedClass:
    """The lines of one kind of supplier."""

    id: str
    lines: tuple[AskedLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """All of a request for quotation."""

    number: str
    day: date
    buyer: str
    reach: str
    delivery: str
    head_row: int
    classes: tuple[AskedClass, ...]


def rfq_name(quote: Quote, language: Language) -> str:
    """The file name of a quotation's request: no text of the form is in it."""
    return f"rfq-{quote.number}.xlsx" if language == "zh" else f"rfq-{quote.number}.{language}.xlsx"


def write_rfq(
    quote: Quote,
    path: Path,
    language: Language | None = None,
    *,
    catalog: Catalog,
    templates: Path | None = None,
) -> None:
    """Write the request for quotation of ``quote`` to ``path``.

    Raises Mistakes when nothing is to be bought, Outside for a file there that holds something else: a supplier may
    have filled it in.
    """
    words, roots = book_words(language or quote.requirement.document.language, templates)
    asked = request(quote, catalog.house, words)
    if not asked.classes:
        raise Mistakes([Mistake("form", "line", "nothing is to be bought", "a form that needs hardware or software")])
    tables = {one.id: one.lines for one in asked.classes}
    book = Book("workbook/rfq.xml.j2", {"r": asked}, tables, _properties(asked, words))
    content = book_bytes(book, roots, words, catalog.house)
    _refuse_other(path, content)
    write_file(path, content)


def request(quote: Quote, house: House, words: Words) -> Request:
    """The request in the language of ``words``: goods of the quotation, then its options, by kind of supplier."""
    chinese = words.language == "zh"
    return Request(
        number=quote.number,
        day=quote.day,
        buyer=house.name_zh if chinese else house.name_en,
        reach=" · ".join(text for text in (house.contact, house.phone, house.email) if text),
        delivery=quote.requirement.project.delivery_city or words.say("ui.pending"),
        head_row=_HEAD_ROW,
        classes=tuple(_classes(quote, words)),
    )


def _classes(quote: Quote, words: Words) -> Iterable[AskedClass]:
    lines = [(line, False) for line in quote.price.lines] + [(line, True) for line in quote.price.options]
    bought = [(line, optional) for line, optional in lines if not line.owned and line.group not in _NOT_BOUGHT]
    known = {group: id for id, groups in _CLASSES.items() for group in groups}
    for id in (*_CLASSES, "other"):
        some = tuple(_line(line, optional, words) for line, optional in bought if known.get(line.group, "other") == id)
        if some:
            yield AskedClass(id=id, lines=some)


def _line(line: PricedLine, optional: bool, words: Words) -> AskedLine:
    chinese = words.language == "zh"
    return AskedLine(
        no=line.no,
        sku=line.sku,
        name=line.name_zh if chinese else line.name_en,
        brand=brand_name(line.brand, words),
        spec=line.spec_zh if chinese else line.spec_en,
        part_number=line.part_number,
        unit=unit_name(line.unit, words, line.quantity),
        quantity=line.quantity,
        optional=optional,
        included=line.included,
    )


def _properties(asked: Request, words: Words) -> dict[str, Any]:
    day = datetime(asked.day.year, asked.day.month, asked.day.day)  # noqa: DTZ001 - fixed, so that files are equal
    title = f"{words.say('rfq.title')} {asked.number}"
    return {"title": title, "author": asked.buyer, "company": asked.buyer, "created": day}


def _refuse_other(path: Path, content: bytes) -> None:
    if path.exists() and not (path.is_file() and path.read_bytes() == content):
        raise Outside(f"{path} already exists and holds something else", "move it away, or choose --out DIR")
