"""Every place that states an amount states the same one: PDF, workbooks, quote.json, 大写, and LibreOffice's sums."""

from __future__ import annotations

import csv
import json
import logging
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from quoting.assets import templates_folder
from quoting.catalog import current_price, load_catalog
from quoting.deliver import deliver
from quoting.documents.formats import money
from quoting.documents.proposal import write_proposal
from quoting.documents.words import Words, load_words
from quoting.forms import read_form
from quoting.kinds import Language
from quoting.quote import make_quote
from quoting.records import PricedLine, Quote
from quoting.rows import Catalog

EXAMPLES = sorted((Path(__file__).resolve().parent.parent / "examples").glob("*.toml"))
LANGUAGES: tuple[Language, ...] = ("zh", "en")
EVERY = [(form.stem, language) for form in EXAMPLES for language in LANGUAGES]
MONEY = re.compile(r"(?<![\d,.])\d{1,3}(?:,\d{3})*\.\d\d(?!\d)")
UPPER = re.compile(r"人民币[零壹贰叁肆伍陆柒捌玖拾佰仟万亿元角分整]+")
DIGITS = {digit: value for value, digit in enumerate("零壹贰叁肆伍陆柒捌玖")}
UNITS = {"拾": 10, "佰": 100, "仟": 1000}


class Listener(logging.Handler):
    """Keeps every complaint of the libraries that set the page."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(record.getMessage())


@dataclass(frozen=True)
class Made:
    """One delivered quotation."""

    quote: Quote
    json: dict[str, Any]
    pages: list[str]
    files: list[Path]
    complaints: list[str]
    words: Words

    @property
    def text(self) -> str:
        return "\n".join(self.pages)

    def book(self, position: int) -> Any:
        return openpyxl.load_workbook(self.files[position], data_only=True)


class Workshop:
    """Makes each quotation once."""

    def __init__(self, folder: Path, catalog: Catalog, day: date) -> None:
        self.folder, self.catalog, self.day = folder, catalog, day
        self.known: dict[tuple[str, Language], Made] = {}

    def __call__(self, form: str, language: Language) -> Made:
        if (form, language) not in self.known:
            self.known[form, language] = self.make(form, language, self.folder / language)
        return self.known[form, language]

    def make(self, form: str, language: Language, out: Path) -> Made:
        path = next(one for one in EXAMPLES if one.stem == form)
        quote = make_quote(read_form(path, self.catalog), self.catalog, self.day)
        listener = Listener()
        loggers = [logging.getLogger(name) for name in ("weasyprint", "fontTools", "fontTools.subset")]
        for logger in loggers:
            logger.addHandler(listener)
        try:
            files = deliver(quote, self.catalog, out, language)
        finally:
            for logger in loggers:
                logger.removeHandler(listener)
        data = json.loads(files[-1].read_text(encoding="utf-8"))
        return Made(quote, data, pages_of(files[0]), files, listener.heard, load_words(language, [templates_folder()]))


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory, catalog: Catalog, day: date) -> Workshop:
    return Workshop(tmp_path_factory.mktemp("made"), catalog, day)


def pages_of(pdf: Path) -> list[str]:
    """The text of each page; pdftotext where it is installed, since it is ten times faster."""
    if shutil.which("pdftotext"):
        command = ["pdftotext", "-raw", str(pdf), "-"]
        text = subprocess.run(command, check=True, capture_output=True, timeout=60).stdout.decode()
        return text.removesuffix("\f").split("\f")
    from pypdf import PdfReader

    return [page.extract_text() for page in PdfReader(pdf).pages]


def read_back(text: str) -> Decimal:
    """The amount a 大写 says, read by its grammar."""
    total, section, digit, cents = 0, 0, 0, 0
    for sign in text.removeprefix("人民币").removesuffix("整"):
        if sign in DIGITS:
            digit = DIGITS[sign]
        elif sign in UNITS:
            section, digit = section + digit * UNITS[sign], 0
        elif sign in "万亿":
            scale = 10**4 if sign == "万" else 10**8
            total, section, digit = (total if sign == "万" else 0) + (section + digit) * scale, 0, 0
        elif sign == "元":
            total, section, digit = total + section + digit, 0, 0
        else:
            cents, digit = cents + digit * (10 if sign == "角" else 1), 0
    return Decimal(total) + Decimal(cents) / 100


def counted(lines: Iterable[PricedLine]) -> list[PricedLine]:
    """The lines that carry money."""
    return [line for line in lines if not line.included and not line.owned]


def missing(expected: Sequence[str], found: Iterable[str]) -> str | None:
    """The first of ``expected`` that does not come in its turn among ``found``."""
    rest = iter(found)
    return next((one for one in expected if one not in rest), None)


def printed_amounts(quote: Quote) -> list[Decimal]:
    """Unit prices and subtotals, totals of groups, taxes, net, tax and total, as the proposal orders them.

    A line of no price of its own says that it is in the total.
    """
    amounts: list[Decimal | None] = []
    for group in quote.price.groups:
        amounts += [group.total] if group.group != "owned" else []
        for line in counted(line for line in quote.price.lines if line.group == group.group):
            amounts += [line.unit_price, line.subtotal] if line.subtotal else []
    for tax in quote.price.taxes:
        amounts += [tax.net, tax.tax]
    amounts += [quote.price.net, quote.price.tax, quote.price.total]
    return [amount for amount in amounts if amount is not None]


def rows_of(sheet: Any, words: Words, head: int = 1) -> Iterator[dict[str, Any]]:
    """The rows under a head row by the words over them."""
    keys = [cell.value for cell in sheet[head]]
    for row in sheet.iter_rows(min_row=head + 1, values_only=True):
        yield dict(zip(keys, row, strict=True))


def fen(value: object) -> Decimal | None:
    """A spreadsheet's number, which arrives as a float, to the fen; None for a text such as 待定."""
    return None if isinstance(value, str) else Decimal(str(value)).quantize(Decimal("0.01"))


