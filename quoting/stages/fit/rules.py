"""The numbers of the catalogue's rules that fitting uses, read once."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from quoting.rows import Catalog


def number(catalog: Catalog, id: str, key: str) -> Decimal:
    """A coefficient of a rule; KeyError when it is missing, TypeError when it is not a number."""
    value = catalog.rules[id].values[key]
    if not isinstance(value, Decimal):
        raise TypeError(f"rule {id}.{key} is not a number: {value!r}")
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Thresholds and coefficients, units as in the rules."""

    usable_training: Decimal
    usable_inference: Decimal
    tight: Decimal
    reserve_gb: Decimal
    headroom: Decimal
    pcie_up_to_b: Decimal
    pcie_small_up_to_b: Decimal
    pcie_larger_card_gb: Decimal
    fabric_gbs: Decimal
    pow2_up_to: int
    small_step: int
    small_up_to: int
    large_step: int
    max_nodes: int
    deadline_max_nodes: int
    available: Decimal
    decode: Decimal
    prefill: Decimal
    tpp: Decimal
    named_cards: int
    ram_warn: Decimal
    ram_fail: Decimal
    long_context: Decimal
    short_context: Decimal
    context_step: int
    throughput_warn: Decimal
    between_fail: Decimal
    between_warn: Decimal


def limits(catalog: Catalog) -> Limits:
    """All numbers that fitting reads from the rules."""
    return Limits(
        usable_training=number(catalog, "sizing.usable", "training"),
        usable_inference=number(catalog, "sizing.usable", "inference"),
        tight=number(catalog, "sizing.usable", "tight"),
        reserve_gb=number(catalog, "sizing.overhead", "inference"),
        headroom=number(catalog, "vram_total", "headroom"),
        pcie_up_to_b=number(catalog, "fit.pcie_training", "up_to"),
        pcie_small_up_to_b=number(catalog, "fit.pcie_training", "small_up_to"),
        pcie_larger_card_gb=number(catalog, "fit.pcie_training", "larger_card_gb"),
        fabric_gbs=number(catalog, "fit.pcie_training", "link_gbs"),
        pow2_up_to=int(number(catalog, "fit.nodes", "pow2_up_to")),
        small_step=int(number(catalog, "fit.nodes", "small_step")),
        small_up_to=int(number(catalog, "fit.nodes", "small_up_to")),
        large_step=int(number(catalog, "fit.nodes", "large_step")),
        max_nodes=int(number(catalog, "fit.nodes", "max")),
        deadline_max_nodes=int(number(catalog, "deadline", "max_nodes")),
        available=number(catalog, "sizing.availability", "share"),
        decode=number(catalog, "sizing.decode", "bandwidth"),
        prefill=number(catalog, "sizing.decode", "prefill"),
        tpp=number(catalog, "export_control", "fail"),
        named_cards=int(number(catalog, "fit.named_node", "cards")),
        ram_warn=number(catalog, "host_ram", "warn"),
        ram_fail=number(catalog, "host_ram", "fail"),
        long_context=number(catalog, "long_context", "warn_tokens"),
        short_context=number(catalog, "long_context", "short_tokens"),
        context_step=int(number(catalog, "long_context", "round_tokens")),
        throughput_warn=number(catalog, "throughput", "warn"),
        between_fail=number(catalog, "interconnect", "fail"),
        between_warn=number(catalog, "interconnect", "warn"),
    )
