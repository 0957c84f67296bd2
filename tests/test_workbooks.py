"""The workbooks: what a customer sees and must not see, what purchasing needs, and how both print."""

from __future__ import annotations

import re
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

import openpyxl
import pytest
import sample_quote
from test_modes import SOFT

from quoting.assets import templates_folder
from quoting.documents.formats import money
from quoting.documents.rfq import write_rfq
from quoting.documents.row_heights import lines, room
from quoting.documents.sheet_writer import write_xlsx
from quoting.documents.sheets import read_sheets
from quoting.documents.words import load_words
from quoting.documents.workbooks import write_purchasing, write_workbook
from quoting.forms import read_form
from quoting.kinds import Language
from quoting.quote import make_quote
from quoting.records import PricedLine, Quote
from quoting.requirement import Requirement, Scope
from quoting.rows import Catalog

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES: tuple[Language, ...] = ("zh", "en")
Detail = Literal["lines", "groups", "none"]


def form(name: str, catalog: Catalog) -> Requirement:
    return read_form(ROOT / "examples" / f"{name}.toml", catalog)


def opened(
    write: Callable[..., None], quote: Quote, catalog: Catalog, tmp_path: Path, language: Language = "zh"
) -> Any:
    write(quote, tmp_path / "book.xlsx", language, catalog=catalog)
    return openpyxl.load_workbook(tmp_path / "book.xlsx")


def values(book: Any) -> list[Any]:
    return [cell.value for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None]


def stored(write: Callable[..., None], quote: Quote, catalog: Catalog, tmp_path: Path) -> list[Any]:
    """Every value a reader sees: results, not formulas."""
    opened(write, quote, catalog, tmp_path)
    return values(openpyxl.load_workbook(tmp_path / "book.xlsx", data_only=True))


@pytest.fixture(scope="module")
def quote(catalog: Catalog, day: date) -> Quote:
    return make_quote(form("cluster", catalog), catalog, day)


@pytest.fixture(scope="module")
def failing(catalog: Catalog, day: date) -> Quote:
    return make_quote(form("failing-room", catalog), catalog, day)


# --------------------------------------------------------------------------- what may be seen


def with_detail(detail: Detail, catalog: Catalog, day: date) -> Quote:
    requirement = form("cluster", catalog)
    return make_quote(replace(requirement, document=replace(requirement.document, price_detail=detail)), catalog, day)


def amounts_seen(seen: list[Any], amounts: set[Decimal]) -> set[Decimal]:
    """Which amounts stand in a workbook, as a number or inside a text."""
    numbers = {Decimal(str(value)).quantize(Decimal("0.01")) for value in seen if isinstance(value, int | float)}
    text = "\n".join(value for value in seen if isinstance(value, str))
    return {amount for amount in amounts if amount in numbers or money(amount) in text}


def secrets(quote: Quote, detail: Detail) -> set[Decimal]:
    """Amounts of single lines that no sum shown at this detail happens to equal."""
    price = quote.price
    top = [line for line in (*price.lines, *price.options) if not line.included and not line.owned]
    own = {amount for line in top for amount in (line.unit_price, line.subtotal) if amount}
    shown = {price.total, *(amount for tax in price.taxes for amount in (tax.net, tax.tax))}
    if detail == "groups":
        shown |= {group.total for group in price.groups}
        shown |= {option.subtotal for option in price.options}
    return {amount for amount in own if amount > 1000} - {amount for amount in shown if amount is not None}


@pytest.mark.parametrize("detail", ["groups", "none"])
def test_without_price_detail_no_line_shows_its_price(
    detail: Detail, catalog: Catalog, day: date, tmp_path: Path
) -> None:
    quote = with_detail(detail, catalog, day)
    hidden = secrets(quote, detail)
    seen = stored(write_workbook, quote, catalog, tmp_path)
    assert len(hidden) > 8
    assert amounts_seen(seen, hidden) == set()
    assert load_words("zh", [templates_folder()]).say("book.unit_price") not in seen
    assert amounts_seen(seen, {quote.price.total or Decimal(0)})
    full = stored(write_workbook, with_detail("lines", catalog, day), catalog, tmp_path)
    assert amounts_seen(full, hidden) == hidden


