"""Real requirements and reports: the verdicts must be the known truth."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from sizing.plan import plan, requirement, workload
from sizing.real_cases import REAL_CASES

from quoting.records import Choice, Fit
from quoting.requirement import Hardware


def decide(case: dict[str, Any]) -> Choice:
    need = dict(case["need"])
    if "tokens_b" in need:
        need["tokens_b"] = Decimal(need["tokens_b"])
    model, task = need.pop("model", None), need.pop("task")
    given = dict(case.get("hardware", {}))
    if "interconnect_gbps" in given:
        given["interconnect_gbps"] = Decimal(given["interconnect_gbps"])
    hardware = Hardware(**given) if given else None
    return plan(requirement(workload(model, task, **need), hardware=hardware, **case.get("compliance", {})))[1]


def answer(choice: Choice, case: dict[str, Any]) -> Fit:
    """The plan that answers: the named cards when the question is how many of them, else the chosen."""
    asked_how_many = "hardware" in case and "cards" not in case["hardware"]
    if asked_how_many and choice.named is not None:
        return choice.named
    assert choice.chosen is not None
    return choice.chosen


def statuses(choice: Choice) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for fit in (choice.named or choice.chosen,):
        for check in fit.checks if fit else ():
            found.setdefault(check.id, set()).add(check.status)
    return found


@pytest.mark.parametrize("case", REAL_CASES.values(), ids=REAL_CASES.keys())
def test_verdict_is_the_known_truth(case: dict[str, Any]) -> None:
    choice, expect = decide(case), case["expect"]
    found = statuses(choice)
    if "tiers" in expect:
        assert answer(choice, case).tier in expect["tiers"]
    if "nodes_at_least" in expect:
        assert (answer(choice, case).minimum_nodes or 0) >= expect["nodes_at_least"]
    for status in ("fail", "warn"):
        for id in expect.get(status, []):
            assert status in found.get(id, set()), (id, found)
        some = expect.get(f"{status}_any", [])
        assert not some or any(status in found.get(id, set()) for id in some), found
    for id in expect.get("not_fail", []):
        assert id in found
        assert "fail" not in found[id]
    if "days" in expect:
        low, high = expect["days"]
        assert choice.named is not None
        assert low <= (choice.named.days or 0) <= high
    if "verdict" in expect:
        assert choice.named is not None
        assert choice.named.verdict == expect["verdict"]
