"""The other catalogue rows: sources, models, tiers, rules, prices, rates, rents, house, terms; and the Catalog."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import ClassVar, Literal

from quoting.kinds import Grade, Precision, Tier
from quoting.parts import Accelerator, Part, Platform, Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a value came from. ``grade`` is the trust we put in it."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}
    id: str
    title: str
    publisher: str
    date: str  # ISO date, or year, or year-month, or "" when the source has none
    method: str  # how the value was got: read, measured, computed from ..., asked
    grade: Grade
    ref: str = ""  # address or document number
    layer: str = ""  # which catalogue folder it came from; "" is ours


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A language model's published shape."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}
    id: str
    aliases: tuple[str, ...] = ()
    family: str = ""
    type: Literal["dense", "moe", "unknown"]
    params_b: Decimal | None = None  # None: the maker published nothing
    active_params_b: Decimal | None = None
    layers: int | None = None
    hidden: int | None = None
    heads: int | None = None
    kv_heads: int | None = None
    head_dim: int | None = None
    ffn: int | None = None
    moe_ffn: int | None = None
    experts: int | None = None
    experts_per_token: int | None = None
    shared_experts: int | None = None
    dense_layers: int | None = None
    vocab: int | None = None
    tied_embeddings: bool = False
    fused_qkv: bool = False  # query, key and value are one linear map
    attention: Literal["gqa", "mla"] = "gqa"
    kv_lora_rank: int | None = None
    qk_rope_head_dim: int | None = None
    q_lora_rank: int | None = None
    qk_nope_head_dim: int | None = None
    v_head_dim: int | None = None
    kv_bytes_per_token: int | None = None
    context: int | None = None
    weights_gb_fp8: Decimal | None = None  # published file size
    native_precision: Precision = "bf16"
    licence: str = ""
    official: bool = True  # the maker published the size
    quotable: bool = True
    claimed_params_b: Decimal | None = None  # somebody's claim where the maker published nothing
    instead: tuple[str, ...] = ()  # what to offer when this one cannot be quoted
    note: str = ""
    source: str = ""
    provenance: Mapping[str, Provenance] = field(default_factory=dict)
    layer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TierRow:
    """A tier as published: its band is compared with, never used to make a price."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}
    id: Tier
    family: Literal["entry", "enterprise", "xinchuang"]
    min_nodes: int
    max_nodes: int | None = None
    max_nodes_inference: int | None = None  # independent replicas
    band_low: Decimal  # yuan
    band_high: Decimal
    band_per: Literal["node", "set"]
    memory_low_gb: Decimal
    memory_high_gb: Decimal | None = None
    rack_kw_low: Decimal
    rack_kw_high: Decimal
    source: str
    provenance: Mapping[str, Provenance] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A threshold, default or coefficient set: ``values`` by name, and the unit of each that is a number or a text of
    numbers. Checks have ``warn`` and ``fail``."""

    id: str
    values: Mapping[str, Decimal | str | bool]
    units: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    source: str = ""
    provenance: Mapping[str, Provenance] = field(default_factory=dict)
    layer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceRow:
    """What one unit costs us. Several rows of one SKU may exist: the newest in date wins."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}
    sku: str
    price: Decimal
    currency: str
    tax_included: bool
    on: date
    until: date | None = None
    source: str
    supplier: str = ""
    layer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """Yuan for one unit of a foreign currency."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}
    currency: str
    cny: Decimal
    on: date
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rent:
    """A dated cloud price of one card-hour."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}
    accelerator: str
    cny_per_hour: Decimal
    tax_included: bool
    reserved: bool
    on: date
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """The company that quotes."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}
    name_zh: str
    name_en: str
    short_zh: str = ""
    short_en: str = ""
    address_zh: str = ""
    address_en: str = ""
    phone: str = ""
    email: str = ""
    website: str = ""
    contact: str = ""
    tax_number: str = ""
    bank: str = ""
    logo: str = ""  # PNG or SVG file beside house.toml; "" draws the name
    colour: str = "#123A5E"  # #rgb in a file becomes #rrggbb
    accent: str = "#C8102E"
    seal: bool = True
    clauses: str = ""  # scenario of the clauses: goods, integration, services, tender; "" goes by what is quoted


@dataclass(frozen=True, slots=True)
class Logo:
    """A logo as it lies in its folder, not yet looked into; ``file`` is what mistakes name."""

    file: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """House policy: what a quotation says when the form says nothing."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}
    validity_days: int
    validity_days_volatile: int  # while accelerators, DRAM or SSD are in the quote
    volatile: tuple[str, ...]  # categories
    payment_goods: str
    payment_integration: str
    warranty_years: int
    lead_weeks: Mapping[str, int]  # by category, with "default"
    markup: Mapping[str, Decimal]  # by category, with "default": 0.06 is six per cent on cost
    tax_rate: Mapping[str, Decimal]  # by tax class
    scope_default: tuple[str, ...]  # groups priced in the total
    scope_optional: tuple[str, ...]  # groups priced beside it
    recipes: Mapping[str, str]  # which SKU plays a role outside a node: "rack" -> sku, "deployment.entry" -> sku
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """All numbers, by id. ``parts`` holds every part including accelerators and platforms."""

    parts: Mapping[str, Part]
    accelerators: Mapping[str, Accelerator]
    platforms: Mapping[str, Platform]
    models: Mapping[str, Model]
    tiers: Mapping[str, TierRow]
    rules: Mapping[str, Rule]
    prices: Mapping[str, tuple[PriceRow, ...]]  # newest first
    rates: Mapping[str, Rate]
    rents: tuple[Rent, ...]
    sources: Mapping[str, Source]
    house: House
    terms: Terms
    version: str
    digest: str  # SHA-256 over every file read
    logo: Logo | None = None
    layers: tuple[str, ...] = ()
    overlaid: Mapping[str, str] = field(default_factory=dict)  # "house.phone", "rate.USD" ... -> overlay it came from
