"""Laws every quotation keeps, whatever the form says: on the catalogue that ships, with forms drawn at random."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from math import ceil
from typing import Any

import laws
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from laws import MODELS, ROOM, STEPS, WORKLOADS, checks_of, failed, form, law, quoted, room, rows

from quoting.assets import templates_folder
from quoting.documents.words import load_words
from quoting.figure import Figure, evaluate
from quoting.forms.fields import keys_by_table
from quoting.quote import make_quote
from quoting.records import Need, Network, Quote
from quoting.requirement import Workload
from quoting.rows import Catalog
from quoting.serial import canonical_json
from quoting.stages.bom import bom
from quoting.stages.demand import demand
from quoting.stages.fabric import count_fabric, outofband_switches, supported_radices
from quoting.stages.fit import fit
from quoting.stages.leaves import rule_number
from quoting.stages.site import site

ADAPTED = ("qlora", "lora")
GUARDED = frozenset({"accelerator", "platform", "cpu", "nic", "switch", "operating_system"})
ROUNDING = Decimal("0.000001")  # figures are kept to fifteen digits

# --------------------------------------------------------------------------- memory


def need(**answers: Any) -> Need:
    """What one workload needs, in numbers; the same shape as a form's."""
    return demand(form([answers]), rows()).needs[0]


def at_most(one: Need, other: Need) -> None:
    """The first needs no more than the second: in total, at both ends of the range, and of what must be there."""
    for name in ("memory_gb", "memory_low_gb", "memory_high_gb", "static_gb", "kv_gb", "activation_gb"):
        assert getattr(one, name) <= getattr(other, name), name


@law(100)
@given(st.sampled_from(MODELS), st.sampled_from(laws.TASKS), st.sampled_from((256, 2048, 8192)), st.integers(2, 16))
def test_more_context_never_needs_less_memory(model: str, task: str, context: int, times: int) -> None:
    at_most(need(model=model, task=task, context=context), need(model=model, task=task, context=context * times))


@law(100)
@given(st.sampled_from(MODELS), st.sampled_from(laws.TASKS), st.integers(1, 32), st.integers(1, 200))
def test_a_larger_batch_or_more_requests_never_need_less_memory(model: str, task: str, few: int, more: int) -> None:
    key = "concurrency" if task == "inference" else "batch"
    at_most(need(model=model, task=task, **{key: few}), need(model=model, task=task, **{key: few + more}))


@law(100)
@given(st.sampled_from(MODELS), st.sampled_from(laws.TASKS), st.integers(2, 4), st.sampled_from(("layers", "hidden")))
def test_an_architecture_scaled_up_never_needs_less_memory(model: str, task: str, times: int, side: str) -> None:
    small, requirement = rows().models[model], form([{"model": model, "task": task}])
    grown = times if side == "layers" else times**2
    wider = ("hidden", "heads", "kv_heads", "ffn", "moe_ffn") if side == "hidden" else ("layers",)
    large = replace(
        small,
        params_b=(small.params_b or Decimal(1)) * grown,
        active_params_b=None if small.active_params_b is None else small.active_params_b * grown,
        weights_gb_fp8=None if small.weights_gb_fp8 is None else small.weights_gb_fp8 * grown,
        kv_bytes_per_token=None if small.kv_bytes_per_token is None else small.kv_bytes_per_token * times,
        **{name: (getattr(small, name) or 0) * times or None for name in wider},
    )
    bigger = replace(rows(), models={**rows().models, model: large})
    work = _grown(requirement.workloads[0], grown)
    after = demand(replace(requirement, workloads=(work,)), bigger).needs[0]
    at_most(demand(requirement, rows()).needs[0], after)


def _grown(work: Workload, times: int) -> Workload:
    return replace(work, params_b=work.params_b * times, active_params_b=work.active_params_b * times)


@law(60)
@given(st.sampled_from(MODELS), st.sampled_from((512, 4096)), st.sampled_from((1, 8)))
def test_four_bit_adapters_need_no_more_than_adapters_and_they_no_more_than_full(
    model: str, context: int, batch: int
) -> None:
    needs = [need(model=model, task=task, context=context, batch=batch) for task in (*ADAPTED, "full")]
    for less, more in pairwise(needs):
        assert less.memory_gb <= more.memory_gb
        assert less.static_gb <= more.static_gb


