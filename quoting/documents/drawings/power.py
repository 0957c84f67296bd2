"""The power path as a one-line diagram: sources, UPS, feeds, PDUs, racks.

Only what the room has or the plan brings is drawn: a UPS nobody named is left out, and a second feed comes from a
source of its own, of which the form says no more than that it is independent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quoting.documents.customer_plan import Rack, Supply
from quoting.documents.drawings import svg
from quoting.documents.drawings.rack import merged, numbered
from quoting.documents.formats import short
from quoting.documents.words import Words

COLUMNS = (svg.EDGE, 104.0, 208.0, 310.0, 376.0)  # source, UPS, feed, PDU, rack
WIDE, FEED, PDU = 84.0, 84.0, 46.0
RACK = svg.WIDTH - svg.EDGE - COLUMNS[4]
APART = 10.0  # between the boxes of two feeds
LINE = 9.0
MOST = 3  # kinds of racks named


def power(supply: Supply, racks: Sequence[Rack], words: Words, ink: svg.Ink) -> str:
    """The diagram; empty without racks."""
    if not racks:
        return ""
    circuit, kinds = _circuit(supply, racks, words), _kinds(supply, racks, words)
    sides, pdus = supply.sides or ("",), (words.say("drawing.power.pdu"), _pdus(supply, racks, words))
    step = _high(max(len(circuit), 2)) + APART
    height = max(step * len(sides) - APART, _high(len(kinds)), _high(2)) + 2 * svg.EDGE
    middle = height / 2
    house: dict[str, Any] = {"stroke": ink.colour, "stroke_width": 1}
    marks: list[str] = []
    for number, side in enumerate(sides):
        y = middle + step * (number - (len(sides) - 1) / 2)
        title = words.say("drawing.power.feed", side=side) if side else words.say("drawing.power.unknown_feeds")
        marks += _origin(supply, side, y, words, house) if not number else _other(side, y, words, house)
        marks += _feed(title, circuit, pdus, y, middle)
    title = words.say("drawing.power.racks", count=len(racks))
    marks += _box(COLUMNS[4], middle, RACK, title, kinds, {**house, "fill": svg.PALE})
    marks.append(svg.text(0, height + 11, _note(supply, words), 6.8, fill=svg.GREY))
    return svg.picture(svg.WIDTH, height + 14, marks, words.say("drawing.power.alt"))


def _high(lines: int) -> float:
    return 17.0 + LINE * lines


def _origin(supply: Supply, side: str, y: float, words: Words, house: Mapping[str, object]) -> Iterator[str]:
    """Where the first feed comes from: the transformer the form names, else the mains; the UPS where there is one."""
    title = words.say("drawing.power.transformer" if supply.transformer_kva is not None else "drawing.power.mains")
    yield svg.path((COLUMNS[0] + WIDE, y), (COLUMNS[2], y), stroke_width=1.1)
    yield from _box(COLUMNS[0], y, WIDE, title, _transformer(supply, words), house)
    if supply.ups:
        yield from _box(COLUMNS[1], y, WIDE, words.say("drawing.power.ups"), _ups(supply, words), house)


def _other(side: str, y: float, words: Words, house: Mapping[str, object]) -> Iterator[str]:
    """The source of another feed: independent, by the form, and no more."""
    yield svg.path((COLUMNS[0] + WIDE, y), (COLUMNS[2], y), stroke_width=1.1)
    lines = [words.say("drawing.power.independent")]
    yield from _box(COLUMNS[0], y, WIDE, words.say("drawing.power.source", side=side), lines, house)


def _transformer(supply: Supply, words: Words) -> list[str]:
    if supply.transformer_kva is None:
        return [words.say("drawing.power.not_given")]
    lines = [words.say("drawing.power.kva", value=short(supply.transformer_kva))]
    if supply.transformer_load_kva is not None:
        lines.append(words.say("drawing.power.used", value=short(supply.transformer_load_kva)))
    return lines


def _ups(supply: Supply, words: Words) -> list[str]:
    told = {"has": supply.ups_kva, "needed": supply.ups_needed_kva}
    lines = [words.say(f"drawing.power.{key}", value=short(kva)) for key, kva in told.items() if kva is not None]
    return lines or [words.say("drawing.power.unknown")]


def _circuit(supply: Supply, racks: Sequence[Rack], words: Words) -> list[str]:
    """Amperes and kW of one circuit of a feed, and how many a rack has where it is more than one."""
    found = []
    if supply.amps is not None:
        found.append(words.say("drawing.power.circuit", phases=supply.phases, amps=short(supply.amps)))
    if supply.circuit_kw is not None:
        found.append(words.say("drawing.power.circuit_kw", value=short(supply.circuit_kw)))
    each = {rack.feeds_per_side for rack in racks}
    if found and len(each) == 1 and max(each) > 1:
        found.append(words.say("drawing.power.circuits", count=max(each)))
    return found or [words.say("drawing.power.unknown")]


def _pdus(supply: Supply, racks: Sequence[Rack], words: Words) -> str:
    """PDUs of one feed; of all feeds where their number is unknown."""
    count = sum(rack.feeds_per_side if supply.sides else rack.pdus for rack in racks)
    return words.say("drawing.power.pdus", count=count) if count else words.say("drawing.power.unknown")


def _note(supply: Supply, words: Words) -> str:
    generator = {None: "drawing.power.unknown", True: "drawing.power.yes", False: "drawing.power.no"}[supply.generator]
    parts = [words.say("drawing.power.generator", state=words.say(generator))]
    if len(supply.sides) == 1:
        parts.append(words.say("drawing.power.single"))
    if len(supply.sides) > 1:
        parts.append(words.say("drawing.power.verify_ups" if supply.ups else "drawing.power.verify"))
    return " · ".join(parts)


def _box(
    x: float, middle: float, width: float, title: str, lines: Sequence[str], style: Mapping[str, object]
) -> Iterator[str]:
    """A titled box centred at ``middle``."""
    top = middle - _high(len(lines)) / 2
    yield svg.rect(x, top, width, _high(len(lines)), rx=2, **{"fill": "#ffffff", **style})
    yield svg.text(x + width / 2, top + 11.5, title, 7.8, text_anchor="middle", font_weight=700)
    for number, line in enumerate(lines):
        yield svg.text(x + width / 2, top + 21.5 + LINE * number, line, 6.8, text_anchor="middle")


def _feed(title: str, circuit: Sequence[str], pdus: tuple[str, str], y: float, middle: float) -> Iterator[str]:
    """One feed through its circuit and PDUs to the racks."""
    style: dict[str, Any] = {"stroke": svg.TEXT, "stroke_width": 1.1}
    end = COLUMNS[4]
    back, aim = end - 10, middle + (y - middle) * 0.4
    yield svg.path((COLUMNS[2] + FEED, y), (COLUMNS[3], y), **style)
    yield svg.path((COLUMNS[3] + PDU, y), (back, y), (back, aim), (end, aim), **style)
    yield from _box(COLUMNS[2], y, FEED, title, circuit, style)
    yield from _box(COLUMNS[3], y, PDU, pdus[0], pdus[1:], style)


def _kinds(supply: Supply, racks: Sequence[Rack], words: Words) -> list[str]:
    """One line for each kind of rack, one for all that are left, and the sum."""
    kinds = merged(racks)
    lines = [line for kind in kinds[:MOST] for line in _kind(kind, words)]
    left = sum(len(kind) for kind in kinds[MOST:])
    if left:
        lines.append(words.say("drawing.power.more", count=left))
    if supply.power_kw is not None and len(racks) > 1:
        lines.append(words.say("drawing.power.total_kw", value=short(supply.power_kw)))
    return [part for line in lines for part in svg.wrapped(line, 6.8, RACK - 6)]


def _kind(kind: Sequence[Rack], words: Words) -> list[str]:
    """Names and power of equal racks, on two lines where one will not hold them."""
    first = kind[0]
    name = numbered([rack.id for rack in kind]).replace(" – ", "–")
    unknown = words.say("drawing.power.unknown")
    each = unknown if first.power_kw is None else words.say("drawing.power.rack_kw", value=short(first.power_kw))
    many = f"{len(kind)} × " if len(kind) > 1 else ""
    together = f"{name} · {many}{each}"
    return [together] if svg.width_of(together, 6.8) <= RACK - 6 else [name, f"{many}{each}"]
