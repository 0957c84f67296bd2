"""Price on a small frozen catalogue: sums, tax, scope, validity, the draft rule, changes by hand."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoting.catalog import sell_price
from quoting.errors import Mistakes
from quoting.figure import evaluate, round_fen
from quoting.records import Bom, Fit, Item, Site
from quoting.requirement import (
    Commercial,
    Compliance,
    Customer,
    DocumentNeed,
    LineChange,
    Project,
    Requirement,
    Scope,
    SiteNeed,
    Workload,
)
from quoting.rows import Catalog
from quoting.stages.changes import change_bom, refuse_unmatched
from quoting.stages.price import price

DAY = date(2026, 11, 30)
RACK, CORD, UPS, SERVICE = "rack-42u-600x1200", "cab-power-c13-2m", "ups-60k", "svc-deploy-node"

WORKLOAD = Workload(
    id="w1",
    model=None,
    name="7B",
    params_b=Decimal(7),
    active_params_b=Decimal(7),
    official=True,
    task="lora",
    precision=None,
    context=2048,
    batch=1,
    rank=16,
    sharding="zero3",
    offload="none",
    concurrency=1,
    concurrent=False,
    tokens_b=None,
    deadline_days=None,
    tokens_per_second=None,
    first_token_s=None,
)
REQUIREMENT = Requirement(
    form_version=1,
    customer=Customer(name="甲公司"),
    project=Project(),
    workloads=(WORKLOAD,),
    hardware=None,
    site=SiteNeed(),
    scope=Scope(),
    compliance=Compliance(),
    commercial=Commercial(),
    lines=(),
    document=DocumentNeed(),
)
FIT = Fit(
    tier="entry",
    platform="p",
    gpu="g",
    nodes=1,
    cards=4,
    minimum_nodes=1,
    memory_gb=None,
    node_cost=None,
    power_kw=None,
    days=None,
    days_per_billion_tokens=None,
    feasible=True,
)
ITEMS = (
    Item(sku=CORD, quantity=7, group="power", scope="cabling", why="cord"),
    Item(sku=RACK, quantity=2, group="rack", scope="rack", why="rack"),
    Item(sku=UPS, quantity=1, group="power", scope="ups", why="ups"),
    Item(sku=SERVICE, quantity=1, group="service", scope="deployment", why="deploy"),
)


def priced(catalog: Catalog, requirement: Requirement = REQUIREMENT, items: tuple[Item, ...] = ITEMS):  # type: ignore[no-untyped-def]
    bom = Bom(items=items)
    return price(requirement, FIT, bom, Site(racks=(), checks=(), lines=(), remedies=()), catalog, DAY)


def test_total_is_the_sum_of_subtotals_and_net_plus_tax(frozen_catalog: Catalog) -> None:
    result = priced(frozen_catalog)
    assert result.total == sum(line.subtotal for line in result.lines)
    assert result.total == result.net + result.tax
    assert [line.sku for line in result.lines] == [RACK, CORD, SERVICE]
    assert [line.no for line in result.lines] == ["1", "2", "3"]
    assert sum(group.total for group in result.groups) == result.total
    assert sum(row.net + row.tax for row in result.taxes) == result.total


def test_tax_follows_the_class_of_the_part(frozen_catalog: Catalog) -> None:
    rates = {line.sku: line.tax_rate for line in priced(frozen_catalog).lines}
    assert rates == {RACK: Decimal("0.13"), CORD: Decimal("0.13"), SERVICE: Decimal("0.06")}


def test_a_scope_left_out_is_an_option_beside_the_total(frozen_catalog: Catalog) -> None:
    without = priced(frozen_catalog)
    inside = replace(REQUIREMENT, scope=Scope(include=("ups",)))
    with_ups = priced(frozen_catalog, inside)
    assert [line.sku for line in without.options] == [UPS]
    assert with_ups.options == ()
    assert with_ups.total - without.total == without.options[0].subtotal


def test_reused_scope_costs_nothing_and_stays_on_the_paper(frozen_catalog: Catalog) -> None:
    result = priced(frozen_catalog, replace(REQUIREMENT, scope=Scope(reuse=("rack",))))
    rack = next(line for line in result.lines if line.sku == RACK)
    assert (rack.quantity, rack.reused, rack.subtotal, rack.owned) == (0, 2, Decimal("0.00"), True)


def test_a_line_without_a_price_leaves_the_total_open(frozen_catalog: Catalog) -> None:
    prices = {sku: rows for sku, rows in frozen_catalog.prices.items() if sku != RACK}
    result = priced(replace(frozen_catalog, prices=MappingProxyType(prices)))
    assert (result.total, result.net, result.tax, result.total_upper) == (None, None, None, None)
    assert result.priced_part > 0
    assert result.draft
    assert next(check for check in result.checks if check.id == "no_price").status == "fail"


def test_quoted_prices_in_date_make_no_draft_and_one_flipped_grade_does(frozen_catalog: Catalog) -> None:
    assert priced(frozen_catalog).draft is False
    source = frozen_catalog.prices[RACK][0].source
    worse = dict(frozen_catalog.sources)
    worse[source] = replace(worse[source], grade="estimate")
    flipped = priced(replace(frozen_catalog, sources=MappingProxyType(worse)))
    assert flipped.draft
    assert RACK in flipped.draft_rows


def test_an_expired_price_makes_a_draft_and_fails_price_age(frozen_catalog: Catalog) -> None:
    late = price(
        REQUIREMENT,
        FIT,
        Bom(items=ITEMS),
        Site(racks=(), checks=(), lines=(), remedies=()),
        frozen_catalog,
        date(2027, 6, 1),
    )
    assert late.draft
    assert next(check for check in late.checks if check.id == "price_age").status == "fail"


def test_validity_never_outlives_a_supplier(frozen_catalog: Catalog) -> None:
    until = frozen_catalog.prices[RACK][0].until
    long = replace(REQUIREMENT, commercial=Commercial(validity_days=365))
    assert priced(frozen_catalog, long).valid_until == until
    assert priced(frozen_catalog).valid_until == date(2026, 12, 15)


def test_budget_is_judged_on_the_side_of_tax_it_was_given(frozen_catalog: Catalog) -> None:
    total = priced(frozen_catalog).total
    tight = Commercial(budget=total - 1)
    net = Commercial(budget=total - 1, budget_tax_included=False)

    def status(commercial: Commercial) -> str:
        checks = priced(frozen_catalog, replace(REQUIREMENT, commercial=commercial)).checks
        return next(check.status for check in checks if check.id == "budget")

    assert status(tight) == "fail"
    assert status(net) == "pass"


def test_discount_is_on_the_unit_price(frozen_catalog: Catalog) -> None:
    ten = replace(REQUIREMENT, commercial=Commercial(discount=Decimal("0.10")))
    rack = next(line for line in priced(frozen_catalog, ten).lines if line.sku == RACK)
    assert rack.unit_price == round_fen(sell_price(frozen_catalog, RACK, DAY) * Decimal("0.9"))


@given(quantities=st.lists(st.integers(min_value=1, max_value=10_000), min_size=4, max_size=4))
def test_the_sums_hold_for_any_quantities(frozen_catalog: Catalog, quantities: list[int]) -> None:
    items = tuple(replace(item, quantity=quantity) for item, quantity in zip(ITEMS, quantities, strict=True))
    result = priced(frozen_catalog, items=items)
    assert result.total == sum(line.subtotal for line in result.lines) == result.net + result.tax
    assert all(line.subtotal == line.unit_price * line.quantity for line in result.lines)
    figures = {figure.id: figure for figure in result.figures}
    total = figures["price.total"]
    subtotals = tuple(figures[id].value for id in dict(total.inputs)["subtotals"])
    assert evaluate(total.text, {"subtotals": subtotals}) == result.total


def test_changes_by_hand_are_priced_marked_and_explained(frozen_catalog: Catalog) -> None:
    changes = (
        LineChange(action="price", sku=RACK, unit_price=Decimal("5000.00"), reason="customer's own rate"),
        LineChange(action="quantity", sku=CORD, quantity=9, reason="spares"),
        LineChange(action="remove", sku=SERVICE, reason="done by customer"),
        LineChange(action="add", name="运输吊装", quantity=1, unit_price=Decimal("800.00"), tax_rate=Decimal("0.09")),
    )
    bom = change_bom(Bom(items=ITEMS), changes, frozen_catalog)
    result = priced(frozen_catalog, items=bom.items)
    lines = {line.sku or line.name_zh: line for line in result.lines}
    assert lines[RACK].unit_price == Decimal("5000.00")
    assert lines[RACK].changed == "customer's own rate"
    assert lines[CORD].quantity == 9
    assert SERVICE not in lines
    assert lines["运输吊装"].subtotal == Decimal("800.00")
    assert lines["运输吊装"].tax_rate == Decimal("0.09")


def test_only_a_price_typed_by_hand_takes_a_line_out_of_the_draft(frozen_catalog: Catalog) -> None:
    source = frozen_catalog.prices[RACK][0].source
    worse = dict(frozen_catalog.sources)
    worse[source] = replace(worse[source], grade="estimate")
    catalog = replace(frozen_catalog, sources=MappingProxyType(worse))

    def rows(change: LineChange) -> tuple[str, ...]:
        return priced(catalog, items=change_bom(Bom(items=ITEMS), (change,), catalog).items).draft_rows

    assert RACK in rows(LineChange(action="quantity", sku=RACK, quantity=3, reason="one more"))
    assert RACK in rows(LineChange(action="note", sku=RACK, reason="by the window"))
    assert RACK not in rows(LineChange(action="price", sku=RACK, unit_price=Decimal("5000.00"), reason="agreed"))


def test_a_unit_price_is_explained_from_our_cost(frozen_catalog: Catalog) -> None:
    requirement = replace(REQUIREMENT, commercial=Commercial(discount=Decimal("0.03")))
    result = priced(frozen_catalog, requirement)
    figures = {figure.id: figure for figure in result.figures}
    for line in result.lines:
        figure = figures[f"price.line.{line.no}.unit_price"]
        values = {name: figures[str(id)].value for name, id in figure.inputs}
        assert figure.value == line.unit_price == evaluate(figure.text, values)
        assert figures[f"price.line.{line.no}.unit_cost"].source == line.cost.source


@pytest.mark.parametrize("action", ["remove", "replace", "quantity", "price", "note"])
def test_a_change_to_a_line_that_is_there_is_taken(action: str, frozen_catalog: Catalog) -> None:
    change = LineChange(action=action, sku=RACK, with_sku=UPS, quantity=1, unit_price=Decimal(1))  # type: ignore[arg-type]
    refuse_unmatched((change,), ITEMS)
    assert change_bom(Bom(items=ITEMS), (change,), frozen_catalog).items != ITEMS


def test_a_change_to_a_line_that_is_not_there_is_refused() -> None:
    with pytest.raises(Mistakes, match=r"line\[1\]"):
        refuse_unmatched((LineChange(action="remove", sku="gpu-nothing"),), ITEMS)


@pytest.mark.parametrize(
    ("change", "group"),
    [
        (LineChange(action="add", name="机房环境监测套件", unit_price=Decimal(1), tax_rate=Decimal("0.13")), "other"),
        (LineChange(action="add", name="备用线缆", unit_price=Decimal(1)), "other"),
        (LineChange(action="add", name="运输吊装", unit_price=Decimal(1), tax_rate=Decimal("0.09")), "service"),
        (LineChange(action="add", name="驻场", unit_price=Decimal(1), tax_rate=Decimal("0.06")), "service"),
        (LineChange(action="add", sku=CORD), "power"),
        (LineChange(action="add", sku=RACK), "rack"),
        (LineChange(action="add", sku=SERVICE), "service"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.name or value.sku,
)
def test_a_line_added_by_hand_stands_among_its_kind(change: LineChange, group: str, frozen_catalog: Catalog) -> None:
    added = change_bom(Bom(items=()), (change,), frozen_catalog).items[0]
    assert added.group == group
    hardware = [row.package for row in priced(frozen_catalog, items=(added,)).packages]
    assert hardware == (["service"] if group == "service" else ["hardware"])


def test_what_was_added_by_hand_is_not_offered_once_more(frozen_catalog: Catalog) -> None:
    offered = Item(sku=SERVICE, quantity=1, group="service", why="training", scope="training", optional=True)
    items = change_bom(Bom(items=(offered,)), (LineChange(action="add", sku=SERVICE, quantity=1),), frozen_catalog)
    result = priced(frozen_catalog, items=items.items)
    assert [line.sku for line in result.lines] == [SERVICE]
    assert result.options == ()
