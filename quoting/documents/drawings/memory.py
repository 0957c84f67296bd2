"""What each workload needs against what the plan holds: states, default need, range, capacity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from quoting.documents.customer_plan import Work
from quoting.documents.drawings import svg
from quoting.documents.formats import short
from quoting.documents.words import Words

ROW = 58.0
BAR = 14.0


def memory(works: Sequence[Work], capacity_gb: Decimal | None, words: Words, ink: svg.Ink) -> str:
    """One bar a workload; empty without workloads."""
    if not works:
        return ""
    most = max([work.memory_high_gb for work in works] + ([capacity_gb] if capacity_gb else []))
    marks: list[str] = []
    for number, work in enumerate(works):
        marks += _bar(work, capacity_gb, float(svg.WIDTH) / float(most) * 0.94, number * ROW, words, ink)
    return svg.picture(svg.WIDTH, len(works) * ROW, marks)


def _bar(work: Work, capacity: Decimal | None, scale: float, y: float, words: Words, ink: svg.Ink) -> Iterator[str]:
    top = y + 17
    low, need, high, static = (
        float(value) * scale for value in (work.memory_low_gb, work.memory_gb, work.memory_high_gb, work.static_gb)
    )
    yield svg.text(0, y + 9, svg.clip(f"{work.model} · {work.task}", 7.6, 300), 7.6, font_weight=700, fill=ink.colour)
    if capacity:
        held = float(capacity) * scale
        yield svg.rect(0, top, held, BAR, fill=svg.PALE, stroke=svg.RULE, stroke_width=0.6)
        label = words.say("drawing.capacity", value=short(capacity))
        yield svg.text(held, y + 9, label, 7, text_anchor="end", fill=svg.TEXT)
        yield svg.line(held, top - 4, held, top + BAR + 4, stroke=ink.accent, stroke_width=1.6)
    yield svg.rect(0, top + 3, need, BAR - 6, fill=ink.colour, fill_opacity=0.45)
    yield svg.rect(0, top + 3, min(static, need), BAR - 6, fill=ink.colour)
    yield svg.line(low, top + BAR / 2, high, top + BAR / 2, stroke=svg.TEXT, stroke_width=0.9)
    for end in (low, high):
        yield svg.line(end, top + 4, end, top + BAR - 4, stroke=svg.TEXT, stroke_width=0.9)
    legend = words.say(
        "drawing.need",
        static=short(work.static_gb),
        need=short(work.memory_gb),
        low=short(work.memory_low_gb),
        high=short(work.memory_high_gb),
    )
    yield svg.text(0, top + BAR + 11, legend, 6.8, fill=svg.GREY)
