"""The networks as one picture: rows of switches and nodes with the number of links between them.

Lines are drawn from box to box only where every box of one row does reach every box of the other; else both rows
hang on one bar, which says how many links there are and not which.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quoting.documents.customer_plan import Fabric, Plan, Rack
from quoting.documents.drawings import svg
from quoting.documents.drawings.joining import joining
from quoting.documents.words import Words
from quoting.records import SWITCH_LABELS

LEFT = 136.0  # room for the names beside the rows
BOX, WIDE = 24.0, 58.0
GAP = 42.0  # between rows
SHOWN = 5  # boxes of a row, the last but one an ellipsis when there are more
CELL = 4  # boxes of one of the networks below the nodes
NAME = LEFT - 10
DASHES = {"storage": {}, "inband": {"stroke_dasharray": "5 2"}, "outofband": {"stroke_dasharray": "1.2 1.6"}}
HUNG = {"head": "H", "storage": "ST", "customer": ""}  # labels in the racks; the customer's network has none
TALL, HANG = 17.0, 10.0  # boxes of what hangs on a network, and the line of words under them
LIGHT, DARK = 0.14, 1.0
DIGITS = "0123456789"

Labels = dict[tuple[str, str], list[str]]


@dataclass(frozen=True, slots=True)
class Row:
    """Like equipment side by side; ``above`` names the links to the row over it."""

    title: str
    name: str
    labels: tuple[str, ...]  # one a box, as in the racks
    shade: float = LIGHT
    above: str = ""
    each_to_each: bool = False  # every box reaches every box of the row above


@dataclass(frozen=True, slots=True)
class Cell:
    """A network the nodes reach beside the compute fabric."""

    row: Row
    note: str
    dashes: dict[str, str]
    hung: tuple[Row, ...] = ()  # equipment and networks that end on its switches beside the nodes


def topology(fabrics: Sequence[Fabric], plan: Plan, racks: Sequence[Rack], words: Words, ink: svg.Ink) -> str:
    """Spines, leaves and nodes, the other networks below them; without networks one node with its uplink.

    Boxes have the labels of the racks, so that both pictures speak of the same things.
    """
    by_id = {fabric.id: fabric for fabric in fabrics if fabric.shape and fabric.leaf}
    if not by_id:
        return joining(fabrics, plan, words, ink)
    free = _labels(racks)
    tiers = [*_tiers(by_id.get("compute"), free, words), _nodes(by_id.get("compute"), plan, free, words)]
    cells = [_cell(by_id[id], free, words) for id in ("storage", "inband", "outofband") if id in by_id]
    marks: list[str] = []
    y = 1.0
    for number, row in enumerate(tiers):
        if number:
            marks += _links(tiers[number - 1], row, y + BOX, y + BOX + GAP, ink)
            y += BOX + GAP
        marks += _beside(row, y, ink)
        marks += _boxes(row, _middles(len(row.labels), LEFT, svg.WIDTH, SHOWN), y, ink)
    last = 8.0 * max(0, len(svg.wrapped(tiers[-1].name, svg.SMALLEST, NAME)) - 1)
    below, height = _below(cells, tiers[-1], y + BOX, max(0.0, last - 8), ink)
    return svg.picture(svg.WIDTH, y + BOX + max(height, last) + 1, [*marks, *below], words.say("drawing.topology.alt"))


# --------------------------------------------------------------------------- what stands in the rows


def _labels(racks: Sequence[Rack]) -> Labels:
    """The labels in the racks by the name and the kind of label of what has them, in their order."""
    found: Labels = {}
    for rack in racks:
        for box in rack.boxes:
            found.setdefault((box.name, box.label.rstrip(DIGITS)), []).append(box.label)
    return {kind: sorted(labels, key=lambda label: (len(label), label)) for kind, labels in found.items()}


def _take(free: Labels, name: str, stem: str, count: int, otherwise: str = "{}") -> tuple[str, ...]:
    """``count`` labels that nothing has yet; numbers where the racks do not hold so many of that kind."""
    have = free.get((name, stem), [])
    if len(have) < count:
        return tuple(otherwise.format(number) for number in range(1, count + 1))
    free[name, stem] = have[count:]
    return tuple(have[:count])


def _tiers(compute: Fabric | None, free: Labels, words: Words) -> list[Row]:
    """Cores, spines and leaves of the compute fabric, from above; labels are given out from the leaves up."""
    if compute is None:
        return []
    counts = {"leaf": compute.leaf, "spine": compute.spine, "core": compute.core}
    names = {"leaf": compute.leaf_name, "spine": compute.spine_name, "core": compute.spine_name}
    links = {"spine": compute.spine_core_links, "leaf": compute.leaf_spine_links}
    over = {"core": 0, "spine": compute.core, "leaf": compute.spine}
    rows = [
        Row(
            words.say(f"drawing.topology.{kind}", count=count),
            names[kind],
            _take(free, names[kind], SWITCH_LABELS["compute"], count),
            above=_count(links[kind], compute, words) if over[kind] else "",
            each_to_each=kind == "leaf" and not compute.core,
        )
        for kind, count in counts.items()
        if count
    ]
    return rows[::-1]


def _nodes(compute: Fabric | None, plan: Plan, free: Labels, words: Words) -> Row:
    """A node has a port on every leaf only while there are no more leaves than ports."""
    nodes = plan.nodes or 1
    title = words.say("drawing.topology.nodes", count=nodes)
    above = _count(compute.node_links, compute, words) if compute else ""
    whole = compute is not None and compute.leaf <= compute.ports_per_node
    labels = _take(free, plan.platform, "N", nodes, "N{:02d}")
    return Row(title, plan.platform, labels, shade=DARK, above=above, each_to_each=whole)


def _cell(fabric: Fabric, free: Labels, words: Words) -> Cell:
    managed = fabric.id == "outofband"
    switches = fabric.leaf + fabric.spine + fabric.core
    nodes = fabric.node_links if managed else _at(fabric, "node") or fabric.node_links
    above = _count(nodes, fabric, words, "management_links" if managed else "links")
    title = words.say(f"drawing.topology.{fabric.id}", count=switches)
    note = ""
    if managed:
        told = (one for one in fabric.joined if one.kind != "customer")
        note = " · ".join(
            words.say("drawing.topology.join", name=one.name, text=one.text.replace(" ", "\u00a0")) for one in told
        )
    if fabric.spine:
        links = fabric.leaf_spine_links
        note = words.say("drawing.topology.tiers", leaf=fabric.leaf, spine=fabric.spine, count=links)
    labels = _take(free, fabric.leaf_name, SWITCH_LABELS[fabric.id], switches)
    row = Row(title, fabric.leaf_name, labels, above=above)
    return Cell(row, note, DASHES[fabric.id], tuple(_hung(fabric, free)))


def _hung(fabric: Fabric, free: Labels) -> Iterator[Row]:
    """Head nodes and storage by the labels of the racks, and the customer's network, each with its links."""
    for one in fabric.joined:
        stem = HUNG.get(one.kind)
        if stem is None or (fabric.id == "outofband" and stem):
            continue
        labels = sorted(label for (_, kind), all in free.items() if stem and kind == stem for label in all)
        name = (labels[0] if len(labels) == 1 else f"{labels[0]} – {labels[-1]}") if labels else one.name
        yield Row(name, one.text, (), shade=LIGHT if stem else 0.0)


