"""[project] [scope] [compliance] [commercial] [document] and [[line]]: everything that is not the work or the room."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, cast

from quoting.forms import quantities as q
from quoting.forms import words
from quoting.forms.money import read_discount, read_money, read_price, read_share
from quoting.forms.numbers import spell
from quoting.forms.reader import Notes, Table, choose, nearest
from quoting.forms.text import REASON_CAP, Wrong, folded, key_of, shown
from quoting.requirement import Commercial, Compliance, Customer, DocumentNeed, LineChange, Project, Scope

_EMAIL = re.compile(r"[^@\s,;<>\"]+@[^@\s,;<>\"]+\.[^@\s,;<>\"]+")
_PAYMENT = "shares that sum to 100, such as 30-60-10"
_LEVELS = {"一": 1, "二": 2, "三": 3, "四": 4, "五": 5}


def read_customer(notes: Notes, data: object, keys: tuple[str, ...]) -> Customer:
    """Who asks; the name is required."""
    table = Table(notes, "customer", data, keys)
    if not table.given("name"):
        notes.wrong("customer.name", Wrong("missing", 'name = "示例制造有限公司"'))
    email = table.text("email")
    if email and not _EMAIL.fullmatch(email):
        notes.wrong("customer.email", Wrong(f"not one e-mail address: {shown(email)}", "name@example.com"))
    return Customer(
        name=table.text("name"),
        contact=table.text("contact"),
        phone=table.text("phone"),
        email=email,
        industry=table.text("industry"),
        city=table.text("city"),
    )


def read_project(notes: Notes, data: object, keys: tuple[str, ...]) -> Project:
    """What it is for, and by when."""
    table = Table(notes, "project", data, keys)
    return Project(
        name=table.text("name"),
        delivery_city=table.text("delivery_city"),
        needed_by=table.day("needed_by"),
        form_factor=cast(Any, _choice_or_default(table, "form_factor", words.FORM_FACTOR)),
    )


def _choice_or_default(table: Table, key: str, spellings: Any) -> str:
    """The answer or the default; a wrong answer was noted, and stands as the default."""
    found = table.choice(key, spellings)
    if found is None and table.given(key):
        return str(table.notes.catalog.rules[f"default.{key}"].values["value"])
    return found if found is not None else str(table.notes.default(table.at(key), f"default.{key}"))


def read_scope(notes: Notes, data: object, keys: tuple[str, ...]) -> Scope:
    """What to quote, what not, and what exists."""
    table = Table(notes, "scope", data, keys)
    found = {key: table.list(key, lambda word: choose(word, words.SCOPE)) for key in ("include", "exclude", "reuse")}
    for token in found["include"]:
        if token in found["exclude"] or token in found["reuse"]:
            notes.ask("scope.include", "scope_contradicts", token=token)
    return Scope(**found)


def read_compliance(notes: Notes, data: object, keys: tuple[str, ...]) -> Compliance:
    """信创, export control and 等保."""
    table = Table(notes, "compliance", data, keys)
    imports = table.flag("imports_allowed")
    if imports is None:
        imports = bool(notes.catalog.rules["default.imports_allowed"].values["value"])
    return Compliance(
        domestic=cast(Any, _choice_or_default(table, "domestic", words.DOMESTIC)),
        controlled_parts=cast(Any, _choice_or_default(table, "controlled_parts", words.CONTROLLED)),
        imports_allowed=imports,
        mlps_level=_asked_level(table),
    )


def _asked_level(table: Table) -> int | None:
    level = table.read("mlps_level", _level)
    table.notes.read_as(table.at("mlps_level"), table.raw("mlps_level"), "" if level is None else str(level))
    return level


def _level(raw: Any) -> int:
    text = folded(raw) if isinstance(raw, str) else raw
    if isinstance(text, str):
        match = re.fullmatch(r"(?:等保|mlps)?\s*(?:level)?\s*([1-5一二三四五])\s*级?", text)
        text = (_LEVELS.get(match[1]) or int(match[1])) if match else 0
    if isinstance(text, bool) or text not in _LEVELS.values():
        raise Wrong(f"not a level: {shown(raw)}", "1 to 5, such as 3 or 等保三级")
    return int(text)


def read_commercial(notes: Notes, data: object, keys: tuple[str, ...]) -> Commercial:
    """Money and terms. A missing budget is asked, never assumed."""
    table = Table(notes, "commercial", data, keys)
    money = table.read("budget", lambda raw: read_money(raw, notes.catalog))
    if not table.given("budget"):
        notes.ask("commercial.budget", "budget")
    if money is not None:
        notes.read_as("commercial.budget", table.raw("budget"), money.read)
        for code, arguments in money.asks:
            notes.ask("commercial.budget", code, **dict(arguments))
    most = Decimal(notes.catalog.rules["form.discount_most"].values["value"])
    discount, share = (
        table.read("discount", lambda raw: read_discount(raw, most)),
        table.read("utilisation", read_share),
    )
    for key, value in (("discount", discount), ("utilisation", share)):
        if value is not None:
            notes.read_as(table.at(key), table.raw(key), spell(value * 100, "%"))
    payment = table.read("payment", _payment) or ""
    table.notes.read_as(table.at("payment"), table.raw("payment"), payment)
    return Commercial(
        budget=money.yuan if money else None,
        budget_tax_included=_tax_included(table, money.tax_included if money else None, money is not None),
        discount=discount if discount is not None else Decimal(0),
        payment=payment,
        validity_days=table.whole("validity_days", q.DAYS),
        warranty_years=table.whole("warranty_years", q.YEARS),
        currency=table.read("currency", _currency) or "CNY",
        utilisation=share,
        electricity_cny_kwh=table.quantity("electricity", q.ELECTRICITY),
        months=table.whole("months", q.MONTHS),
    )


def _tax_included(table: Table, said: bool | None, has_budget: bool) -> bool:
    stated = table.flag("budget_tax_included")
    if stated is not None and said is not None and stated != said:
        table.notes.ask(table.at("budget_tax_included"), "tax_contradicts", taken=str(stated).lower())
    if stated is not None or said is not None:
        return bool(stated if stated is not None else said)
    rule = "default.budget_tax_included"
    if has_budget:
        return bool(table.notes.default(table.at("budget_tax_included"), rule))
    return bool(table.notes.catalog.rules[rule].values["value"])


def _payment(raw: Any) -> str:
    if not isinstance(raw, str):
        raise Wrong(f"not payment terms: {shown(raw)}", _PAYMENT)
    text = re.sub(r"\s", "", folded(raw))
    shares = re.findall(r"\d+(?=%)", text) or re.split(r"[-:/、,]", text)
    if not all(re.fullmatch(r"\d{1,3}", share) for share in shares) or sum(map(int, shares)) != 100:
        raise Wrong(f"not payment terms: {shown(raw)}", _PAYMENT)
    return "-".join(str(int(share)) for share in shares)


def _currency(raw: Any) -> str:
    if isinstance(raw, str) and key_of(raw) in ("cny", "rmb", "人民币", "元"):
        return "CNY"
    raise Wrong(f"quotations are in yuan: {shown(raw)}", "CNY")


def read_document(notes: Notes, data: object, keys: tuple[str, ...]) -> DocumentNeed:
    """Language and kind of the proposal."""
    table = Table(notes, "document", data, keys)
    return DocumentNeed(
        language=cast(Any, _choice_or_default(table, "language", words.LANGUAGE)),
        mode=cast(Any, _choice_or_default(table, "mode", words.MODE)),
        price_detail=cast(Any, _choice_or_default(table, "price_detail", words.PRICE_DETAIL)),
        clauses=cast(Any, table.choice("clauses", words.CLAUSES) or ""),
    )


_NEEDS = {
    "add": ("quantity",),
    "replace": ("with",),
    "remove": (),
    "quantity": ("quantity",),
    "price": ("unit_price",),
    "note": ("reason",),
}


def read_line(notes: Notes, number: int, data: object, keys: tuple[str, ...]) -> LineChange | None:
    """A sales engineer's own change, complete for its action; None when it is not."""
    table = Table(notes, f"line[{number}]", data, keys)
    if not table.given("action"):
        notes.wrong(table.at("action"), Wrong("missing", " or ".join(_NEEDS)))
    action = table.choice("action", words.ACTION)
    sku, other = table.read("sku", lambda raw: _sku(notes, raw)), table.read("with", lambda raw: _sku(notes, raw))
    quantity, price = table.whole("quantity", q.PIECES), table.read("unit_price", read_price)
    tax, reason = table.read("tax_rate", lambda raw: _tax_rate(notes, raw)), table.text("reason", REASON_CAP)
    name = table.text("name")
    if action is None:
        return None
    _complete(table, action)
    if price is not None:
        notes.read_as(table.at("unit_price"), table.raw("unit_price"), spell(price, "CNY"))
    return LineChange(
        action=cast(Any, action),
        sku=sku or "",
        name=name,
        with_sku=other or "",
        quantity=quantity,
        unit_price=price,
        tax_rate=tax,
        reason=reason,
    )


