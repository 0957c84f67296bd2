"""Workloads, plans, fabrics and racks as a customer may read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from quoting.documents.basis import formulas, unit_name
from quoting.documents.customer_plan import Box, Pair, Plan, Rack, Work
from quoting.documents.formats import billions, number, short
from quoting.documents.view_alternatives import plan_time, range_note, uplink
from quoting.documents.words import Words
from quoting.figure import Figure
from quoting.kinds import Arguments
from quoting.records import Fit, Need, Quote, RackPlan, WorkloadFit
from quoting.requirement import Workload
from quoting.rows import Catalog

# The formulas a reader follows in the text; every other one stands in the appendix.
_MEMORY = ("static_gb", "activation_gb", "kv_gb", "memory_gb", "storage_gb", "room_gb", "per_card_gb")
_TIERS = ("entry", "enterprise", "cluster", "xinchuang")
_TOLD = (*_MEMORY, "flops_per_token", "days_per_billion_tokens", "days")


def part_name(sku: str, catalog: Catalog, words: Words) -> str:
    """A part's name in the document's language; the SKU where the catalogue has no such part."""
    part = catalog.parts.get(sku) or catalog.platforms.get(sku) or catalog.accelerators.get(sku)
    if part is None:
        return sku
    return part.name_zh if words.language == "zh" else part.name_en


def model_name(load: Workload, catalog: Catalog) -> str:
    """The maker's name of the model where the catalogue knows it, else as the customer wrote it."""
    model = catalog.models.get(load.model) if load.model else None
    return model.id if model else load.name or load.model or ""


def work_names(loads: Sequence[Workload], catalog: Catalog, words: Words) -> dict[str, str]:
    """What ``w1`` stands for, by id; nothing to say when there is only one."""
    if len(loads) == 1:
        return {loads[0].id: ""}
    if len({load.task for load in loads}) == len(loads):
        return {load.id: words.say(f"task.{load.task}") for load in loads}
    return {load.id: _work_name(load, catalog, words) for load in loads}


def _work_name(load: Workload, catalog: Catalog, words: Words) -> str:
    return words.say("proposal.work", model=model_name(load, catalog), task=words.say(f"task.{load.task}"))


def by_tier(fits: Iterable[Fit]) -> list[Fit]:
    """Plans in the order of the tiers, else as they came."""
    return sorted(fits, key=lambda fit: _TIERS.index(fit.tier))


def results(quote: Quote, catalog: Catalog, words: Words) -> tuple[str, ...]:
    """For each training job its days on the plan, with the days asked; for each service its requests and context."""
    chosen = quote.choice.chosen
    fits = {fit.workload: fit for fit in chosen.workloads} if chosen else {}
    return tuple(
        _result(load, fits[load.id], catalog, words) for load in quote.requirement.workloads if load.id in fits
    )


def _result(load: Workload, fit: WorkloadFit, catalog: Catalog, words: Words) -> str:
    work = _work_name(load, catalog, words)
    if load.task == "inference":
        served: dict[str, object] = {"work": work, "concurrency": load.concurrency, "context": load.context}
        if fit.tokens_per_second is None or fit.first_token_s is None:
            return words.say("proposal.result.serving", **served)
        speed, first = short(fit.tokens_per_second), short(fit.first_token_s)
        return words.say("proposal.result.served", **served, speed=speed, first=first)
    if load.tokens_b is None or fit.days is None:
        return words.say("proposal.result.untimed", work=work)
    data, asked = billions(load.tokens_b, words.language), load.deadline_days
    code = "proposal.result.timed" if asked is None else "proposal.result.asked"
    return words.say(code, work=work, data=data, time=_time(fit.days, words), asked=asked)


def _time(days: Decimal, words: Words) -> str:
    """Days, or hours below one day."""
    unit, amount = ("days", days) if days >= 1 else ("hours", days * 24)
    return f"{short(amount)} {words.say(f'ui.{unit}')}"


def worded(arguments: Arguments, catalog: Catalog, words: Words) -> dict[str, object]:
    """Arguments of a sentence with names where they hold SKUs, alone or in a list with commas."""
    return {name: _named(value, catalog, words) for name, value in arguments}


def _named(value: object, catalog: Catalog, words: Words) -> object:
    if not isinstance(value, str):
        return value
    return ", ".join(part_name(part, catalog, words) for part in value.split(", "))


def plan(fit: Fit, catalog: Catalog, words: Words) -> Plan:
    """One way to do the job."""
    accelerator = catalog.accelerators.get(fit.gpu)
    return Plan(
        tier=words.say(f"tier.{fit.tier}"),
        platform=part_name(fit.platform, catalog, words),
        gpu=part_name(fit.gpu, catalog, words) if accelerator else fit.gpu,
        nodes=fit.nodes,
        cards=fit.cards,
        minimum_nodes=fit.minimum_nodes,
        memory_gb=fit.memory_gb,
        amount=fit.node_cost,
        power_kw=fit.power_kw,
        days=fit.days,
        days_per_billion_tokens=fit.days_per_billion_tokens,
        verdict=fit.verdict,
        rejected_by=_rule_name(fit.rejected_by, words),
        required=fit.rejected_required,
        available=fit.rejected_available,
        unit=unit_name(fit.rejected_unit, words),
        one=unit_name(fit.rejected_unit, words, 1),
        change=words.say(f"change.{fit.change}", **worded(fit.change_arguments, catalog, words)) if fit.change else "",
        kind=fit.change if words.has(f"alternative.{fit.change}.name") else "",
        time=plan_time(fit, words),
        difference=fit.cost_difference,
        margin=fit.rejected_margin,
        uplink=uplink(fit, catalog, words),
    )


