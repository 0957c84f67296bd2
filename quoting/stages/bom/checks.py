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
from quoting.stages.margins import margin

RATIO = "supplies * each / peak"
NEEDED = "peak * share"
GIVEN = "supplies * each"
WATTS = "kw * 1000"
_RULE = "psu_headroom"


def named_for(requirement: Requirement, fit: Fit) -> Hardware | None:
    """What the customer said of the node, where it is said of this plan's cards."""
    named = requirement.hardware
    return named if named is not None and named.gpu in (None, fit.gpu) else None


def supply_check(
    requirement: Requirement, fit: Fit, platform: Platform, catalog: Catalog, ledger: Ledger
) -> tuple[Check, ...]:
    """``psu_headroom`` of one node: the supplies that live when one failure is survived, against the peak.

    What the customer states of another machine in full is judged beside it, whatever the plan is. Where the maker does
    not say how many of several supplies must live, all of them together pass nothing: only too few can be told.
    """
    said, other = named_for(requirement, fit), requirement.hardware
    own = _judge(said, platform, catalog, ledger, platform.sku)
    if said is not None or other is None or None in (other.node_power_kw, other.psu_count, other.psu_w):
        return (own,)
    return own, _judge(other, platform, catalog, ledger, "named")


def _judge(said: Hardware | None, platform: Platform, catalog: Catalog, ledger: Ledger, where: str) -> Check:
    peak, each = _peak(said, platform, ledger), _each(said, platform, ledger)
    count = (said.psu_count if said else None) or platform.psu_count
    if peak is None or count is None or each is None:
        return Check(id=_RULE, status="unknown", unit="W", where=where, source=_RULE, arguments=(("count", count),))
    stated = bool(said and (said.psu_count or said.psu_w))
    alive, mode = _alive(count, None if stated else platform.psu_required)
    at = f"bom.psu.{where}" if where == "named" else "bom.psu"
    ledger.rule(f"{at}.alive", Decimal(alive), "PSU", _RULE, mode)
    given = ledger.formula(f"{at}.given_w", "W", GIVEN, supplies=f"{at}.alive", each=each)
    share = rule_leaf(ledger, catalog, _RULE, _key(mode, "warn"))
    needed = ledger.formula(f"{at}.needed_w", "W", NEEDED, peak=peak, share=share)
    ratio = ledger.formula(f"{at}.ratio", "ratio", RATIO, supplies=f"{at}.alive", each=each, peak=peak)
    status, code = _status(ratio, mode, catalog), ""
    if status != "fail" and mode == "separate" and not stated:
        status, code = "unknown", f"{_RULE}.no_redundancy"
    return Check(
        id=_RULE,
        status=status,
        code=code,
        required=needed,
        available=given,
        margin=None if code else margin(_RULE, needed, given),
        unit="W",
        where=where,
        arguments=(("count", count), ("ratio", ratio)),
        source=_RULE,
        figures=(f"{at}.needed_w", f"{at}.given_w"),
    )


def _key(mode: str, level: str) -> str:
    return "single" if mode == "single" else f"{mode}_{level}"


def _status(ratio: Decimal, mode: str, catalog: Catalog) -> Status:
    if ratio < rule_number(catalog, _RULE, _key(mode, "fail")):
        return "fail"
    return "warn" if ratio < rule_number(catalog, _RULE, _key(mode, "warn")) else "pass"


def _peak(named: Hardware | None, platform: Platform, ledger: Ledger) -> str | None:
    if named and named.node_power_kw is not None:
        power = form_leaf(ledger, "hardware.power", named.node_power_kw, "kW")
        ledger.formula("bom.psu.stated_peak_w", "W", WATTS, kw=power)
        return "bom.psu.stated_peak_w"
    return part_leaf(ledger, platform, "power_w", "W") if platform.power_w is not None else None


def _each(named: Hardware | None, platform: Platform, ledger: Ledger) -> str | None:
    if named and named.psu_w is not None:
        return form_leaf(ledger, "hardware.psu", named.psu_w, "W")
    return part_leaf(ledger, platform, "psu_w", "W") if platform.psu_w is not None else None


def _alive(count: int, required: int | None) -> tuple[int, str]:
    """Supplies to count on, and the way they are judged: one alone, redundant, or several that all must live."""
    if count == 1:
        return 1, "single"
    return (required, "redundant") if required is not None and required < count else (count, "separate")
