"""Owning and renting over the months, as two lines."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from quoting.documents.customer import Owning
from quoting.documents.drawings import svg
from quoting.documents.formats import percent, short
from quoting.documents.words import Words

LEFT, RIGHT, TOP, FOOT, HEIGHT = 44.0, 66.0, 12.0, 24.0, 150.0


def cost(owning: Owning, words: Words, ink: svg.Ink) -> str:
    """The chart; empty when either side is unknown, for one line alone compares nothing."""
    if len(owning.own_by_month) < 2 or len(owning.rent_by_month) < 2:
        return ""
    most = max(*owning.own_by_month, *owning.rent_by_month, *owning.rent_high_by_month)
    months = len(owning.own_by_month) - 1
    marks = [
        *_band(owning, most, words),
        *_grid(most, months, words),
        *_curve(owning.rent_by_month, most, words.say("drawing.rent"), ink.accent, "4 2.5"),
        *_curve(owning.own_by_month, most, words.say("drawing.own"), ink.colour, ""),
        *_break_even(owning, months, words),
    ]
    return svg.picture(svg.WIDTH, HEIGHT, marks, words.say("drawing.cost.alt"))


def _x(month: float, months: int) -> float:
    return LEFT + (svg.WIDTH - LEFT - RIGHT) * month / months


def _y(amount: Decimal, most: Decimal) -> float:
    return HEIGHT - FOOT - (HEIGHT - TOP - FOOT) * float(amount / most) * 0.96


def _step(most: Decimal) -> Decimal:
    """A round distance between grid lines: 1, 2 or 5 times a power of ten, four to nine lines."""
    power = Decimal(10) ** (most.adjusted())
    fits = (power * part for part in (Decimal("0.1"), Decimal("0.2"), Decimal("0.5"), Decimal(1), Decimal(2)))
    return next(step for step in fits if most / step <= 7)


def _grid(most: Decimal, months: int, words: Words) -> Iterator[str]:
    scale = Decimal(words.say("drawing.axis_scale"))
    step = _step(most)
    amount = Decimal(0)
    while amount <= most:
        y = _y(amount, most)
        yield svg.line(LEFT, y, svg.WIDTH - RIGHT, y, stroke="#e5e7eb" if amount else svg.TEXT)
        yield svg.text(LEFT - 5, y + 2.4, short(amount / scale), 6.6, text_anchor="end", fill=svg.GREY)
        amount += step
    yield svg.text(0, TOP - 4, words.say("drawing.axis_money"), 6.6, fill=svg.GREY)
    for month in range(0, months + 1, 6 if months > 12 else 3):
        label = words.say("drawing.month", month=month)
        yield svg.text(_x(month, months), HEIGHT - FOOT + 12, label, 6.6, text_anchor="middle", fill=svg.GREY)


def _curve(amounts: tuple[Decimal, ...], most: Decimal, label: str, colour: str, dashes: str) -> Iterator[str]:
    months = len(amounts) - 1
    points = " ".join(f"{_x(month, months):.1f},{_y(amount, most):.1f}" for month, amount in enumerate(amounts))
    extra = {"stroke_dasharray": dashes} if dashes else {}
    yield svg.tag("polyline", points=points, fill="none", stroke=colour, stroke_width=1.6, **extra)
    yield svg.text(svg.WIDTH - RIGHT + 6, _y(amounts[-1], most) + 2.6, label, 7.4, fill=colour, font_weight=700)


def _band(owning: Owning, most: Decimal, words: Words) -> Iterator[str]:
    """Renting at the lowest to the highest utilisation, as an outlined area of vertical strokes."""
    low, high = owning.rent_low_by_month, owning.rent_high_by_month
    if len(low) < 2 or len(high) < 2 or not owning.band:
        return
    months = len(low) - 1
    ends = [*enumerate(high), *reversed(list(enumerate(low)))]
    points = " ".join(f"{_x(month, months):.1f},{_y(amount, most):.1f}" for month, amount in ends)
    yield svg.tag("polygon", points=points, fill="#eef0f3", stroke=svg.GREY, stroke_width=0.5)
    for month in range(1, months):
        x = _x(month, months)
        yield svg.line(x, _y(high[month], most), x, _y(low[month], most), stroke=svg.RULE, stroke_width=0.4)
    label = words.say("drawing.band.label", low=percent(owning.band[0]), high=percent(owning.band[1]))
    yield svg.text(svg.WIDTH - RIGHT, TOP - 4, label, 6.6, text_anchor="end", fill=svg.GREY)


def _break_even(owning: Owning, months: int, words: Words) -> Iterator[str]:
    for crossing in owning.crossings:
        met = crossing.months
        if crossing.utilisation != owning.utilisation:
            continue
        if met is None or met > months:
            code = "drawing.band.never" if met is None else "drawing.band.beyond"
            told = words.say(code, months=short(met)) if met is not None else words.say(code)
            yield svg.text(LEFT + 6, TOP + 6, told, 7)
            continue
        x = _x(float(met), months)
        yield svg.line(x, TOP, x, HEIGHT - FOOT, stroke=svg.TEXT, stroke_dasharray="1.5 2")
        yield svg.text(x + 4, TOP + 6, words.say("drawing.break_even", months=short(met)), 7)