def _at(fabric: Fabric, kind: str) -> int:
    return sum(one.links for one in fabric.joined if one.kind == kind)


def _count(links: int, fabric: Fabric, words: Words, code: str = "links") -> str:
    return words.say(f"drawing.topology.{code}", count=links, gbps=fabric.gbps, protocol=fabric.protocol)


# --------------------------------------------------------------------------- how they are drawn


def _middles(count: int, left: float, right: float, most: int) -> list[float]:
    """Middles of the boxes drawn."""
    shown = min(count, most)
    return [left + (right - left) / shown * (number + 0.5) for number in range(shown)]


def _beside(row: Row, y: float, ink: svg.Ink) -> Iterator[str]:
    yield svg.text(0, y + 9, svg.clip(row.title, 7.8, NAME), 7.8, font_weight=700, fill=ink.colour)
    for number, line in enumerate(svg.wrapped(row.name, svg.SMALLEST, NAME)):
        yield svg.text(0, y + 18.5 + 8 * number, line, svg.SMALLEST, fill=svg.GREY)


def _boxes(row: Row, middles: Sequence[float], y: float, ink: svg.Ink) -> Iterator[str]:
    """The boxes of a row, the last but one an ellipsis where some are left out."""
    apart = middles[1] - middles[0] if len(middles) > 1 else WIDE + 8
    width, fill = min(WIDE, apart - 6), svg.tint(ink.colour, row.shade)
    for number, middle in enumerate(middles):
        last = number == len(middles) - 1
        if len(row.labels) > len(middles) and number == len(middles) - 2:
            yield svg.text(middle, y + BOX / 2 + 4, "…", 11, text_anchor="middle", fill=svg.GREY)
            continue
        place = len(row.labels) - 1 if last else number
        yield svg.rect(middle - width / 2, y, width, BOX, rx=2, fill=fill, stroke=ink.colour)
        yield svg.text(middle, y + BOX / 2 + 2.6, row.labels[place], 7, text_anchor="middle", fill=svg.letters_on(fill))


def _drawn(row: Row, most: int = SHOWN) -> list[int]:
    """Places of a row that hold a box and not an ellipsis."""
    shown = min(len(row.labels), most)
    return [place for place in range(shown) if len(row.labels) <= shown or place != shown - 2]


