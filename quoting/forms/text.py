"""Text as people type it: which characters a field may hold, and the one spelling quantities are read from."""

from __future__ import annotations

import re
import unicodedata

NAME_CAP = 200
REASON_CAP = 2000
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_JOINER = "\u200d"  # makes one emoji of several
_TRADITIONAL = str.maketrans("萬億兩個週機顆張塊臺參數單雙節點", "万亿两个周机颗张块台参数单双节点")
_SHOWN = 40


# Questions that reading an answer left open: code, and what words need by name.
Asks = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]


class Wrong(Exception):
    """One answer that cannot be taken: what is wrong, what would be right, and the nearest valid name."""

    def __init__(self, problem: str, expected: str = "", nearest: str = "") -> None:
        self.problem, self.expected, self.nearest = problem, expected, nearest
        super().__init__(problem)


def forbidden(character: str) -> str:
    """Why ``character`` may not stand in a form, or an empty string if it may."""
    code = ord(character)
    category = unicodedata.category(character)
    if category == "Cc":
        return "control character"
    if character in _BIDI:
        return "bidirectional control character"
    if category == "Cs":
        return "surrogate"
    if category == "Co":
        return "private-use character"
    if category == "Cf" and character != _JOINER:
        return "invisible character"
    if 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE:
        return "noncharacter"
    if category == "Cn":
        return "unassigned character"
    return "line separator" if category in ("Zl", "Zp") else ""


def clean(text: str, cap: int) -> str:
    """``text`` in Unicode's NFC form without outer blanks; raises Wrong for a forbidden character or too many."""
    for character in text:
        why = forbidden(character)
        if why:
            raise Wrong(f"{why} U+{ord(character):04X} in text", "plain text on one line")
    composed = unicodedata.normalize("NFC", text).strip()
    if len(composed) > cap:
        raise Wrong(f"{len(composed)} characters are too many", f"at most {cap} characters")
    return composed


def folded(text: str) -> str:
    """``text`` with full-width, Traditional and upper-case spellings made one, blanks single."""
    plain = unicodedata.normalize("NFKC", text).translate(_TRADITIONAL).casefold()
    return re.sub(r"\s+", " ", plain).strip()


def key_of(name: str) -> str:
    """``name`` for comparison: case, blanks, dashes and underscores do not count."""
    return re.sub(r"[\s\-_‐‑–—·]+", "", folded(name))


def as_typed(value: object) -> str:
    """An answer of any kind as one short text: lists by commas, yes and no as the form spells them."""
    if isinstance(value, list | tuple):
        return shown(", ".join(map(str, value)))
    return shown(str(value).lower() if isinstance(value, bool) else value)


def shown(value: object) -> str:
    """``value`` short enough, and safe enough, to stand in a message."""
    text = str(value) if not isinstance(value, int) or abs(value) < 10**_SHOWN else "a very long number"
    text = "".join("?" if forbidden(character) else character for character in text[: _SHOWN + 1])
    return text[:_SHOWN] + "…" if len(text) > _SHOWN else text
