"""site: the plan in the customer's room: racks, cables, power, cooling, floor, and what would cure what fails."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from quoting.parts import Platform
from quoting.records import Bom, Check, Fit, Item, Remedy, Site
from quoting.requirement import Requirement, Scope
from quoting.rows import Catalog
from quoting.stages.site.cabling import cable
from quoting.stages.site.devices import Device, devices
from quoting.stages.site.layout import Layout, lay_out
from quoting.stages.site.lines import joining_lines, option_lines, rack_lines
from quoting.stages.site.positions import tray_of
from quoting.stages.site.racks import pdus_of, rack_plans, units_used
from quoting.stages.site.remedies import Change, proposals
from quoting.stages.site.room import Room, room_of
from quoting.stages.site.workstation import workstation_site

__all__ = ["site"]


def site(requirement: Requirement, fit: Fit, bom: Bom, catalog: Catalog, offers: bool = True) -> Site:
    """The room worked out for a plan, accepted remedies included. A plan of no nodes has an empty room.

    Without ``offers`` no remedy is looked for that was not accepted: the search takes longer than all the rest.
    """
    platform = catalog.platforms.get(fit.platform)
    room = room_of(requirement, platform, catalog) if platform else None
    if not fit.nodes or platform is None or room is None:
        return Site(racks=(), checks=(), lines=(), remedies=())
    equipment = devices(requirement, fit, bom, catalog)
    if platform.form_factor == "workstation":
        return workstation_site(equipment[0], room, platform, catalog, bom)
    layout = lay_out(equipment, room, platform, catalog, bom.figures)
    plan = Plan(equipment=equipment, platform=platform, fit=fit, bom=bom, catalog=catalog)
    layout, taken = _accept(layout, plan, requirement.site.accept)
    offered = _offers(layout, plan) if offers and _weak(layout.checks) else ()
    cables, cable_checks = _cables(layout, plan)
    works = tuple(item for remedy in taken for item in remedy.items if item.scope == "remedy")
    racks = rack_plans(layout)
    return Site(
        racks=racks,
        checks=_with_cures((*layout.checks, *cable_checks), (*taken, *offered)),
        lines=(*rack_lines(layout, catalog), *cables, *works, *_options(layout, taken, requirement.scope, catalog)),
        remedies=(*taken, *offered),
        power_kw=layout.totals.power_kw,
        heat_kw=layout.totals.heat_kw,
        cooling_kw=layout.totals.cooling_kw,
        ups_kva=layout.totals.ups_kva,
        weight_kg=layout.totals.weight_kg,
        pue=layout.totals.pue,
        units_used=units_used(racks),
        figures=layout.figures,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is put into the room, whatever remedies change of it."""

    equipment: tuple[Device, ...]
    platform: Platform
    fit: Fit
    bom: Bom
    catalog: Catalog

    def laid_out(self, room: Room) -> Layout:
        """The plan in a room."""
        return lay_out(self.equipment, room, self.platform, self.catalog, self.bom.figures)


def _cables(layout: Layout, plan: Plan) -> tuple[tuple[Item, ...], tuple[Check, ...]]:
    networks, pdus = plan.bom.networks, pdus_of(layout)
    if not any(network.leaf for network in networks):
        return joining_lines(networks, sum(pdus), plan.catalog), ()
    tray = tray_of(layout.room.units, plan.catalog)
    return cable(layout.racks, networks, plan.platform, pdus, tray, plan.catalog)


def _options(layout: Layout, taken: tuple[Remedy, ...], scope: Scope, catalog: Catalog) -> tuple[Item, ...]:
    """Options beside the total, without what an accepted remedy brought already."""
    have = {item.sku for remedy in taken for item in remedy.items}
    return tuple(item for item in option_lines(layout, scope, catalog) if item.sku not in have)


def _with_cures(checks: tuple[Check, ...], remedies: tuple[Remedy, ...]) -> tuple[Check, ...]:
    """Each check that is not passed with the remedies that would cure it."""
    return tuple(
        check if check.status == "pass" else replace(check, remedies=_cures(check, remedies)) for check in checks
    )


def _cures(check: Check, remedies: tuple[Remedy, ...]) -> tuple[str, ...]:
    return tuple(remedy.id for remedy in remedies if check.id in remedy.cures)


def _weak(checks: tuple[Check, ...]) -> bool:
    return any(check.status in ("fail", "warn") for check in checks)


# --------------------------------------------------------------------------- remedies


def _accept(layout: Layout, plan: Plan, accepted: tuple[str, ...]) -> tuple[Layout, tuple[Remedy, ...]]:
    """Take the accepted remedies one by one, each judged on the room the one before it left."""
    taken: list[Remedy] = []
    while accepted and _weak(layout.checks):
        done = {remedy.id for remedy in taken}
        for change in proposals(layout, plan.platform, plan.catalog):
            if change.id in done or not (change.id in accepted or "all" in accepted):
                continue
            after = plan.laid_out(change.room)
            if cured := cures(layout, after):
                taken.append(_remedy(change, cured, _more(layout, after, plan), accepted=True))
                layout = after
                break
        else:
            break
    return layout, tuple(taken)


def _offers(layout: Layout, plan: Plan) -> tuple[Remedy, ...]:
    offered = []
    for change in proposals(layout, plan.platform, plan.catalog):
        after = plan.laid_out(change.room)
        if cured := cures(layout, after):
            offered.append(_remedy(change, cured, _more(layout, after, plan), accepted=False))
    return tuple(offered)


def cures(before: Layout, after: Layout) -> tuple[str, ...]:
    """Checks that failed, or warned, and are better after; none when a check got worse instead."""
    rank = {"pass": 0, "warn": 1, "unknown": 2, "fail": 2}
    now = {check.id: rank[check.status] for check in after.checks}
    was = {check.id: rank[check.status] for check in before.checks if check.status != "unknown"}
    if any(now.get(id, 0) > level for id, level in was.items()):
        return ()
    return tuple(id for id, level in was.items() if now.get(id, 0) < level)


def _remedy(change: Change, cured: tuple[str, ...], more: tuple[Item, ...], accepted: bool) -> Remedy:
    """What a remedy costs: its own works, and what the new packing takes beyond the old, less what it saves."""
    return Remedy(
        id=change.id, cures=cured, items=(*change.items, *more), accepted=accepted, arguments=change.arguments
    )


def _more(before: Layout, after: Layout, plan: Plan) -> tuple[Item, ...]:
    """Racks, PDUs, cords, cables and the like that the room after takes more; of what it takes less, a negative
    quantity."""
    old, new = list(rack_lines(before, plan.catalog)), list(rack_lines(after, plan.catalog))
    if before.racks != after.racks or pdus_of(before) != pdus_of(after):
        old, new = [*old, *_cables(before, plan)[0]], [*new, *_cables(after, plan)[0]]
    had = Counter[tuple[str, str]]()
    kinds: dict[tuple[str, str], Item] = {}
    for sign, lines in ((1, new), (-1, old)):
        for item in (line for line in lines if not line.optional):
            had[item.sku, item.group] += sign * item.quantity
            kinds.setdefault((item.sku, item.group), item)
    return tuple(replace(kinds[key], quantity=count) for key, count in had.items() if count)
