"""The technical half of a customer's view: workloads, plans, networks and racks. The same rules as in customer.py."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A label with what stands beside it."""

    label: str
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One way to do the job; ``amount`` is nodes x node price, without room and fabric."""

    tier: str
    platform: str
    gpu: str
    nodes: int | None
    cards: int | None
    minimum_nodes: int | None
    memory_gb: Decimal | None
    amount: Decimal | None
    power_kw: Decimal | None
    days: Decimal | None
    days_per_billion_tokens: Decimal | None
    verdict: Literal["fits", "tight", "no"]
    rejected_by: str  # sentence or name of the one rule; "" when it would do
    required: Decimal | None
    available: Decimal | None
    unit: str
    change: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """One computed figure: ``names`` with the quantities' names, ``filled`` with their numbers."""

    name: str
    names: str
    filled: str
    value: Decimal | int | str | None
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One workload: what was asked, what it needs, and what the chosen plan does for it."""

    id: str
    model: str
    task: str
    regime: str
    params_b: Decimal
    official: bool
    training: bool
    tokens_b: Decimal | None
    facts: tuple[Pair, ...]
    static_gb: Decimal
    memory_low_gb: Decimal
    memory_gb: Decimal
    memory_high_gb: Decimal
    storage_gb: Decimal
    minimum_cards: int | None
    cards: int | None
    per_card_gb: Decimal | None
    card_gb: Decimal | None
    card_group: int | None  # cards that share one copy of a served model
    days: Decimal | None
    days_low: Decimal | None
    days_high: Decimal | None
    tokens_per_second: Decimal | None
    first_token_s: Decimal | None
    formulas: tuple[Formula, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fabric:
    id: str
    name: str
    shape: str
    protocol: str
    gbps: int
    nodes: int
    ports_per_node: int
    leaf: int
    spine: int
    core: int
    node_links: int
    leaf_spine_links: int
    spine_core_links: int
    oversubscription: Decimal
    leaf_name: str
    spine_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    label: str
    name: str
    kind: str  # category of the part, decides the shade
    bottom: int
    units: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rack:
    id: str
    name: str
    units: int
    boxes: tuple[Box, ...]
    power_kw: Decimal | None
    heat_kw: Decimal | None
    weight_kg: Decimal | None
    feeds_per_side: int
    pdus: int
    outlets_c13: int
    outlets_c19: int
