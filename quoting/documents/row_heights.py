"""How many lines a text takes in a cell, and how tall its row must be.

Offices on phones, and some on desks, do not work this out when they open a file: a wrapped text would be cut.
Letters are measured in 24ths of the font's size, a little wide, so that a row is rather too tall than too small.
"""

from __future__ import annotations

import re
from functools import lru_cache

_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef"
_TOKEN = re.compile(rf"\s|[{_WIDE}]|[^\s{_WIDE}]+")
_IS_WIDE = re.compile(f"[{_WIDE}]")
_EM, _CAPITAL, _LETTER, _NARROW = 24, 17, 13, 8
_THIN = frozenset(" .,:;|!'()[]/-ijlt·")
_PIXELS_A_CHARACTER = 7  # of a column's width, by the file format's definition; its padding comes on top
_INDENT = 9  # pixels


@lru_cache(maxsize=1024)
def room(width: int, font_size: int, indent: int = 0) -> int:
    """What fits on one line of a column ``width`` characters wide, in 24ths of the font's size (points)."""
    pixels = width * _PIXELS_A_CHARACTER - indent * _INDENT
    return max(pixels * 18 // font_size, _EM)  # 96 pixels and 72 points an inch: x 24 x 72 / 96


@lru_cache(maxsize=32768)
def lines(text: str, fits: int) -> int:
    """How many lines ``text`` takes where ``fits`` (see ``room``) go on one."""
    if len(text) * _EM <= fits and "\n" not in text:
        return 1
    return sum(_wrapped(part, fits) for part in text.split("\n"))


def height(count: int, font_size: int) -> int:
    """Points for ``count`` lines; fonts with Chinese are tall: a line of them takes 1.32 times its size."""
    return (count * font_size * 136 + 300) // 100


def _wrapped(text: str, fits: int) -> int:
    count, used = 1, 0
    for token in _TOKEN.findall(text):
        width = _width(token)
        if used + width <= fits:
            used += width
        elif width > fits:  # a word longer than the line is cut anywhere
            count += (1 if used else 0) + (width - 1) // fits
            used = (width - 1) % fits + 1
        elif not token.isspace():
            count, used = count + 1, width
    return count


@lru_cache(maxsize=8192)
def _width(token: str) -> int:
    return sum(_letter_width(letter) for letter in token)


@lru_cache(maxsize=8192)
def _letter_width(letter: str) -> int:
    if letter in _THIN or letter.isspace():
        return _NARROW
    if _IS_WIDE.match(letter):
        return _EM
    return _CAPITAL if letter.isupper() else _LETTER
