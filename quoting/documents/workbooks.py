"""The two workbooks: the customer's, from what a customer may see, and purchasing's, a separate file of its own."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any

from quoting.assets import templates_folder
from quoting.catalog import load_catalog
from quoting.documents.basis import brand_name, unit_name
from quoting.documents.brand import ink_on, readable
from quoting.documents.rack_rows import rack_rows
from quoting.documents.render import environment, write_file
from quoting.documents.sheet_columns import column_lists
from quoting.documents.sheet_writer import write_xlsx
from quoting.documents.sheets import read_sheets
from quoting.documents.view import customer_view
from quoting.documents.words import Words, load_words
from quoting.kinds import Language
from quoting.records import Cost, PricedLine, Quote
from quoting.rows import Catalog, House, Source

_NUMBERS = {
    "money": "#,##0.00",
    "integer": "#,##0",
    "integer_left": "#,##0",
    "decimal": "#,##0.0##",
    "general": "General",
    "scientific": "0.00E+00",
    "percent": "0.0%",
    "percent_left": "0%",
    "rate": "0%",
    "share": "0.0%",
    "money_left": '"¥"#,##0.00',
}
_INDENTED = ("line", "subline", "item", "pair", "total")  # a text right of a number needs a gap
_ALIGNED: Mapping[str, Mapping[str, Any]] = {
    "right": {"align": "right", "indent": 0},
    "centre": {"align": "center", "indent": 0},
    "rate": {"align": "center"},
    "integer_left": {"align": "left", "indent": 1},
    "percent_left": {"align": "left", "indent": 1},
    "money_left": {"align": "left", "indent": 1, "bold": True},
    "input": {"font_size": 12, "bg_color": "#FFF8E1", "border": 1, "border_color": "#D0D5DD"},  # room for a pen
    "within": {"indent": 2},
    "wrapped": {"text_wrap": True},
    "label": {"font_color": "#667085"},
    "signed": {"bottom": 1},
}
_STATUS_COLOURS = {"fail": "#B42318", "warn": "#B54708", "pass": "#067647", "unknown": "#475467"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PurchasingLine:
    """One line as purchasing sees it."""

    no: str
    sku: str
    name: str
    brand: str
    spec: str
    part_number: str
    unit: str
    quantity: int
    supplier: str
    currency: str
    original: Decimal | None
    rate: Decimal | None
    unit_cost: Decimal | None
    cost: Decimal | None
    unit_price: Decimal | None
    subtotal: Decimal | None
    margin: Decimal | None
    margin_share: Decimal | None
    on: date | None
    until: date | None
    expired: bool
    grade: str
    doubtful: bool  # no supplier stands behind the price
    lead_weeks: int | None
    origin: str
    source: str
    changed: str
    owned: bool


def write_workbook(
    quote: Quote,
    path: Path,
    language: Language | None = None,
    *,
    catalog: Catalog | None = None,
    templates: Path | None = None,
) -> None:
    """Write the customer's workbook: no cost, margin, supplier or floor price exists in it.

    ``catalog`` defaults to the one installed, ``templates`` come after ours. Raises Outside when the disk refuses.
    """
    words, roots = book_words(language or quote.requirement.document.language, templates)
    words = words.bidding() if quote.requirement.document.mode == "tender" else words
    rows = catalog or load_catalog()
    view = customer_view(quote, rows, words)
    tables: dict[str, Sequence[object]] = {
        "bom": [line for group in view.groups for line in group.lines],
        "options": [line for line in view.options if not line.included],
        "racks": rack_rows(view.racks),
    }
    book = Book("workbook/client.xml.j2", {"v": view}, tables, _properties(rows.house, quote.day, quote.number, words))
    write_book(book, roots, words, rows.house, path)


def write_purchasing(
    quote: Quote,
    path: Path,
    language: Language | None = None,
    *,
    catalog: Catalog | None = None,
    templates: Path | None = None,
) -> None:
    """Write purchasing's workbook: suppliers, costs, price dates, margins. Internal."""
    words, roots = book_words(language or quote.requirement.document.language, templates)
    lines = [purchasing_line(line, words) for line in quote.price.lines if not line.included]
    rows = catalog or load_catalog()
    context = {"q": quote, "lines": lines, "sources": _price_sources(quote, rows)}
    properties = _properties(rows.house, quote.day, quote.number, words)
    write_book(Book("workbook/purchasing.xml.j2", context, {"buy": lines}, properties), roots, words, rows.house, path)


