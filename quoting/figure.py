"""A number that says where it comes from.

A figure is one of three kinds:

* **leaf**: read from somewhere; ``source`` is a source id of the catalogue, ``form:<key>`` or ``default:<rule>``;
* **formula**: computed; ``text`` is a formula in a tiny language and is exactly what was evaluated;
* **rule**: the answer of a search or a lookup; ``text`` is the rule id, ``decided_by`` the constraint that decided.

The formula language: names, numbers, ``+ - * / **``, parentheses and the functions
``ceil floor min max sum round_fen``. A formula is a literal of our own source, never text from outside.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from types import CodeType
from typing import Any, Literal

Number = int | Decimal
Value = int | Decimal | str | None
Kind = Literal["leaf", "formula", "rule"]

# Fifteen significant digits: exact for money up to a hundred billion yuan, and short enough to print.
_KEEP = Context(prec=15)
_ONE = Decimal(1)
_FEN = Decimal("0.01")
_EXPONENT_LIMIT = 64  # 9**9**9 would never end

_NODES = (
    ast.Expression,
    ast.BinOp,
    ast.UnaryOp,
    ast.Call,
    ast.Name,
    ast.Load,
    ast.Constant,
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.Div,
    ast.Pow,
    ast.USub,
)


@dataclass(frozen=True, slots=True)
class Figure:
    """One value of a quotation with its proof; ``inputs`` maps a name in ``text`` to figure ids."""

    id: str
    value: Value
    unit: str
    kind: Kind
    source: str = ""
    text: str = ""
    inputs: tuple[tuple[str, str | tuple[str, ...]], ...] = ()
    decided_by: str = ""
    note: str = ""


def round_fen(amount: Decimal) -> Decimal:
    """Round an amount in yuan half up to a fen."""
    return amount.quantize(_FEN, ROUND_HALF_UP)


def _ceil(value: Decimal) -> Decimal:
    return value.to_integral_value(ROUND_CEILING)


def _floor(value: Decimal) -> Decimal:
    return value.to_integral_value(ROUND_FLOOR)


def _sum(*values: Decimal | tuple[Decimal, ...]) -> Decimal:
    flat = (part for value in values for part in (value if isinstance(value, tuple) else (value,)))
    return sum(flat, Decimal(0))


def _power(base: Decimal, exponent: Decimal) -> Decimal:
    if abs(exponent) > _EXPONENT_LIMIT:
        raise ValueError(f"exponent {exponent} is beyond {_EXPONENT_LIMIT}")
    return base**exponent


_FUNCTIONS: dict[str, Any] = {
    "ceil": _ceil,
    "floor": _floor,
    "min": min,
    "max": max,
    "sum": _sum,
    "round_fen": round_fen,
}


class _Decimals(ast.NodeTransformer):
    """Every number in a formula is a Decimal, read from its own spelling; a power has a limited exponent."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Pow):
            return node
        return ast.copy_location(ast.Call(ast.Name("_power", ast.Load()), [node.left, node.right], []), node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            raise ValueError(f"not a number in a formula: {node.value!r}")
        call = ast.Call(ast.Name("Decimal", ast.Load()), [ast.Constant(repr(node.value))], [])
        return ast.copy_location(call, node)


@lru_cache(maxsize=1024)
def _compiled(text: str) -> CodeType:
    tree = ast.parse(text, mode="eval")
    _check(tree, text)
    return compile(ast.fix_missing_locations(_Decimals().visit(tree)), f"<formula {text}>", "eval")


def _check(tree: ast.Expression, text: str) -> None:
    called: set[int] = set()
    for node in ast.walk(tree):
        if not isinstance(node, _NODES):
            raise ValueError(f"{type(node).__name__} is not part of the formula language: {text}")
        if isinstance(node, ast.Call):
            called.add(id(node.func))
            if not isinstance(node.func, ast.Name) or node.func.id not in _FUNCTIONS:
                raise ValueError(f"unknown function in formula: {text}")
        if isinstance(node, ast.Name) and node.id in _GLOBALS and id(node) not in called:
            raise ValueError(f"{node.id} is not the name of a value: {text}")


_GLOBALS: dict[str, Any] = {"__builtins__": {}, "Decimal": Decimal, "_power": _power, **_FUNCTIONS}


def evaluate(text: str, inputs: Mapping[str, Any]) -> Decimal:
    """The value of the formula ``text``; inputs are numbers or tuples of numbers.

    Raises ValueError for a text outside the language or a result that is no finite number, NameError for a missing
    input, ZeroDivisionError.
    """
    values = {name: _as_decimal(value) for name, value in inputs.items()}
    result = eval(_compiled(text), _GLOBALS, values)  # noqa: S307 - the tree was checked node by node above
    number = _KEEP.plus(_as_decimal(result))
    if not number.is_finite():
        raise ValueError(f"no finite number: {text} = {number}")
    return number


def _as_decimal(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_as_decimal(part) for part in value)
    return value if isinstance(value, Decimal) else Decimal(value)


class Ledger:
    """Collects the figures of one stage; ``known`` are the figures of earlier stages it may refer to."""

    def __init__(self, known: Iterable[Figure] = ()) -> None:
        self._known: dict[str, Figure] = {figure.id: figure for figure in known}
        self._own: dict[str, Figure] = {}

    def value(self, id: str) -> Value:
        """The value of a figure already written here or in an earlier stage; KeyError if there is none."""
        figure = self._own.get(id) or self._known[id]
        return figure.value

    def number(self, id: str) -> Decimal:
        """As ``value``, for a figure that is a number."""
        return Decimal(self.value(id))  # type: ignore[arg-type]

    def leaf(self, id: str, value: Number, unit: str, source: str, note: str = "") -> Decimal:
        """Write down a value read from ``source``. The same leaf may be written twice; a different value may not."""
        return self._write(Figure(id, value, unit, "leaf", source, note=note))

    def formula(self, id: str, unit: str, text: str, **inputs: str | tuple[str, ...]) -> Decimal:
        """Evaluate ``text`` over figures named by id, write it down, and return its value."""
        values = {name: self._lookup(ref) for name, ref in inputs.items()}
        return self._write(Figure(id, evaluate(text, values), unit, "formula", text=text, inputs=tuple(inputs.items())))

    def rule(
        self, id: str, value: Value, unit: str, rule: str, decided_by: str, **inputs: str | tuple[str, ...]
    ) -> Value:
        """Write down the answer of a search or lookup."""
        self._write(Figure(id, value, unit, "rule", text=rule, inputs=tuple(inputs.items()), decided_by=decided_by))
        return value

    def figures(self) -> tuple[Figure, ...]:
        """What this stage wrote, in order."""
        return tuple(self._own.values())

    def _lookup(self, ref: str | tuple[str, ...]) -> Any:
        return tuple(self.number(part) for part in ref) if isinstance(ref, tuple) else self.number(ref)

    def _write(self, figure: Figure) -> Decimal:
        earlier = self._own.get(figure.id) or self._known.get(figure.id)
        if earlier is not None and earlier.value != figure.value:
            raise ValueError(f"figure {figure.id} has two values: {earlier.value} and {figure.value}")
        if earlier is None:
            self._own[figure.id] = figure
        return figure.value if isinstance(figure.value, Decimal) else _number_or_zero(figure.value)


def _number_or_zero(value: Value) -> Decimal:
    return Decimal(value) if isinstance(value, int) else Decimal(0)
