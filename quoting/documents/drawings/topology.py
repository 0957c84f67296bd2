"""The networks as one picture: rows of switches and nodes with the number of links between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quoting.documents.customer_plan import Fabric
from quoting.documents.drawings import svg
from quoting.documents.words import Words

LEFT = 118.0
BOX = 24.0
GAP = 44.0
SHOWN = 5
NAME = LEFT - 12


@dataclass(frozen=True, slots=True)
class Row:
    """Like equipment side by side; ``above`` names the links to the row over it."""

    title: str
    name: str
    count: int
    label: str
    shade: float
    above: str = ""
    kind: str = ""


def topology(
    fabrics: Sequence[Fabric], node_name: str, nodes: int, words: Words, ink: svg.Ink, uplink: str = ""
) -> str:
    """Spines, leaves, nodes, then the other networks below; a lone node with its ``uplink``; empty without any."""
    rows = _rows(fabrics, node_name, nodes, words, uplink)
    if len(rows) < 2:
        return ""
    height = len(rows) * BOX + (len(rows) - 1) * GAP + 4 + max(0, 8 * (len(svg.wrapped(rows[-1].name, 6.4, NAME)) - 1))
    tops = [2 + number * (BOX + GAP) for number in range(len(rows))]
    nodes_at = next(number for number, row in enumerate(rows) if row.kind == "nodes")
    marks: list[str] = []
    for number in range(1, len(rows)):
        over = min(number - 1, nodes_at)  # every network below the nodes is reached from them
        marks += _links(rows[over], rows[number], tops[over] + BOX, tops[number], passing=over < number - 1)
    for number, row in enumerate(rows):
        marks += _label(row, tops[number], ink) if number else ()
        marks += _row(row, tops[number], ink)
    return svg.picture(svg.WIDTH, height, marks, words.say("drawing.topology.alt"))


def _rows(fabrics: Sequence[Fabric], node_name: str, nodes: int, words: Words, uplink: str) -> list[Row]:
    by_id = {fabric.id: fabric for fabric in fabrics if fabric.shape and fabric.leaf}
    rows: list[Row] = []
    compute = by_id.get("compute")
    if compute and compute.spine:
        rows.append(_switches(compute, "spine", compute.spine, compute.spine_name, "", words))
    if compute:
        above = _count(compute.leaf_spine_links, compute, words) if compute.spine else ""
        rows.append(_switches(compute, "leaf", compute.leaf, compute.leaf_name, above, words))
    if not by_id:
        rows.append(Row(words.say("drawing.customer_network"), "", 1, words.say("drawing.lan"), 0.14, kind="lan"))
    above = _count(compute.node_links, compute, words) if compute else ""
    if not by_id:
        above = uplink or words.say("drawing.customer_links")
    rows.append(Row(words.say("drawing.nodes", count=nodes), node_name, nodes, "N", 1.0, above, "nodes"))
    for id in ("storage", "inband", "outofband"):
        fabric = by_id.get(id)
        if fabric:
            above = _count(fabric.node_links, fabric, words, "management_links" if id == "outofband" else "links")
            rows.append(_switches(fabric, id, fabric.leaf, fabric.leaf_name, above, words))
    return rows


def _switches(fabric: Fabric, kind: str, count: int, name: str, above: str, words: Words) -> Row:
    label = {"spine": "S", "leaf": "L", "storage": "ST", "inband": "M", "outofband": "B"}[kind]
    return Row(words.say(f"drawing.{kind}", count=count), name, count, label, 0.14, above)


def _count(links: int, fabric: Fabric, words: Words, code: str = "links") -> str:
    return words.say(f"drawing.{code}", count=links, gbps=fabric.gbps, protocol=fabric.protocol)


def _places(count: int) -> tuple[list[float], bool]:
    """Middles of the boxes drawn, and whether some are left out."""
    shown = min(count, SHOWN)
    room = (svg.WIDTH - LEFT) / shown
    return [LEFT + room * (number + 0.5) for number in range(shown)], count > SHOWN


def _row(row: Row, y: float, ink: svg.Ink) -> Iterator[str]:
    yield svg.text(0, y + 10, svg.clip(row.title, 8, LEFT - 12), 8, font_weight=700, fill=ink.colour)
    for number, line in enumerate(svg.wrapped(row.name, 6.4, NAME)):
        yield svg.text(0, y + 20 + 8 * number, line, 6.4, fill=svg.GREY)
    middles, cut = _places(row.count)
    width = min(62.0, (svg.WIDTH - LEFT) / len(middles) - 12)
    white = row.shade > 0.5
    for number, middle in enumerate(middles):
        if cut and number == SHOWN - 2:
            yield svg.text(middle, y + BOX / 2 + 3, "…", 12, text_anchor="middle", fill=svg.GREY)
            continue
        last = cut and number == SHOWN - 1
        yield svg.rect(middle - width / 2, y, width, BOX, rx=2, fill="#ffffff")
        yield svg.rect(
            middle - width / 2, y, width, BOX, rx=2, fill=ink.colour, fill_opacity=row.shade, stroke=ink.colour
        )
        label = row.label if row.kind == "lan" else f"{row.label}{row.count if last else number + 1:02d}"
        fill = "#ffffff" if white else svg.TEXT
        yield svg.text(middle, y + BOX / 2 + 2.8, label, 7.6, text_anchor="middle", fill=fill)


def _links(upper: Row, lower: Row, start: float, end: float, passing: bool) -> Iterator[str]:
    """Lines from one row to another; ``passing`` ones are dashed, start beside the middle and go behind other rows."""
    tops, tops_cut = _places(upper.count)
    lows, lows_cut = _places(lower.count)
    style = {"stroke_dasharray": "2 1.6"} if passing else {}
    aside = BOX if passing else 0.0
    for i, top in enumerate(tops):
        for j, low in enumerate(lows):
            if (tops_cut and i == SHOWN - 2) or (lows_cut and j == SHOWN - 2):
                continue
            yield svg.line(top + aside, start, low, end, stroke="#aab2bf", stroke_width=0.55, **style)


def _label(row: Row, y: float, ink: svg.Ink) -> Iterator[str]:
    if row.above:
        width = svg.width_of(row.above, 7.2) + 10
        middle = (LEFT + svg.WIDTH) / 2
        yield svg.rect(middle - width / 2, y - GAP / 2 - 7, width, 14, rx=7, fill="#ffffff", stroke=svg.RULE)
        yield svg.text(middle, y - GAP / 2 + 2.6, row.above, 7.2, text_anchor="middle", fill=ink.accent)
