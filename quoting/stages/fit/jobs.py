"""Workloads made ready for fitting: what depends on the work alone, worked out once for all platforms."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from quoting.parts import Accelerator
from quoting.records import Demand, Need
from quoting.requirement import Requirement, Workload
from quoting.rows import Catalog
from quoting.stages.fit.cards import Serving, Shares
from quoting.stages.fit.rules import number


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One workload with its need."""

    workload: Workload
    need: Need
    shares: Shares  # training
    cache_gb: Decimal  # serving: of one request
    doubled_gb: Decimal  # serving: weights in 16 bit
    model_context: int | None
    sparse: bool
    adapter_rule: tuple[Decimal, Decimal, Decimal] | None  # GB a billion parameters, GB a card, share used
    constant_gb: Decimal

    @property
    def training(self) -> bool:
        return self.need.task != "inference"


def jobs(requirement: Requirement, demand: Demand, catalog: Catalog) -> tuple[Job, ...]:
    """Every workload beside its need."""
    pairs = zip(requirement.workloads, demand.needs, strict=True)
    return tuple(job(workload, need, catalog) for workload, need in pairs)


def job(workload: Workload, need: Need, catalog: Catalog) -> Job:
    """One workload beside its need."""
    model = catalog.models.get(workload.model or "")
    whole = need.task in ("full", "pretrain")
    return Job(
        workload=workload,
        need=need,
        shares=Shares(
            sharded=need.sharded_gb,
            replicated=need.replicated_gb,
            activations=need.activation_gb,
            overhead=need.overhead_gb,
            gather=_gather(workload, whole, catalog),
            total=need.memory_gb if whole and workload.sharding != "ddp" else Decimal(0),
        ),
        cache_gb=need.kv_gb / workload.concurrency if workload.concurrency else Decimal(0),
        doubled_gb=number(catalog, "sizing.weights", "bf16") * workload.params_b,
        model_context=model.context if model else None,
        sparse=workload.active_params_b < workload.params_b,
        adapter_rule=_adapter_rule(need, catalog),
        constant_gb=number(catalog, "sizing.qlora", "constant") if need.task == "qlora" else Decimal(0),
    )


def _gather(workload: Workload, whole: bool, catalog: Catalog) -> Decimal:
    """Buffers of a card when the states are sharded: measured for full training and for large adapters."""
    if workload.task == "inference" or workload.sharding == "ddp":
        return Decimal(0)
    if workload.sharding == "zero2":
        return number(catalog, "sizing.gather", "zero2") if whole else Decimal(0)
    if whole:
        return number(catalog, "sizing.gather", "zero3")
    large = workload.params_b >= number(catalog, "sizing.gather", "adapter_large_from_b")
    return number(catalog, "sizing.gather", "adapter_large") if large and workload.task == "lora" else Decimal(0)


def _adapter_rule(need: Need, catalog: Catalog) -> tuple[Decimal, Decimal, Decimal] | None:
    if need.task == "lora" and need.sixteen_bit_training:
        keys = ("per_param", "per_card", "use")
        per_param, per_card, use = (number(catalog, "sizing.lora", key) for key in keys)
        return per_param, per_card, use
    if need.task == "qlora":
        per_param, use = (number(catalog, "sizing.qlora", key) for key in ("per_param", "use"))
        return per_param, Decimal(0), use
    return None


def lacks_fp8(job: Job, accelerator: Accelerator) -> bool:
    """Whether the weights are fp8 and the card has no fp8 units; not known counts as lacking."""
    return job.need.weights_precision == "fp8" and not accelerator.has_fp8


def serving(job: Job, accelerator: Accelerator) -> Serving:
    """The served model on this card; fp8 weights become int8 on a domestic card that has it, else 16 bit."""
    weights = job.need.sharded_gb
    if lacks_fp8(job, accelerator) and not keeps_eight_bit(accelerator):
        weights = job.doubled_gb
    return Serving(
        weights=weights,
        cache=job.cache_gb,
        heads=job.need.heads or 1,
        kv_heads=job.need.kv_heads or 1,
        concurrency=job.workload.concurrency,
    )


def keeps_eight_bit(accelerator: Accelerator) -> bool:
    """Whether the maker's stack serves 8 bit weights as int8."""
    return accelerator.origin == "domestic" and bool(accelerator.has_int8)
