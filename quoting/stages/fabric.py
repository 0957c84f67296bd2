"""Counting rules of a cluster network: switches, links, transceivers and the medium of one link.

Pure arithmetic on whole numbers; prices, lengths and parts are elsewhere. Source of the rules: the published tables of
the DGX SuperPOD and BasePOD reference architectures, which they reproduce row by row (tests/published/).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from math import ceil
from typing import Literal

from quoting.parts import Optic, Platform, Switch
from quoting.rows import Catalog

Shape = Literal["star", "two_tier", "three_tier"]


class UnsupportedFabric(ValueError):
    """The counting rule was never shown to hold for this request; ``reason`` is a code."""

    def __init__(self, reason: str, radix: int, ends: int) -> None:
        self.reason, self.radix, self.ends = reason, radix, ends
        super().__init__(f"{reason}: {ends} ends on switches of {radix} ports")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fabric:
    """One network of identical switches. Links are at the speed of a network card, over all planes."""

    shape: Shape
    radix: int
    leaf: int
    spine: int = 0
    core: int = 0
    node_links: int
    leaf_spine_links: int = 0
    spine_core_links: int = 0
    peer_links: int = 0  # between the two switches of a star laid out twice
    uplinks: int = 0  # of one leaf
    unit_nodes: int  # nodes that fill the leaves bought
    planes: int = 1

    @property
    def switches(self) -> int:
        """All switches, over all planes."""
        return self.leaf + self.spine + self.core


def divisors(number: int) -> tuple[int, ...]:
    """Every divisor of ``number``, rising."""
    return tuple(part for part in range(1, number + 1) if number % part == 0)


def rails_per_leaf(nodes: int, rails: int, half: int) -> int:
    """How many rails share one leaf of ``half`` node ports: the largest divisor of ``rails`` that fits."""
    return max((part for part in divisors(rails) if part * nodes <= half), default=1)


def spine_count(leaf: int, uplinks: int, radix: int) -> int:
    """Spines that carry ``leaf`` leaves of ``uplinks`` each.

    The smallest divisor of ``uplinks`` that has the ports, so that every leaf spreads its uplinks evenly: 24 leaves
    of 32 uplinks on 64 ports take 16 spines, not 12.
    """
    need = -(-leaf * uplinks // radix)
    return min(part for part in divisors(uplinks) if part >= need)


def count_fabric(
    nodes: int,
    rails: int,
    radix: int,
    supported: frozenset[int],
    *,
    extra_links: int = 0,
    redundant: bool = False,
    oversubscription: Decimal = Decimal(1),
    planes: int = 1,
) -> Fabric:
    """The network of ``nodes`` with ``rails`` ports each on switches of ``radix`` ports at the card's speed.

    ``extra_links`` are management ports on leaves (a fabric manager's four), ``redundant`` lays a star out twice,
    ``planes`` builds the whole network that many times, ``supported`` lists the radices whose two- and three-tier
    tables are known. Raises UnsupportedFabric for others, and above the three-tier limit of radix^3 / 4 ends.
    """
    if nodes < 1 or rails < 1:
        raise UnsupportedFabric("nothing_to_connect", radix, nodes * rails)
    one = _one_plane(nodes, rails, radix, supported, redundant, oversubscription)
    one = replace(one, node_links=nodes * rails + extra_links)
    return _times(one, planes)


def full_unit(nodes: int, rails: int, radix: int, supported: frozenset[int]) -> Fabric | None:
    """The same network with its last unit complete: every leaf, spine and link between them, node ports left empty.

    A unit is as many nodes as half a switch has ports. None where one switch carries all, and where the network of
    the nodes bought has the leaves and spines of whole units already.
    """
    day_one = count_fabric(nodes, rails, radix, supported)
    if day_one.shape == "star":
        return None
    half = radix // 2
    whole = count_fabric(half * -(-nodes // half), rails, radix, supported)
    more = whole.shape == day_one.shape and whole.leaf_spine_links > day_one.leaf_spine_links
    return whole if more else None


def _one_plane(
    nodes: int, rails: int, radix: int, supported: frozenset[int], redundant: bool, oversubscription: Decimal
) -> Fabric:
    ends = nodes * rails
    if ends <= radix:
        return _star(nodes, rails, radix, redundant)
    if radix not in supported:
        raise UnsupportedFabric("radix", radix, ends)
    if ends <= radix * radix // 2:
        return _two_tier(nodes, rails, radix, oversubscription)
    if ends <= radix**3 // 4:
        return _three_tier(nodes, rails, radix, oversubscription)
    raise UnsupportedFabric("size", radix, ends)


def _star(nodes: int, rails: int, radix: int, redundant: bool) -> Fabric:
    ends = nodes * rails
    return Fabric(
        shape="star",
        radix=radix,
        leaf=2 if redundant else 1,
        node_links=ends,
        peer_links=ends // 2 if redundant else 0,
        unit_nodes=radix // rails,
    )


def _two_tier(nodes: int, rails: int, radix: int, oversubscription: Decimal) -> Fabric:
    half = radix // 2
    shared = rails_per_leaf(nodes, rails, half)
    groups = -(-nodes // half)
    leaf = rails // shared if groups == 1 else rails * groups
    uplinks = ceil(half / oversubscription)
    return Fabric(
        shape="two_tier",
        radix=radix,
        leaf=leaf,
        spine=spine_count(leaf, uplinks, radix),
        node_links=nodes * rails,
        leaf_spine_links=leaf * uplinks,
        uplinks=uplinks,
        unit_nodes=half // shared if groups == 1 else half * groups,
    )


def _three_tier(nodes: int, rails: int, radix: int, oversubscription: Decimal) -> Fabric:
    half = radix // 2
    leaf, uplinks = rails * -(-nodes // half), ceil(half / oversubscription)
    spine = -(-leaf * uplinks // half)
    return Fabric(
        shape="three_tier",
        radix=radix,
        leaf=leaf,
        spine=spine,
        core=-(-spine // 2),
        node_links=nodes * rails,
        leaf_spine_links=leaf * uplinks,
        spine_core_links=spine * half,
        uplinks=uplinks,
        unit_nodes=half * -(-nodes // half),
    )


def _times(one: Fabric, planes: int) -> Fabric:
    if planes == 1:
        return one
    return replace(
        one,
        planes=planes,
        leaf=one.leaf * planes,
        spine=one.spine * planes,
        core=one.core * planes,
        node_links=one.node_links * planes,
        leaf_spine_links=one.leaf_spine_links * planes,
        spine_core_links=one.spine_core_links * planes,
        peer_links=one.peer_links * planes,
    )


# --------------------------------------------------------------------------- transceivers, fibres, spares


def node_transceivers(nodes: int, rails: int, cages: int) -> int:
    """Transceivers at the nodes: one a cage. A node of 8 rails has 8 single-port cages or 4 twin-port ones."""
    return nodes * (cages or rails)


def switch_transceivers(fabric: Fabric, ports_per_plug: int = 2, filled: bool = False) -> int:
    """Transceivers at the switches of a fabric whose plugs carry ``ports_per_plug`` links.

    A link between switches takes half a twin-port plug at both ends. ``filled`` counts every leaf cage on the node
    side, as a whole unit is delivered, where the links of the nodes bought would leave some empty.
    """
    down = fabric.leaf * (fabric.radix // 2) if filled and fabric.spine else fabric.node_links
    between = fabric.leaf_spine_links + fabric.spine_core_links
    return -(-down // ports_per_plug) + -(-2 * between // ports_per_plug)


def fibres(fabric: Fabric) -> int:
    """Fibre cables: one a link, whatever the plugs at its ends carry."""
    return fabric.node_links + fabric.leaf_spine_links + fabric.spine_core_links


def spares(quantity: int, share: Decimal, extra: int) -> int:
    """Spare plugs or cables for ``quantity`` in use: ``share`` of them, rounded up, and ``extra``."""
    return ceil(quantity * share) + extra if quantity else 0


def outofband_switches(ends: int, usable_ports: int) -> int:
    """Management switches for ``ends`` copper ports where ``usable_ports`` of each are used."""
    return -(-ends // usable_ports)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How far each medium goes, in metres; None: not to be used on this link."""

    dac_m: Decimal
    acc_m: Decimal | None
    short_m: Decimal | None  # SR4 on multimode
    long_m: Decimal  # DR4 on single mode
    longest_m: Decimal  # FR4


def medium(length_m: Decimal, reach: Reach) -> str | None:
    """The cheapest medium that carries a link of ``length_m``: dac, acc, short, long, longest; None: too far."""
    limits = (
        ("dac", reach.dac_m),
        ("acc", reach.acc_m),
        ("short", reach.short_m),
        ("long", reach.long_m),
        ("longest", reach.longest_m),
    )
    return next((name for name, limit in limits if limit is not None and length_m <= limit), None)


def supported_radices(catalog: Catalog) -> frozenset[int]:
    """Switch sizes, in ports at the card's speed, whose two- and three-tier tables are known."""
    return frozenset(int(part) for part in str(catalog.rules["fabric.leaf_spine"].values["radices"]).split(","))


# --------------------------------------------------------------------------- which plug at which end


def switch_optic(catalog: Catalog, switch: Switch, short: bool = False) -> Optic | None:
    """The plug for a switch's cages, on multimode when ``short`` and there is one; None: the catalogue has none."""
    return _optic(catalog, f"optic_switch_{switch.body}", short)


def node_optic(catalog: Catalog, platform: Platform, short: bool = False) -> Optic | None:
    """The plug for a node's compute ports: twin-port where fewer cages than rails carry them."""
    twin = 0 < platform.rail_cages < platform.rails
    body = f"{platform.rail_body.removesuffix('_flat')}_twin" if twin else platform.rail_body
    domestic = platform.origin == "domestic"
    return (_optic(catalog, f"optic_node_{body}_domestic", short) if domestic else None) or _optic(
        catalog, f"optic_node_{body}", short
    )


def _optic(catalog: Catalog, role: str, short: bool) -> Optic | None:
    recipes = catalog.terms.recipes
    sku = (recipes.get(f"{role}_mm") if short else None) or recipes.get(role, "")
    part = catalog.parts.get(sku)
    return part if isinstance(part, Optic) else None
