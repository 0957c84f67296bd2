"""How many cards hold a workload: pure counting, no catalogue.

Formula texts are what is evaluated for the chosen plan; the search uses the same arithmetic in closed form.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import ceil

from quoting.stages.fit.rules import Limits

PER_CARD = "sharded / cards + replicated + activations + overhead + gather"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """Training memory of one workload as it lies on cards, GB."""

    sharded: Decimal  # divides by the cards
    replicated: Decimal
    activations: Decimal
    overhead: Decimal
    gather: Decimal  # buffers, on several cards only
    total: Decimal  # by the rule of total memory; 0: the per-card check alone decides

    def per_card(self, cards: int, buffers: bool = True) -> Decimal:
        """Memory of one card when ``cards`` share the work."""
        gather = self.gather if buffers and cards > 1 else Decimal(0)
        return self.sharded / cards + self.replicated + self.activations + self.overhead + gather


def rounded_cards(cards: int, per_node: int) -> int:
    """1, 2, 4, 8 within a node, then whole nodes."""
    if cards >= per_node:
        return ceil(cards / per_node) * per_node
    return min(1 << (cards - 1).bit_length(), per_node)


def recommended_nodes(nodes: int, limits: Limits) -> int:
    """The next power of two, above it multiples of the small step, then of the large one."""
    if nodes <= limits.pow2_up_to:
        return 1 << (nodes - 1).bit_length()
    step = limits.small_step if nodes <= limits.small_up_to else limits.large_step
    return ceil(nodes / step) * step


def total_cards(shares: Shares, memory_gb: Decimal, per_node: int) -> int:
    """Fewest cards by the rule of total memory alone."""
    return rounded_cards(max(1, ceil(shares.total / memory_gb)), per_node)


def training_cards(shares: Shares, memory_gb: Decimal, usable: Decimal, per_node: int) -> int | None:
    """Fewest cards that satisfy the total rule and the per-card check; None if no count does."""
    by_total = total_cards(shares, memory_gb, per_node)
    room = memory_gb * usable
    if by_total == 1 and shares.per_card(1) <= room:
        return 1
    left = room - (shares.replicated + shares.activations + shares.overhead + shares.gather)
    if left < 0 or (left == 0 and shares.sharded):
        return None
    by_card = ceil(shares.sharded / left) if shares.sharded else 1
    return rounded_cards(max(by_total, by_card, 2), per_node)


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """A served model as it lies on cards: weights GB, cache GB of one request, attention heads."""

    weights: Decimal
    cache: Decimal
    heads: int
    kv_heads: int
    concurrency: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Tensor-parallel cards within a node, pipeline stages over nodes, independent replicas."""

    tensor: int
    pipeline: int
    replicas: int
    requests: int  # held at once by one replica

    @property
    def cards(self) -> int:
        return self.tensor * self.pipeline * self.replicas


def cache_shards(serving: Serving, tensor: int, pipeline: int) -> int:
    """Cards over which one request's cache divides: beyond the key-value heads it is copied instead."""
    return pipeline * min(tensor, serving.kv_heads)


def requests_held(serving: Serving, room: Decimal, tensor: int, pipeline: int) -> int:
    """Requests whose cache fits beside the weights when ``room`` GB of each card may be used; -1: not the weights."""
    left = room - serving.weights / (tensor * pipeline)
    if left < 0:
        return -1
    return int(left * cache_shards(serving, tensor, pipeline) / serving.cache) if serving.cache else 1 << 30


def tensor_degrees(heads: int, cards: int) -> list[int]:
    """Tensor-parallel degrees up to ``cards``: those that divide the attention heads."""
    return [size for size in range(1, cards + 1) if not heads % size]


def tensor_sizes(heads: int, cards: int) -> list[int]:
    """The degrees that are planned with: powers of two, so that whole nodes are used."""
    return [size for size in tensor_degrees(heads, cards) if size.bit_count() == 1]


def layouts(serving: Serving, room: Decimal, per_node: int, max_pipeline: int) -> list[Layout]:
    """Every layout whose replica holds at least one request, enough replicas for all requests."""
    sizes = tensor_sizes(serving.heads, per_node)
    shapes = [(tensor, 1) for tensor in sizes]
    stage = 2
    while stage <= max_pipeline:
        shapes.append((sizes[-1], stage))
        stage *= 2
    found = []
    for tensor, pipeline in shapes:
        held = requests_held(serving, room, tensor, pipeline)
        if held >= 1:
            replicas = ceil(serving.concurrency / held)
            found.append(Layout(tensor=tensor, pipeline=pipeline, replicas=replicas, requests=held))
            if pipeline > 1:
                break
    return found


def best_layout(found: list[Layout], per_node: int) -> Layout | None:
    """Fewest cards after rounding, then the widest tensor parallelism."""
    if not found:
        return None
    return min(found, key=lambda layout: (rounded_cards(layout.cards, per_node), layout.pipeline, -layout.tensor))
