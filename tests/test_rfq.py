"""The request for quotation: the goods of the quotation with blanks to fill in, and nothing a supplier may not know."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import sample_quote

from quoting.cli import main
from quoting.documents.formats import money
from quoting.documents.rfq import AskedLine, Request, rfq_name, write_rfq
from quoting.errors import Mistakes, Outside
from quoting.forms import read_form
from quoting.kinds import Language
from quoting.quote import make_quote
from quoting.records import Quote
from quoting.rows import Catalog

ROOT = Path(__file__).resolve().parent.parent
ASKED = 6  # blank columns: price, currency, tax included, delivery, valid until, remarks
HEADS = {"zh": ("序号", "单价", "备注"), "en": ("No.", "Unit price", "Remarks")}


@pytest.fixture(scope="module")
def quote(catalog: Catalog, day: date) -> Quote:
    requirement = read_form(ROOT / "examples" / "cluster.toml", catalog)
    customer = replace(requirement.customer, name="绝密客户公司", contact="绝密联系人", email="secret@client.example")
    project = replace(requirement.project, name="绝密项目", delivery_city="成都")
    commercial = replace(requirement.commercial, budget=Decimal("7654321.00"))
    bare = {"ups_kva": None, "ups_minutes": None, "cooling_kw": None, "cooling_redundancy": None}
    site = replace(requirement.site, **bare)  # a room that has neither is offered both
    need = replace(requirement, customer=customer, project=project, commercial=commercial, site=site)
    return make_quote(need, catalog, day)


def opened(quote: Quote, catalog: Catalog, tmp_path: Path, language: Language = "zh") -> Any:
    path = tmp_path / f"rfq.{language}.xlsx"
    write_rfq(quote, path, language, catalog=catalog)
    return openpyxl.load_workbook(path)


def rows(sheet: Any, language: Language = "zh") -> list[list[Any]]:
    """The lines of a sheet: what stands under its head until the first empty number."""
    first = next(row[0].row for row in sheet.iter_rows() if row[0].value == HEADS[language][0])
    found = [list(row) for row in sheet.iter_rows(min_row=first + 1, values_only=True)]
    return found[: next((index for index, row in enumerate(found) if row[0] is None), len(found))]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_good_and_option_is_asked_for_once_with_blanks(
    language: Language, quote: Quote, catalog: Catalog, tmp_path: Path
) -> None:
    book = opened(quote, catalog, tmp_path, language)
    lines = [row for sheet in book for row in rows(sheet, language)]
    wanted = [line for line in (*quote.price.lines, *quote.price.options) if line.group != "service"]
    assert sorted(row[0] for row in lines) == sorted(line.no for line in wanted)
    asked = {row[0]: (row[1], row[7]) for row in lines}
    assert asked == {line.no: (line.sku, line.quantity) for line in wanted}
    assert {value for row in lines for value in row[-ASKED:]} == {None}
    assert all(tuple(sheet.iter_rows(values_only=True)) for sheet in book)


def test_options_are_marked_and_parts_of_a_node_need_no_price(catalog: Catalog, day: date, tmp_path: Path) -> None:
    quote = make_quote(read_form(ROOT / "examples" / "failing-room.toml", catalog), catalog, day)
    marks = {row[0]: row[8] for sheet in opened(quote, catalog, tmp_path) for row in rows(sheet)}
    options = {line.no for line in quote.price.options if line.group != "service"}
    inside = {line.no for line in quote.price.lines if line.included}
    assert {no for no, mark in marks.items() if mark == "可选"} == options - inside
    assert {no for no, mark in marks.items() if mark == "含在整机内"} == inside
    assert len(options) > 2
    assert len(inside) > 5


def test_each_kind_of_supplier_has_a_sheet_that_prints_under_repeated_heads(
    quote: Quote, catalog: Catalog, tmp_path: Path
) -> None:
    book = opened(quote, catalog, tmp_path)
    assert book.sheetnames == ["服务器与存储", "网络与布线", "软件", "机柜、供配电与制冷"]
    for sheet in book:
        head = next(row[0].row for row in sheet.iter_rows() if row[0].value == "序号")
        assert sheet.print_title_rows == f"${head}:${head}"
        assert sheet.freeze_panes == f"D{head + 1}"
        assert sheet.sheet_state == "visible"
        assert (sheet.page_setup.orientation, sheet.sheet_properties.pageSetUpPr.fitToPage) == ("landscape", True)
        assert quote.number in sheet.oddHeader.left.text
    filled = rows(book["软件"])
    assert [row[1] for row in filled] == [line.sku for line in quote.price.lines if line.group == "software"]


def test_no_customer_price_cost_or_budget_is_in_the_file(quote: Quote, catalog: Catalog, tmp_path: Path) -> None:
    opened(quote, catalog, tmp_path)
    with zipfile.ZipFile(tmp_path / "rfq.zh.xlsx") as file:
        text = "\n".join(file.read(name).decode() for name in file.namelist())
    assert "成都" in text
    assert [word for word in ("绝密", "client.example", "7654321", "7,654,321", "765.43") if word in text] == []
    lines = [*quote.price.lines, *quote.price.options]
    costs = [amount for line in lines if line.cost for amount in (line.cost.unit_cost, line.cost.total)]
    prices = [amount for line in lines for amount in (line.unit_price, line.subtotal)]
    amounts = {amount for amount in (*costs, *prices, quote.price.total, quote.price.cost_total) if amount}
    assert len(amounts) > 40
    telling = [amount for amount in amounts if amount > 10000 and amount % 1000]  # round ones occur in specifications
    assert len(telling) > 20
    assert [amount for amount in amounts if money(amount) in text] == []
    assert [amount for amount in telling if f"{amount:.0f}" in text] == []


def test_a_supplier_or_cost_cannot_be_in_it(tmp_path: Path) -> None:
    fields = {*AskedLine.__slots__, *Request.__slots__}
    assert fields & {"cost", "unit_price", "subtotal", "supplier", "customer", "budget", "why", "margin"} == set()
    write_rfq(sample_quote.cluster(), tmp_path / "r.xlsx", "en", catalog=sample_quote.catalog())
    with zipfile.ZipFile(tmp_path / "r.xlsx") as file:
        text = "\n".join(file.read(name).decode() for name in file.namelist())
    assert [secret for secret in ("987654", "Canary", "canary", "12345.67") if secret in text] == []


def test_what_the_customer_owns_is_not_asked_for(catalog: Catalog, day: date, tmp_path: Path) -> None:
    quote = make_quote(read_form(ROOT / "examples" / "named-hardware.toml", catalog), catalog, day)
    owned = {line.no for line in quote.price.lines if line.owned}
    asked = {row[0] for sheet in opened(quote, catalog, tmp_path) for row in rows(sheet)}
    assert owned
    assert owned & asked == set()


def test_a_hand_typed_name_is_only_text(quote: Quote, catalog: Catalog, tmp_path: Path) -> None:
    line = replace(quote.price.lines[0], name_zh='=HYPERLINK("http://x","y")')
    changed = replace(quote, price=replace(quote.price, lines=(line, *quote.price.lines[1:])))
    cells = [cell for row in opened(changed, catalog, tmp_path).worksheets[0].iter_rows() for cell in row]
    [cell] = [cell for cell in cells if str(cell.value).startswith("=HYPER")]
    assert (cell.data_type, cell.hyperlink) == ("s", None)


def test_when_nothing_is_to_be_bought_it_says_so(quote: Quote, catalog: Catalog, tmp_path: Path) -> None:
    bare = replace(quote, price=replace(quote.price, lines=(), options=()))
    with pytest.raises(Mistakes, match="nothing is to be bought"):
        write_rfq(bare, tmp_path / "r.xlsx", catalog=catalog)


def test_same_bytes_twice_and_a_filled_in_one_is_never_overwritten(
    quote: Quote, catalog: Catalog, tmp_path: Path
) -> None:
    path = tmp_path / rfq_name(quote, "zh")
    write_rfq(quote, path, "zh", catalog=catalog)
    before = path.read_bytes()
    write_rfq(quote, path, "zh", catalog=catalog)
    assert path.read_bytes() == before
    path.write_bytes(before + b"filled in")
    with pytest.raises(Outside, match="holds something else"):
        write_rfq(quote, path, "zh", catalog=catalog)
    assert path.read_bytes() == before + b"filled in"


def test_the_command_names_the_file_it_wrote(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run: Callable[..., None] = lambda *more: monkeypatch.setattr(sys, "argv", ["quoting", "rfq", *map(str, more)])  # noqa: E731
    run(ROOT / "examples" / "entry.toml", "--out", tmp_path, "--lang", "en", "--day", "2026-11-30")
    with pytest.raises(SystemExit) as left:
        main()
    [path] = tmp_path.iterdir()
    assert not left.value.code
    assert capsys.readouterr().out == f"{path}\n"
    assert path.name.startswith("rfq-D20261130-")
    assert path.name.endswith(".en.xlsx")