def _complete(table: Table, action: str) -> None:
    if not table.given("sku") and not table.given("name"):
        table.notes.wrong(table.at("sku"), Wrong("missing", "sku or name of the line"))
    for key in _NEEDS[action]:
        if not table.given(key):
            table.notes.wrong(table.at(key), Wrong("missing", f"{key}, which {action} needs"))
    if action == "add" and not table.given("sku") and not table.given("unit_price"):
        table.notes.wrong(table.at("unit_price"), Wrong("missing", "a unit price for a part outside the catalogue"))


def _sku(notes: Notes, raw: Any) -> str:
    if not isinstance(raw, str):
        raise Wrong(f"not a text: {shown(raw)}", "an SKU in quotes")
    skus = {key_of(sku): sku for sku in notes.catalog.parts}
    if key_of(raw) not in skus:
        raise Wrong(
            f"unknown SKU: {shown(raw)}",
            "an SKU of the catalogue, or name for a part outside it",
            nearest(raw, notes.catalog.parts),
        )
    return skus[key_of(raw)]


def _tax_rate(notes: Notes, raw: Any) -> Decimal:
    rates = sorted(set(notes.catalog.terms.tax_rate.values()), reverse=True)
    expected = " or ".join(f"{rate:f}" for rate in rates)
    share = read_share(raw)
    if share not in rates:
        raise Wrong(f"not a tax rate: {shown(raw)}", expected)
    return share
