"""Quotation to documents: a PDF proposal for the customer. Heavy libraries load when a document is written."""

from __future__ import annotations

from quoting.documents.proposal import write_proposal

__all__ = ["write_proposal"]