# --------------------------------------------------------------------------- the chosen plan


@law(100)
@given(WORKLOADS)
def test_the_chosen_plan_holds_its_work_per_card_and_in_total(workloads: list[Mapping[str, Any]]) -> None:
    requirement = form(workloads)
    needed = demand(requirement, rows())
    chosen = fit(requirement, needed, rows(), laws.DAY).chosen
    assume(chosen is not None)
    assert chosen is not None
    card = rows().accelerators[chosen.gpu].memory_gb or Decimal(0)
    for fitted, one in zip(chosen.workloads, needed.needs, strict=True):
        share = rule_number(rows(), "sizing.usable", "inference" if one.task == "inference" else "training")
        assert fitted.per_card_gb is not None
        assert fitted.per_card_gb <= card * share
        assert (fitted.minimum_cards or 0) <= (chosen.cards or 0)
        if one.task != "inference":
            assert one.sharded_gb <= card * (chosen.cards or 0)
    assert chosen.memory_gb == card * (chosen.cards or 0)
    assert (chosen.minimum_nodes or 0) <= (chosen.nodes or 0)
    assert not [check.id for check in chosen.checks if check.status == "fail" and check.id in _MEMORY]


_MEMORY = ("vram_total", "per_card_memory", "sharding", "bf16_support")


@law(50)
@given(WORKLOADS)
def test_a_domestic_plan_holds_no_imported_card_processor_network_or_system(workloads: list[Mapping[str, Any]]) -> None:
    quote = quoted(form(workloads, compliance={"domestic": "required"}))
    found = [rows().parts[line.sku] for line in (*quote.price.lines, *quote.price.options) if line.sku]
    guarded = [part for part in found if part.category in GUARDED]
    assert guarded or quote.choice.chosen is None
    assert [part.sku for part in guarded if part.origin != "domestic"] == []


# --------------------------------------------------------------------------- the room

PLANS = (("Qwen2.5-7B", "lora"), ("Llama-3-70B", "full"), ("GLM-4.5-Air", "pretrain"), ("DeepSeek-V3", "inference"))


@law(80)
@given(st.sampled_from(PLANS), ROOM, st.sampled_from(sorted(STEPS)), st.data())
def test_a_better_room_never_fails_more(
    plan: tuple[str, str], drawn: dict[str, Any], key: str, data: st.DataObject
) -> None:
    worse = data.draw(st.integers(0, len(STEPS[key]) - 2))
    better = data.draw(st.integers(worse + 1, len(STEPS[key]) - 1))
    model, task = plan
    before, after = (_room_failures(model, task, room({**drawn, key: step})) for step in (worse, better))
    assert len(after) <= len(before), (before, after)


def _room_failures(model: str, task: str, answers: dict[str, Any]) -> set[str]:
    requirement = form([{"model": model, "task": task}], answers)
    needed = demand(requirement, rows())
    chosen = fit(requirement, needed, rows(), laws.DAY).chosen
    assert chosen is not None
    checks = site(requirement, chosen, bom(requirement, needed, chosen, rows()), rows()).checks
    return {check.id for check in checks if check.status == "fail"}


WARNED = frozenset({"floor_load", "floor_point_load", "rack_load", "phase_balance", "circuit_80pct", "rack_units"})


@law(40)
@given(st.sampled_from(PLANS), ROOM)
def test_an_accepted_remedy_makes_its_checks_pass_and_adds_its_price(
    plan: tuple[str, str], drawn: dict[str, Any]
) -> None:
    work, answers = [{"model": plan[0], "task": plan[1]}], room(drawn)
    before = quoted(form(work, answers))
    for remedy in before.site.remedies:
        after = quoted(form(work, {**answers, "accept": [remedy.id]}))
        assert [one.id for one in after.site.remedies if one.accepted] == [remedy.id]
        now = {check.id: check.status for check in after.site.checks if check.id in remedy.cures}
        assert [id for id, status in now.items() if status not in ("pass", "warn" if id in WARNED else "pass")] == []
        if None not in (before.price.total, after.price.total, remedy.price):
            assert after.price.total - before.price.total == remedy.price  # type: ignore[operator]


