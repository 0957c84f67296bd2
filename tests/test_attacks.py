"""Hostile forms, catalogues and templates: what is read as data, what is refused, and what no customer may see."""

from __future__ import annotations

import json
import os
import re
import sys
import time
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from email import policy
from email.parser import BytesParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader

from quoting.catalog import load_catalog
from quoting.cli import main
from quoting.deliver import deliver
from quoting.documents.sheet_writer import write_xlsx
from quoting.documents.sheets import Cell, Column, Row, Sheet, read_sheets
from quoting.documents.view import customer_view
from quoting.errors import Mistakes, Outside
from quoting.forms import parse_form, read_form
from quoting.forms.files import SIZE_CAP
from quoting.quote import make_quote
from quoting.records import Quote
from quoting.report import summary, words_of
from quoting.rows import Catalog
from quoting.stages.price.uppercase import uppercase

ATTACKS = Path(__file__).parent / "attacks"
ROOT = Path(__file__).resolve().parent.parent
DAY = date(2026, 11, 30)
HEAD = "sku,price,currency,tax_included,on,until,source,supplier"
COST, SUPPLIER = Decimal("1234567.89"), "CANARY-SUPPLIER-9Z"
SHARE = Decimal("0.2387654")
SPREADSHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def refusal(call: Callable[[], Any]) -> str:
    with pytest.raises(Mistakes) as caught:
        call()
    return str(caught.value)


def small(**tables: Any) -> dict[str, Any]:
    return {"customer": {"name": "甲公司"}, "workload": [{"params": "7B", "task": "lora"}]} | tables


# ---------------------------------------------------------------------- one hostile form on a catalogue of canaries


