"""A server the customer owns and no platform of the catalogue stands for, as a platform of its own.

Only what the form says is known of it: its cards, memory, power and supplies. Everything else stays unknown, and so do
the checks that need it.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from math import ceil
from types import MappingProxyType
from typing import Literal

from quoting.parts import Accelerator, Part, Platform
from quoting.requirement import Hardware, Requirement
from quoting.rows import Catalog

_ROLE = "owned_node"


def with_owned_node(requirement: Requirement, catalog: Catalog) -> Catalog:
    """The catalogue, with the customer's own server among its platforms when it needs one."""
    hardware = requirement.hardware
    if hardware is None or not hardware.owned or hardware.gpu is None or not hardware.cards:
        return catalog
    cards = ceil(hardware.cards / (hardware.nodes or 1))
    if any(one.accelerator == hardware.gpu and one.cards >= cards for one in catalog.platforms.values()):
        return catalog
    part = catalog.parts[catalog.terms.recipes[_ROLE]]
    node = _node(part, hardware, cards, catalog.accelerators[hardware.gpu])
    platforms, parts = {**catalog.platforms, node.sku: node}, {**catalog.parts, node.sku: node}
    return replace(catalog, platforms=MappingProxyType(platforms), parts=MappingProxyType(parts))


def _node(part: Part, hardware: Hardware, cards: int, accelerator: Accelerator) -> Platform:
    power = hardware.node_power_kw
    return Platform(
        sku=part.sku,
        category=part.category,
        name_zh=f"{part.name_zh} {cards}×{accelerator.name_zh}",
        name_en=f"{part.name_en} {cards}×{accelerator.name_en}",
        unit=part.unit,
        power_w=None if power is None else power * 1000,
        source=part.source,
        family=_family(accelerator),
        form_factor="rack",
        sold="complete",
        accelerator=accelerator.sku,
        cards=cards,
        link_gbs=(accelerator.link_gbs or Decimal(0)) if accelerator.form != "pcie" else Decimal(0),
        host_domestic="unknown",
        ram_gb=hardware.ram_gb,
        psu_count=hardware.psu_count,
        psu_w=hardware.psu_w,
        quotable=False,
    )


def _family(accelerator: Accelerator) -> Literal["entry", "enterprise", "xinchuang"]:
    if accelerator.origin == "domestic":
        return "xinchuang"
    return "entry" if accelerator.form == "pcie" else "enterprise"
