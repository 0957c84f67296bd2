"""Is everything here that a quotation needs? One line each, with the line to type when not."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from quoting.errors import QuotingError

_LIBRARIES = (
    ("libpangoft2-1.0.so.0", "libpangoft2-1.0-0"),
    # Without it WeasyPrint falls back to a slow subsetter and says so only in its log.
    ("libharfbuzz-subset.so.0", "libharfbuzz-subset0"),
)
_MODULES = ("jinja2", "weasyprint", "openpyxl", "xlsxwriter", "pydantic", "defusedxml", "tzdata")


@dataclass(frozen=True, slots=True)
class Result:
    """One thing looked at; ``remedy`` is what to type."""

    name: str
    good: bool
    detail: str = ""
    remedy: str = ""

    def line(self) -> str:
        """``ok  fonts  /home/…`` or ``MISSING  pango  type: …``."""
        text = f"{'ok     ' if self.good else 'MISSING'}  {self.name}"
        return text + (f"  {self.detail}" if self.detail else "") + (f"  type: {self.remedy}" if self.remedy else "")


def examine() -> list[Result]:
    """Python, system libraries, packages, fonts, catalogue, templates."""
    return [
        Result("python", sys.version_info >= (3, 11), sys.version.split()[0]),
        *(_library(name, package) for name, package in _LIBRARIES),
        *(_module(name) for name in _MODULES),
        _try("fonts", _fonts, "quoting fonts"),
        _try("catalogue", _catalogue, "quoting catalog check"),
        _try("templates", _templates, ""),
    ]


def _library(name: str, package: str) -> Result:
    try:
        ctypes.CDLL(name)
    except OSError:
        return Result(name, False, remedy=f"sudo apt-get install -y {package}")
    return Result(name, True)


def _module(name: str) -> Result:
    try:
        import_module(name)
    except (ImportError, OSError) as error:
        return Result(name, False, str(error).splitlines()[0], f"python -m pip install {name}")
    return Result(name, True)


def _try(name: str, look: Callable[[], str], remedy: str) -> Result:
    try:
        return Result(name, True, look())
    except QuotingError as error:
        return Result(name, False, str(error).splitlines()[0], remedy)


def _fonts() -> str:
    from quoting.documents.fonts import font_files

    return str(next(iter(font_files().values())).parent)


def _catalogue() -> str:
    from quoting.catalog import load_catalog

    catalog = load_catalog()
    return f"{catalog.version}, {len(catalog.parts)} parts"


def _templates() -> str:
    from quoting.assets import templates_folder

    return str(templates_folder())
