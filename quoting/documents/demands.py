"""What a form demands of a bidder, line by line, with the value asked in the document's words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from quoting.documents import readings
from quoting.documents.words import Words
from quoting.forms.fields import keys_by_table
from quoting.requirement import Requirement, Understood

_PLACE = re.compile(r"([a-z]+)(?:\[(\d+)\])?\.([a-z_]+)\Z")
_ORDER = ("workload", "hardware", "site", "compliance", "commercial", "project", "scope")
# What only names the project or tells how to calculate asks nothing of a bidder.
_NO_DEMAND = frozenset(
    ("project.name", "commercial.utilisation", "commercial.electricity", "commercial.discount", "commercial.months")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """One line of the form: ``table`` and ``field`` say which, ``number`` which workload, from 1; else 0."""

    table: str
    number: int
    field: str
    name: str
    value: str
    read: str  # as the form was read, the same in every language


def demands(requirement: Requirement, words: Words) -> tuple[Demand, ...]:
    """Every line of the form that asks something of a bidder, in the order of the form, terms last."""
    answers = [_demand(one, requirement, words) for one in (*requirement.understood, *requirement.plain)]
    asked = [one for one in answers if one is not None]
    keys = keys_by_table()
    return tuple(sorted(asked, key=lambda one: (_ORDER.index(one.table), one.number, keys[one.table].index(one.field))))


def _demand(one: Understood, requirement: Requirement, words: Words) -> Demand | None:
    place = _PLACE.match(one.key)
    if place is None or place[1] not in _ORDER or f"{place[1]}.{place[3]}" in _NO_DEMAND:
        return None
    name = readings.field_name(one.key, words)
    return Demand(
        table=place[1],
        number=int(place[2] or 0),
        field=place[3],
        name=name[:1].upper() + name[1:],
        value=readings.asked(one, requirement, words),
        read=one.read,
    )
