"""A row of the published sizing cases as the product's own inputs: model, workload, card."""

from __future__ import annotations

import csv
import re
import tomllib
from dataclasses import replace
from decimal import Decimal
from functools import cache
from pathlib import Path

from sizing.plan import requirement

from quoting.catalog import load_catalog
from quoting.kinds import Precision, Sharding
from quoting.parts import Accelerator
from quoting.records import Need
from quoting.requirement import Workload
from quoting.rows import Catalog, Model
from quoting.stages.demand import demand
from quoting.stages.demand.shape import Shape, shape_of
from quoting.stages.fit.jobs import Job, job
from quoting.stages.fit.placing import Host
from quoting.stages.fit.rules import Limits, limits, number

HERE = Path(__file__).resolve().parent
TABLE = HERE / "sizing_cases.csv"
Case = dict[str, str]
D = Decimal

_BITS = re.compile(r"w?(\d+)", re.IGNORECASE)
_ACCUMULATED = re.compile(r"grad accum (\d+)")
_VARIANT = re.compile(r"\(.*?\)|[-_](chat|instruct|base|\d{4})$|^generic ", re.IGNORECASE)


@cache
def catalog() -> Catalog:
    """The shipped catalogue, with the models that only published tables need."""
    return load_catalog(overlays=(HERE / "models",))


@cache
def rules() -> Limits:
    return limits(catalog())


def table(path: Path = TABLE) -> list[Case]:
    """The published rows as they stand."""
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def coefficient(rule: str, key: str) -> Decimal:
    """A number of the catalogue's rules."""
    return number(catalog(), rule, key)


def default(key: str, task: str = "") -> int:
    """What a form is taken to mean where it says nothing."""
    values = catalog().rules[f"default.{key}"].values
    return int(values.get("value") or values["inference" if task == "inference" else "training"])


def model_of(case: Case) -> Model | None:
    """The catalogue's model of that name; None where only a size is given."""
    named = case["model"]
    for name in (named, _VARIANT.sub("", named).strip(), named.split(" ")[0], named.split("/")[0]):
        for model in catalog().models.values():
            if name.lower() in (model.id.lower(), *(alias.lower() for alias in model.aliases)):
                return model
    return None


def params(case: Case) -> Decimal:
    """Parameters in billions, as the table prints them."""
    return D(case["params_b"])


def active(case: Case) -> Decimal:
    """Parameters a token visits, billions."""
    model = model_of(case)
    return model.active_params_b if model and model.type == "moe" and model.active_params_b else params(case)


def accumulated(case: Case) -> Decimal:
    """Sequences a card works through in one optimizer step: as the row says, else as rows of the same source do."""
    alike = [other for other in table() if (other["source"], other["kind"]) == (case["source"], case["kind"])]
    stated = [_ACCUMULATED.search(row["notes"] + row["meaning"]) for row in (case, *alike)]
    return next((D(found[1]) for found in stated if found), D(1))


def cards(case: Case) -> int:
    return int(case["gpus"] or 1)


def context(case: Case) -> int:
    return int(case["seq_len"] or default("context", case["task"]))


def batch(case: Case) -> int:
    """Sequences at once; "<=8" is eight."""
    return int(case["batch"].lstrip("<=") or default("batch"))


def bits(case: Case) -> Decimal:
    """Bits of a weight: "FP16", "int4 GPTQ", "w4a8"; where none are named, four under QLoRA, else sixteen."""
    found = _BITS.search(case["precision"])
    return D(found[1]) if found else D(4 if case["task"] == "qlora" else 16)


def base_precision(case: Case) -> Precision | None:
    """Precision of the weights served, or of the frozen base; None: as the task says."""
    if case["task"] == "qlora" and bits(case) > 8:
        return None
    if bits(case) <= 4:
        return "int4"
    return ("fp8" if "fp8" in case["precision"].lower() else "int8") if bits(case) == 8 else "bf16"


def sharding(case: Case) -> Sharding:
    """By the ZeRO stage; whole copies where none is named and a card holds the work alone."""
    return {"2": "zero2", "0": "ddp", "1": "ddp"}.get(case["zero_stage"], "zero3")  # type: ignore[return-value]


def workload(case: Case, **changed: object) -> Workload:
    """The row as one workload. An 8 bit frozen base is LoRA on int8 weights."""
    task, model = case["task"], model_of(case)
    if task == "qlora" and base_precision(case) == "int8":
        task = "lora"
    serving = task == "inference"
    rank = re.search(r"r=(\d+)", case["optimizer"])
    wanted = Workload(
        id="w1",
        model=model.id if model else None,
        name=case["model"],
        params_b=params(case),
        active_params_b=active(case),
        official=True,
        task=task,  # type: ignore[arg-type]
        precision=None if task in ("full", "pretrain") else base_precision(case),
        context=context(case),
        batch=1 if serving else batch(case),
        rank=int(rank[1]) if rank else default("rank"),
        sharding=sharding(case),
        offload="none",
        concurrency=batch(case) if case["batch"] and serving else default("concurrency") if serving else 0,
        concurrent=True,
        tokens_b=D(case["tokens_b"]) if case["tokens_b"] else None,
        deadline_days=None,
        tokens_per_second=None,
        first_token_s=None,
    )
    return replace(wanted, **changed)  # type: ignore[arg-type]


def shape(case: Case) -> Shape:
    return shape_of(workload(case), catalog().models)


def need(case: Case, **changed: object) -> Need:
    """What the product says the row needs."""
    return demand(requirement(workload(case, **changed)), catalog()).needs[0]


def prepared(case: Case, **changed: object) -> Job:
    """The row's workload as fitting sees it."""
    return job(workload(case, **changed), need(case, **changed), catalog())


def card(case: Case) -> Accelerator:
    """The row's card: the catalogue's of that name, with the memory the table names."""
    named = case["gpu_model"].lower()
    known = [one for one in catalog().accelerators.values() if named in (alias.lower() for alias in one.aliases)]
    found = known[0] if known else catalog().accelerators["gpu-h100-80g-sxm"]
    return replace(found, memory_gb=D(case["gpu_mem_gb"])) if case["gpu_mem_gb"] else found


def host(case: Case) -> Host:
    """A node of eight such cards, joined without limit."""
    limit, accelerator = rules(), card(case)
    return Host(
        sku="",
        family="enterprise",
        accelerator=accelerator,
        cards=limit.named_cards,
        link_gbs=max(accelerator.link_gbs or Decimal(0), limit.fabric_gbs),
        max_nodes_training=limit.max_nodes,
        max_nodes_serving=limit.max_nodes,
        max_pipeline=limit.max_nodes,
        ram_gb=None,
        power_w=None,
    )


@cache
def _logs() -> dict[str, dict[str, Decimal]]:
    text = (HERE / "logs.toml").read_text(encoding="utf-8")
    return {row.pop("source"): row for row in tomllib.loads(text, parse_float=Decimal)["log"]}


def has_log(source: str) -> bool:
    """Whether a log of that source is kept beside the table."""
    return source in _logs()


def logged(source: str) -> dict[str, Decimal]:
    """What a published log measured and no column holds; our reserve where there is no log."""
    reserve = coefficient("sizing.overhead", "inference") * D(10) ** 9 / D(1024) ** 3
    return _logs().get(source, {"activation_peak_gib": reserve, "other_gib": D(0)})
