"""A small catalogue for the tests of forms: a few models and cards, with the real defaults."""

from __future__ import annotations

import tomllib
from datetime import date
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

from quoting.parts import Accelerator, Part, Platform
from quoting.rows import Catalog, House, Model, Rate, Rule, Terms

ROOT = Path(__file__).parent.parent


def model(id: str, params: str | None, *aliases: str, **more: Any) -> Model:
    size = None if params is None else Decimal(params)
    return Model(id=id, aliases=aliases, type="dense", params_b=size, **more)


def card(sku: str, memory: int, *aliases: str, **more: Any) -> Accelerator:
    fields: dict[str, Any] = {"form": "sxm", "sale": "node_only", "vendor": "maker", "origin": "imported"}
    return Accelerator(
        sku=sku,
        category="accelerator",
        name_zh=sku,
        name_en=sku,
        aliases=aliases,
        memory_gb=Decimal(memory),
        **(fields | more),
    )


MODELS = (
    model("Qwen2.5-7B", "7.616", "qwen2.5-7b", "通义千问2.5-7B", context=131072),
    model("Qwen2.5-14B", "14.770", "通义千问2.5-14B", context=131072),
    model("Qwen-72B", "72.286", "Qwen1.5-72B", context=32768),
    model("Llama-3-70B", "70.554", "Llama 3 70B", "羊驼3 70B", context=8192),
    model("DeepSeek-R1", "671.026", "满血R1", active_params_b=Decimal("36.7"), context=131072),
    model("DeepSeek-R1-Distill-Qwen-32B", "32.764", "R1蒸馏32B", context=131072),
    model("GPT-4", None, "GPT4", official=False, quotable=False, instead=("DeepSeek-V3", "Qwen3-235B-A22B")),
)
CARDS = (
    card("gpu-l20-48g", 48, "L20", form="pcie", sale="for_sale"),
    card("gpu-h20-96g", 96, "H20", "H20 96G", "H20 96G*8"),
    card("gpu-h20-141g", 141, "H20", "H20 141G"),
    card("gpu-h100-80g-sxm", 80, "H100", "H100 80G", export="stopped"),
    card("gpu-a100-80g-sxm", 80, "A100", "A100 80G", export="stopped"),
    card("gpu-a100-40g-sxm", 40, "A100", "A100 40G", sale="owned_only", export="stopped"),
    card("gpu-a800-80g-sxm", 80, "A800", "A800 80G", export="stopped"),
    card("gpu-a800-40g-pcie", 40, "A800", sale="owned_only", export="stopped"),
    card("gpu-a10-24g", 24, "A10", sale="owned_only", form="pcie"),
    card("gpu-a10g-24g", 24, "A10G", "NVIDIA A10G", sale="owned_only", form="pcie"),
    card("gpu-rtx4090-24g", 24, "4090", "RTX 4090", sale="owned_only", form="pcie"),
    card("gpu-910b-64g", 64, "910B", "昇腾910B", "Atlas A2", origin="domestic", form="oam"),
    card("gpu-910b-32g", 32, "910B", origin="domestic", sale="owned_only", form="oam"),
)


def rules() -> dict[str, Rule]:
    data = tomllib.loads((ROOT / "catalog/rules/defaults.toml").read_text(), parse_float=Decimal)
    meta = ("unit", "units", "note", "source")
    return {
        id: Rule(id=id, values={key: _decimal(value) for key, value in row.items() if key not in meta})
        for id, row in data.items()
    }


def _decimal(value: Any) -> Any:
    return Decimal(value) if isinstance(value, int) and not isinstance(value, bool) else value


@lru_cache(maxsize=1)
def catalog() -> Catalog:
    node = Platform(
        sku="srv-8x-h20-96g",
        category="platform",
        name_zh="八卡服务器",
        name_en="8-card server",
        family="enterprise",
        form_factor="rack",
        sold="complete",
        accelerator="gpu-h20-96g",
        cards=8,
    )
    parts: dict[str, Part] = {row.sku: row for row in CARDS} | {node.sku: node}
    for sku in ("svc-training", "ssd-u2-3840g", "ssd-u2-7680g"):
        parts[sku] = Part(sku=sku, category="service", name_zh=sku, name_en=sku)
    return Catalog(
        parts=parts,
        accelerators={row.sku: row for row in CARDS},
        platforms={node.sku: node},
        models={row.id: row for row in MODELS},
        tiers={},
        rules=rules(),
        prices={},
        rates={"GBP": Rate(currency="GBP", cny=Decimal("9.5"), on=date(2026, 11, 2), source="test")},
        rents=(),
        sources={},
        house=House(name_zh="示例", name_en="Example"),
        terms=Terms(
            validity_days=15,
            validity_days_volatile=7,
            volatile=(),
            payment_goods="30-70",
            payment_integration="30-60-10",
            warranty_years=3,
            lead_weeks={},
            markup={},
            tax_rate={"goods": Decimal("0.13"), "works": Decimal("0.09"), "service": Decimal("0.06")},
            scope_default=(),
            scope_optional=(),
            recipes={},
            source="test",
        ),
        version="test",
        digest="test",
    )
