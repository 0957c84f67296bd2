"""What may be quoted at all: export control, domestic rules, form factor, known hosts."""

from __future__ import annotations

from decimal import Decimal

from quoting.parts import Accelerator, Platform
from quoting.requirement import Requirement
from quoting.stages.fit.placing import Rejection
from quoting.stages.fit.rules import Limits

FREE = ("free", "made_for_china")
SERVING_ONLY = "fit.serving_only"
FOREIGN = ("fit.imported", "fit.imported_host", "fit.host_unknown")


def wants_domestic(requirement: Requirement) -> bool:
    """Whether only domestic parts are allowed."""
    return requirement.compliance.domestic == "required" or not requirement.compliance.imports_allowed


def controlled(accelerator: Accelerator, requirement: Requirement, limits: Limits) -> Rejection | None:
    """Export control: stopped parts never, licence-bound ones only below the threshold and when the form allows."""
    if accelerator.export in FREE:
        return None
    below = accelerator.tpp is not None and accelerator.tpp < limits.tpp
    allowed = requirement.compliance.controlled_parts == "allow"
    if accelerator.export == "licence" and below and allowed:
        return None
    if accelerator.export == "unknown" and allowed:
        return None
    return Rejection(rule="export_control", required=limits.tpp, available=accelerator.tpp, unit="TPP")


def barred(
    platform: Platform, accelerator: Accelerator, requirement: Requirement, limits: Limits, domestic: bool | None = None
) -> Rejection | None:
    """Why a platform may not be quoted, origin first; ``domestic`` overrides the form for an alternative."""
    strict = wants_domestic(requirement) if domestic is None else domestic
    foreign = imported(platform) if strict else None
    if foreign is not None:
        return foreign
    if platform.serving_only and any(workload.task != "inference" for workload in requirement.workloads):
        return Rejection(rule=SERVING_ONLY)
    control = controlled(accelerator, requirement, limits)
    if control is not None:
        return control
    if not platform.quotable:
        return Rejection(rule="fit.not_quotable")
    if platform.family == "xinchuang" and not strict:
        return Rejection(rule="fit.domestic_only")
    if accelerator.sale == "owned_only":
        return Rejection(rule="fit.not_for_sale")
    return wrong_form(platform, requirement)


def imported(platform: Platform) -> Rejection | None:
    """What keeps a platform out of a domestic project: imported cards, or a host not known to be domestic."""
    if platform.family != "xinchuang":
        return Rejection(rule="fit.imported")
    if platform.host_domestic == "yes":
        return None
    return Rejection(rule="fit.imported_host" if platform.host_domestic == "no" else "fit.host_unknown")


def wrong_form(platform: Platform, requirement: Requirement) -> Rejection | None:
    """A workstation where a rack is asked, or the other way round."""
    wanted = requirement.project.form_factor
    return None if wanted in ("any", platform.form_factor) else Rejection(rule="fit.form_factor")


def grade(accelerator: Accelerator) -> int:
    """0: freely exported; 1: licence-bound or unknown, taken only where nothing freer in the tier fits."""
    return 0 if accelerator.export in FREE else 1


def cost_order(cost: Decimal | None) -> tuple[bool, Decimal]:
    """Sorts prices with the unknown last."""
    return cost is None, cost or Decimal(0)
