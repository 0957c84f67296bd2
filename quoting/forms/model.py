"""The form as a schema: every field, what it answers, and an example. Reading lives in the other modules.

Quantities are texts as people type them ("6kW", "两周", "500万以内"); where a bare number has one meaning, a number
will do.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

Quantity = str | int | float
Flag = bool | str


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid")


def _field(what: str, *examples: Any) -> Any:
    return Field(default=None, description=what, examples=list(examples))


class CustomerModel(_Table):
    """Who asks."""

    name: Annotated[
        str, Field(description="name as it stands on the proposal", examples=["示例制造有限公司"], max_length=200)
    ]
    contact: str | None = _field("person we write to", "张工")
    phone: str | None = _field("telephone number, in quotes", "0755-00000000")
    email: str | None = _field("one e-mail address", "name@example.com")
    industry: str | None = _field("line of business", "制造")
    city: str | None = _field("where the customer is", "深圳")


class ProjectModel(_Table):
    """What it is for."""

    name: str | None = _field("name of the project", "智能质检大模型项目")
    delivery_city: str | None = _field("where the hardware goes", "东莞")
    needed_by: str | None = _field("day of delivery, ISO", "2027-03-31")
    form_factor: str | None = _field("rack, workstation or any", "rack")


class WorkloadModel(_Table):
    """One job; model or params, and task, are required."""

    model: str | None = _field("model name or alias", "Qwen2.5-14B")
    params: Quantity | None = _field(
        "parameters, when there is no model name or to confirm it", "14B", "700亿", "671B-A37B"
    )
    task: str | None = _field("inference, qlora, lora, full or pretrain", "lora", "全参微调")
    precision: str | None = _field("of the weights: bf16, fp16, fp8, int8 or int4", "fp8", "W8A8")
    context: Quantity | None = _field("tokens of a sequence, prompt and answer", 4096, "16k")
    tokens: Quantity | None = _field("training tokens", "2B", "400B token")
    samples: Quantity | None = _field("training samples, instead of tokens", "50万", "2w条")
    tokens_per_sample: Quantity | None = _field("average length of a sample", 800)
    epochs: Quantity | None = _field("passes over the data", 3)
    deadline: str | None = _field("time the training may take", "7天", "两周")
    concurrency: Quantity | None = _field("requests served at the same time", 16, "8并发")
    tokens_per_second: Quantity | None = _field("output of all requests together", "1000 tokens/s")
    first_token: Quantity | None = _field("time to the first token", "2s")
    batch: Quantity | None = _field("micro-batch of a card", 1)
    rank: Quantity | None = _field("rank of LoRA adapters", 16)
    targets: str | None = _field("layers that adapters sit on: all_linear or attention", "all_linear", "q_proj,v_proj")
    optimizer: str | None = _field("of full training: adamw, adam_8bit or pure_bf16", "adamw", "8bit Adam")
    sharding: str | int | None = _field("zero3, zero2, ddp or fsdp", "zero3")
    offload: Flag | None = _field("states kept in host memory: none, optimizer or all", "none")
    concurrent: Flag | None = _field("runs at the same time as the other workloads", True)


class HardwareModel(_Table):
    """Hardware the customer names or owns; it is verified, and chosen only if it fits and is for sale."""

    gpu: str | None = _field("card, with memory size where there are several", "A800 80G", "8卡A800 80G")
    cards: Quantity | None = _field("cards in all", 8, "80G*8", "两机16卡")
    nodes: Quantity | None = _field("servers", 2)
    ram: str | None = _field("host memory of a server", "1TB")
    interconnect: str | None = _field("network of a server to the others", "400Gb/s", "8x400G")
    owned: Flag | None = _field("the customer has it already", True)
    power: Quantity | None = _field("power of a server at full load", "10.2kW")
    psu: str | None = _field("power supplies of a server", "4x1000W")


class SiteModel(_Table):
    """The room; what is not answered is unknown, and so are the checks that need it."""

    racks: Quantity | None = _field("places for racks that are free; cabinets are new unless `reuse` has `rack`", 2)
    rack_power: Quantity | None = _field("power limit of a rack; a bare number is kW", "6kW")
    rack_units: Quantity | None = _field("units that are free in a rack", 42)
    circuit: str | None = _field("one feed of a rack: phases x amperes, or kW", "3x32A", "单相16A")
    feeds: str | None = _field("N for one feed, 2N for two independent ones", "双路市电")
    existing_load: Quantity | None = _field("amperes already on each phase", "21A")
    transformer: Quantity | None = _field("transformer", "630kVA")
    transformer_load: Quantity | None = _field("load on it today", "200kVA")
    ups: Quantity | None = _field("UPS", "60kVA")
    ups_load: Quantity | None = _field("load on it today", "20kW")
    ups_minutes: Quantity | None = _field("time on battery", "15分钟")
    generator: Flag | None = _field("a generator stands behind the UPS", True)
    cooling: Quantity | None = _field("cooling that is free for us", "20kW")
    cooling_redundancy: str | None = _field("N, N+1 or 2N", "N+1")
    supply_temperature: Quantity | None = _field("air that reaches the servers", "22°C")
    liquid_ready: Flag | None = _field("facility water is at the racks", False)
    floor_load: Quantity | None = _field("floor rating; the low end of a range counts", "800kg/m2", "8kN/m2")
    floor_point: Quantity | None = _field("load one foot may put on a tile", "450kg")
    spreader_frame: Flag | None = _field("frames under the racks exist or are accepted", True)
    door: str | None = _field("smallest opening on the way in, width x height", "1.2m x 2.2m")
    lift: Quantity | None = _field("lift: load, and cabin (width x depth x height)", "1000kg", "H210 W99 D137cm 630kg")
    altitude: Quantity | None = _field("metres above the sea", "50m")
    accept: list[str] | str | None = _field("remedies taken into the plan", ["spread_racks"], "all")


class ScopeModel(_Table):
    """What the total holds."""

    include: list[str] | str | None = _field("groups to price in the total", ["ups", "cooling"])
    exclude: list[str] | str | None = _field("groups to leave out", ["rack"])
    reuse: list[str] | str | None = _field("groups the customer has already", ["switch"])


class ComplianceModel(_Table):
    """Rules the customer is under."""

    domestic: str | None = _field("required, preferred or no", "required", "信创优先")
    controlled_parts: str | None = _field("allow or exclude parts under export control", "allow")
    imports_allowed: Flag | None = _field("imported parts may be used at all", True)
    mlps_level: str | int | None = _field("grade of classified protection", 3, "等保三级")


class CommercialModel(_Table):
    """Money and terms."""

    budget: Quantity | None = _field("upper limit, with its unit", "60万", "500万以内", "80-100万元(不含税)")
    budget_tax_included: Flag | None = _field("tax is in the budget", True)
    discount: str | None = _field("share taken off", "5%", "95折")
    payment: str | None = _field("shares of payment", "30-60-10")
    validity_days: Quantity | None = _field("days the quotation holds", 7)
    warranty_years: Quantity | None = _field("years on site", 3)
    currency: str | None = _field("CNY", "CNY")
    utilisation: Quantity | None = _field("share of the time the cards work", "70%")
    electricity: Quantity | None = _field("price of electricity", "0.8元/度")
    months: Quantity | None = _field("months to compare owning and renting over", 36)


class LineModel(_Table):
    """A sales engineer's own change to the lines."""

    model_config = ConfigDict(extra="forbid", populate_by_name=False)
    action: Annotated[str, Field(description="add, replace, remove, quantity, price or note", examples=["add"])]
    sku: str | None = _field("SKU of the line", "svc-training")
    name: str | None = _field("name of the line, for a part outside the catalogue", "定制上架支架")
    with_sku: str | None = Field(
        default=None, alias="with", description="SKU that replaces it", examples=["ssd-u2-7680g"]
    )
    quantity: Quantity | None = _field("pieces", 2)
    unit_price: Quantity | None = _field("yuan a piece, tax included, two places", "1280.00")
    tax_rate: Quantity | None = _field("0.13, 0.09 or 0.06", "0.13")
    reason: str | None = Field(default=None, description="why; the customer reads it beneath the line", max_length=2000)


class DocumentModel(_Table):
    """What the proposal looks like."""

    language: str | None = _field("zh or en", "zh")
    mode: str | None = _field("proposal or tender", "proposal")
    price_detail: str | None = _field("lines, groups or none", "lines")
    clauses: str | None = _field("goods, integration, services or tender", "integration")


class FormModel(_Table):
    """A requirement form. Required: customer.name and one workload."""

    form_version: int = Field(default=1, description="version of this form", examples=[1])
    customer: CustomerModel
    project: ProjectModel | None = None
    workload: Annotated[list[WorkloadModel], Field(min_length=1)]
    hardware: HardwareModel | None = None
    site: SiteModel | None = None
    scope: ScopeModel | None = None
    compliance: ComplianceModel | None = None
    commercial: CommercialModel | None = None
    line: list[LineModel] | None = None
    document: DocumentModel | None = None
