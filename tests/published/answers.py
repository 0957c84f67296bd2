"""What the modules beside this one share: numbers out of notes, and the way from a row to the product's need."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from published import cases
from published.cases import Case
from published.rows import Call
from sizing.plan import requirement

from quoting.stages.demand import demand

D = Decimal
GIB = D(1024) ** 3 / D(10) ** 9


def number_before(text: str, what: str) -> Decimal:
    """The number a note gives before a word: 66523 in "66523 tok/s on 64 GPUs"."""
    return D(re.search(rf"([\d.]+)\s*{what}", text)[1])  # type: ignore[index]


def number_after(text: str, what: str) -> Decimal | None:
    """The number a note gives after a word: 1.5 in "additional_buffer_factor 1.5"."""
    found = re.search(rf"{what}\s*([\d.]+(?:e\d+)?)", text)
    return D(found[1]) if found else None


def needed(case: Case, read: Callable[[Any], Decimal], **changed: object) -> Call:
    """The product's whole way from a workload to its need; ``read`` takes a number out of the need."""
    wanted = requirement(cases.workload(case, **changed))
    inputs = {"requirement": wanted, "catalog": cases.catalog()}
    return Call(function=demand, inputs=inputs, read=lambda found: read(found.needs[0]))


def factor(case: Case) -> str:
    """Which operations a token takes: adapters need no weight gradients of the base."""
    return "adapter" if case["task"] in ("lora", "qlora") else "full"
