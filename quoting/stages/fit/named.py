"""Hardware the customer names: verified, with the smallest change that would help."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from math import ceil
from typing import Literal

from quoting.kinds import Arguments
from quoting.parts import Accelerator, Platform
from quoting.records import Check, Fit
from quoting.requirement import Hardware, Requirement
from quoting.rows import Catalog
from quoting.stages.fit.candidates import combined, fit_on, node_counts
from quoting.stages.fit.cards import best_layout, layouts, recommended_nodes, rounded_cards
from quoting.stages.fit.checks import all_checks
from quoting.stages.fit.jobs import Job, serving
from quoting.stages.fit.placing import Host, Placement, counted_link, host_of, place
from quoting.stages.fit.policy import controlled
from quoting.stages.fit.rules import Limits
from quoting.stages.fit.verify import Setting

# Checks that say nothing about whether the work runs on the hardware.
NOT_PHYSICAL = ("export_control", "domestic_stack", "deadline", "throughput")


def named_fit(jobs: tuple[Job, ...], requirement: Requirement, catalog: Catalog, rules: Limits) -> Fit | None:
    """The named hardware with its checks and verdict; None when the form names no known card."""
    hardware = requirement.hardware
    if hardware is None or hardware.gpu is None or hardware.gpu not in catalog.accelerators:
        return None
    platform = matching(hardware, catalog, rules)
    host = _host(hardware, platform, catalog, rules)
    placements = tuple(place(job, host, rules) for job in jobs)
    minimum, wanted = _counts(jobs, placements, host, rules)
    setting = _setting(hardware, platform, host, wanted or _by_totals(jobs, hardware, host, rules), rules)
    fitted = fit_on(
        host,
        jobs,
        _as_named(jobs, placements, setting, rules),
        setting.nodes,
        minimum or 0,
        catalog,
        rules,
        setting.cards,
    )
    checks = all_checks(setting, jobs, fitted.workloads, rules)
    verdict = _verdict(checks)
    change, arguments = smallest_change(checks, jobs, setting, fewest_cards(jobs, placements, host))
    return replace(
        fitted,
        minimum_nodes=minimum,
        platform=platform.sku if platform else "",
        checks=checks,
        feasible=verdict != "no",
        verdict=verdict,
        rejected_by=next((one.id for one in checks if one.status == "fail"), ""),
        change=change,
        change_arguments=arguments,
    )


def matching(hardware: Hardware, catalog: Catalog, rules: Limits) -> Platform | None:
    """Our platform with the named card: of the named size if there is one, else the next larger."""
    wanted = _per_node(hardware, rules)
    found = [platform for platform in catalog.platforms.values() if platform.accelerator == hardware.gpu]
    able = [platform for platform in found if wanted is None or platform.cards >= wanted]
    if not able:
        return None
    largest = wanted is None
    return min(able, key=lambda one: (not one.quotable, -one.cards if largest else one.cards, one.sku))


def _per_node(hardware: Hardware, rules: Limits) -> int | None:
    """Cards of one named node; cards without nodes are one node as long as one may hold them."""
    if hardware.cards is None:
        return None
    if hardware.nodes:
        return ceil(hardware.cards / hardware.nodes)
    return hardware.cards if hardware.cards <= rules.named_cards else None


def _host(hardware: Hardware, platform: Platform | None, catalog: Catalog, rules: Limits) -> Host:
    if platform is not None:
        return replace(
            host_of(platform, catalog, rules), max_nodes_training=rules.max_nodes, max_pipeline=rules.max_nodes
        )
    accelerator = catalog.accelerators[hardware.gpu or ""]
    cards = _per_node(hardware, rules) or rules.named_cards
    return Host(
        sku="",
        family=_family(accelerator, rules),
        accelerator=accelerator,
        cards=cards,
        link_gbs=counted_link(accelerator),
        max_nodes_training=rules.max_nodes,
        max_nodes_serving=rules.max_nodes,
        max_pipeline=rules.max_nodes,
        ram_gb=hardware.ram_gb,
        power_w=None,
    )


def _family(accelerator: Accelerator, rules: Limits) -> str:
    if accelerator.origin == "domestic":
        return "xinchuang"
    return "enterprise" if counted_link(accelerator) >= rules.fabric_gbs else "entry"


def _counts(
    jobs: tuple[Job, ...], placements: tuple[Placement, ...], host: Host, rules: Limits
) -> tuple[int | None, int | None]:
    """Fewest and recommended nodes of these cards for the work; None when no count holds it."""
    if any(placement.minimum is None for placement in placements):
        return None, None
    minimum, wanted = node_counts(placements, jobs, host)
    return minimum, recommended_nodes(max(minimum, wanted), rules)


def _by_totals(jobs: tuple[Job, ...], hardware: Hardware, host: Host, rules: Limits) -> int:
    """Nodes by total card and host memory, where no count passes the per-card check."""
    node_gb = (host.accelerator.memory_gb or Decimal(1)) * host.cards
    ram_gb = hardware.ram_gb or host.ram_gb
    nodes = max(ceil(job.need.static_gb / node_gb) for job in jobs)
    if ram_gb:
        nodes = max(nodes, *(ceil(job.need.host_ram_gb / ram_gb) for job in jobs))
    return recommended_nodes(max(nodes, 1), rules)


def fewest_cards(jobs: tuple[Job, ...], placements: tuple[Placement, ...], host: Host) -> int | None:
    """Fewest of the named cards that hold the work, rounded as servers come; None when no count does."""
    counts = [placement.minimum for placement in placements]
    if any(count is None for count in counts):
        return None
    running = [job.workload.concurrent for job in jobs]
    return rounded_cards(combined([count or 0 for count in counts], running), host.cards)


def _setting(hardware: Hardware, platform: Platform | None, host: Host, wanted: int | None, rules: Limits) -> Setting:
    """What is verified: the count the customer names, or the one the work needs."""
    cards = hardware.cards or (hardware.nodes or wanted or 1) * host.cards
    nodes = hardware.nodes or ceil(cards / host.cards)
    ram = hardware.ram_gb or (platform.ram_gb if platform and not hardware.owned else None)
    return Setting(
        host=host,
        cards=cards,
        nodes=nodes,
        ram_gb=ram,
        between_gbps=hardware.interconnect_gbps,
        named=True,
        owned=hardware.owned,
    )


def _as_named(
    jobs: tuple[Job, ...], placements: tuple[Placement, ...], setting: Setting, rules: Limits
) -> tuple[Placement, ...]:
    """The placements with a serving layout on the named cards, however little cache it leaves."""
    placed = []
    for job, placement in zip(jobs, placements, strict=True):
        layout = placement.layout
        if not job.training and setting.memory:
            room = setting.memory * rules.tight
            found = layouts(serving(job, setting.host.accelerator), room, setting.node_cards, setting.nodes)
            within = [one for one in found if one.tensor * one.pipeline <= setting.cards]
            best = best_layout(within, setting.node_cards)
            copies = setting.cards // (best.tensor * best.pipeline) if best else 0
            layout = replace(best, replicas=min(best.replicas, copies)) if best else None
        placed.append(replace(placement, layout=layout))
    return tuple(placed)


def _verdict(checks: tuple[Check, ...]) -> Literal["fits", "tight", "no"]:
    """fits, tight or no: by what decides whether the work runs."""
    physical = [check for check in checks if check.id not in NOT_PHYSICAL]
    if any(check.status == "fail" for check in physical):
        return "no"
    close = ("vram_total", "per_card_memory", "kv_cache_room")
    return "tight" if any(check.status == "warn" and check.id in close for check in physical) else "fits"


def smallest_change(
    checks: tuple[Check, ...], jobs: tuple[Job, ...], setting: Setting, fewest: int | None
) -> tuple[str, Arguments]:
    """The smallest change that would make the named hardware do: a code and its arguments; "" when none is needed."""
    failed = {check.id: check for check in reversed(checks) if check.status == "fail"}
    job = next((one for one in jobs if one.need.workload == _where(failed)), jobs[0])
    enough = (("cards", fewest), ("nodes", ceil((fewest or 0) / setting.host.cards)))
    if "export_control" in failed and len(failed) == 1:
        return "another_card", (("gpu", setting.host.accelerator.sku),)
    if "sharding" in failed:
        return "shard_zero3", (("sharding", job.workload.sharding),)
    if "long_context" in failed:
        return "shorter_context", (("context", failed["long_context"].arguments[1][1]),)
    if "fp8_support" in failed and fewest:
        return "weights_bf16", enough
    if failed.keys() & {"vram_total", "per_card_memory", "kv_cache_room"}:
        return _more_memory(job, setting, fewest, enough)
    if "interconnect" in failed:
        return "faster_interconnect", (("gbps", failed["interconnect"].required),)
    if "host_ram" in failed:
        return "more_ram", (("ram_gb", failed["host_ram"].required),)
    if "bf16_support" in failed:
        return "use_fp16", ()
    return ("another_card", (("gpu", setting.host.accelerator.sku),)) if failed else ("", ())


def _where(failed: dict[str, Check]) -> str:
    return next((check.where for check in failed.values() if check.where), "")


def _more_memory(job: Job, setting: Setting, fewest: int | None, enough: Arguments) -> tuple[str, Arguments]:
    if job.need.task == "lora" and setting.nodes == 1 and job.need.sixteen_bit_training:
        return "use_qlora", ()
    if fewest and fewest > setting.cards:
        return "more_cards", enough
    return "larger_card", (("memory_gb", setting.memory),)


def adopt(
    named: Fit | None,
    requirement: Requirement,
    catalog: Catalog,
    rules: Limits,
    price: Callable[[str], Decimal | None],
) -> Fit | None:
    """The named hardware as the choice: it fits, may be quoted, and is for sale in one of our platforms.

    What the customer owns is taken too, tight or not, when a platform of ours stands for it, and costs nothing.
    """
    hardware = requirement.hardware
    if named is None or hardware is None or named.verdict == "no" or not named.platform:
        return None
    if named.verdict == "tight" and not hardware.owned:
        return None
    platform = catalog.platforms[named.platform]
    nodes = ceil((named.cards or 0) / platform.cards)
    whole = named.cards == nodes * platform.cards
    if hardware.owned:
        return replace(named, nodes=nodes, node_cost=Decimal("0.00"), rejected_by="")
    accelerator = catalog.accelerators[platform.accelerator]
    sold = accelerator.sale != "owned_only" and platform.quotable
    if not whole or not sold or controlled(accelerator, requirement, rules) is not None:
        return None
    cost = price(platform.sku)
    return replace(named, nodes=nodes, node_cost=None if cost is None else cost * nodes, rejected_by="")
