"""Catalogue rows of things that can be bought: parts, accelerators, servers.

Units are in the names: _gb decimal gigabytes, _gbs gigabytes a second (both directions), _gbps gigabits a second,
_kw _w _kg _mm _m. None means "not known", never zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import ClassVar, Literal

from quoting.kinds import Export, Origin, TaxClass


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """Another source's value for the same thing, kept beside the one used."""

    value: str
    source: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Source of one field of a catalogue row, where it differs from the row's own ``source``."""

    source: str
    verified: bool = True  # the value was seen in the source
    note: str = ""
    against: tuple[Against, ...] = ()
    layer: str = ""  # overlay the value came from, where it is not the row's


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Anything that can stand on a line of a quotation. Names are data; prices are in prices.csv."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}
    sku: str
    category: str  # key of words: part.<category>
    name_zh: str
    name_en: str
    brand: str = ""
    part_number: str = ""  # the maker's; empty when not verified, never invented
    spec_zh: str = ""
    spec_en: str = ""
    unit: str = "piece"  # key of words: unit.<unit>: piece set card pair metre node rack system job year
    tax: TaxClass = "goods"
    origin: Origin = "unknown"
    power_w: Decimal | None = None  # at full load, AC side
    weight_kg: Decimal | None = None
    rack_units: int | None = None
    lead_weeks: int | None = None  # None: the class's default in terms.toml
    warranty_years: int | None = None  # None: the house default
    export: Export = "free"
    export_basis: str = ""  # rule and date behind ``export``
    domestic_level: str = ""  # 安全可靠测评 level and list date for CPU and OS; "" is unknown
    note: str = ""
    source: str = ""
    provenance: Mapping[str, Provenance] = field(default_factory=dict)
    layer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accelerator(Part):
    aliases: tuple[str, ...] = ()
    vendor: str
    form: Literal["pcie", "sxm", "oam", "module"]  # only pcie cards are priced on their own
    sale: Literal["for_sale", "owned_only", "node_only"]  # node_only: sold inside a complete node
    memory_gb: Decimal | None = None
    bandwidth_gbs: Decimal | None = None
    bf16_tflops: Decimal | None = None  # dense
    fp8_tflops: Decimal | None = None
    has_bf16: bool | None = None
    has_fp8: bool | None = None
    has_int8: bool | None = None
    link_gbs: Decimal | None = None  # maker-declared all-to-all card fabric in a node; 0: PCIe only; None: not known
    tdp_w: Decimal | None = None
    tpp: Decimal | None = None
    slots: int = 2
    mfu: str = "pcie"  # row of rules.toml: mfu.<name>


@dataclass(frozen=True, slots=True, kw_only=True)
class Cpu(Part):
    cores: int
    memory_channels: int | None = None
    memory_type: str = ""  # "ddr5" | "ddr4"
    tdp_w: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimm(Part):
    capacity_gb: int
    memory_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Drive(Part):
    capacity_tb: Decimal
    role: Literal["system", "data"]
    interface: str  # "nvme-u2" "nvme-m2" "sata"


@dataclass(frozen=True, slots=True, kw_only=True)
class Nic(Part):
    ports: int
    gbps: int
    body: str  # what plugs in: "osfp_flat" "qsfp112" "qsfp56" "qsfp28" "sfp28" "rj45"
    protocol: Literal["ethernet", "infiniband", "both"] = "ethernet"


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch(Part):
    role: Literal["compute", "storage", "inband", "outofband"]
    protocol: Literal["ethernet", "infiniband"]
    ports: int  # at ``gbps``, splitters counted
    gbps: int
    cages: int  # sockets for transceivers
    body: str  # "osfp_finned" (twin-port) "qsfp_dd" "qsfp56" "qsfp28" "sfp28" "rj45"
    uplink_ports: int = 0
    uplink_gbps: int = 0
    uplink_body: str = ""
    psu_count: int = 2
    psu_outlet: str = "C13"


@dataclass(frozen=True, slots=True, kw_only=True)
class Optic(Part):
    gbps: int  # of one optical port
    ports: int  # optical ports in one module: 2 for twin-port
    body: str
    reach_m: int
    fibre: str  # "mpo12_apc_sm" "mpo12_apc_mm" "lc_sm" "lc_mm"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cable(Part):
    medium: Literal["fibre", "dac", "acc", "aoc", "splitter", "cat6", "power"]
    gbps: int = 0
    length_m: Decimal  # as sold
    body_a: str = ""
    body_b: str = ""
    links: int | None = None  # it carries; None: two from a twin-port cage or a splitter, else one


@dataclass(frozen=True, slots=True, kw_only=True)
class Rack(Part):
    units: int
    width_mm: int
    depth_mm: int
    height_mm: int
    static_kg: Decimal | None = None  # rated load
    rolling_kg: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pdu(Part):
    phases: Literal[1, 3]
    amps: int
    c13: int
    c19: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ups(Part):
    kva: Decimal
    kw: Decimal
    battery_minutes: int = 0  # at full load, with the battery set of this SKU; 0: battery separate
    energy_wh: Decimal | None = None  # for a battery set


@dataclass(frozen=True, slots=True, kw_only=True)
class Cooler(Part):
    cooling_kw: Decimal
    kind: Literal["room", "inrow", "rear_door", "cdu"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecipeLine:
    """One kind of part in one node. ``role`` is a code: cpu dimm system_drive data_drive accelerator compute_nic
    inband_nic chassis psu bmc."""

    sku: str
    quantity: int
    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform(Part):
    """A server or workstation of one configuration: ``cards`` accelerators of one kind."""

    family: Literal["entry", "enterprise", "xinchuang"]  # cluster is the enterprise family with two nodes or more
    form_factor: Literal["rack", "workstation"]
    sold: Literal["complete", "assembled"]  # complete: one priced line; assembled: recipe lines are priced
    accelerator: str
    cards: int
    link_gbs: Decimal = Decimal(0)
    host_domestic: Literal["yes", "no", "unknown"] = "no"
    cpu_sockets: int = 2
    dimm_slots: int | None = None
    ram_gb: int | None = None  # as in the recipe
    psu_count: int | None = None
    psu_w: Decimal | None = None
    psu_required: int | None = None  # supplies that must live for full performance
    psu_outlet: str = ""  # "C13" "C19"
    heat_w: Decimal | None = None  # None: as power_w
    inlet_max_c: Decimal | None = None
    inlet_min_c: Decimal | None = None
    depth_mm: int | None = None
    airflow_cfm: Decimal | None = None
    liquid: bool = False
    rails: int = 0  # compute network ports of a node; 0: none
    rail_gbps: int = 0
    rail_body: str = ""  # body of the plug at the node: "osfp_flat" "qsfp112" "qsfp56"
    rail_cages: int = 0  # sockets at the node: 4 twin-port OSFP carry 8 rails
    fabric: Literal["none", "infiniband", "ethernet", "both"] = "none"
    quotable: bool = True
    serving_only: bool = False  # the maker sells it for inference; never proposed for training
    recipe: tuple[RecipeLine, ...] = ()
