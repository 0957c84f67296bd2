"""The spine: every record on the road from a form to a quotation, in the order they appear on it.

    Requirement -> Demand -> Choice -> Bom -> Site -> Price -> Ownership = Quote        (Catalog feeds every stage)

``requirement.py`` holds the first, ``parts.py`` and ``rows.py`` the catalogue, this file all the rest. All records are
immutable. Units are in the names: _gb decimal gigabytes, _gbs gigabytes a second, _kw, _w, _kg, _mm, _m, _b billions of
parameters, _gbps gigabits a second. Money is Decimal yuan with two places, tax included unless the name says otherwise.
None means "not known", never zero. Text for people is not here: records carry codes, and templates/words/ has the
sentences.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Literal

from quoting.figure import Figure
from quoting.kinds import Arguments, Grade, Origin, Precision, Status, Task, Tier
from quoting.requirement import Requirement

# --------------------------------------------------------------------------- Demand: what the work needs, no hardware


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What one workload needs. Per-card parts that do not shrink with more cards are kept apart from those that do."""

    workload: str  # w1
    task: Task
    regime: str  # code: full.mixed, lora.bf16, qlora.nf4, inference.bf16 ...
    weights_precision: Precision
    memory_gb: Decimal  # default total, the number to quote
    memory_low_gb: Decimal
    memory_high_gb: Decimal
    static_gb: Decimal  # states or weights alone, no headroom: above capacity it cannot run
    sharded_gb: Decimal  # per-card share divides by the cards that shard it
    replicated_gb: Decimal  # on every card whatever the count (DDP copy, adapters, embeddings)
    activation_gb: Decimal  # per card, at this context and batch
    overhead_gb: Decimal  # per card: runtime context and workspace
    kv_gb: Decimal  # inference: cache for the concurrency and context asked
    kv_bytes_per_token: int | None
    kv_heads: int | None
    heads: int | None
    flops: Decimal | None  # of the whole job; None when the tokens are unknown
    flops_per_token: Decimal
    deadline_days: Decimal | None
    host_ram_gb: Decimal  # offload's need over all nodes; 0 without offload
    checkpoint_gb: Decimal  # storage for three checkpoints
    storage_gb: Decimal
    needs_bf16: bool
    needs_fp8: bool
    sixteen_bit_training: bool
    official: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    needs: tuple[Need, ...]
    storage_gb: Decimal
    figures: tuple[Figure, ...] = ()


