"""What the mail of a quotation says: the right facts in good words, nothing the document hides, legible everywhere."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Literal

import pytest
import sample_quote
from hypothesis import given
from hypothesis import strategies as st

from quoting import load_catalog
from quoting.assets import templates_folder
from quoting.documents.brand import contrast
from quoting.documents.formats import money, number
from quoting.documents.letter import Facts, Letter, facts_in, facts_of, letter, shortened
from quoting.documents.letter_text import plain, wrapped
from quoting.documents.render import environment
from quoting.documents.view import customer_view
from quoting.documents.words import load_words
from quoting.errors import Mistakes
from quoting.forms import read_form
from quoting.kinds import Language
from quoting.quote import make_quote
from quoting.records import Quote
from quoting.rows import Catalog
from quoting.serial import canonical_json

TESTS = Path(__file__).resolve().parent
EXAMPLES = TESTS.parent / "examples"
ROOTS = (templates_folder(),)
LANGUAGES: tuple[Language, ...] = ("zh", "en")
CHINESE = """\
王工，您好：

感谢贵方的咨询。随信附上智算方案书与设备清单，要点如下：

报价编号：D20261130-a1b2c3d4e5
项目名称：智能质检大模型微调平台
主要硬件：1 台 8 卡 PCIe 微调服务器（L20）（共 8 张加速卡）
含税总价：¥328,952.00
有效期至：2026年12月7日（当日 24 时止，北京时间）
交货期：合同生效并收到预付款后 8 周
机房核验：1 项不满足，详见方案书；1 项待贵方补充数据后核验

本报价为草案：价格尚待供应商书面确认，确认之前不作为签约依据。

附件：
- 智算方案书-D20261130-a1b2c3d4e5.pdf：选型理由、机房核验、价格与条款
- 设备清单-D20261130-a1b2c3d4e5.xlsx：设备与服务明细、核验结果、条款与回执

下一步：请核对方案书中的需求理解与配置，需要调整之处直接回复本邮件；确认后，
我们取得供应商书面报价，出具正式版。方案书中另有 1 个问题需要贵方确认，烦请
一并回复。

顺颂商祺

示例智算集成有限公司
000-0000 0000 · sales@example.com
"""
ENGLISH = """\
Dear 王工,

Thank you for your enquiry. Please find attached our proposal and bill of
materials for your AI computing project. In short:

Quotation: D20261130-a1b2c3d4e5
Project: 智能质检大模型微调平台
Hardware: 1 × 8-card PCIe server, L20 (8 accelerator cards in all)
Total with tax: CNY 328,952.00
Valid until: 7 December 2026 (end of the day, Beijing time)
Delivery: 8 weeks after the contract is in force and the advance payment
  received
Room checks: 1 not met, see the proposal; 1 waiting for your data

This is a draft: prices await our suppliers' written confirmation. It is no
basis for a contract until they have come.

Attached:
- Proposal D20261130-a1b2c3d4e5.pdf: why this configuration, how it fits
  your server room, prices and terms
- Bill of materials D20261130-a1b2c3d4e5.xlsx: every item and service, the
  checks, terms and a reply form

Next step: please check our reading of your requirement and the
configuration, and reply to this mail with anything to change. Once you
confirm, we obtain our suppliers' written prices and issue the final
version. Please also answer the questions in the proposal (1).

Kind regards

