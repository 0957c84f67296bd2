"""The mail of a quotation: what it says and holds, that no text becomes a header, the same bytes each time."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path
from typing import Any

import pytest
import sample_quote
from hypothesis import given
from hypothesis import strategies as st

from quoting.cli import main
from quoting.deliver import deliver
from quoting.documents.email import addressable, write_mail
from quoting.documents.letter import Facts, facts_in, facts_of
from quoting.documents.render import write_file
from quoting.errors import Mistakes, Outside
from quoting.forms import read_form
from quoting.kinds import Language
from quoting.quote import make_quote
from quoting.records import Quote
from quoting.rows import Catalog
from quoting.serial import canonical_json

ROOT = Path(__file__).resolve().parent.parent
ADDRESS = "wang@example.com"
SHEET = "vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ONLY_HEADERS = {
    *("Subject", "To", "Date", "X-Unsent", "MIME-Version", "Content-Type"),
}
SECRETS = ("987654", "987,654", "98.77", "98.8 万", "12345.67", "12,345.67", "Canary", "canary")
Run = Callable[..., tuple[int, str, str]]


def quote_with(**customer: str) -> Quote:
    quote = sample_quote.entry()
    buyer = replace(quote.requirement.customer, **{"email": ADDRESS, **customer})
    return replace(quote, requirement=replace(quote.requirement, customer=buyer))


def folder_of(quote: Quote, tmp_path: Path) -> Path:
    """A quotation's folder with files of a few bytes, for tests that are not about their content."""
    folder = tmp_path / quote.number
    for name in ("proposal.zh.pdf", "proposal.en.pdf"):
        write_file(folder / "client" / name, b"%PDF-1.7 " + name.encode())
    for name in ("bom.xlsx", "bom.en.xlsx"):
        write_file(folder / "client" / name, b"PK " + name.encode())
    write_file(folder / "internal" / "purchasing.xlsx", b"PK Canary Supplier")
    write_file(folder / "internal" / "quote.json", canonical_json(quote).encode())
    return folder


def opened(path: Path) -> EmailMessage:
    message = BytesParser(policy=policy.default).parsebytes(path.read_bytes())
    assert isinstance(message, EmailMessage)
    assert [part.defects for part in message.walk() if part.defects] == []
    return message


def mail(quote: Quote, tmp_path: Path, language: Language = "zh", rows: Catalog | None = None) -> EmailMessage:
    folder = folder_of(quote, tmp_path)
    return opened(write_mail(facts_of(quote), folder, language, catalog=rows or sample_quote.catalog()))


