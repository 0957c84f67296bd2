"""Money as people state it: 500万以内, 80-100万, 不超过三百万, ￥850,000.00, 55,054万元(不含税), 63200 GBP."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from quoting.figure import round_fen
from quoting.forms.numbers import Piece, Raw, scan, spell, split_multiplier
from quoting.forms.text import Asks, Wrong, folded, shown
from quoting.rows import Catalog

_EXAMPLE = "60万, 500万以内 or 2610000.00元"
_BARE = "60元 or 60万元? state the unit"
_YUAN = frozenset(("", "元", "元整", "圆", "块", "块钱", "cny", "rmb", "人民币", "元人民币", "yuan"))
_FOREIGN = {
    "USD": ("usd", "us$", "$", "美元", "美金"),
    "GBP": ("gbp", "£", "英镑"),
    "EUR": ("eur", "€", "欧元"),
    "HKD": ("hkd", "hk$", "港元", "港币"),
    "JPY": ("jpy", "日元"),
    "TWD": ("twd", "nt$", "新台币", "台币"),
    "SGD": ("sgd", "s$", "新加坡元", "新币"),
}
_FLOOR_OF = re.compile(r"以上|起步|不低于|不少于|至少|at least|[≥≧>]")
_UNTAXED = re.compile(
    r"不含税|未税|税前|除税|excl(?:uding|usive|\.)?(?: of)? ?(?:tax|vat)|ex\.? ?vat|before tax|tax excluded"
)
_TAXED = re.compile(r"含税价?|incl(?:uding|usive|\.)?(?: of)? ?(?:tax|vat)|tax included|with tax")
_FILLER = re.compile(
    r"预算金?额?|最高限价|控制价|总价|总投资|投资|合同金额|金额|单价|人民币|大概|含设备|整|budget|total|rmb|cny|[包标][\s]*\d+\s*[-:]|"
    r"[:：()（）￥¥]"
)
_LOW, _HIGH = Decimal(1), Decimal(10) ** 12


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in yuan (the upper end), how it was read, whether tax is in (None: not said), and the questions."""

    yuan: Decimal
    read: str
    tax_included: bool | None
    asks: Asks = ()


def read_money(raw: Raw, catalog: Catalog) -> Money:
    """``raw`` as yuan; raises Wrong for a bare small number, an unknown unit or a currency without a rate."""
    text = folded(raw) if isinstance(raw, str) else raw
    tax: bool | None = None
    if isinstance(text, str):
        tax = False if _UNTAXED.search(text) else True if _TAXED.search(text) else None
        text = _TAXED.sub(" ", _UNTAXED.sub(" ", text))
    signed = isinstance(raw, str) and any(sign in folded(raw) for sign in "¥￥")
    currency, text = _currency(text)
    text = _FILLER.sub(" ", text) if isinstance(text, str) else text
    scanned = scan(text, _EXAMPLE)
    if scanned.before.strip(" +") or (len(scanned.pieces) > 1 and not scanned.is_range):
        raise Wrong(f"not an amount: {shown(raw)}", _EXAMPLE)
    amounts = _amounts(scanned.pieces, raw)
    bare = not signed and currency == "CNY" and all(not piece.unit for piece in scanned.pieces)
    from_yuan = Decimal(catalog.rules["form.budget_in_yuan_from"].values["value"])
    if bare and max(amounts) < from_yuan:
        raise Wrong(f"{_BARE.replace('60', shown(raw))}", _EXAMPLE)
    money = _bounded(_in_yuan(amounts, currency, tax, catalog), raw)
    if isinstance(raw, str) and _FLOOR_OF.search(folded(raw)):
        return replace(money, asks=(*money.asks, ("budget_floor", (("taken", spell(money.yuan)),))))
    return money


def _currency(text: Raw) -> tuple[str, Raw]:
    if not isinstance(text, str):
        return "CNY", text
    for code, signs in _FOREIGN.items():
        for sign in signs:
            if sign in text:
                return code, text.replace(sign, " ")
    return "CNY", text


def _amounts(pieces: tuple[Piece, ...], raw: Raw) -> list[Decimal]:
    if len(pieces) == 2 and not pieces[0].unit:
        low, high = _amount(Piece(pieces[0].number, pieces[1].unit), raw), _amount(pieces[1], raw)
        return [low if low <= high else pieces[0].number, high]
    return [_amount(piece, raw) for piece in pieces]


