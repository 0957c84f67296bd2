"""Quote and catalogue to the customer's view of it, in one language."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from quoting.documents import (
    readings,
    view_alternatives,
    view_choice,
    view_deviations,
    view_lines,
    view_money,
    view_plan,
    view_room,
    view_terms,
)
from quoting.documents.basis import basis
from quoting.documents.brand import logo_source, readable, sound_colours
from quoting.documents.customer import (
    BasisRow,
    Buyer,
    CustomerView,
    Group,
    Package,
    Seller,
    TaxRow,
)
from quoting.documents.customer_plan import Plan
from quoting.documents.formats import close_up
from quoting.documents.offer import anchored
from quoting.documents.view_networks import networks
from quoting.documents.view_service import service
from quoting.documents.view_tender import as_tender
from quoting.documents.words import Words
from quoting.records import Fit, Quote, Site
from quoting.requirement import Requirement
from quoting.rows import Catalog


def customer_view(quote: Quote, catalog: Catalog, words: Words) -> CustomerView:
    """What the customer's documents print. Raises Mistakes for a logo or a choice of clauses that will not do."""
    if quote.requirement.document.mode == "tender":
        words = words.bidding()
    rows = view_lines.checks(quote, words, catalog)
    if quote.requirement.document.mode == "tender":
        rows = anchored(rows)
    lights = view_lines.lights(rows, words)
    works = view_plan.work_names(quote.requirement.workloads, catalog, words)
    book = basis(quote.figures, catalog, words, works)
    told = view_deviations.deviations(quote, rows, catalog, words)
    view = CustomerView(
        **_heading(quote, catalog, words),
        attention=view_lines.attention(quote, rows, lights, words, catalog),
        **_need(quote, catalog, words),
        **_plans(quote, catalog, words),
        **_room(quote.site, catalog, words),
        rack_note=view_room.rack_note(quote, words),
        remedies_total=quote.price.remedies_total,
        supply=view_alternatives.supply(quote),
        **_money(quote, catalog, words),
        lights=lights,
        checks=rows,
        remedies=view_room.remedies(quote, words, catalog),
        owning=view_money.owning(quote.ownership),
        basis=_without_prices(book.rows, quote.requirement),
        sources=book.sources,
        clauses=view_terms.clauses(quote, catalog, words),
        technical=told.technical,
        commercial=told.commercial,
    )
    return as_tender(view, words) if view.mode == "tender" else view


def _without_prices(rows: tuple[BasisRow, ...], requirement: Requirement) -> tuple[BasisRow, ...]:
    """The appendix's rows; without the sum of line prices where the document shows no line prices."""
    if requirement.document.price_detail == "lines":
        return rows
    return tuple(replace(row, how="") if row.id.startswith("price.") else row for row in rows)


def _heading(quote: Quote, catalog: Catalog, words: Words) -> dict[str, Any]:
    return {
        "language": words.language,
        "number": quote.number,
        "revision": quote.revision,
        "day": quote.day,
        "valid_until": quote.valid_until,
        "valid_days": quote.price.valid_days,
        "draft": quote.status == "draft",
        "mode": quote.requirement.document.mode,
        "price_detail": quote.requirement.document.price_detail,
        "seller": _seller(catalog, words),
        "buyer": _buyer(quote.requirement),
        "solution": _solution(quote, catalog, words),
        "reasons": _reasons(quote, catalog, words),
        "results": view_plan.results(quote, catalog, words),
        "prices_as_of": quote.catalog.prices_as_of,
        "catalog_version": quote.catalog.version,
    }


def _need(quote: Quote, catalog: Catalog, words: Words) -> dict[str, Any]:
    asks = quote.requirement.asks
    return {
        "understood": readings.understood(quote.requirement, words),
        "stated": readings.stated(quote.requirement, words),
        "defaults": readings.defaults(quote.requirement, words) + readings.terms_taken(quote, catalog, words),
        "asks": tuple(view_lines.question(ask.key, ask.code, ask.arguments, words, catalog) for ask in asks),
        "works": view_plan.works(quote, catalog, words),
    }


def _plans(quote: Quote, catalog: Catalog, words: Words) -> dict[str, Any]:
    choice, named = quote.choice, quote.choice.named
    rows = view_lines.named_checks(quote, words, catalog)
    own = view_choice.own_plan(quote, catalog, words)
    told = own if named == choice.chosen else view_plan.plan(named, catalog, words) if named else None
    beside = view_choice.with_outcomes(_as_priced(choice.alternatives, quote, catalog, words), quote, words)
    return {
        "plan": own,
        "plan_notes": tuple(view_lines.finding(one, words, catalog) for one in choice.findings),
        "named": told,
        "named_checks": rows,
        "named_summary": view_choice.named_summary(told, rows, words) if told else (),
        "others": _as_priced(view_plan.by_tier(choice.others), quote, catalog, words),
        "alternatives": beside,
        "cures": view_choice.cures(quote, beside, words),
        "beside": view_choice.beside(quote, beside, words),
        "counted": view_alternatives.counted(quote, catalog, words),
        **networks(quote, catalog, words),
        **service(quote, catalog, words),
    }


