"""HTML text to PDF bytes with WeasyPrint, safely: only our own fonts are fetched, and no complaint is swallowed."""

from __future__ import annotations

import atexit
import gc
import logging
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import Any

from quoting.assets import templates_folder
from quoting.documents.fonts import cache_root, font_faces, font_files
from quoting.errors import Outside

TIME_LIMIT_S = 60


@dataclass(frozen=True, slots=True)
class Press:
    """What every document of a process shares: the fonts, read once, and the stylesheets, parsed once.

    ``closer`` is set beside ``stylesheet`` to save a page; None where the company's folder has none beside its own.
    """

    font_config: Any
    stylesheet: Any
    closer: Any


class Heard(logging.Handler):
    """Keeps what WeasyPrint says: a missing font or glyph is only a log record to it, a spoilt document to us."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one record."""
        self.said.append(record.getMessage())


def environment(roots: Sequence[Path], functions: Mapping[str, Any]) -> Any:
    """A Jinja environment: escaping, refusing undefined names; a template of a later root wins by name.

    Sandboxed as soon as one root is not our own: the sandbox looks at every attribute, a third of the time a page
    text takes, and guards against templates of others.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    ours = all(root == templates_folder() for root in roots)
    made = (Environment if ours else ImmutableSandboxedEnvironment)(
        loader=FileSystemLoader(list(reversed(roots))),
        autoescape=True,
        # The compiled templates of the two kinds differ.
        bytecode_cache=_bytecode("templates" if ours else "templates-sandboxed"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(functions)
    return made


def _bytecode(name: str) -> Any:
    """Where compiled templates are kept between runs; None where the user's cache cannot be written."""
    from jinja2 import FileSystemBytecodeCache

    folder = cache_root() / f"{name}-1"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return None
    return FileSystemBytecodeCache(str(folder)) if os.access(folder, os.W_OK) else None


def load_renderer() -> None:
    """Import WeasyPrint. On Linux its libraries have names the loader knows.

    It tries names of other systems first, and for each of those ctypes would run ldconfig and a compiler: a fifth of a
    second in every new process.
    """
    import ctypes.util

    kept = ctypes.util.find_library
    if sys.platform == "linux":
        ctypes.util.find_library = lambda name: None
    try:
        import weasyprint  # noqa: F401
    finally:
        ctypes.util.find_library = kept


@lru_cache(maxsize=8)
def press(css_file: Path, font_directory: Path | None = None) -> Press:
    """The shared fonts and stylesheet of ``css_file``. Raises Outside for a missing font or unclean CSS."""
    load_renderer()
    with _listening("stylesheet"):
        from weasyprint import CSS
        from weasyprint.text.fonts import FontConfiguration

        config = FontConfiguration()
        fonts = frozenset(file.resolve().as_uri() for file in font_files(font_directory).values())
        text = font_faces(font_directory) + "\n" + css_file.read_text(encoding="utf-8")
        sheet = CSS(string=text, font_config=config, url_fetcher=_fetcher(fonts))
        beside = css_file.with_name("closer.css")
        closer = CSS(string=beside.read_text(encoding="utf-8"), font_config=config) if beside.is_file() else None
    return Press(config, sheet, closer)


# WeasyPrint's font folder in the temporary directory is removed only while the interpreter still stands.
atexit.register(press.cache_clear)


def laid_out(html: str, shared: Press, *, closer: bool = False) -> Any:
    """One HTML text as WeasyPrint's document: its pages are set but not yet drawn. To be called ``at_press``."""
    from weasyprint import HTML

    page = HTML(string=html, url_fetcher=_fetcher(frozenset()), base_url=None)
    sheets = [shared.stylesheet, shared.closer] if closer and shared.closer else [shared.stylesheet]
    return page.render(stylesheets=sheets, font_config=shared.font_config)


def printed(document: Any) -> bytes:
    """The PDF of a laid-out document; same document, same bytes. To be called ``at_press``."""
    return bytes(document.write_pdf(pdf_identifier=b"-"))


@contextmanager
def at_press(limit_s: float) -> Iterator[None]:
    """Pages are set inside this: Outside for any complaint of WeasyPrint and after ``limit_s`` seconds."""
    with _listening("document"), _time_limit(limit_s), _collector_off():
        yield


def write_file(path: Path, content: bytes) -> None:
    """Put a file in place whole or not at all. Raises Outside when the disk refuses."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
            os.chmod(name, 0o644)
            Path(name).replace(path)
        finally:
            Path(name).unlink(missing_ok=True)
    except OSError as error:
        raise Outside(f"cannot write {path}: {error.strerror or error}", "choose another folder with --out") from None


def _fetcher(fonts: frozenset[str]) -> Any:
    """A fetcher that opens ``fonts`` and inline pictures, and stops the render for anything else."""
    from weasyprint.urls import FatalURLFetchingError, URLFetcher

    class OnlyOurs(URLFetcher):  # type: ignore[misc]
        def fetch(self, url: str, headers: Any = None) -> Any:
            if url in fonts or url.startswith("data:image/svg+xml;base64,") or url.startswith("data:image/png;base64,"):
                return super().fetch(url, headers)
            raise FatalURLFetchingError(f"a document may not load {url[:80]}")

    return OnlyOurs(allowed_protocols=("file", "data"), allow_redirects=False)


@contextmanager
def _listening(what: str) -> Iterator[None]:
    """Turn every warning of WeasyPrint, and its fatal fetch error (a BaseException), into Outside."""
    from weasyprint.urls import FatalURLFetchingError

    heard = Heard()
    loggers = [logging.getLogger("weasyprint"), logging.getLogger("fontTools.subset")]
    for logger in loggers[:1]:
        logger.addHandler(heard)
    before = [logger.propagate for logger in loggers]
    for logger in loggers:
        logger.propagate = False
    try:
        yield
    except FatalURLFetchingError as error:
        raise Outside(f"{what} refused: {error}", "remove the link from the text") from None
    finally:
        loggers[0].removeHandler(heard)
        for logger, kept in zip(loggers, before, strict=True):
            logger.propagate = kept
    if heard.said:
        glyphs = any(".notdef" in said for said in heard.said)
        remedy = "no font here has these characters: write the name with others" if glyphs else "run: quoting doctor"
        raise Outside(f"{what} is not clean: {'; '.join(dict.fromkeys(heard.said))[:400]}", remedy)


@contextmanager
def _collector_off() -> Iterator[None]:
    """A render makes a million small objects and drops them at its end: looking for cycles costs a quarter."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Stop a hostile render. Only the main thread of a POSIX process can be interrupted; else there is no limit."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise Outside(f"the document took longer than {seconds} s", "shorten the longest texts of the form")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1)  # again and again: a caught first alarm must not free it
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