def test_groups_show_their_totals_and_none_shows_only_the_total(catalog: Catalog, day: date, tmp_path: Path) -> None:
    by_group = with_detail("groups", catalog, day)
    totals = {group.total for group in by_group.price.groups if group.total} - {tax.net for tax in by_group.price.taxes}
    assert amounts_seen(stored(write_workbook, by_group, catalog, tmp_path), totals) == totals
    bare = stored(write_workbook, with_detail("none", catalog, day), catalog, tmp_path)
    assert amounts_seen(bare, totals) == set()


def test_a_customers_workbook_holds_no_cost_margin_or_supplier(tmp_path: Path) -> None:
    write = partial(write_workbook, templates=sample_quote.WORDS_ROOT)
    seen = stored(write, sample_quote.cluster(), sample_quote.catalog(), tmp_path)
    assert amounts_seen(seen, {sample_quote.CANARY, Decimal("12345.67")}) == set()
    assert [value for value in seen if isinstance(value, str) and "canary" in value.lower()] == []
    write = partial(write_purchasing, templates=sample_quote.WORDS_ROOT)
    internal = stored(write, sample_quote.cluster(), sample_quote.catalog(), tmp_path)
    assert sample_quote.COST.supplier in internal
    assert amounts_seen(internal, {sample_quote.CANARY}) == {sample_quote.CANARY}


HOSTILE = '=HYPERLINK("http://x","y")'


def test_a_customers_text_is_only_ever_text(quote: Quote, catalog: Catalog, tmp_path: Path) -> None:
    customer = replace(quote.requirement.customer, name=HOSTILE, contact="<row/>&{{ 7*7 }}", phone="@SUM(1)")
    project = replace(quote.requirement.project, name="+1-2")
    hostile = replace(quote, requirement=replace(quote.requirement, customer=customer, project=project))
    book = opened(write_workbook, hostile, catalog, tmp_path)
    cells = [cell for row in book.worksheets[0].iter_rows() for cell in row]
    named = [cell for cell in cells if cell.value in (HOSTILE, "+1-2")]
    assert [(cell.data_type, cell.quotePrefix, cell.hyperlink) for cell in named] == [("s", True, None)] * 2
    assert "<row/>&{{ 7*7 }} · @SUM(1)" in [cell.value for cell in cells]
    internal = opened(write_purchasing, hostile, catalog, tmp_path)
    assert {cell.data_type for sheet in internal for cell in sheet[1] if cell.value} == {"s"}


# --------------------------------------------------------------------------- what must be there


def test_a_line_without_a_price_is_to_be_confirmed_and_so_is_the_total(
    catalog: Catalog, day: date, tmp_path: Path
) -> None:
    requirement = form("cluster", catalog)
    sku = make_quote(requirement, catalog, day).price.lines[0].sku
    without = replace(catalog, prices={key: rows for key, rows in catalog.prices.items() if key != "sw-qm9700"})
    quote = make_quote(requirement, without, day)
    assert sku in {line.sku for line in quote.price.lines}
    assert quote.price.total is None
    opened(write_workbook, quote, without, tmp_path)
    book = openpyxl.load_workbook(tmp_path / "book.xlsx", data_only=True)
    head = [cell.value for cell in book["设备清单"][1]]
    rows = [dict(zip(head, row, strict=True)) for row in book["设备清单"].iter_rows(min_row=2, values_only=True)]
    line = next(row for row in rows if str(row["名称"]).startswith("InfiniBand"))
    assert (line["含税单价（元）"], line["含税小计（元）"]) == ("待定", "待定")
    assert [row["含税小计（元）"] for row in rows if row["名称"] == "合计（含税）"] == ["待定"]
    known = next(row["含税小计（元）"] for row in rows if row["名称"] == "已知部分合计")
    assert Decimal(str(known)).quantize(Decimal("0.01")) == quote.price.priced_part
    summary = {row[0].value: row[1].value for row in book["汇总"]}
    assert (summary["合计（含税）"], summary["网络"]) == ("待定", "待定")
    assert "待定" in values(opened(write_purchasing, quote, without, tmp_path))


def test_named_hardware_is_checked_beside_the_plan_and_marked(failing: Quote, catalog: Catalog, tmp_path: Path) -> None:
    sheet = opened(write_workbook, failing, catalog, tmp_path)["校验"]
    rows = list(sheet.iter_rows(min_row=2, values_only=True))
    plans = [row[0] for row in rows]
    assert failing.choice.named is not None
    assert failing.named_site is not None
    named = len(failing.choice.named.checks) + len(failing.named_site.checks)
    assert plans.count("指定硬件") == named
    assert plans == ["本方案"] * (len(rows) - named) + ["指定硬件"] * named
    areas = {row[2]: row[1] for row in rows if row[0] == "指定硬件"}
    assert (areas["总显存"], areas["单柜功率"]) == ("算力", "机房")
    assert {row[3] for row in rows} & {load.id for load in failing.requirement.workloads} == set()
    cured = [row for row in rows if row[0] == "本方案" and row[4] == "不通过" and row[10]]
    assert {(row[1], row[2]) for row in cured} >= {("机房", "单柜功率"), ("机房", "制冷量")}


