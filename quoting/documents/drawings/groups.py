"""Price by group, as bars that are parts of the total."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from quoting.documents.customer import Group
from quoting.documents.drawings import svg
from quoting.documents.formats import money
from quoting.documents.words import Words

ROW, LEFT, RIGHT = 15.0, 92.0, 84.0


def price_by_group(groups: Sequence[Group], total: Decimal | None, words: Words, ink: svg.Ink) -> str:
    """One bar a group that has a price, then the total where it is known; empty when fewer than two have one."""
    shown = [(group.name, group.total) for group in groups if group.total]
    if len(shown) < 2:
        return ""
    most = max(*(amount for _, amount in shown), total or Decimal(0))
    marks: list[str] = []
    for number, (name, amount) in enumerate(shown):
        marks += _bar(name, amount, most, number * ROW, {"fill": ink.colour})
    height = len(shown) * ROW
    if total:
        outlined = {"fill": "#ffffff", "stroke": ink.colour, "stroke_width": 0.8}
        marks.append(svg.line(0, height + 1, svg.WIDTH, height + 1))
        marks += _bar(words.say("drawing.groups.total"), total, most, height + 1, outlined, font_weight=700)
        height += ROW + 1
    marks.append(svg.line(LEFT, 0, LEFT, height, stroke=svg.GREY))
    return svg.picture(svg.WIDTH, height, marks, words.say("drawing.groups.alt"))


def _bar(
    name: str, amount: Decimal, most: Decimal, y: float, look: dict[str, object], **weight: object
) -> Iterator[str]:
    room = svg.WIDTH - LEFT - RIGHT
    yield svg.text(0, y + 10.5, svg.clip(name, 7.6, LEFT - 8), 7.6, **weight)
    yield svg.rect(LEFT + 0.3, y + 3.5, max(1.2, room * float(amount / most)), 8.5, **look)
    yield svg.text(svg.WIDTH, y + 10.5, money(amount), 7.6, text_anchor="end", **weight)