@law(20)
@given(st.sampled_from(PLANS), ROOM)
def test_all_remedies_together_leave_nothing_failing_that_one_of_them_cures(
    plan: tuple[str, str], drawn: dict[str, Any]
) -> None:
    quote = quoted(form([{"model": plan[0], "task": plan[1]}], {**room(drawn), "accept": ["all"]}))
    offered = {id for remedy in quote.site.remedies if not remedy.accepted for id in remedy.cures}
    assert failed(quote) & offered == set()


# --------------------------------------------------------------------------- the order of the catalogue


def _shuffled(catalog: Catalog, seed: int) -> Catalog:
    mixed = random.Random(seed)
    names = ("parts", "accelerators", "platforms", "models", "tiers", "rules", "prices", "rates", "sources")

    def turned(table: Mapping[str, Any]) -> dict[str, Any]:
        return dict(mixed.sample(list(table.items()), len(table)))

    rents = tuple(mixed.sample(list(catalog.rents), len(catalog.rents)))
    return replace(catalog, rents=rents, **{name: turned(getattr(catalog, name)) for name in names})


@law(20)
@given(WORKLOADS, ROOM, st.integers(0, 1000))
def test_the_order_of_catalogue_rows_does_not_matter(
    workloads: list[Mapping[str, Any]], drawn: dict[str, Any], seed: int
) -> None:
    requirement = form(workloads, room(drawn))
    other = make_quote(requirement, _shuffled(rows(), seed), laws.DAY)
    assert canonical_json(other) == canonical_json(quoted(requirement))


# --------------------------------------------------------------------------- figures


FORMS = st.tuples(WORKLOADS, ROOM, st.sampled_from(("no", "preferred", "required")))
Drawn = tuple[list[Mapping[str, Any]], dict[str, Any], str]


def quote_for(drawn: Drawn) -> Quote:
    """The quotation for a drawn form: workloads, room, whether domestic parts are asked for."""
    workloads, answers, domestic = drawn
    return quoted(form(workloads, room(answers), compliance={"domestic": domestic}))


def _number(figures: Mapping[str, Figure], reference: str | tuple[str, ...]) -> Any:
    if isinstance(reference, tuple):
        return tuple(figures[one].value for one in reference)
    return figures[reference].value


@law(50)
@given(FORMS)
def test_every_formula_gives_its_value_again(drawn: Drawn) -> None:
    quote = quote_for(drawn)
    figures = quote.figures
    formulas = [figure for figure in figures.values() if figure.kind == "formula"]
    again = {
        figure.id: evaluate(figure.text, {name: _number(figures, ref) for name, ref in figure.inputs})
        for figure in formulas
    }
    assert [figure.id for figure in formulas if again[figure.id] != figure.value] == []


@law(50)
@given(FORMS)
def test_every_leaf_has_a_source_that_exists(drawn: Drawn) -> None:
    quote = quote_for(drawn)
    leaves = [figure for figure in quote.figures.values() if figure.kind == "leaf"]
    assert [(leaf.id, leaf.source) for leaf in leaves if not _known(leaf.source)] == []


def _known(source: str) -> bool:
    """A source of the catalogue, an answer of the form, or what was taken in its place: a rule's value, or none."""
    kind, _, rest = source.partition(":")
    table, _, key = rest.partition(".")
    answer = key in keys_by_table().get(table, ())
    return (
        source in rows().sources
        or (kind == "form" and rest != "")
        or (kind == "default" and (rest in rows().rules or answer))
    )


@law(50)
@given(FORMS)
def test_every_rule_run_again_gives_its_value(drawn: Drawn) -> None:
    quote = quote_for(drawn)
    expected = {**_fabric_again(quote), **_packing_again(quote), **_fit_again(quote)}
    ruled = {figure.id: figure.value for figure in quote.figures.values() if figure.kind == "rule"}
    assert {id: ruled[id] for id in expected} == expected


def _fabric_again(quote: Quote) -> dict[str, Decimal]:
    found: dict[str, Decimal] = {}
    for network in quote.bom.networks:
        names = ("leaf", "spine", "core", "node_links", "leaf_spine_links", "spine_core_links")
        counts = _counted(network)
        found |= {f"bom.{network.id}.{name}": Decimal(counts[name]) for name in names if counts.get(name)}
    return found