def test_what_the_customer_owns_says_so_instead_of_a_price(catalog: Catalog, day: date, tmp_path: Path) -> None:
    quote = make_quote(form("named-hardware", catalog), catalog, day)
    owned = [line.no for line in quote.price.lines if line.owned]
    sheet = opened(write_workbook, quote, catalog, tmp_path)["设备清单"]
    rows = {row[0]: row for row in sheet.iter_rows(min_row=2, values_only=True)}
    assert owned
    assert [(rows[no][8], rows[no][10]) for no in owned] == [("利旧", "利旧")] * len(owned)
    assert all(row[0] != "指定硬件" for row in opened(write_workbook, quote, catalog, tmp_path)["校验"].values)


def test_lines_inside_a_node_are_numbered_and_have_no_price(quote: Quote, catalog: Catalog, tmp_path: Path) -> None:
    sheet = opened(write_workbook, quote, catalog, tmp_path)["设备清单"]
    inside = {line.no: line.name_zh for line in quote.price.lines if line.included}
    rows = {row[0].value: row for row in sheet.iter_rows(min_row=2) if row[0].value in inside}
    assert len(inside) > 5
    assert {no: row[2].value for no, row in rows.items()} == inside
    assert {row[8].value for row in rows.values()} == {"含在整机内"}
    assert {row[2].alignment.indent for row in rows.values()} == {2}


# --------------------------------------------------------------------------- how they print


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("write", [write_workbook, write_purchasing])
def test_every_sheet_prints_one_page_wide_on_a4_under_a_lawful_name(
    write: Callable[..., None], language: Language, failing: Quote, catalog: Catalog, tmp_path: Path
) -> None:
    for sheet in opened(write, failing, catalog, tmp_path, language):
        assert len(sheet.title) <= 31
        assert not re.search(r"[\[\]:*?/\\]", sheet.title)
        assert sheet.sheet_properties.pageSetUpPr.fitToPage
        assert (sheet.page_setup.paperSize, sheet.page_setup.fitToWidth or 1, sheet.page_setup.fitToHeight) == (9, 1, 0)
        assert sheet.page_setup.orientation == ("landscape" if sheet.freeze_panes else "portrait")
        assert failing.number in sheet.oddHeader.left.text
        assert sheet.oddFooter.right.text.strip() == {"zh": "第 &P 页，共 &N 页", "en": "Page &P of &N"}[language]
        assert sheet.freeze_panes is None or sheet.print_title_rows
        filtered = sheet.auto_filter.ref
        assert filtered is None or sheet.freeze_panes == f"{sheet.freeze_panes[0]}{int(filtered.split(':')[0][1:]) + 1}"


@pytest.mark.parametrize("write", [write_workbook, write_purchasing])
def test_nothing_is_hidden_and_only_print_names_are_defined(
    write: Callable[..., None], failing: Quote, catalog: Catalog, tmp_path: Path
) -> None:
    book = opened(write, failing, catalog, tmp_path)
    assert {sheet.sheet_state for sheet in book} == {"visible"}
    assert not any(part.hidden for sheet in book for part in sheet.column_dimensions.values())
    assert not any(part.hidden for sheet in book for part in sheet.row_dimensions.values())
    assert dict(book.defined_names) == {}
    allowed = {"_xlnm.Print_Titles", "_xlnm._FilterDatabase", "Print_Titles"}
    assert {name for sheet in book for name in sheet.defined_names} <= allowed
    assert (book.properties.creator, book.properties.title) == (catalog.house.name_zh, failing.number)


