"""The mail a quotation is sent with: a file that a mail program opens as a message ready to send.

``X-Unsent`` makes it a draft where a program knows the mark. The file names no sender and no Message-ID: programs that
find them keep them, so the mail would leave under an address its account may not use, and a second mail would be taken
for the first and dropped. Same quotation and files, same bytes.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from hashlib import sha256
from pathlib import Path

from quoting.assets import templates_folder
from quoting.documents.letter import PLACES, Facts, Letter, letter, shortened
from quoting.documents.letter_text import plain
from quoting.documents.render import environment, write_file
from quoting.documents.words import load_words
from quoting.errors import Mistake, Mistakes, Outside
from quoting.forms.text import forbidden, shown
from quoting.kinds import Language
from quoting.rows import Catalog, House

MAIL_FILE = "mail.eml"
_SHEET = "vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_SHANGHAI = timezone(timedelta(hours=8))
_NINE = 9
# One plain address of letters every mail server takes; anything cleverer is left for a person to type.
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = re.compile(rf"(?=[^@]{{1,64}}@){_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})+", re.ASCII)
_NUMBER = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,60}", re.ASCII)
# What has a meaning of its own in a list of addresses. Some versions of the library lose the quotes around it.
_SPECIAL = re.compile(r'[()<>\[\]@,:;\\".]+')
_HOUSE = (
    *("name_zh", "name_en", "short_zh", "short_en", "address_zh", "address_en"),
    *("phone", "email", "website", "contact", "colour"),
)


def proposal_name(language: Language) -> str:
    """The file name of the proposal under ``client``."""
    return f"proposal.{language}.pdf"


def workbook_name(language: Language) -> str:
    """The file name of the customer's workbook under ``client``."""
    return "bom.xlsx" if language == "zh" else f"bom.{language}.xlsx"


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
    message = _headed(facts, written)
    _fill(message, plain(written, words), str(html), facts.number)
    for name, (shown_name, _), kind in zip(_names(language), written.files, ("pdf", _SHEET), strict=True):
        _attach(message, _client_file(folder, name), f"{facts.number}-{name}", shown_name, kind)
    path = folder / "client" / MAIL_FILE
    write_file(path, message.as_bytes(policy=SMTP))
    return path


def _headed(facts: Facts, written: Letter) -> EmailMessage:
    """A message with its headers. Without a usable address the mail program asks for one.

    Date is the quotation's day, for programs that show the file before it is sent; each puts its own when it sends.
    """
    message = EmailMessage(policy=SMTP)
    message["Subject"] = _inert(written.subject)
    if addressable(facts.address):
        message["To"] = _address(shortened(facts.contact or facts.customer), facts.address)
    message["Date"] = datetime(facts.day.year, facts.day.month, facts.day.day, _NINE, tzinfo=_SHANGHAI)
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
    """Raise Mistakes for a character that could begin a header of its own, and for a house's address that is none."""
    texts = [("quote.json", place, getattr(facts, name)) for name, place in PLACES.items()]
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