def bodies(message: EmailMessage) -> list[str]:
    return [part.get_content() for part in message.walk() if part.get_content_maintype() == "text"]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def command(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["quoting", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            main()
        captured = capsys.readouterr()
        return int(left.value.code or 0), captured.out, captured.err

    return command


# ---------------------------------------------------------------------- what it says and holds


def test_it_opens_as_a_message_ready_to_send(tmp_path: Path) -> None:
    message = mail(quote_with(contact="王工"), tmp_path)
    assert message["X-Unsent"] == "1"
    assert str(message["To"]) == f"王工 <{ADDRESS}>"
    assert message["Date"].datetime.isoformat() == "2026-11-30T09:00:00+08:00"
    assert set(message.keys()) == ONLY_HEADERS
    assert [part.get_content_type() for part in message.walk()][:4] == [
        *("multipart/mixed", "multipart/alternative", "text/plain", "text/html"),
    ]


@pytest.mark.parametrize(
    ("language", "names"), [("zh", ("智算方案书-", "设备清单-")), ("en", ("Proposal ", "Bill of"))]
)
def test_the_two_client_files_are_attached_whole_under_two_names(
    language: Language, names: tuple[str, str], tmp_path: Path
) -> None:
    quote = quote_with()
    message = mail(quote, tmp_path, language)
    client = tmp_path / quote.number / "client"
    files = (f"proposal.{language}.pdf", "bom.xlsx" if language == "zh" else "bom.en.xlsx")
    parts = list(message.iter_attachments())
    assert [part.get_content() for part in parts] == [(client / name).read_bytes() for name in files]
    assert [str(part.get_filename()).startswith(name) for part, name in zip(parts, names, strict=True)] == [True, True]
    plain = [part["Content-Type"].params["name"] for part in parts]
    assert plain == [f"{quote.number}-{name}" for name in files]
    assert all(name.isascii() for name in plain)


def test_a_name_in_chinese_is_written_as_rfc_2231_says_and_the_file_is_plain_ascii(tmp_path: Path) -> None:
    quote = quote_with()
    mail(quote, tmp_path)
    raw = (tmp_path / quote.number / "client" / "mail.eml").read_bytes()
    assert raw.isascii()
    assert b"filename*0*=utf-8''%E6%99%BA" in raw
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    assert b"\n" not in raw.replace(b"\r\n", b"")


def test_the_parts_are_of_the_types_programs_open_them_by(tmp_path: Path) -> None:
    message = mail(quote_with(), tmp_path)
    plain, html, pdf, book = [part for part in message.walk() if not part.is_multipart()]
    assert (plain.get_content_type(), html.get_content_type()) == ("text/plain", "text/html")
    assert [part.get_content_charset() for part in (plain, html)] == ["utf-8", "utf-8"]
    assert pdf.get_content_type() == "application/pdf"
    assert book.get_content_type() == f"application/{SHEET}"
    assert [part["Content-Transfer-Encoding"] for part in (plain, html, pdf, book)] == ["base64"] * 4
    assert [part.get_content_disposition() for part in (pdf, book)] == ["attachment", "attachment"]


def test_the_file_is_little_more_than_its_attachments_in_base64(tmp_path: Path) -> None:
    quote = quote_with()
    folder = folder_of(quote, tmp_path)
    write_file(folder / "client" / "proposal.zh.pdf", b"%PDF-1.7 " + bytes(range(256)) * 1000)
    size = write_mail(facts_of(quote), folder, "zh", catalog=sample_quote.catalog()).stat().st_size
    attached = sum((folder / "client" / name).stat().st_size for name in ("proposal.zh.pdf", "bom.xlsx"))
    assert size < attached * 1.38 + 12_000  # 4 for 3 bytes, and a line end every 76


@pytest.mark.parametrize(
    "name", ["甲" * 200, "a" * 200, "👩\u200d💻" * 66, "=?utf-8?q?a=0D=0ABcc:_x@evil.example?=" * 4]
)
def test_headers_stay_ascii_and_short_whatever_a_name_is(name: str, tmp_path: Path) -> None:
    quote = quote_with(name=name, contact=name)
    quote = replace(
        quote, requirement=replace(quote.requirement, project=replace(quote.requirement.project, name=name))
    )
    message = mail(quote, tmp_path)
    raw = (tmp_path / quote.number / "client" / "mail.eml").read_bytes()
    assert raw.isascii()
    assert max(map(len, raw.partition(b"\r\n\r\n")[0].split(b"\r\n"))) <= 78
    assert max(map(len, raw.split(b"\r\n"))) == len(f"Content-Type: application/{SHEET};")
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert len(str(message["Subject"])) < 100
    assert len(message["To"].addresses[0].display_name) <= 50


def test_no_cost_margin_or_supplier_is_in_any_part(tmp_path: Path) -> None:
    message = mail(quote_with(), tmp_path)
    said = [str(value) for value in message.values()] + bodies(message)
    said += [part.get_content().decode() for part in message.iter_attachments()]
    assert [secret for secret in SECRETS if any(secret in text for text in said)] == []
    assert [secret for secret in SECRETS if secret in repr(facts_of(quote_with()))] == []


def test_nothing_but_the_facts_of_a_kept_quotation_is_read() -> None:
    quote = quote_with()
    text = canonical_json(quote)
    assert "Canary Supplier" in text
    assert facts_in(text, "quote.json") == facts_of(quote)


def test_html_loads_nothing_and_escapes_what_people_typed(tmp_path: Path) -> None:
    html = bodies(mail(quote_with(contact="<img src=x onerror=y>&"), tmp_path))[1]
    assert "&lt;img src=x onerror=y&gt;&amp;" in html
    assert [word for word in ("<img", "<script", "<a ", 'src="', "url(", "href") if word in html] == []


# ---------------------------------------------------------------------- attacks


@pytest.mark.parametrize("field", ["name", "contact", "email"])
@pytest.mark.parametrize("attack", ["a\r\nBcc: x@evil.example", "a\nX: y", "a\rb", "a\u2028Bcc: x", "a\0b", "a\u202eb"])
def test_a_line_break_in_a_field_is_refused_by_its_place(field: str, attack: str, tmp_path: Path) -> None:
    quote = quote_with(**{field: attack})
    with pytest.raises(Mistakes) as refused:
        mail(quote, tmp_path)
    assert f"requirement.customer.{field}: a forbidden character" in str(refused.value)
    assert not (tmp_path / quote.number / "client" / "mail.eml").exists()


@pytest.mark.parametrize(
    "name",
    [
        "=?utf-8?q?a=0D=0ABcc:_x@evil.example?=",
        "=?utf-8?b?QQ0KQmNjOiB4QGV2aWwuZXhhbXBsZQ==?=",
        "甲, x@evil.example",
        '甲" <x@evil.example>, "',
        "x@evil.example; y@evil.example",
        "group: x@evil.example;",
        "甲" * 200 + ", x@evil.example",
        "a" * 200 + ", x@evil.example",
        "a " * 100 + '\\", x@evil.example',
    ],
)
def test_a_hostile_name_adds_no_header_and_no_recipient(name: str, tmp_path: Path) -> None:
    message = mail(quote_with(name=name, contact=name), tmp_path)
    assert set(message.keys()) == ONLY_HEADERS
    assert [one.addr_spec for one in message["To"].addresses] == [ADDRESS]
    assert str(message["Subject"]).startswith("【草案】智算方案报价 ")
    assert len(list(message.iter_attachments())) == 2


@given(
    st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]) | st.sampled_from(',;:<>@"\\=?()[]. _'), max_size=200)
)
def test_no_name_at_all_adds_a_header_or_recipient(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    message = mail(quote_with(name=name or "-", contact=name), tmp_path_factory.getbasetemp() / "any")
    assert set(message.keys()) == ONLY_HEADERS
    assert [one.addr_spec for one in message["To"].addresses] == [ADDRESS]


@pytest.mark.parametrize(
    "address",
    [
        *("", "王@例子.中国", "a@b", "a@b.c, d@e.f", "a@b.c d", "=?x?q?y?=@b.cn", "a(c)@b.cn", "<a@b.cn>", "a@b.cn\n"),
        *(
            "a..b@c.cn",
            ".a@b.cn",
            "a.@b.cn",
            "a@b..cn",
            "a@-b.cn",
            "a@b-.cn",
            "a" * 65 + "@b.cn",
            "a@" + "b" * 64 + ".cn",
        ),
    ],
)
def test_an_address_no_header_can_hold_is_left_for_a_person_to_type(address: str, tmp_path: Path) -> None:
    assert not addressable(address)
    if address.isprintable():
        message = mail(quote_with(email=address), tmp_path)
        assert "To" not in message
        assert message["X-Unsent"] == "1"


@pytest.mark.parametrize("change", [{"email": "no address"}, {"email": "a@b.cn\r\nBcc: x@y.cn"}, {"short_zh": "a\nb"}])
def test_a_house_address_that_is_none_is_a_mistake_in_house_toml(change: dict[str, str], tmp_path: Path) -> None:
    rows = sample_quote.catalog()
    with pytest.raises(Mistakes, match=f"house.toml: {next(iter(change))}"):
        mail(quote_with(), tmp_path, rows=replace(rows, house=replace(rows.house, **change)))


def test_no_sender_and_no_id_is_named_for_a_program_would_keep_them(tmp_path: Path) -> None:
    rows = sample_quote.catalog()
    for address in ("", "sales@example.com"):
        message = mail(quote_with(), tmp_path, rows=replace(rows, house=replace(rows.house, email=address)))
        assert [name for name in ("From", "Sender", "Reply-To", "Message-ID", "Bcc", "Cc") if name in message] == []
        assert ("sales@example.com" in bodies(message)[0]) == bool(address)


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_link_from_client_to_an_internal_file_is_not_followed(what: str, tmp_path: Path) -> None:
    quote = quote_with()
    folder = folder_of(quote, tmp_path)
    if what == "file":
        (folder / "client" / "bom.xlsx").unlink()
        (folder / "client" / "bom.xlsx").symlink_to(folder / "internal" / "purchasing.xlsx")
    else:
        for path in folder.joinpath("client").iterdir():
            path.rename(folder / "internal" / path.name)
        (folder / "client").rmdir()
        (folder / "client").symlink_to(folder / "internal")
    with pytest.raises(Outside, match="is not there"):
        write_mail(facts_of(quote), folder, "zh", catalog=sample_quote.catalog())


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("number", "../../x"),
        ("number", "D1\r\nBcc: x@y.cn"),
        ("status", "signed"),
        ("schema", 2),
        ("day", "yesterday"),
        ("valid_until", 3.5),
        ("price", {"total": "much"}),
        ("requirement", []),
        ("requirement", {"customer": {"name": ["a"]}}),
    ],
)
def test_a_quote_json_changed_by_hand_is_refused(place: str, value: Any, tmp_path: Path, run: Run) -> None:
    folder = folder_of(quote_with(), tmp_path)
    data = json.loads((folder / "internal" / "quote.json").read_text(encoding="utf-8"))
    (folder / "internal" / "quote.json").write_text(json.dumps(data | {place: value}), encoding="utf-8")
    code, out, err = run("email", folder)
    assert (code, out) == (2, "")
    assert "quote.json" in err
    assert not (folder / "client" / "mail.eml").exists()


