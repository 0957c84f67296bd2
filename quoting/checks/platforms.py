"""Servers held against what they are made of: memory, cards, power, supplies, weight."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from quoting.checks.note import Note, error, warning
from quoting.parts import Cpu, Dimm, Part, Platform, RecipeLine
from quoting.rows import Catalog

_DOMESTIC_ROLES = ("cpu", "accelerator", "compute_nic", "inband_nic")
_NEEDED_ROLES = ("cpu", "dimm", "system_drive", "accelerator")


def platform_notes(catalog: Catalog) -> Iterator[Note]:
    """Notes on every platform."""
    for platform in catalog.platforms.values():
        if platform.recipe:
            yield from _recipe(platform)
            yield from _memory(platform, catalog)
            yield from _host(platform, catalog)
        elif platform.quotable:
            yield error(platform.sku, "recipe.none")
        yield from _power(platform, catalog)
        yield from _supplies(platform)
        yield from _unknowns(platform)
    for part in catalog.parts.values():
        yield from _weight(part, catalog)


def _lines(platform: Platform, role: str) -> list[RecipeLine]:
    return [line for line in platform.recipe if line.role == role]


def _recipe(platform: Platform) -> Iterator[Note]:
    missing = [role for role in _NEEDED_ROLES if not _lines(platform, role)]
    if missing:
        yield (error if platform.quotable else warning)(platform.sku, "recipe.role", roles=" ".join(missing))
    cards = sum(line.quantity for line in _lines(platform, "accelerator"))
    if cards and cards != platform.cards:
        yield error(platform.sku, "recipe.cards", found=cards, cards=platform.cards)
    for line in _lines(platform, "accelerator"):
        if line.sku != platform.accelerator:
            yield error(platform.sku, "recipe.accelerator", found=line.sku, accelerator=platform.accelerator)
    if platform.rails and not _lines(platform, "compute_nic"):
        yield warning(platform.sku, "recipe.rails", rails=platform.rails)
    sockets = sum(line.quantity for line in _lines(platform, "cpu"))
    if sockets and sockets != platform.cpu_sockets:
        yield error(platform.sku, "recipe.sockets", found=sockets, sockets=platform.cpu_sockets)


def _memory(platform: Platform, catalog: Catalog) -> Iterator[Note]:
    lines = [(line, catalog.parts[line.sku]) for line in _lines(platform, "dimm")]
    dimms = [(line.quantity, part) for line, part in lines if isinstance(part, Dimm)]
    count = sum(quantity for quantity, _ in dimms)
    capacity = sum(quantity * part.capacity_gb for quantity, part in dimms)
    if platform.ram_gb is not None and dimms and capacity != platform.ram_gb:
        yield error(platform.sku, "memory.sum", found=capacity, ram=platform.ram_gb)
    if platform.dimm_slots is not None and count > platform.dimm_slots:
        yield error(platform.sku, "memory.slots", found=count, slots=platform.dimm_slots)
    for line in _lines(platform, "cpu"):
        cpu = catalog.parts[line.sku]
        if isinstance(cpu, Cpu) and dimms:
            yield from _channels(platform, cpu, count)
            yield from (
                error(platform.sku, "memory.type", dimm=part.sku, found=part.memory_type, cpu=cpu.memory_type)
                for _, part in dimms
                if cpu.memory_type and part.memory_type != cpu.memory_type
            )


def _channels(platform: Platform, cpu: Cpu, count: int) -> Iterator[Note]:
    """Balanced: every socket alike, and its modules spread evenly over the channels they use."""
    if cpu.memory_channels is None:
        return
    each, rest = divmod(count, platform.cpu_sockets)
    even = each and (each % cpu.memory_channels == 0 or cpu.memory_channels % each == 0)
    if rest or not even:
        channels = cpu.memory_channels * platform.cpu_sockets
        yield error(platform.sku, "memory.balance", found=count, channels=channels)


def _host(platform: Platform, catalog: Catalog) -> Iterator[Note]:
    if platform.family != "xinchuang" or not platform.quotable:
        return
    if platform.host_domestic != "yes":
        yield error(platform.sku, "host.unverified", host=platform.host_domestic)
    hosts = [line.sku for line in platform.recipe if line.role in _DOMESTIC_ROLES]
    yield from (
        error(platform.sku, "host.imported", part=sku) for sku in hosts if catalog.parts[sku].origin == "imported"
    )


def _power(platform: Platform, catalog: Catalog) -> Iterator[Note]:
    tdp = catalog.accelerators[platform.accelerator].tdp_w
    if tdp is None or platform.power_w is None:
        return
    cards = platform.cards * tdp
    if platform.power_w < cards:
        yield error(platform.sku, "power.cards", power=platform.power_w, cards=cards)


def _supplies(platform: Platform) -> Iterator[Note]:
    count, needed, each = platform.psu_count, platform.psu_required, platform.psu_w
    if count is None or needed is None:
        return
    if needed > count:
        yield error(platform.sku, "psu.count", needed=needed, count=count)
    if needed == count and platform.form_factor == "rack":
        yield warning(platform.sku, "psu.redundancy", count=count)
    if each is not None and platform.power_w is not None and needed * each < platform.power_w:
        yield error(platform.sku, "psu.power", needed=needed, watts=needed * each, power=platform.power_w)


def _unknowns(platform: Platform) -> Iterator[Note]:
    """What is not known makes checks of the room unknown: worth saying once, for what can be quoted."""
    if not platform.quotable:
        return
    names = ["power_w", "weight_kg", "psu_count"] + (["rack_units"] if platform.form_factor == "rack" else [])
    missing = [name for name in names if getattr(platform, name) is None]
    if missing:
        yield warning(platform.sku, "unknown", fields=" ".join(missing))


def _weight(part: Part, catalog: Catalog) -> Iterator[Note]:
    if part.category not in ("platform", "switch") or not part.rack_units or part.weight_kg is None:
        return
    sense = catalog.rules["catalog.sense"].values
    low, high = (part.rack_units * Decimal(sense[name]) for name in ("weight_low", "weight_high"))
    if not low <= part.weight_kg <= high:
        yield warning(part.sku, "weight", weight=part.weight_kg, low=low, high=high)
