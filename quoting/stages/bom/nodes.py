"""One node's configuration times the node count: complete nodes, assembled nodes, memory, parts people own."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from math import ceil

from quoting.parts import Cpu, Dimm, Platform, RecipeLine
from quoting.records import Demand, Fit, Item
from quoting.requirement import Requirement
from quoting.rows import Catalog


def node_items(
    requirement: Requirement, demand: Demand, fit: Fit, platform: Platform, catalog: Catalog
) -> tuple[Item, ...]:
    """The lines of all nodes: new ones priced, owned ones marked."""
    nodes = fit.nodes or 0
    owned = owned_nodes(requirement, fit, platform)
    memory = _more_memory(requirement, demand, nodes, platform, catalog)
    make = _complete if platform.sold == "complete" else _assembled
    have = tuple(replace(item, owned=True) for item in make(platform, owned, memory) if not item.parent)
    return (*make(platform, nodes - owned, memory), *have, *_added_memory(platform, nodes, memory))


def owned_nodes(requirement: Requirement, fit: Fit, platform: Platform) -> int:
    """How many of the plan's nodes the customer has already."""
    named, nodes = requirement.hardware, fit.nodes or 0
    if named is None or not named.owned or named.gpu != fit.gpu:
        return 0
    if named.nodes is not None:
        return min(named.nodes, nodes)
    return nodes if named.cards is None else min(named.cards // platform.cards, nodes)


def _complete(platform: Platform, nodes: int, memory: RecipeLine | None) -> list[Item]:
    if not nodes:
        return []
    whole = Item(
        sku=platform.sku,
        quantity=nodes,
        group="compute",
        why="node.complete",
        arguments=(("nodes", nodes), ("cards", platform.cards)),
    )
    return [whole, *(_recipe_item(line, nodes, platform.sku) for line in platform.recipe)]


def _assembled(platform: Platform, nodes: int, memory: RecipeLine | None) -> list[Item]:
    lines = (memory if memory and line.role == "dimm" else line for line in platform.recipe)
    return [_recipe_item(line, nodes, "") for line in lines] if nodes else []


def _recipe_item(line: RecipeLine, nodes: int, parent: str) -> Item:
    return Item(
        sku=line.sku,
        quantity=line.quantity * nodes,
        group="compute",
        why=f"recipe.{line.role}",
        arguments=(("each", line.quantity), ("nodes", nodes)),
        parent=parent,
    )


def _added_memory(platform: Platform, nodes: int, memory: RecipeLine | None) -> tuple[Item, ...]:
    """A complete node is sold with its memory, so more of it is a line of its own."""
    if memory is None or platform.sold != "complete":
        return ()
    arguments = (("each", memory.quantity), ("nodes", nodes))
    return (
        Item(
            sku=memory.sku,
            quantity=memory.quantity * nodes,
            group="compute",
            why="dimm.offload",
            arguments=arguments,
        ),
    )


def _more_memory(
    requirement: Requirement, demand: Demand, nodes: int, platform: Platform, catalog: Catalog
) -> RecipeLine | None:
    """The balanced set of DIMMs a node needs when offload needs more than the recipe has; None: the recipe will do."""
    asked = max((need.host_ram_gb for need in demand.needs), default=Decimal(0))
    need = ceil(asked / max(nodes, 1))
    if platform.ram_gb is None or need <= platform.ram_gb:
        return None
    return balanced_memory(need, platform, catalog)


def balanced_memory(need_gb: int, platform: Platform, catalog: Catalog) -> RecipeLine | None:
    """The smallest set that fills every memory channel equally, once or twice, and holds ``need_gb``.

    None when the platform's memory is not known, or no set in the catalogue is large enough.
    """
    current = next((line for line in platform.recipe if line.role == "dimm"), None)
    part = catalog.parts.get(current.sku) if current else None
    if not isinstance(part, Dimm):
        return None
    channels = _channels(platform, catalog)
    counts = [count for count in (channels, 2 * channels) if count and count <= (platform.dimm_slots or 0)]
    kinds = [dimm for dimm in catalog.parts.values() if isinstance(dimm, Dimm)]
    sets = sorted(
        (dimm.capacity_gb * count, count, dimm.sku)
        for dimm in kinds
        for count in counts
        if dimm.memory_type == part.memory_type and dimm.capacity_gb * count >= need_gb
    )
    return RecipeLine(sku=sets[0][2], quantity=sets[0][1], role="dimm") if sets else None


def _channels(platform: Platform, catalog: Catalog) -> int:
    sku = next((line.sku for line in platform.recipe if line.role == "cpu"), "")
    cpu = catalog.parts.get(sku)
    each = cpu.memory_channels if isinstance(cpu, Cpu) else None
    return (each or 0) * platform.cpu_sockets
