"""A company's own columns, words and templates for the workbooks, by two sample companies; and what is refused."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from test_agreement import differences, recalculated

from quoting.catalog import load_catalog
from quoting.cli import main
from quoting.deliver import their_mistakes
from quoting.documents.rfq import write_rfq
from quoting.documents.sheet_lines import line_rows
from quoting.documents.sheets import read_sheets
from quoting.documents.workbooks import write_purchasing, write_workbook
from quoting.errors import Mistakes
from quoting.forms import read_form
from quoting.kinds import Language
from quoting.quote import make_quote
from quoting.records import Quote
from quoting.rows import Catalog

ROOT = Path(__file__).resolve().parent.parent
HOUSES = ROOT / "tests" / "houses"
MERIDIAN, AURORA = HOUSES / "meridian-templates", HOUSES / "aurora-templates"
HEADS = {
    "zh": "序号,部件号,品名,规格型号,数量,单位,含税单价（元）,含税小计（元）,单台重量（kg）,到货核对,资产编号",
    "en": "No.,Part number,Article,Specification,Quantity,Unit,Unit price with tax (CNY),Subtotal with tax (CNY),"
    "Weight each (kg),Checked on arrival,Asset number",
}
SHEETS = {"zh": "供货明细", "en": "Scope of supply"}


@pytest.fixture(scope="module")
def quote(catalog: Catalog, day: date) -> Quote:
    return make_quote(read_form(ROOT / "examples" / "cluster.toml", catalog), catalog, day)


def opened(
    write: Callable[..., None], quote: Quote, catalog: Catalog, folder: Path, templates: Path, language: Language = "zh"
) -> tuple[Any, Any]:
    """The workbook with its formulas, and with its results."""
    path = folder / "b.xlsx"
    write(quote, path, language, catalog=catalog, templates=templates)
    return openpyxl.load_workbook(path), openpyxl.load_workbook(path, data_only=True)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_companys_list_chooses_columns_order_widths_and_heads(
    language: Language, quote: Quote, tmp_path: Path
) -> None:
    house = load_catalog([HOUSES / "meridian"])
    formulas, results = opened(write_workbook, quote, house, tmp_path, MERIDIAN, language)
    sheet, rows = formulas[SHEETS[language]], list(results[SHEETS[language]].iter_rows(values_only=True))
    assert ",".join(rows[0]) == HEADS[language]
    assert [sheet.column_dimensions[letter].width for letter in "CK"] == pytest.approx([34.71, 20.71], abs=0.01)
    line = next(line for line in quote.price.lines if not line.included)
    first = rows[1]
    assert first[:3] == (line.no, line.part_number or None, line.name_zh if language == "zh" else line.name_en)
    assert (first[4], first[9:]) == (line.quantity, (None, None))
    assert sheet["H2"].value == "=ROUND(E2*G2,2)"
    assert rows[-1][7] == pytest.approx(float(quote.price.total or 0))
    assert (
        house.name_zh
        if False
        else results.properties.creator == (house.house.name_zh if language == "zh" else house.house.name_en)
    )


def test_sums_over_a_column_that_is_left_out_stay_as_stored_numbers(
    quote: Quote, catalog: Catalog, tmp_path: Path
) -> None:
    formulas, results = opened(write_workbook, quote, catalog, tmp_path, MERIDIAN)
    assert "net" not in (MERIDIAN / "workbook" / "columns.toml").read_text(encoding="utf-8")
    cells = {row[0].value: row for row in formulas["汇总"]}
    sums, shown = cells["小计"], {row[0].value: row[1].value for row in results["汇总"]}
    assert (sums[1].data_type, sums[2].data_type) == ("n", "n")  # net and tax
    assert Decimal(str(sums[1].value)) == quote.price.net
    assert str(cells["合计（含税）"][1].value).startswith("=SUM('供货明细'!H$2:H$")
    assert shown["合计（含税）"] == pytest.approx(float(quote.price.total or 0))
    groups = [row[1] for row in formulas["汇总"] if row[0].value == "计算"]
    assert {cell.data_type for cell in groups} == {"n"}  # the list has no column of groups


def test_purchasing_and_the_request_take_lists_too(quote: Quote, catalog: Catalog, tmp_path: Path) -> None:
    _, results = opened(write_purchasing, quote, catalog, tmp_path, MERIDIAN)
    head = [cell.value for cell in results["采购清单"][2]]
    assert head == [
        "序号",
        "物料编码",
        "品名",
        "数量",
        "供应商",
        "含税成本单价（元）",
        "成本小计（元）",
        "价格到期",
        "订单号",
    ]
    assert Decimal(str(results["采购清单"].cell(results["采购清单"].max_row, 7).value)) == quote.price.cost_total
    short = own_list(tmp_path, '[rfq]\nlines = ["name", "spec", "quantity", "price", "lead", "until"]\n')
    _, asked = opened(write_rfq, quote, catalog, short, short)
    for sheet in asked:
        assert [cell.value for cell in sheet[8]] == ["名称", "规格型号", "数量", "单价", "交货期（周）", "报价有效期至"]
        assert sheet.max_column == 6


def test_a_companys_own_template_is_the_whole_workbook(quote: Quote, tmp_path: Path) -> None:
    house = load_catalog([HOUSES / "aurora"])
    formulas, results = opened(write_workbook, quote, house, tmp_path, AURORA)
    assert results.sheetnames == ["设备清单"]
    rows = list(results["设备清单"].iter_rows(values_only=True))
    assert rows[2] == ("名称", "数量", "含税单价（元）", "含税小计（元）")
    assert [row[0] for row in rows[3:-2]] == [line.name_zh for line in quote.price.lines]
    assert rows[-2][3] == pytest.approx(float(quote.price.total or 0))
    assert formulas["设备清单"]["D4"].value == "=B4*C4"


# --------------------------------------------------------------------------- what is refused


def own_list(folder: Path, text: str) -> Path:
    templates = folder / "theirs"
    (templates / "workbook").mkdir(parents=True)
    (templates / "workbook" / "columns.toml").write_text(text, encoding="utf-8")
    return templates


WRONG = {
    "cost": ('[client]\nbom = ["no", "unit_cost"]', "client.bom[2]: unknown column unit_cost"),
    "supplier": ('[client]\nbom = ["supplier"]', "client.bom[1]: unknown column supplier"),
    "misspelt": ('[client]\nbom = ["no", "quantitty"]', "did you mean quantity?"),
    "twice": ('[client]\nbom = ["no", "no"]', "client.bom[2]: column no a second time"),
    "width": ('[client]\nbom = [{key = "no", width = 900}]', "client.bom[1]: width 900"),
    "shape": ("[client]\nbom = [7]", "client.bom[1]: not a column"),
    "empty": ("[client]\nbom = []", "client.bom: not a list of columns"),
    "list": ('[client]\nbomb = ["no"]', "client.bomb: unknown list"),
    "syntax": ("[client", "theirs/workbook/columns.toml: file: not TOML"),
}


@pytest.mark.parametrize("case", WRONG.values(), ids=WRONG)
def test_a_list_that_will_not_do_is_refused_by_place(
    case: tuple[str, str], quote: Quote, catalog: Catalog, tmp_path: Path
) -> None:
    text, says = case
    templates = own_list(tmp_path, text)
    with pytest.raises(Mistakes) as refused:
        write_workbook(quote, tmp_path / "b.xlsx", "zh", catalog=catalog, templates=templates)
    assert says in str(refused.value)
    assert not (tmp_path / "b.xlsx").exists()


def test_the_command_takes_the_list_and_names_what_is_wrong_in_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    templates = own_list(tmp_path, '[rfq]\nlines = ["name", "quantity", "price", "until"]\n')
    said = ["rfq", ROOT / "examples" / "entry.toml", "--out", tmp_path / "out", "--templates", templates]
    monkeypatch.setattr("sys.argv", ["quoting", *map(str, said)])
    with pytest.raises(SystemExit) as left:
        main()
    assert not left.value.code
    sheet = openpyxl.load_workbook(capsys.readouterr().out.strip()).worksheets[0]
    assert [cell.value for cell in sheet[8]] == ["名称", "数量", "单价", "报价有效期至"]
    (templates / "workbook" / "columns.toml").write_text('[rfq]\nlines = ["quantitty"]\n', encoding="utf-8")
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    assert "theirs/workbook/columns.toml: rfq.lines[1]: unknown column quantitty" in capsys.readouterr().err


@pytest.mark.parametrize("field", ["cost", "margin", "supplier", "__class__", "no.__class__"])
def test_a_customers_table_has_no_field_of_the_house(
    field: str, quote: Quote, catalog: Catalog, tmp_path: Path
) -> None:
    templates = tmp_path / "theirs"
    (templates / "workbook").mkdir(parents=True)
    (templates / "workbook" / "client.xml.j2").write_text(
        f'<workbook><sheet name="s"><column key="a" width="9"><text of="{field}"/></column><lines of="bom"/></sheet>'
        "</workbook>",
        encoding="utf-8",
    )
    with (
        pytest.raises(Mistakes, match=r"client\.xml\.j2: file: ValueError: <lines>: no field"),
        their_mistakes(templates, "workbook/client.xml.j2"),
    ):
        write_workbook(quote, tmp_path / "b.xlsx", "zh", catalog=catalog, templates=templates)


@pytest.mark.parametrize(
    "xml",
    [
        '<row kind="total"><text at="b">x</text></row>',
        '<row kind="total"><text at="a">x</text><text>y</text></row>',
        '<lines of="lines" hidden="yes"/>',
        '<column key="c" width="9"><picture/></column>',
        '<column key="c" width="9"><text f="1+1" of="no"/></column>',
    ],
)
def test_a_cell_in_no_column_is_refused(xml: str) -> None:
    with pytest.raises(ValueError, match="<"):
        read_sheets(f'<workbook><sheet name="s"><column key="a" width="9"/>{xml}</sheet></workbook>', {"lines": []})


def test_no_records_make_no_rows() -> None:
    assert list(line_rows((), [])) == []


# --------------------------------------------------------------------------- what is said and what is calculated


def test_the_manual_lists_the_columns_there_are(quote: Quote, catalog: Catalog, tmp_path: Path) -> None:
    templates = own_list(tmp_path, '[client]\nbom = ["nothing_like_it"]')
    with pytest.raises(Mistakes) as refused:
        write_workbook(quote, tmp_path / "b.xlsx", "zh", catalog=catalog, templates=templates)
    there = re.findall(r"one of ([\w, ]+);", str(refused.value))[0].split(", ")
    manual = (ROOT / "docs" / "workbooks.md").read_text(encoding="utf-8")
    assert re.findall(r"`client\.bom` knows `([\w\s]+)`", manual)[0].split() == there


def test_the_manuals_template_makes_a_workbook(quote: Quote, catalog: Catalog, tmp_path: Path) -> None:
    manual = (ROOT / "docs" / "workbooks.md").read_text(encoding="utf-8")
    (tmp_path / "workbook").mkdir()
    template = tmp_path / "workbook" / "client.xml.j2"
    template.write_text(re.findall(r"```xml\n(.*?)```", manual, re.DOTALL)[0], encoding="utf-8")
    _, results = opened(write_workbook, quote, catalog, tmp_path, tmp_path)
    last = list(results["设备清单"].iter_rows(values_only=True))[-1]
    assert last[3] == pytest.approx(float(quote.price.total or 0))


@pytest.mark.timeout(200)
@pytest.mark.skipif(not shutil.which("soffice"), reason="LibreOffice (soffice) is not installed")
def test_libreoffice_calculates_companies_workbooks_as_stored(quote: Quote, catalog: Catalog, tmp_path: Path) -> None:
    books = [tmp_path / f"{name}.xlsx" for name in ("columns", "template", "buy", "groups", "none")]
    write_workbook(quote, books[0], "en", catalog=catalog, templates=MERIDIAN)
    write_workbook(quote, books[1], "zh", catalog=catalog, templates=AURORA)
    write_purchasing(quote, books[2], "zh", catalog=catalog, templates=MERIDIAN)
    for book, detail in ((books[3], "groups"), (books[4], "none")):
        need = replace(quote.requirement, document=replace(quote.requirement.document, price_detail=detail))
        write_workbook(replace(quote, requirement=need), book, "zh", catalog=catalog)
    fresh = recalculated(books, tmp_path / "office")
    wrong = [line for ours, theirs in zip(books, fresh, strict=True) for line in differences(ours, theirs)]
    assert wrong == []
