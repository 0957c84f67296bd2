"""What a bid offers against one demand: the value of the plan, whether it deviates, and where the proof stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from quoting.documents.customer import CheckRow
from quoting.documents.demands import Demand
from quoting.documents.formats import short
from quoting.documents.words import Words
from quoting.records import Quote
from quoting.rows import Catalog

Judged = Literal["positive", "none", "negative"]
_WORST = ("fail", "warn", "unknown", "pass")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A response of the bidder; ``proof`` is the id of the element that shows it."""

    text: str
    judged: Judged
    proof: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A quotation as a bid: what answers are taken from."""

    quote: Quote
    catalog: Catalog
    words: Words
    checks: tuple[CheckRow, ...]
    clauses: tuple[str, ...]  # codes in printed order

    def say(self, code: str, judged: Judged, proof: str, **arguments: object) -> Answer:
        """An answer in words: tender.<code>."""
        return Answer(text=self.words.say(f"tender.{code}", **arguments), judged=judged, proof=proof)

    def check(self, id: str, where: str = "") -> CheckRow | None:
        """The worst check of that name, and of those the one that needs most; at ``where`` if given."""
        found = [row for row in self.checks if row.id == id and (not where or row.where == where)]
        return min(found, key=lambda row: (_WORST.index(row.status), -(row.required or 0)), default=None)

    def clause(self, *endings: str) -> str:
        """The id of the first clause with one of these names, or of the chapter of terms."""
        numbers = (n for end in endings for n, code in enumerate(self.clauses, 1) if code.endswith(end))
        return next((f"clause-{number}" for number in numbers), "terms")


def anchored(rows: Iterable[CheckRow]) -> tuple[CheckRow, ...]:
    """The checks with an id each that a page reference can name."""
    seen: dict[str, int] = {}
    found = []
    for row in rows:
        seen[row.id] = seen.get(row.id, 0) + 1
        found.append(replace(row, anchor=f"check-{row.id}-{seen[row.id]}"))
    return tuple(found)


def at_least(asked: Decimal, offered: Decimal) -> Judged:
    """More than asked is better."""
    return "none" if offered == asked else "positive" if offered > asked else "negative"


def measured(row: CheckRow, value: Decimal) -> str:
    """A value of a check with its unit."""
    return f"{short(value)} {row.unit}".strip()


def number_of(demand: Demand) -> Decimal:
    """The number an answer was read as; it begins with one."""
    return Decimal(demand.read.split()[0].replace(",", ""))
