"""One kind of link: the cable and plugs for each length, and the lines of the bill they make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal

from quoting.kinds import Arguments
from quoting.parts import Cable, Optic, Part
from quoting.records import Item
from quoting.rows import Catalog
from quoting.stages.fabric import spares
from quoting.stages.leaves import rule_number

_REACH = {"dac": "dac", "acc": "acc", "splitter": "dac_splitter"}


@dataclass(slots=True)
class Bundle:
    """Cables and plugs counted so far, and the longest link no part on sale covers; ``on_sale`` are the house's."""

    on_sale: tuple[Cable, ...]
    cables: Counter[str] = field(default_factory=Counter)
    plugs: Counter[str] = field(default_factory=Counter)
    longest: Decimal = Decimal(0)
    too_long: Decimal = Decimal(0)
    full_unit: tuple[Item, ...] = ()  # options that complete the last unit


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """One end of a link: the socket there, and the plug that goes into it."""

    body: str
    optic: Optic | None
    shared: bool  # a switch's plug carries ``optic.ports`` links


def run_links(
    bundle: Bundle,
    lengths: Counter[Decimal],
    a: End,
    b: End,
    copper_gbps: int | None,
    catalog: Catalog,
    reach: str = "fabric.reach",
) -> None:
    """Count the cables and plugs of links of one kind; copper where a cable on sale reaches, fibre elsewhere."""
    on_fibre = split = 0
    for length, count in lengths.items():
        bundle.longest = max(bundle.longest, length)
        copper = _copper(length, a, b, copper_gbps, catalog, reach, bundle.on_sale)
        if copper is not None:
            bundle.cables[copper.sku] += -(-count // _links(copper))
            continue
        on_fibre += count
        fibre = _fibre(length, a.optic, b.optic if copper_gbps is not None else a.optic, bundle.on_sale)
        if fibre is None:
            bundle.too_long = max(bundle.too_long, length)
        else:
            bundle.cables[fibre.sku] += (cables := -(-count // _links(fibre)))
            split += count - cables
    for end in (a, b):
        if end.optic is not None and (end is a or copper_gbps is not None):
            links = on_fibre - split if end is a else on_fibre
            bundle.plugs[end.optic.sku] += -(-links // (end.optic.ports if end.shared else 1))


def _links(part: Cable) -> int:
    """Links one cable carries: as many as it says, else two from a twin-port cage."""
    return part.links or (2 if part.medium == "splitter" or part.body_a == "osfp_finned" else 1)


def _copper(
    length: Decimal,
    a: End,
    b: End,
    gbps: int | None,
    catalog: Catalog,
    reach: str,
    on_sale: Iterable[Cable],
) -> Cable | None:
    if gbps is None:
        return None
    fit = [
        part
        for part in on_sale
        if part.medium in _REACH
        and (part.body_a, part.body_b) == (a.body, b.body)
        and part.gbps == gbps
        and length <= part.length_m <= _limit(part, catalog, reach)
    ]
    return min(fit, key=lambda part: part.length_m, default=None)


def _limit(part: Cable, catalog: Catalog, reach: str) -> Decimal:
    own = catalog.rules[reach].values
    key = _REACH[part.medium]
    if part.medium == "dac" and part.body_a != "osfp_finned" and reach == "fabric.reach":
        key = "dac_splitter"  # single-port copper goes as far as a splitter
    return Decimal(own[key]) if key in own else rule_number(catalog, "fabric.reach", key)


def _fibre(length: Decimal, optic: Optic | None, other: Optic | None, on_sale: Iterable[Cable]) -> Cable | None:
    """The fibre for the plugs at both ends; a breakout where they take different ones."""
    if optic is None or length > optic.reach_m:
        return None
    fibres = (optic.fibre, (other or optic).fibre)
    fit = [
        part
        for part in on_sale
        if part.medium == "fibre" and (part.body_a, part.body_b) == fibres and part.length_m >= length
    ]
    return min(fit, key=lambda part: part.length_m, default=None)


def cables_on_sale(catalog: Catalog) -> tuple[Cable, ...]:
    """The cables the house's terms name."""
    recipes: Iterable[Part | None] = (catalog.parts.get(sku) for sku in catalog.terms.recipes.values())
    return tuple(part for part in recipes if isinstance(part, Cable))


def link_items(bundle: Bundle, catalog: Catalog) -> tuple[Item, ...]:
    share, extra = (rule_number(catalog, "fabric.spares", key) for key in ("share", "extra"))
    lines: list[Item] = []
    for why, counter in (("plug", bundle.plugs), ("cable", bundle.cables)):
        for sku, count in sorted(counter.items()):
            if not count:
                continue
            lines.append(Item(sku=sku, quantity=count, group="cabling", why=f"{why}.links", scope="cabling"))
            more = spares(count, share, int(extra))
            arguments = (("share", share), ("extra", extra), ("used", count))
            spare = Item(sku=sku, quantity=more, group="spares", why="spares", arguments=arguments, scope="spares")
            lines.append(spare)
    return tuple(lines)


def option_items(bundle: Bundle, arguments: Arguments) -> tuple[Item, ...]:
    """Cables and plugs of a bundle as options beside the total, without spares."""
    return tuple(
        Item(
            sku=sku,
            quantity=count,
            group="cabling",
            why="fabric.full_unit_links",
            arguments=arguments,
            scope="cabling",
            optional=True,
        )
        for counter in (bundle.plugs, bundle.cables)
        for sku, count in sorted(counter.items())
        if count
    )
