"""What the customer wants, as read from a form. None in the room is unknown, and so are the checks that need it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from quoting.kinds import Arguments, Language, Offload, Optimizer, Precision, Sharding, Targets, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """How one answer was read: 限 "500万以内" -> at most 5,000,000 yuan. Shown in the quote."""

    key: str
    typed: str
    read: str  # a value with its unit, the same in every language


@dataclass(frozen=True, slots=True, kw_only=True)
class Default:
    """A value taken because the form said nothing."""

    key: str
    value: str
    rule: str  # rule id


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question back to the customer: ``code`` is worded by words: ask.<code>."""

    key: str
    code: str
    arguments: Arguments = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Customer:
    name: str
    contact: str = ""
    phone: str = ""
    email: str = ""
    industry: str = ""
    city: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    name: str = ""
    delivery_city: str = ""
    needed_by: date | None = None
    form_factor: Literal["rack", "workstation", "any"] = "rack"


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """One job. Shape numbers (layers ...) come from the model; None when only a parameter count is known."""

    id: str  # w1, w2 ...
    model: str | None  # catalogue id
    name: str  # as typed, or the parameter count
    params_b: Decimal
    active_params_b: Decimal
    official: bool  # False: "stated by the customer, unofficial"
    task: Task
    precision: Precision | None  # of the weights served or of the frozen base; None: by task
    context: int
    batch: int
    rank: int
    sharding: Sharding
    offload: Offload
    concurrency: int
    concurrent: bool  # runs at the same time as the others
    tokens_b: Decimal | None  # training tokens in billions, epochs included
    deadline_days: Decimal | None
    tokens_per_second: Decimal | None
    first_token_s: Decimal | None
    targets: Targets = "all_linear"  # of LoRA and QLoRA
    optimizer: Optimizer = "adamw"  # of full training and pre-training


@dataclass(frozen=True, slots=True, kw_only=True)
class Hardware:
    """Hardware named by the customer, to be verified."""

    gpu: str | None = None  # accelerator SKU
    typed: str = ""
    cards: int | None = None  # in total
    nodes: int | None = None
    ram_gb: int | None = None  # a node
    interconnect_gbps: Decimal | None = None  # a node, to other nodes
    protocol: Literal["infiniband", "ethernet", ""] = ""  # of that network, where the customer names it
    owned: bool = False
    node_power_kw: Decimal | None = None  # as the customer states it
    psu_count: int | None = None
    psu_w: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Circuit:
    """One feed of a rack."""

    phases: Literal[1, 3]
    amps: Decimal
    kw: Decimal | None = None  # given in kW instead of amperes


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteNeed:
    """The customer's room. None is unknown and makes the checks that need it unknown."""

    racks: int | None = None
    rack_power_kw: Decimal | None = None
    rack_units: int | None = None
    circuit: Circuit | None = None
    feeds: Literal["N", "2N"] | None = None
    existing_amps: Decimal | None = None  # already on each phase
    transformer_kva: Decimal | None = None
    transformer_load_kva: Decimal | None = None
    ups_kva: Decimal | None = None
    ups_load_kw: Decimal | None = None
    ups_minutes: Decimal | None = None
    generator: bool | None = None
    cooling_kw: Decimal | None = None  # free for us
    cooling_redundancy: Literal["N", "N+1", "2N"] | None = None
    supply_temperature_c: Decimal | None = None
    liquid_ready: bool | None = None
    floor_load_kg_m2: Decimal | None = None  # the low end of a range
    floor_point_kg: Decimal | None = None
    spreader_frame: bool | None = None
    door_mm: tuple[int, int] | None = None  # width, height of the smallest opening
    lift_kg: Decimal | None = None
    lift_mm: tuple[int, int, int] | None = None  # width, depth, height
    altitude_m: Decimal | None = None
    accept: tuple[str, ...] = ()  # remedy ids, or ("all",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    reuse: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Compliance:
    domestic: Literal["required", "preferred", "no"] = "no"
    controlled_parts: Literal["allow", "exclude"] = "allow"
    imports_allowed: bool = True
    mlps_level: int | None = None  # 等保


@dataclass(frozen=True, slots=True, kw_only=True)
class Commercial:
    budget: Decimal | None = None  # yuan, the upper end
    budget_tax_included: bool = True
    discount: Decimal = Decimal(0)  # 0.05 is five per cent off
    payment: str = ""
    validity_days: int | None = None
    warranty_years: int | None = None
    currency: str = "CNY"
    utilisation: Decimal | None = None
    electricity_cny_kwh: Decimal | None = None
    months: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChange:
    """A sales engineer's own change to the lines."""

    action: Literal["add", "replace", "remove", "quantity", "price", "note"]
    sku: str = ""
    name: str = ""
    with_sku: str = ""  # replace: by this
    quantity: int | None = None
    unit_price: Decimal | None = None
    tax_rate: Decimal | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentNeed:
    language: Language = "zh"
    mode: Literal["proposal", "tender"] = "proposal"
    price_detail: Literal["lines", "groups", "none"] = "lines"
    clauses: Literal["goods", "integration", "services", "tender", ""] = ""  # "": the house's, else by what is quoted


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    form_version: int
    customer: Customer
    project: Project
    workloads: tuple[Workload, ...]
    hardware: Hardware | None
    site: SiteNeed
    scope: Scope
    compliance: Compliance
    commercial: Commercial
    lines: tuple[LineChange, ...]
    document: DocumentNeed
    understood: tuple[Understood, ...] = ()
    plain: tuple[Understood, ...] = ()  # answers that were read as they stand
    defaults: tuple[Default, ...] = ()
    asks: tuple[Ask, ...] = ()