# ---------------------------------------------------------------------- the same each time, and the command


def test_same_quotation_same_bytes_but_for_another_language(tmp_path: Path) -> None:
    folder = folder_of(quote_with(), tmp_path)
    write = lambda language: write_mail(  # noqa: E731
        facts_of(quote_with()), folder, language, catalog=sample_quote.catalog()
    ).read_bytes()
    assert write("zh") == write("zh") != write("en")


def test_make_writes_the_mail_and_the_command_writes_the_same_again(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, catalog: Catalog
) -> None:
    monkeypatch.setattr("quoting.documents.write_proposal", lambda quote, path, *_, **__: write_file(path, b"%PDF-1.7"))
    requirement = read_form(ROOT / "examples" / "entry.toml", catalog)
    buyer = replace(requirement.customer, contact="Ms Li", email=ADDRESS)
    quote = make_quote(replace(requirement, customer=buyer), catalog, date(2026, 11, 30))
    files = deliver(quote, catalog, tmp_path, "en")
    path = tmp_path / quote.number / "client" / "mail.eml"
    assert path in files
    before = path.read_bytes()
    path.unlink()
    code, out, err = run("email", tmp_path / quote.number, "--day", "2026-11-30")
    assert (code, out) == (0, f"{path}\n")
    assert path.read_bytes() == before
    assert err == "quoting: this is a draft: make sure the customer knows before you send it\n"


