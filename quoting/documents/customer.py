"""What a customer may see of a quotation, worded in one language.

There is no field for cost, margin, supplier, floor price or a price's source here, so no template can print one.
Texts are finished sentences; numbers stay numbers and are formatted by the template; None is "to be confirmed" for
money and "unknown" for everything else. Nothing is computed: every sum was a field of a record.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from quoting.documents.customer_plan import Counted, Fabric, Pair, Plan, Rack, Supply, Work
from quoting.kinds import Language, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Seller:
    name: str
    short: str
    address: str
    phone: str
    email: str
    website: str
    contact: str
    tax_number: str
    bank: str
    colour: str  # "#123A5E", dark enough to read on white
    accent: str
    fill: str  # the house's colour as it is, for surfaces
    logo: str  # a data address; "" draws the name
    seal: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Buyer:
    name: str
    contact: str
    phone: str
    email: str
    industry: str
    project: str
    delivery_city: str
    needed_by: date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    no: str
    group: str
    sku: str
    name: str
    brand: str
    spec: str
    part_number: str
    unit: str
    quantity: int
    unit_price: Decimal | None
    tax_rate: Decimal
    subtotal: Decimal | None
    net: Decimal | None
    tax: Decimal | None
    lead_weeks: int | None
    warranty_years: int | None
    origin: str
    why: str
    included: bool  # inside the price of the complete node above
    owned: bool
    changed: bool  # agreed by hand
    reason: str  # why, in the words of the sales engineer
    power_w: Decimal | None
    weight_kg: Decimal | None
    rack_units: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    id: str
    name: str
    total: Decimal | None
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """What can be ordered apart: hardware, or services and works."""

    id: Literal["hardware", "service"]
    name: str
    total: Decimal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviation:
    """One line of a tender's deviation table."""

    key: str  # the answer of the form
    demand: str
    response: str
    deviation: str
    proof: str  # id of the element whose page proves it


@dataclass(frozen=True, slots=True, kw_only=True)
class TaxRow:
    rate: Decimal
    net: Decimal
    tax: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRow:
    id: str
    area: Literal["compute", "configuration", "room", "commerce"]
    name: str
    status: Status
    required: Decimal | None
    available: Decimal | None
    margin: Decimal | None
    unit: str
    share: bool  # required and available are parts of one, to be printed in per cent
    where: str
    sentence: str
    remedies: tuple[str, ...]
    source: str
    anchor: str = ""  # in a tender: the id a page reference names
    waits: Literal["", "customer", "maker"] = ""  # whose answer it lacks; maker: ours to obtain
    unverified: bool = False  # judged on a power figure that no document confirms


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    id: Literal["compute", "room", "budget"]
    name: str
    status: Status
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RemedyRow:
    name: str
    text: str
    price: Decimal | None
    accepted: bool
    no: str = ""  # to order it by; "" of an accepted one, which the total holds
    needed: bool = False  # a check fails without it


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    utilisation: Decimal
    months: Decimal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Owning:
    capex: Decimal | None
    opex_month: Decimal | None
    rent_card_hour: Decimal | None
    months: int
    utilisation: Decimal
    crossings: tuple[Crossing, ...]
    rent_that_pays: tuple[tuple[int, Decimal], ...]
    own_by_month: tuple[Decimal, ...]
    rent_by_month: tuple[Decimal, ...]
    rent_low_by_month: tuple[Decimal, ...] = ()
    rent_high_by_month: tuple[Decimal, ...] = ()
    band: tuple[Decimal, ...] = ()  # lowest and highest utilisation


@dataclass(frozen=True, slots=True, kw_only=True)
class BasisRow:
    id: str
    name: str
    place: str  # workload, rack or part it belongs to
    value: Decimal | int | str | None
    unit: str
    how: str  # formula with its numbers, or the constraint that decided, or ""
    source: str  # "[3]" of the sources, or the form, a default
    grade: str
    note: str  # what other sources say, where they disagree


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRow:
    no: int
    title: str
    publisher: str
    date: str
    grade: str
    taken: tuple[BasisRow, ...] = ()  # the values taken from it as they are


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A stage of delivery."""

    name: str
    work: str
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomerView:
    """All of a customer's document."""

    language: Language
    number: str
    revision: int
    day: date
    valid_until: date | None
    valid_days: int
    draft: bool
    mode: Literal["proposal", "tender"]
    price_detail: Literal["lines", "groups", "none"]
    seller: Seller
    buyer: Buyer
    solution: str
    lights: tuple[Light, ...]
    results: tuple[str, ...]  # what the plan does for each workload, beside what was asked
    reasons: tuple[str, ...]
    attention: tuple[str, ...]
    plan_notes: tuple[str, ...]
    understood: tuple[Pair, ...]
    stated: tuple[Pair, ...]  # answers that were read as they stand
    defaults: tuple[Pair, ...]
    asks: tuple[str, ...]
    works: tuple[Work, ...]
    plan: Plan | None
    named: Plan | None
    named_checks: tuple[CheckRow, ...]
    named_summary: tuple[str, ...]  # verdict and what speaks against it, for the summary
    others: tuple[Plan, ...]
    alternatives: tuple[Plan, ...]
    cures: tuple[str, ...]  # for the summary: alternatives that hold where the plan does not
    beside: tuple[str, ...]  # others worth knowing, and why they are not the plan
    counted: tuple[Counted, ...]
    fabrics: tuple[Fabric, ...]
    network_notes: tuple[str, ...]
    steps: tuple[Step, ...]
    step_note: str
    service_list: tuple[str, ...]
    racks: tuple[Rack, ...]
    supply: Supply
    checks: tuple[CheckRow, ...]
    remedies: tuple[RemedyRow, ...]
    remedies_total: Decimal | None  # of those not in the total, where one does not make another needless
    rack_note: str  # whose the cabinets are
    power_kw: Decimal | None
    heat_kw: Decimal | None
    cooling_kw: Decimal | None
    ups_kva: Decimal | None
    weight_kg: Decimal | None
    units_used: int | None
    pue: Decimal | None
    groups: tuple[Group, ...]
    options: tuple[Line, ...]
    option_groups: tuple[Group, ...]  # totals alone
    packages: tuple[Package, ...]
    discount: Decimal  # share off the unit prices; they hold it
    net: Decimal | None
    tax: Decimal | None
    total: Decimal | None
    total_upper: str | None
    priced_part: Decimal
    taxes: tuple[TaxRow, ...]
    payment: str
    payment_steps: str  # the same in words
    lead_weeks: int | None
    ready: str  # week of first use beside the day wanted
    all_draft: bool  # no price in the total is a supplier's own
    warranty_years: int
    draft_rows: tuple[Pair, ...]
    owning: Owning
    basis: tuple[BasisRow, ...]
    sources: tuple[SourceRow, ...]
    clauses: tuple[Pair, ...]
    technical: tuple[Deviation, ...]
    commercial: tuple[Deviation, ...]
    prices_as_of: date | None
    catalog_version: str
