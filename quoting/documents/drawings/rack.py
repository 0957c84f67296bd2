"""Rack elevations: what stands where, with power and weight under each rack. Equal racks are drawn once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quoting.documents.customer_plan import Box, Rack
from quoting.documents.drawings import svg
from quoting.documents.formats import short
from quoting.documents.words import Words

UNIT = 4.8
GAP = 14.0
TOP = 16.0
MOST = 4  # racks in one picture
_SHADE = {"platform": 1.0, "server": 1.0, "switch": 0.55, "management_server": 0.55, "ups": 0.75, "storage": 0.75}


def elevations(racks: Sequence[Rack], words: Words, ink: svg.Ink) -> tuple[str, ...]:
    """Pictures of all racks, up to four in each; empty without racks."""
    different = merged(racks)
    return tuple(_row(different[at : at + MOST], words, ink) for at in range(0, len(different), MOST))


def merged(racks: Sequence[Rack]) -> list[list[Rack]]:
    """Racks that hold the same things in the same places, together."""
    kinds: dict[object, list[Rack]] = {}
    for rack in racks:
        content = tuple((box.name, box.bottom, box.units) for box in rack.boxes)
        kinds.setdefault((rack.units, content, rack.power_kw), []).append(rack)
    return list(kinds.values())


def numbered(ids: Sequence[str]) -> str:
    """``R01 – R03, R05``: names that count on from one another are drawn together."""
    runs: list[list[str]] = []
    for id in ids:
        if runs and runs[-1][-1][1:].isdigit() and id[1:].isdigit() and int(id[1:]) == int(runs[-1][-1][1:]) + 1:
            runs[-1].append(id)
        else:
            runs.append([id])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]} – {run[-1]}" for run in runs)


def _row(kinds: Sequence[list[Rack]], words: Words, ink: svg.Ink) -> str:
    units = max(kind[0].units for kind in kinds)
    alone = len(kinds) == 1
    column = svg.WIDTH / (2 if alone else max(3, len(kinds)))
    height = TOP + units * UNIT + 34
    marks: list[str] = []
    for position, kind in enumerate(kinds):
        marks += _rack(kind, position * column, column - GAP, units, words, ink)
    if alone:
        marks += _names(kinds[0][0], column, words)
    return svg.picture(svg.WIDTH, height, marks, words.say("drawing.rack.alt"))


def _rack(kind: Sequence[Rack], x: float, width: float, tallest: int, words: Words, ink: svg.Ink) -> Iterator[str]:
    rack, left = kind[0], x + 16
    room = width - 16
    floor = TOP + tallest * UNIT
    head = floor - rack.units * UNIT
    title = svg.clip(numbered([one.id for one in kind]), 8.5, room - 24 if len(kind) > 1 else room)
    yield svg.text(left, head - 5, title, 8.5, font_weight=700, fill=ink.colour)
    if len(kind) > 1:
        yield svg.text(left + room, head - 5, f"× {len(kind)}", 8, text_anchor="end", fill=svg.GREY)
    yield svg.rect(left, head, room, rack.units * UNIT, fill="#ffffff", stroke=svg.TEXT, stroke_width=1.1)
    for unit in range(1, rack.units + 1):
        y = floor - unit * UNIT
        yield svg.line(left, y, left + room, y, stroke="#e5e7eb", stroke_width=0.4)
        if unit == 1 or unit % 6 == 0:
            yield svg.text(left - 4, y + UNIT - 0.4, str(unit), 5.2, text_anchor="end", fill=svg.GREY)
    for box in rack.boxes:
        if box.units < 1:
            continue  # of unknown height: named beside the rack, not drawn
        yield from _box(box, left + 2, room - 4, floor, ink)
    yield svg.text(left, floor + 12, _load(rack, words), 7.2)
    yield svg.text(left, floor + 22, words.say("drawing.rack_feeds", pdus=rack.pdus), 6.6, fill=svg.GREY)


def _load(rack: Rack, words: Words) -> str:
    power = "—" if rack.power_kw is None else short(rack.power_kw)
    weight = "—" if rack.weight_kg is None else short(rack.weight_kg)
    return words.say("drawing.rack_load", power=power, weight=weight)


def _box(box: Box, x: float, width: float, floor: float, ink: svg.Ink) -> Iterator[str]:
    shade = _SHADE.get(box.kind, 0.25)
    height = box.units * UNIT - 0.8
    y = floor - (box.bottom + box.units - 1) * UNIT + 0.4
    yield svg.rect(x, y, width, height, fill=ink.colour, fill_opacity=shade, stroke=ink.colour, stroke_width=0.5)
    size = 4.2 if box.units < 2 else 7.0
    colour = "#ffffff" if shade > 0.5 else svg.TEXT
    label = svg.clip(box.label, size, width - 8)
    yield svg.text(x + width / 2, y + height / 2 + size * 0.36, label, size, text_anchor="middle", fill=colour)


def _names(rack: Rack, x: float, words: Words) -> Iterator[str]:
    """What the labels stand for, at the height of the equipment, pushed apart where it is thin."""
    floor, below = TOP + rack.units * UNIT, -1e9
    for box in sorted(rack.boxes, key=lambda one: -one.bottom):
        middle = floor - (box.bottom - 1 + box.units / 2) * UNIT
        lines = svg.wrapped(f"{box.label}  {box.name}", 7.2, svg.WIDTH - x - 60)
        y = max(middle, below + 13)
        below = y + 9 * (len(lines) - 1)
        yield svg.tag(
            "polyline",
            points=f"{x - GAP:.1f},{middle:.1f} {x - 4:.1f},{y:.1f} {x + 2:.1f},{y:.1f}",
            fill="none",
            stroke=svg.RULE,
            stroke_width=0.6,
        )
        for number, line in enumerate(lines):
            yield svg.text(x + 6, y + 2.6 + 9 * number, line, 7.2)
        code = {0: "drawing.unit_unknown", 1: "drawing.unit"}.get(box.units, "drawing.units")
        place = words.say(code, bottom=box.bottom, top=box.bottom + box.units - 1)
        yield svg.text(svg.WIDTH, y + 2.6, place, 6.4, text_anchor="end", fill=svg.GREY)
