"""One workload on one server: how many cards hold it, or the rule that says no."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from math import ceil

from quoting.kinds import Tier
from quoting.parts import Accelerator, Platform
from quoting.rows import Catalog
from quoting.stages.fit.cards import Layout, best_layout, layouts, rounded_cards, total_cards, training_cards
from quoting.stages.fit.jobs import Job, lacks_fp8, serving
from quoting.stages.fit.rules import Limits
from quoting.stages.fit.speed import decode_tokens_per_second


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """The one rule that says no, and by how much."""

    rule: str
    required: Decimal | None = None
    available: Decimal | None = None
    unit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """A server as fitting sees it: a platform of the catalogue, or a nameless node around named cards."""

    sku: str
    family: str
    accelerator: Accelerator
    cards: int
    link_gbs: Decimal
    max_nodes_training: int
    max_nodes_serving: int
    max_pipeline: int
    ram_gb: int | None
    power_w: Decimal | None
    between_gbps: Decimal | None = None  # of one node to other nodes


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """One workload on one host: fewest cards, or why not."""

    minimum: int | None
    recommended: int | None = None
    layout: Layout | None = None
    by_total: int | None = None  # fewest cards by the rule of total memory alone
    rejection: Rejection | None = None


def host_of(platform: Platform, catalog: Catalog, limits: Limits) -> Host:
    """A platform as a host. Several nodes train together only over a compute fabric, and never in the entry family."""
    accelerator = catalog.accelerators[platform.accelerator]
    joined = platform.fabric != "none" and platform.form_factor == "rack" and platform.family != "entry"
    tier = catalog.tiers.get(platform.family)
    replicas = tier.max_nodes_inference if tier and platform.form_factor == "rack" else None
    return Host(
        sku=platform.sku,
        family=platform.family,
        accelerator=accelerator,
        cards=platform.cards,
        link_gbs=max(platform.link_gbs, counted_link(accelerator)),
        max_nodes_training=limits.max_nodes if joined else 1,
        max_nodes_serving=replicas or (limits.max_nodes if joined else 1),
        max_pipeline=limits.max_nodes if joined else 1,
        ram_gb=platform.ram_gb,
        power_w=platform.power_w,
        between_gbps=Decimal(platform.rails * platform.rail_gbps) or None,
    )


def counted_link(accelerator: Accelerator) -> Decimal:
    """GB/s between all cards of a node that its maker declares; bridges of PCIe cards join some only and count 0."""
    return Decimal(0) if accelerator.form == "pcie" else accelerator.link_gbs or Decimal(0)


def tier_of(family: str, nodes: int) -> Tier:
    """The tier of so many nodes of a family."""
    if family == "enterprise":
        return "enterprise" if nodes == 1 else "cluster"
    return "xinchuang" if family == "xinchuang" else "entry"


def place(job: Job, host: Host, limits: Limits) -> Placement:
    """Fewest and recommended cards for one workload on this host."""
    support = unsupported(job, host.accelerator)
    if support is not None:
        return Placement(minimum=None, rejection=support)
    if host.accelerator.memory_gb is None:
        return Placement(minimum=None, rejection=Rejection(rule="vram_total", required=job.need.memory_gb, unit="GB"))
    return place_training(job, host, limits) if job.training else place_serving(job, host, limits)


def unsupported(job: Job, accelerator: Accelerator) -> Rejection | None:
    """A number format the work needs and the card is known not to have."""
    if job.need.needs_fp8 and lacks_fp8(job, accelerator):
        return Rejection(rule="fp8_support")
    if job.workload.precision == "bf16" and job.need.needs_bf16 and accelerator.has_bf16 is False:
        return Rejection(rule="bf16_support")
    return None


def weak_link(job: Job, host: Host, limits: Limits) -> Rejection | None:
    """16 bit training on cards without an all-to-all fabric: refused above a model size, earlier on small cards."""
    if not job.need.sixteen_bit_training or host.link_gbs >= limits.fabric_gbs:
        return None
    params = job.workload.params_b
    if params > limits.pcie_up_to_b:
        if not host.link_gbs and host.accelerator.link_gbs is None:
            return Rejection(rule="fit.link_unknown")
        return Rejection(rule="interconnect", required=limits.fabric_gbs, available=host.link_gbs, unit="GB/s")
    memory = host.accelerator.memory_gb or Decimal(0)
    if params > limits.pcie_small_up_to_b and memory < limits.pcie_larger_card_gb:
        needed = limits.pcie_larger_card_gb
        return Rejection(rule="fit.pcie_training", required=needed, available=memory, unit="GB")
    return None


def place_training(job: Job, host: Host, limits: Limits) -> Placement:
    """Training: total memory and the per-card check, host memory under offload, then the link between cards."""
    memory = host.accelerator.memory_gb or Decimal(1)
    most = host.max_nodes_training * host.cards
    cards = training_cards(job.shares, memory, limits.usable_training, host.cards)
    cards = _for_host_memory(job, host, cards)
    by_total = total_cards(job.shares, memory, host.cards)
    if cards is not None and cards > most and host.max_nodes_training == 1 and host.family != "entry":
        return Placement(minimum=cards, by_total=by_total, rejection=not_joined(cards, host))
    if cards is None or cards > most:
        rejection = memory_rejection(job, memory, min(most, max(by_total, host.cards)), limits, by_total > most)
        return Placement(minimum=cards, by_total=by_total, rejection=rejection)
    recommended = _recommended(job, host, cards, memory)
    return Placement(minimum=cards, recommended=recommended, by_total=by_total, rejection=weak_link(job, host, limits))


def not_joined(cards: int, host: Host) -> Rejection:
    """Work that would fit on several nodes of a platform without a known network between nodes."""
    needed = Decimal(ceil(cards / host.cards))
    return Rejection(rule="fit.not_joined", required=needed, available=Decimal(1), unit="node")


def _for_host_memory(job: Job, host: Host, cards: int | None) -> int | None:
    """Whole nodes enough for what offload keeps in host memory."""
    if cards is None or not job.need.host_ram_gb or not host.ram_gb:
        return cards
    nodes = ceil(job.need.host_ram_gb / host.ram_gb)
    return cards if nodes <= 1 else max(cards, nodes * host.cards)


def memory_rejection(job: Job, memory: Decimal, cards: int, limits: Limits, by_total: bool) -> Rejection:
    """What memory lacks at the most cards that may be used."""
    if by_total:
        return Rejection(rule="vram_total", required=job.shares.total, available=memory * cards, unit="GB")
    needed, room = job.shares.per_card(cards), memory * limits.usable_training
    if needed <= room:
        ram = Decimal(job.need.host_ram_gb)
        return Rejection(rule="host_ram", required=ram, unit="GB")
    return Rejection(rule="per_card_memory", required=needed, available=room, unit="GB")


def _recommended(job: Job, host: Host, cards: int, memory: Decimal) -> int:
    """Adapters: the rule of memory with headroom, never a second node when one holds the work.

    Pre-training: a power of two of nodes, whatever their number.
    """
    if job.need.task == "pretrain" and cards > host.cards:
        return (1 << (cards // host.cards - 1).bit_length()) * host.cards
    if job.adapter_rule is None:
        return cards
    per_param, per_card, use = job.adapter_rule
    left = memory * use - per_card
    if left <= 0:
        return cards
    by_rule = ceil((per_param * job.workload.params_b + job.constant_gb) / left)
    wanted = rounded_cards(max(cards, by_rule), host.cards)
    return max(cards, min(wanted, host.cards))


def place_serving(job: Job, host: Host, limits: Limits) -> Placement:
    """Serving: weights over tensor-parallel cards and pipeline stages, replicas until every request has its cache."""
    memory = host.accelerator.memory_gb or Decimal(1)
    model = serving(job, host.accelerator)
    room = memory * limits.usable_inference - limits.reserve_gb
    found = layouts(model, room, host.cards, host.max_pipeline)
    best = best_layout(found, host.cards)
    most = host.cards * host.max_nodes_serving
    if best is not None:
        best = fast_enough(job, best, host, limits, most)
        cards = rounded_cards(best.cards, host.cards)
        if cards <= most:
            return Placement(minimum=cards, recommended=cards, layout=best)
        needed, held = Decimal(job.workload.concurrency), Decimal(best.requests * most // best.cards * best.replicas)
        rejection = Rejection(rule="kv_cache_room", required=needed, available=held, unit="requests")
        return Placement(minimum=cards, layout=best, rejection=rejection)
    cards = host.cards * host.max_pipeline
    joined = best_layout(layouts(model, room, host.cards, limits.max_nodes), host.cards)
    if joined is not None and host.max_pipeline == 1:
        rejection = not_joined(joined.tensor * joined.pipeline, host)
    elif model.weights > room * cards:
        rejection = Rejection(rule="vram_total", required=model.weights, available=room * cards, unit="GB")
    else:
        rejection = Rejection(rule="kv_cache_room", required=Decimal(1), available=Decimal(0), unit="requests")
    return Placement(minimum=None, rejection=rejection)


def replica_speed(job: Job, layout: Layout, host: Host, limits: Limits) -> Decimal | None:
    """Tokens a second of one replica at its share of the requests; None when the card's bandwidth is not known.

    A sparse model reads the experts of every request in flight, at most all of them.
    """
    accelerator = host.accelerator
    if not accelerator.bandwidth_gbs:
        return None
    model, cards = serving(job, accelerator), layout.tensor * layout.pipeline
    requests = max(1, min(ceil(job.workload.concurrency / layout.replicas), layout.requests))
    active = model.weights * job.workload.active_params_b / job.workload.params_b
    read = min(model.weights, active * requests) if job.sparse else model.weights
    return decode_tokens_per_second(accelerator.bandwidth_gbs, cards, limits.decode, requests, read, model.cache)


def fast_enough(job: Job, layout: Layout, host: Host, limits: Limits, most: int) -> Layout:
    """As many replicas as the asked speed takes, while the cards may be used; else the layout as it was."""
    asked, wider = job.workload.tokens_per_second, layout
    while asked is not None and wider.cards <= most:
        speed = replica_speed(job, wider, host, limits)
        if speed is None or wider.replicas > max(job.workload.concurrency, 1):
            return layout
        if speed * wider.replicas >= asked:
            return wider
        wider = replace(wider, replicas=wider.replicas * 2)
    return layout
