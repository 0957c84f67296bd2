"""Model names as people type them: ids, aliases, quantised variants, and names nobody may quote."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from quoting.forms.quantities import PARAMS
from quoting.forms.reader import nearest
from quoting.forms.text import Asks, Wrong, folded, key_of, shown
from quoting.forms.units import read_quantity
from quoting.rows import Catalog, Model

_PRECISION_IN_NAME = (
    ("gptqint4", "int4"),
    ("gptqint8", "int8"),
    ("awq", "int4"),
    ("gptq", "int4"),
    ("w8a8", "int8"),
    ("int8", "int8"),
    ("int4", "int4"),
    ("fp8", "fp8"),
    ("bf16", "bf16"),
    ("fp16", "fp16"),
)
_ENDINGS = ("满血版", "满血", "chat", "instruct", "it", "base", "hf", "大模型", "模型", "版")
_DECORATION = re.compile(r"^\s*(?:满血版?|开源版?|完整版)\s*")
_ACTIVE = re.compile(r"^(?P<total>.+?)[\s\-_]*a(?P<active>\d+(?:\.\d+)?\s*b)$")


@dataclass(frozen=True, slots=True)
class NamedModel:
    """A model of the catalogue, and the precision its typed name asks for (an empty string: none)."""

    model: Model
    precision: str = ""


def find_model(typed: str, catalog: Catalog) -> NamedModel:
    """The model ``typed`` names; raises Wrong with the nearest name if there is none."""
    names = model_names(catalog)
    spelling, precision = key_of(_DECORATION.sub("", typed.rpartition("/")[2])), ""
    while True:
        found_model = names.get(spelling) or _without_maker(spelling, names)
        if found_model is not None:
            return NamedModel(found_model, precision)
        shorter, found = _shorter(spelling)
        if shorter == spelling:
            break
        spelling, precision = shorter, precision or found
    offered = [name for model in catalog.models.values() for name in (model.id, *model.aliases)]
    raise Wrong(
        f"unknown model: {shown(typed)}", "a model of the catalogue, or params such as 70B", nearest(typed, offered)
    )


def model_names(catalog: Catalog) -> dict[str, Model]:
    """Every comparable spelling of every model; an id goes before another model's alias."""
    names = {key_of(alias): model for model in catalog.models.values() for alias in model.aliases}
    return names | {key_of(model.id): model for model in catalog.models.values()}


def _without_maker(spelling: str, names: dict[str, Model]) -> Model | None:
    """The one model of which ``spelling`` is the name without its maker: R1-Distill-Qwen-32B."""
    if not spelling[:1].isalpha():
        return None
    found = {
        model.id: model
        for name, model in names.items()
        if name.endswith(spelling) and name.removesuffix(spelling).isalpha()
    }
    return next(iter(found.values())) if len(found) == 1 else None


def _shorter(spelling: str) -> tuple[str, str]:
    for ending, precision in _PRECISION_IN_NAME:
        if spelling.endswith(ending):
            return spelling.removesuffix(ending), precision
    for ending in _ENDINGS:
        if spelling.endswith(ending) and spelling != ending:
            return spelling.removesuffix(ending), ""
    return spelling, ""


def read_params(raw: object) -> tuple[Decimal, Decimal, str, Asks]:
    """Total and active parameters in billions, how they were read, and open questions: 70B, 671B-A37B, 700亿."""
    if isinstance(raw, str):
        match = _ACTIVE.match(folded(raw))
        if match:
            total, active = (read_quantity(match[part], PARAMS) for part in ("total", "active"))
            if active.value > total.value:
                raise Wrong(f"more active than total parameters: {shown(raw)}", "671B-A37B")
            return total.value, active.value, f"{total.read}, {active.read} active", total.asks
    found = read_quantity(raw, PARAMS)  # type: ignore[arg-type]
    return found.value, found.value, found.read, found.asks
