"""Pages are set by two processes of their own, side by side.

They load renderer and fonts while the plan is made, and set the stacks of a proposal while the workbooks are written.
They live as long as the ``page_setter`` block, so what a first document has warmed serves the next. Where there is one
processor or no safe fork, pages are set in line.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any

from quoting.documents.manuscript import Manuscript
from quoting.errors import Outside

_GRACE_S = 10.0


@dataclass(frozen=True, slots=True)
class Setter:
    """Two processes that set pages, one document after the other, with one stylesheet and one set of fonts."""

    pipes: tuple[Any, Any]
    _numbers: Iterator[int] = field(default_factory=count)

    def prepare(self, stylesheet: Path, font_directory: Path | None) -> None:
        """Say with which stylesheet and fonts, before the first document."""
        with suppress(OSError):  # an ended process is told when pages are set
            self.pipes[0].send((stylesheet, font_directory))

    def set(self, pages: Manuscript, limit_s: float) -> bytes:
        """The PDF of a manuscript, as ``typeset`` would make it here. Raises Outside as that does."""
        try:
            return self._set(pages, monotonic() + limit_s)
        except Exception:
            self._clear()
            raise

    def _set(self, pages: Manuscript, until: float) -> bytes:
        from quoting.documents.binding import frame_html
        from quoting.documents.typesetting import leaves_of, stacks

        one, other = self.pipes
        first, second = stacks(pages)
        laid, laid_other = self._ask(until, one, "lay", first), self._ask(until, other, "lay", second)
        notes = laid()
        drawn = self._ask(until, one, "draw", None)
        leaves = leaves_of(pages, notes, laid_other())
        drawn_other = self._ask(until, other, "draw", None)
        # Long questions go only to a process whose answers have been read: two that both speak hear nothing.
        stack = drawn()
        frame = self._ask(until, one, "frame", frame_html(pages, leaves))
        return bytes(self._ask(until, other, "bind", (stack, drawn_other(), frame(), leaves))())

    def _ask(self, until: float, pipe: Any, what: str, of: Any) -> Callable[[], Any]:
        number = next(self._numbers)
        with suppress(OSError):  # an ended process is told when its answer is waited for
            pipe.send((number, what, of, max(0.001, until - monotonic())))
        return lambda: _answer(pipe, number, until)

    def _clear(self) -> None:
        """Wait for what is still being answered: a process that is not listened to would not listen either."""
        for pipe in self.pipes:
            with suppress(Exception):
                self._ask(monotonic() + 1, pipe, "nothing", None)()


def _answer(pipe: Any, number: int, until: float) -> Any:
    """The answer to one question; answers nobody waited for, after a failure, are passed over."""
    answered, result = -1, None
    try:
        while answered != number:
            # The process has its own limit and says so; this one is for a process that says nothing.
            if not pipe.poll(max(0.0, until - monotonic()) + _GRACE_S):
                raise Outside("the process that sets the pages does not answer", "run again")
            answered, result = pipe.recv()
    except (EOFError, OSError):
        raise Outside("the process that sets the pages was ended", "free some memory and run again") from None
    if isinstance(result, Exception):
        raise result
    return result


@contextmanager
def page_setter(stylesheet: Path | None = None, font_directory: Path | None = None) -> Iterator[Setter | None]:
    """A setter that is warming up while the caller goes on; None where it would not help.

    Without a stylesheet the caller has to ``prepare`` it.
    """
    if not may_fork():
        yield None
        return
    (ours, theirs), (our_second, their_second) = multiprocessing.Pipe(), multiprocessing.Pipe()
    pipes = ((ours, our_second), (theirs, their_second))
    first = multiprocessing.get_context("fork").Process(target=_serve_two, args=pipes)
    first.start()
    with suppress(OSError):
        os.setpgid(first.pid or 0, first.pid or 0)  # as the process itself does: whoever is first
    theirs.close()
    their_second.close()
    setter = Setter((ours, our_second))
    try:
        if stylesheet is not None:
            setter.prepare(stylesheet, font_directory)
        yield setter
    finally:
        with suppress(OSError):
            os.killpg(first.pid or 0, signal.SIGKILL)
        first.join()


def may_fork() -> bool:
    """Whether a fork of this process is safe and of use: Linux, a second processor, no other thread."""
    return sys.platform == "linux" and (os.cpu_count() or 1) > 1 and threading.active_count() == 1


# --------------------------------------------------------------------------- in the two processes


def _serve_two(ours: tuple[Any, Any], theirs: tuple[Any, Any]) -> None:
    """Warm up, fork the second process, which has all that is loaded, and serve as the first."""
    with suppress(OSError):
        os.setpgid(0, 0)  # a group of their own: ended together
    for pipe in ours:
        pipe.close()
    with suppress(EOFError, OSError):
        # The collector rests for good, and looks at what a document leaves only when its pages are handed over.
        gc.disable()
        with suppress(Exception):  # what fails here fails again, and is told, when a page is set
            _load()
        stylesheet, font_directory = theirs[0].recv()
        with suppress(Exception):
            _press(stylesheet, font_directory)
        gc.freeze()
        second = (stylesheet, font_directory, theirs)
        multiprocessing.get_context("fork").Process(target=_serve_second, args=second).start()
        theirs[1].close()
        _serve(stylesheet, font_directory, theirs[0], "frame")


def _serve_second(stylesheet: Path, font_directory: Path | None, pipes: tuple[Any, Any]) -> None:
    pipes[0].close()
    _serve(stylesheet, font_directory, pipes[1], "bind")


def _load() -> None:
    import pikepdf  # noqa: F401

    from quoting.documents import typesetting  # noqa: F401
    from quoting.documents.render import load_renderer

    load_renderer()


def _press(stylesheet: Path, font_directory: Path | None) -> Any:
    from quoting.documents.render import press

    return press(stylesheet, font_directory)


def _serve(stylesheet: Path, font_directory: Path | None, pipe: Any, last: str) -> None:
    """Answer questions until nobody is there to ask; clear up after the ``last`` one about a document."""
    documents: list[Any] = []
    with suppress(EOFError, OSError):
        while True:
            number, what, of, limit_s = pipe.recv()
            pipe.send((number, _done(what, of, documents, stylesheet, font_directory, limit_s)))
            if what == last:
                gc.collect()


def _done(
    what: str, of: Any, documents: list[Any], stylesheet: Path, font_directory: Path | None, limit_s: float
) -> Any:
    """The answer, or what went wrong. ``documents`` are kept from "lay" to "draw"."""
    try:
        from quoting.documents import binding, render, typesetting

        shared = _press(stylesheet, font_directory)
        if what == "nothing":
            documents.clear()
            return None
        with render.at_press(limit_s):
            if what == "bind":
                return binding.bind(*of)
            if what == "lay":
                documents[:] = typesetting.lay(of, shared)
                return typesetting.notes(documents)
            if what == "frame":
                return typesetting.draw([render.laid_out(of, shared)])
            laid = list(documents)
            documents.clear()
            return typesetting.draw(laid)
    except Exception as error:
        return error
