"""Price by group, as bars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from quoting.documents.customer import Group
from quoting.documents.drawings import svg
from quoting.documents.formats import money

ROW, LEFT, RIGHT = 17.0, 92.0, 84.0


def price_by_group(groups: Sequence[Group], ink: svg.Ink, label: str = "") -> str:
    """One bar a group that has a price; empty when fewer than two have."""
    shown = [(group.name, group.total) for group in groups if group.total]
    if len(shown) < 2:
        return ""
    most = max(total for _, total in shown if total)
    marks: list[str] = []
    for number, (name, total) in enumerate(shown):
        marks += _bar(name, total or Decimal(0), most, number * ROW, ink)
    return svg.picture(svg.WIDTH, len(shown) * ROW, marks, label)


def _bar(name: str, total: Decimal, most: Decimal, y: float, ink: svg.Ink) -> Iterator[str]:
    room = svg.WIDTH - LEFT - RIGHT
    yield svg.text(0, y + 11, svg.clip(name, 7.6, LEFT - 8), 7.6)
    yield svg.rect(LEFT, y + 4, max(0.8, room * float(total / most)), 8.5, fill=ink.colour, fill_opacity=0.85)
    yield svg.text(svg.WIDTH, y + 11, money(total), 7.6, text_anchor="end")