def test_number_formats_show_fen_and_whole_numbers_without_a_trailing_point(
    quote: Quote, catalog: Catalog, tmp_path: Path
) -> None:
    book = opened(write_workbook, quote, catalog, tmp_path)
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row]
    numbers = [cell for cell in cells if cell.data_type in ("n", "f") and cell.value is not None]
    summed = [cell for cell in numbers if cell.data_type == "f"]
    assert {cell.number_format for cell in summed if cell.parent.title == "机柜"} == {"#,##0", "#,##0.0##"}
    assert {cell.number_format for cell in summed if cell.parent.title == "回执"} == {'"¥"#,##0.00'}
    assert {cell.number_format for cell in summed if cell.parent.title not in ("机柜", "回执")} == {"#,##0.00"}
    numbers = [cell for cell in numbers if cell.data_type == "n"]
    pointed = [cell for cell in numbers if cell.number_format == "#,##0.0##"]
    assert len(pointed) > 20
    assert [cell for cell in pointed if cell.value == int(cell.value)] == []
    cut = [cell for cell in numbers if cell.number_format == "#,##0" and cell.value != int(cell.value)]
    assert cut == []


def test_rows_are_tall_enough_for_their_text(quote: Quote, catalog: Catalog, tmp_path: Path) -> None:
    sheet = opened(write_workbook, quote, catalog, tmp_path)["设备清单"]
    widths = {cell.column_letter: sheet.column_dimensions[cell.column_letter].width for cell in sheet[1]}
    for row in sheet.iter_rows(min_row=2):
        longest = max(len(str(cell.value or "")) * 6.0 / (widths[cell.column_letter] * 7) for cell in row)
        if row[0].value:
            tall = sheet.row_dimensions[row[0].row].height or 15  # of a row the file says nothing about
            assert tall >= 12 * max(1, longest - 1)


def shown(cell: Any) -> str:
    """A number as its format prints it."""
    formats = {"#,##0.00": ",.2f", "#,##0": ",.0f", "#,##0.0##": ",.3f", "0.0%": ".1%", "0%": ".0%", "0.00E+00": ".2E"}
    return str(format(cell.value, formats.get(cell.number_format, "")))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("write", [write_workbook, write_purchasing])
def test_a_thousandfold_quantity_still_fits_its_columns(
    write: Callable[..., None], language: Language, quote: Quote, catalog: Catalog, tmp_path: Path
) -> None:
    """A number wider than its column is printed as ####; a digit of this font is at most 7 pixels wide, in bold too."""
    opened(write, thousandfold(quote), catalog, tmp_path, language)
    book, narrow = openpyxl.load_workbook(tmp_path / "book.xlsx", data_only=True), []
    for sheet in book:
        for cell in (cell for row in sheet.iter_rows() for cell in row):
            if isinstance(cell.value, int | float) and sheet.column_dimensions[cell.column_letter].width:
                pixels = sum(7 if letter.isdigit() else 4 for letter in shown(cell))
                if pixels > sheet.column_dimensions[cell.column_letter].width * 7:
                    narrow.append((sheet.title, cell.coordinate, shown(cell)))
    assert narrow == []


def thousandfold(quote: Quote) -> Quote:
    """The quotation of a thousand times as much: some five thousand million."""
    price = quote.price
    total = {"total": price.total, "net": price.net, "tax": price.tax, "cost_total": price.cost_total}
    return replace(
        quote,
        price=replace(
            price,
            lines=tuple(times(line) for line in price.lines),
            options=tuple(times(line) for line in price.options),
            groups=tuple(replace(group, total=group.total and group.total * 1000) for group in price.groups),
            taxes=tuple(replace(tax, net=tax.net * 1000, tax=tax.tax * 1000) for tax in price.taxes),
            **{name: value * 1000 for name, value in total.items() if value},
        ),
    )


def times(line: PricedLine) -> PricedLine:
    amounts = {name: getattr(line, name) for name in ("quantity", "subtotal", "net", "tax")}
    cost = line.cost and replace(line.cost, total=(line.cost.total or 0) * 1000)
    return replace(line, cost=cost, **{name: value * 1000 for name, value in amounts.items() if value})


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("短", 10, 1),
        ("一二三四五六七八九十", 10, 2),  # ten of 12 pixels in 65
        ("a b c d e f", 10, 1),
        ("Ascend CANN MindSpeed", 10, 3),
        ("x" * 50, 10, 5),
        ("one\ntwo", 40, 2),
        ("", 10, 1),
    ],
)
def test_how_many_lines_a_text_takes(text: str, width: int, expected: int) -> None:
    assert lines(text, room(width, 9)) == expected