def test_an_expired_quotation_and_a_missing_address_are_warned_of(run: Run, tmp_path: Path) -> None:
    quote = quote_with(email="")
    folder = folder_of(quote, tmp_path)
    assert quote.valid_until is not None
    last = run("email", folder, "--day", quote.valid_until)
    after = run("email", folder, "--day", date.fromordinal(quote.valid_until.toordinal() + 1))
    assert (last[0], after[0]) == (0, 0)
    assert "到期" not in last[2]
    assert "报价已于 2026年" in after[2]
    assert "没有可用的客户邮箱" in after[2]


def test_the_language_is_the_forms_or_the_one_that_was_made(run: Run, tmp_path: Path) -> None:
    folder = folder_of(quote_with(), tmp_path)
    subject = lambda *more: opened(Path(run("email", folder, *more)[1].strip()))["Subject"]  # noqa: E731
    assert "智算方案报价" in subject()
    assert "AI computing quotation" in subject("--lang", "en")
    (folder / "client" / "proposal.zh.pdf").unlink()
    assert "AI computing quotation" in subject()
    code, _, err = run("email", folder, "--lang", "zh")
    assert code == 4
    assert "proposal.zh.pdf is not there" in err


@pytest.mark.parametrize("content", [None, b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000, b'{"schema": 1}'])
def test_a_folder_that_is_no_quotation_is_refused(content: bytes | None, run: Run, tmp_path: Path) -> None:
    if content is not None:
        write_file(tmp_path / "internal" / "quote.json", content)
    code, out, err = run("email", tmp_path)
    assert (code, out) == (2, "")
    assert "Traceback" not in err
    assert "expected the" in err


def test_a_company_words_its_own_mail_and_hears_of_a_fault_in_it(run: Run, tmp_path: Path) -> None:
    folder, house = folder_of(quote_with(), tmp_path), tmp_path / "house"
    write_file(house / "words" / "zh" / "ours.toml", '[mail]\nthanks = "敬礼"\n'.encode())
    path = Path(run("email", folder, "--templates", house)[1].strip())
    assert all("敬礼" in body and "顺颂商祺" not in body for body in bodies(opened(path)))
    write_file(house / "mail" / "mail.html.j2", b"<p>{{ letter.cost }}</p>")
    code, out, err = run("email", folder, "--templates", house)
    assert (code, out) == (2, "")
    assert "house/mail/mail.html.j2: line 1: UndefinedError" in err
    assert run("email", folder, "--templates", tmp_path / "none")[0] == 4


def test_facts_have_no_field_a_customer_may_not_read() -> None:
    inside = ("cost", "margin", "supplier", "price_on", "floor", "discount")
    assert {name for name in Facts.__slots__ for word in inside if word in name} == set()
