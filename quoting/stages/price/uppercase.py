"""人民币大写: an amount in yuan written as Chinese contracts do.

Rules: a run of inner zeros is one 零; 整 after 元 when nothing follows, none after 角 or 分; an amount with fen but no
jiao takes 零 before the fen; a zero is written where the ten-thousands below 亿 or 万 begin with zeros. Source: the
accounting practice for cheques and contracts (《支付结算办法》附一《正确填写票据和结算凭证的基本规定》).
"""

from __future__ import annotations

from decimal import Decimal

_DIGITS = "零壹贰叁肆伍陆柒捌玖"
_PLACES = ("", "拾", "佰", "仟")
_GROUPS = ("", "万", "亿", "万亿")
_LIMIT = Decimal(10) ** 16


def uppercase(amount: Decimal) -> str:
    """``人民币壹拾元整`` for 10. Raises ValueError for a negative amount, parts of a fen, or 10^16 yuan and above."""
    fen = amount * 100
    if amount < 0 or fen != fen.to_integral_value() or amount >= _LIMIT:
        raise ValueError(f"no 大写 for {amount}")
    yuan, cents = divmod(int(fen), 100)
    return "人民币" + _yuan(yuan, cents) + _cents(yuan, cents)


def _yuan(yuan: int, cents: int) -> str:
    if yuan:
        return _integer(yuan) + "元"
    return "" if cents else "零元"


def _cents(yuan: int, cents: int) -> str:
    jiao, fen = divmod(cents, 10)
    if not cents:
        return "整"
    text = _DIGITS[jiao] + "角" if jiao else ("零" if yuan else "")
    return text + (_DIGITS[fen] + "分" if fen else "")


def _integer(value: int) -> str:
    groups = []
    while value:
        value, group = divmod(value, 10_000)
        groups.append(group)
    text, gap = "", False
    for place in range(len(groups) - 1, -1, -1):
        group = groups[place]
        if not group:
            gap = bool(text)
            continue
        if text and (gap or group < 1000):
            text += _DIGITS[0]
        text += _four(group) + _unit(place, groups)
        gap = False
    return text


def _unit(place: int, groups: list[int]) -> str:
    # 万亿 is written 万 when the 亿 group below it is written too: 壹万贰仟亿, not 壹万亿贰仟亿.
    return "万" if place == 3 and groups[2] else _GROUPS[place]


def _four(group: int) -> str:
    text, zero = "", False
    for place in range(3, -1, -1):
        digit = group // 10**place % 10
        if digit:
            text += ("零" if zero and text else "") + _DIGITS[digit] + _PLACES[place]
        zero = not digit
    return text