def _as_priced(fits: Iterable[Fit], quote: Quote, catalog: Catalog, words: Words) -> tuple[Plan, ...]:
    """Other plans; without the prices of their nodes where the document shows no line prices."""
    plans = tuple(view_plan.plan(fit, catalog, words) for fit in fits)
    if quote.requirement.document.price_detail == "lines":
        return plans
    dearer = words.say("proposal.dearer")
    return tuple(replace(plan, amount=None, rejected_by=plan.rejected_by or dearer) for plan in plans)


def _room(site: Site, catalog: Catalog, words: Words) -> dict[str, Any]:
    return {
        "racks": tuple(view_plan.rack(planned, catalog, words) for planned in site.racks),
        "power_kw": site.power_kw,
        "heat_kw": site.heat_kw,
        "cooling_kw": site.cooling_kw,
        "ups_kva": site.ups_kva,
        "weight_kg": site.weight_kg,
        "units_used": site.units_used,
        "pue": site.pue,
    }


def _money(quote: Quote, catalog: Catalog, words: Words) -> dict[str, Any]:
    price = quote.price
    options = (option for option in price.options if not option.owned)
    return {
        "groups": view_lines.groups(price, words, catalog),
        "options": tuple(view_lines.line(option, words, catalog) for option in options),
        "option_groups": tuple(
            Group(id=row.group, name=words.get(f"group.{row.group}", row.group), total=row.total, lines=())
            for row in price.option_groups
        ),
        "packages": tuple(
            Package(id=row.package, name=words.say(f"proposal.package.{row.package}"), total=row.total)
            for row in price.packages
        ),
        "discount": quote.requirement.commercial.discount,
        "net": price.net,
        "tax": price.tax,
        "total": price.total,
        "total_upper": price.total_upper,
        "priced_part": price.priced_part,
        "taxes": tuple(TaxRow(rate=row.rate, net=row.net, tax=row.tax) for row in price.taxes),
        "payment": price.payment,
        "payment_steps": view_money.payment_steps(price.payment, words),
        "lead_weeks": price.lead_weeks,
        "warranty_years": quote.requirement.commercial.warranty_years or catalog.terms.warranty_years,
        "draft_rows": view_money.draft_rows(quote, words),
        "all_draft": view_money.all_draft(price),
        "ready": view_money.ready(quote, words),
    }


def _seller(catalog: Catalog, words: Words) -> Seller:
    house, chinese = catalog.house, words.language == "zh"
    colour, accent = sound_colours(house)
    name = house.name_zh if chinese else house.name_en
    return Seller(
        name=name,
        short=(house.short_zh if chinese else house.short_en) or name,
        address=house.address_zh if chinese else house.address_en,
        phone=house.phone,
        email=house.email,
        website=house.website,
        contact=house.contact,
        tax_number=house.tax_number,
        bank=house.bank,
        colour=readable(colour),
        accent=readable(accent),
        fill=colour,
        logo=logo_source(catalog.logo),
        seal=house.seal,
    )


def _buyer(requirement: Requirement) -> Buyer:
    customer, project = requirement.customer, requirement.project
    return Buyer(
        name=customer.name,
        contact=customer.contact,
        phone=customer.phone,
        email=customer.email,
        industry=customer.industry,
        project=project.name,
        delivery_city=project.delivery_city or customer.city,
        needed_by=project.needed_by,
    )


def _chosen_arguments(quote: Quote, catalog: Catalog, words: Words) -> dict[str, object]:
    chosen = quote.choice.chosen
    tasks = dict.fromkeys(
        words.say("proposal.work", model=view_plan.model_name(load, catalog), task=words.say(f"task.{load.task}"))
        for load in quote.requirement.workloads
    )
    if chosen is None:
        return {"works": words.say("proposal.works_join").join(tasks)}
    return {
        "works": words.say("proposal.works_join").join(tasks),
        "tier": words.say(f"tier.{chosen.tier}"),
        "platform": view_plan.part_name(chosen.platform, catalog, words),
        "gpu": view_plan.part_name(chosen.gpu, catalog, words),
        "nodes": chosen.nodes,
        "cards": chosen.cards,
        "memory": view_plan.memory_text(chosen.memory_gb),
        "minimum_nodes": chosen.minimum_nodes,
    }


def _solution(quote: Quote, catalog: Catalog, words: Words) -> str:
    chosen = quote.choice.chosen
    kind = "none" if chosen is None else "many" if (chosen.nodes or 1) > 1 else "one"
    return close_up(words.say(f"proposal.solution.{kind}", **_chosen_arguments(quote, catalog, words)))


def _reasons(quote: Quote, catalog: Catalog, words: Words) -> tuple[str, ...]:
    arguments = _chosen_arguments(quote, catalog, words)
    return tuple(words.say(f"reason.{code}", **arguments) for code in quote.choice.reasons)
