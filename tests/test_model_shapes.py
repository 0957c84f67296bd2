"""Parameters counted from layer numbers against the published sizes, for every attention and expert kind."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from quoting.catalog import load_catalog
from quoting.checks.rows import row_notes
from quoting.rows import Model
from quoting.stages.demand.shape import (
    BILLION,
    adapters_b,
    attention_maps,
    has_shape,
    largest_layer_b,
    parameter_count,
    published,
)

CATALOG = load_catalog()
SHAPED = [model for model in CATALOG.models.values() if has_shape(model) and model.params_b]
# Published totals and active sizes in billions; active sizes with the input embedding counted.
COUNTS = {
    "Llama-3-8B": ("8.030", None),
    "Llama-3.1-405B": ("405.853", None),
    "Qwen2.5-72B": ("72.706", None),
    "Qwen3-235B-A22B": ("235.09", "22.19"),
    "Mixtral-8x7B": ("46.70", "12.88"),
    "Mixtral-8x22B": ("140.63", "39.16"),
    "DeepSeek-V3": ("671.03", "37.55"),
    "GLM-4.5-Air": ("106.85", "13.42"),
    "Yi-34B": ("34.39", None),
    "Baichuan2-13B": ("13.90", None),
}


def billions(model: Model, active: bool = False) -> Decimal:
    return Decimal(parameter_count(published(model), active)) / BILLION


@pytest.mark.parametrize("name", COUNTS)
def test_published_counts_come_out_of_the_layer_numbers(name: str) -> None:
    total, active = COUNTS[name]
    model = CATALOG.models[name]
    assert abs(billions(model) / Decimal(total) - 1) < Decimal("0.0005")
    assert active is None or abs(billions(model, active=True) / Decimal(active) - 1) < Decimal("0.001")


@pytest.mark.parametrize("model", SHAPED, ids=lambda model: model.id)
def test_every_model_of_the_catalogue_is_as_large_as_its_layers(model: Model) -> None:
    assert model.params_b is not None
    assert abs(billions(model) / model.params_b - 1) < Decimal("0.01")


def test_a_size_that_its_layers_contradict_is_told() -> None:
    model = replace(CATALOG.models["Qwen2.5-7B"], params_b=Decimal(9))
    notes = list(row_notes(replace(CATALOG, models={**CATALOG.models, model.id: model})))
    assert [note.place for note in notes if note.code == "catalog.model.counted"] == [model.id]


def test_one_map_for_query_key_and_value_holds_as_much_and_adapts_with_less() -> None:
    shape = published(CATALOG.models["Qwen-7B"])
    apart = replace(shape, fused_qkv=False)
    assert parameter_count(shape) == parameter_count(apart)
    assert adapters_b(shape, 64) < adapters_b(apart, 64)


def test_latent_attention_presses_queries_and_keys() -> None:
    maps = attention_maps(published(CATALOG.models["DeepSeek-V3"]))
    assert maps == ((7168, 1536), (1536, 24576), (7168, 576), (512, 32768), (16384, 7168))


def test_experts_are_gathered_one_by_one() -> None:
    model = CATALOG.models["Qwen3-30B-A3B"]
    shape = published(model)
    assert largest_layer_b(shape) == max(Decimal(shape.vocab * shape.hidden), Decimal(0)) / BILLION
