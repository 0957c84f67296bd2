"""Priced lines, checks, lights and remedies as a customer may read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Literal

from quoting.documents.basis import source_title
from quoting.documents.customer import CheckRow, Group, Light, Line, RemedyRow
from quoting.documents.formats import money, percent
from quoting.documents.view_plan import part_name, worded
from quoting.documents.words import Words
from quoting.kinds import Status
from quoting.records import Check, Finding, Price, PricedLine, Quote
from quoting.rows import Catalog

Area = Literal["compute", "configuration", "room", "commerce"]
_SHARES = frozenset({"margin", "outside", "share", "imbalance"})
_WORST: tuple[Status, ...] = ("fail", "warn", "unknown", "pass")


def line(priced: PricedLine, words: Words, catalog: Catalog) -> Line:
    """One printed line, without its cost."""
    chinese = words.language == "zh"
    return Line(
        no=priced.no,
        sku=priced.sku,
        name=priced.name_zh if chinese else priced.name_en,
        brand=priced.brand,
        spec=priced.spec_zh if chinese else priced.spec_en,
        part_number=priced.part_number,
        unit=words.get(f"unit.{priced.unit}", priced.unit),
        quantity=priced.quantity,
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
        unit="" if check.unit in ("share", "ratio") else words.get(f"unit.{check.unit}", check.unit),
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
    is_money = arguments.get("unit") == "CNY"
    said = {name: _said(name, value, is_money, words, catalog) for name, value in arguments.items()}
    return words.say(code, **said)


def _said(name: str, value: object, is_money: bool, words: Words, catalog: Catalog | None) -> object:
    if isinstance(value, Decimal):
        if name in _SHARES:
            return percent(value, signed=name == "margin")
        return money(value) if is_money else value
    if name == "unit":
        return words.get(f"unit.{value}", str(value))
    return place(value, words, catalog) if isinstance(value, str) else value


def place(where: str, words: Words, catalog: Catalog | None) -> str:
    """Where a check looks: a part by its name, a door or network by its word, a rack or feed as it is called."""
    if catalog is not None and (where in catalog.parts or where in catalog.platforms):
        return part_name(where, catalog, words)
    return words.get(f"place.{where}", where)


def checks(quote: Quote, words: Words, catalog: Catalog) -> tuple[CheckRow, ...]:
    """Every check of the chosen plan, by area."""
    chosen = quote.choice.chosen.checks if quote.choice.chosen else ()
    areas: tuple[tuple[Area, tuple[Check, ...]], ...] = (
        ("compute", chosen),
        ("configuration", quote.bom.checks),
        ("room", quote.site.checks),
        ("commerce", quote.price.checks),
    )
    return tuple(check_row(check, area, words, catalog) for area, some in areas for check in some)


def lights(rows: Iterable[CheckRow], words: Words) -> tuple[Light, ...]:
    """Compute, room and budget: each shows the worst of its checks."""
    shown = tuple(rows)
    compute = [row for row in shown if row.area in ("compute", "configuration")]
    room = [row for row in shown if row.area == "room"]
    budget = [row for row in shown if row.id == "budget"]
    return (_light("compute", compute, words), _light("room", room, words), _light("budget", budget, words))


def _light(id: Literal["compute", "room", "budget"], rows: list[CheckRow], words: Words) -> Light:
    name = words.say(f"proposal.light.{id}.name")
    for status in _WORST:
        hit = [row for row in rows if row.status == status]
        if not hit:
            continue
        alone = status in ("fail", "warn") or id == "budget"
        sentence = hit[0].sentence if alone else words.say(f"proposal.light.{id}.{status}", count=len(hit))
        return Light(id=id, name=name, status=status, sentence=sentence)
    return Light(id=id, name=name, status="unknown", sentence=words.say(f"proposal.light.{id}.none"))


def remedies(quote: Quote, words: Words) -> tuple[RemedyRow, ...]:
    """What would cure the failed checks, with its price."""
    known = quote.price.remedies or quote.site.remedies
    return tuple(
        RemedyRow(
            name=words.say(f"remedy.{remedy.id}.name", **dict(remedy.arguments)),
            text=words.say(f"remedy.{remedy.id}.text", **dict(remedy.arguments)),
            price=remedy.price,
            accepted=remedy.accepted,
        )
        for remedy in known
    )


def finding(found: Finding, words: Words, catalog: Catalog | None = None) -> str:
    """A finding's sentence: its code may be a whole one, or one of the findings, or of the checks."""
    codes = (found.code, f"finding.{found.code}", f"check.{found.code}")
    code = next((code for code in codes if words.has(code)), found.code)
    return _sentence(code, {"where": found.where, **dict(found.arguments)}, words, catalog)