@pytest.mark.parametrize(("form", "language"), EVERY)
def test_the_total_is_one_amount_everywhere(workshop: Workshop, form: str, language: Language) -> None:
    made = workshop(form, language)
    price = made.quote.price
    assert price.total is not None
    assert made.json["price"]["total"] == str(price.total)
    assert made.json["price"]["total_upper"] == price.total_upper
    uppers = set(UPPER.findall(re.sub(r"\s", "", made.text)))
    assert uppers == {price.total_upper}
    assert read_back(uppers.pop()) == price.total
    assert made.text.count(money(price.total)) >= 2
    book = made.book(1)
    totals = [fen(row[1].value) for row in book.worksheets[0] if row[0].value == made.words.say("book.total")]
    assert totals == [price.total]
    assert [cell.value for row in book.worksheets[0] for cell in row].count(price.total_upper) == 1


@pytest.mark.parametrize(("form", "language"), EVERY)
def test_every_amount_of_the_price_stands_in_the_pdf_in_its_order(
    workshop: Workshop, form: str, language: Language
) -> None:
    made = workshop(form, language)
    amounts = printed_amounts(made.quote)
    assert len(amounts) > 15
    assert missing([money(amount) for amount in amounts], MONEY.findall(made.text)) is None


@pytest.mark.parametrize(("form", "language"), EVERY)
def test_the_workbook_holds_every_line_group_and_tax_to_the_fen(
    workshop: Workshop, form: str, language: Language
) -> None:
    made = workshop(form, language)
    price, say = made.quote.price, made.words.say
    summary, bom = made.book(1).worksheets[:2]
    rows = list(rows_of(bom, made.words))
    by_no = {row[say("book.no")]: row for row in rows if row[say("book.no")]}
    assert list(by_no) == [line.no for line in price.lines]
    for line in counted(price.lines):
        row = by_no[line.no]
        stored = [row[say(f"book.{key}")] for key in ("unit_price", "subtotal", "net_amount", "tax_amount")]
        assert [fen(value) for value in stored] == [line.unit_price, line.subtotal, line.net, line.tax]
    last = rows[-1]
    sums = [fen(last[say(f"book.{key}")]) for key in ("subtotal", "net_amount", "tax_amount")]
    assert sums == [price.total, price.net, price.tax]
    table = {row[0].value: row for row in reversed(list(summary))}  # the first of equal labels is a group
    for group in price.groups:
        if group.group != "owned":
            assert fen(table[say(f"group.{group.group}")][1].value) == group.total
    for tax in price.taxes:
        net, amount = table[float(tax.rate)][1].value, table[float(tax.rate)][2].value
        assert (fen(net), fen(amount)) == (tax.net, tax.tax)


@pytest.mark.parametrize(("form", "language"), EVERY)
def test_options_stand_beside_the_total_with_their_own_prices(
    workshop: Workshop, form: str, language: Language
) -> None:
    made = workshop(form, language)
    say, options = made.words.say, counted(made.quote.price.options)
    assert options
    rows = {row[say("book.no")]: row for row in rows_of(made.book(1)[say("book.options")], made.words, 2)}
    for option in options:
        stored = [rows[option.no][say(f"book.{key}")] for key in ("unit_price", "subtotal")]
        known = [option.unit_price, option.subtotal]
        assert [fen(value) for value in stored] == known
        printed = [money(amount) for amount in known if amount is not None]
        assert set(printed) <= set(MONEY.findall(made.text))


