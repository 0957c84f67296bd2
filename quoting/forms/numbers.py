"""Numbers inside text: 70, 1,800.5, 0.7e2, 三百万, 两, 80-100万, ≤500; and the plain spelling of a number."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from quoting.forms.text import Wrong, folded, shown

Raw = str | int | Decimal

_DIGITS = dict(zip("零〇一二三四五六七八九两壹贰叁肆伍陆柒捌玖", (0, *range(10), 2, *range(1, 10)), strict=True))
_SMALL = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_LARGE = {"万": 10**4, "亿": 10**8}
_CHINESE = "".join((*_DIGITS, *_SMALL, *_LARGE))
_ARABIC = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:e[+-]?\d{1,3}(?![0-9]))?"
_NUMBER = re.compile(rf"({_ARABIC})(\s*[十百千万亿]*)|([{_CHINESE}]+|半)")
_MULTIPLIER = re.compile(r"^([十百千万亿]+)(.*)$")
_RANGE = re.compile(r"^(.*?)\s*(?:[~\-–—―〜至到]|to)\s*$")
_QUALIFIER = re.compile(
    r"不超过|不高于|不多于|不大于|最多|至多|最高|上限|以内|以下|之内|不少于|不低于|不小于|最少|至少|起步|以上|左右|大约|大概|约为|约|"
    r"at most|at least|up to|no more than|no less than|about|approx\.?|around|max\.?|min\.?|[≤≥<>≦≧≈]=?"
)
# Its 2 is no number of the answer.
_SQUARE_METRE = re.compile(r"(?<=/)\s*m\^?2(?!\d)|平米")
_LARGEST = Decimal(10) ** 24


@dataclass(frozen=True, slots=True)
class Piece:
    """A number and the word that follows it; ``vague`` is an order of magnitude (百亿) rather than a count."""

    number: Decimal
    unit: str
    vague: bool = False


@dataclass(frozen=True, slots=True)
class Scanned:
    """The numbers of an answer in order, the text before them, and whether they are the ends of a range."""

    before: str
    pieces: tuple[Piece, ...]
    is_range: bool


def chinese_number(text: str) -> Decimal:
    """The value of a Chinese numeral (三百二十万, 二〇二六, 百亿); raises Wrong if it is none."""
    if all(character in _DIGITS for character in text) and len(text) > 1:
        return Decimal("".join(str(_DIGITS[character]) for character in text))
    total = section = digit = 0
    for character in text:
        if character in _DIGITS:
            digit = _DIGITS[character]
        elif character in _SMALL:
            section += (digit or 1) * _SMALL[character]
            digit = 0
        elif character in _LARGE:
            total = (total + section + digit or 1) * _LARGE[character]
            section = digit = 0
        else:
            raise Wrong(f"not a number: {shown(text)}")
    return Decimal(total + section + digit)


def scan(raw: Raw, example: str, filler: str = "") -> Scanned:
    """All numbers of an answer with what follows each; ``filler`` are words that mean nothing here.

    Raises Wrong with ``example`` if there is no number or an impossible one.
    """
    try:
        return _scanned(raw, filler)
    except Wrong as wrong:
        raise Wrong(wrong.problem, wrong.expected or example) from None


def _scanned(raw: Raw, filler: str) -> Scanned:
    text = _SQUARE_METRE.sub("平方米", _QUALIFIER.sub(" ", folded(_plain(raw))))
    text = re.sub(filler, " ", text) if filler else text
    matches = list(_NUMBER.finditer(text))
    if not matches:
        raise Wrong(f"no number in {shown(raw)}" if text else "empty")
    pieces, ranged = [], False
    for position, match in enumerate(matches):
        end = matches[position + 1].start() if position + 1 < len(matches) else len(text)
        unit, dash = _after((match.group(2) or "") + text[match.end() : end], last=position + 1 == len(matches))
        ranged = ranged or dash
        pieces.append(_piece(match.group(1) or match.group(3), unit))
    return Scanned(text[: matches[0].start()].strip(), tuple(pieces), ranged and len(pieces) == 2)


def _plain(raw: Raw) -> str:
    if isinstance(raw, bool):
        raise Wrong("true and false are not numbers")
    if isinstance(raw, str):
        if re.search(r"(?i)\b(?:nan|inf|infinity)\b", raw):
            raise Wrong(f"not a finite number: {shown(raw)}")
        return raw
    if not isinstance(raw, int | Decimal):
        raise Wrong(f"not a number: {shown(raw)}")
    if isinstance(raw, Decimal) and not raw.is_finite():
        raise Wrong(f"not a finite number: {raw}")
    if raw and Decimal(raw).adjusted() > _LARGEST.adjusted():
        raise Wrong(f"impossibly large: {shown(raw)}")
    if raw and Decimal(raw).adjusted() < -_LARGEST.adjusted():
        raise Wrong(f"impossibly small: {shown(raw)}")
    return f"{Decimal(raw):f}"


def _after(text: str, last: bool) -> tuple[str, bool]:
    """The unit in the text after a number, and whether a range goes on from it."""
    match = None if last else _RANGE.match(text)
    unit = match.group(1) if match else text
    return re.sub(r"\s+", " ", unit).strip(" .,;、"), match is not None


def _piece(number: str, unit: str) -> Piece:
    if number == "半":
        return Piece(Decimal("0.5"), unit)
    if number[0] in _CHINESE:
        return Piece(chinese_number(number), unit, vague=number[0] in _SMALL and len(number) > 1)
    value = Decimal(number.replace(",", ""))
    if value > _LARGEST:
        raise Wrong(f"impossibly large: {shown(number)}")
    return Piece(value, unit)


def split_multiplier(unit: str) -> tuple[Decimal, str]:
    """A leading 十 百 千 万 亿 of ``unit`` as a factor, and the rest: 百万元 -> 1,000,000 and 元."""
    match = _MULTIPLIER.match(unit)
    if not match:
        return Decimal(1), unit
    factor = Decimal(1)
    for character in match.group(1):
        factor *= _SMALL.get(character) or _LARGE[character]
    return factor, match.group(2).strip()


def spell(value: Decimal | int, unit: str = "") -> str:
    """A number as the quotation echoes it: 5,000,000 CNY, 6 kW, 0.5 day."""
    number = Decimal(value)
    whole = number == number.to_integral_value()
    text = f"{int(number):,}" if whole else f"{number.normalize():f}"
    return f"{text} {unit}".strip()
