"""The same work done in another way: adapters on a 4 bit base, states divided over all cards."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from quoting.records import Demand, Need
from quoting.requirement import Workload
from quoting.rows import Catalog
from quoting.stages.fit.jobs import Job, job
from quoting.stages.fit.rules import number


def stepped_down(jobs: tuple[Job, ...], demand: Demand, catalog: Catalog) -> tuple[Job, ...] | None:
    """The work with every 16 bit LoRA on a 4 bit base; None when there is none."""
    if not any(_steps(one) for one in jobs):
        return None
    embeddings = {figure.id: figure.value for figure in demand.figures if figure.id.endswith(".embeddings_b")}
    return tuple(
        _stepped(one, Decimal(embeddings[f"demand.{one.need.workload}.embeddings_b"] or 0), catalog)
        if _steps(one)
        else one
        for one in jobs
    )


def _steps(one: Job) -> bool:
    return one.need.task == "lora" and one.need.sixteen_bit_training and one.workload.offload == "none"


def _stepped(one: Job, embeddings_b: Decimal, catalog: Catalog) -> Job:
    workload = replace(one.workload, task="qlora", precision="int4")
    return job(workload, _quantised(one.workload, one.need, embeddings_b, catalog), catalog)


def _quantised(workload: Workload, need: Need, embeddings_b: Decimal, catalog: Catalog) -> Need:
    """The need on a 4 bit base; embedding and head stay in 16 bit."""
    saved = (workload.params_b - embeddings_b) * (
        number(catalog, "sizing.weights", "bf16") - number(catalog, "sizing.weights", "int4")
    )
    divided = workload.sharding in ("zero3", "fsdp")
    static = need.static_gb - saved
    rule = {key: number(catalog, "sizing.qlora", key) for key in ("per_param", "constant", "use")}
    by_rule = (rule["per_param"] * workload.params_b + rule["constant"]) / rule["use"]
    used = static + need.activation_gb + need.overhead_gb
    return replace(
        need,
        task="qlora",
        regime="qlora.nf4",
        weights_precision="int4",
        static_gb=static,
        sharded_gb=need.sharded_gb - saved if divided else need.sharded_gb,
        replicated_gb=need.replicated_gb if divided else need.replicated_gb - saved,
        memory_gb=max(by_rule, used / number(catalog, "sizing.usable", "training")),
        sixteen_bit_training=False,
    )


def divided(jobs: tuple[Job, ...], catalog: Catalog) -> tuple[Job, ...] | None:
    """The work with its states divided over all cards (ZeRO-3); None when they already are."""
    if not any(_keeps_copies(one) for one in jobs):
        return None
    return tuple(_divided(one, catalog) if _keeps_copies(one) else one for one in jobs)


def _keeps_copies(one: Job) -> bool:
    return one.training and one.workload.sharding in ("ddp", "zero2") and one.workload.offload == "none"


def _divided(one: Job, catalog: Catalog) -> Job:
    need = replace(one.need, sharded_gb=one.need.static_gb, replicated_gb=Decimal(0))
    return job(replace(one.workload, sharding="zero3"), need, catalog)
