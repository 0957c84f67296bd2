"""Answers of a bid to demands about the work, the hardware and the room."""

from __future__ import annotations

from decimal import Decimal

from quoting.documents.customer import CheckRow
from quoting.documents.demands import Demand
from quoting.documents.formats import short
from quoting.documents.offer import Answer, Judged, Offer, at_least, measured, number_of
from quoting.documents.view_plan import part_name, work_names
from quoting.parts import Rack
from quoting.records import Fit, WorkloadFit
from quoting.requirement import Workload

# Which check measures a demand about the room; what none measures is a condition the bidder works to.
_CHECKS = {
    "rack_power": "rack_power",
    "rack_units": "rack_units",
    "circuit": "circuit_80pct",
    "feeds": "redundancy_failover",
    "transformer": "transformer",
    "transformer_load": "transformer",
    "ups": "ups_capacity",
    "ups_load": "ups_capacity",
    "ups_minutes": "ups_runtime",
    "cooling": "cooling_capacity",
    "cooling_redundancy": "cooling_redundancy",
    "supply_temperature": "inlet_temperature",
    "liquid_ready": "liquid_cooling",
    "floor_load": "floor_load",
    "floor_point": "floor_point_load",
    "existing_load": "phase_balance",
    "door": "delivery_route",
    "lift": "delivery_route",
}
# Where a condition is the buyer's and only a figure of our equipment can be missing.
_MAKERS = frozenset({"floor_load", "door", "lift", "feeds"})
_NEEDS = ("rack_power", "rack_units", "circuit", "cooling", "floor_load", "floor_point")
_HAS = ("supply_temperature",)


def of_work(demand: Demand, offer: Offer) -> Answer:
    """What the plan does for a workload; a demand without a measure of its own is part of what was sized for."""
    chosen, load = offer.quote.choice.chosen, offer.quote.requirement.workloads[demand.number - 1]
    fit = next((one for one in chosen.workloads if one.workload == load.id), None) if chosen else None
    place = f"work-{demand.number}"
    answer = _measured(demand.field, load, fit, offer, place) if fit else None
    if answer is not None or chosen is None:
        return answer or offer.say("no_plan", "negative", "choice")
    if demand.field == "concurrent":
        return offer.say("arranged", "none", "plan")
    return offer.say("sized", "none", "plan", value=demand.value, nodes=chosen.nodes, cards=chosen.cards)


def _measured(field: str, load: Workload, fit: WorkloadFit, offer: Offer, place: str) -> Answer | None:
    if field == "deadline" and load.deadline_days is not None and fit.days is not None:
        return _by(load.deadline_days, fit, offer, place)
    if field == "context":
        return offer.say("context", "none", f"need-{load.id[1:]}", value=load.context)
    if field == "concurrency":
        return _at_once(load, offer)
    if field == "tokens_per_second" and load.tokens_per_second and fit.tokens_per_second is not None:
        judged = at_least(load.tokens_per_second, fit.tokens_per_second)
        return offer.say("tokens_per_second", judged, place, value=short(fit.tokens_per_second))
    if field == "first_token" and load.first_token_s and fit.first_token_s is not None:
        judged = at_least(fit.first_token_s, load.first_token_s)
        return offer.say("first_token", judged, place, value=short(fit.first_token_s))
    return None


def _by(asked: Decimal, fit: WorkloadFit, offer: Offer, place: str) -> Answer:
    """Better only where the slow end of the range is in time too."""
    days = fit.days or Decimal(0)
    if days > asked:
        return offer.say("deadline.late", "negative", place, value=short(days))
    judged: Judged = "positive" if (fit.days_high or days) < asked else "none"
    return offer.say("deadline.kept", judged, place, asked=asked, value=short(days))


def _at_once(load: Workload, offer: Offer) -> Answer | None:
    names = work_names(offer.quote.requirement.workloads, offer.catalog, offer.words)
    row = offer.check("kv_cache_room", names[load.id])
    if row is None or row.available is None:
        return None
    judged = at_least(Decimal(load.concurrency), row.available)
    return offer.say("concurrency", judged, row.anchor, value=short(row.available))