Example AI Computing Integration Co., Ltd.
000-0000 0000 · sales@example.com
"""


def told(facts: Facts, language: Language = "zh", rows: Catalog | None = None) -> Letter:
    return letter(facts, rows or sample_quote.catalog(), load_words(language, ROOTS))


def text_of(facts: Facts, language: Language = "zh", rows: Catalog | None = None) -> str:
    return plain(told(facts, language, rows), load_words(language, ROOTS))


def html_of(written: Letter) -> str:
    words = load_words(written.language, ROOTS)
    return str(environment(ROOTS, {"say": words.say}).get_template("mail/mail.html.j2").render(letter=written))


def sample(**changes: Any) -> Facts:
    return replace(facts_of(sample_quote.entry()), **changes)


def quoted(form: str, catalog: Catalog, day: date, **document: Any) -> Quote:
    need = read_form(EXAMPLES / f"{form}.toml", catalog)
    return make_quote(replace(need, document=replace(need.document, **document)), catalog, day)


# ---------------------------------------------------------------------- the letter


@pytest.mark.parametrize(("language", "text"), [("zh", CHINESE), ("en", ENGLISH)])
def test_the_whole_letter(language: Language, text: str) -> None:
    assert text_of(sample(), language) == text


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_bodies_say_the_same(language: Language) -> None:
    written = told(sample(), language)
    shown = " ".join(re.sub(r"<[^>]+>", " ", html_of(written)).split())
    rows = [text for row in written.rows for text in (row.label, row.text)]
    files = [text for file in written.files for text in file]
    for said in (written.greeting, written.intro, *rows, written.note, *files, written.next_step, *written.signature):
        assert said.replace("'", "&#39;") in shown


@pytest.mark.parametrize(
    ("changes", "subject"),
    [
        ({}, "【草案】智算方案报价 D20261130-a1b2c3d4e5 · 智能质检大模型微调平台"),
        ({"status": "final"}, "智算方案报价 D20261130-a1b2c3d4e5 · 智能质检大模型微调平台"),
        ({"project": ""}, "【草案】智算方案报价 D20261130-a1b2c3d4e5 · 华东某制造集团有限公司"),
        ({"mode": "tender"}, "【草案】投标文件 D20261130-a1b2c3d4e5 · 智能质检大模型微调平台"),
        ({"mode": "tender", "status": "final"}, "投标文件 D20261130-a1b2c3d4e5 · 智能质检大模型微调平台"),
    ],
)
def test_the_subject(changes: dict[str, Any], subject: str) -> None:
    assert told(sample(**changes)).subject == subject


def test_without_a_person_it_greets_the_company() -> None:
    facts = sample(contact="")
    assert told(facts).greeting == "华东某制造集团有限公司 项目负责人，您好："
    assert told(facts, "en").greeting == "Dear colleagues at 华东某制造集团有限公司,"


def test_a_final_quotation_asks_for_the_order_and_is_no_draft() -> None:
    written = told(sample(status="final", questions=0))
    assert written.note == ""
    assert written.next_step == (
        "下一步：确认采购时，请填写设备清单中的“回执”页，于有效期内发回；需要调整之处直接回复本邮件。"
    )
    assert "草案" not in text_of(sample(status="final"))


def test_what_is_not_known_is_to_be_confirmed() -> None:
    facts = sample(total=None, lead_weeks=None, valid_until=None)
    rows = {row.label: row.text for row in told(facts).rows}
    assert rows["含税总价"] == "待定（已确认部分 ¥328,952.00）"
    assert rows["交货期"] == rows["有效期至"] == "待定"
    english = {row.label: row.text for row in told(facts, "en").rows}
    assert english["Total with tax"] == "To be confirmed (confirmed so far: CNY 328,952.00)"


def test_when_nothing_fits_it_asks_what_may_be_relaxed() -> None:
    written = told(sample(platform=None, nodes=None, cards=None, total=None))
    assert {row.label: row.text for row in written.rows}["主要硬件"].startswith(
        "待定：现有条件下没有能够承担该任务的配置"
    )
    assert written.next_step.startswith("下一步：方案书列出了各平台不满足的条件")


def test_one_row_is_strong_and_that_is_the_total() -> None:
    for mode in ("proposal", "tender"):
        strong = [row.text for row in told(sample(mode=mode)).rows if row.strong]
        assert strong == ["¥328,952.00"]


def test_a_long_name_is_whole_in_the_letter_and_short_in_the_subject() -> None:
    project = "很长的项目名称" * 28
    written = told(sample(project=project))
    assert written.subject.endswith(" · " + project[:39] + "…")
    assert {row.label: row.text for row in written.rows}["项目名称"] == project
    assert shortened("a" * 40) == "a" * 40
    assert shortened("a" * 38 + "\u200d" + "bc") == "a" * 38 + "…"


# ---------------------------------------------------------------------- what the documents hide


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("detail", ["lines", "groups", "none"])
def test_the_total_is_the_only_amount(
    language: Language, detail: Literal["lines", "groups", "none"], catalog: Catalog, day: date
) -> None:
    for form in ("entry", "failing-room", "xinchuang"):
        quote = quoted(form, catalog, day, price_detail=detail)
        assert quote.price.total is not None
        text = text_of(facts_of(quote), language, catalog)
        assert re.findall(r"\d[\d,]*\.\d\d(?!\d)|\d{1,3}(?:,\d{3})+", text) == [money(quote.price.total)]


@pytest.mark.parametrize("form", ["entry", "failing-room"])
def test_a_tender_offers_nothing_else_and_asks_nothing(form: str, catalog: Catalog, day: date) -> None:
    facts = facts_of(quoted(form, catalog, day, mode="tender"))
    soft = {"zh": "供应商 预算 调整 机房 问题 方案书 含税总价", "en": "supplier budget change room question proposal"}
    for language in LANGUAGES:
        text = text_of(facts, language, catalog).split("\n", 1)[1].lower()
        assert [word for word in soft[language].split() if word in text] == []
    assert [name for name, _ in told(facts).files] == [f"投标文件-{facts.number}.pdf", f"设备清单-{facts.number}.xlsx"]
    assert told(facts, "en").files[0][0] == f"Tender {facts.number}.pdf"
    assert {row.label for row in told(facts).rows} >= {"投标总价（含税）"}


@pytest.mark.parametrize("form", ["entry", "enterprise", "cluster", "failing-room", "xinchuang", "named-hardware"])
def test_it_counts_what_the_proposal_shows(form: str, catalog: Catalog, day: date) -> None:
    quote = quoted(form, catalog, day)
    facts, view = facts_of(quote), customer_view(quote, catalog, load_words("zh", ROOTS))
    room = [check.status for check in view.checks if check.area == "room"]
    assert facts.room_checks == len(room)
    assert (facts.room_fails, facts.room_unknown) == (room.count("fail"), room.count("unknown"))
    assert facts.questions == len(view.asks)
    assert facts.over_budget == any(check.id == "budget" and check.status == "fail" for check in view.checks)
    assert facts_in(canonical_json(quote), "quote.json") == facts


def test_a_room_that_fails_and_a_budget_passed_are_said(catalog: Catalog, day: date) -> None:
    facts = facts_of(quoted("failing-room", catalog, day))
    rows = {row.label: row.text for row in told(facts, "zh", catalog).rows}
    assert facts.room_fails > 0
    assert rows["机房核验"].startswith(f"{number(facts.room_fails)} 项不满足，详见方案书")
    assert rows["预算"] == "总价高于贵方预算，详见方案书"
    kept = told(sample(room_fails=0, room_unknown=0, over_budget=False))
    assert {row.label: row.text for row in kept.rows}["机房核验"] == "未发现不满足项"
    assert "预算" not in {row.label for row in kept.rows}
    assert "机房核验" not in {row.label for row in told(sample(room_checks=0)).rows}


# ---------------------------------------------------------------------- lines of text


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("字" * 38, ["字" * 38]),
        ("字" * 39, ["字" * 38, "字"]),
        ("字" * 38 + "。", ["字" * 37, "字。"]),
        ("字" * 37 + "（字", ["字" * 37, "（字"]),
        ("字" * 37 + "“字", ["字" * 37, "“字"]),
        ("a " * 50, ["a " * 37 + "a", "a " * 11 + "a"]),
        ("字" * 35 + " 8 卡服务器", ["字" * 35 + " 8 卡", "服务器"]),
        ("a" * 200, ["a" * 200]),
        ("字" * 37 + "👩\u200d💻", ["字" * 37, "👩\u200d💻"]),
        ("", []),
    ],
)
def test_lines_end_where_a_typesetter_ends_them(text: str, lines: list[str]) -> None:
    assert wrapped(text) == lines


def test_later_lines_are_indented() -> None:
    assert wrapped("字" * 40, "  ") == ["字" * 38, "  字字"]


@given(st.text(st.sampled_from("字甲，。（）“”ab1 -·👩\u200d\u0301"), max_size=300))
def test_wrapping_loses_nothing(text: str) -> None:
    assert "".join("".join(wrapped(text)).split()) == "".join(text.split())
    assert [line for line in wrapped(text)[1:] if line[:1] in tuple("，。）”")] == []


# ---------------------------------------------------------------------- the HTML, for Outlook and phones


class Tags(HTMLParser):
    """Every element with its style, what is open, and every comment."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.comments: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


