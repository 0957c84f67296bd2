"""Rows that contradict themselves, one another or the rules of the house: sources, models, tiers, export, rules."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from quoting.checks.note import Note, error, warning
from quoting.rows import Catalog, Model
from quoting.stages.demand.shape import BILLION, has_shape, parameter_count, published

# Checks a quotation may make; each needs its row of thresholds with a source.
CHECKS = (
    *("vram_total", "per_card_memory", "long_context", "kv_cache_room", "throughput", "host_ram", "bf16_support"),
    *("fp8_support", "interconnect", "sharding", "deadline", "psu_headroom", "optics_form_factor"),
    *("optics_compatibility", "cable_length", "port_count", "rack_units", "rack_power", "circuit_80pct"),
    *("phase_balance", "redundancy_failover", "pdu_outlets", "ups_capacity", "ups_runtime", "transformer"),
    *("cooling_capacity", "cooling_redundancy", "inlet_temperature", "liquid_cooling", "floor_load"),
    *("floor_point_load", "rack_load", "delivery_route", "tier_band", "budget", "price_age", "no_price"),
    *("export_control", "domestic_stack", "lead_time"),
)


def row_notes(catalog: Catalog) -> Iterator[Note]:
    """Notes on every row but platforms and prices."""
    yield from (error(id, "rule.missing") for id in CHECKS if id not in catalog.rules)
    yield from _sourceless(catalog)
    yield from _methods(catalog)
    yield from _models(catalog)
    yield from _tiers(catalog)
    for part in catalog.parts.values():
        if part.export not in ("free", "unknown") and not part.export_basis:
            yield warning(part.sku, "export.basis", export=part.export)


def _sourceless(catalog: Catalog) -> Iterator[Note]:
    for rows in (catalog.parts, catalog.models, catalog.rules):
        for id, row in rows.items():
            if not row.source:
                yield error(id, "source.none")


def _methods(catalog: Catalog) -> Iterator[Note]:
    for source in catalog.sources.values():
        if source.grade == "estimate" and not source.method.strip():
            yield error(source.id, "source.method")


def _models(catalog: Catalog) -> Iterator[Note]:
    owners: dict[str, str] = {}
    for model in catalog.models.values():
        for name in {alias.casefold() for alias in (model.id, *model.aliases)}:
            if owners.setdefault(name, model.id) != model.id:
                yield error(model.id, "model.alias", alias=name, other=owners[name])
        yield from list(_model(model)) or _counted(model)


def _model(model: Model) -> Iterator[Note]:
    if model.params_b is None:
        if model.quotable:
            yield error(model.id, "model.size")
        return
    if model.active_params_b is not None and model.active_params_b > model.params_b:
        yield error(model.id, "model.active", active=model.active_params_b, params=model.params_b)
    if model.heads and model.kv_heads and model.kv_heads > model.heads:
        yield error(model.id, "model.heads", kv_heads=model.kv_heads, heads=model.heads)
    if model.type == "moe" and model.active_params_b is None and model.quotable:
        yield error(model.id, "model.moe")


def _counted(model: Model) -> Iterator[Note]:
    """The parameters printed against those counted from the layer numbers; no width, nothing to count."""
    if not has_shape(model) or not (model.ffn or model.moe_ffn) or model.params_b is None:
        return
    counted = Decimal(parameter_count(published(model))) / BILLION
    if abs(counted - model.params_b) * 50 > model.params_b:
        yield warning(model.id, "model.counted", counted=round(counted, 1), params=model.params_b)


def _tiers(catalog: Catalog) -> Iterator[Note]:
    for id in ("entry", "enterprise", "cluster", "xinchuang"):
        if id not in catalog.tiers:
            yield error(id, "tier.missing")
    for tier in catalog.tiers.values():
        if tier.band_low >= tier.band_high:
            yield error(tier.id, "tier.band", low=tier.band_low, high=tier.band_high)