# --------------------------------------------------------------------------- Checks, findings, remedies


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One comparison. ``id`` is a name of rules.toml; ``code`` words the sentence (words: check.<code>)."""

    id: str
    status: Status
    required: Decimal | None = None
    available: Decimal | None = None
    margin: Decimal | None = None  # share of the limit left; negative: beyond it
    unit: str = ""
    where: str = ""  # "w1", "R01", "R01/A", a SKU; "" is the whole
    code: str = ""  # default: <id>.<status>
    arguments: Arguments = ()
    remedies: tuple[str, ...] = ()  # ids of remedies that cure it
    source: str = ""  # rule id or source id
    figures: tuple[str, ...] = ()  # ids of the figures compared


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A line before it has a price. Sub-items (``parent``) are part of a complete node and have no price."""

    sku: str
    quantity: int
    group: str  # compute network storage software service rack power cooling cabling spares owned
    why: str  # code, worded by words: why.<code>
    arguments: Arguments = ()
    scope: str = "node"  # token of terms.toml that puts it in or beside the total: node rack pdu switch cabling ups ...
    parent: str = ""  # SKU of the complete node it is part of
    optional: bool = False  # beside the total whatever the scope says
    owned: bool = False  # 利旧: quantity 0 on the paper, ``quantity`` needed
    name: str = ""  # a line typed by hand that has no SKU
    unit_price: Decimal | None = None  # typed by hand, tax included
    tax_rate: Decimal | None = None  # typed by hand
    changed: str = ""  # the reason of a change made by hand


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """A change that would cure failed checks. It enters the plan only when the form accepts it."""

    id: str
    cures: tuple[str, ...]
    items: tuple[Item, ...]
    price: Decimal | None = None
    accepted: bool = False
    arguments: Arguments = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something a person must know: a check that is not passed, or news of another kind (``id`` = ask, model ...)."""

    id: str
    status: Status
    code: str
    arguments: Arguments = ()
    where: str = ""
    source: str = ""


# --------------------------------------------------------------------------- Choice: which platform, how many


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadFit:
    """One workload on one platform."""

    workload: str
    minimum_cards: int | None  # None: no count up to the limit holds it
    recommended_cards: int | None
    per_card_gb: Decimal | None  # at the recommended count
    tensor_parallel: int | None = None
    copy_cards: int | None = None  # that share one copy of a served model, and over which per_card_gb is counted
    days: Decimal | None = None
    days_low: Decimal | None = None
    days_high: Decimal | None = None
    tokens_per_second: Decimal | None = None  # decode, whole service
    first_token_s: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """How one platform would do the whole job. ``nodes`` is recommended and priced, ``minimum_nodes`` the economy."""

    tier: Tier
    platform: str
    gpu: str
    nodes: int | None
    cards: int | None
    minimum_nodes: int | None
    memory_gb: Decimal | None
    node_cost: Decimal | None  # nodes x node price; None: no price
    power_kw: Decimal | None  # nodes x node power, breaks ties
    days: Decimal | None
    days_per_billion_tokens: Decimal | None
    feasible: bool
    verdict: Literal["fits", "tight", "no"] = "fits"
    rejected_by: str = ""  # the one rule that rejected it, a check or rule id; "" is chosen or merely dearer
    rejected_required: Decimal | None = None
    rejected_available: Decimal | None = None
    rejected_unit: str = ""
    rejected_margin: Decimal | None = None  # available / required - 1; None: a rule of yes or no
    workloads: tuple[WorkloadFit, ...] = ()
    checks: tuple[Check, ...] = ()
    change: str = ""  # smallest change that would make it fit, a code: words change.<code>
    change_arguments: Arguments = ()
    cost_difference: Decimal | None = None  # of an alternative: its node cost less the chosen's


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting:
    """What a published rule of training memory would give for one workload on the chosen kind of card."""

    workload: str
    rule: str  # regime.zero_paper, published.doubled, sizing.lora ...
    low_bytes: Decimal  # a parameter
    high_bytes: Decimal
    low_gb: Decimal
    high_gb: Decimal
    low_cards: int
    high_cards: int
    used: bool
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    chosen: Fit | None  # None: nothing in the catalogue can do it
    named: Fit | None
    others: tuple[Fit, ...]
    alternatives: tuple[Fit, ...] = ()  # economy, 信创 ... to show beside the chosen
    reasons: tuple[str, ...] = ()  # codes, decisive first
    findings: tuple[Finding, ...] = ()
    countings: tuple[Counting, ...] = ()  # where published rules of memory disagree, fewest bytes first
    figures: tuple[Figure, ...] = ()


# --------------------------------------------------------------------------- Bom: what does not depend on the room


# What the labels of a network's switches begin with, in racks and pictures.
SWITCH_LABELS = MappingProxyType({"compute": "SW-C", "storage": "SW-S", "inband": "SW-B", "outofband": "SW-M"})


EndKind = Literal["node", "head", "storage", "switch", "pdu", "peer", "inband", "outofband", "customer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
    """Links of one network that end at one kind of equipment, at the speed they run; ``customer`` is the uplink."""

    kind: EndKind
    links: int
    gbps: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """One fabric: leaves, spines and links, by rule. ``direct`` goes to the customer's own switches."""

    id: Literal["compute", "storage", "inband", "outofband"]
    shape: Literal["none", "direct", "star", "two_tier", "three_tier"]
    protocol: str
    gbps: int
    nodes: int
    ports_per_node: int
    leaf: int = 0
    spine: int = 0
    core: int = 0
    node_links: int = 0
    leaf_spine_links: int = 0
    spine_core_links: int = 0
    oversubscription: Decimal = Decimal(1)
    leaf_sku: str = ""
    spine_sku: str = ""
    ends: tuple[Ends, ...] = ()  # every link by what it ends at; empty for the compute fabric
    card_gbps: int = 0  # of a node's port, where it is faster than the link

    def ends_at(self, kind: EndKind) -> int:
        """How many links end at equipment of ``kind``."""
        return sum(one.links for one in self.ends if one.kind == kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bom:
    items: tuple[Item, ...]
    networks: tuple[Network, ...] = ()
    checks: tuple[Check, ...] = ()
    figures: tuple[Figure, ...] = ()


# --------------------------------------------------------------------------- Site: racks, cables, power, cooling, floor


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Equipment in a rack: ``bottom`` is the lowest unit it takes, from 1."""

    sku: str
    label: str  # "N01", "SW-C1"
    bottom: int
    units: int
    power_kw: Decimal | None
    weight_kg: Decimal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RackPlan:
    id: str  # R01
    sku: str
    units: int
    placed: tuple[Placed, ...]
    power_kw: Decimal | None
    heat_kw: Decimal | None
    weight_kg: Decimal | None  # loaded
    feeds_per_side: int
    pdus: int
    outlets_c13: int  # needed
    outlets_c19: int
    units_used: int | None = None  # by the equipment; None is unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    racks: tuple[RackPlan, ...]
    checks: tuple[Check, ...]
    lines: tuple[Item, ...]
    remedies: tuple[Remedy, ...]
    power_kw: Decimal | None = None
    heat_kw: Decimal | None = None
    cooling_kw: Decimal | None = None  # needed, margin included
    ups_kva: Decimal | None = None  # needed
    weight_kg: Decimal | None = None
    pue: Decimal | None = None
    units_used: int | None = None  # of all racks; None is unknown
    figures: tuple[Figure, ...] = ()


# --------------------------------------------------------------------------- Price


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Internal side of a priced line; exists in no customer file."""

    unit_cost: Decimal | None  # yuan, tax included
    currency: str
    original: Decimal | None  # as the supplier states it
    rate: Decimal | None
    on: date | None
    until: date | None
    expired: bool
    source: str
    grade: Grade | None
    supplier: str
    margin: Decimal | None  # unit price - unit cost
    total: Decimal | None = None  # unit cost x quantity
    total_margin: Decimal | None = None  # subtotal - total
    margin_share: Decimal | None = None  # total margin / subtotal; None for a line of nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class PricedLine:
    no: str  # "1", "1.1"
    group: str
    sku: str
    name_zh: str
    name_en: str
    brand: str
    spec_zh: str
    spec_en: str
    part_number: str
    unit: str
    quantity: int
    unit_price: Decimal | None  # None: to be confirmed; sub-lines of a complete node have none and need none
    tax_rate: Decimal
    subtotal: Decimal | None
    net: Decimal | None
    tax: Decimal | None
    lead_weeks: int | None
    warranty_years: int | None
    origin: Origin
    why: str
    arguments: Arguments = ()
    included: bool = False  # sub-line: inside its parent's price
    owned: bool = False
    reused: int = 0  # of an owned line: how many the customer has; ``quantity`` is what is bought
    changed: str = ""  # the sales engineer's reason, when a line was changed by hand
    price_typed: bool = False  # the unit price is the sales engineer's own word
    power_w: Decimal | None = None
    weight_kg: Decimal | None = None
    rack_units: int | None = None
    cost: Cost | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupTotal:
    group: str
    total: Decimal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PackageTotal:
    """The hardware (goods and packaged software) or the services and works: buyers may order them apart."""

    package: Literal["hardware", "service"]
    total: Decimal | None  # None while a line of it has no price


@dataclass(frozen=True, slots=True, kw_only=True)
class TaxTotal:
    rate: Decimal
    net: Decimal
    tax: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    lines: tuple[PricedLine, ...]  # in printed order; subtotals sum to ``total``
    options: tuple[PricedLine, ...]  # beside the total, never in it
    net: Decimal | None
    tax: Decimal | None
    total: Decimal | None  # None while any line has no price
    total_upper: str | None  # 大写
    priced_part: Decimal  # the known sum
    groups: tuple[GroupTotal, ...] = ()
    option_groups: tuple[GroupTotal, ...] = ()
    packages: tuple[PackageTotal, ...] = ()  # sum to ``total``
    taxes: tuple[TaxTotal, ...] = ()
    band_total: Decimal | None = None  # what is compared with the tier's band, per ``band_per``
    cost_total: Decimal | None = None
    margin_total: Decimal | None = None
    remedies: tuple[Remedy, ...] = ()  # the site's, with prices
    remedies_total: Decimal | None = None  # of two or more not taken; None where two cure the same, or one has no price
    checks: tuple[Check, ...] = ()  # tier_band budget price_age no_price lead_time ...
    draft: bool = True
    draft_rows: tuple[str, ...] = ()  # SKUs whose price makes it a draft
    valid_days: int = 0
    valid_until: date | None = None
    payment: str = ""  # "30-70"
    lead_weeks: int | None = None
    figures: tuple[Figure, ...] = ()


# --------------------------------------------------------------------------- Ownership: own or rent


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """Break-even at one utilisation; ``months`` is None when owning never pays or no rent is known."""

    utilisation: Decimal
    months: Decimal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ownership:
    capex: Decimal | None
    opex_month: Decimal | None
    rent_card_hour: Decimal | None  # dated rent of the same card; None: none known
    rent_source: str
    months: int
    utilisation: Decimal
    crossings: tuple[Crossing, ...]
    rent_that_pays: tuple[tuple[int, Decimal], ...]  # (months, yuan a card-hour at which buying breaks even)
    own_by_month: tuple[Decimal, ...] = ()  # cumulated, month 0 first
    rent_by_month: tuple[Decimal, ...] = ()
    rent_low_by_month: tuple[Decimal, ...] = ()  # at the lowest utilisation of the band
    rent_high_by_month: tuple[Decimal, ...] = ()  # at the highest
    band: tuple[Decimal, ...] = ()  # its lowest and highest utilisation
    figures: tuple[Figure, ...] = ()


# --------------------------------------------------------------------------- Quote: all of it


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a plan comes to when it is furnished, housed and priced: the plan itself, or an alternative."""

    change: str  # as in Fit.change
    total: Decimal | None  # of the whole project, tax included
    difference: Decimal | None  # of that total from the plan's own
    room: Status  # fail: a check of the room fails; unknown: none does, but some lack data; else the worst
    budget: Status | None  # None: no budget was given
    over_budget: Decimal | None = None  # yuan above the budget; None: not known


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogStamp:
    version: str
    digest: str
    prices_as_of: date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    schema: int
    number: str
    revision: int
    day: date
    valid_until: date | None
    status: Literal["draft", "final"]
    program: str
    catalog: CatalogStamp
    templates_digest: str
    requirement: Requirement
    demand: Demand
    choice: Choice
    bom: Bom
    site: Site
    named_site: Site | None  # the room checked for hardware the customer named, when it is not the chosen
    price: Price
    ownership: Ownership
    outcome: Outcome  # of the plan itself
    outcomes: tuple[Outcome, ...]  # of Choice.alternatives, in their order
    findings: tuple[Finding, ...]
    figures: Mapping[str, Figure]
