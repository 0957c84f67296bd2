"""A sales engineer's own changes to the lines: add, replace, remove, quantity, price, note.

Changes are made to items before the room is checked, so that the checks judge what will really be bought.
"""

from __future__ import annotations

from dataclasses import replace

from quoting.errors import Mistake, Mistakes
from quoting.records import Bom, Item, Site
from quoting.requirement import LineChange
from quoting.rows import Catalog

_MOST_UNITS = 2000  # of equipment typed by hand: some fifty racks
_CATEGORIES = {
    "compute": "accelerator platform chassis cpu dimm drive nic psu cooling_part bmc management_server",
    "network": "switch",
    "cabling": "optic cable",
    "storage": "storage",
    "rack": "rack rack_accessory",
    "power": "pdu power_cord ups battery",
    "cooling": "cooler cdu",
    "software": "software operating_system driver_stack database",
}
_GROUP_OF_CATEGORY = {category: group for group, all_of in _CATEGORIES.items() for category in all_of.split()}


def change_bom(bom: Bom, changes: tuple[LineChange, ...], catalog: Catalog) -> Bom:
    """The bill with the changes that touch it, and the lines added by hand."""
    items = bom.items
    for change in changes:
        items = (*items, _added(change, catalog)) if change.action == "add" else _changed(items, change)
    _refuse_endless(items, catalog)
    return replace(bom, items=items)


def _refuse_endless(items: tuple[Item, ...], catalog: Catalog) -> None:
    """A million switches typed by hand are a slip, and would be packed one by one; raises Mistakes."""
    typed = [(item.quantity, catalog.parts.get(item.sku)) for item in items if item.changed]
    units = sum(quantity * (part.rack_units or 0) for quantity, part in typed if part is not None)
    if units > _MOST_UNITS:
        raise Mistakes([Mistake("form", "line", f"{units:,} rack units by hand", f"at most {_MOST_UNITS:,} in all")])


def change_site(site: Site, changes: tuple[LineChange, ...]) -> Site:
    """The site's lines with the changes that touch them."""
    lines = site.lines
    for change in changes:
        if change.action != "add":
            lines = _changed(lines, change)
    return replace(site, lines=lines)


def refuse_unmatched(changes: tuple[LineChange, ...], items: tuple[Item, ...]) -> None:
    """Raise Mistakes for every change that names a line the quotation does not have; ``items`` are those unchanged."""
    mistakes = [
        Mistake("form", f"line[{position}]", f"no line has {change.sku or change.name!r}", "the SKU of a quoted line")
        for position, change in enumerate(changes, start=1)
        if change.action != "add" and not any(_matches(item, change) for item in items)
    ]
    if mistakes:
        raise Mistakes(mistakes)


def _matches(item: Item, change: LineChange) -> bool:
    return (bool(change.sku) and item.sku == change.sku) or (bool(change.name) and item.name == change.name)


def _reason(change: LineChange) -> str:
    return change.reason or change.action


def _added(change: LineChange, catalog: Catalog) -> Item:
    part = catalog.parts.get(change.sku)
    return Item(
        sku=change.sku,
        name=change.name,
        quantity=1 if change.quantity is None else change.quantity,
        group=_GROUP_OF_CATEGORY.get(part.category, "service") if part else _group_by_tax(change, catalog),
        scope="manual",
        why="line.added",
        unit_price=change.unit_price,
        tax_rate=change.tax_rate,
        changed=_reason(change),
    )


def _group_by_tax(change: LineChange, catalog: Catalog) -> str:
    """A line of no part: goods where the tax is that of goods or unsaid, else a service or works."""
    goods = change.tax_rate is None or change.tax_rate == catalog.terms.tax_rate["goods"]
    return "other" if goods else "service"


def _changed(items: tuple[Item, ...], change: LineChange) -> tuple[Item, ...]:
    if change.action == "remove":
        return tuple(
            item for item in items if not _matches(item, change) and not (item.parent and item.parent == change.sku)
        )
    return tuple(_one(item, change) if _matches(item, change) else item for item in items)


def _one(item: Item, change: LineChange) -> Item:
    marked = replace(item, changed=_reason(change))
    if change.tax_rate is not None:
        marked = replace(marked, tax_rate=change.tax_rate)
    if change.action == "replace":
        marked = replace(marked, sku=change.with_sku)
    if change.quantity is not None and change.action in ("quantity", "replace"):
        marked = replace(marked, quantity=change.quantity)
    if change.unit_price is not None and change.action in ("price", "replace"):
        marked = replace(marked, unit_price=change.unit_price)
    return marked