def _amount(piece: Piece, raw: Raw) -> Decimal:
    unit = piece.unit.replace(" ", "").strip(",，。.、")
    if unit == "w":
        return piece.number * 10000
    factor, rest = split_multiplier(unit)
    if rest not in _YUAN:
        raise Wrong(f"unit {shown(unit)} is not understood", _EXAMPLE)
    return piece.number * factor


def _in_yuan(amounts: list[Decimal], currency: str, tax: bool | None, catalog: Catalog) -> Money:
    asks: list[tuple[str, tuple[tuple[str, str], ...]]] = []
    if len(set(amounts)) > 1:
        low, high = (f"{spell(end(amounts))} {currency}" for end in (min, max))
        asks.append(("range", (("low", low), ("high", high), ("taken", high))))
    amount = max(amounts)
    if currency == "CNY":
        return Money(round_fen(amount), f"{spell(round_fen(amount))} CNY", tax, tuple(asks))
    if currency not in catalog.rates:
        raise Wrong(f"no exchange rate for {currency}", "the amount in yuan, such as 60万元")
    rate = catalog.rates[currency]
    yuan = round_fen(amount * rate.cny)
    asks.append(("foreign_budget", (("amount", f"{spell(amount)} {currency}"), ("rate", f"{rate.cny:f}"),
                                    ("on", rate.on.isoformat()), ("taken", spell(yuan)))))  # fmt: skip
    return Money(yuan, f"{spell(yuan)} CNY", tax, tuple(asks))


def _bounded(money: Money, raw: Raw) -> Money:
    if not _LOW <= money.yuan <= _HIGH:
        raise Wrong(f"out of range: {shown(raw)}", f"{spell(_LOW)} to {spell(_HIGH)} yuan, such as {_EXAMPLE}")
    return money


def read_discount(raw: Raw, most: Decimal) -> Decimal:
    """The share taken off: 5% -> 0.05, 85折 -> 0.15, 8.5折 -> 0.15.

    Raises Wrong for a bare number, and above ``most``: 95% may be what is left to pay.
    """
    expected = "5% (off) or 95折"
    text = re.sub(r"打(?=.*折)|优惠|让利|下浮", " ", folded(raw)) if isinstance(raw, str) else raw
    scanned = scan(text, expected)
    if scanned.before or len(scanned.pieces) != 1:
        raise Wrong(f"not a discount: {shown(raw)}", expected)
    piece = scanned.pieces[0]
    unit = piece.unit.replace(" ", "")
    if unit in ("%", "%off", "个点", "点"):
        share = piece.number / 100
    elif unit == "折":
        share = 1 - (piece.number / 10 if piece.number < 10 else piece.number / 100)
    elif not unit and piece.number == 0:
        share = Decimal(0)
    else:
        raise Wrong(f"off, or to pay? {shown(raw)}", expected)
    if share > most:
        raise Wrong(f"off, or to pay? {shown(raw)}", expected)
    if share < 0 or share != share.quantize(Decimal("0.0001")):
        raise Wrong(f"out of range: {shown(raw)}", expected)
    return share


def read_share(raw: Raw) -> Decimal:
    """A share of time: 70% or 0.7 -> 0.7; raises Wrong outside 0 to 100 %."""
    scanned = scan(folded(raw) if isinstance(raw, str) else raw, "70% or 0.7")
    piece = scanned.pieces[0]
    unit = piece.unit.replace(" ", "")
    if len(scanned.pieces) > 1 or scanned.before or unit not in ("%", "") or (not unit and piece.number == 1):
        raise Wrong(f"not a share: {shown(raw)}", "70% or 0.7")
    share = piece.number / 100 if unit == "%" or piece.number > 1 else piece.number
    if not 0 < share <= 1:
        raise Wrong(f"out of range: {shown(raw)}", "above 0% up to 100%, such as 70%")
    return share


def read_price(raw: Raw) -> Decimal:
    """A unit price in yuan, tax included, with at most two places: 12800, 12,800.00元, 1.28万."""
    expected = "yuan with two places, tax included, such as 12800.00"
    scanned = scan(_FILLER.sub(" ", folded(raw)) if isinstance(raw, str) else raw, expected)
    if scanned.before or len(scanned.pieces) != 1:
        raise Wrong(f"not a price: {shown(raw)}", expected)
    price = _amount(scanned.pieces[0], raw)
    if price != round_fen(price):
        raise Wrong(f"more than two places: {shown(raw)}", expected)
    if not 0 < price <= _HIGH:
        raise Wrong(f"out of range: {shown(raw)}", expected)
    return round_fen(price)
