"""All checks of one setting: memory, formats, links, host memory, time, export, domestic stack."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from math import ceil

from quoting.kinds import Status
from quoting.records import Check, WorkloadFit
from quoting.stages.fit.candidates import own_cards
from quoting.stages.fit.jobs import Job, lacks_fp8
from quoting.stages.fit.placing import Host, weak_link
from quoting.stages.fit.rules import Limits
from quoting.stages.fit.verify import Setting, check, memory_checks, throughput_checks, two_thresholds

FREE = ("free", "made_for_china")


def all_checks(
    setting: Setting, jobs: tuple[Job, ...], fits: tuple[WorkloadFit, ...], limits: Limits
) -> tuple[Check, ...]:
    """Every check of the work on this hardware, memory first."""
    found: list[Check] = []
    shares = own_cards(jobs, [fitted.recommended_cards for fitted in fits], setting.cards)
    for job, fitted, cards in zip(jobs, fits, shares, strict=True):
        found += memory_checks(job, _on(setting, cards), limits)
        found += throughput_checks(job, fitted, limits)
        found += format_checks(job, setting)
        found += link_checks(job, setting, limits)
        found += deadline_checks(job, fitted)
    found += together(setting, jobs, limits)
    found.append(host_ram(setting, jobs, limits))
    found += export_checks(setting, limits)
    if setting.host.accelerator.origin == "domestic":
        found.append(check("domestic_stack", "warn", setting.host.accelerator.sku))
    return tuple(found)


def _on(setting: Setting, cards: int) -> Setting:
    """The part of a setting that one workload has to itself."""
    if cards >= setting.cards:
        return setting
    return replace(setting, cards=cards, nodes=max(1, ceil(cards / setting.node_cards)))


def together(setting: Setting, jobs: tuple[Job, ...], limits: Limits) -> list[Check]:
    """The sum of what runs at the same time, on named hardware."""
    running = [job for job in jobs if job.workload.concurrent]
    if not setting.named or len(running) < 2:
        return []
    static = sum((job.need.static_gb for job in running), Decimal(0))
    total = setting.memory * setting.cards
    status = max((two_thresholds(static, total, job, limits) for job in running), key=_severity)
    return [check("vram_total", status, "", static, total, "GB")]


def _severity(status: Status) -> int:
    return {"pass": 0, "unknown": 1, "warn": 2, "fail": 3}[status]


def format_checks(job: Job, setting: Setting) -> list[Check]:
    """bf16 and fp8 units, where the work wants them."""
    accelerator, where = setting.host.accelerator, job.need.workload
    found = []
    if job.need.needs_bf16 or job.training:
        found.append(check("bf16_support", _bf16(job, accelerator.has_bf16), where))
    if job.need.weights_precision == "fp8":
        lacking: Status = "unknown" if accelerator.has_fp8 is None else "fail" if setting.named else "warn"
        found.append(check("fp8_support", lacking if lacks_fp8(job, accelerator) else "pass", where))
    return found


def _bf16(job: Job, has: bool | None) -> Status:
    if has or not job.need.needs_bf16:
        return "pass"
    if has is None:
        return "unknown"
    return "fail" if job.workload.precision == "bf16" else "warn"


def link_checks(job: Job, setting: Setting, limits: Limits) -> list[Check]:
    """Between cards of a node for 16 bit training, between nodes for all training on several."""
    where, found = job.need.workload, []
    weak = weak_link(job, setting.host, limits) if setting.cards > 1 else None
    if weak is not None:
        found.append(weak_link_check(where, setting.host, limits))
    if setting.nodes < 2 or not job.training:
        return found
    gbps = setting.between_gbps
    if gbps is None:
        status: Status = "unknown"
    else:
        status = "fail" if gbps <= limits.between_fail else "warn" if gbps < limits.between_warn else "pass"
    return [*found, check("interconnect", status, where, limits.between_warn, gbps, "Gbit/s")]


def weak_link_check(where: str, host: Host, limits: Limits) -> Check:
    """A warning of the link between cards; what nobody has published is not said to be nothing."""
    if host.link_gbs or host.accelerator.link_gbs is not None:
        return check("interconnect", "warn", where, limits.fabric_gbs, host.link_gbs, "GB/s")
    return replace(
        check("interconnect", "warn", where, limits.fabric_gbs, None, "GB/s"), code="interconnect.link_unknown"
    )


def deadline_checks(job: Job, fitted: WorkloadFit | None) -> list[Check]:
    """Days against the deadline; unknown when the tokens or the card's peak are."""
    asked, where = job.need.deadline_days, job.need.workload
    if asked is None:
        return []
    if fitted is None or fitted.days is None or fitted.days_high is None:
        return [check("deadline", "unknown", where, asked, None, "day")]
    status: Status = "fail" if fitted.days > asked else "warn" if fitted.days_high > asked else "pass"
    found = check("deadline", status, where, fitted.days, asked, "day", (("days_high", fitted.days_high),))
    return [found]


def host_ram(setting: Setting, jobs: tuple[Job, ...], limits: Limits) -> Check:
    """Host memory of a node against its card memory, and against what offload keeps there."""
    cards_gb = setting.memory * setting.node_cards
    offloaded = max((job.need.host_ram_gb for job in jobs), default=Decimal(0)) / setting.nodes
    wanted = max(cards_gb * limits.ram_warn, offloaded)
    floor = max(cards_gb * limits.ram_fail, offloaded)
    if setting.ram_gb is None:
        return check("host_ram", "unknown", "", wanted, None, "GB")
    ram = Decimal(setting.ram_gb)
    status: Status = "fail" if ram < floor else "warn" if ram < wanted else "pass"
    return check("host_ram", status, "", wanted, ram, "GB")


def export_checks(setting: Setting, limits: Limits) -> list[Check]:
    """Export control of the card; what the customer already owns is not bought."""
    accelerator = setting.host.accelerator
    if setting.owned or accelerator.export in FREE:
        return []
    below = accelerator.tpp is not None and accelerator.tpp < limits.tpp
    status: Status = "fail"
    if accelerator.export == "unknown":
        status = "unknown"
    elif accelerator.export == "licence" and below:
        status = "warn"
    arguments = (("export", accelerator.export), ("basis", accelerator.export_basis))
    return [check("export_control", status, accelerator.sku, accelerator.tpp, limits.tpp, "TPP", arguments)]
