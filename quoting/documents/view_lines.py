"""Priced lines, checks and lights as a customer may read them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Literal

from quoting.documents.basis import brand_name, source_title, unit_name
from quoting.documents.customer import CheckRow, Group, Light, Line
from quoting.documents.formats import close_up, money, percent, short
from quoting.documents.readings import field_name, reading
from quoting.documents.standing import rests_on_unverified_power, waits_for
from quoting.documents.view_plan import part_name, worded, work_names
from quoting.documents.view_room import one_text
from quoting.documents.words import Words
from quoting.kinds import Arguments, Status
from quoting.records import Check, Finding, Price, PricedLine, Quote
from quoting.rows import Catalog

Value = str | int | Decimal | None
Area = Literal["compute", "configuration", "room", "commerce"]
_SHARES = frozenset({"margin", "outside", "share", "imbalance"})
_ACTIONS = frozenset({"add", "replace", "remove", "quantity", "price", "note"})  # stand where no reason was given
_RACK = re.compile(r"(R\d+)(?:/([A-Z]))?\Z")
_INSIDE = frozenset({"tier_band", "price_age"})  # how the house sets prices; the draft note speaks of it
_WORST: tuple[Status, ...] = ("fail", "warn", "unknown", "pass")
_GIVERS: tuple[Literal["customer", "maker"], ...] = ("customer", "maker")


def line(priced: PricedLine, words: Words, catalog: Catalog) -> Line:
    """One printed line, without its cost."""
    chinese = words.language == "zh"
    return Line(
        no=priced.no,
        group=words.get(f"group.{priced.group}", priced.group),
        sku=priced.sku,
        name=priced.name_zh if chinese else priced.name_en,
        brand=brand_name(priced.brand, words),
        spec=priced.spec_zh if chinese else priced.spec_en,
        part_number=priced.part_number,
        unit=unit_name(priced.unit, words, priced.quantity + priced.reused),
        quantity=priced.quantity + priced.reused,
        unit_price=priced.unit_price,
        tax_rate=priced.tax_rate,
        subtotal=priced.subtotal,
        net=priced.net,
        tax=priced.tax,
        lead_weeks=priced.lead_weeks,
        warranty_years=priced.warranty_years,
        origin=words.say(f"origin.{priced.origin}"),
        why=words.say(f"why.{priced.why}", **worded(priced.arguments, catalog, words)) if priced.why else "",
        included=priced.included,
        owned=priced.owned,
        changed=bool(priced.changed),
        reason=priced.changed if priced.changed not in _ACTIONS else "",
        power_w=priced.power_w,
        weight_kg=priced.weight_kg,
        rack_units=priced.rack_units,
    )


def groups(price: Price, words: Words, catalog: Catalog) -> tuple[Group, ...]:
    """The lines by group, in printed order, each with its total from the record."""
    totals = {group.group: group.total for group in price.groups}
    order = dict.fromkeys(priced.group for priced in price.lines)
    return tuple(
        Group(
            id=id,
            name=words.get(f"group.{id}", id),
            total=totals.get(id),
            lines=tuple(line(priced, words, catalog) for priced in price.lines if priced.group == id),
        )
        for id in order
    )


def check_row(check: Check, area: Area, words: Words, catalog: Catalog) -> CheckRow:
    """One comparison with its sentence."""
    return CheckRow(
        id=check.id,
        area=area,
        name=words.say(f"check.{check.id}.name"),
        status=check.status,
        required=check.required,
        available=check.available,
        margin=check.margin,
        unit="" if check.unit in ("share", "ratio") else unit_name(check.unit, words),
        share=check.unit == "share",
        where=place(check.where, words, catalog),
        sentence=check_sentence(check, words, catalog),
        remedies=tuple(words.get(f"remedy.{id}.name", id) for id in check.remedies),
        source=source_title(check.source, catalog, words)[0] if check.source in catalog.sources else "",
    )


def check_sentence(check: Check, words: Words, catalog: Catalog | None = None) -> str:
    """What a check says: its own words, with the two sides, the margin and the place as arguments."""
    sides = {"required": check.required, "available": check.available, "margin": check.margin, "unit": check.unit}
    arguments = {**sides, "where": check.where, **dict(check.arguments)}
    return _sentence(f"check.{check.code or f'{check.id}.{check.status}'}", arguments, words, catalog)


def _sentence(code: str, arguments: Mapping[str, object], words: Words, catalog: Catalog | None) -> str:
    """Say it with names for codes, shares in per cent and amounts to the fen."""
    unit = arguments.get("unit")
    said = {name: _said(name, value, unit == "CNY", bool(unit), words, catalog) for name, value in arguments.items()}
    return close_up(words.say(code, **said))


def _said(name: str, value: object, is_money: bool, has_unit: bool, words: Words, catalog: Catalog | None) -> object:
    if isinstance(value, Decimal):
        if name in _SHARES:
            return percent(value, signed=name == "margin")
        return money(value) if is_money else short(value) if has_unit else value
    if name == "unit":
        return unit_name(str(value), words)
    return place(value, words, catalog) if isinstance(value, str) else value


def place(where: str, words: Words, catalog: Catalog | None) -> str:
    """Where a check looks: a part by its name, a door or network by its word, a rack or feed as it is called."""
    if catalog is not None and (where in catalog.parts or where in catalog.platforms):
        return part_name(where, catalog, words)
    hall = _RACK.match(where)
    if hall:
        return words.say("place_of.side" if hall[2] else "place_of.rack", rack=hall[1], side=hall[2])
    return words.get(f"place.{where}", words.get(f"body.{where}", where))


def checks(quote: Quote, words: Words, catalog: Catalog) -> tuple[CheckRow, ...]:
    """Every check of the chosen plan, by area."""
    chosen = quote.choice.chosen.checks if quote.choice.chosen else ()
    areas: tuple[tuple[Area, tuple[Check, ...]], ...] = (
        ("compute", chosen),
        ("configuration", quote.bom.checks),
        ("room", quote.site.checks),
        ("commerce", quote.price.checks),
    )
    shown = [(area, check) for area, some in areas for check in some if _for_customers(check)]
    return _rows(shown, quote, words, catalog)


def named_checks(quote: Quote, words: Words, catalog: Catalog) -> tuple[CheckRow, ...]:
    """Every check of the hardware the customer named, and of the room for it."""
    named, site = quote.choice.named, quote.named_site
    compute: list[tuple[Area, Check]] = [("compute", check) for check in (named.checks if named else ())]
    room: list[tuple[Area, Check]] = [("room", check) for check in (site.checks if site else ())]
    return _rows((*compute, *room), quote, words, catalog)


def _rows(shown: Iterable[tuple[Area, Check]], quote: Quote, words: Words, catalog: Catalog) -> tuple[CheckRow, ...]:
    named = quote.requirement.hardware
    owned = named is not None and named.owned
    rows = (
        _standing(check, check_row(check, area, words, catalog), quote, owned, words, catalog) for area, check in shown
    )
    names = work_names(quote.requirement.workloads, catalog, words)
    return tuple(replace(row, where=names.get(row.where, row.where)) for row in rows)


def _standing(check: Check, row: CheckRow, quote: Quote, owned: bool, words: Words, catalog: Catalog) -> CheckRow:
    """A row with whose answer it waits for, and a word where it was judged on a power nobody verified."""
    unsure = rests_on_unverified_power(check, quote.figures, catalog)
    sentence = one_text(words, row.sentence, words.say("proposal.unverified_power")) if unsure else row.sentence
    return replace(row, waits=waits_for(check, owned), unverified=unsure, sentence=sentence)


def _for_customers(check: Check) -> bool:
    return check.id not in _INSIDE and not (check.id == "no_price" and check.status == "pass")


def lights(rows: Iterable[CheckRow], words: Words) -> tuple[Light, ...]:
    """Compute, room and budget: each shows the worst of its checks."""
    shown = tuple(rows)
    compute = [row for row in shown if row.area in ("compute", "configuration")]
    room = [row for row in shown if row.area == "room"]
    budget = [row for row in shown if row.id in ("budget", "tender_budget")]
    return (_light("compute", compute, words), _light("room", room, words), _light("budget", budget, words))


def _light(id: Literal["compute", "room", "budget"], rows: list[CheckRow], words: Words) -> Light:
    name = words.say(f"proposal.light.{id}.name")
    for status in _WORST:
        hit = [row for row in rows if row.status == status]
        if not hit:
            continue
        if status in ("fail", "warn") or id == "budget":
            sentence = hit[0].sentence
        elif status == "unknown":
            sentence = _waiting(hit, f"proposal.light.{id}", words)
        else:
            sentence = words.say(f"proposal.light.{id}.{status}", count=len(hit))
        unsure = sum(row.unverified for row in rows)
        if unsure and not (hit[0].unverified and sentence == hit[0].sentence):
            sentence = one_text(words, sentence, words.say("proposal.unverified_count", count=unsure))
        return Light(id=id, name=name, status=status, sentence=sentence)
    return Light(id=id, name=name, status="unknown", sentence=words.say(f"proposal.light.{id}.none"))


def _waiting(rows: Iterable[CheckRow], prefix: str, words: Words) -> str:
    """How many checks wait, apart for whom they wait."""
    counts = Counter(row.waits for row in rows)
    return one_text(words, *(words.say(f"{prefix}.{who}", count=counts[who]) for who in _GIVERS if counts[who]))


def attention(
    quote: Quote, rows: Sequence[CheckRow], shown: Iterable[Light], words: Words, catalog: Catalog
) -> tuple[str, ...]:
    """What failed or needs care, worst first and not what a light says already; what is unknown in one sentence."""
    told = {light.sentence for light in shown}
    news = sorted((one for one in quote.findings if _is_news(one)), key=_urgency)
    sentences = [finding(one, words, catalog) for one in news if one.status != "unknown"]
    for who in _GIVERS:
        open_names = list(dict.fromkeys(row.name for row in rows if row.waits == who))
        if open_names:
            names = words.say("proposal.join").join(open_names)
            sentences.append(words.say(f"proposal.unknown_names.{who}", count=len(open_names), names=names))
    return tuple(text for text in dict.fromkeys(sentences) if not any(light.startswith(text) for light in told))


def _urgency(found: Finding) -> tuple[int, bool]:
    """Worst first; of the same status what was checked before what is remarked."""
    return _WORST.index(found.status), not found.code.startswith("check.")


def _is_news(found: Finding) -> bool:
    elsewhere = found.id in _INSIDE or found.id == "ask" or found.where.startswith("named")
    return found.status != "pass" and not elsewhere


def question(key: str, code: str, arguments: Arguments, words: Words, catalog: Catalog | None = None) -> str:
    """A question back to the customer: about which answer of the form, and how that was read, units and all."""
    read = [(name, _as_read(key, name, value, words)) for name, value in arguments]
    said = dict(read) if catalog is None else worded(tuple(read), catalog, words)
    field = field_name(key, words)
    return close_up(words.say(f"ask.{code}", where=field[:1].upper() + field[1:], **said))


def _as_read(key: str, name: str, value: Value, words: Words) -> Value:
    """An argument with its units in the document's words; what the customer typed stays as typed."""
    return reading(key, value, words) if isinstance(value, str) and name != "typed" else value


def finding(found: Finding, words: Words, catalog: Catalog | None = None) -> str:
    """A finding's sentence: its code may be a whole one, or one of the findings, or of the checks."""
    if found.id == "ask":
        return question(found.where, found.code.removeprefix("ask."), found.arguments, words, catalog)
    codes = (found.code, f"finding.{found.code}", f"check.{found.code}")
    code = next((code for code in codes if words.has(code)), found.code)
    return _sentence(code, {"where": found.where, **dict(found.arguments)}, words, catalog)
