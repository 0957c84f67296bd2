"""Quotation to documents: proposal and workbooks. Heavy libraries load when a document is written."""

from __future__ import annotations

from quoting.documents.proposal import write_proposal
from quoting.documents.workbooks import write_purchasing, write_workbook

__all__ = ["write_proposal", "write_purchasing", "write_workbook"]
