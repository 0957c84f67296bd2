"""The power path as a one-line diagram: transformer, UPS, feeds, PDUs, racks. What is not known says so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from quoting.documents.customer_plan import Rack, Supply
from quoting.documents.drawings import svg
from quoting.documents.drawings.rack import merged, numbered
from quoting.documents.formats import short
from quoting.documents.words import Words

COLUMNS = (0.0, 100.0, 200.0, 308.0, 374.0)  # transformer, UPS, feed, PDU, rack
WIDE, HIGH = 84.0, 34.0
FEED, PDU, RACK = 92.0, 48.0, 96.0
STEP = 46.0  # from one feed to the other
MOST = 3  # kinds of racks named
DASH = "4 2"


def power(supply: Supply, racks: Sequence[Rack], words: Words, ink: svg.Ink) -> str:
    """The diagram; empty without racks."""
    if not racks:
        return ""
    sides = supply.sides or ("?",)
    kinds = _kinds(racks, words)
    height = max(STEP * len(sides), 22.0 + 12 * len(kinds), HIGH) + 18
    middle = (height - 14) / 2 + 6
    marks = [
        *_box(COLUMNS[0], middle, WIDE, words.say("drawing.power.transformer"), _transformer(supply, words), ink),
        svg.line(COLUMNS[0] + WIDE, middle, COLUMNS[1], middle, stroke=svg.TEXT, stroke_width=1.1),
        *_box(COLUMNS[1], middle, WIDE, words.say("drawing.power.ups"), _ups(supply, words), ink),
    ]
    for number, side in enumerate(sides):
        y = middle + STEP * (number - (len(sides) - 1) / 2)
        marks += _feed(side, y, middle, supply, racks, words, ink, dashed=number > 0)
    marks += _racks(kinds, middle, supply, words, ink)
    marks.append(svg.text(0, height - 2, _note(supply, words), 6.6, fill=svg.GREY))
    return svg.picture(svg.WIDTH, height, marks, words.say("drawing.power.alt"))


def _transformer(supply: Supply, words: Words) -> str:
    if supply.transformer_kva is None:
        return words.say("drawing.power.unknown")
    if supply.transformer_load_kva is None:
        return words.say("drawing.power.kva", value=short(supply.transformer_kva))
    return words.say(
        "drawing.power.kva_load", value=short(supply.transformer_kva), load=short(supply.transformer_load_kva)
    )


def _ups(supply: Supply, words: Words) -> str:
    has, need = supply.ups_kva, supply.ups_needed_kva
    if has is None and need is None:
        return words.say("drawing.power.unknown")
    if has is None:
        return words.say("drawing.power.kva_needed", value=short(need))  # type: ignore[arg-type]
    if need is None:
        return words.say("drawing.power.kva", value=short(has))
    return words.say("drawing.power.kva_has", value=short(has), need=short(need))


def _circuit(supply: Supply, words: Words) -> tuple[str, ...]:
    """Amperes and kW of one circuit of a feed."""
    found = []
    if supply.amps is not None:
        found.append(words.say("drawing.power.circuit", phases=supply.phases, amps=short(supply.amps)))
    if supply.circuit_kw is not None:
        found.append(words.say("drawing.power.circuit_kw", value=short(supply.circuit_kw)))
    return tuple(found) or (words.say("drawing.power.unknown"),)


def _note(supply: Supply, words: Words) -> str:
    generator = {None: "drawing.power.unknown", True: "drawing.power.yes", False: "drawing.power.no"}[supply.generator]
    parts = [f"{words.say('drawing.power.generator')}: {words.say(generator)}"]
    if not supply.sides:
        parts.append(words.say("drawing.power.unknown_feeds"))
    elif len(supply.sides) == 1:
        parts.append(words.say("drawing.power.single"))
    return " · ".join(parts)


def _box(x: float, middle: float, width: float, title: str, under: str, ink: svg.Ink) -> Iterator[str]:
    lines = svg.wrapped(under, 6.8, width - 8)
    height = HIGH + 8.5 * (len(lines) - 1)
    top = middle - height / 2
    yield svg.rect(x, top, width, height, rx=2, fill="#ffffff", stroke=ink.colour, stroke_width=1)
    yield svg.text(x + width / 2, top + 13, title, 8, text_anchor="middle", font_weight=700, fill=ink.colour)
    for number, line in enumerate(lines):
        yield svg.text(x + width / 2, top + 25 + 8.5 * number, line, 6.8, text_anchor="middle")


def _feed(
    side: str,
    y: float,
    middle: float,
    supply: Supply,
    racks: Sequence[Rack],
    words: Words,
    ink: svg.Ink,
    *,
    dashed: bool,
) -> Iterator[str]:
    """One feed from the UPS through its circuit and PDUs to the racks."""
    style: dict[str, Any] = {"stroke": svg.TEXT, "stroke_width": 1.1, **({"stroke_dasharray": DASH} if dashed else {})}
    bend, start, end = COLUMNS[1] + WIDE + 8, COLUMNS[1] + WIDE, COLUMNS[4] - 5
    title = words.say("drawing.power.feed", side=side) if supply.sides else words.say("drawing.power.unknown_feeds")
    points = f"{start:.1f},{middle:.1f} {bend:.1f},{middle:.1f} {bend:.1f},{y:.1f} {COLUMNS[2]:.1f},{y:.1f}"
    yield svg.tag("polyline", points=points, fill="none", **style)
    yield from _plain(COLUMNS[2], y, FEED, title, _circuit(supply, words), style)
    yield svg.line(COLUMNS[2] + FEED, y, COLUMNS[3], y, **style)
    count = sum(rack.pdus for rack in racks) // max(len(supply.sides), 1)
    pdus = words.say("drawing.power.pdus", count=count) if count else words.say("drawing.power.unknown")
    yield from _plain(COLUMNS[3], y, PDU, words.say("drawing.power.pdu"), (pdus,), style)
    aim = middle + (y - middle) * 0.45
    points = f"{COLUMNS[3] + PDU:.1f},{y:.1f} {end:.1f},{y:.1f} {end:.1f},{aim:.1f} {COLUMNS[4]:.1f},{aim:.1f}"
    yield svg.tag("polyline", points=points, fill="none", **style)


def _plain(
    x: float, middle: float, width: float, title: str, lines: Sequence[str], style: dict[str, Any]
) -> Iterator[str]:
    height = 17.0 + 8.5 * len(lines)
    top = middle - height / 2
    yield svg.rect(x, top, width, height, rx=2, fill="#ffffff", **style)
    yield svg.text(x + width / 2, top + 10.5, title, 7.4, text_anchor="middle", font_weight=700)
    for number, line in enumerate(lines):
        yield svg.text(x + width / 2, top + 20.5 + 8.5 * number, line, 6.6, text_anchor="middle")


def _kinds(racks: Sequence[Rack], words: Words) -> list[str]:
    """One line for each kind of rack, the last for all that are left."""
    kinds = merged(racks)
    lines = [_kind(kind, words) for kind in kinds[:MOST]]
    left = sum(len(kind) for kind in kinds[MOST:])
    lines = [*lines, f"+ {words.say('drawing.power.racks', count=left)}"] if left else lines
    return [part for line in lines for part in svg.wrapped(line, 6.8, RACK - 6)]


def _kind(kind: Sequence[Rack], words: Words) -> str:
    first = kind[0]
    name = numbered([rack.id for rack in kind]).replace(" – ", "–")
    unknown = words.say("drawing.power.unknown")
    each = unknown if first.power_kw is None else words.say("drawing.power.rack_kw", value=short(first.power_kw))
    many = f"{len(kind)} × " if len(kind) > 1 else ""
    return f"{name} · {many}{each}"


def _racks(kinds: Sequence[str], middle: float, supply: Supply, words: Words, ink: svg.Ink) -> Iterator[str]:
    x, height = COLUMNS[4], 30.0 + 10 * len(kinds)
    top = middle - height / 2
    yield svg.rect(x, top, RACK, height, rx=2, fill=svg.PALE, stroke=ink.colour, stroke_width=1)
    title = words.say("drawing.power.rack")
    yield svg.text(x + RACK / 2, top + 12, title, 8, text_anchor="middle", font_weight=700, fill=ink.colour)
    for number, line in enumerate(kinds):
        yield svg.text(x + RACK / 2, top + 23 + 10 * number, line, 6.8, text_anchor="middle")
    if supply.power_kw is not None:
        total = words.say("drawing.power.total_kw", value=short(supply.power_kw))
        yield svg.text(x + RACK / 2, top + height - 4, total, 6.6, text_anchor="middle", fill=svg.GREY)
