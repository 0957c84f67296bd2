"""Whether a node's power supplies carry it."""

from __future__ import annotations

from decimal import Decimal

from quoting.figure import Ledger
from quoting.kinds import Status
from quoting.parts import Platform
from quoting.records import Check, Fit
from quoting.requirement import Hardware, Requirement
from quoting.rows import Catalog
from quoting.stages.leaves import form_leaf, part_leaf, rule_leaf, rule_number

RATIO = "supplies * each / peak"
NEEDED = "peak * share"
GIVEN = "supplies * each"
_RULE = "psu_headroom"


def named_for(requirement: Requirement, fit: Fit) -> Hardware | None:
    """What the customer said of the node, where it is said of this plan's cards."""
    named = requirement.hardware
    return named if named is not None and named.gpu in (None, fit.gpu) else None


def supply_check(
    requirement: Requirement, fit: Fit, platform: Platform, catalog: Catalog, ledger: Ledger
) -> tuple[Check, ...]:
    """``psu_headroom`` of one node: the supplies that live when one failure is survived, against the peak."""
    named = named_for(requirement, fit)
    peak = _peak(named, platform, ledger)
    count = (named.psu_count if named else None) or platform.psu_count
    each = _each(named, platform, ledger)
    if peak is None or count is None or each is None:
        return (Check(id=_RULE, status="unknown", unit="W", where=platform.sku, source=_RULE),)
    stated = bool(named and (named.psu_count or named.psu_w))
    alive, mode = _alive(count, None if stated else platform.psu_required)
    ledger.rule("bom.psu.alive", Decimal(alive), "PSU", _RULE, mode)
    ledger.formula("bom.psu.given_w", "W", GIVEN, supplies="bom.psu.alive", each=each)
    share = rule_leaf(ledger, catalog, _RULE, "single" if mode == "single" else f"{mode}_warn")
    ledger.formula("bom.psu.needed_w", "W", NEEDED, peak=peak, share=share)
    ratio = ledger.formula("bom.psu.ratio", "ratio", RATIO, supplies="bom.psu.alive", each=each, peak=peak)
    return (_judged(ratio, mode, count, platform, catalog, ledger),)


def _peak(named: Hardware | None, platform: Platform, ledger: Ledger) -> str | None:
    if named and named.node_power_kw is not None:
        return form_leaf(ledger, "hardware.node_power", named.node_power_kw * 1000, "W")
    return part_leaf(ledger, platform, "power_w", "W") if platform.power_w is not None else None


def _each(named: Hardware | None, platform: Platform, ledger: Ledger) -> str | None:
    if named and named.psu_w is not None:
        return form_leaf(ledger, "hardware.psu_w", named.psu_w, "W")
    return part_leaf(ledger, platform, "psu_w", "W") if platform.psu_w is not None else None


def _alive(count: int, required: int | None) -> tuple[int, str]:
    """Supplies to count on, and the way they are judged: one alone, redundant, or several that all must live."""
    if count == 1:
        return 1, "single"
    return (required, "redundant") if required is not None and required < count else (count, "separate")


def _judged(ratio: Decimal, mode: str, count: int, platform: Platform, catalog: Catalog, ledger: Ledger) -> Check:
    fail = rule_number(catalog, _RULE, "single" if mode == "single" else f"{mode}_fail")
    warn = rule_number(catalog, _RULE, "single" if mode == "single" else f"{mode}_warn")
    status: Status = "fail" if ratio < fail else "warn" if ratio < warn else "pass"
    needed, given = ledger.number("bom.psu.needed_w"), ledger.number("bom.psu.given_w")
    return Check(
        id=_RULE,
        status=status,
        required=needed,
        available=given,
        margin=given / needed - 1 if needed else None,
        unit="W",
        where=platform.sku,
        arguments=(("count", count), ("ratio", ratio)),
        source=_RULE,
        figures=("bom.psu.needed_w", "bom.psu.given_w"),
    )
