"""From workloads to needs: the stage itself."""

from __future__ import annotations

from decimal import Decimal

from quoting.figure import Ledger
from quoting.kinds import Precision
from quoting.records import Demand, Need
from quoting.requirement import Requirement
from quoting.rows import Catalog
from quoting.stages.demand.case import Case, asked, counted, model_source, open_case, rule
from quoting.stages.demand.compute import JOB, OPERATIONS
from quoting.stages.demand.inference import KV_CACHE
from quoting.stages.demand.shape import cache_bytes_per_token
from quoting.stages.demand.states import CHECKPOINT, QUANTISED, STATES
from quoting.stages.demand.training import SCALED, Memory, adapter_memory, base_precision, full_memory

SERVED = "(weights + cache) / usable"
STORAGE = "checkpoints + weights"
SIXTEEN_BIT: tuple[Precision, ...] = ("bf16", "fp16")


def demand(requirement: Requirement, catalog: Catalog) -> Demand:
    """What each workload needs, hardware-free, with the figures behind it; storage is their sum.

    Raises ValueError when the catalogue has no model to take a shape from, KeyError when a sizing rule is missing.
    """
    ledger = Ledger()
    cases = [
        open_case(place, workload, requirement, catalog, ledger)
        for place, workload in enumerate(requirement.workloads, 1)
    ]
    needs = tuple(_need(case) for case in cases)
    ids = tuple(case.id("storage_gb") for case in cases)
    storage = ledger.formula("demand.storage_gb", "GB", "sum(storage)", storage=ids)
    return Demand(needs=needs, storage_gb=storage, figures=ledger.figures())


def _need(case: Case) -> Need:
    match case.workload.task:
        case "inference":
            return _serving(case)
        case "full" | "pretrain":
            return _training(case, full_memory(case), _weights(case, "bf16"), _regime(case))
        case "qlora":
            return _training(case, adapter_memory(case), "int4", "qlora.nf4")
        case _:
            precision = base_precision(case)
            return _training(case, adapter_memory(case), precision, f"lora.{precision}")


def _regime(case: Case) -> str:
    optimizer = case.workload.optimizer
    return f"{case.workload.task}.{'mixed' if optimizer == 'adamw' else optimizer}"


def _weights(case: Case, default: Precision) -> Precision:
    return "fp16" if case.workload.precision == "fp16" else default


def _training(case: Case, memory: Memory, precision: Precision, regime: str) -> Need:
    workload = case.workload
    adapted = workload.task in ("lora", "qlora")
    per_token, total = _flops(case, "adapter" if adapted else "full")
    checkpoint = _checkpoint(case, adapted)
    return Need(
        workload=workload.id,
        task=workload.task,
        regime=regime,
        weights_precision=precision,
        memory_gb=memory.total,
        memory_low_gb=memory.low,
        memory_high_gb=memory.high,
        static_gb=memory.static,
        sharded_gb=memory.sharded,
        replicated_gb=memory.replicated,
        activation_gb=memory.activations,
        overhead_gb=memory.overhead,
        kv_gb=Decimal(0),
        kv_bytes_per_token=None,
        kv_heads=case.shape.kv_heads,
        heads=case.shape.heads,
        flops=total,
        flops_per_token=per_token,
        deadline_days=workload.deadline_days,
        host_ram_gb=memory.host,
        checkpoint_gb=checkpoint,
        storage_gb=_storage(case),
        needs_bf16=workload.precision != "fp16",
        needs_fp8=False,
        sixteen_bit_training=precision in SIXTEEN_BIT,
        official=workload.official,
    )


def _flops(case: Case, factor: str) -> tuple[Decimal, Decimal | None]:
    """Operations a token and of the whole job; the job is None when the tokens are unknown."""
    inputs = {"factor": rule(case, "sizing.flops", factor), "active_params": case.id("active_params_b")}
    per_token = case.ledger.formula(case.id("flops_per_token"), "FLOP/token", OPERATIONS, **inputs)
    if case.workload.tokens_b is None:
        return per_token, None
    tokens = asked(case, "tokens", case.workload.tokens_b, "B")
    inputs = {"per_token": case.id("flops_per_token"), "tokens": tokens}
    return per_token, case.ledger.formula(case.id("flops"), "FLOP", JOB, **inputs)


def _checkpoint(case: Case, adapted: bool) -> Decimal:
    if adapted:
        counted(case)
    return case.ledger.formula(
        case.id("checkpoint_gb"),
        "GB",
        CHECKPOINT,
        bytes_per_param=rule(case, "sizing.checkpoint", "adapter_bytes" if adapted else "bytes"),
        params=case.id("adapters_b" if adapted else "params_b"),
        kept=rule(case, "sizing.checkpoint", "kept"),
    )