def _counted(network: Network) -> dict[str, int]:
    """The network counted anew by its published or house rule."""
    if network.shape == "direct":
        return {"node_links": sum(one.links for one in network.ends if network.id == "outofband" or one.kind == "node")}
    switch: Any = rows().parts[network.leaf_sku]
    if network.id == "compute":
        radix = switch.ports * (switch.gbps // network.gbps)
        fabric = count_fabric(network.nodes, network.ports_per_node, radix, supported_radices(rows()))
        names = ("leaf", "spine", "core", "node_links", "leaf_spine_links", "spine_core_links")
        return {name: getattr(fabric, name) for name in names}
    if network.id == "storage":
        planes = network.ports_per_node
        fabric = count_fabric(network.nodes, 1, switch.ports, supported_radices(rows()), planes=planes)
        return {name: getattr(fabric, name) for name in ("leaf", "spine", "node_links", "leaf_spine_links")}
    if network.id == "inband":
        usable = switch.ports - int(rule_number(rows(), "fabric.inband", "spare_ports"))
        assert network.leaf >= 2 * ceil(network.nodes / usable)
        return {"leaf": network.leaf, "node_links": 2 * network.nodes}
    usable = int(rule_number(rows(), "fabric.outofband", "usable_ports"))
    managed = sum(one.links for one in network.ends if one.kind not in ("peer", "inband", "customer"))
    assert network.leaf >= outofband_switches(managed, usable)
    return {"leaf": network.leaf, "node_links": managed}


def _packing_again(quote: Quote) -> dict[str, Decimal]:
    """Counts of the first rack of each kind, from the racks as drawn."""
    found = {}
    for rack in quote.site.racks:
        for sku in {one.sku for one in rack.placed}:
            id = f"site.{rack.id}.{sku}.count"
            if id in quote.figures:
                found[id] = Decimal(sum(one.sku == sku for one in rack.placed))
    return found


def _fit_again(quote: Quote) -> dict[str, Any]:
    chosen = fit(quote.requirement, demand(quote.requirement, rows()), rows(), laws.DAY).chosen
    if chosen is None:
        return {}
    return {
        "bom.nodes": Decimal(chosen.nodes or 0),
        "fit.nodes": chosen.nodes,
        "fit.minimum_nodes": chosen.minimum_nodes,
        "fit.cards": chosen.cards,
    }


# --------------------------------------------------------------------------- lines and words


@law(50)
@given(FORMS)
def test_subtotals_sum_to_the_total_and_every_line_is_in_the_catalogue(drawn: Drawn) -> None:
    quote = quote_for(drawn)
    price = quote.price
    known = [line.subtotal for line in price.lines if line.subtotal is not None]
    assert sum(known, Decimal(0)) == price.priced_part
    assert price.total in (None, price.priced_part)
    groups = [group.total for group in price.groups]
    assert price.total is None or sum(groups) == price.total == (price.net or 0) + (price.tax or 0)  # type: ignore[arg-type]
    assert {line.sku for line in (*price.lines, *price.options)} <= set(rows().parts)


def codes_of(quote: Quote) -> set[str]:
    """Every code of a quotation that somebody reads."""
    price, choice = quote.price, quote.choice
    fits = [one for one in (choice.chosen, choice.named, *choice.alternatives, *choice.others) if one]
    found = {f"why.{line.why}" for line in (*price.lines, *price.options)}
    found |= {f"check.{check.code or check.id + '.' + check.status}" for check in checks_of(quote)}
    found |= {f"check.{check.id}.name" for check in checks_of(quote)}
    found |= {f"reason.{code}" for code in choice.reasons}
    found |= {f"change.{one.change}" for one in fits if one.change}
    found |= {f"remedy.{remedy.id}.{part}" for remedy in quote.site.remedies for part in ("name", "text")}
    found |= {f"tier.{one.tier}" for one in fits} | {f"verdict.{one.verdict}" for one in fits}
    found |= {f"part.{rows().parts[line.sku].category}" for line in price.lines if line.sku}
    units = {check.unit for check in checks_of(quote)}
    return found | {
        f"unit.{unit}" for unit in units if len(unit) > 2 and unit.isalpha() and unit.islower()
    }  # no symbol


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_code_has_words(language: Any) -> None:
    words = load_words(language, (templates_folder(),))

    @law(60)
    @given(FORMS)
    def held(drawn: Drawn) -> None:
        quote = quote_for(drawn)
        assert sorted(code for code in codes_of(quote) if not words.has(code)) == []

    held()