@pytest.fixture(scope="module")
def canaries(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """Every part has one supplier, cost and source that can be told from everything else."""
    ours = tmp_path_factory.mktemp("house")
    plain = load_catalog()
    (ours / "sources").mkdir()
    (ours / "sources" / "prices.toml").write_text(
        '[[source]]\nid = "canary-offer-7K"\ntitle = "CANARY-TITLE-3T"\npublisher = "CANARY-PUBLISHER-5P"\n'
        'date = "2026-11-30"\nmethod = "CANARY-METHOD-8Q"\ngrade = "quoted"\nref = "CANARY-REF-2R"\n',
        encoding="utf-8",
    )
    lines = (f"{sku},{COST},CNY,true,2026-11-30,2026-12-31,canary-offer-7K,{SUPPLIER}" for sku in plain.parts)
    (ours / "prices.csv").write_text("\n".join([HEAD, *lines]) + "\n", encoding="utf-8")
    shares = "\n".join(f"{category} = {SHARE}" for category in plain.terms.markup)
    (ours / "terms.toml").write_text(f"[markup]\n{shares}\n", encoding="utf-8")
    return load_catalog([ours])


@pytest.fixture(scope="module")
def hostile(canaries: Catalog, tmp_path_factory: pytest.TempPathFactory) -> tuple[Quote, Path]:
    quote = make_quote(read_form(ATTACKS / "hostile.toml", canaries), canaries, DAY)
    files = deliver(quote, canaries, tmp_path_factory.mktemp("out"), "zh")
    return quote, files[0].parent.parent


@pytest.fixture(scope="module")
def pdf(hostile: tuple[Quote, Path]) -> PdfReader:
    return PdfReader(hostile[1] / "client" / "proposal.zh.pdf")


def typed_texts() -> list[str]:
    form = tomllib.loads((ATTACKS / "hostile.toml").read_text(encoding="utf-8"))
    texts = [*form["customer"].values(), *form["project"].values()]
    return [*texts, *(line[key] for line in form["line"] for key in ("name", "reason") if key in line)]


def text_of(pdf: PdfReader) -> str:
    return "".join("".join(page.extract_text() for page in pdf.pages).split())


def test_hostile_texts_stand_in_the_proposal_as_typed(pdf: PdfReader) -> None:
    text = text_of(pdf)
    shown = [
        '<imgsrc="file:///etc/passwd"><linkrel=attachmenthref="file:///etc/hostname"><b>甲公司{{7*7}}',
        "=cmd|'/ccalc'!A1{%include'/etc/passwd'%}",
        "@SUM(1)<svgonload=x>]]>&amp;",
        "-2+3",
    ]
    assert [one for one in shown if one not in text] == []
    assert "root:x:0" not in text


def test_the_proposal_is_passive(pdf: PdfReader) -> None:
    held = set(_keys(pdf))
    active = {"/JavaScript", "/JS", "/OpenAction", "/AA", "/Launch", "/AcroForm", "/EmbeddedFiles", "/URI", "/Filespec"}
    assert held & active == set()
    assert list(pdf.attachments) == []
    assert "/Font" in held  # the objects were walked


def _keys(pdf: PdfReader) -> Iterator[str]:
    for value in _objects(pdf):
        if isinstance(value, dict):
            yield from value.keys()
            yield from (str(part) for part in value.values() if isinstance(part, str) and part.startswith("/"))


def _objects(pdf: PdfReader) -> Iterator[Any]:
    """Every object of the file, those inside others too, the trailer's included."""
    waiting: list[Any] = [pdf.trailer]
    seen: set[int] = set()
    while waiting:
        value = waiting.pop()
        value = value.get_object() if hasattr(value, "get_object") else value
        if value is None or id(value) in seen:
            continue
        seen.add(id(value))
        yield value
        if isinstance(value, dict):
            waiting += [value.raw_get(key) if hasattr(value, "raw_get") else value[key] for key in value]
        elif isinstance(value, list):
            waiting += list(value)


def cells_of(book: Path) -> Iterator[tuple[str, str, bool, str]]:
    """Text, cell type, whether quoted, and formula of every cell."""
    with zipfile.ZipFile(book) as file:
        shared = ["".join(one.itertext()) for one in ElementTree.fromstring(file.read("xl/sharedStrings.xml"))]
        styles = ElementTree.fromstring(file.read("xl/styles.xml")).find(f"{SPREADSHEET}cellXfs")
        assert styles is not None
        quoted = [one.get("quotePrefix") == "1" for one in styles]
        for name in file.namelist():
            if not name.startswith("xl/worksheets/sheet"):
                continue
            for cell in ElementTree.fromstring(file.read(name)).iter(f"{SPREADSHEET}c"):
                value = cell.findtext(f"{SPREADSHEET}v") or ""
                text = shared[int(value)] if cell.get("t") == "s" else value
                yield text, cell.get("t", "n"), quoted[int(cell.get("s", 0))], cell.findtext(f"{SPREADSHEET}f") or ""


@pytest.mark.parametrize("name", ["client/bom.xlsx", "internal/purchasing.xlsx"])
def test_no_typed_text_is_a_formula_in_a_workbook(hostile: tuple[Quote, Path], name: str) -> None:
    cells = list(cells_of(hostile[1] / name))
    risky = [cell for cell in cells if cell[0].startswith(("=", "+", "-", "@", "#", "＝")) and not cell[3]]
    for typed in ("@SUM(1) <svg onload=x>]]>&amp;", "-2+3"):
        assert any(text.startswith(typed) and kind == "s" for text, kind, *_ in risky)
    assert all(kind == "n" or (kind == "s" and quoted) for text, kind, quoted, _ in risky if not text.startswith("#"))
    formulas = " ".join(formula for *_, formula in cells)
    assert "ROUND(" in formulas
    assert not re.search(r"HYPERLINK|cmd|SUM\(1\)|https?:|\[\d+\]|WEBSERVICE|DDE", formulas)


def test_a_customers_workbook_holds_nothing_hidden_and_nothing_from_outside(hostile: tuple[Quote, Path]) -> None:
    with zipfile.ZipFile(hostile[1] / "client" / "bom.xlsx") as file:
        members = {re.sub(r"\d+", "N", name) for name in file.namelist()}
        xml = "".join(file.read(name).decode() for name in file.namelist())
    assert members <= {
        *("[Content_Types].xml", "_rels/.rels", "xl/_rels/workbook.xml.rels", "xl/workbook.xml"),
        *("xl/worksheets/sheetN.xml", "xl/sharedStrings.xml", "xl/styles.xml", "xl/theme/themeN.xml"),
        *("docProps/core.xml", "docProps/app.xml"),
    }
    xml = re.sub(r'<definedName name="_xlnm._FilterDatabase"[^>]*hidden="1"', "", xml)  # every filter has one
    for hidden in ('hidden="1"', 'state="hidden"', 'state="veryHidden"', "<hyperlink", "externalReference", "<comment"):
        assert hidden not in xml
    assert not re.search(r"<lastPrinted|/tmp/|/home/|/root/|[A-Z]:\\\\", xml)  # no place on a disk


def test_quote_json_keeps_every_typed_text(hostile: tuple[Quote, Path]) -> None:
    kept = json.dumps(json.loads((hostile[1] / "internal" / "quote.json").read_bytes()), ensure_ascii=False)
    assert [text for text in typed_texts() if json.dumps(text, ensure_ascii=False)[1:-1] not in kept] == []


def test_a_path_in_a_name_names_no_file(hostile: tuple[Quote, Path]) -> None:
    quote, folder = hostile
    assert re.fullmatch(r"D\d{8}-[0-9a-f]{10}", folder.name)
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    assert names == [
        *("client/bom.xlsx", "client/mail.eml", "client/proposal.zh.pdf"),
        *("internal/purchasing.xlsx", "internal/quote.json"),
    ]
    assert [path.name for path in folder.parent.iterdir()] == [quote.number]


def secrets(quote: Quote) -> Iterator[str]:
    """Cost, margin and where prices come from, in every way people write them."""
    yield from (SUPPLIER, "CANARY-", "canary-offer", str(SHARE), "23.88%", "23.88 %", "23.9%", "23.9 %")
    price = quote.price
    costs = [line.cost for line in price.lines if line.cost is not None]
    amounts = {COST, price.cost_total, price.margin_total}
    amounts |= {amount for cost in costs for amount in (cost.total, cost.margin, cost.total_margin)}
    for amount in amounts - {None, Decimal(0)}:
        assert amount is not None
        yield from (f"{amount:.2f}", f"{amount:,.2f}", f"{amount / 10000:.2f}万", f"{amount / 10000:,.4f}")
        yield uppercase(amount)
    for share in {cost.margin_share for cost in costs if cost.margin_share}:
        yield from (f"{share * 100:.2f}%", f"{share * 100:.2f} %", f"{share * 100:.1f} %", f"{share:.6f}")


def customer_bytes(folder: Path) -> Iterator[tuple[str, str]]:
    """Every byte a customer gets: files as they are, PDF text and streams, members of workbooks, the mail's parts."""
    for path in sorted((folder / "client").iterdir()):
        yield path.name, path.read_bytes().decode("latin-1")
        if path.suffix == ".xlsx":
            with zipfile.ZipFile(path) as file:
                yield from ((f"{path.name}/{name}", file.read(name).decode()) for name in file.namelist())
        elif path.suffix == ".eml":
            message = BytesParser(policy=policy.default).parsebytes(path.read_bytes())
            yield f"{path.name}/head", str(message.items())
            bodies = (part for part in message.walk() if part.get_content_maintype() == "text")
            yield from ((f"{path.name}/body", str(part.get_payload(decode=True), "utf-8")) for part in bodies)
        else:
            reader = PdfReader(path)
            yield f"{path.name}/text", text_of(reader)
            yield f"{path.name}/info", str(reader.metadata)
            streams = (one for one in _objects(reader) if hasattr(one, "get_data"))
            yield from ((f"{path.name}/stream", one.get_data().decode("latin-1")) for one in streams)


def test_no_customer_file_holds_cost_margin_or_supplier(hostile: tuple[Quote, Path]) -> None:
    quote, folder = hostile
    assert quote.price.lines[0].cost is not None
    assert quote.price.lines[0].cost.supplier == SUPPLIER
    parts, hidden = list(customer_bytes(folder)), list(dict.fromkeys(secrets(quote)))
    assert len(parts) > 20
    assert len(hidden) > 30
    assert [(name, secret) for name, content in parts for secret in hidden if secret in content] == []
    assert SUPPLIER in "".join(text for text, *_ in cells_of(folder / "internal" / "purchasing.xlsx"))


def test_the_customers_view_has_no_field_for_the_inside(hostile: tuple[Quote, Path], canaries: Catalog) -> None:
    view = customer_view(hostile[0], canaries, words_of("zh"))
    with pytest.raises(AttributeError):
        _ = view.groups[0].lines[0].cost  # type: ignore[attr-defined]
    assert [secret for secret in dict.fromkeys(secrets(hostile[0])) if secret in repr(view)] == []


# ---------------------------------------------------------------------- answers of a form


NUMBERS = tomllib.loads((ATTACKS / "numbers.toml").read_text(encoding="utf-8"))["answers"]


@pytest.mark.parametrize(("key", "answer"), [(key, answer) for key, all in NUMBERS.items() for answer in all])
def test_an_impossible_number_is_refused_by_its_key(tmp_path: Path, catalog: Catalog, key: str, answer: str) -> None:
    table, name = key.replace("[1]", "").split(".")
    head = "[[workload]]" if table == "workload" else f'[[workload]]\nparams="7B"\ntask="lora"\n[{table}]'
    more = 'params = "7B"\ntask = "lora"\n' if table == "workload" else ""
    more += 'gpu = "H20 96G"\n' if table == "hardware" else ""
    form = tmp_path / "form.toml"
    form.write_text(f'[customer]\nname = "甲"\n{head}\n{more}{name} = {answer}\n', encoding="utf-8")
    said = refusal(lambda: read_form(form, catalog))
    # A number Decimal cannot hold is refused by the reader of the file, before a field is known.
    assert f"form.toml: {key}: " in said or "number out of range" in said


CHARACTERS = tomllib.loads((ATTACKS / "characters.toml").read_text(encoding="utf-8"))["refused"]


@pytest.mark.parametrize(("code", "kind"), CHARACTERS.items())
def test_a_character_nobody_sees_is_refused_by_code_point(catalog: Catalog, code: str, kind: str) -> None:
    text = f"甲{chr(int(code[2:], 16))}乙"
    said = refusal(lambda: parse_form(small(project={"name": text}), catalog, "form.json"))
    assert f"form.json: project.name: {kind}" in said
    assert code in said


def test_a_lone_surrogate_in_json_is_refused(tmp_path: Path, catalog: Catalog) -> None:
    form = tmp_path / "form.json"
    form.write_text('{"customer": {"name": "甲\\ud800"}, "workload": [{"params": "7B", "task": "lora"}]}', "utf-8")
    assert "customer.name: surrogate U+D800" in refusal(lambda: read_form(form, catalog))


def test_names_at_the_cap_are_kept_whole_and_one_more_is_refused(catalog: Catalog) -> None:
    long = "粤港澳大湾区人工智能算力系统集成" * 13
    kept = parse_form(small(customer={"name": long[:200]}), catalog, "f").customer.name
    assert kept == long[:200]
    assert "201 characters are too many" in refusal(
        lambda: parse_form(small(customer={"name": long[:201]}), catalog, "f")
    )


def test_a_form_of_long_texts_is_set_in_time(tmp_path: Path, catalog: Catalog) -> None:
    note = {"action": "note", "sku": "svc-deploy-node", "reason": "算" * 2000}
    line = {"action": "add", "name": "力" * 200, "quantity": 1, "unit_price": "1.00", "reason": "A" * 2000}
    form = small(customer={"name": "示" * 200}, project={"name": "W" * 200}, line=[note, line])
    quote = make_quote(parse_form(form, catalog, "f"), catalog, DAY)
    begin = time.monotonic()
    files = deliver(quote, catalog, tmp_path, "en")
    assert time.monotonic() - begin < 20
    assert "示" * 20 in text_of(PdfReader(files[0]))


def test_a_character_no_font_has_is_named_and_nothing_is_written(tmp_path: Path, catalog: Catalog) -> None:
    quote = make_quote(parse_form(small(customer={"name": "甲\U00030000公司"}), catalog, "f"), catalog, DAY)
    with pytest.raises(Outside, match=r"U\+30000.*write the name with others"):
        deliver(quote, catalog, tmp_path, "zh")
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------------- bombs


def test_bombs_are_refused_at_once(tmp_path: Path, catalog: Catalog) -> None:
    bombs = {
        "size.toml": f'x = "{"a" * SIZE_CAP}"',
        "deep.toml": "x = " + "[" * 3000,
        "dots.toml": ".".join("a" * 5000) + " = 1",
        "deep.json": "[" * 100_000,
        "digits.toml": "x = " + "9" * 5000,
        "twice.toml": "x = 1\nx = 2",
        "twice.json": '{"x": 1, "x": 2}',
        "many.json": json.dumps(small(workload=[{"params": "7B", "task": "lora"}] * 1000)),
    }
    begin = time.monotonic()
    for name, text in bombs.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert refusal(lambda path=tmp_path / name: read_form(path, catalog)).startswith(f"{name}: ")
    assert time.monotonic() - begin < 5


def test_a_key_given_twice_is_named(tmp_path: Path, catalog: Catalog) -> None:
    form = tmp_path / "form.json"
    form.write_text('{"customer": {"name": "甲", "name": "乙"}}', encoding="utf-8")
    assert "key twice: name" in refusal(lambda: read_form(form, catalog))


# ---------------------------------------------------------------------- absurd wishes, honest answers


ABSURD = {
    "a tenth of a kilowatt a rack": small(site={"racks": 1, "rack_power": "0.1kW", "rack_units": 1}),
    "a trillion parameters by tomorrow": small(
        workload=[{"params": "1T", "task": "pretrain", "tokens": "15T", "deadline": "1天"}]
    ),
    "a hundred trillion": small(workload=[{"params": "100T", "task": "full"}]),
    "a million answers at once": small(workload=[{"params": "70B", "task": "inference", "concurrency": 100000}]),
    "forty thousand cards": small(hardware={"gpu": "H20 96G", "cards": 40000}),
    "contradictions": small(
        workload=[{"params": "100B", "task": "pretrain"}],
        hardware={"gpu": "H100"},
        site={"rack_power": "6kW"},
        compliance={"domestic": "required"},
        commercial={"budget": "20万"},
    ),
    "one yuan": small(commercial={"budget": "1元"}),
    "a mountain top": small(site={"altitude": "5000m", "supply_temperature": "35°C", "cooling": "1kW"}),
}


@pytest.mark.parametrize("form", ABSURD.values(), ids=ABSURD)
def test_an_absurd_wish_gets_an_honest_answer_in_time(catalog: Catalog, form: dict[str, Any]) -> None:
    begin = time.monotonic()
    quote = make_quote(parse_form(form, catalog, "f"), catalog, DAY)
    said = [summary(quote, catalog, [], language) for language in ("zh", "en")]
    assert time.monotonic() - begin < 8
    assert any(finding.status in ("fail", "warn") for finding in quote.findings)
    assert not any(re.search(r"\bNone\b|NaN|Infinity|\d[eE]\+\d|[{}]", text) for text in said)


def test_what_nothing_can_do_has_no_total(catalog: Catalog) -> None:
    form = ABSURD["a trillion parameters by tomorrow"]
    quote = make_quote(parse_form(form, catalog, "f"), catalog, DAY)
    assert any(finding.status == "fail" for finding in quote.findings)
    assert quote.choice.chosen is None or quote.choice.chosen.cards is not None
    if quote.choice.chosen is None:
        assert quote.price.total is None


@pytest.mark.parametrize("lines", [1, 5, 200])
def test_a_total_whose_fen_would_be_lost_is_refused(catalog: Catalog, lines: int) -> None:
    line = {"action": "add", "name": "x", "quantity": 1_000_000, "unit_price": "999999999.99", "reason": "x"}
    form = parse_form(small(line=[line] * lines), catalog, "f")
    assert "line: the total is impossibly large" in refusal(lambda: make_quote(form, catalog, DAY))


def test_a_total_of_trillions_keeps_its_fen(catalog: Catalog) -> None:
    line = {"action": "add", "name": "x", "quantity": 9000, "unit_price": "999999999.99", "reason": "x"}
    price = make_quote(parse_form(small(line=[line]), catalog, "f"), catalog, DAY).price
    assert price.total == sum(line.subtotal or 0 for line in price.lines if not line.included)
    assert price.net is not None
    assert price.tax is not None
    assert price.net + price.tax == price.total > Decimal(8_000_000_000_000)
    assert price.total_upper == uppercase(price.total)


def test_a_million_switches_typed_by_hand_are_refused_at_once(catalog: Catalog) -> None:
    line = {"action": "add", "sku": "sw-ce8850", "quantity": 1_000_000, "reason": "x"}
    form, begin = parse_form(small(line=[line]), catalog, "f"), time.monotonic()
    assert "line: 2,000,000 rack units by hand" in refusal(lambda: make_quote(form, catalog, DAY))
    assert time.monotonic() - begin < 5


@pytest.mark.parametrize("discount", ["100%", "101%", "-10%", "0.85", "15", "0.99999999", "1e-9", "0折", "10折"])
def test_a_discount_of_two_readings_or_none_is_refused(catalog: Catalog, discount: str) -> None:
    said = refusal(lambda: parse_form(small(commercial={"discount": discount}), catalog, "f"))
    assert "commercial.discount" in said


def test_a_card_nobody_makes_is_refused(catalog: Catalog) -> None:
    assert "unknown card: H999" in refusal(lambda: parse_form(small(hardware={"gpu": "H999"}), catalog, "f"))


def test_equipment_forced_into_a_full_room_is_one_entry_of_its_rack(catalog: Catalog) -> None:
    form = small(
        workload=[{"params": "10T", "task": "full", "tokens": "400B"}],
        site={"racks": 1, "rack_power": "12kW"},
    )
    racks = make_quote(parse_form(form, catalog, "f"), catalog, DAY).site.racks
    labels = [placed.label for rack in racks for placed in rack.placed]
    assert len(labels) == len(set(labels)) > 100


# ---------------------------------------------------------------------- catalogues from outside


@pytest.fixture
def house(tmp_path: Path) -> Callable[[str, str], Path]:
    def write(name: str, text: str) -> Path:
        path = tmp_path / "house" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return tmp_path / "house"

    return write


PRICES = tomllib.loads((ATTACKS / "prices.toml").read_text(encoding="utf-8"))["line"]


@pytest.mark.parametrize("line", PRICES, ids=[line["price"] or "nothing" for line in PRICES])
def test_a_doubtful_price_is_refused_by_its_line(house: Callable[[str, str], Path], line: dict[str, str]) -> None:
    rest = "CNY,true,2026-11-01,,price-4080s,A"
    rows = f"gpu-l20-48g,{line['price']},{rest}\nos-ubuntu-server,5,{rest}\n"
    said = refusal(lambda: load_catalog([house("prices.csv", f"{HEAD}\n{rows}")]))
    assert "house/prices.csv: line 2" in said
    assert line["says"] in said


WRONG = {
    "prices.csv: line 2": f"{HEAD}\ngpu-l20-48g,5,CNY,true,2026-11-01,2026-10-01,price-4080s,A\n",
    "prices.csv: line 1: column price twice": f"{HEAD},price\n",
    "terms.toml: validity_days": "validity_days = 99999999999",
    "terms.toml: tax_rate.goods: 13 is no share": "[tax_rate]\ngoods = 13",
    "terms.toml: markup.default: below zero": "[markup]\ndefault = -2.0",
    "house.toml: colour: not a colour": 'colour = "red;background:url(http://127.0.0.1:9/x)"',
    "house.toml: name_zh: forbidden character U+0007": 'name_zh = "\\u0007"',
    "house.toml: phone: forbidden character U+202E": 'phone = "\\u202e"',
    "house.toml: file: not TOML": "phone = " + "[" * 5000,
    "terms.toml: file: not TOML": "validity_days = " + "9" * 5000,
    'rules/own.toml: "circuit_80pct".fail: wrong value often': '["circuit_80pct"]\nfail = "often"',
    'rules/own.toml: "circuit_80pct".fale: unknown key': '["circuit_80pct"]\nfale = 0.5',
    'rules/own.toml: "circuit_80pc": unknown rule': '["circuit_80pc"]\nfail = 0.5',
    'rules/own.toml: "transformer".sizes: wrong value big': '["transformer"]\nsizes = "big"',
    "rates.toml: rate[USD].cny: zero": '[[rate]]\ncurrency = "USD"\ncny = 0\non = 2026-11-01\nsource = "price-4080s"',
}


@pytest.mark.parametrize(("says", "text"), WRONG.items())
def test_a_senseless_value_of_a_house_is_refused_by_its_key(
    house: Callable[[str, str], Path], says: str, text: str
) -> None:
    assert f"house/{says}" in refusal(lambda: load_catalog([house(says.partition(":")[0], text + "\n")]))


@pytest.mark.parametrize("kind", ["device", "pipe", "folder", "nowhere", "huge"])
@pytest.mark.parametrize("name", ["prices.csv", "house.toml"])
def test_a_catalogue_file_that_is_no_file_is_refused(tmp_path: Path, kind: str, name: str) -> None:
    path = tmp_path / name
    make: dict[str, Callable[[], object]] = {
        "device": lambda: path.symlink_to("/dev/zero"),
        "pipe": lambda: os.mkfifo(path),
        "folder": lambda: path.mkdir(),
        "nowhere": lambda: path.symlink_to("/nowhere"),
        "huge": lambda: path.write_bytes(b"#" * (5 << 20)),
    }
    make[kind]()
    problem = "too large" if kind == "huge" else "not an ordinary file"
    assert f"{name}: file: {problem}" in refusal(lambda: load_catalog([tmp_path]))


def test_a_link_round_in_a_circle_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path)
    assert load_catalog([tmp_path]).layers == (tmp_path.name,)


