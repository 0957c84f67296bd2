"""The keys each table of a form may hold, taken from the schema."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import BaseModel


@lru_cache(maxsize=1)
def keys_by_table() -> dict[str, tuple[str, ...]]:
    """Keys by table name; "" is the form itself."""
    from quoting.forms import model

    tables: dict[str, type[BaseModel]] = {
        "": model.FormModel,
        "customer": model.CustomerModel,
        "project": model.ProjectModel,
        "workload": model.WorkloadModel,
        "hardware": model.HardwareModel,
        "site": model.SiteModel,
        "scope": model.ScopeModel,
        "compliance": model.ComplianceModel,
        "commercial": model.CommercialModel,
        "line": model.LineModel,
        "document": model.DocumentModel,
    }
    return {
        name: tuple(field.alias or key for key, field in table.model_fields.items()) for name, table in tables.items()
    }
