"""One node beside the customer's own network, and what is plugged into it."""

from __future__ import annotations

from collections.abc import Sequence

from quoting.documents.customer_plan import Fabric, Plan
from quoting.documents.drawings import svg
from quoting.documents.words import Words


def _told(fabrics: Sequence[Fabric], plan: Plan, words: Words) -> str:
    """What is plugged into the customer's switches."""
    told = []
    for fabric in fabrics:
        links = " + ".join(one.text for one in fabric.joined) if fabric.id == "inband" else ""
        links = links or words.say("drawing.uplink.ports", count=fabric.node_links, gbps=fabric.gbps)
        told.append(words.say(f"drawing.joining.{fabric.id}", links=links))
    return " · ".join(told) or plan.uplink or words.say("drawing.joining.customer_links")


def joining(fabrics: Sequence[Fabric], plan: Plan, words: Words, ink: svg.Ink) -> str:
    """Nodes without a network of their own beside the customer's."""
    wide, other = 150.0, 108.0
    lines = svg.wrapped(plan.platform, 6.8, wide - 10)
    nodes, uplink = plan.nodes or 1, _told(fabrics, plan, words)
    label = "N01" if nodes == 1 else f"N01 – N{nodes:02d}"
    right = svg.WIDTH - svg.EDGE - other
    height = 19 + 8.5 * len(lines)
    middle = height / 2 + svg.EDGE
    centre = svg.EDGE + wide / 2
    marks = [
        svg.path((wide, middle), (right, middle), stroke_width=1.1),
        svg.rect(svg.EDGE, svg.EDGE, wide, height, rx=2, fill=ink.colour),
        svg.text(centre, svg.EDGE + 12.5, label, 8, text_anchor="middle", font_weight=700, fill="#ffffff"),
        *svg.label_on((wide + right) / 2, middle, uplink, ink.accent),
        svg.rect(right, svg.EDGE, other, height, rx=2, fill=svg.PALE, stroke=ink.colour),
    ]
    for number, line in enumerate(lines):
        y = svg.EDGE + 22.5 + 8.5 * number
        marks.append(svg.text(centre, y, line, 6.8, text_anchor="middle", fill="#ffffff"))
    network = words.say("drawing.joining.customer_network")
    marks.append(svg.text(right + other / 2, middle + 2.8, network, 8, text_anchor="middle", font_weight=700))
    return svg.picture(svg.WIDTH, height + 2 * svg.EDGE, marks, words.say("drawing.joining.alt"))
