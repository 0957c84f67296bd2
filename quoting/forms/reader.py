"""Reading one table of a form: every mistake is noted with its place, every reading and default is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any, TypeVar

from quoting.errors import Mistake
from quoting.forms.text import NAME_CAP, Wrong, clean, folded, key_of, shown
from quoting.forms.units import Quantity, Reading, read_quantity
from quoting.requirement import Ask, Default, Understood
from quoting.rows import Catalog

T = TypeVar("T")
_YES = frozenset(("yes", "true", "是", "有", "需要", "允许", "已", "y"))
_NO = frozenset(("no", "false", "否", "无", "没有", "不", "不需要", "不允许", "n"))
_FIRST_DAY, _LAST_DAY = date(2000, 1, 1), date(2100, 1, 1)
_CLOSE = 60
_MOST_SHOWN = 20
_MOST_ENTRIES = 100


@dataclass(slots=True)
class Notes:
    """What reading a form finds beside its values."""

    file: str
    catalog: Catalog
    mistakes: list[Mistake] = field(default_factory=list)
    understood: list[Understood] = field(default_factory=list)
    defaults: list[Default] = field(default_factory=list)
    asks: list[Ask] = field(default_factory=list)

    def wrong(self, place: str, wrong: Wrong) -> None:
        """Note a mistake at ``place``."""
        self.mistakes.append(Mistake(self.file, place, wrong.problem, wrong.expected, wrong.nearest))

    def ask(self, place: str, code: str, **arguments: str | int | Decimal | None) -> None:
        """Note a question that goes back to the customer."""
        self.asks.append(Ask(key=place, code=code, arguments=tuple(arguments.items())))

    def read_as(self, place: str, typed: object, read: str) -> None:
        """Note how an answer was read, when its spelling leaves room for another reading."""
        if isinstance(typed, str) and read and folded(typed) != folded(read):
            self.understood.append(Understood(key=place, typed=shown(typed), read=read))

    def default(self, place: str, rule: str, key: str = "value") -> Any:
        """The value of a default rule, noted as taken because the form is silent."""
        value = self.catalog.rules[rule].values[key]
        self.defaults.append(Default(key=place, value=_plain(value), rule=rule))
        return value


def _plain(value: Decimal | str | bool) -> str:
    return f"{value:f}" if isinstance(value, Decimal) else str(value).lower()


def nearest(name: str, valid: Iterable[str]) -> str:
    """The name in ``valid`` most like ``name``, or an empty string if none is close."""
    from rapidfuzz import fuzz, process, utils

    choices = list(valid)
    found = process.extractOne(name, choices, scorer=fuzz.WRatio, processor=utils.default_process, score_cutoff=_CLOSE)
    return found[0] if found else ""


class Table:
    """One table of a form at ``place``; asking for a key reads it, wrong answers are noted and read as None."""

    def __init__(self, notes: Notes, place: str, data: object, keys: Iterable[str]) -> None:
        self.notes, self.place = notes, place
        self.data: Mapping[str, Any] = data if isinstance(data, Mapping) else {}
        if not isinstance(data, Mapping):
            notes.wrong(place, Wrong("not a table", f"[{place}] with its keys below it"))
        known = tuple(keys)
        unknown = [key for key in self.data if key not in known]
        for key in unknown[:_MOST_SHOWN]:
            notes.wrong(self.at(key), Wrong("unknown key", f"one of {', '.join(known)}", nearest(key, known)))
        if len(unknown) > _MOST_SHOWN:
            notes.wrong(place or "form", Wrong(f"{len(unknown)} unknown keys", f"one of {', '.join(known)}"))

    def at(self, key: str) -> str:
        """The place of ``key``, as messages name it."""
        return f"{self.place}.{shown(key)}" if self.place else shown(key)

    def given(self, key: str) -> bool:
        """Whether the form answers ``key``; an empty text is no answer."""
        value = self.data.get(key)
        return value is not None and not (isinstance(value, str) and not value.strip())

    def raw(self, key: str) -> Any:
        """The answer as the file holds it, or None."""
        return self.data.get(key) if self.given(key) else None

    def read(self, key: str, reader: Callable[[Any], T]) -> T | None:
        """The answer through ``reader``, which raises Wrong for what it cannot take."""
        if not self.given(key):
            return None
        try:
            raw = self.data[key]
            if isinstance(raw, str):
                raw = clean(raw, NAME_CAP)
            return reader(raw)
        except Wrong as wrong:
            self.notes.wrong(self.at(key), wrong)
            return None

    def text(self, key: str, cap: int = NAME_CAP) -> str:
        """A text, or an empty string."""
        if not self.given(key):
            return ""
        try:
            return clean(_string(self.data[key]), cap)
        except Wrong as wrong:
            self.notes.wrong(self.at(key), wrong)
            return ""

    def quantity(self, key: str, kind: Quantity) -> Decimal | None:
        """A quantity in the unit of ``kind``."""
        return self.reading(key, lambda raw: read_quantity(raw, kind))

    def reading(self, key: str, reader: Callable[[Any], Reading]) -> Decimal | None:
        """The value of a Reading; how it was read, and its questions, are noted."""
        found = self.read(key, reader)
        if found is None:
            return None
        self.notes.read_as(self.at(key), self.data[key], found.read)
        for code, arguments in found.asks:
            self.notes.ask(self.at(key), code, **dict(arguments))
        return found.value

    def whole(self, key: str, kind: Quantity) -> int | None:
        """As ``quantity``, for a kind that is whole."""
        value = self.quantity(key, kind)
        return None if value is None else int(value)

    def choice(self, key: str, words: Mapping[str, str]) -> str | None:
        """A code, by any of its spellings in ``words``."""
        found = self.read(key, lambda raw: choose(raw, words))
        if found is not None:
            self.notes.read_as(self.at(key), self.data[key], found)
        return found

    def flag(self, key: str) -> bool | None:
        """Yes or no."""
        found = self.read(key, _flag)
        if found is not None:
            self.notes.read_as(self.at(key), self.data[key], str(found).lower())
        return found

    def day(self, key: str) -> date | None:
        """An ISO date."""
        return self.read(key, _day)

    def list(self, key: str, reader: Callable[[str], str]) -> tuple[str, ...]:
        """A list of codes; a single text is a list of one."""
        value = self.raw(key)
        if value is None:
            return ()
        entries = [value] if isinstance(value, str) else value
        if not isinstance(entries, list) or len(entries) > _MOST_ENTRIES:
            self.notes.wrong(
                self.at(key), Wrong("not a list", f'a list of at most {_MOST_ENTRIES} texts, such as ["ups"]')
            )
            return ()
        found = []
        for position, entry in enumerate(entries, 1):
            try:
                found.append(reader(clean(_string(entry), NAME_CAP)))
            except Wrong as wrong:
                self.notes.wrong(f"{self.at(key)}[{position}]", wrong)
        return tuple(dict.fromkeys(found))


def choose(raw: Any, words: Mapping[str, str]) -> str:
    """The code that ``raw`` spells; raises Wrong with the nearest spelling."""
    if isinstance(raw, bool | int):
        raw = {True: "yes", False: "no"}[raw] if isinstance(raw, bool) else str(raw)
    spelling = key_of(_string(raw))
    for word, code in words.items():
        if key_of(word) == spelling:
            return code
    codes = tuple(dict.fromkeys(words.values()))
    raise Wrong(f"not one of the choices: {shown(raw)}", " or ".join(codes), nearest(_string(raw), words))


def _string(raw: Any) -> str:
    if isinstance(raw, str):
        return raw
    raise Wrong(f"not a text: {shown(raw)}", "a text in quotes")


def _flag(raw: Any) -> bool:
    if isinstance(raw, bool):
        return raw
    word = key_of(_string(raw))
    if word in _YES or word in _NO:
        return word in _YES
    raise Wrong(f"neither yes nor no: {shown(raw)}", "true or false")


def _day(raw: Any) -> date:
    try:
        if isinstance(raw, datetime) or not isinstance(raw, str | date):
            raise ValueError
        found = date.fromisoformat(raw) if isinstance(raw, str) else raw
        if isinstance(raw, str) and found.isoformat() != raw:
            raise ValueError
    except ValueError:
        raise Wrong(f"not a date: {shown(raw)}", "year-month-day, such as 2027-03-31") from None
    if not _FIRST_DAY <= found < _LAST_DAY:
        raise Wrong(f"out of range: {found}", f"a day from {_FIRST_DAY} to {_LAST_DAY}")
    return found
