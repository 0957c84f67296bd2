"""What goes into the racks: nodes and everything of the bill that takes rack units."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from math import ceil

from quoting.parts import Part, Platform, Switch
from quoting.records import SWITCH_LABELS, Bom, Fit, Network
from quoting.requirement import Hardware, Requirement
from quoting.rows import Catalog

_THOUSAND = Decimal(1000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """Equal equipment: ``count`` of it, and what one takes. None is unknown. Hashed by identity of its SKU."""

    part: Part
    label: str  # "N" gives N01, N02 ...
    labels: tuple[tuple[str, int], ...] = ()  # of switches: label and count of each network, as they stand
    count: int
    units: int | None
    power_kw: Decimal | None
    heat_kw: Decimal | None
    weight_kg: Decimal | None
    supplies: int | None
    required: int | None = None  # supplies that must live; None: not known
    supply_kw: Decimal | None = None  # of one supply as the customer states it
    outlet: str = ""
    node: bool = False
    stated_kw: bool = False  # power as the customer says, not the catalogue

    def __hash__(self) -> int:
        return hash(self.part.sku)

    def label_of(self, place: int) -> str:
        """The label of the piece at ``place``, from 0, in room order; ``label`` beyond what the networks take."""
        for label, count in self.labels:
            if place < count:
                return label
            place -= count
        return self.label


def devices(requirement: Requirement, fit: Fit, bom: Bom, catalog: Catalog) -> tuple[Device, ...]:
    """The nodes first, then the rest by falling power; options and sub-lines stay out."""
    platform = catalog.platforms[fit.platform]
    node = node_device(requirement, fit, platform)
    counts: dict[str, int] = {}
    for item in bom.items:
        part = catalog.parts.get(item.sku)
        if part is not None and part is not platform and not item.parent and not item.optional and _stands(part):
            counts[item.sku] = counts.get(item.sku, 0) + item.quantity
    rest = [_other(catalog.parts[sku], count, bom.networks) for sku, count in counts.items() if count]
    return (node, *sorted(rest, key=lambda device: (-(device.power_kw or Decimal(0)), device.part.sku)))


def _stands(part: Part) -> bool:
    """Whether a part takes rack units of its own: a switch, storage, a head node; not a part of a node."""
    return bool(part.rack_units) and part.category in ("switch", "storage", "management_server")


def node_device(requirement: Requirement, fit: Fit, platform: Platform) -> Device:
    """One node of the plan, with what the customer stated of it in place of the catalogue's figures."""
    named = requirement.hardware
    said = named if named is not None and named.gpu in (None, fit.gpu) else None
    stated = said.node_power_kw if said else None
    power = stated if stated is not None else _kilo(platform.power_w)
    heat = power if stated is not None or platform.heat_w is None else _kilo(platform.heat_w)
    return Device(
        part=platform,
        label="N",
        count=fit.nodes or 0,
        units=platform.rack_units,
        power_kw=power,
        heat_kw=heat,
        weight_kg=platform.weight_kg,
        supplies=_supplies(said, platform),
        required=_required(said, power) if said and said.psu_count else platform.psu_required,
        supply_kw=_kilo(said.psu_w) if said else None,
        outlet=platform.psu_outlet,
        node=True,
        stated_kw=stated is not None,
    )


def _supplies(said: Hardware | None, platform: Platform) -> int | None:
    return said.psu_count if said and said.psu_count else platform.psu_count


def _required(said: Hardware, power: Decimal | None) -> int | None:
    """Supplies full load needs, of a customer's own words: its power over that of one supply."""
    each = _kilo(said.psu_w)
    return None if not each or power is None else max(1, ceil(power / each))


def _kilo(watts: Decimal | None) -> Decimal | None:
    return None if watts is None else watts / _THOUSAND


def _switches(network: Network, sku: str) -> int:
    """How many switches of a network are of one SKU."""
    above = network.spine + network.core if network.spine_sku == sku else 0
    return above + (network.leaf if network.leaf_sku == sku else 0)


def _labels(sku: str, networks: Iterable[Network]) -> tuple[tuple[str, int], ...]:
    """Networks that share a SKU take its pieces in their own order, as their cables do."""
    return tuple((SWITCH_LABELS[one.id], count) for one in networks if (count := _switches(one, sku)))


def _other(part: Part, count: int, networks: Iterable[Network]) -> Device:
    switch = isinstance(part, Switch)
    power = _kilo(part.power_w)
    return Device(
        part=part,
        label=SWITCH_LABELS[part.role] if isinstance(part, Switch) else {"storage": "ST"}.get(part.category, "H"),
        labels=_labels(part.sku, networks) if isinstance(part, Switch) else (),
        count=count,
        units=part.rack_units,
        power_kw=power,
        heat_kw=power,
        weight_kg=part.weight_kg,
        supplies=part.psu_count if isinstance(part, Switch) else 2,
        required=1,
        outlet=part.psu_outlet if switch and isinstance(part, Switch) else "C13",
    )
