"""How a form's answers were read and which defaults were taken, in the document's language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from quoting.documents.customer_plan import Pair
from quoting.documents.formats import billions, percent
from quoting.documents.words import Words
from quoting.records import Quote
from quoting.requirement import Requirement, Understood
from quoting.rows import Catalog

_BILLIONS = re.compile(r"([\d,.]+) B tokens\Z")
_AMOUNT = re.compile(r"(?<![\w.])([\d,.]+) ([A-Za-z°%/²0-9]+)(?![\w/])")
# A sales engineer's own entries are not what the customer wrote.
_OURS = re.compile(r"line\[|commercial\.discount\Z|document\.")
_NUMBER = re.compile(r"\d+(\.\d+)?\Z")
_LISTS = {
    "scope.include": "reading.token",
    "scope.exclude": "reading.token",
    "scope.reuse": "reading.token",
    "site.accept": "reading.remedy",
}
# How the document is made is no answer about the project.
_ABOUT_PAPER = "document."
# A project of domestic parts only leaves nothing to say about these.
_ABOUT_IMPORTS = ("compliance.controlled_parts", "compliance.imports_allowed")


def field_name(key: str, words: Words) -> str:
    """The name of a form's field; ``workload[2].context`` is "context" of workload 2."""
    plain = re.sub(r"\[\d+\]", "", key)
    position = re.search(r"\[(\d+)\]", key)
    name = words.get(f"field.{plain}", plain)
    return f"{name} ({position[1]})" if position else name


def understood(requirement: Requirement, words: Words) -> tuple[Pair, ...]:
    """Every answer whose spelling left room, as typed and as read."""
    return tuple(
        Pair(label=field_name(one.key, words), text=one.typed, note=asked(one, requirement, words))
        for one in requirement.understood
        if not _OURS.match(one.key)
    )


def reading(key: str, read: str, words: Words) -> str:
    """What was read, with its code or units in the document's words: ``14 days`` is 14 天."""
    field = re.sub(r"\[\d+\]", "", key).rpartition(".")[2]
    for code in (f"{field}.{read}", f"reading.{field}.{read}"):
        if words.has(code):
            return words.say(code)
    counted = _BILLIONS.match(read)
    if counted:
        amount = billions(Decimal(counted[1].replace(",", "")), words.language)
        return words.say("reading.tokens", amount=amount)
    units = _units(words)
    said = _AMOUNT.sub(lambda match: f"{match[1]} {_unit(match[1], match[2], units, words)}", read)
    return said.replace(" x ", " × ")


def _unit(amount: str, unit: str, units: Mapping[str, str], words: Words) -> str:
    many = units.get(unit, unit)
    return words.get(f"reading.one.{unit}", many) if amount == "1" else many


def asked(one: Understood, requirement: Requirement, words: Words) -> str:
    """An answer's value with the unit its field is told in: 2 racks, yes; lists by the names of their entries."""
    field = re.sub(r"\[\d+\]", "", one.key)
    if field in _LISTS:
        entries = requirement.site.accept if field == "site.accept" else getattr(requirement.scope, field[6:])
        return words.say("proposal.join").join(words.get(f"{_LISTS[field]}.{entry}", entry) for entry in entries)
    if one.read in ("true", "false"):
        return words.say(f"reading.flag.{one.read}")
    if _NUMBER.match(one.read) and words.has(f"reading.count.{field}"):
        return words.say(f"reading.count.{field}", value=Decimal(one.read))
    name = field.rpartition(".")[2]
    spellings = (one.read.lower(), one.read.upper())
    codes = [f"{start}{name}.{read}" for read in spellings for start in ("", "reading.")]
    told = next((code for code in codes if words.has(code)), None)
    return words.say(told) if told else reading(one.key, one.read, words)


def stated(requirement: Requirement, words: Words) -> tuple[Pair, ...]:
    """Every answer that was read as it stands, but for those the heading of the document prints."""
    return tuple(
        Pair(label=field_name(one.key, words), text=asked(one, requirement, words))
        for one in requirement.plain
        if one.key != "project.name"
    )


def _units(words: Words) -> Mapping[str, str]:
    start = "reading.unit."
    return {code.removeprefix(start): words.say(code) for code in words.codes("reading.unit")}


def defaults(requirement: Requirement, words: Words) -> tuple[Pair, ...]:
    """Every default that bears on the project, with its value where that is a number."""
    domestic = requirement.compliance.domestic == "required"
    return tuple(
        Pair(
            label=field_name(one.key, words),
            text=one.value if one.value[:1].isdigit() else "",
            note=words.get(f"default.{one.rule}.{one.value}", words.get(f"default.{one.rule}", one.value)),
        )
        for one in requirement.defaults
        if not one.key.startswith(_ABOUT_PAPER) and not (domestic and one.key in _ABOUT_IMPORTS)
    )


def terms_taken(quote: Quote, catalog: Catalog, words: Words) -> tuple[Pair, ...]:
    """The house's terms and the assumptions on owning that stand in for an answer of the form, with their values."""
    need, use = quote.requirement.commercial, _assumed("ownership.utilisation", quote)
    taken = {
        "payment": "" if need.payment else quote.price.payment,
        "validity_days": None if need.validity_days else quote.price.valid_days,
        "warranty_years": None if need.warranty_years else catalog.terms.warranty_years,
        "utilisation": use and percent(use),
        "electricity": _assumed("ownership.tariff", quote),
    }
    return tuple(
        Pair(
            label=field_name(f"commercial.{key}", words),
            text=words.say(f"default.value.{key}", value=value),
            note=words.say(f"default.taken.{key}"),
        )
        for key, value in taken.items()
        if value
    )


def _assumed(id: str, quote: Quote) -> Decimal | None:
    """A figure of the comparison with renting that is not the form's; None where nothing is compared."""
    figure = quote.figures.get(id)
    shown = figure and quote.requirement.document.mode != "tender" and not figure.source.startswith("form:")
    return figure.value if figure and shown and isinstance(figure.value, Decimal) else None
