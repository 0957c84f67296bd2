"""Two quotations built by hand from the records, for tests of the documents: one node of 8 x L20, and a cluster."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

from quoting.figure import Ledger, round_fen
from quoting.parts import Accelerator, Part, Platform
from quoting.records import (
    Bom,
    CatalogStamp,
    Check,
    Choice,
    Cost,
    Crossing,
    Demand,
    Finding,
    Fit,
    GroupTotal,
    Need,
    Network,
    Outcome,
    Ownership,
    Placed,
    Price,
    PricedLine,
    Quote,
    RackPlan,
    Remedy,
    Site,
    TaxTotal,
    WorkloadFit,
)
from quoting.requirement import (
    Ask,
    Commercial,
    Compliance,
    Customer,
    Default,
    DocumentNeed,
    Project,
    Requirement,
    Scope,
    SiteNeed,
    Understood,
    Workload,
)
from quoting.rows import Catalog, House, Source, Terms

D = Decimal
DAY = date(2026, 11, 30)
WORDS_ROOT = Path(__file__).parent / "sample_templates"
CANARY = D("987654.32")  # a cost no customer file may hold
COST = Cost(
    unit_cost=CANARY,
    currency="CNY",
    original=CANARY,
    rate=None,
    on=DAY,
    until=None,
    expired=False,
    source="canary-source",
    grade="estimate",
    supplier="Canary Supplier",
    margin=D("12345.67"),
)
_NODE = "智算训练服务器（8 卡 SXM，96 GB）"


def accelerator(sku: str, name: str, memory: int, form: str) -> Accelerator:
    return Accelerator(
        sku=sku,
        category="accelerator",
        name_zh=name,
        name_en=name,
        vendor="NVIDIA",
        form=form,  # type: ignore[arg-type]
        sale="for_sale",
        memory_gb=D(memory),
    )


def platform(sku: str, zh: str, en: str, gpu: str, family: str, **more: object) -> Platform:
    values = {"sku": sku, "category": "platform", "name_zh": zh, "name_en": en, "accelerator": gpu, "cards": 8}
    return Platform(**values, family=family, form_factor="rack", sold="complete", **more)  # type: ignore[arg-type]


def part(sku: str, category: str, zh: str, en: str) -> Part:
    return Part(sku=sku, category=category, name_zh=zh, name_en=en)


def catalog() -> Catalog:
    """The few rows the samples name."""
    cards = [
        accelerator("gpu-l20-48g", "NVIDIA L20 48 GB", 48, "pcie"),
        accelerator("gpu-h20-96g", "NVIDIA H20 96 GB", 96, "sxm"),
        accelerator("gpu-4090d-24g", "NVIDIA RTX 4090 D 24 GB", 24, "pcie"),
        accelerator("gpu-a800-80g", "NVIDIA A800 80 GB", 80, "sxm"),
    ]
    platforms = [
        platform("srv-l20", "8 卡 PCIe 微调服务器（L20）", "8-card PCIe server, L20", "gpu-l20-48g", "entry"),
        platform("srv-h20", _NODE, "8-GPU SXM training server, 96 GB", "gpu-h20-96g", "enterprise"),
        platform("srv-4090d", "8 卡 PCIe 服务器（4090 D）", "8-card PCIe server, 4090 D", "gpu-4090d-24g", "entry"),
        platform("srv-a800", "8 卡 SXM 服务器（A800）", "8-GPU SXM server, A800", "gpu-a800-80g", "enterprise"),
    ]
    parts = [
        part("sw-ndr", "switch", "64 口 400G InfiniBand 交换机", "64-port 400G InfiniBand switch"),
        part("sw-25g", "switch", "48 口 25G 以太网交换机", "48-port 25G Ethernet switch"),
        part("sw-1g", "switch", "48 口千兆管理交换机", "48-port 1G management switch"),
        part("rack-42u", "rack", "42U 服务器机柜 600×1200", "42U rack 600 x 1200"),
    ]
    sources = [
        Source(
            id="zero",
            title="ZeRO: memory optimizations",
            publisher="arXiv",
            date="2019",
            method="read",
            grade="published",
        ),
        Source(id="canary-source", title="Canary offer", publisher="x", date="2026", method="asked", grade="quoted"),
    ]
    house = House(
        name_zh="示例智算集成有限公司",
        name_en="Example AI Computing Integration Co., Ltd.",
        short_zh="示例智算",
        short_en="Example AI Computing",
        phone="000-0000 0000",
        email="sales@example.com",
    )
    terms = Terms(
        validity_days=15,
        validity_days_volatile=7,
        volatile=(),
        payment_goods="30-70",
        payment_integration="30-60-10",
        warranty_years=3,
        lead_weeks={},
        markup={},
        tax_rate={},
        scope_default=(),
        scope_optional=(),
        recipes={},
        source="house_policy",
    )
    return Catalog(
        parts={row.sku: row for row in (*parts, *platforms, *cards)},
        accelerators={row.sku: row for row in cards},
        platforms={row.sku: row for row in platforms},
        models={},
        tiers={},
        rules={},
        prices={},
        rates={},
        rents=(),
        sources={row.id: row for row in sources},
        house=house,
        terms=terms,
        version="2026.11",
        digest="0" * 64,
    )


def line(no: str, group: str, zh: str, en: str, quantity: int, unit_price: str | None, **more: object) -> PricedLine:
    """A priced line with the rounding of the price stage."""
    rate = D(str(more.pop("rate", "0.13")))
    each = None if unit_price is None else D(unit_price)
    subtotal = None if each is None else each * quantity
    net = None if subtotal is None else round_fen(subtotal / (1 + rate))
    tax = None if subtotal is None or net is None else subtotal - net
    values: dict[str, object] = {
        "no": no,
        "group": group,
        "sku": f"sku-{no}",
        "name_zh": zh,
        "name_en": en,
        "brand": "",
        "spec_zh": "",
        "spec_en": "",
        "part_number": "",
        "unit": "set",
        "quantity": quantity,
        "unit_price": each,
        "tax_rate": rate,
        "subtotal": subtotal,
        "net": net,
        "tax": tax,
        "lead_weeks": 4,
        "warranty_years": 3,
        "origin": "unknown",
        "why": "sample",
        "cost": COST,
    }
    return PricedLine(**{**values, **more})  # type: ignore[arg-type]


def _lines(nodes: int) -> tuple[PricedLine, ...]:
    single = nodes == 1
    zh, en = (
        ("8 卡 PCIe 微调服务器", "8-card PCIe fine-tuning server") if single else (_NODE, "8-GPU SXM training server")
    )
    price = None if single else "1185600.00"
    sub = [
        ("2× Intel Xeon Gold 6530", "2x Intel Xeon Gold 6530", 2),
        ("16× 64 GB DDR5 RDIMM", "16x 64 GB DDR5 RDIMM", 16),
        ("2× 960 GB 系统盘 + 4× 3.84 TB NVMe", "2x 960 GB system, 4x 3.84 TB NVMe", 6),
    ]
    spec = ("双路 CPU，1 TB 内存，8 卡，4 电源 2+2 冗余", "two CPUs, 1 TB RAM, 8 cards, 4 supplies 2+2")
    lines = [
        line(
            "1",
            "compute",
            zh,
            en,
            nodes,
            "86500.00" if single else price,
            spec_zh=spec[0],
            spec_en=spec[1],
            lead_weeks=6,
        ),
        *(
            line(f"1.{n}", "compute", a, b, q * nodes, None, included=True, cost=None, why="")
            for n, (a, b, q) in enumerate(sub, 1)
        ),
    ]
    if single:
        lines.append(line("2", "compute", "NVIDIA L20 48 GB 加速卡", "NVIDIA L20 48 GB", 8, "26980.00", unit="card"))
    else:
        lines.append(
            line("2", "network", "64 口 400G InfiniBand 交换机", "64-port 400G InfiniBand switch", 3, "168000.00")
        )
        lines.append(
            line("3", "network", "800G 双端口光模块", "800G twin-port transceiver", 100, "6450.00", unit="piece")
        )
    lines += [
        line("4", "software", "服务器操作系统与驱动栈", "Operating system and driver stack", nodes, "0.00"),
        line("5", "rack", "42U 机柜", "42U rack", 1 if single else 4, "4200.00", unit="rack"),
        line("6", "power", "三相 32A PDU", "Three-phase 32 A PDU", 2 if single else 12, "2350.00", unit="piece"),
        line("7", "cabling", "超六类跳线 3 m", "Cat 6A patch cord 3 m", 4 * nodes, "28.00", unit="piece"),
        line("8", "service", "部署调试服务", "Deployment service", nodes, "12000.00", rate="0.06", unit="job"),
        line("9", "spares", "备件包", "Spare parts", 1, "5600.00"),
    ]
    return tuple(lines)


def _price(nodes: int, upper: str) -> Price:
    lines = _lines(nodes)
    priced = [row for row in lines if row.subtotal is not None]
    groups = dict.fromkeys(row.group for row in lines)
    rates = sorted({row.tax_rate for row in priced}, reverse=True)
    total = sum((row.subtotal or D(0) for row in priced), D(0))
    net = sum((row.net or D(0) for row in priced), D(0))
    return Price(
        lines=lines,
        options=(
            line("O1", "power", "60 kVA 模块化 UPS", "60 kVA modular UPS", 1, "128000.00"),
            line("O2", "service", "模型微调陪跑服务", "Fine-tuning assistance", 1, None, rate="0.06", unit="job"),
        ),
        net=net,
        tax=total - net,
        total=total,
        total_upper=upper,
        priced_part=total,
        groups=tuple(
            GroupTotal(group=g, total=sum((r.subtotal or D(0) for r in priced if r.group == g), D(0))) for g in groups
        ),
        taxes=tuple(
            TaxTotal(
                rate=rate,
                net=sum((r.net or D(0) for r in priced if r.tax_rate == rate), D(0)),
                tax=sum((r.tax or D(0) for r in priced if r.tax_rate == rate), D(0)),
            )
            for rate in rates
        ),
        cost_total=CANARY,
        margin_total=D("12345.67"),
        checks=(
            Check(id="budget", status="pass", required=total, available=total + 100, margin=D("0.04"), unit="CNY"),
        ),
        draft=True,
        draft_rows=("sku-1", "sku-2"),
        valid_days=7,
        valid_until=date(2026, 12, 7),
        payment="30-70" if nodes == 1 else "30-60-10",
        lead_weeks=8,
    )


def _requirement(model: str, params: str, task: str, tokens: str | None, budget: str) -> Requirement:
    return Requirement(
        form_version=1,
        customer=Customer(name="华东某制造集团有限公司", contact="王工", city="苏州", industry="制造"),
        project=Project(name="智能质检大模型微调平台", delivery_city="苏州", needed_by=date(2027, 2, 28)),
        workloads=(
            Workload(
                id="w1",
                model=model.lower(),
                name=model,
                params_b=D(params),
                active_params_b=None,
                official=True,
                task=task,  # type: ignore[arg-type]
                precision=None,
                context=2048,
                batch=1,
                rank=16,
                sharding="zero3",
                offload="none",
                concurrency=16,
                concurrent=True,
                tokens_b=None if tokens is None else D(tokens),
                deadline_days=D(14),
                tokens_per_second=None,
                first_token_s=None,
            ),
        ),
        hardware=None,
        site=SiteNeed(racks=2, rack_power_kw=D(6)),
        scope=Scope(),
        compliance=Compliance(),
        commercial=Commercial(budget=D(budget)),
        lines=(),
        document=DocumentNeed(),
        understood=(
            Understood(key="site.rack_power", typed="单柜6kW", read="6 kW"),
            Understood(key="commercial.budget", typed="500万以内", read="≤ 5,000,000 CNY"),
        ),
        defaults=(
            Default(key="workload[1].context", value="2048", rule="sample"),
            Default(key="workload[1].rank", value="16", rule="sample"),
        ),
        asks=(Ask(key="site.feeds", code="sample"),),
    )


def _figures(params: str, bytes_per: str, nodes: int, card: int) -> Ledger:
    ledger = Ledger()
    ledger.leaf("form.w1.params_b", D(params), "B", "form:workload.params")
    ledger.leaf("rule.sizing.full.bytes", D(bytes_per), "B", "zero", "model states per parameter")
    ledger.leaf("rule.sizing.full.use", D("0.8"), "share", "default:sizing.use")
    ledger.leaf("catalog.gpu.memory_gb", card, "GB", "zero")
    ledger.leaf("catalog.gpu.unit_cost", CANARY, "CNY", "canary-source")
    ledger.formula(
        "demand.w1.memory_gb",
        "GB",
        "bytes * params / use",
        bytes="rule.sizing.full.bytes",
        params="form.w1.params_b",
        use="rule.sizing.full.use",
    )
    ledger.formula(
        "fit.w1.cards", "cards", "ceil(need / card)", need="demand.w1.memory_gb", card="catalog.gpu.memory_gb"
    )
    ledger.formula("price.line.1.unit_price", "CNY", "cost * 1.1", cost="catalog.gpu.unit_cost")
    ledger.rule("fit.nodes", nodes, "nodes", "nodes.recommended", "power_of_two", cards="fit.w1.cards")
    for number in range(40):
        ledger.leaf(f"catalog.part-{number}.power_w", 100 + number, "W", "zero")
    return ledger


def _rack(id: str, nodes: int, units: int, switches: tuple[str, ...], kw: str) -> RackPlan:
    sku = "srv-l20" if units == 4 else "srv-h20"
    placed = [
        Placed(sku=sku, label=f"N{n + 1:02d}", bottom=4 + n * (units + 1), units=units, power_kw=None, weight_kg=None)
        for n in range(nodes)
    ]
    placed += [
        Placed(sku=sku, label=f"SW{n + 1}", bottom=42 - n, units=1, power_kw=None, weight_kg=None)
        for n, sku in enumerate(switches)
    ]
    return RackPlan(
        id=id,
        sku="rack-42u",
        units=42,
        placed=tuple(placed),
        power_kw=D(kw),
        heat_kw=D(kw),
        weight_kg=D(380) + 130 * nodes,
        feeds_per_side=1,
        pdus=2,
        outlets_c13=6,
        outlets_c19=4 * nodes,
    )


def _fit(sku: str, gpu: str, tier: str, nodes: int, cost: str, **more: object) -> Fit:
    memory = {"gpu-l20-48g": 48, "gpu-h20-96g": 96, "gpu-4090d-24g": 24, "gpu-a800-80g": 80}[gpu]
    values: dict[str, object] = {
        "minimum_nodes": nodes,
        "days": D("6.4"),
        "days_per_billion_tokens": D("3.2"),
        "feasible": True,
    }
    return Fit(
        tier=tier,  # type: ignore[arg-type]
        platform=sku,
        gpu=gpu,
        nodes=nodes,
        cards=nodes * 8,
        memory_gb=D(nodes * 8 * memory),
        node_cost=D(cost),
        power_kw=D("3.8") * nodes,
        **{**values, **more},  # type: ignore[arg-type]
    )


def _need(static: str, need: str, high: str, regime: str, task: str) -> Need:
    return Need(
        workload="w1",
        task=task,  # type: ignore[arg-type]
        regime=regime,
        weights_precision="bf16",
        memory_gb=D(need),
        memory_low_gb=D(static),
        memory_high_gb=D(high),
        static_gb=D(static),
        sharded_gb=D(static),
        replicated_gb=D(0),
        activation_gb=D(4),
        overhead_gb=D("1.5"),
        kv_gb=D(0),
        kv_bytes_per_token=None,
        kv_heads=8,
        heads=64,
        flops=None,
        flops_per_token=D(1),
        deadline_days=D(14),
        host_ram_gb=D(0),
        checkpoint_gb=D(294),
        storage_gb=D(600),
        needs_bf16=True,
        needs_fp8=False,
        sixteen_bit_training=True,
        official=True,
    )


def _ownership(rent: str | None) -> Ownership:
    own = tuple(D(420000) + D(5200) * month for month in range(37))
    return Ownership(
        capex=D(420000),
        opex_month=D(5200),
        rent_card_hour=None if rent is None else D(rent),
        rent_source="",
        months=36,
        utilisation=D("0.7"),
        crossings=(
            Crossing(utilisation=D("0.3"), months=None),
            Crossing(utilisation=D("0.7"), months=D("13.2")),
            Crossing(utilisation=D("0.9"), months=D("9.8")),
        ),
        rent_that_pays=((12, D("9.30")), (24, D("5.60")), (36, D("4.10"))),
        own_by_month=own,
        rent_by_month=() if rent is None else tuple(D(37000) * month for month in range(37)),
    )


def _checks() -> tuple[Check, ...]:
    return (
        Check(
            id="rack_power",
            status="warn",
            required=D("5.2"),
            available=D(6),
            margin=D("0.1538"),
            unit="kW",
            where="R01",
        ),
        Check(id="rack_units", status="pass", required=D(12), available=D(42), margin=D("2.5"), unit="U", where="R01"),
        Check(id="floor_load", status="unknown", required=D(620), unit="kg/m²", where="R01"),
        Check(
            id="circuit_80pct",
            status="fail",
            required=D("5.2"),
            available=D("4.28"),
            margin=D("-0.1769"),
            unit="kW",
            where="R01/A",
            remedies=("room_circuit",),
        ),
    )


def quote(
    nodes: int, requirement: Requirement, need: Need, chosen: Fit, others: tuple[Fit, ...], site: Site, **more: object
) -> Quote:
    """Put the records of a sample together."""
    upper = str(more["upper"])
    networks: tuple[Network, ...] = more["networks"]  # type: ignore[assignment]
    ledger: Ledger = more["ledger"]  # type: ignore[assignment]
    return Quote(
        schema=1,
        number="D20261130-a1b2c3d4e5",
        revision=0,
        day=DAY,
        valid_until=date(2026, 12, 7),
        status="draft",
        program="quoting 0.1.0",
        catalog=CatalogStamp(version="2026.11", digest="0" * 64, prices_as_of=date(2026, 11, 28)),
        templates_digest="",
        requirement=requirement,
        demand=Demand(needs=(need,), storage_gb=D(600)),
        choice=Choice(
            chosen=chosen, named=None, others=others, alternatives=others[:1], reasons=("sample", "sample_two")
        ),
        bom=Bom(items=(), networks=networks),
        site=site,
        named_site=None,
        price=_price(nodes, upper),
        ownership=_ownership(None if nodes > 1 else "7.20"),
        outcome=Outcome(change="", total=None, difference=None, room="unknown", budget=None),
        outcomes=tuple(
            Outcome(change=one.change, total=None, difference=None, room="unknown", budget=None) for one in others[:1]
        ),
        findings=tuple(
            Finding(
                id=check.id,
                status=check.status,
                code=f"check.{check.id}.{check.status}",
                arguments=(("required", check.required), ("available", check.available), ("margin", check.margin)),
                where=check.where,
            )
            for check in _checks()
            if check.status != "pass"
        ),
        figures={figure.id: figure for figure in ledger.figures()},
    )


def entry() -> Quote:
    """LoRA of a 7B model on one node of 8 x L20."""
    fits = WorkloadFit(workload="w1", minimum_cards=1, recommended_cards=8, per_card_gb=D("21.4"), days=D("6.4"))
    fits = replace(fits, days_low=D("3.8"), days_high=D("11.5"))
    chosen = _fit("srv-l20", "gpu-l20-48g", "entry", 1, "302340.00", workloads=(fits,), checks=())
    others = (
        _fit("srv-h20", "gpu-h20-96g", "enterprise", 1, "1185600.00"),
        _fit(
            "srv-4090d",
            "gpu-4090d-24g",
            "entry",
            1,
            "268000.00",
            feasible=False,
            rejected_by="per_card_memory",
            rejected_required=D("24.3"),
            rejected_available=D("22.1"),
            rejected_unit="GB",
        ),
    )
    site = Site(
        racks=(_rack("R01", 1, 4, ("sw-25g", "sw-1g"), "4.2"),),
        checks=_checks(),
        lines=(),
        remedies=(Remedy(id="room_circuit", cures=("circuit_80pct",), items=(), price=D("6800.00")),),
        power_kw=D("4.2"),
        heat_kw=D("4.2"),
        cooling_kw=D("4.83"),
        ups_kva=D("5.04"),
        weight_kg=D(510),
        pue=D("1.6"),
    )
    star = {"shape": "star", "protocol": "ethernet", "nodes": 1, "leaf": 1}
    return quote(
        1,
        _requirement("Qwen2.5-7B", "7.6", "lora", "2", "500000"),
        _need("18", "58.6", "71", "lora.bf16", "lora"),
        chosen,
        others,
        site,
        upper="人民币叁拾肆万零捌佰伍拾贰元整",
        networks=(
            Network(id="inband", gbps=25, ports_per_node=2, node_links=2, leaf_sku="sw-25g", **star),  # type: ignore[arg-type]
            Network(id="outofband", gbps=1, ports_per_node=1, node_links=1, leaf_sku="sw-1g", **star),  # type: ignore[arg-type]
        ),
        ledger=_figures("7.6", "2.5", 1, 48),
    )


def cluster() -> Quote:
    """Full training of a 70B model on four 8-card nodes in four racks."""
    fits = WorkloadFit(workload="w1", minimum_cards=24, recommended_cards=32, per_card_gb=D("62.3"), days=None)
    chosen = _fit("srv-h20", "gpu-h20-96g", "cluster", 4, "4742400.00", minimum_nodes=3, workloads=(fits,))
    rejected = {"feasible": False, "rejected_by": "interconnect", "rejected_unit": "GB/s"}
    sides = {"rejected_required": D(200), "rejected_available": D(0)}
    small = [_fit("srv-l20", "gpu-l20-48g", "entry", n, "302340.00", **rejected, **sides) for n in range(1, 22)]
    others = (_fit("srv-a800", "gpu-a800-80g", "cluster", 4, "5100000.00", minimum_nodes=3), *small)
    site = Site(
        racks=(
            *(_rack(f"R0{n}", 1, 8, (), "11.6") for n in range(1, 4)),
            _rack("R04", 1, 8, ("sw-ndr", "sw-ndr", "sw-ndr", "sw-25g", "sw-1g"), "14.9"),
        ),
        checks=_checks(),
        lines=(),
        remedies=(Remedy(id="room_circuit", cures=("circuit_80pct",), items=(), price=D("27200.00")),),
        power_kw=D("49.7"),
        heat_kw=D("49.7"),
        cooling_kw=D("57.2"),
        ups_kva=D("59.6"),
        weight_kg=D(2040),
    )
    star = {"shape": "star", "protocol": "ethernet", "nodes": 4}
    return quote(
        4,
        _requirement("Llama-3-70B", "70", "full", None, "6500000"),
        _need("1400", "1750", "2100", "full.mixed", "full"),
        chosen,
        others,
        site,
        upper="人民币陆佰零壹万零肆佰肆拾捌元整",
        networks=(
            Network(
                id="compute",
                shape="two_tier",
                protocol="infiniband",
                gbps=400,
                nodes=4,
                ports_per_node=8,
                leaf=2,
                spine=1,
                node_links=32,
                leaf_spine_links=32,
                leaf_sku="sw-ndr",
                spine_sku="sw-ndr",
            ),
            Network(id="inband", gbps=25, ports_per_node=2, node_links=8, leaf=2, leaf_sku="sw-25g", **star),  # type: ignore[arg-type]
            Network(id="outofband", gbps=1, ports_per_node=1, node_links=4, leaf=1, leaf_sku="sw-1g", **star),  # type: ignore[arg-type]
        ),
        ledger=_figures("70", "20", 4, 96),
    )
