"""What each workload needs against what the plan holds: states, cache, activations, headroom, range, capacity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import partial

from quoting.documents.customer_plan import Work
from quoting.documents.drawings import svg
from quoting.documents.formats import short
from quoting.documents.words import Words

TITLE, BAR, BELOW = 14.0, 13.0, 13.0  # heights of the title, the bar, the range under it
GAP = 9.0  # between workloads
CLOSE, WIDE = 2.0, 4.2  # between the lines of a hatching


def memory(works: Sequence[Work], capacity_gb: Decimal | None, words: Words, ink: svg.Ink) -> str:
    """One bar a workload, all to one scale; empty without workloads."""
    if not works:
        return ""
    most = max([work.memory_high_gb for work in works] + ([capacity_gb] if capacity_gb else []))
    scale = (svg.WIDTH - 2 * svg.EDGE) / float(most)
    marks: list[str] = []
    y = 0.0
    for work in works:
        marks += _head(work, capacity_gb, y + 8, words, ink)
        marks += _bar(work, capacity_gb, scale, y, ink)
        key, height = svg.legend(_key(work, words, ink), 0, y + TITLE + BAR + BELOW, svg.WIDTH)
        marks += key
        y += TITLE + BAR + BELOW + height + GAP
    return svg.picture(svg.WIDTH, y - GAP + 2, marks, words.say("drawing.memory.alt"))


def _head(work: Work, capacity: Decimal | None, y: float, words: Words, ink: svg.Ink) -> Iterator[str]:
    """The workload, and on the right how much the plan holds beside the mark that shows it in the bar."""
    room = float(svg.WIDTH)
    if capacity:
        held = words.say("drawing.memory.capacity", value=short(capacity))
        room -= svg.width_of(held, 7) + 14
        yield svg.text(svg.WIDTH, y, held, 7, text_anchor="end")
        yield from _limit(room + 8, y - 7, 9, ink)
    task = f" · {work.task}"
    model = svg.clip(work.model, 8.2, room - 8 - svg.width_of(task, 8.2))
    yield svg.text(0, y, model + task, 7.8, font_weight=700, fill=ink.colour)


def _bar(work: Work, capacity: Decimal | None, scale: float, y: float, ink: svg.Ink) -> Iterator[str]:
    top, left = y + TITLE, svg.EDGE
    need = float(work.memory_gb) * scale
    if capacity:
        held = float(capacity) * scale
        yield svg.rect(left, top, held, BAR, fill=svg.PALE, stroke=svg.RULE, stroke_width=0.6)
    yield svg.rect(left, top + 2, need, BAR - 4, fill="#ffffff", stroke=ink.colour, stroke_width=0.8)
    static = min(float(work.static_gb) * scale, need)
    yield from _beside(work, left + static, left + need, scale, top + 2, ink)
    yield svg.rect(left, top + 2, static, BAR - 4, fill=ink.colour)
    if capacity:
        yield from _limit(left + float(capacity) * scale, top - 3, BAR + 6, ink)
    yield from _range(float(work.memory_low_gb) * scale, float(work.memory_high_gb) * scale, top + BAR + 6)


def _beside(work: Work, start: float, end: float, scale: float, y: float, ink: svg.Ink) -> Iterator[str]:
    """Cache, then activations with the runtime, hatched apart; what is left white is headroom."""
    for amount, step in ((work.kv_gb, CLOSE), (work.activation_gb + work.overhead_gb, WIDE)):
        width = min(float(amount) * scale, max(end - start, 0.0))
        if width > 0.4:
            yield from svg.hatched(start, y, width, BAR - 4, step, ink.colour)
        start += width


def _limit(x: float, y: float, height: float, ink: svg.Ink) -> Iterator[str]:
    yield svg.line(x - 0.4, y, x - 0.4, y + height, stroke=ink.accent, stroke_width=2)


def _range(low: float, high: float, y: float) -> Iterator[str]:
    ends = [((end, y - 2.5), (end, y + 2.5)) for end in (low + svg.EDGE, high + svg.EDGE)]
    yield svg.trace([((low + svg.EDGE, y), (high + svg.EDGE, y)), *ends], stroke_width=0.9)


def _key(work: Work, words: Words, ink: svg.Ink) -> list[svg.Entry]:
    """Every other amount of one bar with a swatch of how it is drawn."""
    beside = work.activation_gb + work.overhead_gb
    found: list[svg.Entry] = [(partial(_solid, ink), words.say("drawing.memory.static", value=short(work.static_gb)))]
    if work.kv_gb:
        found.append((partial(_lines, ink, CLOSE), words.say("drawing.memory.cache", value=short(work.kv_gb))))
    if beside:
        found.append((partial(_lines, ink, WIDE), words.say("drawing.memory.beside", value=short(beside))))
    ends = {"low": short(work.memory_low_gb), "high": short(work.memory_high_gb)}
    found.append((partial(_white, ink), words.say("drawing.memory.need", value=short(work.memory_gb))))
    found.append((_reach, words.say("drawing.memory.range", **ends)))
    return found


def _solid(ink: svg.Ink, x: float, y: float) -> Iterator[str]:
    yield svg.rect(x + svg.EDGE, y, 14, 7, fill=ink.colour)


def _lines(ink: svg.Ink, step: float, x: float, y: float) -> Iterator[str]:
    yield from svg.hatched(x + svg.EDGE, y, 14, 7, step, ink.colour)


def _white(ink: svg.Ink, x: float, y: float) -> Iterator[str]:
    yield svg.rect(x + svg.EDGE, y, 14, 7, fill="#ffffff", stroke=ink.colour, stroke_width=0.8)


def _reach(x: float, y: float) -> Iterator[str]:
    yield from _range(x, x + 14, y + 3.5)
