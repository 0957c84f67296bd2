"""Rack elevations: what stands where, with power and weight under each rack. Equal racks are drawn once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from quoting.documents.customer_plan import Box, Rack
from quoting.documents.drawings import svg
from quoting.documents.formats import short
from quoting.documents.words import Words

UNIT, FOOT = 4.4, 24.0
AXIS, LEADER = 14.0, 15.0  # room for the unit numbers, for the lines to the names
HEAD = 9.5  # a line of a rack's title
BROAD, SLIM = 84.0, 50.0  # of a rack with the names beside it, with the labels alone
NAMED = 2  # kinds of racks up to which every name stands beside its equipment
MOST = 4  # racks in one picture
SIZE, LINE, BETWEEN = 6.8, 8.6, 1.5
_DIGITS = "0123456789"
_SHADES = {"platform": 1.0, "storage": 0.7, "management_server": 0.4}  # how dark a box is drawn
_PALEST = 0.14


@dataclass(frozen=True, slots=True)
class Run:
    """Like boxes one above the other; ``labels`` of all racks that hold them in these places."""

    labels: tuple[str, ...]
    name: str
    kind: str
    bottom: int
    top: int  # highest unit taken; below ``bottom`` where the height is unknown
    power_kw: Decimal | None  # of one box
    weight_kg: Decimal | None
    each: int = 1  # boxes in one rack


def elevations(racks: Sequence[Rack], words: Words, ink: svg.Ink) -> tuple[str, ...]:
    """Pictures of all racks, up to four in each; one empty picture when no height in them is known."""
    kinds = merged(racks)
    if kinds and not any(box.units for rack in racks for box in rack.boxes):
        return ("",)
    named = len(kinds) <= NAMED and all(_fits(kind, svg.WIDTH / len(kinds), words) for kind in kinds)
    rows = -(-len(kinds) // MOST)
    most = -(-len(kinds) // max(rows, 1))  # as many in each picture as in the others
    columns = len(kinds) if named else max(3, most)  # names that do not fit beside the racks stand in a key
    return tuple(
        _row(kinds[at : at + most], svg.WIDTH / columns, named, words, ink) for at in range(0, len(kinds), most or 1)
    )


def merged(racks: Sequence[Rack]) -> list[list[Rack]]:
    """Racks that hold the same things in the same places, together."""
    kinds: dict[object, list[Rack]] = {}
    for rack in racks:
        content = tuple((box.name, _stem(box.label), box.bottom, box.units) for box in rack.boxes)
        kinds.setdefault((rack.units, content, rack.power_kw, rack.weight_kg, rack.pdus), []).append(rack)
    return list(kinds.values())


def numbered(ids: Sequence[str], brief: bool = False) -> str:
    """``R01 – R03, R05``: names that count on from one another are drawn together; ``brief``: ``R01–03, R05``."""
    counted: list[list[str]] = []
    for id in ids:
        if counted and _follows(counted[-1][-1], id):
            counted[-1].append(id)
        else:
            counted.append([id])
    return ", ".join(one[0] if len(one) == 1 else _from_to(one[0], one[-1], brief) for one in counted)


def _stem(label: str) -> str:
    """A label without its number: ``SW-C``. Switches of one make may serve two networks."""
    return label.rstrip(_DIGITS)


def _follows(before: str, after: str) -> bool:
    stem = before.rstrip(_DIGITS)
    ends = before.removeprefix(stem), after.removeprefix(stem)
    return after.startswith(stem) and all(end.isdecimal() for end in ends) and int(ends[1]) == int(ends[0]) + 1


def _from_to(first: str, last: str, brief: bool) -> str:
    return f"{first}–{last.removeprefix(first.rstrip(_DIGITS))}" if brief else f"{first} – {last}"


def runs(kind: Sequence[Rack]) -> list[Run]:
    """The equipment of equal racks from the top down, like boxes that touch taken together."""
    found: list[Run] = []
    for place, box in sorted(enumerate(kind[0].boxes), key=lambda one: -one[1].bottom):
        labels = tuple(rack.boxes[place].label for rack in kind)
        last = found[-1] if found else None
        like = last is not None and (last.name, _stem(last.labels[0])) == (box.name, _stem(box.label))
        if last and like and last.bottom == box.bottom + box.units and box.units:
            found[-1] = replace(last, labels=(*labels, *last.labels), bottom=box.bottom, each=last.each + 1)
        else:
            top = box.bottom + box.units - 1
            found.append(Run(labels, box.name, box.kind, box.bottom, top, box.power_kw, box.weight_kg))
    return found


def span(labels: Sequence[str]) -> str:
    """``N01–04``: the labels of a run."""
    return numbered(sorted(labels, key=lambda label: (len(label), label)), brief=True)


def _labels(run: Run) -> str:
    """The labels of a run; in equal racks whose labels do not count on, how many each has: ``10 × SW-C``."""
    told = span(run.labels)
    return told if "," not in told else f"{run.each} × {_stem(run.labels[0])}"


def _fits(kind: Sequence[Rack], column: float, words: Words) -> bool:
    """Whether the names of everything in a rack find room beside it."""
    room = column - AXIS - BROAD - 4 - LEADER
    lines = [len(_name(run, True, room, words)) for run in runs(kind)]
    return sum(lines) * LINE + len(lines) * BETWEEN <= kind[0].units * UNIT


def _row(kinds: Sequence[list[Rack]], column: float, named: bool, words: Words, ink: svg.Ink) -> str:
    tallest = max(kind[0].units for kind in kinds)
    titles = [_title(kind, column - AXIS - 4, words) for kind in kinds]
    floor = 4.5 + HEAD * max(len(title) for title in titles) + tallest * UNIT
    marks: list[str] = []
    for position, (kind, title) in enumerate(zip(kinds, titles, strict=True)):
        for number, line in enumerate(reversed(title)):
            y = floor - kind[0].units * UNIT - 5 - HEAD * number
            marks.append(svg.text(position * column + AXIS, y, line, 8, font_weight=700, fill=ink.colour))
        marks += _rack(kind, position * column, column, floor, named, words, ink)
    height = floor + FOOT
    if not named:
        key, more = svg.legend(_key(kinds, ink), 0, height + 4, svg.WIDTH, SIZE)
        marks += key
        height += more + 6
    return svg.picture(svg.WIDTH, height, marks, words.say("drawing.rack.alt"))


def _title(kind: Sequence[Rack], room: float, words: Words) -> list[str]:
    """Names of equal racks and how many they are, on two lines where one will not hold them."""
    names = numbered([one.id for one in kind])
    if len(kind) == 1:
        return [names]
    count = words.say("drawing.rack.count", count=len(kind))
    together = f"{names} {count}"
    return [together] if svg.width_of(together, 8) <= room else [svg.clip(names, 8, room), count]


def _rack(
    kind: Sequence[Rack], x: float, column: float, floor: float, named: bool, words: Words, ink: svg.Ink
) -> Iterator[str]:
    rack, left = kind[0], x + AXIS
    width = BROAD if named else SLIM
    yield from _frame(rack, left, width, floor)
    for box in rack.boxes:
        if box.units >= 1:  # of unknown height: named beside the rack, not drawn
            yield from _box(box, left, width, floor, ink, labelled=len(kind) == 1)
    yield from _names(runs(kind), left + width, column - AXIS - width - 4, floor, named, words)
    under = _load(rack, words)
    under = words.say("drawing.rack.each", load=under) if len(kind) > 1 else under
    yield svg.text(left, floor + 10, under, 7.2, font_weight=700)
    yield svg.text(left, floor + 20, _taken(rack, words), SIZE, fill=svg.GREY)


def _frame(rack: Rack, left: float, width: float, floor: float) -> Iterator[str]:
    """The rack with its units, every sixth numbered."""
    yield svg.rect(left, floor - rack.units * UNIT, width, rack.units * UNIT, fill="#ffffff")
    heights = [floor - unit * UNIT for unit in range(1, rack.units)]
    yield svg.trace([((left, y), (left + width, y)) for y in heights], stroke="#dfe2e7", stroke_width=0.4)
    for unit in (1, *range(6, rack.units + 1, 6)):
        y = floor - unit * UNIT + UNIT / 2 + 2.2
        yield svg.text(left - 3, y, str(unit), svg.SMALLEST, text_anchor="end", fill=svg.GREY)
    yield svg.rect(
        left, floor - rack.units * UNIT, width, rack.units * UNIT, fill="none", stroke=svg.TEXT, stroke_width=1.1
    )


def _loads(one: Rack | Run) -> tuple[tuple[str, Decimal | None], ...]:
    return ("kw", one.power_kw), ("kg", one.weight_kg)


def _amount(unit: str, value: Decimal | None, words: Words) -> str:
    code = f"drawing.rack.{unit}"
    return words.say(f"{code}_unknown") if value is None else words.say(code, value=short(value))


def _load(rack: Rack, words: Words) -> str:
    return " · ".join(_amount(unit, value, words) for unit, value in _loads(rack))


def _taken(rack: Rack, words: Words) -> str:
    """Units taken of those there are, where they are known, and PDUs."""
    pdus = words.say("drawing.rack.pdus", pdus=rack.pdus)
    if rack.units_used is None:
        return pdus
    return f"{words.say('drawing.rack.used', used=rack.units_used, units=rack.units)} · {pdus}"


def _box(box: Box, left: float, width: float, floor: float, ink: svg.Ink, *, labelled: bool) -> Iterator[str]:
    """One piece of equipment; its label in it where type is still legible."""
    fill = svg.tint(ink.colour, _SHADES.get(box.kind, _PALEST))
    height = box.units * UNIT
    y = floor - (box.bottom - 1) * UNIT - height
    look = {"fill": fill, "stroke": "#ffffff" if box.kind == "platform" else ink.colour, "stroke_width": 0.5}
    yield svg.rect(left + 1.5, y + 0.3, width - 3, height - 0.6, **look)
    if labelled and box.units > 1:
        size = svg.SMALLEST if box.units == 2 else SIZE
        label = svg.clip(box.label, size, width - 6)
        yield svg.text(
            left + width / 2, y + height / 2 + 2.2, label, size, text_anchor="middle", fill=svg.letters_on(fill)
        )


def _names(found: Sequence[Run], x: float, room: float, floor: float, named: bool, words: Words) -> Iterator[str]:
    """Labels at the height of the equipment, pushed apart where it is thin, with their names where there is room."""
    lines = [_name(run, named, room - LEADER, words) for run in found]
    middles = [floor - (run.bottom - 1 + (run.top - run.bottom + 1) / 2) * UNIT for run in found]
    tops = _apart(middles, [LINE * len(one) for one in lines], floor)
    leaders = [
        ((x, middle), (x + 4, middle), (x + LEADER - 6, top + LINE / 2), (x + LEADER - 3, top + LINE / 2))
        for run, middle, top in zip(found, middles, tops, strict=True)
        if run.top >= run.bottom
    ]
    yield svg.trace(leaders, stroke=svg.GREY, stroke_width=0.5)
    for one, top in zip(lines, tops, strict=True):
        for number, line in enumerate(one):
            yield svg.text(x + LEADER, top + LINE * (number + 0.5) + 2.4, line, SIZE)


def _name(run: Run, named: bool, room: float, words: Words) -> list[str]:
    """What a run is, in lines of ``room``: labels alone, or units, labels, name, and what one takes, kept together."""
    if not named:
        return svg.wrapped(_labels(run), SIZE, room)
    code = "unit_unknown" if run.top < run.bottom else "unit" if run.top == run.bottom else "units"
    place = words.say(f"drawing.rack.{code}", bottom=run.bottom, top=run.top)
    what = f"{place} · {_labels(run)} · {run.name}"
    load = " · ".join(_amount(unit, value, words) for unit, value in _loads(run) if value is not None)
    if not load:
        return svg.wrapped(what, SIZE, room)
    load = words.say("drawing.rack.apiece", load=load) if run.each > 1 else load
    together = f"{what} · {load}"
    return [together] if svg.width_of(together, SIZE) <= room else [*svg.wrapped(what, SIZE, room), load]


def _apart(middles: Sequence[float], heights: Sequence[float], floor: float) -> list[float]:
    """Tops of labels as near their equipment as they can stand without touching, none below ``floor``."""
    tops: list[float] = []
    for middle, height in zip(middles, heights, strict=True):
        free = tops[-1] + heights[len(tops) - 1] + BETWEEN if tops else 0.0
        tops.append(max(middle - height / 2, free))
    limit = floor
    for number in reversed(range(len(tops))):
        tops[number] = min(tops[number], limit - heights[number])
        limit = tops[number] - BETWEEN
    return tops


def _key(kinds: Sequence[list[Rack]], ink: svg.Ink) -> list[svg.Entry]:
    """What the labels of a picture stand for: each kind of label and equipment once."""
    found = {(_stem(run.labels[0]), run.name): run.kind for kind in kinds for run in runs(kind)}

    def entry(stem: str, name: str, what: str) -> svg.Entry:
        fill = svg.tint(ink.colour, _SHADES.get(what, _PALEST))
        style = {"fill": fill, "stroke": ink.colour, "stroke_width": 0.5}
        return (lambda x, y: [svg.rect(x + svg.EDGE, y, 14, 7, **style)]), f"{stem} · {name}"

    return [entry(stem, name, what) for (stem, name), what in found.items()]