def _links(upper: Row, lower: Row, start: float, end: float, ink: svg.Ink) -> Iterator[str]:
    over = [_middles(len(upper.labels), LEFT, svg.WIDTH, SHOWN)[place] for place in _drawn(upper)]
    under = [_middles(len(lower.labels), LEFT, svg.WIDTH, SHOWN)[place] for place in _drawn(lower)]
    half, centre = (start + end) / 2, (LEFT + svg.WIDTH) / 2
    if lower.each_to_each:
        yield svg.trace([((a, start), (b, end)) for a in over for b in under], stroke="#8d96a3")
    else:
        stubs = [((x, start), (x, half)) for x in over] + [((x, half), (x, end)) for x in under]
        bar = (min(*over, *under, centre), half), (max(*over, *under, centre), half)
        yield svg.trace(stubs, stroke="#8d96a3")
        yield svg.path(*bar, stroke=svg.TEXT, stroke_width=1.8)
    yield from svg.label_on(centre, half, lower.above, ink.accent)


def _below(cells: Sequence[Cell], nodes: Row, y: float, free: float, ink: svg.Ink) -> tuple[list[str], float]:
    """The other networks side by side, each on a bar of its own ``free`` points under the nodes; marks and height."""
    if not cells:
        return [], 0.0
    middles = [_middles(len(nodes.labels), LEFT, svg.WIDTH, SHOWN)[place] for place in _drawn(nodes)]
    room, top = svg.WIDTH / len(cells), y + free + 8 * len(cells) + 30
    marks, height = [], 0.0
    for number, cell in enumerate(cells):
        centre, bar = room * (number + 0.5), y + free + 8 * (number + 1)
        aside = (number - (len(cells) - 1) / 2) * 12
        boxes = _middles(len(cell.row.labels), room * number, room * (number + 1), CELL)
        drawn = [boxes[place] for place in _drawn(cell.row, CELL)]
        ends = [middle + aside for middle in middles]
        lines = [((x, y), (x, bar)) for x in ends] + [((min(*ends, centre), bar), (max(*ends, centre), bar))]
        lines += [((centre, bar), (centre, top - 6)), ((min(*drawn, centre), top - 6), (max(*drawn, centre), top - 6))]
        lines += [((x, top - 6), (x, top)) for x in drawn]
        marks.append(svg.trace(lines, stroke="#4b5563", stroke_width=0.8, **cell.dashes))
        marks += svg.label_on(centre, top - 16, cell.row.above, ink.accent)
        marks += _boxes(cell.row, boxes, top, ink)
        told, tall = _under(cell, centre, top + BOX, room - 14, ink)
        if cell.hung:
            left, start = room * number + svg.EDGE, (boxes[0] - _wide(boxes) / 2, top + BOX / 2)
            told += _hanging(cell, left, room, start, top + BOX + tall + 8, ink)
            tall += 14 + TALL + HANG
        marks += told
        height = max(height, tall)
    return marks, top - y + BOX + height


def _wide(middles: Sequence[float]) -> float:
    """How wide the boxes of a row are."""
    return min(WIDE, (middles[1] - middles[0] if len(middles) > 1 else WIDE + 8) - 6)


def _hanging(cell: Cell, left: float, room: float, start: tuple[float, float], y: float, ink: svg.Ink) -> Iterator[str]:
    """What else ends on a network, side by side under it, on a line that leaves its switches by the left."""
    each = (room - 8) / len(cell.hung)
    middles = [left + 4 + each * (place + 0.5) for place in range(len(cell.hung))]
    lines = [(start, (left, start[1]), (left, y), (middles[-1], y)), *(((x, y), (x, y + 6)) for x in middles)]
    yield svg.trace(lines, stroke="#4b5563", stroke_width=0.8, **cell.dashes)
    for middle, one in zip(middles, cell.hung, strict=True):
        fill = svg.tint(ink.colour, one.shade) if one.shade else svg.PALE
        yield svg.rect(middle - (each - 6) / 2, y + 6, each - 6, TALL, rx=2, fill=fill, stroke=ink.colour)
        name = svg.clip(one.title, 6.6, each - 8)
        yield svg.text(middle, y + 8 + TALL / 2, name, 6.6, text_anchor="middle", fill=svg.letters_on(fill))
        yield svg.text(middle, y + 6 + TALL + 8.5, one.name, svg.SMALLEST, text_anchor="middle", fill=ink.accent)


def _under(cell: Cell, centre: float, y: float, room: float, ink: svg.Ink) -> tuple[list[str], float]:
    """Title, name and note of a network under its switches; the marks and the height they take."""
    title = svg.clip(cell.row.title, 7.8, room)
    marks = [svg.text(centre, y + 10, title, 7.8, text_anchor="middle", font_weight=700, fill=ink.colour)]
    lines = [line for words in (cell.row.name, cell.note) if words for line in svg.wrapped(words, svg.SMALLEST, room)]
    for number, line in enumerate(lines):
        height = y + 19 + 8 * number
        marks.append(svg.text(centre, height, line, svg.SMALLEST, text_anchor="middle", fill=svg.GREY))
    return marks, 13.0 + 8 * len(lines)