def test_a_text_may_run_over_several_columns() -> None:
    xml = (
        '<workbook head="A&amp;B"><sheet name="s" freeze="1 2"><column key="a" width="8"/><column key="b" width="8"/>'
        '<column key="c" width="8"/><row kind="line"><text span="2">over</text><number>7</number></row>'
        "</sheet></workbook>"
    )
    stream = BytesIO()
    write_xlsx(read_sheets(xml), lambda row, cell_format, kind: {}, stream, {})
    sheet = openpyxl.load_workbook(stream)["s"]
    assert [str(one) for one in sheet.merged_cells.ranges] == ["A1:B1"]
    assert (sheet["A1"].value, sheet["C1"].value, sheet.freeze_panes) == ("over", 7, "C2")
    assert sheet.oddHeader.left.text.strip() == "A&&B"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_customer_reads_the_terms_and_has_a_form_to_reply(
    catalog: Catalog, tmp_path: Path, language: Language
) -> None:
    form = Path(__file__).resolve().parent.parent / "examples" / "entry.toml"
    quote = make_quote(read_form(form, catalog), catalog, date(2026, 11, 30))
    write_workbook(quote, tmp_path / "b.xlsx", language, catalog=catalog)
    book = openpyxl.load_workbook(tmp_path / "b.xlsx", data_only=True)
    words = load_words(language, (templates_folder(),))
    terms, reply = book[words.say("book.terms")], book[words.say("book.reply")]
    assert terms.max_row >= 6
    assert all(row[1].value for row in terms.iter_rows(min_row=2))
    labels = {row[0].value: row[1].value for row in reply.iter_rows()}
    assert labels[words.say("book.total")] == pytest.approx(float(quote.price.total or 0))
    assert all(labels[text] is None for text in words.under("book.reply_of"))
    boxes = [row[1] for row in reply.iter_rows() if row[0].value in words.under("book.reply_of")]
    assert {box.fill.start_color.rgb for box in boxes} == {"FFFFF8E1"}
    rows = {row[0]: row for row in reply.iter_rows(values_only=True)}
    options = [line for line in quote.price.options if not line.included]
    assert len(options) > 3
    for line in options:
        name = line.name_zh if language == "zh" else line.name_en
        assert rows[line.no] == (line.no, name, pytest.approx(float(line.subtotal or 0)), None)


@pytest.mark.parametrize(("reuse", "gap"), [(("hosting",), True), ((), False)])
def test_a_gap_in_the_numbers_of_options_is_explained(
    reuse: tuple[str, ...], gap: bool, catalog: Catalog, day: date, tmp_path: Path
) -> None:
    need = replace(form("entry", catalog), scope=Scope(reuse=reuse))
    quote = make_quote(need, catalog, day)
    assert any(line.owned for line in quote.price.options) == gap
    note = opened(write_workbook, quote, catalog, tmp_path)["可选项"]["A1"].value
    assert (load_words("zh", [templates_folder()]).say("proposal.options_gap") in note) == gap


