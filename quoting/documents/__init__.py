"""Quotation to documents: proposal and workbooks. Each loads, with its libraries, when it is first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quoting.documents.proposal import write_proposal
    from quoting.documents.workbooks import write_purchasing, write_workbook

__all__ = ["write_proposal", "write_purchasing", "write_workbook"]

_HOME = {"write_proposal": "proposal", "write_purchasing": "workbooks", "write_workbook": "workbooks"}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'quoting.documents' has no attribute {name!r}")
    return getattr(import_module(f"quoting.documents.{_HOME[name]}"), name)
