"""The mail a quotation is sent with: a file that a mail program opens as a message ready to send.

It says what ``Facts`` holds and nothing else: no cost, margin, supplier or figure reaches it, whether the facts come
from a quotation just made or from a kept ``quote.json``. Same quotation and files, same bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from quoting.assets import templates_folder
from quoting.documents.render import environment, write_file
from quoting.documents.view_plan import part_name
from quoting.documents.words import Words, load_words
from quoting.errors import Mistake, Mistakes, Outside
from quoting.forms.text import forbidden, shown
from quoting.kinds import Language
from quoting.records import Quote
from quoting.rows import Catalog, House

MAIL_FILE = "mail.eml"
_SHEET = "vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_SHANGHAI = timezone(timedelta(hours=8))
_NINE = 9
# One plain address of letters every mail server takes; anything cleverer is left for a person to type.
_ADDRESS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+", re.ASCII)
_NUMBER = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,60}", re.ASCII)
# What has a meaning of its own in a list of addresses. Some versions of the library lose the quotes around it.
_SPECIAL = re.compile(r'[()<>\[\]@,:;\\".]+')
_HOUSE = (
    *("name_zh", "name_en", "short_zh", "short_en", "address_zh", "address_en"),
    *("phone", "email", "website", "contact", "colour"),
)
_PLACES = {
    "number": "number",
    "status": "status",
    "day": "day",
    "valid_until": "valid_until",
    "language": "requirement.document.language",
    "customer": "requirement.customer.name",
    "contact": "requirement.customer.contact",
    "address": "requirement.customer.email",
    "project": "requirement.project.name",
    "platform": "choice.chosen.platform",
    "nodes": "choice.chosen.nodes",
    "cards": "choice.chosen.cards",
    "total": "price.total",
    "total_upper": "price.total_upper",
    "priced_part": "price.priced_part",
    "lead_weeks": "price.lead_weeks",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All that a mail may say of a quotation."""

    number: str
    status: Literal["draft", "final"]
    day: date
    valid_until: date | None
    language: Language
    customer: str
    contact: str
    address: str
    project: str
    platform: str | None
    nodes: int | None
    cards: int | None
    total: Decimal | None
    total_upper: str | None
    priced_part: Decimal
    lead_weeks: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """The mail in words, the same for its text and its HTML."""

    subject: str
    greeting: str
    rows: tuple[tuple[str, str], ...]
    decisive: int  # which row is set in bold: the total
    note: str
    files: tuple[str, str]
    signature: tuple[str, ...]
    colour: str


def proposal_name(language: Language) -> str:
    """The file name of the proposal under ``client``."""
    return f"proposal.{language}.pdf"


def workbook_name(language: Language) -> str:
    """The file name of the customer's workbook under ``client``."""
    return "bom.xlsx" if language == "zh" else f"bom.{language}.xlsx"


def facts_of(quote: Quote) -> Facts:
    """The facts of a quotation just made."""
    return Facts(**{name: _at(quote, place) for name, place in _PLACES.items()})


def facts_in(text: str, file: str) -> Facts:
    """The facts in the text of a ``quote.json``; raises Mistakes for a text that is none."""
    from pydantic import TypeAdapter, ValidationError

    expected = "the quote.json that quoting make wrote"
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise Mistakes([Mistake(file, "file", "not JSON", expected)]) from None
    if not isinstance(data, Mapping) or data.get("schema") != 1:
        raise Mistakes([Mistake(file, "schema", "not a quotation this program can read", expected)])
    try:
        return TypeAdapter(Facts).validate_python({name: _at(data, place) for name, place in _PLACES.items()})
    except ValidationError as error:
        places = [_PLACES.get(str(one["loc"][0]), "file") for one in error.errors()]
        raise Mistakes([Mistake(file, place, "not what a quotation holds", expected) for place in places]) from None


def _at(data: object, place: str) -> Any:
    """The value at a dotted place of a record or of its JSON; None where there is nothing."""
    for key in place.split("."):
        data = data.get(key) if isinstance(data, Mapping) else getattr(data, key, None)
    return data


def addressable(text: str) -> bool:
    """Whether a text is one address that may stand in a mail's header as it is."""
    return bool(_ADDRESS.fullmatch(text)) and "=?" not in text


def write_mail(
    facts: Facts, folder: Path, language: Language, *, catalog: Catalog, templates: Path | None = None
) -> Path:
    """Write ``client/mail.eml`` of the quotation in ``folder`` with its two client files attached; returns its path.

    Raises Mistakes for a line break or another forbidden character in a field, Outside for a missing client file.
    """
    _refuse_forbidden(facts, catalog.house)
    roots = (templates_folder(), *((templates,) if templates else ()))
    words = load_words(language, roots)
    written = letter(facts, catalog, words)
    html = environment(roots, {"say": words.say}).get_template("mail/mail.html.j2").render(letter=written)
    message = _headed(facts, written, catalog.house, language)
    _fill(message, plain(written, words), str(html), facts.number)
    for name, shown_name, kind in zip(_names(language), written.files, ("pdf", _SHEET), strict=True):
        _attach(message, _client_file(folder, name), f"{facts.number}-{name}", shown_name, kind)
    path = folder / "client" / MAIL_FILE
    write_file(path, message.as_bytes(policy=SMTP))
    return path


