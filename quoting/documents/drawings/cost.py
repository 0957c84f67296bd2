"""Owning and renting over the months: two lines, a band of use, and the months at which they meet."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from quoting.documents.customer import Crossing, Owning
from quoting.documents.drawings import svg
from quoting.documents.formats import number, percent, short
from quoting.documents.words import Words

LEFT, RIGHT, TOP, FOOT, HEIGHT = 44.0, 92.0, 18.0, 16.0, 170.0
APART = 9.0  # between the names at the ends of the lines
LINE = 10.0


def cost(owning: Owning, words: Words, ink: svg.Ink) -> str:
    """The chart; empty when either side is unknown, for one line alone compares nothing."""
    if len(owning.own_by_month) < 2 or len(owning.rent_by_month) < 2:
        return ""
    most = max(*owning.own_by_month, *owning.rent_by_month, *owning.rent_high_by_month)
    months = len(owning.own_by_month) - 1
    told = _evens(owning, words)
    marks = [
        *_band(owning, most, words),
        *_grid(most, months, words),
        _curve(owning.rent_by_month, most, ink.accent, stroke_dasharray="4 2.5"),
        _curve(owning.own_by_month, most, ink.colour),
        *_names(owning, most, words, ink),
        *_meeting(owning, most, months, words),
        *(svg.text(0, HEIGHT + 8 + LINE * row, line, 6.8) for row, line in enumerate(told)),
    ]
    return svg.picture(svg.WIDTH, HEIGHT + LINE * len(told), marks, words.say("drawing.cost.alt"))


def _x(month: float, months: int) -> float:
    return LEFT + (svg.WIDTH - LEFT - RIGHT) * month / months


def _y(amount: Decimal, most: Decimal) -> float:
    return HEIGHT - FOOT - (HEIGHT - TOP - FOOT) * float(amount / most) * 0.96


def _step(most: Decimal) -> Decimal:
    """A round distance between grid lines: 1, 2 or 5 times a power of ten, at most seven of them."""
    power = Decimal(10) ** (most.adjusted())
    fits = (power * part for part in (Decimal("0.1"), Decimal("0.2"), Decimal("0.5"), Decimal(1), Decimal(2)))
    return next(step for step in fits if most / step <= 7)


def _grid(most: Decimal, months: int, words: Words) -> Iterator[str]:
    scale, step, right = Decimal(words.say("drawing.cost.axis_scale")), _step(most), svg.WIDTH - RIGHT
    heights = {step * number: _y(step * number, most) for number in range(int(most / step) + 1)}
    yield svg.trace([((LEFT, y), (right, y)) for amount, y in heights.items() if amount], stroke="#dfe2e7")
    for amount, y in heights.items():
        yield svg.text(LEFT - 5, y + 2.4, short(amount / scale), 6.6, text_anchor="end", fill=svg.GREY)
    yield svg.line(LEFT, HEIGHT - FOOT, right, HEIGHT - FOOT, stroke=svg.TEXT)
    yield svg.text(0, 7, words.say("drawing.cost.axis_money"), 6.6, fill=svg.GREY)
    for month in range(0, months + 1, _months_apart(months)):
        yield svg.text(_x(month, months), HEIGHT - 5, str(month), 6.6, text_anchor="middle", fill=svg.GREY)
    yield svg.text(right + 8, HEIGHT - 5, words.say("drawing.cost.axis_months"), 6.6, fill=svg.GREY)


def _months_apart(months: int) -> int:
    return 3 if months <= 12 else 6 if months <= 60 else 12


def _curve(amounts: tuple[Decimal, ...], most: Decimal, colour: str, **style: object) -> str:
    months = len(amounts) - 1
    points = [(_x(month, months), _y(amount, most)) for month, amount in enumerate(amounts)]
    return svg.path(*points, stroke=colour, stroke_width=1.6, **style)


def _names(owning: Owning, most: Decimal, words: Words, ink: svg.Ink) -> Iterator[str]:
    """What each line is, at its right end, pushed apart where the ends lie close."""
    share = percent(owning.utilisation)
    names = [
        (owning.own_by_month[-1], words.say("drawing.cost.own"), 7.4, {"fill": ink.colour, "font_weight": 700}),
        (
            owning.rent_by_month[-1],
            words.say("drawing.cost.rent", share=share),
            7.4,
            {"fill": ink.accent, "font_weight": 700},
        ),
    ]
    if _has_band(owning):
        ends = zip(owning.band, (owning.rent_low_by_month[-1], owning.rent_high_by_month[-1]), strict=True)
        names += [
            (amount, words.say("drawing.cost.edge", share=percent(use)), 6.6, {"fill": svg.GREY})
            for use, amount in ends
            if use != owning.utilisation
        ]
    below = 0.0
    for amount, name, size, style in sorted(names, key=lambda one: -one[0]):
        y = max(_y(amount, most) + 2.6, below + APART)
        below = y
        yield svg.text(svg.WIDTH - RIGHT + 6, y, name, size, **style)


def _has_band(owning: Owning) -> bool:
    return len(owning.rent_low_by_month) > 1 and len(owning.rent_high_by_month) > 1 and len(owning.band) == 2


def _band(owning: Owning, most: Decimal, words: Words) -> Iterator[str]:
    """Renting at the lowest to the highest use: an area of vertical strokes, named above the chart."""
    if not _has_band(owning):
        return
    low, high = owning.rent_low_by_month, owning.rent_high_by_month
    months = len(low) - 1
    around = [*enumerate(high), *reversed(list(enumerate(low)))]
    points = " ".join(f"{_x(month, months):.1f},{_y(amount, most):.1f}" for month, amount in around)
    yield svg.tag("polygon", points=points, fill="#eef0f3", stroke=svg.GREY, stroke_width=0.5)
    strokes = [
        ((_x(month, months), _y(high[month], most)), (_x(month, months), _y(low[month], most)))
        for month in range(1, months)
    ]
    right = svg.WIDTH - RIGHT
    label = words.say("drawing.cost.band", low=percent(owning.band[0]), high=percent(owning.band[1]))
    start = right - svg.width_of(label, 6.6) - 14
    yield svg.rect(start - 4, 1.5, 14, 7, fill="#eef0f3", stroke=svg.GREY, stroke_width=0.5)
    strokes += [((start - 4 + x, 1.5), (start - 4 + x, 8.5)) for x in (3.5, 7.0, 10.5)]
    yield svg.trace(strokes, stroke="#aab1bc", stroke_width=0.4)
    yield svg.text(right, 7, label, 6.6, text_anchor="end", fill=svg.GREY)


def _meeting(owning: Owning, most: Decimal, months: int, words: Words) -> Iterator[str]:
    """Where the two lines drawn meet, if that is a month of the chart."""
    for crossing in owning.crossings:
        met = crossing.months
        if crossing.utilisation != owning.utilisation or met is None or met > months:
            continue
        x, label = _x(float(met), months), words.say("drawing.cost.even", months=number(met, 0))
        half = svg.width_of(label, 7) / 2 + 6
        yield svg.line(x, TOP - 4, x, HEIGHT - FOOT, stroke=svg.TEXT, stroke_dasharray="1.5 2")
        middle = min(max(x, LEFT + half), svg.WIDTH - RIGHT - half)
        yield from svg.label_on(middle, HEIGHT - FOOT - 10, label, svg.TEXT)


def _evens(owning: Owning, words: Words) -> list[str]:
    """The break-even month at each use of the band, in lines of the picture's width."""
    if not owning.crossings:
        return []
    told = " · ".join(_even(crossing, words) for crossing in owning.crossings)
    return svg.wrapped(words.say("drawing.cost.evens", list=told), 6.8, svg.WIDTH)


def _even(crossing: Crossing, words: Words) -> str:
    share = percent(crossing.utilisation)
    if crossing.months is None:
        return words.say("drawing.cost.even_never", share=share)
    return words.say("drawing.cost.even_at", share=share, months=number(crossing.months, 0))
