"""A manuscript to PDF bytes: its parts are set in two stacks and then bound.

The stacks know nothing of each other until both are laid out, so two processes may set them side by side (``setter``);
here one does both. What depends on all pages is made from what both stacks tell of theirs (``binding``).
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from itertools import combinations, count
from typing import Any

from quoting.documents.binding import bind, frame_html, with_contents
from quoting.documents.manuscript import Leaf, Manuscript, Mark, Notes
from quoting.documents.render import Press, at_press, laid_out, printed

Told = list[list[Notes]]  # of each part of a stack, of each of its pages

_PICTURE_WEIGHT = 75  # a picture takes as long as this many tags: fitted to thirty parts of the examples
_FRAME_WEIGHT = 350  # and so does the frame, which is set with the first stack
_NEARLY_EMPTY = 0.2  # of a page
_SAVED = 0.11  # of a page for each page set closer: about what it saves on long parts of the examples
_HEAD, _BODY = 26 / 297, 251 / 297  # of a page: the head margin and the height of the text, as in the stylesheet
_END = "end"


def typeset(manuscript: Manuscript, shared: Press, limit_s: float) -> bytes:
    """The PDF of a manuscript; same manuscript and fonts, same bytes, whoever sets it.

    Raises Outside for anything the renderer complains about and for a render over ``limit_s`` seconds.
    """
    with at_press(limit_s):
        bound = _typeset(manuscript, shared)
    gc.collect()  # the boxes of a document hold each other: left to chance, they pile up over many documents
    return bound


def _typeset(manuscript: Manuscript, shared: Press) -> bytes:
    first, second = stacks(manuscript)
    one, other = lay(first, shared), lay(second, shared)
    leaves = leaves_of(manuscript, notes(one), notes(other))
    frame = laid_out(frame_html(manuscript, leaves), shared)
    return bind(draw(one), draw(other), draw([frame]), leaves)


def stacks(manuscript: Manuscript) -> tuple[list[str], list[str]]:
    """The parts of each stack. Who sets the first sets the frame too."""
    first, second = _places(manuscript)
    return [manuscript.parts[place] for place in first], [manuscript.parts[place] for place in second]


def _places(manuscript: Manuscript) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return halves([_weight(part) for part in manuscript.parts], _FRAME_WEIGHT)


def halves(weights: Sequence[float], beside: float) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Which parts go on which of two stacks, so that the heavier is as light as can be; ``beside`` is on the first."""
    places = range(len(weights))
    whole = sum(weights) + beside
    sets = (chosen for size in range(len(weights), 0, -1) for chosen in combinations(places, size))
    first = min(sets, key=lambda chosen: abs(whole - 2 * (beside + sum(weights[place] for place in chosen))))
    return first, tuple(place for place in places if place not in first)


def _weight(part: str) -> int:
    return part.count("<") + _PICTURE_WEIGHT * part.count("<img")


def lay(parts: Sequence[str], shared: Press) -> list[Any]:
    """The parts of a stack laid out, each a document of the renderer. To be called ``at_press``."""
    return [_without_a_nearly_empty_page(part, shared) for part in parts]


def draw(documents: Sequence[Any]) -> bytes:
    """One PDF of all pages of laid-out documents; b"" of none. To be called ``at_press``."""
    if not documents:
        return b""
    return printed(documents[0].copy([page for document in documents for page in document.pages]))


def notes(documents: Sequence[Any]) -> Told:
    """What is told of each page of each document."""
    return [[Notes(_marks(page), _points(page)) for page in document.pages] for document in documents]


def leaves_of(manuscript: Manuscript, first: Told, second: Told) -> list[Leaf]:
    """Every page of the finished document in its order, the contents among them."""
    places = _places(manuscript)
    numbered = {**_leaves(0, places[0], first), **_leaves(1, places[1], second)}
    return with_contents(manuscript, [numbered[place] for place in range(len(manuscript.parts))])


def _without_a_nearly_empty_page(part: str, shared: Press) -> Any:
    """A part laid out; set closer where that saves its last page, because little is left for it."""
    document = laid_out(part, shared)
    if not 0 < _left_over(document) <= min(_NEARLY_EMPTY, _SAVED * (len(document.pages) - 1)):
        return document
    closer = laid_out(part, shared, closer=True)
    return closer if len(closer.pages) < len(document.pages) else document


def _left_over(document: Any) -> float:
    """How much of its last page a document uses, 0 to 1; 1 where it does not say where it ends."""
    last = document.pages[-1]
    end = last.anchors.get(_END, (0, last.height))[1] / last.height
    return float(min(1.0, (end - _HEAD) / _BODY))


def _marks(page: Any) -> tuple[Mark, ...]:
    return tuple(Mark(level, label, x, y) for level, label, (x, y), _ in page.bookmarks)


def _points(page: Any) -> tuple[tuple[str, float, float], ...]:
    return tuple((id, *place[:2]) for id, place in page.anchors.items())


def _leaves(stack: int, places: Sequence[int], told: Told) -> dict[int, list[Leaf]]:
    """The leaves of each part of a stack, by the part's place in the manuscript."""
    pages = count()
    return {
        place: [Leaf(stack, next(pages), of_page) for of_page in part] for place, part in zip(places, told, strict=True)
    }
