"""Requirements, demands and choices in few words, on the real catalogue."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any

from quoting.catalog import load_catalog
from quoting.records import Choice, Demand, Fit
from quoting.requirement import (
    Commercial,
    Compliance,
    Customer,
    DocumentNeed,
    Hardware,
    Project,
    Requirement,
    Scope,
    SiteNeed,
    Workload,
)
from quoting.rows import Catalog
from quoting.stages.demand import demand
from quoting.stages.fit import fit

DAY = date(2026, 11, 30)
TASK_DEFAULTS: dict[str, dict[str, Any]] = {
    "inference": {"context": 8192, "concurrency": 16},
    "training": {"context": 2048, "concurrency": 0},
}


@lru_cache(maxsize=1)
def catalog() -> Catalog:
    return load_catalog()


def workload(model: str | None, task: str, id: str = "w1", **given: Any) -> Workload:
    """A workload on a catalogue model (by id or alias), or on so many billion parameters."""
    row = _model(model)
    params = given.pop("params", None) or (row.params_b if row else None)
    defaults = TASK_DEFAULTS["inference" if task == "inference" else "training"]
    fields: dict[str, Any] = {
        "id": id,
        "model": row.id if row else None,
        "name": model or str(params),
        "params_b": Decimal(params),
        "active_params_b": Decimal(given.pop("active", None) or (row and row.active_params_b) or params),
        "official": row.official if row else False,
        "task": task,
        "precision": None,
        "batch": 1,
        "rank": 16,
        "sharding": "zero3",
        "offload": "none",
        "concurrent": True,
        "tokens_b": None,
        "deadline_days": None,
        "tokens_per_second": None,
        "first_token_s": None,
        **defaults,
        **given,
    }
    return Workload(**fields)


def _model(name: str | None) -> Any:
    if name is None:
        return None
    for row in catalog().models.values():
        if name.lower() in (row.id.lower(), *(alias.lower() for alias in row.aliases)):
            return row
    raise KeyError(name)


def requirement(
    *workloads: Workload, hardware: Hardware | None = None, form_factor: str = "rack", **compliance: Any
) -> Requirement:
    return Requirement(
        form_version=1,
        customer=Customer(name="示例客户"),
        project=Project(form_factor=form_factor),  # type: ignore[arg-type]
        workloads=workloads,
        hardware=hardware,
        site=SiteNeed(),
        scope=Scope(),
        compliance=Compliance(**compliance),
        commercial=Commercial(),
        lines=(),
        document=DocumentNeed(),
    )


def plan(wanted: Requirement) -> tuple[Demand, Choice]:
    needed = demand(wanted, catalog())
    return needed, fit(wanted, needed, catalog(), DAY)


def choice(model: str | None, task: str, hardware: Hardware | None = None, **given: Any) -> Choice:
    """The choice for one workload; keywords of compliance and project are taken out of ``given``."""
    rest = {key: given.pop(key) for key in ("domestic", "form_factor", "controlled_parts") if key in given}
    return plan(requirement(workload(model, task, **given), hardware=hardware, **rest))[1]


def on(chosen: Choice, platform: str) -> Fit:
    """What the choice says of one platform."""
    fits = (*chosen.others, *([chosen.chosen] if chosen.chosen else []))
    return next(one for one in fits if one.platform == platform)
