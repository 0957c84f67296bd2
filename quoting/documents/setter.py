"""Pages are set in a process of its own: it loads renderer and fonts while the plan is made, and sets the proposal
while the workbooks are written. Where there is one processor or no fork, pages are set in line.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from quoting.documents.manuscript import Manuscript
from quoting.errors import Outside


class Setter:
    """One process that sets pages, one after the other."""

    def __init__(self, pool: Any) -> None:
        self._pool = pool

    def set(self, pages: Manuscript, stylesheet: Path, font_directory: Path | None, limit_s: float) -> bytes:
        """The PDF of a manuscript, as ``typeset`` would make it here. Raises Outside as that does."""
        from concurrent.futures.process import BrokenProcessPool

        try:
            made: bytes = self._pool.submit(_set, pages, stylesheet, font_directory, limit_s).result()
        except BrokenProcessPool:
            raise Outside("the process that sets the pages was ended", "free some memory and run again") from None
        return made


@contextmanager
def page_setter(stylesheet: Path, font_directory: Path | None = None) -> Iterator[Setter | None]:
    """A setter that is warming up while the caller goes on; None where it would not help."""
    if not hasattr(os, "fork") or (os.cpu_count() or 1) < 2:
        yield None
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    pool = ProcessPoolExecutor(1, mp_context=get_context("fork"))
    try:
        pool.submit(_warm, stylesheet, font_directory)
        yield Setter(pool)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _warm(stylesheet: Path, font_directory: Path | None) -> None:
    gc.disable()
    # What fails here fails again, and is told, when a page is set.
    with suppress(Exception):
        import pikepdf  # noqa: F401 - loaded here while there is time

        from quoting.documents.render import press

        press(stylesheet, font_directory)
    # Libraries and fonts stay for good: the collector need not look at them again.
    gc.freeze()
    gc.enable()


def _set(pages: Manuscript, stylesheet: Path, font_directory: Path | None, limit_s: float) -> bytes:
    from quoting.documents.render import press
    from quoting.documents.typesetting import typeset

    return typeset(pages, press(stylesheet, font_directory), limit_s)
