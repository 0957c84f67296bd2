"""One row of a published table, and how the product's answer is held against it.

A table of another field adds a module beside this one with ``rows() -> list[Row]`` and, where it has expected misses,
a file ``misses_<field>.toml`` (``[[miss]] id, reason, source``).
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

Op = Literal["rel", "abs", "exact", "ge", "le", "le_rel", "factor", "step", "not", "text", "info"]
Number = Decimal | int
ONE = Decimal(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of one public function of the product, and how its answer is put in the unit the table prints.

    ``read`` takes the number (or the tuple of numbers, or a text) out of a record; ``per`` divides it: the size of one
    printed unit in the function's unit, 1.073741824 where the function gives GB and the table prints GiB.
    """

    function: Callable[..., Any]
    inputs: Mapping[str, Any] = field(default_factory=dict)
    read: Callable[[Any], Any] = lambda answer: answer
    per: Decimal = ONE

    @property
    def name(self) -> str:
        """Where the function is: module and name."""
        return f"{self.function.__module__}.{self.function.__qualname__}"

    def answer(self, factor: Decimal = ONE) -> tuple[Any, ...]:
        """The product's numbers; ``factor`` (1.5 in the mutation check) scales what the function returned.

        A number is scaled before it is read, the numbers of a record after; texts stay as they are.
        """
        found, after = self.function(**self.inputs), factor
        if isinstance(found, Decimal | int):
            found, after = found * factor, ONE
        read = self.read(found)
        values = read if isinstance(read, tuple) else (read,)
        return tuple(value if isinstance(value, str) else Decimal(value) * after / self.per for value in values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A published value, how close the product must come to it, and the call that answers.

    ``expected`` is one value, or a tuple answered by a tuple of the same length. ``tolerance``: ``rel`` a share,
    ``abs`` in the unit, ``factor`` a factor, else unused. ``step``: the call answers (minimum, recommended).
    ``reference`` is the value of the published rule, worked out beside the table: it holds an answer whose own
    tolerance is wide (``within`` is a share).
    """

    id: str
    kind: str
    expected: Any
    op: Op
    tolerance: Decimal = Decimal(0)
    call: Call
    reference: Decimal | None = None
    within: Decimal = Decimal("0.1")

    @property
    def scored(self) -> bool:
        """Rows for information are shown, not counted."""
        return self.op != "info"

    def holds(self, factor: Decimal = ONE) -> bool:
        """Whether the answer (times ``factor``) keeps to the published value and to the rule's own value."""
        answer = self.call.answer(factor)
        return self._published(answer) and self._reference(answer)

    def _published(self, answer: tuple[Any, ...]) -> bool:
        if self.op == "step":
            return _one_step(Decimal(self.expected), answer[0], answer[1])
        expected = self.expected if isinstance(self.expected, tuple) else (self.expected,)
        return len(answer) == len(expected) and all(
            _COMPARE[self.op](got, wanted, self.tolerance) for got, wanted in zip(answer, expected, strict=True)
        )

    def _reference(self, answer: tuple[Any, ...]) -> bool:
        return self.reference is None or any(_relative(got, self.reference, self.within) for got in answer)


def _relative(got: Decimal, wanted: Decimal, share: Decimal) -> bool:
    return abs(got - wanted) <= share * abs(wanted)


def _within_factor(got: Decimal, wanted: Decimal, factor: Decimal) -> bool:
    return wanted / factor <= got <= wanted * factor


_COMPARE: Mapping[str, Callable[[Any, Any, Decimal], bool]] = {
    "rel": _relative,
    "abs": lambda got, wanted, band: abs(got - wanted) <= band,
    "exact": lambda got, wanted, _: got == wanted,
    "text": lambda got, wanted, _: got == wanted,
    "ge": lambda got, wanted, _: got >= wanted,
    "le": lambda got, wanted, _: got <= wanted,
    "le_rel": lambda got, wanted, share: wanted * (1 - share) <= got <= wanted * (1 + share),
    "factor": _within_factor,
    "not": lambda got, wanted, share: not _relative(got, wanted, share or Decimal("0.05")),
    "info": lambda got, wanted, _: True,
}


def _one_step(published: Decimal, minimum: Decimal, recommended: Decimal) -> bool:
    """The published count is our minimum or recommended one, or one step below: of 1, 2, 4, 8, nodes, powers of two."""
    steps = [Decimal(2) ** power for power in range(16)]
    nodes = [Decimal(8 * count) for count in range(1, 1025)]
    ladder = sorted({*steps, *nodes})
    if minimum not in ladder or recommended not in ladder:
        return False
    below = {
        max((step for step in kind if step < count), default=count)
        for kind in (steps, ladder)
        for count in (minimum, recommended)
    }
    return published in {minimum, recommended, *below}


def misses(path: Path) -> dict[str, str]:
    """Expected misses of one field: id of the row -> reason and where a reader can check it."""
    if not path.exists():
        return {}
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["miss"]
    return {row["id"]: f"{row['reason']} ({row['source']})" for row in rows}


MUTATION = Decimal("1.5")


def mutation_score(rows: list[Row]) -> Decimal:
    """Share of the scored rows that hold and turn red when the called function's result is half as large again."""
    held = [row for row in rows if row.scored and row.holds()]
    return Decimal(sum(not row.holds(MUTATION) for row in held)) / len(held)
