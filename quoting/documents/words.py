"""The words of one language: codes and arguments in, sentences out.

``templates/words/<language>/*.toml`` hold nested tables; their keys joined by dots are the codes: ``[check.rack_power]
fail = "..."`` is ``check.rack_power.fail``, and so is ``[check] "rack_power.fail"``. A sentence may name arguments as
``{name}``, looked up in a mapping and nothing else: ``{a.b}``, ``{a[0]}`` and ``{0}`` are mistakes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import tomli

from quoting.documents.formats import in_words
from quoting.errors import Mistake, Mistakes, QuotingError
from quoting.kinds import Language

_PLACE = re.compile(r"\{([^{}]*)\}")
_BID = "bid."
_NAME = re.compile(r"[a-z_][a-z0-9_]*\Z")


class MissingWords(QuotingError):
    """A code has no words, or words ask for an argument nobody gave: our own mistake, exit 1."""


@dataclass(frozen=True, slots=True)
class Words:
    """Every sentence of one language, by code."""

    language: Language
    entries: Mapping[str, str]
    months: tuple[str, ...]

    def say(self, code: str, /, **arguments: object) -> str:
        """The sentence of ``code`` with its arguments put in, numbers in the language's manner.

        Raises MissingWords for an unknown code or a missing argument.
        """
        try:
            text = self.entries[code]
        except KeyError:
            raise MissingWords(f"no words for {code} in {self.language}") from None
        if "{" not in text:
            return text
        return _PLACE.sub(lambda match: self._argument(code, match[1], arguments), text)

    def has(self, code: str) -> bool:
        """Whether the code has words: for names of things companies add, which may have none."""
        return code in self.entries

    def get(self, code: str, otherwise: str) -> str:
        """The words of ``code`` as they stand, or ``otherwise``."""
        return self.entries.get(code, otherwise)

    def bidding(self) -> Words:
        """The same words as a bid says them: what stands under ``bid.`` takes the place of its namesake."""
        own = {code.removeprefix(_BID): text for code, text in self.entries.items() if code.startswith(_BID)}
        return replace(self, entries=MappingProxyType({**self.entries, **own}))

    def under(self, prefix: str) -> tuple[str, ...]:
        """The sentences whose codes start with ``prefix.``, in the order of their files: clauses and lists."""
        start = prefix + "."
        return tuple(text for code, text in self.entries.items() if code.startswith(start))

    def codes(self, prefix: str) -> tuple[str, ...]:
        """The codes that start with ``prefix.``, in the order of their files."""
        start = prefix + "."
        return tuple([code for code in self.entries if code.startswith(start)])

    def _argument(self, code: str, name: str, arguments: Mapping[str, object]) -> str:
        if not _NAME.match(name):
            raise MissingWords(f"{code} in {self.language}: {{{name}}} is not a plain name")
        if name not in arguments:
            raise MissingWords(f"{code} in {self.language} asks for {{{name}}}")
        value = arguments[name]
        return self.get("ui.unknown", "—") if value is None else in_words(value, self.language, self.months)


def load_words(language: Language, roots: Sequence[Path]) -> Words:
    """Words of one language from each root's ``words/<language>/*.toml``; a later root's file words win.

    Within one root two files may not word the same code: raises MissingWords.
    """
    return _load(language, tuple(roots))


@lru_cache(maxsize=8)
def _load(language: Language, roots: tuple[Path, ...]) -> Words:
    # One command words a proposal, two workbooks and a summary from the same files.
    entries: dict[str, str] = {}
    for root in roots:
        entries.update(_read_root(root / "words" / language))
    months = tuple(entries[f"ui.month.{number}"] for number in range(1, 13))
    return Words(language, MappingProxyType(entries), months)


def _read_root(folder: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for file in sorted(folder.glob("*.toml")):
        for code, text in _flat("", _table(file)):
            name = next((name for name in _PLACE.findall(text) if not _NAME.match(name)), None)
            if name is not None:
                place = "/".join(file.parts[-4:])
                raise Mistakes([Mistake(place, code, f"{{{name}}} is not a plain name", "an argument, as {amount}")])
            if code in found:
                raise MissingWords(f"{code} has words twice in {folder.name}: {file.name} is the second")
            found[code] = text
    return found


def _table(file: Path) -> Mapping[str, Any]:
    """The table in a file of words; raises Mistakes for a file that is no such table."""
    name = "/".join(file.parts[-4:])
    if not file.is_file():
        raise Mistakes([Mistake(name, "file", "not an ordinary file", "a TOML file of words")])
    try:
        return tomli.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise Mistakes([Mistake(name, "file", f"not TOML: {str(error)[:80]}", 'lines as name = "words"')]) from None


def _flat(prefix: str, table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        code = f"{prefix}.{key}" if prefix else key
        if isinstance(value, Mapping):
            yield from _flat(code, value)
        elif isinstance(value, list):
            yield from ((f"{code}.{number}", str(text)) for number, text in enumerate(value, 1))
        else:
            yield code, str(value)