def letter(facts: Facts, catalog: Catalog, words: Words) -> Letter:
    """The mail's sentences in the language of ``words``."""
    about = facts.project or facts.customer
    rows = _rows(facts, catalog, words)
    return Letter(
        subject=words.say(f"mail.subject.{facts.status}", number=facts.number, about=about),
        greeting=words.say("mail.greeting", name=facts.contact or facts.customer),
        rows=tuple((words.say(f"mail.label.{id}"), text) for id, text in rows.items()),
        decisive=list(rows).index("total"),
        note=words.say("mail.note.draft") if facts.status == "draft" else "",
        files=(
            words.say("mail.file.proposal", number=facts.number),
            words.say("mail.file.workbook", number=facts.number),
        ),
        signature=_signature(catalog.house, words.language),
        colour=catalog.house.colour,
    )


def _rows(facts: Facts, catalog: Catalog, words: Words) -> dict[str, str]:
    rows = {"number": facts.number}
    if facts.project:
        rows["project"] = facts.project
    rows["hardware"] = words.say("mail.hardware.none")
    if facts.platform:
        platform = part_name(facts.platform, catalog, words)
        rows["hardware"] = words.say("mail.hardware.chosen", nodes=facts.nodes, platform=platform, cards=facts.cards)
    rows["total"] = words.say("mail.total.part", amount=facts.priced_part)
    if facts.total is not None:
        rows["total"] = words.say("mail.total.known", amount=facts.total, upper=facts.total_upper)
    rows["valid"] = words.say("mail.valid.until" if facts.valid_until else "mail.valid.open", day=facts.valid_until)
    known = facts.lead_weeks is not None
    rows["lead"] = words.say("mail.lead.weeks" if known else "mail.lead.open", weeks=facts.lead_weeks)
    return rows


def _signature(house: House, language: Language) -> tuple[str, ...]:
    name, address = (house.name_zh, house.address_zh) if language == "zh" else (house.name_en, house.address_en)
    reach = " · ".join(text for text in (house.phone, house.email, house.website) if text)
    return tuple(text for text in (house.contact, name, reach, address) if text)


def plain(written: Letter, words: Words) -> str:
    """The mail as plain text."""
    join = words.say("mail.join")
    rows = [f"{label}{join}{text}" for label, text in written.rows]
    files = [words.say("mail.files") + join.rstrip(), *(f"- {name}" for name in written.files)]
    blocks = [
        [written.greeting],
        [words.say("mail.intro")],
        rows,
        [written.note] if written.note else [],
        files,
        [words.say("mail.closing")],
        [words.say("mail.thanks")],
        list(written.signature),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _headed(facts: Facts, written: Letter, house: House, language: Language) -> EmailMessage:
    """A message with its headers. Without a usable address the mail program asks for one."""
    message = EmailMessage(policy=SMTP)
    message["Subject"] = _inert(written.subject)
    if house.email:
        short = house.short_zh or house.name_zh if language == "zh" else house.short_en or house.name_en
        message["From"] = _address(short, house.email)
    if addressable(facts.address):
        message["To"] = _address(facts.contact or facts.customer, facts.address)
    message["Date"] = datetime(facts.day.year, facts.day.month, facts.day.day, _NINE, tzinfo=_SHANGHAI)
    domain = house.email.rpartition("@")[2] or "quoting.invalid"
    message["Message-ID"] = f"<{facts.number}.{language}@{domain}>"
    message["X-Unsent"] = "1"
    return message


def _inert(text: str) -> str:
    """A text in which nothing looks like an encoded word, which would be decoded, line breaks and all."""
    return text.replace("=?", "= ?")


def _address(name: str, address: str) -> Address:
    return Address(display_name=" ".join(_SPECIAL.sub(" ", _inert(name)).split()), addr_spec=address)


def _fill(message: EmailMessage, text: str, html: str, number: str) -> None:
    """Both bodies, between boundaries that are the same each time and cannot occur in base64."""
    mark = sha256(number.encode()).hexdigest()[:32]
    message.set_content(text, cte="base64")
    message.make_alternative(boundary=f"=_alternative_{mark}")
    message.add_alternative(html, subtype="html", cte="base64")
    message.make_mixed(boundary=f"=_mixed_{mark}")


def _attach(message: EmailMessage, content: bytes, ascii_name: str, name: str, subtype: str) -> None:
    # A program that does not read filename*, the name in any script, falls back to the plain one of the content type.
    message.add_attachment(content, maintype="application", subtype=subtype, filename=name, params={"name": ascii_name})


def _names(language: Language) -> tuple[str, str]:
    return proposal_name(language), workbook_name(language)


def _client_file(folder: Path, name: str) -> bytes:
    """A file that lies under ``client`` itself: a link that leads out of it is not followed."""
    path = folder / "client" / name
    inside = path.resolve().parent == folder.resolve() / "client"
    if not inside or path.is_symlink() or not path.is_file():
        raise Outside(f"{path} is not there", "make the quotation again with quoting make")
    try:
        return path.read_bytes()
    except OSError as error:
        raise Outside(f"cannot read {path}: {error.strerror}", "make the quotation again with quoting make") from None


def _refuse_forbidden(facts: Facts, house: House) -> None:
    """Raise Mistakes for a character that could begin a header of its own, and for a sender that is no address."""
    texts = [("quote.json", place, getattr(facts, name)) for name, place in _PLACES.items()]
    texts += [("house.toml", name, getattr(house, name)) for name in _HOUSE]
    wrong = [
        Mistake(file, place, f"a forbidden character in {shown(value)}", "text on one line")
        for file, place, value in texts
        if isinstance(value, str) and any(map(forbidden, value))
    ]
    if house.email and not addressable(house.email):
        wrong.append(Mistake("house.toml", "email", "not one e-mail address", "name@example.com"))
    if not _NUMBER.fullmatch(facts.number):
        wrong.append(Mistake("quote.json", "number", "not a quotation's number", "letters, digits and hyphens"))
    if wrong:
        raise Mistakes(wrong)
