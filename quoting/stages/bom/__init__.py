"""bom: what is bought whatever the room is like: servers, switches, storage, software, services."""

from __future__ import annotations

from decimal import Decimal

from quoting.figure import Ledger
from quoting.parts import Platform
from quoting.records import Bom, Demand, Fit, Item, Network
from quoting.requirement import Requirement
from quoting.rows import Catalog
from quoting.stages.bom.checks import supply_check
from quoting.stages.bom.networks import plan_networks
from quoting.stages.bom.nodes import node_items, owned_nodes
from quoting.stages.bom.optics import optics_checks
from quoting.stages.bom.outofband import with_pdus
from quoting.stages.bom.services import head_nodes, service_items, software_items, storage_items
from quoting.stages.leaves import part_leaf

CARDS = "nodes * cards"

__all__ = ["bom", "with_pdus"]


def bom(requirement: Requirement, demand: Demand, fit: Fit, catalog: Catalog) -> Bom:
    """The bill for a plan, without anything that depends on the room. A plan of no nodes is an empty bill."""
    nodes = fit.nodes or 0
    if not nodes:
        return Bom(items=())
    platform, ledger = catalog.platforms[fit.platform], Ledger()
    storage = storage_items(requirement, demand, fit, catalog)
    heads = head_nodes(fit, catalog)
    networks = plan_networks(
        requirement, fit, platform, _sold(requirement, heads), _sold(requirement, storage.items), catalog
    )
    items: tuple[Item, ...] = (
        *node_items(requirement, demand, fit, platform, catalog),
        *networks.items,
        *heads,
        *storage.items,
        *software_items(fit, platform, catalog),
        *service_items(requirement, fit, owned_nodes(requirement, fit, platform), catalog),
    )
    checks = (
        *supply_check(requirement, fit, platform, catalog, ledger),
        *networks.checks,
        *optics_checks(requirement, networks.networks, platform, catalog),
        *storage.checks,
    )
    _count(nodes, platform, ledger)
    _networks(networks.networks, ledger)
    used = tuple(item for item in items if item.quantity)
    return Bom(items=used, networks=networks.networks, checks=checks, figures=ledger.figures())


def _sold(requirement: Requirement, items: tuple[Item, ...]) -> int:
    """How many pieces are in the plan: neither options, nor left out of the scope, nor the customer's own."""
    out = {*requirement.scope.exclude, *requirement.scope.reuse}
    return sum(item.quantity for item in items if not item.optional and item.scope not in out)


def _networks(networks: tuple[Network, ...], ledger: Ledger) -> None:
    """Switches and links of each network, by the rule that counted them."""
    rules = {network.id: f"fabric.{network.id}" for network in networks} | {"compute": "fabric.leaf_spine"}
    for network in networks:
        for name in ("leaf", "spine", "core", "node_links", "leaf_spine_links", "spine_core_links"):
            if count := getattr(network, name):
                unit = "link" if name.endswith("links") else "piece"
                inputs = {"nodes": "bom.nodes"}
                ledger.rule(
                    f"bom.{network.id}.{name}", Decimal(count), unit, rules[network.id], network.shape, **inputs
                )


def _count(nodes: int, platform: Platform, ledger: Ledger) -> None:
    ledger.rule("bom.nodes", Decimal(nodes), "node", "fit.nodes", "recommended")
    ledger.formula("bom.cards", "card", CARDS, nodes="bom.nodes", cards=part_leaf(ledger, platform, "cards", "card"))