def of_hardware(demand: Demand, offer: Offer) -> Answer:
    """What is offered for a server the buyer names; nothing is sold where the buyer owns it."""
    named, chosen = offer.quote.requirement.hardware, offer.quote.choice.chosen
    if chosen is None or named is None:
        return offer.say("no_plan", "negative", "choice")
    if named.owned:
        return offer.say("owned", "none", "lines")
    if demand.field == "gpu":
        value = part_name(chosen.gpu, offer.catalog, offer.words)
        return offer.say("plain", "none" if named.gpu == chosen.gpu else "negative", "plan", value=value)
    return _server(demand, chosen, offer)


def _server(demand: Demand, chosen: Fit, offer: Offer) -> Answer:
    count = {"cards": chosen.cards, "nodes": chosen.nodes}.get(demand.field)
    asked = {"cards": "cards", "nodes": "nodes"}.get(demand.field)
    if count is not None and asked:
        wanted = getattr(offer.quote.requirement.hardware, asked) or count
        return offer.say(asked, at_least(Decimal(wanted), Decimal(count)), "plan", value=count)
    if demand.field == "power":
        return _node_power(demand, offer)
    row = offer.check({"ram": "host_ram", "psu": "psu_headroom", "interconnect": "interconnect"}.get(demand.field, ""))
    if row is None or row.available is None:
        return offer.say("accepted", "none", "plan")
    judged: Judged = at_least(number_of(demand), row.available) if demand.field != "psu" else _of(row)
    return offer.say(f"each.{demand.field}", judged, row.anchor, value=measured(row, row.available))


def _node_power(demand: Demand, offer: Offer) -> Answer:
    nodes = [one for rack in offer.quote.site.racks for one in rack.placed if one.label.startswith("N")]
    power = nodes[0].power_kw if nodes else None
    if power is None:
        return offer.say("accepted", "none", "plan")
    judged: Judged = "negative" if power > number_of(demand) else "none"
    return offer.say("each.power", judged, "rack-table", value=short(power))


def of_room(demand: Demand, offer: Offer) -> Answer:
    """What our equipment needs of the room, where that is measured; else that we work to the condition."""
    row = offer.check(_CHECKS.get(demand.field, ""))
    proof = row.anchor if row else "room"
    if row is not None and row.status == "unknown" and demand.field in _MAKERS:
        return offer.say("pending", "negative", proof)
    if demand.field in ("door", "lift"):
        return _route(demand.field, row, offer)
    judged = _of(row)
    told = _own_need(demand.field, row, offer)
    if told is None:
        return offer.say("room.late" if judged == "negative" else "accepted", judged, proof)
    text, proof = told
    return offer.say(f"room.{demand.field}", judged, proof, value=text)


def _own_need(field: str, row: CheckRow | None, offer: Offer) -> tuple[str, str] | None:
    """A figure of our equipment, and where it stands."""
    site = offer.quote.site
    totals = {
        "transformer": (site.power_kw, "kW"),
        "ups": (site.ups_kva, "kVA"),
        "racks": (Decimal(len(site.racks)), ""),
    }
    value, unit = totals.get(field.removesuffix("_load"), (None, ""))
    if value:
        return f"{short(value)} {unit}".strip(), "rack-table" if field == "racks" else "room-needs"
    if row is None:
        return None
    figure = row.required if field in _NEEDS else row.available if field in _HAS else None
    if field == "feeds" and row.status == "pass":
        figure = row.available
    return None if figure is None else (measured(row, figure), row.anchor)


def _of(row: CheckRow | None) -> Judged:
    return "negative" if row is not None and row.status == "fail" else "none"


def _route(field: str, row: CheckRow | None, offer: Offer) -> Answer:
    """The way in: a rack's size against a door, the weight of rack and server against a lift."""
    place = offer.words.say(f"place.{field}")
    judged = _of(row) if row is not None and row.where == place else "none"
    rack = offer.catalog.parts.get(offer.quote.site.racks[0].sku) if offer.quote.site.racks else None
    if not isinstance(rack, Rack):
        return offer.say("accepted", judged, "room")
    size = f"{rack.width_mm} × {rack.depth_mm} × {rack.height_mm}"
    if field == "door":
        return offer.say("room.door", judged, "rack-table", value=size)
    chosen = offer.quote.choice.chosen
    platform = offer.catalog.platforms.get(chosen.platform) if chosen else None
    if platform is None or platform.weight_kg is None or rack.weight_kg is None:
        return offer.say("accepted", judged, row.anchor if row else "room")
    weights = {"server": short(platform.weight_kg), "rack": short(rack.weight_kg)}
    return offer.say("room.lift", judged, "rack-table", size=size, **weights)
