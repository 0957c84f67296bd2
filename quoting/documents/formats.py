"""How numbers and dates look on paper. Decimal in, text out; nothing is computed but the rounding that is printed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Context, Decimal

from quoting.kinds import Language

_GAP = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef]) (?=[\u3000-\u9fff\uff00-\uffef])")
_WIDE = Context(prec=60, rounding=ROUND_HALF_UP)
# What a number is told in, besides Chinese measure words: symbols, and the English words of whole bills.
_UNITS = (
    "kVA|VA|kW|MW|W|kWh|kV|V|A|Ah|Hz|GHz|MHz|MT/s|TFLOPS|PFLOPS|GB|TB|PB|MB|KB|GiB|GB/s|TB/s|MB/s|Gbit/s|Gb/s|G|kg|"
    "kg/m²|kN/m²|kN|mm|cm|km|m|m²|CFM|L/min|BTU/h|RT|min|s|ms|h|U|CNY|yuan|USD|CNY/kWh|tokens?(?:/s)?|billion|million|"
    "years?|months?|weeks?|days?|hours?|minutes?|seconds?|cards?|nodes?|servers?|racks?|pcs?|sets?|pairs?|ports?|units?|"
    "jobs?|systems?|parts?|lines?|requests?|pages?|samples?|points?|bytes?|cores?|bit"
)
_TORN = re.compile(
    rf"(?<=\d) (?=[%°×÷\u4e00-\u9fff]|(?:{_UNITS})(?![A-Za-z]))"
    r"|(?<=\d ×) (?![\d.,]+ ×)|(?<=CNY) (?=[\d−+])|(?<=¥) (?=\d)"
)
_SLASH = re.compile(r"\b(kg|kN|GB|TB|MB|MT|Gbit|tokens?)/(?=[a-z])")
_AFTER_STOP = re.compile(r"(?<=[，。；：！？、])((?:</\w+>)?)\s+(?=[^\s<])")  # a full-width stop brings its own space
_FAR = Decimal(10)  # a margin above this says "far enough" and no more
_HUGE = Decimal("1e10")  # counts of operations, which nobody reads digit by digit


def number(value: Decimal | int, places: int | None = None) -> str:
    """1234567.50 -> ``1,234,567.5``; with ``places`` exactly that many. Without, up to three that matter."""
    amount = Decimal(value)
    if places is None and abs(amount) >= _HUGE:
        return _scientific(amount)
    digits = 3 if places is None else places
    text = f"{_WIDE.quantize(amount, Decimal(1).scaleb(-digits)):,f}"
    if places is None and "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.removeprefix("-") if not text.strip("-0.") else text


def _scientific(amount: Decimal) -> str:
    power = amount.adjusted()
    return f"{amount.scaleb(-power):.3g}×10^{power}"


def billions(value: Decimal, language: Language) -> str:
    """A count given in billions, as people say it: 72.7 -> ``727 亿`` or ``72.7 billion``, 0.02 -> ``20 million``."""
    if language == "zh":
        return f"{short(value * 10)} 亿" if value >= Decimal("0.1") else f"{short(value * 100_000)} 万"
    return f"{short(value)} billion" if value >= 1 else f"{short(value * 1000)} million"


def short(value: Decimal | int) -> str:
    """A number for a sentence or a picture: whole from 100 up, one place from 10 up, else two; no trailing zeros."""
    amount = Decimal(value)
    size = abs(amount)
    digits = 0 if size >= 100 else 1 if size >= 10 else 2
    text = number(amount, digits)
    return text.rstrip("0").rstrip(".") if "." in text else text


def money(value: Decimal) -> str:
    """Yuan with two places and thousands: ``4,123,456.00``."""
    return number(value, 2)


def percent(value: Decimal, *, signed: bool = False) -> str:
    """0.235 -> ``23.5 %``; signed puts + before a gain and − before a loss, and stops counting at ten times."""
    if signed and value > _FAR:
        return f"> +{short(_FAR * 100)} %"
    text = short(abs(value) * 100) + " %"
    if value < 0:
        return "−" + text
    return "+" + text if signed and value > 0 else text


def rate(value: Decimal) -> str:
    """A tax rate: 0.13 -> ``13 %``."""
    return number(value * 100) + " %"


def day(value: date, language: Language, months: Sequence[str]) -> str:
    """2026年11月30日 or 30 November 2026; ``months`` are the twelve names."""
    if language == "zh":
        return f"{value.year}年{value.month}月{value.day}日"
    return f"{value.day} {months[value.month - 1]} {value.year}"


def in_words(value: object, language: Language, months: Sequence[str]) -> str:
    """A value put into a sentence."""
    if isinstance(value, bool):
        raise TypeError("a truth value has no words: choose between two codes instead")
    if isinstance(value, int):
        return number(value)
    if isinstance(value, Decimal):
        return money(value) if value.as_tuple().exponent == -2 and abs(value) >= 1000 else short(value)
    return day(value, language, months) if isinstance(value, date) else str(value)


def close_up(text: str) -> str:
    """Take out the space a placeholder left between two Chinese characters."""
    return _GAP.sub("", text)


def keep_units(text: str) -> str:
    """Join numbers to their units, wherever they were put together: ``23.9 %``, ``768 GB``, ``8 周``, ``2 × 200G``;
    the unit to itself, ``kg/m²``; and Chinese sentences to each other.

    Takes text or markup: an attribute that has a number and a unit keeps its meaning.
    """
    joined = _SLASH.sub("\\1/\u2060", _TORN.sub("\u00a0", text))
    return _AFTER_STOP.sub(r"\1", joined)


def is_wide(character: str) -> bool:
    """Whether a character is as wide as two of a Latin text: Chinese ones and full-width signs."""
    return unicodedata.east_asian_width(character) in ("W", "F")


def columns(text: str) -> int:
    """How many Latin characters a text is as wide as."""
    return sum(2 if is_wide(character) else 1 for character in text)
