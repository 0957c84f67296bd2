"""The few SVG marks our pictures are made of. Attributes only: a page's stylesheet does not reach into a picture."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

from quoting.documents.fonts import FAMILY

GREY, PALE, RULE, TEXT = "#6b7280", "#f3f4f6", "#c9ced6", "#1f2937"
WIDTH = 470  # of the type area, in points: a picture's units are points on paper


@dataclass(frozen=True, slots=True)
class Ink:
    """The house's two colours."""

    colour: str
    accent: str


def tag(name: str, content: str = "", /, **attributes: object) -> str:
    """One element; ``font_size=8`` becomes ``font-size="8"``."""
    pairs = (f' {key.rstrip("_").replace("_", "-")}="{escape(_text(value))}"' for key, value in attributes.items())
    return f"<{name}{''.join(pairs)}>{content}</{name}>"


def _text(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


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
    """Roughly how wide a text is set: a Chinese character is as wide as high, a Latin letter a little over half."""
    return sum(size if ord(letter) > 0x2E80 else 0.56 * size for letter in words)


def clip(words: str, size: float, room: float) -> str:
    """The text, cut with … where it would not fit into ``room``."""
    if width_of(words, size) <= room:
        return words
    kept = words
    while kept and width_of(kept + "…", size) > room:
        kept = kept[:-1]
    return kept + "…" if kept else ""


def wrapped(words: str, size: float, room: float) -> list[str]:
    """The text in as many lines as ``room`` asks for, broken after spaces, else between letters; never cut."""
    lines: list[str] = []
    kept = ""
    for letter in words:
        if kept and width_of(kept + letter, size) > room:
            cut = kept.rfind(" ") + 1 or len(kept)
            lines.append(kept[:cut].rstrip())
            kept = kept[cut:]
        kept += letter
    return [*lines, kept] if kept or not lines else lines


def hatch(x: float, y: float, width: float, height: float, step: float, **attributes: Any) -> Iterator[str]:
    """Diagonal lines that fill a rectangle, so that it is told from others without colour."""
    at = step
    while at < width + height:
        left, right = max(0.0, at - height), min(at, width)
        yield line(x + left, y + at - left, x + right, y + at - right, **attributes)
        at += step


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
