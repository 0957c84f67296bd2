"""The one typeface of our documents, as two static files WeasyPrint can read quickly.

The font package holds a variable Noto Sans SC. Weights 400 and 700 are cut from it once into the user's cache:
WeasyPrint neither fakes a bold nor reads a variable font quickly. The family has a private name, so no font of the
machine is taken for it.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from quoting.errors import Outside

FAMILY = "Quoting Sans"
WEIGHTS = (400, 700)
PACKAGE = "justmytype-intl-cjk"
_INSIDE = "fonts/ofl/notosanssc/NotoSansSC[wght].ttf"
_RECIPE = "1"  # raised when the way of cutting changes, so that old caches are left alone


def font_files(directory: Path | None = None) -> dict[int, Path]:
    """Weight -> TrueType file; cuts missing ones into the cache (some 20 s, once).

    ``directory`` holds ready files ``400.ttf`` and ``700.ttf`` and is taken as it is.
    Raises Outside when a file, the font package or a writable cache is missing.
    """
    if directory is not None:
        return _given(directory)
    folder = cache_folder()
    files = {weight: folder / f"{weight}.ttf" for weight in WEIGHTS}
    if not all(file.is_file() for file in files.values()):
        _cut_under_lock(folder, files)
    return files


def cache_root() -> Path:
    """The user's cache, or the folder the environment variable QUOTING_CACHE names."""
    from platformdirs import user_cache_path

    base = os.environ.get("QUOTING_CACHE")
    return Path(base) if base else user_cache_path("quoting", appauthor=False)


def cache_folder() -> Path:
    """Where the cut files live: keyed by font package version and by our recipe."""
    return cache_root() / "fonts" / f"{_package_version()}-{_RECIPE}"


def font_faces(directory: Path | None = None) -> str:
    """The ``@font-face`` rules for the two weights, as CSS text."""
    faces = (_face(weight, file) for weight, file in font_files(directory).items())
    return "\n".join(faces)


def _face(weight: int, file: Path) -> str:
    return (
        f'@font-face {{ font-family: "{FAMILY}"; font-weight: {weight}; font-style: normal; '
        f'src: url("{file.resolve().as_uri()}") }}'
    )


def _given(directory: Path) -> dict[int, Path]:
    files = {weight: directory / f"{weight}.ttf" for weight in WEIGHTS}
    missing = [file.name for file in files.values() if not file.is_file()]
    if missing:
        raise Outside(
            f"font folder {directory} lacks {', '.join(missing)}", "leave out --font-dir, or run: quoting fonts"
        )
    return files


def _package_version() -> str:
    try:
        return version(PACKAGE)
    except PackageNotFoundError:
        raise Outside(f"font package {PACKAGE} is missing", f"run: python -m pip install {PACKAGE}") from None


def _variable_font() -> Path:
    spec = find_spec("justmytype_intl_cjk")
    places = spec.submodule_search_locations if spec else None
    file = Path(next(iter(places))) / _INSIDE if places else None
    if file is None or not file.is_file():
        raise Outside(f"font package {PACKAGE} is missing", f"run: python -m pip install {PACKAGE}")
    return file


@contextmanager
def _writable(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Outside(
            f"cannot write the font cache {folder}: {reason}",
            'type: export QUOTING_CACHE="$PWD/quoting-cache" where you may write, then run the command again',
        ) from None


def _cut_under_lock(folder: Path, files: dict[int, Path]) -> None:
    from filelock import FileLock

    with _writable(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / "lock"):
            missing = {weight: file for weight, file in files.items() if not file.is_file()}
            if missing:
                sys.stderr.write("quoting: preparing the document font (once, about 20 s)\n")
            for weight, file in missing.items():
                _cut(weight, file)


def _cut(weight: int, file: Path) -> None:
    """Write one static instance beside its place and rename it, so that no reader sees half a font."""
    from fontTools.ttLib import TTFont
    from fontTools.varLib.instancer import instantiateVariableFont

    # A font collection or a second axis would need more than this; the package is pinned.
    font = TTFont(_variable_font(), recalcTimestamp=False)
    instantiateVariableFont(font, {"wght": weight}, inplace=True)
    handle, name = tempfile.mkstemp(suffix=".tmp", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            font.save(stream)
        Path(name).replace(file)
    finally:
        Path(name).unlink(missing_ok=True)