def purchasing_line(line: PricedLine, words: Words) -> PurchasingLine:
    """A priced line with its internal side; a line without a known cost keeps None."""
    chinese = words.language == "zh"
    cost = line.cost or _NO_COST
    return PurchasingLine(
        no=line.no,
        sku=line.sku,
        name=line.name_zh if chinese else line.name_en,
        brand=brand_name(line.brand, words),
        spec=line.spec_zh if chinese else line.spec_en,
        part_number=line.part_number,
        unit=unit_name(line.unit, words, line.quantity),
        quantity=line.quantity,
        supplier=cost.supplier,
        currency=cost.currency,
        original=cost.original,
        rate=cost.rate,
        unit_cost=cost.unit_cost,
        cost=cost.total,
        unit_price=line.unit_price,
        subtotal=line.subtotal,
        margin=cost.total_margin,
        margin_share=cost.margin_share,
        on=cost.on,
        until=cost.until,
        expired=cost.expired,
        grade=words.say(f"book.grade_of.{cost.grade}") if cost.grade else "",
        doubtful=bool(cost.grade) and cost.grade != "quoted",
        lead_weeks=line.lead_weeks,
        origin=words.get(f"origin.{line.origin}", line.origin),
        source=cost.source,
        changed=line.changed,
        owned=line.owned,
    )


_NO_COST = Cost(
    unit_cost=None,
    currency="",
    original=None,
    rate=None,
    on=None,
    until=None,
    expired=False,
    source="",
    grade=None,
    supplier="",
    margin=None,
)


def _price_sources(quote: Quote, catalog: Catalog) -> list[Source]:
    ids = dict.fromkeys(line.cost.source for line in quote.price.lines if line.cost)
    return [catalog.sources[id] for id in ids if id in catalog.sources]


def book_words(language: Language, templates: Path | None) -> tuple[Words, list[Path]]:
    """The words of a language and the templates folders, the company's last."""
    roots = [templates_folder()] + ([templates] if templates else [])
    return load_words(language, roots), roots


@dataclass(frozen=True, slots=True)
class Book:
    """What a workbook is made of: its template with what that prints, the records of its tables, its properties."""

    template: str
    context: Mapping[str, Any]
    tables: Mapping[str, Sequence[object]]
    properties: Mapping[str, Any]


def write_book(book: Book, roots: list[Path], words: Words, house: House, path: Path) -> None:
    """Write a workbook whole or not at all. Raises Mistakes for a company's list of columns that will not do."""
    write_file(path, book_bytes(book, roots, words, house))


def book_bytes(book: Book, roots: list[Path], words: Words, house: House) -> bytes:
    """The file's content; the same book gives the same bytes."""
    template = environment(roots, {"w": words.say}).get_template(book.template)
    stream = BytesIO()
    with _collector_off():
        sheets = read_sheets(template.render(**book.context), book.tables, column_lists(roots, words))
        write_xlsx(sheets, _Styles(house), stream, book.properties)
    return stream.getvalue()


@contextmanager
def _collector_off() -> Iterator[None]:
    """A long workbook makes many small objects and no cycles: looking for them costs a fifth of its time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _properties(house: House, day: date, title: str, words: Words) -> dict[str, Any]:
    company = house.name_zh if words.language == "zh" else house.name_en
    created = datetime(day.year, day.month, day.day)  # noqa: DTZ001 - fixed, so that files are equal
    return {"title": title, "author": company, "company": company, "created": created}


@dataclass(frozen=True, slots=True)
class _Styles:
    """Row kind, cell format and cell kind to XlsxWriter's format properties."""

    house: House

    def __call__(self, row: str, cell_format: str, kind: str) -> dict[str, Any]:
        look: dict[str, Any] = {"font_name": "Microsoft YaHei", "font_size": 9, "valign": "vcenter"}
        look |= self._row(row)
        if kind == "text" and row in _INDENTED:
            look["indent"] = 1
        if cell_format in _NUMBERS or kind in ("number", "formula"):
            look |= {"num_format": _NUMBERS.get(cell_format, _NUMBERS["decimal"]), "align": "right"}
        if kind == "date":
            look |= {"num_format": "yyyy-mm-dd", "align": "left", "indent": 1}
        look |= _ALIGNED.get(cell_format, {})
        if cell_format in _STATUS_COLOURS:
            look |= {"font_color": _STATUS_COLOURS[cell_format], "bold": True}
        return look

    def _row(self, row: str) -> dict[str, Any]:
        grey, wrapped = {"font_color": "#667085"}, {"text_wrap": True}
        ruled = {"bottom": 4, "bottom_color": "#BFC5CC", **wrapped}
        colour = self.house.colour
        heading = {"bold": True, "font_color": ink_on(colour), "bg_color": colour, "indent": 1, **wrapped}
        looks: dict[str, dict[str, Any]] = {
            "title": {"bold": True, "font_size": 16, "font_color": readable(colour)},
            "note": grey,
            "remark": {**grey, **wrapped},
            "head": heading,
            "line": ruled,
            "item": ruled,
            "pair": wrapped,
            "subline": {**ruled, **grey},
            "total": {"bold": True, "top": 1, "bottom": 6, "bg_color": "#F2F4F7"},
        }
        return looks.get(row, {})
