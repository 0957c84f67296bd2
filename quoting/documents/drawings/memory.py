"""What each workload needs against what the plan holds: states, default need, range, capacity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from quoting.documents.customer_plan import Work
from quoting.documents.drawings import svg
from quoting.documents.formats import short
from quoting.documents.words import Words

ROW = 60.0
BAR = 14.0


def memory(works: Sequence[Work], capacity_gb: Decimal | None, words: Words, ink: svg.Ink) -> str:
    """One bar a workload; empty without workloads."""
    if not works:
        return ""
    most = max([work.memory_high_gb for work in works] + ([capacity_gb] if capacity_gb else []))
    marks: list[str] = []
    for number, work in enumerate(works):
        marks += _bar(work, capacity_gb, float(svg.WIDTH) / float(most) * 0.94, number * ROW, words, ink)
    return svg.picture(svg.WIDTH, len(works) * ROW, marks, words.say("drawing.memory.alt"))


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
    yield svg.rect(0, top + 3, need, BAR - 6, fill="#ffffff", stroke=ink.colour, stroke_width=0.7)
    yield from _beside(work, min(static, need), need, scale, top + 3, ink)
    yield svg.rect(0, top + 3, min(static, need), BAR - 6, fill=ink.colour)
    below = top + BAR + 4
    yield svg.line(low, below, high, below, stroke=svg.TEXT, stroke_width=0.9)
    for end in (low, high):
        yield svg.line(end, below - 2.5, end, below + 2.5, stroke=svg.TEXT, stroke_width=0.9)
    yield svg.text(0, top + BAR + 15, _legend(work, words), 6.8, fill=svg.GREY)


def _beside(work: Work, start: float, need: float, scale: float, y: float, ink: svg.Ink) -> Iterator[str]:
    """Cache, then activations with the runtime, hatched apart; what is left white is headroom."""
    x, height = start, BAR - 6
    for amount, step in ((work.kv_gb, 2.0), (work.activation_gb + work.overhead_gb, 4.0)):
        width = min(float(amount) * scale, max(need - x, 0.0))
        if width > 0.4:
            yield svg.rect(x, y, width, height, fill="#ffffff", stroke=ink.colour, stroke_width=0.5)
            yield from svg.hatch(x, y, width, height, step, stroke=ink.colour, stroke_width=0.5)
        x += width


def _legend(work: Work, words: Words) -> str:
    parts = [words.say("drawing.memory_key.static", value=short(work.static_gb))]
    if work.kv_gb:
        parts.append(words.say("drawing.memory_key.cache", value=short(work.kv_gb)))
    parts.append(words.say("drawing.memory_key.beside", value=short(work.activation_gb + work.overhead_gb)))
    parts.append(words.say("drawing.memory_key.need", value=short(work.memory_gb)))
    ends = {"low": short(work.memory_low_gb), "high": short(work.memory_high_gb)}
    return " · ".join([*parts, words.say("drawing.memory_key.range", **ends)])
