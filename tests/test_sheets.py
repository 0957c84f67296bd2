"""The sheet language: what it accepts, what its references mean, and that text from outside is only ever text."""

import re
import zipfile
from decimal import Decimal
from io import BytesIO
from pathlib import Path

import openpyxl
import pytest

from quoting.documents.sheet_addresses import addresses, resolve
from quoting.documents.sheet_writer import write_xlsx
from quoting.documents.sheets import read_sheets
from quoting.errors import Mistakes

TEMPLATES = Path(__file__).resolve().parent.parent / "templates" / "workbook"

SMALL = """<workbook>
<sheet name="清单" id="list" freeze="1" repeat="1" filter="1">
<column key="quantity" width="8"/><column key="price" width="10"/><column key="sum" width="12"/>
<column key="note" width="20"/>
<row kind="head"><text>a</text><text>b</text><text>c</text><text>d</text></row>
<row kind="line"><number>3</number><number format="money">0.10</number>
<formula f="ROUND([quantity]*[price],2)">0.30</formula><text>=1+1</text></row>
<row kind="line"><number>2</number><number>5</number>
<formula f="ROUND([quantity]*[price],2)">10</formula><text>#REF!</text></row>
<row kind="total"><blank/><blank/><formula f="SUM({sum})" id="total">10.30</formula><text>{{ 7*7 }}</text></row>
</sheet>
<sheet name="S"><column width="9"/>
<row kind="line"><formula f="@total">10.30</formula><formula f="SUM({list.sum})">10.30</formula></row></sheet>
</workbook>"""

ONE = '<workbook><sheet name="s"><column width="9"/><row kind="line"><text>{}</text></row></sheet></workbook>'
HOSTILE = ["=1+1", "=cmd|'/c calc'!A1", "+1", "-2+3", "@SUM(1)", "\t=1", "＝1", '=HYPERLINK("http://x","y")', "#REF!"]


def plain(row: str, cell_format: str, kind: str) -> dict[str, object]:
    return {"text_wrap": row == "line", "num_format": "#,##0.00" if cell_format == "money" else "General"}


def written(xml: str) -> BytesIO:
    stream = BytesIO()
    write_xlsx(read_sheets(xml), plain, stream, {"author": "x"})
    stream.seek(0)
    return stream


def test_references_become_addresses() -> None:
    sheets = read_sheets(SMALL)
    formulas = openpyxl.load_workbook(written(SMALL))
    assert resolve("SUM({price})", "list", 9, addresses(sheets)) == "=SUM(B$2:B$3)"
    assert formulas["清单"]["C2"].value == "=ROUND(A2*B2,2)"
    assert formulas["清单"]["C4"].value == "=SUM(C$2:C$3)"
    assert formulas["S"]["A1"].value == "='清单'!$C$4"
    assert formulas["S"]["B1"].value == "=SUM('清单'!C$2:C$3)"


def test_results_are_stored_beside_the_formulas() -> None:
    values = openpyxl.load_workbook(written(SMALL), data_only=True)
    assert Decimal(str(values["清单"]["C4"].value)) == Decimal("10.30")
    assert Decimal(str(values["S"]["A1"].value)) == Decimal("10.30")


@pytest.mark.parametrize("text", HOSTILE)
def test_text_from_outside_is_a_string_with_a_quote_prefix(text: str) -> None:
    from xml.sax.saxutils import escape

    cell = openpyxl.load_workbook(written(ONE.format(escape(text))))["s"]["A1"]
    assert cell.data_type == "s"
    assert cell.value == text
    assert cell.hyperlink is None
    assert cell.quotePrefix or not text.startswith(("=", "+", "-", "@", "\t", "＝"))


@pytest.mark.parametrize(
    "xml",
    [
        "<table/>",
        '<workbook><sheet name="s"><row kind="line"><picture/></row></sheet></workbook>',
        '<workbook><sheet name="s" password="x"/></workbook>',
        '<workbook><sheet name="s"><row kind="line"><text f="1+1">x</text></row></sheet></workbook>',
    ],
)
def test_anything_outside_the_language_is_refused(xml: str) -> None:
    with pytest.raises(ValueError, match="<"):
        read_sheets(xml)


def test_no_formula_in_a_template_holds_an_expression() -> None:
    import re

    formulas = [
        match
        for file in TEMPLATES.glob("*.j2")
        for match in re.findall(r'\bf="([^"]*)"', file.read_text(encoding="utf-8"))
    ]
    assert len(formulas) > 10
    assert [formula for formula in formulas if "{{" in formula or "{%" in formula] == []


@pytest.mark.parametrize("name", ["", "a/b", "[x]", "x" * 32, "'quoted'", "what?"])
def test_a_name_no_spreadsheet_takes_is_refused(name: str) -> None:
    with pytest.raises(Mistakes, match="no name for a sheet"):
        read_sheets(f'<workbook><sheet name="{name}"/></workbook>')


def test_two_sheets_of_one_name_are_refused() -> None:
    with pytest.raises(Mistakes, match="each once"):
        read_sheets('<workbook><sheet name="List"/><sheet name="list"/></workbook>')


def test_an_apostrophe_in_a_sheets_name_is_doubled_in_formulas() -> None:
    named = SMALL.replace('name="清单"', 'name="Buyer\'s list"')
    formulas = openpyxl.load_workbook(written(named))["S"]
    assert formulas["A1"].value == "='Buyer''s list'!$C$4"
    assert formulas["B1"].value == "=SUM('Buyer''s list'!C$2:C$3)"


@pytest.mark.parametrize("count", [1, 119, 120, 121, 400])
def test_a_long_head_is_cut_between_signs(count: int) -> None:
    xml = '<workbook head="{}"><sheet name="s"><row kind="line"><number>1</number></row></sheet></workbook>'
    stream = written(xml.format("x" + "&amp;" * count))
    with zipfile.ZipFile(stream) as file:
        head = re.findall("<oddHeader>(.*)</oddHeader>", file.read("xl/worksheets/sheet1.xml").decode())[0]
    said = head.replace("&amp;", "&").removeprefix("&L&8 x")
    assert len(said) % 2 == 0
    assert 2 <= len(said) <= 240


def test_functions_of_newer_programs_are_marked_as_such() -> None:
    xml = ONE.replace("<text>{}</text>", '<formula f="SWITCH(1,1,2)">2</formula>')
    assert openpyxl.load_workbook(written(xml))["s"]["A1"].value.text == "=_xlfn.SWITCH(1,1,2)"