@pytest.mark.parametrize(("form", "language"), EVERY)
def test_purchasing_pays_what_the_record_says(workshop: Workshop, form: str, language: Language) -> None:
    made = workshop(form, language)
    price, say = made.quote.price, made.words.say
    buy, margins = made.book(3).worksheets[:2]
    last = [row for row in rows_of(buy, made.words, 2) if row[say("book.name")] == say("book.total")]
    assert [fen(row[say("book.cost")]) for row in last] == [price.cost_total]
    final = [row for row in rows_of(margins, made.words, 2) if row[say("book.name")] == say("book.total")]
    assert [fen(row[say("book.subtotal")]) for row in final] == [price.total]
    assert [fen(row[say("book.margin_amount")]) for row in final] == [price.margin_total]


@pytest.mark.parametrize(("form", "language"), EVERY)
def test_the_proposal_has_no_empty_page_and_nothing_was_complained_of(
    workshop: Workshop, form: str, language: Language
) -> None:
    made = workshop(form, language)
    sizes = [len(re.sub(r"\s", "", page)) for page in made.pages]
    assert 8 <= len(sizes) <= 40
    assert [number for number, size in enumerate(sizes, 1) if size < 100] == []
    assert made.complaints == []


def test_the_same_form_gives_the_same_files_byte_for_byte(workshop: Workshop, tmp_path: Path) -> None:
    first = workshop("entry", "zh")
    again = workshop.make("entry", "zh", tmp_path)
    assert [file.name for file in again.files] == [file.name for file in first.files]
    assert [file.read_bytes() for file in again.files] == [file.read_bytes() for file in first.files]


# --------------------------------------------------------------------------- LibreOffice does the sums again

