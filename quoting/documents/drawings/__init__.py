"""Pictures drawn from the same records as the text, as SVG data addresses; labels come from the words."""

from __future__ import annotations

from collections.abc import Mapping

from quoting.documents.customer import CustomerView
from quoting.documents.drawings import svg
from quoting.documents.drawings.cost import cost
from quoting.documents.drawings.groups import price_by_group
from quoting.documents.drawings.memory import memory
from quoting.documents.drawings.power import power
from quoting.documents.drawings.rack import elevations
from quoting.documents.drawings.topology import topology
from quoting.documents.words import Words

_BARS = 8  # workloads of one memory picture: more would not fit a page with its heading


def draw(view: CustomerView, words: Words) -> Mapping[str, str | tuple[str, ...]]:
    """Every picture of a proposal by name; an empty one has nothing to show."""
    ink = svg.Ink(view.seller.colour, view.seller.accent)
    plan = view.plan
    # A machine under a desk stands in no rack and joins whatever network is there: nothing to draw.
    networked = plan is not None and (view.racks or view.fabrics)
    return {
        "topology": topology(view.fabrics, plan, view.racks, words, ink) if plan and networked else "",
        "power": power(view.supply, view.racks, words, ink),
        "racks": elevations(view.racks, words, ink),
        "memory": tuple(
            memory(view.works[start : start + _BARS], plan.memory_gb if plan else None, words, ink)
            for start in range(0, len(view.works), _BARS)
        ),
        "cost": cost(view.owning, words, ink),
        "groups": price_by_group(view.groups, view.total, words, ink),
    }
