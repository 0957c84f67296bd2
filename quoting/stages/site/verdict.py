"""How a comparison becomes a check."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from quoting.kinds import Arguments, Status
from quoting.records import Check
from quoting.stages.margins import margin

SEVERITY = {"fail": 3, "unknown": 2, "warn": 1, "pass": 0}


def made(
    id: str,
    status: Status,
    required: Decimal | int | None = None,
    available: Decimal | int | None = None,
    unit: str = "",
    where: str = "",
    code: str = "",
    arguments: Arguments = (),
    figures: tuple[str, ...] = (),
) -> Check:
    """A check with its margin, the share of the limit that is left."""
    need = None if required is None else Decimal(required)
    have = None if available is None else Decimal(available)
    return Check(
        id=id,
        status=status,
        required=need,
        available=have,
        margin=margin(id, need, have, unit),
        unit=unit,
        where=where,
        code=code,
        arguments=arguments,
        source=id,
        figures=figures,
    )


def at_most(used: Decimal, limit: Decimal, warn: Decimal, fail: Decimal = Decimal(1)) -> Status:
    """Status of something used out of a limit: fails above ``fail`` of it, warns above ``warn``."""
    if used > limit * fail:
        return "fail"
    return "warn" if used > limit * warn else "pass"


def at_least(given: Decimal, need: Decimal, warn: Decimal, fail: Decimal = Decimal(1)) -> Status:
    """Status of something given for a need: fails below ``fail`` times it, warns below ``warn``."""
    if given < need * fail:
        return "fail"
    return "warn" if given < need * warn else "pass"


def worst(checks: Iterable[Check]) -> tuple[Check, ...]:
    """One check for each id: the most severe, and of those the tightest; in the order the ids came."""
    found: dict[str, Check] = {}
    for check in checks:
        known = found.get(check.id)
        if known is None or _rank(check) > _rank(known):
            found[check.id] = check
    return tuple(found.values())


def _rank(check: Check) -> tuple[int, Decimal]:
    return SEVERITY[check.status], -(check.margin if check.margin is not None else Decimal(0))
