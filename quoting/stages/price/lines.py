"""Items become priced lines: order, numbers, unit prices, tax."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal

from quoting.catalog import current_price, sell_price, unit_cost
from quoting.figure import round_fen
from quoting.parts import Part
from quoting.records import Cost, Item, PricedLine
from quoting.requirement import Requirement
from quoting.rows import Catalog, PriceRow

# The order a reader expects: what computes, what connects it, what keeps it running, who does the work.
GROUPS = (
    "compute",
    "network",
    "storage",
    "software",
    "rack",
    "cabling",
    "power",
    "cooling",
    "spares",
    "other",
    "service",
    "owned",
)
_ZERO = Decimal("0.00")


def split_scope(
    items: Iterable[Item], requirement: Requirement, catalog: Catalog
) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """Items inside the total, and the options beside it: the form's scope first, then the house's default.

    What a person added by hand is not offered once more.
    """
    inside: list[Item] = []
    options: list[Item] = []
    for item in items:
        item = _reused(item, requirement)
        (inside if _in_total(item, requirement, catalog) else options).append(item)
    taken = {item.sku for item in inside if item.scope == "manual" and item.sku}
    return tuple(inside), tuple(item for item in options if not taken & {item.sku, item.parent})


def _reused(item: Item, requirement: Requirement) -> Item:
    return replace(item, owned=True) if item.scope in requirement.scope.reuse else item


def _in_total(item: Item, requirement: Requirement, catalog: Catalog) -> bool:
    scope = requirement.scope
    if item.changed and not item.optional:
        return True  # what a person put in by hand stays where that person put it
    if item.scope in scope.exclude:
        return False
    if item.scope in scope.include:
        return True
    return not item.optional and item.scope in catalog.terms.scope_default


def priced_lines(
    items: Iterable[Item], requirement: Requirement, catalog: Catalog, day: date, prefix: str = ""
) -> tuple[PricedLine, ...]:
    """The lines in printed order with numbers 1, 1.1 …; equal SKUs of one group are one line."""
    merged = _merged(items)
    tops = sorted((item for item in merged if not item.parent), key=lambda item: _group_order(item.group))
    lines: list[PricedLine] = []
    for position, item in enumerate(tops, start=1):
        no = f"{prefix}{position}"
        lines.append(_line(no, item, requirement, catalog, day))
        lines += _sub_lines(no, item, merged, requirement, catalog, day)
    return tuple(lines)


def _sub_lines(
    no: str, top: Item, items: Iterable[Item], requirement: Requirement, catalog: Catalog, day: date
) -> list[PricedLine]:
    subs = [item for item in items if item.parent and item.parent == top.sku and item.group == top.group]
    return [
        _line(f"{no}.{index}", sub, requirement, catalog, day, included=True) for index, sub in enumerate(subs, start=1)
    ]


def _group_order(group: str) -> int:
    return GROUPS.index(group) if group in GROUPS else len(GROUPS)


def _merged(items: Iterable[Item]) -> list[Item]:
    found: dict[tuple[object, ...], Item] = {}
    for item in items:
        key = (item.sku, item.group, item.parent, item.name, item.owned, item.unit_price, item.changed)
        earlier = found.get(key)
        found[key] = replace(earlier, quantity=earlier.quantity + item.quantity) if earlier else item
    return list(found.values())


def _line(
    no: str, item: Item, requirement: Requirement, catalog: Catalog, day: date, included: bool = False
) -> PricedLine:
    part = catalog.parts.get(item.sku)
    rate = _tax_rate(item, part, catalog)
    quantity = 0 if item.owned else item.quantity
    unit_price = None if included else _unit_price(item, requirement, catalog, day)
    subtotal = None if unit_price is None else unit_price * quantity
    net = None if subtotal is None else round_fen(subtotal / (1 + rate))
    return PricedLine(
        no=no,
        group=item.group,
        sku=item.sku,
        quantity=quantity,
        unit_price=unit_price,
        tax_rate=rate,
        subtotal=subtotal,
        net=net,
        tax=None if subtotal is None or net is None else subtotal - net,
        why=item.why,
        arguments=item.arguments,
        included=included,
        owned=item.owned,
        reused=item.quantity if item.owned else 0,
        changed=item.changed,
        price_typed=item.unit_price is not None,
        cost=None if included else _cost(item, unit_price, subtotal, catalog, day),
        **_described(item, part, requirement, catalog),  # type: ignore[arg-type]
    )


def _described(item: Item, part: Part | None, requirement: Requirement, catalog: Catalog) -> Mapping[str, object]:
    if part is None:
        return {
            "name_zh": item.name,
            "name_en": item.name,
            "brand": "",
            "spec_zh": "",
            "spec_en": "",
            "part_number": "",
            "unit": "piece",
            "lead_weeks": None,
            "warranty_years": None,
            "origin": "unknown",
        }
    goods = part.tax == "goods"
    warranty = requirement.commercial.warranty_years or part.warranty_years or catalog.terms.warranty_years
    return {
        "name_zh": part.name_zh,
        "name_en": part.name_en,
        "brand": part.brand,
        "spec_zh": part.spec_zh,
        "spec_en": part.spec_en,
        "part_number": part.part_number,
        "unit": part.unit,
        "lead_weeks": None if item.owned else lead_weeks(part, catalog),
        "warranty_years": warranty if goods and not item.owned else None,
        "origin": part.origin,
        "power_w": part.power_w,
        "weight_kg": part.weight_kg,
        "rack_units": part.rack_units,
    }


def lead_weeks(part: Part, catalog: Catalog) -> int | None:
    """Weeks from contract and advance payment: the part's own, else its category's, else the house default."""
    if part.tax != "goods":
        return None
    weeks = catalog.terms.lead_weeks
    return part.lead_weeks if part.lead_weeks is not None else weeks.get(part.category, weeks["default"])


def _tax_rate(item: Item, part: Part | None, catalog: Catalog) -> Decimal:
    if item.tax_rate is not None:
        return item.tax_rate
    return catalog.terms.tax_rate[part.tax if part else "goods"]


def _unit_price(item: Item, requirement: Requirement, catalog: Catalog, day: date) -> Decimal | None:
    if item.unit_price is not None:
        return item.unit_price
    if item.owned:
        return _ZERO
    price = sell_price(catalog, item.sku, day) if item.sku else None
    return None if price is None else round_fen(price * (1 - requirement.commercial.discount))


def _cost(item: Item, unit_price: Decimal | None, subtotal: Decimal | None, catalog: Catalog, day: date) -> Cost | None:
    row = current_price(catalog, item.sku, day) if item.sku and not item.owned else None
    if row is None:
        return None
    cost = unit_cost(catalog, item.sku, day)
    cost = None if cost is None else round_fen(cost)
    total = None if cost is None else cost * item.quantity
    total_margin = None if total is None or subtotal is None else subtotal - total
    source = catalog.sources.get(row.source)
    return Cost(
        unit_cost=cost,
        currency=row.currency,
        original=row.price,
        rate=_rate(row, catalog),
        on=row.on,
        until=row.until,
        expired=row.until is not None and row.until < day,
        source=row.source,
        grade=source.grade if source else None,
        supplier=row.supplier,
        margin=None if cost is None or unit_price is None else unit_price - cost,
        total=total,
        total_margin=total_margin,
        margin_share=_share(total_margin, subtotal),
    )


def _share(part: Decimal | None, whole: Decimal | None) -> Decimal | None:
    return None if part is None or not whole else (part / whole).quantize(Decimal("0.0001"))


def _rate(row: PriceRow, catalog: Catalog) -> Decimal | None:
    return None if row.currency == "CNY" else catalog.rates[row.currency].cny