# ---------------------------------------------------------------------- templates from outside


PAGE = "proposal/proposal.html.j2"
BOOK = "workbook/client.xml.j2"
EVIL = {
    "attribute walk": (PAGE, "{{ cycler.__init__.__globals__.os.popen('id').read() }}", 2, "line 1: SecurityError"),
    "class walk": (PAGE, "\n{{ ''.__class__.__mro__ }}", 2, "line 2: SecurityError"),
    "file": (PAGE, "{% include '/etc/passwd' %}", 2, "line 1: TemplateNotFound"),
    "file above": (PAGE, "{% include '../../../../etc/passwd' %}", 2, "line 1: TemplateNotFound"),
    "endless": (PAGE, "{% for i in range(10**9) %}x{% endfor %}", 2, "line 1: OverflowError"),
    "cost": (PAGE, "{{ view.groups[0].lines[0].cost }}", 2, "line 1: UndefinedError"),
    "margin": (PAGE, "{{ view.margin_total }}", 2, "line 1: UndefinedError"),
    "the quote": (PAGE, "{{ quote.price.cost_total }}", 2, "line 1: UndefinedError"),
    "syntax": (PAGE, "x\n{% if %}", 2, "line 2: TemplateSyntaxError"),
    "no such words": (PAGE, "{{ say('no.such.words') }}", 2, "line 1: MissingWords"),
    "picture": (PAGE, "<p><img src='file:///etc/passwd'>", 4, "may not load file:///etc/passwd"),
    "address": (PAGE, "<p style='background:url(http://127.0.0.1:9/b.png)'>x", 4, "may not load http://127.0.0.1:9"),
    "import": (PAGE, "<style>@import url(http://127.0.0.1:9/i.css)</style>x", 4, "may not load http://127.0.0.1:9"),
    "attachment": (PAGE, "<link rel=attachment href='file:///etc/hostname'>x", 4, "may not load file:///etc/hostname"),
    "style": ("proposal/proposal.css", "p{background:url(file:///etc/passwd)}", 4, "may not load file:///etc/passwd"),
    "words": ("words/zh/own.toml", "[tier", 2, "words/zh/own.toml: file: not TOML"),
    "placeholder": ("words/zh/own.toml", '[tier]\nentry = "{0.__class__}"', 2, "{0.__class__} is not a plain name"),
}


