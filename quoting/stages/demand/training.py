"""Memory of training: what is kept, what divides over cards, what every card holds."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from quoting.kinds import Precision
from quoting.stages.demand.activations import FULL_RECOMPUTE
from quoting.stages.demand.case import Case, asked, counted, rule
from quoting.stages.demand.regimes import BYTES_BY_PART
from quoting.stages.demand.regimes import PREFIX as REGIME
from quoting.stages.demand.states import ADAPTED, QUANTISED, STATES

TOTAL = "max(static / use, (static + activations + overhead) / usable)"
TOTAL_LORA = "max((per_param * params + per_card) / use, (static + activations + overhead) / usable)"
TOTAL_QLORA = "max((per_param * params + constant) / use, (static + activations + overhead) / usable)"
TOTAL_PHYSICAL = "(static + activations + overhead) / usable"
OFFLOADED = "bytes_per_param * params + gathered * largest_layer"
HOST = "bytes_per_param * params * buffer"
HOST_BASE = "base * buffer"
HOSTED = "state_bytes * adapters + gathered * largest_layer"
REST = "static - kept"
SCALED = "max(total * factor, static)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """Parts of the memory of one training workload, GB; ids of its figures are ``demand.<workload>.<name>``."""

    total: Decimal
    low: Decimal
    high: Decimal
    static: Decimal
    sharded: Decimal
    replicated: Decimal
    activations: Decimal
    overhead: Decimal
    host: Decimal


def activations(case: Case) -> Decimal:
    """Activations of one card at the asked context and batch, full recompute."""
    return case.ledger.formula(
        case.id("activation_gb"),
        "GB",
        FULL_RECOMPUTE,
        context=asked(case, "context", case.workload.context, "token"),
        batch=asked(case, "batch", case.workload.batch, "sequence"),
        hidden=case.id("hidden"),
        layers=case.id("layers"),
        vocab=case.id("vocab"),
        recompute=rule(case, "sizing.activations", "recompute"),
        working=rule(case, "sizing.activations", "working"),
        logits=rule(case, "sizing.activations", "logits"),
    )


def full_memory(case: Case) -> Memory:
    """Full fine-tuning and pre-training: weights, gradients and optimizer of every parameter."""
    area = f"sizing.{case.workload.task}"
    ledger, params = case.ledger, case.id("params_b")
    whole = ledger.formula(case.id("states_gb"), "GB", STATES, bytes_per_param=_bytes(case, area), params=params)
    bf16 = rule(case, "sizing.weights", "bf16")
    copy = ledger.formula(case.id("copy_gb"), "GB", STATES, bytes_per_param=bf16, params=params)
    if case.workload.offload != "none":
        static = _offloaded(case)
        sharded, replicated, host = static - _gathered(case), _gathered(case), _host(case)
    else:
        static, host = whole, Decimal(0)
        ledger.formula(case.id("static_gb"), "GB", "states", states=case.id("states_gb"))
        sharded, replicated = _divided(case, whole, copy)
    return _memory(case, TOTAL, area, static, sharded, replicated, host)


def _bytes(case: Case, area: str) -> str:
    """Bytes a parameter: the rule's for 32 bit Adam, else those of the optimizer's regime."""
    if case.workload.optimizer == "adamw":
        return rule(case, area, "bytes")
    regime = f"{REGIME}{case.workload.optimizer}"
    parts = {key: rule(case, regime, key) for key in ("weights", "gradients", "master", "optimizer")}
    case.ledger.formula(case.id("bytes_per_param"), "byte/parameter", BYTES_BY_PART, **parts)
    return case.id("bytes_per_param")


def _divided(case: Case, whole: Decimal, copy: Decimal) -> tuple[Decimal, Decimal]:
    """(divided over the cards, held by every card): ZeRO-3 and FSDP divide all, ZeRO-2 keeps the weights whole."""
    match case.workload.sharding:
        case "ddp":
            return Decimal(0), whole
        case "zero2":
            return whole - copy, copy
        case _:
            return whole, Decimal(0)


def _offloaded(case: Case) -> Decimal:
    counted(case)
    key = "gpu_optimizer" if case.workload.offload == "optimizer" else "gpu_all"
    return case.ledger.formula(
        case.id("static_gb"),
        "GB",
        OFFLOADED,
        bytes_per_param=rule(case, "sizing.offload", key),
        params=case.id("params_b"),
        gathered=rule(case, "sizing.offload", "gathered"),
        largest_layer=case.id("largest_layer_b"),
    )


def _gathered(case: Case) -> Decimal:
    return case.ledger.number("rule.sizing.offload.gathered") * case.ledger.number(case.id("largest_layer_b"))


def _host(case: Case) -> Decimal:
    key = "host_optimizer" if case.workload.offload == "optimizer" else "host_all"
    return case.ledger.formula(
        case.id("host_ram_gb"),
        "GB",
        HOST,
        bytes_per_param=rule(case, "sizing.offload", key),
        params=case.id("params_b"),
        buffer=rule(case, "sizing.offload", "buffer"),
    )


def base_precision(case: Case) -> Precision:
    """Precision of the frozen base: 4 bit under QLoRA, else what the form says, else bf16."""
    return "int4" if case.workload.task == "qlora" else case.workload.precision or "bf16"


def adapter_memory(case: Case) -> Memory:
    """LoRA and QLoRA: a frozen base, and adapters on all linear layers with their gradients and optimizer."""
    counted(case)
    precision, area = base_precision(case), f"sizing.{case.workload.task}"
    base = _base(case, precision)
    state_bytes = rule(case, area, "state_bytes")
    if case.workload.offload == "all":
        return _host_base(case, area, state_bytes)
    whole = case.ledger.formula(
        case.id("static_gb"),
        "GB",
        ADAPTED,
        base=case.id("base_gb"),
        state_bytes=state_bytes,
        adapters=case.id("adapters_b"),
    )
    text = TOTAL_QLORA if precision == "int4" else TOTAL_LORA if precision in ("bf16", "fp16") else TOTAL_PHYSICAL
    sharded, replicated = _divided(case, whole, base)
    return _memory(case, text, area, whole, sharded, replicated, Decimal(0))


def _base(case: Case, precision: Precision) -> Decimal:
    bytes_per_param = rule(case, "sizing.weights", precision)
    params = case.id("params_b")
    if precision in ("bf16", "fp16"):
        return case.ledger.formula(case.id("base_gb"), "GB", STATES, bytes_per_param=bytes_per_param, params=params)
    return case.ledger.formula(
        case.id("base_gb"),
        "GB",
        QUANTISED,
        bytes_per_param=bytes_per_param,
        params=params,
        embeddings=case.id("embeddings_b"),
    )


def _host_base(case: Case, area: str, state_bytes: str) -> Memory:
    """The frozen base waits in host memory; a card holds its share of the adapters and the layer at work."""
    ledger, buffer = case.ledger, rule(case, "sizing.offload", "buffer")
    host = ledger.formula(case.id("host_ram_gb"), "GB", HOST_BASE, base=case.id("base_gb"), buffer=buffer)
    static = ledger.formula(
        case.id("static_gb"),
        "GB",
        HOSTED,
        state_bytes=state_bytes,
        adapters=case.id("adapters_b"),
        gathered=rule(case, "sizing.offload", "gathered"),
        largest_layer=case.id("largest_layer_b"),
    )
    layer = _gathered(case)
    return _memory(case, TOTAL_PHYSICAL, area, static, static - layer, layer, host)


def _memory(
    case: Case, text: str, area: str, static: Decimal, sharded: Decimal, replicated: Decimal, host: Decimal
) -> Memory:
    overhead = rule(case, "sizing.overhead", "training")
    used = activations(case)
    sharding, inputs = case.workload.sharding, {"static": case.id("static_gb")}
    case.ledger.rule(case.id("replicated_gb"), replicated, "GB", "sharding", sharding, **inputs)
    case.ledger.formula(case.id("sharded_gb"), "GB", REST, static=case.id("static_gb"), kept=case.id("replicated_gb"))
    total = case.ledger.formula(case.id("memory_gb"), "GB", text, **_inputs(case, text, area, overhead))
    low, high = _range(case, area)
    return Memory(
        total=total,
        low=low,
        high=max(high, total),
        static=static,
        sharded=sharded,
        replicated=replicated,
        activations=used,
        overhead=case.ledger.number(overhead),
        host=host,
    )


def _inputs(case: Case, text: str, area: str, overhead: str) -> dict[str, str]:
    inputs = {
        "static": case.id("static_gb"),
        "activations": case.id("activation_gb"),
        "overhead": overhead,
        "usable": rule(case, "sizing.usable", "training"),
    }
    if text == TOTAL_PHYSICAL:
        return inputs
    if text != TOTAL:
        key = "per_card" if text == TOTAL_LORA else "constant"
        base = "sizing.lora" if text == TOTAL_LORA else "sizing.qlora"
        inputs |= {key: rule(case, base, key), "params": case.id("params_b")}
        inputs |= {"per_param": rule(case, base, "per_param"), "use": rule(case, base, "use")}
        return inputs
    return inputs | {"use": rule(case, area, "use")}


def _range(case: Case, area: str) -> tuple[Decimal, Decimal]:
    """The low and high end of the memory shown to people."""
    ledger = case.ledger
    full = case.workload.task in ("full", "pretrain") and case.workload.offload == "none"
    full = full and case.workload.optimizer == "adamw"
    ends = []
    for end in ("low", "high"):
        figure = case.id(f"memory_{end}_gb")
        if full:
            inputs = {"bytes_per_param": rule(case, area, f"{end}_bytes"), "params": case.id("params_b")}
            ends.append(ledger.formula(figure, "GB", STATES, **inputs))
        else:
            inputs = {"total": case.id("memory_gb"), "static": case.id("static_gb")}
            ends.append(ledger.formula(figure, "GB", SCALED, factor=rule(case, "sizing.range", end), **inputs))
    return ends[0], ends[1]