HOUSES = {
    "ours": (),
    "aurora": (TESTS / "houses" / "aurora",),
    "meridian": (TESTS / "houses" / "meridian",),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("house", HOUSES)
def test_html_is_tables_with_their_own_styles_and_nothing_to_load(house: str, language: Language) -> None:
    tags = Tags(html_of(told(sample(), language, load_catalog(HOUSES[house]))))
    assert tags.open == []
    allowed = {*("html", "head", "meta", "title", "body"), *("table", "tr", "th", "td", "p", "br", "span")}
    assert {tag for tag, _ in tags.found} <= allowed
    keys = {key for _, attributes in tags.found for key in attributes}
    layout = {"style", "role", "scope", "width", "align", "valign", "border", "cellpadding", "cellspacing"}
    assert keys <= layout | {"lang", "charset", "name", "content"}
    assert all(comment.startswith("[if mso]>") and comment.endswith("<![endif]") for comment in tags.comments)
    for tag, attributes in tags.found:
        if tag in ("p", "th", "td", "span"):
            style = attributes["style"] or ""
            assert all(key in style for key in ("font-family:", "font-size:", "line-height:", "color:#"))


@pytest.mark.parametrize("colour", ["#123A5E", "#3CB6A9", "#FFE800", "#FFFFFF", "#000000", "#B8860B"])
def test_every_colour_of_text_can_be_read_on_white(colour: str) -> None:
    rows = sample_quote.catalog()
    html = html_of(told(sample(), "zh", replace(rows, house=replace(rows.house, colour=colour))))
    texts = set(re.findall(r"[;\"]color:(#[0-9A-Fa-f]{6})", html))
    assert len(texts) == 4
    assert [text for text in texts if contrast(text, "#FFFFFF") < Decimal("4.5")] == []
    assert re.findall(r"background-color:([^;\"]+)", html) == ["#ffffff"]


def test_the_houses_own_colour_is_kept_where_it_can_be_read_and_darkened_where_not() -> None:
    shown = {name: told(sample(), "zh", load_catalog(overlays)).colour for name, overlays in HOUSES.items()}
    assert shown == {"ours": "#123A5E", "aurora": "#2B8379", "meridian": "#661133"}


def test_a_colour_that_is_none_is_refused() -> None:
    rows = sample_quote.catalog()
    for colour in ("red", "#12", "#123A5E;background:url(x)", ""):
        with pytest.raises(Mistakes, match=r"house\.toml: colour"):
            told(sample(), "zh", replace(rows, house=replace(rows.house, colour=colour)))


@pytest.mark.parametrize(
    "change",
    [
        {"requirement": {"customer": {}, "asks": 5}},
        {"site": {"checks": 7}},
        {"site": {"checks": ["fail", None, {"status": "fail"}]}},
        {"price": {"checks": {"id": "budget"}}},
    ],
)
def test_lists_changed_by_hand_never_break_the_reading(change: dict[str, Any]) -> None:
    data = json.loads(canonical_json(sample_quote.entry()))
    for key, inner in change.items():
        data[key] = {**data[key], **inner}
    try:
        facts = facts_in(json.dumps(data), "quote.json")
    except Mistakes:
        return
    assert facts.room_fails == (1 if isinstance(data["site"]["checks"], list) else 0)