@pytest.mark.parametrize("case", EVIL.values(), ids=EVIL)
def test_an_evil_template_is_refused_by_name_and_nothing_is_written(
    house: Callable[[str, str], Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    case: tuple[str, str, int, str],
) -> None:
    name, text, code, says = case
    form, out = str(ROOT / "examples" / "entry.toml"), tmp_path / "out"
    templates = str(house(name, text))
    monkeypatch.setattr(sys, "argv", ["quoting", "make", form, "--out", str(out), "--templates", templates])
    with pytest.raises(SystemExit) as left:
        main()
    said = capsys.readouterr().err
    assert left.value.code == code
    assert says in said
    assert code == 4 or name in said
    assert list(out.glob("*")) == []


def test_an_entity_in_a_workbook_template_reads_no_file() -> None:
    secret = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
    with pytest.raises(ValueError, match="Entities"):
        read_sheets(f'{secret}<workbook><sheet name="a"><row><text>&e;</text></row></sheet></workbook>')


def test_a_sheet_is_data_whatever_its_cells_say(tmp_path: Path) -> None:
    texts = ["=1+1", "=cmd|'/c calc'!A1", "+1", "-2+3", "@SUM(1)", "\t=1+1", "＝1+1", "#REF!", '=HYPERLINK("x")']
    rows = tuple(Row("line", (Cell("text", text),)) for text in texts)
    path = tmp_path / "a.xlsx"
    with path.open("wb") as stream:
        write_xlsx((Sheet("a", (Column("a", Decimal(9)),), rows),), lambda *_: {}, stream, {})
    found = list(cells_of(path))
    assert [text for text, *_ in found] == texts
    assert {(kind, formula) for _, kind, _, formula in found} == {("s", "")}
    assert all(quoted for text, _, quoted, _ in found if text[0] != "#")
