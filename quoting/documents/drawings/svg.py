"""The few SVG marks our pictures are made of. Attributes only: a page's stylesheet does not reach into a picture."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from html import escape
from typing import TypeAlias

from quoting.documents.brand import contrast
from quoting.documents.fonts import FAMILY

GREY, PALE, RULE, TEXT = "#6b7280", "#f3f4f6", "#c9ced6", "#1f2937"
WIDTH = 482  # of the type area, in points: a picture's units are points on paper
EDGE = 0.6  # kept free at the border, so that no stroke is cut in half
SMALLEST = 6.2  # type size in points; nothing is set smaller
_READABLE = Decimal("4.5")  # contrast of small type. Source: WCAG 2.2, 1.4.3
# Letters narrower or wider than most in our face, as shares of its size.
_WIDTHS = ((" ", 0.23), ("iIjl.,:;'|!", 0.3), ("frt()-/", 0.39), ("–", 0.54), ("wmMW%@", 0.9))

SWATCH, LINE = 19.0, 10.5  # of a legend: from a swatch to its words, from row to row

Entry: TypeAlias = tuple[Callable[[float, float], Iterable[str]], str]  # a swatch drawn at a place, and its words


@dataclass(frozen=True, slots=True)
class Ink:
    """The house's two colours."""

    colour: str
    accent: str


def tint(colour: str, share: float) -> str:
    """``#rrggbb`` thinned with white: a paler ink needs no transparency, which printers and viewers handle unlike."""
    levels = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(255 - (255 - level) * share):02x}" for level in levels)


@lru_cache(maxsize=64)
def letters_on(fill: str) -> str:
    """White on a surface where it can be read, else the colour of text, else black, which then can be."""
    return next((colour for colour in ("#ffffff", TEXT) if contrast(fill, colour) >= _READABLE), "#000000")


def tag(name: str, content: str = "", /, **attributes: object) -> str:
    """One element; ``font_size=8`` becomes ``font-size="8"``."""
    pairs = (f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"' for key, value in attributes.items())
    return f"<{name}{''.join(pairs)}>{content}</{name}>"


def _text(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def _value(value: object) -> str:
    return escape(value) if isinstance(value, str) else _text(value)


def rect(x: float, y: float, width: float, height: float, **attributes: object) -> str:
    """A rectangle."""
    return tag("rect", x=x, y=y, width=width, height=height, **attributes)


def line(x1: float, y1: float, x2: float, y2: float, stroke: str = RULE, **attributes: object) -> str:
    """A straight line."""
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=stroke, **{"stroke_width": 0.6, **attributes})


def text(x: float, y: float, words: str, size: float = 7.5, **attributes: object) -> str:
    """One line of text with its baseline at ``y``."""
    return tag("text", escape(words), x=x, y=y, font_size=size, **{"fill": TEXT, **attributes})


def width_of(words: str, size: float) -> float:
    """About how wide a text is set: our face has Chinese marks, ``·``, ``×`` and ``…`` as wide as high."""
    return size * sum(_share(letter) for letter in words)


@lru_cache(maxsize=4096)
def _share(letter: str) -> float:
    """Width of a letter as a share of its size."""
    for letters, share in _WIDTHS:
        if letter in letters:
            return share
    if ord(letter) >= 0x2010 or letter in "·×":
        return 1.0
    return 0.7 if letter.isupper() else 0.58


def clip(words: str, size: float, room: float) -> str:
    """The text, cut with … where it would not fit into ``room``."""
    if width_of(words, size) <= room:
        return words
    kept = words
    while kept and width_of(kept + "…", size) > room:
        kept = kept[:-1]
    return kept + "…" if kept else ""


def wrapped(words: str, size: float, room: float) -> list[str]:
    """The text in as many lines as ``room`` asks for, broken after spaces and dashes, else between letters; uncut."""
    lines: list[str] = []
    kept, width = "", 0.0
    for letter in words:
        width += size * _share(letter)
        if kept and width > room:
            cut = max(kept.rfind(" "), kept.rfind("–")) + 1 or len(kept)
            lines.append(kept[:cut].rstrip())
            kept = kept[cut:]
            width = width_of(kept + letter, size)
        kept += letter
    return [*lines, kept] if kept or not lines else lines


def path(*points: tuple[float, float], stroke: str = TEXT, **attributes: object) -> str:
    """A line through ``points``."""
    return trace([points], stroke=stroke, **attributes)


def trace(lines: Iterable[Sequence[tuple[float, float]]], stroke: str = TEXT, **attributes: object) -> str:
    """Any number of lines as one element, which is set far faster than one element each."""
    runs = ("M" + "L".join(f"{_text(x)} {_text(y)}" for x, y in points) for points in lines)
    return tag("path", d="".join(runs), fill="none", stroke=stroke, **{"stroke_width": 0.6, **attributes})


def hatched(x: float, y: float, width: float, height: float, step: float, colour: str) -> Iterator[str]:
    """A rectangle filled with diagonal lines, so that it is told from others without colour."""
    yield rect(x, y, width, height, fill="#ffffff", stroke=colour, stroke_width=0.6)
    lines, at = [], step
    while at < width + height:
        left, right = max(0.0, at - height), min(at, width)
        lines.append(((x + left, y + at - left), (x + right, y + at - right)))
        at += step
    if lines:
        yield trace(lines, stroke=colour, stroke_width=0.5)


def legend(entries: Sequence[Entry], x: float, y: float, room: float, size: float = 6.8) -> tuple[list[str], float]:
    """Swatches with their words, side by side in as many rows as they need; the marks and the height they take."""
    marks: list[str] = []
    at, row = x, y
    for swatch, words in entries:
        lines = wrapped(words, size, room - SWATCH)
        wide = SWATCH + max(width_of(line, size) for line in lines)
        if at > x and at + wide > x + room:
            at, row = x, row + LINE
        marks += swatch(at, row + 1)
        for number, line in enumerate(lines):
            marks.append(text(at + SWATCH, row + 7.4 + number * LINE, line, size))
        row += LINE * (len(lines) - 1)
        at += wide + 12
    return marks, row + LINE - y


def label_on(x: float, y: float, words: str, colour: str) -> Iterator[str]:
    """Words in a white capsule centred on a line at ``x``, ``y``."""
    width = width_of(words, 7) + 10
    yield rect(x - width / 2, y - 6.5, width, 13, rx=6.5, fill="#ffffff", stroke=RULE, stroke_width=0.6)
    yield text(x, y + 2.5, words, 7, text_anchor="middle", fill=colour)


def picture(width: float, height: float, marks: Iterable[str], label: str = "") -> str:
    """A whole picture as a data address an ``img`` can show; ``label`` says what it shows to who cannot see it."""
    body = tag(
        "svg",
        "".join(marks),
        xmlns="http://www.w3.org/2000/svg",
        width=f"{width:g}pt",
        height=f"{height:g}pt",
        viewBox=f"0 0 {width:g} {height:g}",
        font_family=FAMILY,
        role="img",
        aria_label=label,
    )
    return "data:image/svg+xml;base64," + b64encode(body.encode()).decode()
