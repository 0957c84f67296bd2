"""Alternatives, published rules that disagree and the power path, as a customer may read them."""

from __future__ import annotations

from itertools import groupby

from quoting.documents.basis import source_name
from quoting.documents.customer_plan import Counted, CountingRow, Supply
from quoting.documents.formats import number, short
from quoting.documents.words import Words
from quoting.parts import Nic
from quoting.records import Counting, Fit, Quote
from quoting.requirement import Workload
from quoting.rows import Catalog


def plan_time(fit: Fit, words: Words) -> str:
    """Days of the training, else days a billion tokens, else tokens a second of all services; "" when unknown."""
    if fit.days is not None:
        return words.say("alternative.time.days", days=short(fit.days))
    if fit.days_per_billion_tokens is not None:
        return words.say("alternative.time.billion", days=short(fit.days_per_billion_tokens))
    speeds = [one.tokens_per_second for one in fit.workloads if one.tokens_per_second is not None]
    return words.say("alternative.time.speed", speed=short(speeds[0])) if len(speeds) == 1 else ""


def uplink(fit: Fit, catalog: Catalog, words: Words) -> str:
    """Ports and speed of the cards by which one node joins the customer's own network; "" when not known."""
    platform = catalog.platforms.get(fit.platform)
    lines = [line for line in platform.recipe if line.role == "inband_nic"] if platform else []
    cards = [(line.quantity, catalog.parts.get(line.sku)) for line in lines]
    told = [
        words.say("drawing.uplink.ports", count=count * card.ports, gbps=card.gbps)
        for count, card in cards
        if isinstance(card, Nic)
    ]
    return words.say("drawing.uplink.node", ports=" + ".join(told)) if told else ""


def range_note(load: Workload, catalog: Catalog, words: Words) -> str:
    """Which bytes a parameter the range and the states count, where they are not the same."""
    rule = catalog.rules.get(f"sizing.{load.task}")
    if rule is None or "low_bytes" not in rule.values or load.offload != "none" or load.optimizer != "adamw":
        return ""
    values = rule.values
    return words.say(
        "proposal.counting_range", low=values["low_bytes"], high=values["high_bytes"], used=values["bytes"]
    )


def counted(quote: Quote, catalog: Catalog, words: Words) -> tuple[Counted, ...]:
    """For each training the published rules, with the memory and the cards each would give."""
    chosen = quote.choice.chosen
    card = catalog.accelerators.get(chosen.gpu) if chosen else None
    if card is None:
        return ()
    loads = {load.id: load for load in quote.requirement.workloads}
    found = []
    for id, rows in groupby(quote.choice.countings, key=lambda one: one.workload):
        load = loads[id]
        use = catalog.rules[f"sizing.{load.task}"].values["use"]
        found.append(
            Counted(
                work=words.say(f"task.{load.task}"),
                gpu=card.name_zh if words.language == "zh" else card.name_en,
                use=use,  # type: ignore[arg-type]
                adapters=load.task in ("lora", "qlora"),
                rows=tuple(_row(one, catalog, words) for one in rows),
            )
        )
    return tuple(found)


def _row(one: Counting, catalog: Catalog, words: Words) -> CountingRow:
    source = catalog.sources.get(one.source)
    return CountingRow(
        name=words.get(f"counting.{one.rule}.name", one.rule),
        note=words.get(f"counting.{one.rule}.note", ""),
        bytes_per_param=_ends(number(one.low_bytes), number(one.high_bytes)),
        states_gb=_ends(short(one.low_gb), short(one.high_gb)),
        cards=_ends(str(one.low_cards), str(one.high_cards)),
        source=source_name(source, words) if source else "",
        used=one.used,
    )


def _ends(low: str, high: str) -> str:
    return low if low == high else f"{low}–{high}"


def _has_ups(quote: Quote) -> bool:
    """Whether the room has a UPS by the form, or the total holds one."""
    need = quote.requirement
    there = need.site.ups_kva is not None or need.site.ups_minutes is not None or "ups" in need.scope.reuse
    return there or any(line.why in ("ups", "remedy.ups") for line in quote.price.lines)


def supply(quote: Quote) -> Supply:
    """The power path of the room the customer described."""
    need, figures = quote.requirement.site, quote.figures
    circuit = need.circuit
    each = figures.get("site.circuit_kw")
    kw = circuit.kw if circuit and circuit.kw is not None else each.value if each else None
    return Supply(
        transformer_kva=need.transformer_kva,
        transformer_load_kva=need.transformer_load_kva,
        ups_kva=need.ups_kva,
        ups_needed_kva=quote.site.ups_kva,
        ups=_has_ups(quote),
        generator=need.generator,
        sides={"N": ("A",), "2N": ("A", "B")}.get(need.feeds or "", ()),
        phases=circuit.phases if circuit else None,
        amps=circuit.amps if circuit and circuit.kw is None else None,
        circuit_kw=kw,  # type: ignore[arg-type]
        power_kw=quote.site.power_kw,
    )
