"""Checks of hardware against the work: two thresholds, so that real working setups are not refused."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from math import ceil

from quoting.kinds import Arguments, Status
from quoting.records import Check, WorkloadFit
from quoting.stages.fit.cards import Serving, requests_held, tensor_sizes
from quoting.stages.fit.jobs import Job, serving
from quoting.stages.fit.placing import Host
from quoting.stages.fit.rules import Limits
from quoting.stages.margins import margin

SIXTEEN_BIT = ("bf16", "fp16")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """The hardware under check, as a customer names it or as we propose it."""

    host: Host
    cards: int
    nodes: int
    ram_gb: int | None  # a node
    between_gbps: Decimal | None  # a node, to other nodes
    named: bool
    owned: bool = False

    @property
    def memory(self) -> Decimal:
        """Memory of one card, GB; zero when not known."""
        return self.host.accelerator.memory_gb or Decimal(0)

    @property
    def node_cards(self) -> int:
        return ceil(self.cards / self.nodes)


def check(
    id: str,
    status: Status,
    where: str = "",
    required: Decimal | None = None,
    available: Decimal | None = None,
    unit: str = "",
    arguments: Arguments = (),
) -> Check:
    """A comparison with its margin; ``source`` is the rule of the same name."""
    return Check(
        id=id,
        status=status,
        required=required,
        available=available,
        margin=margin(id, required, available, unit),
        unit=unit,
        where=where,
        code=f"{id}.{status}",
        arguments=arguments,
        source=id,
    )


def forgiving(job: Job) -> bool:
    """Whether a thin margin is a warning: full training and quantised or sparse models run on it, others do not."""
    if job.training:
        return job.need.task in ("full", "pretrain", "qlora")
    return job.sparse or job.need.weights_precision not in SIXTEEN_BIT


def two_thresholds(static: Decimal, capacity: Decimal, job: Job, limits: Limits) -> Status:
    """Static above capacity fails; static with headroom above capacity warns or fails by kind of work."""
    if static > capacity:
        return "fail"
    if static * limits.headroom > capacity:
        return "warn" if forgiving(job) else "fail"
    return "pass"


def memory_checks(job: Job, setting: Setting, limits: Limits) -> list[Check]:
    """vram_total and per_card_memory, and what follows from them."""
    if job.training:
        return training_memory(job, setting, limits)
    return serving_memory(job, setting, limits)


def training_memory(job: Job, setting: Setting, limits: Limits) -> list[Check]:
    """Training: total, one card, context, sharding."""
    where, memory, cards = job.need.workload, setting.memory, setting.cards
    static, total = job.need.static_gb, memory * cards
    found = [check("vram_total", two_thresholds(static, total, job, limits), where, static, total, "GB")]
    needed, room = job.shares.per_card(cards), memory * limits.usable_training
    one = check("per_card_memory", per_card_status(job, setting, limits), where, needed, room, "GB")
    found += [one, context_check(job, setting, limits, one.status)]
    if cards > 1 and job.workload.sharding in ("ddp", "zero2"):
        found.append(sharding_check(job, setting, limits, one.status))
    return found


def per_card_status(job: Job, setting: Setting, limits: Limits) -> Status:
    """Within the usable part passes; only buffers above the card itself warn; states and activations above it fail."""
    if job.shares.per_card(setting.cards) <= setting.memory * limits.usable_training:
        return "pass"
    tolerable = job.shares.per_card(setting.cards, buffers=False) <= setting.memory
    return "warn" if tolerable and forgiving(job) else "fail"


def context_check(job: Job, setting: Setting, limits: Limits, card: Status) -> Check:
    """Activations at the asked context against what the rest leaves on a card."""
    context, used = job.workload.context, job.need.activation_gb
    left = setting.memory * limits.usable_training - (job.shares.per_card(setting.cards) - used)
    status: Status = "pass"
    if card != "pass" and context > limits.short_context and left > 0:
        status = card
    elif context >= limits.long_context or (job.model_context or context) < context:
        status = "warn"
    fits = context_that_fits(job, setting, limits)
    arguments = (("context", context), ("fits", fits))
    return check("long_context", status, job.need.workload, used, left, "GB", arguments)


def context_that_fits(job: Job, setting: Setting, limits: Limits) -> int:
    """The longest context whose activations fit, in whole steps; 0 when not even the states do."""
    used = job.need.activation_gb
    left = setting.memory * limits.usable_training - (job.shares.per_card(setting.cards) - used)
    if left <= 0 or not used:
        return 0
    return int(job.workload.context * left / used) // limits.context_step * limits.context_step


def sharding_check(job: Job, setting: Setting, limits: Limits, card: Status) -> Check:
    """Whether dividing all states over the cards would cure what a copy on every card breaks."""
    shares, cards = job.shares, setting.cards
    divided = shares.per_card(cards) - (shares.replicated - shares.replicated / cards)
    room = setting.memory * limits.usable_training
    status: Status = card if card != "pass" and divided <= room else "pass"
    arguments = (("sharding", job.workload.sharding), ("divided", divided))
    return check("sharding", status, job.need.workload, shares.per_card(cards), room, "GB", arguments)


def served_model(job: Job, setting: Setting) -> Serving:
    """The weights to hold: as counted for named hardware, as the published files for our own proposal."""
    model = serving(job, setting.host.accelerator)
    if not setting.named or model.weights == job.doubled_gb:
        return model
    return Serving(
        weights=job.need.static_gb,
        cache=model.cache,
        heads=model.heads,
        kv_heads=model.kv_heads,
        concurrency=model.concurrency,
    )


def serving_memory(job: Job, setting: Setting, limits: Limits) -> list[Check]:
    """Serving: total, one card, and how many requests the cache holds."""
    where, memory, model = job.need.workload, setting.memory, served_model(job, setting)
    total = memory * setting.cards
    status = two_thresholds(model.weights, total, job, limits) if setting.named else "pass"
    found = [check("vram_total", status, where, model.weights, total, "GB")]
    shards = max(tensor_sizes(model.heads, setting.node_cards)) * setting.nodes
    share, usable = model.weights / shards, memory * limits.usable_inference - limits.reserve_gb
    tight = memory * limits.tight if forgiving(job) else usable
    one: Status = "pass" if share <= usable else "warn" if share <= tight else "fail"
    room_gb = usable if one == "pass" else tight
    weights = check("per_card_memory", one, where, share, room_gb, "GB", (("shards", shards),))
    found.append(replace(weights, code=f"per_card_memory.weights_{one}"))
    held = held_requests(model, setting, usable) or held_requests(model, setting, tight)
    asked = job.workload.concurrency
    room: Status = "pass" if held >= asked else "warn" if held else "fail"
    arguments = (("context", job.workload.context), ("held", held))
    found.append(check("kv_cache_room", room, where, Decimal(asked), Decimal(held), "requests", arguments))
    window = job.model_context
    beyond: Status = "warn" if window and job.workload.context > window else "pass"
    needed = Decimal(job.workload.context)
    held_window = Decimal(window) if window else None
    found.append(check("long_context", beyond, where, needed, held_window, "token", (("fits", window or 0),)))
    return found


def held_requests(model: Serving, setting: Setting, room: Decimal) -> int:
    """Requests that all cards hold at once, by the best mix of tensor-parallel replicas."""
    best = 0
    for tensor in tensor_sizes(model.heads, setting.node_cards):
        for pipeline in {1, setting.nodes}:
            held = requests_held(model, room, tensor, pipeline)
            replicas = (setting.node_cards // tensor) * (setting.nodes // pipeline)
            best = max(best, held * replicas)
    return min(best, 1 << 30)


def throughput_checks(job: Job, fitted: WorkloadFit | None, limits: Limits) -> list[Check]:
    """Decode and first-token estimates against what the form asks."""
    found = []
    asked, first, where = job.workload.tokens_per_second, job.workload.first_token_s, job.need.workload
    speed = fitted.tokens_per_second if fitted else None
    seconds = fitted.first_token_s if fitted else None
    if asked is not None:
        found.append(check("throughput", _ratio_status(speed, asked, limits), where, asked, speed, "tokens/s"))
    if first is not None:
        status = _ratio_status(first, seconds, limits) if seconds else "unknown"
        found.append(check("throughput", status, where, first, seconds, "s"))
    return found


def _ratio_status(available: Decimal | None, required: Decimal | None, limits: Limits) -> Status:
    if available is None or required is None:
        return "unknown"
    if available < required:
        return "fail"
    return "warn" if available < required * limits.throughput_warn else "pass"
