"""A letter as plain text, broken into lines as wide as a terminal: Chinese characters count two columns."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from quoting.documents.formats import columns, is_wide
from quoting.documents.letter import Letter
from quoting.documents.words import Words

_COLUMNS = 76  # RFC 5322 asks for lines of at most 78
_JOINER = "\u200d"  # between the parts of one emoji
_CLOSERS = frozenset("，。、；：！？）】》”’,.;:!?)]}·… " + _JOINER)  # never the first of a line
_OPENERS = frozenset("（【《“‘([{¥" + _JOINER)  # never the last
_MARKS = frozenset({"Mn", "Mc", "Me", "Sk"})  # categories of what belongs to the character before


def plain(written: Letter, words: Words) -> str:
    """The mail as plain text, in lines of at most 76 columns; a longer word stands whole on its line."""
    join = words.say("mail.join")
    rows = [line for row in written.rows for line in wrapped(f"{row.label}{join}{row.text}", "  ")]
    files = [line for name, holds in written.files for line in wrapped(f"- {name}{join}{holds}", "  ")]
    blocks = [
        wrapped(written.greeting),
        wrapped(written.intro),
        rows,
        wrapped(written.note),
        [words.say("mail.files") + join.rstrip(), *files],
        wrapped(written.next_step),
        wrapped(words.say("mail.thanks")),
        list(written.signature),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def wrapped(text: str, indent: str = "") -> list[str]:
    """``text`` in lines of at most 76 columns, a Chinese character two, with ``indent`` before all but the first."""
    lines: list[str] = []
    line = ""
    for piece in _pieces(text):
        if line.strip() and columns(line + piece.rstrip()) > _COLUMNS:
            lines.append(line.rstrip())
            line = indent
        line += piece
    return [*lines, line.rstrip()] if line.strip() else lines


def _pieces(text: str) -> Iterator[str]:
    """What a line may end after: a word, a Chinese character; punctuation stays where typesetters keep it."""
    piece = ""
    for character in text:
        if piece and _may_break(piece[-1], character):
            yield piece
            piece = ""
        piece += character
    yield piece


def _may_break(before: str, after: str) -> bool:
    if before in _OPENERS or after in _CLOSERS or unicodedata.category(after) in _MARKS:
        return False
    return before == " " or is_wide(before) or is_wide(after)
