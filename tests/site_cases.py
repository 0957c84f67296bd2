"""Requirements, demands and fits made by hand, for tests of the bill and the room."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from quoting.records import Demand, Fit, Need, WorkloadFit
from quoting.requirement import (
    Commercial,
    Compliance,
    Customer,
    DocumentNeed,
    Hardware,
    LineChange,
    Project,
    Requirement,
    Scope,
    SiteNeed,
    Workload,
)
from quoting.rows import Catalog


def requirement(
    site: SiteNeed | None = None,
    hardware: Hardware | None = None,
    task: Any = "full",
    lines: tuple[LineChange, ...] = (),
    scope: Scope | None = None,
) -> Requirement:
    return Requirement(
        form_version=1,
        customer=Customer(name="示例制造有限公司"),
        project=Project(),
        workloads=(_workload(task),),
        hardware=hardware,
        site=site or SiteNeed(),
        scope=scope or Scope(),
        compliance=Compliance(),
        commercial=Commercial(),
        lines=lines,
        document=DocumentNeed(),
    )


def _workload(task: Any) -> Workload:
    return Workload(
        id="w1",
        model=None,
        name="7B",
        params_b=Decimal(7),
        active_params_b=Decimal(7),
        official=True,
        task=task,
        precision=None,
        context=2048,
        batch=1,
        rank=16,
        sharding="zero3",
        offload="none",
        concurrency=16,
        concurrent=True,
        tokens_b=None,
        deadline_days=None,
        tokens_per_second=None,
        first_token_s=None,
    )


def demand(host_ram_gb: Any = Decimal(0), storage_gb: Any = Decimal(1000)) -> Demand:
    one, none = Decimal(1), Decimal(0)
    need = Need(
        workload="w1",
        task="full",
        regime="full.mixed",
        weights_precision="bf16",
        memory_gb=one,
        memory_low_gb=one,
        memory_high_gb=one,
        static_gb=one,
        sharded_gb=one,
        replicated_gb=none,
        activation_gb=none,
        overhead_gb=none,
        kv_gb=none,
        kv_bytes_per_token=None,
        kv_heads=None,
        heads=None,
        flops=None,
        flops_per_token=one,
        deadline_days=None,
        host_ram_gb=host_ram_gb,
        checkpoint_gb=one,
        storage_gb=one,
        needs_bf16=True,
        needs_fp8=False,
        sixteen_bit_training=True,
        official=True,
    )
    return Demand(needs=(need,), storage_gb=storage_gb)


def fit(catalog: Catalog, platform: str, nodes: int, tier: Any = "enterprise") -> Fit:
    row = catalog.platforms[platform]
    cards = nodes * row.cards
    return Fit(
        tier=tier,
        platform=platform,
        gpu=row.accelerator,
        nodes=nodes,
        cards=cards,
        minimum_nodes=nodes,
        memory_gb=None,
        node_cost=None,
        power_kw=None,
        days=None,
        days_per_billion_tokens=None,
        feasible=True,
        workloads=(WorkloadFit(workload="w1", minimum_cards=1, recommended_cards=cards, per_card_gb=None),),
    )