@pytest.mark.parametrize("example", ["entry", "failing-room"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_tenders_workbook_offers_no_choice_and_no_rent(
    example: str, language: Language, catalog: Catalog, day: date, tmp_path: Path
) -> None:
    need = form(example, catalog)
    tender = make_quote(replace(need, document=replace(need.document, mode="tender")), catalog, day)
    assert tender.price.options
    book = opened(write_workbook, tender, catalog, tmp_path, language)
    say = load_words(language, [templates_folder()]).say
    assert {say("book.options"), say("book.owning")} & set(book.sheetnames) == set()
    texts = [value for value in values(book) if isinstance(value, str)]
    assert {say("book.reply_options"), say("book.reply_of.chosen_plan")} & set(texts) == set()
    soft = SOFT[language].split("," if language == "en" else " ")
    assert [text for text in texts if any(word in text for word in soft)] == []


# --------------------------------------------------------------------------- racks, units and weights


def racks_of(book: Any) -> list[dict[str, Any]]:
    head, *rows = book["机柜"].iter_rows(values_only=True)
    return [dict(zip(head, row, strict=True)) for row in rows]


@pytest.mark.parametrize("example", ["cluster", "entry", "xinchuang", "named-hardware"])
def test_units_power_and_weight_are_totalled_over_the_racks(
    example: str, catalog: Catalog, day: date, tmp_path: Path
) -> None:
    quote = make_quote(form(example, catalog), catalog, day)
    formulas = racks_of(opened(write_workbook, quote, catalog, tmp_path))
    rows = racks_of(openpyxl.load_workbook(tmp_path / "book.xlsx", data_only=True))
    total = next(row for row in rows if row["名称"] == "小计")
    said = {"已用高度（U）": quote.site.units_used, "机柜功耗（kW）": quote.site.power_kw}
    said |= {"机柜散热（kW）": quote.site.heat_kw, "机柜总重（kg）": quote.site.weight_kg}
    assert {key: total[key] for key in said} == {
        key: "未知" if value is None else pytest.approx(float(value)) for key, value in said.items()
    }
    written = next(row for row in formulas if row["名称"] == "小计")
    assert all(str(written[key]).startswith("=SUM(") for key, value in said.items() if value is not None)
    racks = [row for row in rows if row["机柜容量（U）"]]
    assert [row["机柜"] for row in racks] == [rack.id for rack in quote.site.racks]
    assert len([row for row in rows if row["设备编号"]]) == sum(len(rack.placed) for rack in quote.site.racks)


def test_used_units_are_those_of_what_stands_in_the_rack(quote: Quote, catalog: Catalog, day: date) -> None:
    for rack in quote.site.racks:
        assert rack.units_used == sum(box.units for box in rack.placed)
    assert quote.site.units_used == sum(rack.units_used or 0 for rack in quote.site.racks) == 26
    unknown = make_quote(form("named-hardware", catalog), catalog, day)
    assert (unknown.site.units_used, [rack.units_used for rack in unknown.site.racks]) == (None, [None])


def test_a_workstation_has_no_sheet_of_racks(catalog: Catalog, day: date, tmp_path: Path) -> None:
    need = form("entry", catalog)
    quote = make_quote(replace(need, project=replace(need.project, form_factor="workstation")), catalog, day)
    assert quote.site.racks == ()
    assert "机柜" not in opened(write_workbook, quote, catalog, tmp_path).sheetnames


# --------------------------------------------------------------------------- nothing of the house in a client's file


@pytest.mark.parametrize("write", [write_workbook, write_purchasing, write_rfq])
def test_properties_are_the_companys_and_no_path_comment_or_foreign_part_is_in_the_file(
    write: Callable[..., None], quote: Quote, catalog: Catalog, tmp_path: Path
) -> None:
    opened(write, quote, catalog, tmp_path)
    with zipfile.ZipFile(tmp_path / "book.xlsx") as file:
        names = file.namelist()
        text = "\n".join(file.read(name).decode() for name in names)
    parts = {name.split("/")[1] if name.startswith("xl/") else name.split("/")[0] for name in names}
    assert parts == {
        *("[Content_Types].xml", "_rels", "docProps", "workbook.xml", "worksheets", "theme", "styles.xml"),
        "sharedStrings.xml",
    }
    properties = re.findall(r"<(?:dc:|cp:)?(\w+)[^>]*>([^<]+)<", "".join(_members(tmp_path / "book.xlsx", "docProps/")))
    ours = ("creator", "lastModifiedBy", "Company")
    said = {name: value for name, value in properties if name in (*ours, "title")}
    assert said.pop("title").endswith(quote.number)
    assert said == dict.fromkeys(ours, catalog.house.name_zh)
    assert [path for path in ("/tmp", "/home", "/root", str(ROOT), "file:", "C:\\") if path in text] == []


def _members(path: Path, prefix: str) -> list[str]:
    with zipfile.ZipFile(path) as file:
        return [file.read(name).decode() for name in file.namelist() if name.startswith(prefix)]


# --------------------------------------------------------------------------- five thousand lines


def test_five_thousand_lines_are_written_in_a_second_and_a_half(quote: Quote, catalog: Catalog, tmp_path: Path) -> None:
    """By the processor's clock, since other programs may be running."""
    kinds = [line for line in quote.price.lines if not line.included]
    lines = tuple(
        replace(kinds[number % len(kinds)], no=str(number + 1), name_zh=f"设备 {number + 1}") for number in range(5000)
    )
    total = sum((line.subtotal or Decimal(0) for line in lines), Decimal(0))
    long = replace(quote, price=replace(quote.price, lines=lines, total=total))
    used = []
    for _ in range(3):
        start = time.process_time()
        write_workbook(long, tmp_path / "book.xlsx", "zh", catalog=catalog)
        used.append(time.process_time() - start)
    assert min(used) <= 1.5
    rows = list(openpyxl.load_workbook(tmp_path / "book.xlsx", data_only=True)["设备清单"].iter_rows(values_only=True))
    assert (len(rows), rows[-1][10]) == (5002, pytest.approx(float(total)))
    assert {row[0] for row in rows[1:-1]} == {line.no for line in lines}
