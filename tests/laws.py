"""Forms drawn at random for the laws of a quotation, and what the laws look at in the answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from quoting.catalog import load_catalog
from quoting.forms import parse_form
from quoting.quote import make_quote
from quoting.records import Check, Quote
from quoting.requirement import Requirement
from quoting.rows import Catalog

DAY = date(2026, 11, 30)
MODELS = (
    *("Qwen2.5-3B", "Qwen2.5-7B", "Qwen3-14B", "Qwen2.5-32B", "Llama-3-70B", "Qwen2.5-72B"),
    *("Qwen3-30B-A3B", "Mixtral-8x7B", "DeepSeek-V3", "GLM-4.5-Air", "LLaMA-13B"),
)
TASKS = ("inference", "qlora", "lora", "full", "pretrain")


def law(examples: int) -> settings:
    """So many examples, the same every time, however slow the machine."""
    return settings(max_examples=examples, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@cache
def rows() -> Catalog:
    """The catalogue that ships."""
    return load_catalog()


def form(
    workloads: list[Mapping[str, Any]],
    site: Mapping[str, Any] | None = None,
    **tables: Mapping[str, Any],
) -> Requirement:
    """A form as people write it, read."""
    data = {"customer": {"name": "示例制造有限公司"}, "workload": [dict(one) for one in workloads], "site": site or {}}
    return parse_form({**data, **tables}, rows(), "law.toml")


@cache
def quoted(requirement: Requirement) -> Quote:
    """The quotation for a form on the tests' day."""
    return make_quote(requirement, rows(), DAY)


WORKLOAD = st.fixed_dictionaries(
    {"model": st.sampled_from(MODELS), "task": st.sampled_from(TASKS)},
    optional={
        "context": st.sampled_from((512, 2048, 8192, 32768)),
        "batch": st.sampled_from((1, 4, 16)),
        "concurrency": st.sampled_from((1, 16, 200)),
        "rank": st.sampled_from((8, 64)),
        "sharding": st.sampled_from(("zero3", "zero2", "ddp")),
        "offload": st.sampled_from(("none", "optimizer", "all")),
        "tokens": st.sampled_from(("0.1B", "20B")),
        "deadline": st.sampled_from(("7天", "90天")),
    },
)
WORKLOADS = st.lists(WORKLOAD, min_size=1, max_size=2)

# Answers about a room from the poorest to the best of each.
STEPS: dict[str, tuple[Any, ...]] = {
    "racks": (1, 2, 4, 12),
    "rack_power": ("3kW", "8kW", "20kW", "45kW"),
    "rack_units": (24, 42, 48),
    "circuit": ("3x16A", "3x32A", "3x63A"),
    "transformer": ("200kVA", "630kVA", "2500kVA"),
    "transformer_load": ("400kVA", "100kVA", "0kVA"),
    "ups": ("10kVA", "60kVA", "400kVA"),
    "ups_load": ("40kW", "5kW", "0kW"),
    "ups_minutes": ("5min", "12min", "40min"),
    "generator": (False, True),
    "cooling": ("5kW", "30kW", "300kW"),
    "cooling_redundancy": ("N", "N+1", "2N"),
    "liquid_ready": (False, True),
    "floor_load": ("300kg/m2", "800kg/m2", "2000kg/m2"),
    "floor_point": ("60kg", "200kg", "800kg"),
    "spreader_frame": (False, True),
    "door": ("0.55m x 1.9m", "0.9m x 2.1m", "1.4m x 2.4m"),
    "lift": ("200kg", "800kg", "3000kg"),
    "supply_temperature": ("40°C", "29°C", "22°C"),
    "existing_load": ("20A", "5A", "0A"),
}
ROOM = st.fixed_dictionaries(
    {},
    optional={key: st.integers(0, len(steps) - 1) for key, steps in STEPS.items()}
    | {"feeds": st.sampled_from(["N", "2N"])},
)


def room(drawn: Mapping[str, Any]) -> dict[str, Any]:
    """The answers behind the drawn steps."""
    return {key: STEPS[key][value] if key in STEPS else value for key, value in drawn.items()}


def checks_of(quote: Quote) -> Iterator[Check]:
    """Every check of a quotation, of the plans it compares too."""
    fits = (quote.choice.chosen, quote.choice.named, *quote.choice.alternatives)
    for fit in fits:
        yield from fit.checks if fit else ()
    for one in (quote.site, quote.named_site):
        yield from one.checks if one else ()
    yield from (*quote.bom.checks, *quote.price.checks)


def failed(quote: Quote) -> set[str]:
    """Ids of the room's checks that fail."""
    return {check.id for check in quote.site.checks if check.status == "fail"}