def _rule_name(id: str, words: Words) -> str:
    if not id:
        return ""
    return words.get(f"rule.{id}", words.get(f"check.{id}.name", id))


def works(quote: Quote, catalog: Catalog, words: Words) -> tuple[Work, ...]:
    """Every workload with its need and what the chosen plan does for it."""
    needs = {need.workload: need for need in quote.demand.needs}
    chosen = quote.choice.chosen
    fits = {fit.workload: fit for fit in chosen.workloads} if chosen else {}
    card = catalog.accelerators.get(chosen.gpu) if chosen else None
    return tuple(
        replace(
            _work(load, needs[load.id], fits.get(load.id), card.memory_gb if card else None, quote.figures, words),
            model=model_name(load, catalog),
            range_note=range_note(load, catalog, words),
        )
        for load in quote.requirement.workloads
        if load.id in needs
    )


def _work(
    load: Workload,
    need: Need,
    fit: WorkloadFit | None,
    card_gb: object,
    figures: Mapping[str, Figure],
    words: Words,
) -> Work:
    shown = fit or WorkloadFit(workload=load.id, minimum_cards=None, recommended_cards=None, per_card_gb=None)
    return Work(
        id=load.id,
        model=load.name or load.model or "",
        task=words.say(f"task.{load.task}"),
        regime=words.get(f"regime.{need.regime}", need.regime),
        params_b=load.params_b,
        official=load.official,
        training=load.task != "inference",
        tokens_b=load.tokens_b,
        facts=_facts(load, words),
        static_gb=need.static_gb,
        memory_low_gb=need.memory_low_gb,
        memory_gb=need.memory_gb,
        memory_high_gb=need.memory_high_gb,
        storage_gb=need.storage_gb,
        activation_gb=need.activation_gb,
        overhead_gb=need.overhead_gb,
        kv_gb=need.kv_gb,
        minimum_cards=shown.minimum_cards,
        cards=shown.recommended_cards,
        per_card_gb=shown.per_card_gb,
        card_group=shown.copy_cards,
        card_gb=card_gb,  # type: ignore[arg-type]
        days=shown.days,
        days_low=shown.days_low,
        days_high=shown.days_high,
        tokens_per_second=shown.tokens_per_second,
        first_token_s=shown.first_token_s,
        formulas=formulas(figures, f"demand.{load.id}.", words, _TOLD)
        + formulas(figures, f"fit.{load.id}.", words, _TOLD),
    )


def _facts(load: Workload, words: Words) -> tuple[Pair, ...]:
    training = load.task != "inference"
    values: dict[str, object] = {
        "params": _size(load.params_b, words),
        "active": _size(load.active_params_b, words) if load.active_params_b != load.params_b else None,
        "precision": words.get(f"precision.{load.precision}", load.precision or "") or None,
        "context": load.context,
        "batch": load.batch if training else None,
        "rank": load.rank if load.task in ("lora", "qlora") else None,
        "sharding": words.get(f"sharding.{load.sharding}", load.sharding) if training else None,
        "concurrency": None if training else load.concurrency,
        "tokens": _size(load.tokens_b, words),
        "deadline": load.deadline_days,
        "speed": load.tokens_per_second,
        "first_token": load.first_token_s,
    }
    return tuple(
        Pair(label=words.say(f"proposal.fact.{key}.name"), text=words.say(f"proposal.fact.{key}.text", value=value))
        for key, value in values.items()
        if value is not None
    )


def _size(value: Decimal | None, words: Words) -> str | None:
    return None if value is None else billions(value, words.language)


def rack(planned: RackPlan, catalog: Catalog, words: Words) -> Rack:
    """One rack with what stands in it."""
    boxes = (
        Box(
            label=box.label,
            name=part_name(box.sku, catalog, words),
            kind=_kind(box.sku, catalog),
            bottom=box.bottom,
            units=box.units,
            power_kw=box.power_kw,
            weight_kg=box.weight_kg,
        )
        for box in planned.placed
    )
    return Rack(
        id=planned.id,
        name=part_name(planned.sku, catalog, words),
        units=planned.units,
        boxes=tuple(boxes),
        power_kw=planned.power_kw,
        heat_kw=planned.heat_kw,
        weight_kg=planned.weight_kg,
        feeds_per_side=planned.feeds_per_side,
        pdus=planned.pdus,
        outlets_c13=planned.outlets_c13,
        outlets_c19=planned.outlets_c19,
        units_used=planned.units_used,
    )


def _kind(sku: str, catalog: Catalog) -> str:
    part = catalog.platforms.get(sku) or catalog.parts.get(sku)
    return part.category if part else ""


def memory_text(gb: object) -> str:
    """``384 GB``, for a sentence; a dash when unknown."""
    return "—" if gb is None else f"{number(gb)} GB"  # type: ignore[arg-type]
