"""What the mail of a quotation says: few facts, and a letter of them in words.

No cost, margin, supplier or figure can be said, whether the facts come from a quotation just made or from a kept
``quote.json``: only the places named here are read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Literal

from quoting.documents.brand import readable, sound_colours
from quoting.documents.view_plan import part_name
from quoting.documents.words import Words
from quoting.errors import Mistake, Mistakes
from quoting.kinds import Language
from quoting.records import Quote
from quoting.rows import Catalog, House

_SHOWN = 40  # characters of a name in a header: programs show no more of it
_JOINER = "\u200d"
PLACES = {
    "number": "number",
    "status": "status",
    "day": "day",
    "valid_until": "valid_until",
    "language": "requirement.document.language",
    "mode": "requirement.document.mode",
    "customer": "requirement.customer.name",
    "contact": "requirement.customer.contact",
    "address": "requirement.customer.email",
    "project": "requirement.project.name",
    "platform": "choice.chosen.platform",
    "nodes": "choice.chosen.nodes",
    "cards": "choice.chosen.cards",
    "total": "price.total",
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
    mode: Literal["proposal", "tender"]
    customer: str
    contact: str
    address: str
    project: str
    platform: str | None
    nodes: int | None
    cards: int | None
    total: Decimal | None
    priced_part: Decimal
    lead_weeks: int | None
    questions: int  # the proposal puts to the customer
    room_checks: int
    room_fails: int
    room_unknown: int
    over_budget: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the summary; ``strong`` is the one looked for, the total."""

    label: str
    text: str
    strong: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """The mail in words, the same for its text and its HTML."""

    language: Language
    subject: str
    greeting: str
    intro: str
    rows: tuple[Row, ...]
    note: str
    files: tuple[tuple[str, str], tuple[str, str]]  # name, and what is in it
    next_step: str
    signature: tuple[str, ...]
    colour: str  # the house's, dark enough to be read on white


def facts_of(quote: Quote) -> Facts:
    """The facts of a quotation just made."""
    return Facts(**_read(quote))


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
        return TypeAdapter(Facts).validate_python(_read(data))
    except ValidationError as error:
        places = [PLACES.get(str(one["loc"][0]), "file") for one in error.errors()]
        raise Mistakes([Mistake(file, place, "not what a quotation holds", expected) for place in places]) from None


def _read(data: object) -> dict[str, Any]:
    """What ``Facts`` holds, out of a quotation's record or of its JSON."""
    room = [_at(check, "status") for check in _items(data, "site.checks")]
    prices = [(_at(check, "id"), _at(check, "status")) for check in _items(data, "price.checks")]
    return {name: _at(data, place) for name, place in PLACES.items()} | {
        "questions": len(_items(data, "requirement.asks")),
        "room_checks": len(room),
        "room_fails": room.count("fail"),
        "room_unknown": room.count("unknown"),
        "over_budget": ("budget", "fail") in prices,
    }


def _items(data: object, place: str) -> Sequence[object]:
    found = _at(data, place)
    return found if isinstance(found, list | tuple) else ()


def _at(data: object, place: str) -> Any:
    """The value at a dotted place of a record or of its JSON; None where there is nothing."""
    for key in place.split("."):
        data = data.get(key) if isinstance(data, Mapping) else getattr(data, key, None)
    return data


def letter(facts: Facts, catalog: Catalog, words: Words) -> Letter:
    """The mail's sentences in the language of ``words``. Raises Mistakes for a colour of the house that is none."""
    about = shortened(facts.project or facts.customer)
    draft = "draft.tender" if facts.mode == "tender" else "draft.proposal"
    files = [(words.say(f"mail.file.{id}", number=facts.number), words.say(f"mail.holds.{id}")) for id in _files(facts)]
    return Letter(
        language=words.language,
        subject=words.say(f"mail.subject.{facts.mode}.{facts.status}", number=facts.number, about=about),
        greeting=_greeting(facts, words),
        intro=words.say(f"mail.intro.{facts.mode}"),
        rows=tuple(_rows(facts, catalog, words)),
        note=words.say(f"mail.note.{draft}") if facts.status == "draft" else "",
        files=(files[0], files[1]),
        next_step=_next_step(facts, words),
        signature=_signature(catalog.house, words.language),
        colour=readable(sound_colours(catalog.house)[0]),
    )


def shortened(text: str) -> str:
    """A name as long as headers show one, cut between characters."""
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1].rstrip(_JOINER + " ") + "…"


def _greeting(facts: Facts, words: Words) -> str:
    if facts.contact:
        return words.say("mail.greeting.person", name=facts.contact)
    return words.say("mail.greeting.company", name=facts.customer)


def _files(facts: Facts) -> tuple[str, str]:
    return ("tender" if facts.mode == "tender" else "proposal"), "workbook"


def _rows(facts: Facts, catalog: Catalog, words: Words) -> Iterator[Row]:
    said = {
        "number": facts.number,
        "project": facts.project,
        "hardware": _hardware(facts, catalog, words),
        "total_tender" if facts.mode == "tender" else "total": _total(facts, words),
        "valid": words.say("mail.valid.until" if facts.valid_until else "mail.valid.open", day=facts.valid_until),
        "lead": words.say("mail.lead.open" if facts.lead_weeks is None else "mail.lead.weeks", weeks=facts.lead_weeks),
        "room": _room(facts, words),
        "budget": words.say("mail.budget.over") if facts.over_budget else "",
    }
    for id, text in said.items():
        if text:
            yield Row(label=words.say(f"mail.label.{id}"), text=text, strong=id.startswith("total"))


def _hardware(facts: Facts, catalog: Catalog, words: Words) -> str:
    if not facts.platform:
        return words.say("mail.hardware.none")
    platform = part_name(facts.platform, catalog, words)
    return words.say("mail.hardware.chosen", nodes=facts.nodes, platform=platform, cards=facts.cards)


def _total(facts: Facts, words: Words) -> str:
    if facts.total is None:
        return words.say("mail.total.part", amount=facts.priced_part)
    return words.say("mail.total.known", amount=facts.total)


def _room(facts: Facts, words: Words) -> str:
    """How the room stands; nothing in a tender, whose deviation table says it."""
    if not facts.room_checks or facts.mode == "tender":
        return ""
    said = [words.say("mail.room.fail" if facts.room_fails else "mail.room.clear", count=facts.room_fails)]
    if facts.room_unknown:
        said.append(words.say("mail.room.unknown", count=facts.room_unknown))
    return words.say("mail.room.join").join(said)


def _next_step(facts: Facts, words: Words) -> str:
    if facts.mode == "tender":
        return words.say("mail.next.tender")
    if not facts.platform:
        return words.say("mail.next.none")
    step = words.say(f"mail.next.{facts.status}", sheet=words.say("book.reply"))
    asked = words.say("mail.next.questions", count=facts.questions) if facts.questions else ""
    return step + asked


def _signature(house: House, language: Language) -> tuple[str, ...]:
    name, address = (house.name_zh, house.address_zh) if language == "zh" else (house.name_en, house.address_en)
    reach = " · ".join(text for text in (house.phone, house.email, house.website) if text)
    return tuple(text for text in (house.contact, name, reach, address) if text)
