"""Head nodes, shared storage, software and services around the nodes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from math import ceil

from quoting.parts import Platform
from quoting.records import Check, Demand, Fit, Item
from quoting.requirement import Requirement
from quoting.rows import Catalog
from quoting.stages.leaves import rule_number

_OPTIONS = ("training", "tuning", "hosting", "inspection")


@dataclass(frozen=True, slots=True, kw_only=True)
class Storage:
    """Storage lines, and the check that says when none can be offered."""

    items: tuple[Item, ...] = ()
    checks: tuple[Check, ...] = ()


def recipe(catalog: Catalog, role: str, domestic: bool = False) -> str:
    """The SKU that plays a role outside a node, the domestic one first where asked; "" when there is none."""
    recipes = catalog.terms.recipes
    sku = (recipes.get(f"{role}_domestic") if domestic else None) or recipes.get(role, "")
    return sku if sku in catalog.parts else ""


def head_nodes(fit: Fit, catalog: Catalog) -> tuple[Item, ...]:
    """Management servers: one from two nodes, two from four, none where the catalogue has none."""
    nodes, sku = fit.nodes or 0, recipe(catalog, "head_node", fit.tier == "xinchuang")
    steps = [rule_number(catalog, "fabric.head_nodes", key) for key in ("one_from", "two_from")]
    count = sum(nodes >= step for step in steps)
    if not sku or not count:
        return ()
    return (Item(sku=sku, quantity=count, group="compute", why="head_node", arguments=(("nodes", nodes),)),)


def storage_items(requirement: Requirement, demand: Demand, fit: Fit, catalog: Catalog) -> Storage:
    """Shared storage: in the plan from two nodes; an option for one whose data would fill a fair part of a set; said so
    when the catalogue has none."""
    if catalog.platforms[fit.platform].form_factor == "workstation":
        return Storage()
    sku = recipe(catalog, "storage_shared", fit.tier == "xinchuang")
    if not sku:
        return Storage(checks=(_no_storage(demand),))
    each = rule_number(catalog, "storage", "usable_gb")
    count = max(1, ceil(demand.storage_gb / each))
    single = (fit.nodes or 0) < 2 and "storage" not in requirement.scope.include
    if single and demand.storage_gb < each * rule_number(catalog, "storage", "option_from"):
        return Storage()
    arguments = (("need", demand.storage_gb), ("each", each))
    item = Item(sku=sku, quantity=count, group="storage", why="storage", arguments=arguments, scope="storage")
    return Storage(items=(replace(item, optional=single),))


def _no_storage(demand: Demand) -> Check:
    return Check(id="storage", status="unknown", required=demand.storage_gb, unit="GB", source="storage")


def software_items(fit: Fit, platform: Platform, catalog: Catalog) -> tuple[Item, ...]:
    """Operating system, container stack and, for domestic cards, the pinned driver stack: one set a node."""
    nodes, domestic = fit.nodes or 0, fit.tier == "xinchuang"
    skus = [
        ("software.os", recipe(catalog, "software_os", domestic)),
        ("software.stack", recipe(catalog, "software_stack", domestic)),
        ("software.driver", _driver(platform, catalog) if domestic else ""),
    ]
    return tuple(
        Item(sku=sku, quantity=nodes, group="software", why=why, arguments=(("nodes", nodes),), scope="software")
        for why, sku in skus
        if sku
    )


def _driver(platform: Platform, catalog: Catalog) -> str:
    vendor = catalog.accelerators[platform.accelerator].vendor.lower().replace(" ", "")
    own = {"huawei": "ascend", "iluvatarcorex": "iluvatar"}.get(vendor, vendor)
    return recipe(catalog, f"software_driver_{own}") or recipe(catalog, "software_driver_domestic")


def service_items(requirement: Requirement, fit: Fit, owned: int, catalog: Catalog) -> tuple[Item, ...]:
    """Deployment, adaptation and proof of concept, on-site warranty; training and the like as options.

    ``owned`` nodes are the customer's: their maintenance covers labour, since we did not supply what may break.
    """
    nodes = fit.nodes or 0
    wanted = [
        ("service.deploy_node", "deploy_node", nodes, "deployment"),
        ("service.deploy_cluster", "deploy_cluster", int(nodes > 1), "deployment"),
        ("service.warranty", "warranty_3y", nodes - owned, "service"),
        ("service.warranty_own", "warranty_3y_own", owned, "service"),
        *(_domestic() if fit.tier == "xinchuang" else ()),
        *((f"service.{scope}", scope, 1, scope) for scope in _OPTIONS if _is_of_use(scope, requirement, nodes)),
    ]
    return tuple(
        Item(
            sku=sku,
            quantity=count,
            group="service",
            why=why,
            arguments=(("nodes", Decimal(nodes)),),
            scope=scope,
        )
        for why, role, count, scope in wanted
        if (sku := recipe(catalog, role)) and count
    )


def _is_of_use(scope: str, requirement: Requirement, nodes: int) -> bool:
    """Tuning of a fabric is offered where training crosses one, or where the form asks for it."""
    if scope != "tuning" or scope in requirement.scope.include:
        return True
    return nodes > 1 and any(workload.task != "inference" for workload in requirement.workloads)


def _domestic() -> tuple[tuple[str, str, int, str], ...]:
    return (
        ("service.adapt", "adapt_domestic", 1, "deployment"),
        ("service.poc", "poc_domestic", 1, "deployment"),
    )