def _storage(case: Case) -> Decimal:
    """Disk for the checkpoints and one copy of the weights in 16 bit; the customer's data are not known."""
    inputs = {"bytes_per_param": rule(case, "sizing.weights", "bf16"), "params": case.id("params_b")}
    case.ledger.formula(case.id("weights_file_gb"), "GB", STATES, **inputs)
    return case.ledger.formula(
        case.id("storage_gb"),
        "GB",
        STORAGE,
        checkpoints=case.id("checkpoint_gb"),
        weights=case.id("weights_file_gb"),
    )


def served_precision(case: Case) -> Precision:
    """What the form asks, else the precision the model is published in."""
    return case.workload.precision or (case.model.native_precision if case.model else "bf16")


def _serving(case: Case) -> Need:
    workload, precision = case.workload, served_precision(case)
    static = _static_weights(case, precision)
    loaded, cache_bytes = _loaded_weights(case, precision), _cache(case)
    total = _served_total(case)
    per_token, _ = _flops(case, "inference")
    return Need(
        workload=workload.id,
        task=workload.task,
        regime=f"inference.{precision}",
        weights_precision=precision,
        memory_gb=total,
        memory_low_gb=_end(case, "low"),
        memory_high_gb=_end(case, "high"),
        static_gb=static,
        sharded_gb=loaded,
        replicated_gb=Decimal(0),
        activation_gb=Decimal(0),
        overhead_gb=case.ledger.number(rule(case, "sizing.overhead", "inference")),
        kv_gb=case.ledger.number(case.id("kv_gb")),
        kv_bytes_per_token=cache_bytes,
        kv_heads=1 if case.shape.latent else case.shape.kv_heads,
        heads=case.shape.heads,
        flops=None,
        flops_per_token=per_token,
        deadline_days=None,
        host_ram_gb=Decimal(0),
        checkpoint_gb=Decimal(0),
        storage_gb=case.ledger.formula(case.id("storage_gb"), "GB", "weights", weights=case.id("loaded_gb")),
        needs_bf16=precision == "bf16",
        needs_fp8=workload.precision == "fp8",
        sixteen_bit_training=False,
        official=workload.official,
    )


def _served_total(case: Case) -> Decimal:
    return case.ledger.formula(
        case.id("memory_gb"),
        "GB",
        SERVED,
        weights=case.id("loaded_gb"),
        cache=case.id("kv_gb"),
        usable=rule(case, "sizing.usable", "inference"),
    )


def _end(case: Case, end: str) -> Decimal:
    inputs = {"total": case.id("memory_gb"), "static": case.id("static_gb")}
    factor = rule(case, "sizing.range", end)
    return case.ledger.formula(case.id(f"memory_{end}_gb"), "GB", SCALED, factor=factor, **inputs)


def _static_weights(case: Case, precision: Precision) -> Decimal:
    inputs = {"bytes_per_param": rule(case, "sizing.weights", precision), "params": case.id("params_b")}
    if precision in SIXTEEN_BIT:
        return case.ledger.formula(case.id("static_gb"), "GB", STATES, **inputs)
    return case.ledger.formula(case.id("static_gb"), "GB", QUANTISED, embeddings=case.id("embeddings_b"), **inputs)


def _loaded_weights(case: Case, precision: Precision) -> Decimal:
    """Weights as the published files hold them (with a multi-token-prediction module), else as counted."""
    if precision == "fp8" and case.model is not None and case.model.weights_gb_fp8 is not None:
        source = model_source(case, "weights_gb_fp8", "model")
        return case.ledger.leaf(case.id("loaded_gb"), case.model.weights_gb_fp8, "GB", source)
    return case.ledger.formula(case.id("loaded_gb"), "GB", "weights", weights=case.id("static_gb"))


def _cache(case: Case) -> int:
    per_token = cache_bytes_per_token(case.shape, case.model)
    source = model_source(case, "kv_bytes_per_token", "model")
    case.ledger.leaf(case.id("kv_bytes_per_token"), per_token, "byte/token", source)
    case.ledger.formula(
        case.id("kv_gb"),
        "GB",
        KV_CACHE,
        concurrency=asked(case, "concurrency", case.workload.concurrency, "request"),
        context=asked(case, "context", case.workload.context, "token"),
        bytes_per_token=case.id("kv_bytes_per_token"),
    )
    return per_token
