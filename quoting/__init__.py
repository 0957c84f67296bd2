"""quoting: from an AI-computing requirement form to a sized, room-checked, priced quotation.

As a library, five names: ``read_form``, ``load_catalog``, ``make_quote``, ``write_proposal``, ``write_workbook``.
"""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"
__all__ = ["load_catalog", "make_quote", "read_form", "write_proposal", "write_workbook"]

_HOME = {
    "load_catalog": "quoting.catalog",
    "make_quote": "quoting.quote",
    "read_form": "quoting.forms",
    "write_proposal": "quoting.documents",
    "write_workbook": "quoting.documents",
}


def __getattr__(name: str) -> Any:
    # Imported on first use: asking for --help must not load a PDF engine.
    if name not in _HOME:
        raise AttributeError(f"module 'quoting' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOME[name]), name)
