"""One workload with everything its need is computed from, and the leaves it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from quoting.figure import Ledger
from quoting.requirement import Requirement, Workload
from quoting.rows import Catalog, Model
from quoting.stages.demand.shape import Shape, adapters_b, embeddings_b, largest_layer_b, shape_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A workload, its place in the form (from 1), its model and its shape."""

    place: int
    workload: Workload
    model: Model | None
    shape: Shape
    requirement: Requirement
    catalog: Catalog
    ledger: Ledger

    def id(self, name: str) -> str:
        """The figure id of a number of this workload."""
        return f"demand.{self.workload.id}.{name}"


def open_case(place: int, workload: Workload, requirement: Requirement, catalog: Catalog, ledger: Ledger) -> Case:
    """The workload with its model and shape; writes down the leaves every task needs."""
    case = Case(
        place=place,
        workload=workload,
        model=catalog.models.get(workload.model or ""),
        shape=shape_of(workload, catalog.models),
        requirement=requirement,
        catalog=catalog,
        ledger=ledger,
    )
    _leaves(case)
    return case


def _leaves(case: Case) -> None:
    workload = case.workload
    ledger = case.ledger
    ledger.leaf(case.id("params_b"), workload.params_b, "B", model_source(case, "params_b", "params"))
    ledger.leaf(
        case.id("active_params_b"), workload.active_params_b, "B", model_source(case, "active_params_b", "params")
    )
    for name in ("layers", "hidden", "heads", "kv_heads", "head_dim", "vocab"):
        _shape_leaf(case, name, getattr(case.shape, name))
    ledger.rule(
        case.id("embeddings_b"), embeddings_b(case.shape), "B", "sizing.shape", "", **_from(case, "vocab", "hidden")
    )
    asked(case, "context", workload.context, "token")


def _from(case: Case, *names: str) -> dict[str, str]:
    return {name: case.id(name) for name in names}


def _shape_leaf(case: Case, name: str, value: int) -> None:
    if case.shape.like:
        case.ledger.rule(case.id(name), value, "", "sizing.nearest", case.shape.like, params_b=case.id("params_b"))
    else:
        case.ledger.leaf(case.id(name), value, "", model_source(case, name, "model"))


def model_source(case: Case, field: str, key: str) -> str:
    """Where a number of the model comes from: the catalogue's source, or the form."""
    if case.model is None:
        return f"form:workload[{case.place}].{key}"
    provenance = case.model.provenance.get(field)
    return provenance.source if provenance else case.model.source


def asked(case: Case, key: str, value: int | Decimal, unit: str) -> str:
    """Write down an answer of the form, or the default taken for it; its figure id."""
    place = f"workload[{case.place}].{key}"
    rule = next((default.rule for default in case.requirement.defaults if default.key == place), "")
    case.ledger.leaf(f"form.{place}", value, unit, f"default:{rule}" if rule else f"form:{place}")
    return f"form.{place}"


def rule(case: Case, id: str, key: str) -> str:
    """Write down a coefficient of the catalogue; its figure id."""
    row = case.catalog.rules[id]
    value = row.values[key]
    if not isinstance(value, Decimal):
        raise TypeError(f"rule {id}.{key} is not a number: {value!r}")
    provenance = row.provenance.get(key)
    figure = f"rule.{id}.{key}"
    case.ledger.leaf(figure, value, row.units[key], provenance.source if provenance else row.source, row.note)
    return figure


def counted(case: Case) -> None:
    """Write down what fine-tuning and offload count from the shape: adapters and the largest layer."""
    inputs = _from(case, "layers", "hidden", "heads", "kv_heads", "head_dim")
    if case.workload.task in ("lora", "qlora"):
        _adapters(case, inputs)
    largest = largest_layer_b(case.shape)
    case.ledger.rule(case.id("largest_layer_b"), largest, "B", "sizing.shape", "", **inputs)


def _adapters(case: Case, inputs: dict[str, str]) -> None:
    targets = case.workload.targets
    rank, decided = asked(case, "rank", case.workload.rank, "1"), targets if targets != "all_linear" else ""
    size = adapters_b(case.shape, case.workload.rank, targets)
    case.ledger.rule(case.id("adapters_b"), size, "B", "sizing.shape", decided, rank=rank, **inputs)
