"""A manuscript to PDF bytes: its parts are set in two stacks side by side and then bound.

One stack is set by a fork of this process that lives for this document. It tells what headings stand on which page as
soon as that is known, and this process sets what depends on it (``binding``) while the other still draws.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import combinations, count
from typing import Any

from quoting.documents.binding import bind, frame_html, with_contents
from quoting.documents.manuscript import Leaf, Manuscript, Mark, Notes
from quoting.documents.render import Press, at_press, laid_out, printed
from quoting.errors import Outside

_PICTURE_WEIGHT = 75  # a picture takes as long as this many tags: fitted to thirty parts of the examples
_FRAME_WEIGHT = 350  # and so does the frame, which is set with the first stack
_SAVED = 0.11  # of a page for each page set closer: about what it saves on long parts of the examples
_HEAD, _BODY = 26 / 297, 251 / 297  # of a page: the head margin and the height of the text, as in the stylesheet
_END = "end"


def typeset(manuscript: Manuscript, shared: Press, limit_s: float) -> bytes:
    """The PDF of a manuscript; same manuscript and fonts, same bytes, however many processors there are.

    Raises Outside for anything the renderer complains about, for a render over ``limit_s`` seconds, and when the
    process that sets one of the stacks is ended.
    """
    first, second = halves([_weight(part) for part in manuscript.parts], _FRAME_WEIGHT)
    with at_press(limit_s), _beside(lambda: _set(manuscript, second, shared), limit_s) as other:
        mine = _laid(manuscript, first, shared)
        numbered = {**_leaves(0, first, _notes(mine)), **_leaves(1, second, other())}
        leaves = with_contents(manuscript, [numbered[place] for place in range(len(manuscript.parts))])
        frame = laid_out(frame_html(manuscript, leaves), shared)
        return bind(_printed([*mine, frame]), other(), leaves)


def halves(weights: Sequence[float], beside: float) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Which parts go on which of two stacks, so that the heavier is as light as can be; ``beside`` is on the first."""
    places = range(len(weights))
    whole = sum(weights) + beside
    sets = (chosen for size in range(len(weights), 0, -1) for chosen in combinations(places, size))
    first = min(sets, key=lambda chosen: abs(whole - 2 * (beside + sum(weights[place] for place in chosen))))
    return first, tuple(place for place in places if place not in first)


def _weight(part: str) -> int:
    return part.count("<") + _PICTURE_WEIGHT * part.count("<img")


def _set(manuscript: Manuscript, places: Sequence[int], shared: Press) -> Iterator[Any]:
    """First what is told of each page of each part, then the PDF of all their pages."""
    documents = _laid(manuscript, places, shared)
    yield _notes(documents)
    yield _printed(documents) if documents else b""


def _laid(manuscript: Manuscript, places: Sequence[int], shared: Press) -> list[Any]:
    return [_without_a_nearly_empty_page(manuscript.parts[place], shared) for place in places]


def _without_a_nearly_empty_page(part: str, shared: Press) -> Any:
    """A part laid out; set closer where that saves its last page, because little is left for it."""
    document = laid_out(part, shared)
    if not 0 < _left_over(document) <= _SAVED * (len(document.pages) - 1):
        return document
    closer = laid_out(part.replace("<body>", '<body class="closer">', 1), shared)
    return closer if len(closer.pages) < len(document.pages) else document


def _left_over(document: Any) -> float:
    """How much of its last page a document uses, 0 to 1; 1 where it does not say where it ends."""
    last = document.pages[-1]
    end = last.anchors.get(_END, (0, last.height))[1] / last.height
    return float(min(1.0, (end - _HEAD) / _BODY))


def _printed(documents: Sequence[Any]) -> bytes:
    return printed(documents[0].copy([page for document in documents for page in document.pages]))


def _notes(documents: Sequence[Any]) -> list[list[Notes]]:
    """For each document, what is told of each page."""
    return [[Notes(_marks(page), _places(page)) for page in document.pages] for document in documents]


def _marks(page: Any) -> tuple[Mark, ...]:
    return tuple(Mark(level, label, x, y) for level, label, (x, y), _ in page.bookmarks)


def _places(page: Any) -> tuple[tuple[str, float, float], ...]:
    return tuple((id, *place[:2]) for id, place in page.anchors.items())


def _leaves(stack: int, places: Sequence[int], notes: list[list[Notes]]) -> dict[int, list[Leaf]]:
    """The leaves of each part of a stack, by the part's place in the manuscript."""
    pages = count()
    return {
        place: [Leaf(stack, next(pages), of_page) for of_page in part]
        for place, part in zip(places, notes, strict=True)
    }


def may_fork() -> bool:
    """Whether a fork of this process is safe and of use: Linux, a second processor, no other thread."""
    return sys.platform == "linux" and (os.cpu_count() or 1) > 1 and threading.active_count() == 1


@contextmanager
def _beside(work: Callable[[], Iterator[Any]], limit_s: float) -> Iterator[Callable[[], Any]]:
    """``work`` done by a fork while the block runs: each of two calls in the block waits for its next result.

    Where forking is not safe the work is done here, when its results are called for.
    """
    if not may_fork():
        yield partial(next, work())
        return
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(work, theirs, limit_s), daemon=True)
    process.start()
    theirs.close()
    try:
        yield lambda: _received(ours)
    finally:
        process.kill()
        process.join()
        ours.close()


def _send(work: Callable[[], Iterator[Any]], pipe: Any, limit_s: float) -> None:
    try:
        with at_press(limit_s):
            results = work()
            pipe.send(next(results))
            last = next(results)
        # What the renderer complained of is known only now: nothing it spoilt is handed over.
        pipe.send(last)
    except Exception as error:
        pipe.send(error)


def _received(pipe: Any) -> Any:
    try:
        result = pipe.recv()
    except EOFError:
        raise Outside("the process that sets the pages was ended", "free some memory and run again") from None
    if isinstance(result, Exception):
        raise result
    return result