ALWAYS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item></oor:items>"""
STORED = re.compile(r"(<f>[^<]*</f><v>)[^<]*(</v>)")
WRONG = "-12345678"


def spoil(book: Path, target: Path) -> None:
    """Copy a workbook with every stored result wrong, so that a right one can only come from a new calculation."""
    with zipfile.ZipFile(book) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            text = old.read(name)
            if name.startswith("xl/worksheets/sheet"):
                text = STORED.sub(rf"\g<1>{WRONG}\g<2>", text.decode()).encode()
            new.writestr(name, text)


def recalculated(books: Sequence[Path], folder: Path) -> list[Path]:
    """The workbooks as LibreOffice saves them after its own calculation."""
    settings = folder / "profile" / "user"
    settings.mkdir(parents=True)
    (settings / "registrymodifications.xcu").write_text(ALWAYS, encoding="utf-8")
    (folder / "in").mkdir()
    names = [f"{number}.xlsx" for number, _ in enumerate(books)]
    for book, name in zip(books, names, strict=True):
        spoil(book, folder / "in" / name)
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    convert = ["--headless", "--convert-to", "xlsx", "--outdir", str(folder / "out")]
    given = [str(folder / "in" / name) for name in names]
    subprocess.run(["soffice", profile, *convert, *given], check=True, capture_output=True, timeout=240)
    return [folder / "out" / name for name in names]


def differences(ours: Path, theirs: Path) -> list[str]:
    """Formula cells whose stored result is not the recalculated one, and cells that hold an error."""
    formulas, stored = openpyxl.load_workbook(ours), openpyxl.load_workbook(ours, data_only=True)
    fresh = openpyxl.load_workbook(theirs, data_only=True)
    found = []
    for sheet in formulas:
        for row in sheet.iter_rows():
            for cell in row:
                result, known = fresh[sheet.title][cell.coordinate], stored[sheet.title][cell.coordinate]
                where = f"{ours.parent.parent.name} {sheet.title}!{cell.coordinate} {cell.value}"
                if "e" in (result.data_type, known.data_type):
                    found.append(f"{where}: {result.value}")
                elif cell.data_type == "f":
                    places = Decimal("0.0001") if "%" in cell.number_format else Decimal("0.01")
                    pair = [Decimal(str(value)).quantize(places) for value in (known.value, result.value)]
                    found += [f"{where}: {pair[0]} stored, {pair[1]} calculated"] if pair[0] != pair[1] else []
    return found


@pytest.mark.timeout(400)
@pytest.mark.skipif(
    not shutil.which("soffice"), reason="LibreOffice (soffice) is not installed: apt install libreoffice-calc-nogui"
)
def test_libreoffice_calculates_what_is_stored(workshop: Workshop, tmp_path: Path) -> None:
    books = [workshop(form, language).files[position] for form, language in EVERY for position in (1, 3)]
    fresh = recalculated(books, tmp_path)
    wrong = [line for ours, theirs in zip(books, fresh, strict=True) for line in differences(ours, theirs)]
    assert wrong == []
    cells = [cell for row in openpyxl.load_workbook(fresh[0])["设备清单"].iter_rows() for cell in row]
    assert sum(cell.data_type == "f" for cell in cells) > 40
    racks = [cell.value for cell in list(openpyxl.load_workbook(fresh[0])["机柜"].iter_rows())[-2]]
    assert [str(value)[:5] for value in racks if value and value != "小计"] == ["=SUM("] * 5  # units, kW, kW and kg


# --------------------------------------------------------------------------- when a quotation is a draft


def supplier_prices(catalog: Catalog, day: date, folder: Path, doubtful: str = "", on: str = "") -> Catalog:
    """The catalogue under an overlay in which a supplier stands behind every price but that of ``doubtful``."""
    (folder / "sources").mkdir(parents=True)
    row = '[[source]]\nid = "{id}"\ntitle = "Offer"\npublisher = "Supplier"\ndate = "2026-11-28"\n'
    row += 'method = "asked"\ngrade = "{grade}"\n'
    graded = (("offer", "quoted"), ("doubt", "estimate"))
    text = "\n".join(row.format(id=id, grade=grade) for id, grade in graded)
    (folder / "sources" / "offer.toml").write_text(text, encoding="utf-8")
    with (folder / "prices.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["sku", "price", "currency", "tax_included", "on", "until", "source", "supplier"])
        for sku in catalog.prices:
            known = current_price(catalog, sku, day)
            if known is not None:
                tax, source = str(known.tax_included).lower(), "doubt" if sku == doubtful else "offer"
                known_as = (sku, known.price, known.currency, tax, on or day, "2026-12-31", source, "Supplier")
                writer.writerow(known_as)
    return load_catalog([folder])


@pytest.fixture(scope="module")
def offered(catalog: Catalog, day: date, tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    return supplier_prices(catalog, day, tmp_path_factory.mktemp("offer") / "offer")


@pytest.mark.parametrize("form", EXAMPLES, ids=lambda form: form.stem)
def test_prices_a_supplier_stands_behind_make_a_final_quotation(form: Path, offered: Catalog, day: date) -> None:
    quote = make_quote(read_form(form, offered), offered, day)
    assert (quote.status, quote.price.draft_rows) == ("final", ())


def test_an_offer_in_date_beats_an_estimate_that_is_younger(catalog: Catalog, day: date, tmp_path: Path) -> None:
    older = supplier_prices(catalog, day, tmp_path / "older", on="2026-11-28")
    form = next(path for path in EXAMPLES if path.stem == "entry")
    assert make_quote(read_form(form, older), older, day).price.draft_rows == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pdf_says_draft_only_while_it_is_one(
    language: Language, catalog: Catalog, offered: Catalog, day: date, tmp_path: Path
) -> None:
    form = next(path for path in EXAMPLES if path.stem == "entry")
    stamp = load_words(language, [templates_folder()]).say("ui.draft")
    final = make_quote(read_form(form, offered), offered, day)
    write_proposal(final, tmp_path / "final.pdf", language, catalog=offered)
    assert [page for page in pages_of(tmp_path / "final.pdf") if stamp in re.sub(r"\s", "", page)] == []
    sku = counted(final.price.lines)[0].sku
    doubted = supplier_prices(catalog, day, tmp_path / "doubt", doubtful=sku)
    draft = make_quote(read_form(form, doubted), doubted, day)
    assert (draft.status, draft.price.draft_rows) == ("draft", (sku,))
    assert draft.price.total == final.price.total
    write_proposal(draft, tmp_path / "draft.pdf", language, catalog=doubted)
    assert [page for page in pages_of(tmp_path / "draft.pdf") if stamp not in re.sub(r"\s", "", page)] == []


def test_reading_back_knows_the_grammar() -> None:
    spellings = {
        "人民币壹亿零壹仟元整": "100001000",
        "人民币壹佰万零伍拾元叁角": "1000050.30",
        "人民币壹元零伍分": "1.05",
    }
    assert {text: read_back(text) for text in spellings} == {text: Decimal(said) for text, said in spellings.items()}


def test_a_changed_amount_would_be_noticed(workshop: Workshop) -> None:
    made = workshop("entry", "zh")
    one = counted(made.quote.price.lines)[0]
    dearer = replace(one, subtotal=(one.subtotal or Decimal(0)) + Decimal("0.01"))
    lines = tuple(dearer if line is one else line for line in made.quote.price.lines)
    changed = replace(made.quote, price=replace(made.quote.price, lines=lines))
    assert missing([money(a) for a in printed_amounts(changed)], MONEY.findall(made.text)) == money(dearer.subtotal)
