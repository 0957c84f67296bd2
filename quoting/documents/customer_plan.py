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
    one: str = ""  # the unit of exactly one
    kind: str = ""  # of an alternative: fewer_nodes, use_qlora, more_performance, domestic, workstation
    time: str = ""  # days, days a billion tokens or tokens a second
    difference: Decimal | None = None  # of an alternative: its total less the chosen plan's
    uplink: str = ""  # what one node plugs into the customer's own switches
    margin: Decimal | None = None  # available against required; None: a rule of yes or no
    total: Decimal | None = None  # of the whole project with an alternative
    standing: str = ""  # of an alternative: whether room and budget hold it


@dataclass(frozen=True, slots=True, kw_only=True)
class CountingRow:
    """What one published rule of training memory gives on the chosen card."""

    name: str
    note: str
    bytes_per_param: str
    states_gb: str
    cards: str
    source: str
    used: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """Published rules for one full training, fewest bytes first."""

    work: str
    gpu: str
    use: Decimal
    adapters: bool
    rows: tuple[CountingRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Supply:
    """How power reaches the racks; None is unknown."""

    transformer_kva: Decimal | None
    transformer_load_kva: Decimal | None
    ups_kva: Decimal | None  # in the room
    ups_needed_kva: Decimal | None
    ups: bool  # the room has one, or the total holds one
    generator: bool | None
    sides: tuple[str, ...]  # "A", "B"; empty: unknown
    phases: int | None
    amps: Decimal | None
    circuit_kw: Decimal | None
    power_kw: Decimal | None


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
    activation_gb: Decimal = Decimal(0)
    overhead_gb: Decimal = Decimal(0)
    kv_gb: Decimal = Decimal(0)
    range_note: str = ""  # which bytes a parameter the ends of the range count


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """Links of a network to one kind of equipment: ``text`` says how many and how fast."""

    kind: str  # node, head, storage, switch, pdu, peer, inband, outofband, customer
    name: str
    text: str
    links: int


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
    switches: str  # how many, by tier
    joined: tuple[Joined, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    label: str
    name: str
    kind: str  # category of the part, decides the shade
    bottom: int
    units: int
    power_kw: Decimal | None = None
    weight_kg: Decimal | None = None


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
    units_used: int | None = None
