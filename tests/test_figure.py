"""The formula language computes as Decimal does, and knows nothing else."""

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Context, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoting.figure import Figure, Ledger, evaluate, round_fen

NUMBERS = st.decimals(-10_000_000, 10_000_000, allow_nan=False, allow_infinity=False, places=4)
POSITIVE = st.decimals("0.0001", 1_000_000, allow_nan=False, allow_infinity=False, places=4)
KEEP = Context(prec=15)


@given(NUMBERS, NUMBERS, POSITIVE)
def test_arithmetic_is_decimal_arithmetic_kept_to_fifteen_digits(a: Decimal, b: Decimal, c: Decimal) -> None:
    assert evaluate("(a + b) * 3 - -a / c", {"a": a, "b": b, "c": c}) == KEEP.plus((a + b) * 3 + a / c)


@given(NUMBERS)
def test_ceil_and_floor_are_the_whole_numbers_around(a: Decimal) -> None:
    assert evaluate("ceil(a)", {"a": a}) == a.to_integral_value(ROUND_CEILING)
    assert evaluate("floor(a)", {"a": a}) == a.to_integral_value(ROUND_FLOOR)


@given(st.lists(NUMBERS, min_size=1, max_size=8), NUMBERS)
def test_sum_min_and_max_take_lists_and_single_numbers(many: list[Decimal], one: Decimal) -> None:
    values = {"many": tuple(many), "one": one}
    assert evaluate("sum(many, one)", values) == KEEP.plus(sum(many, one))
    assert evaluate("max(many)", values) == KEEP.plus(max(many))
    assert evaluate("min(one, 0)", values) == KEEP.plus(min(one, Decimal(0)))


@given(POSITIVE, st.integers(0, 4))
def test_powers_with_small_exponents(base: Decimal, exponent: int) -> None:
    assert evaluate("base ** n", {"base": base, "n": exponent}) == KEEP.plus(base**exponent)


@given(NUMBERS)
def test_fen_are_rounded_half_up(amount: Decimal) -> None:
    expected = amount.quantize(Decimal("0.01"), ROUND_HALF_UP)
    assert evaluate("round_fen(a)", {"a": amount}) == expected == round_fen(amount)


def test_a_number_in_a_formula_is_read_from_its_spelling() -> None:
    assert evaluate("0.1 + 0.2", {}) == Decimal("0.3")
    assert evaluate("a * 1e9", {"a": 2}) == Decimal("2000000000")


@pytest.mark.parametrize(
    "text",
    [
        "a.real",
        "a.__class__",
        "a[0]",
        "(lambda: a)()",
        "lambda: a",
        "[a for a in a]",
        "[a]",
        "(a, a)",
        "{a}",
        "a if a else a",
        "a and a",
        "a < a",
        "a // 2",
        "a % 2",
        "a << 2",
        "not a",
        "'a'",
        "f'{a}'",
        "True",
        "None",
        "1j",
        "...",
        "open(a)",
        "eval(a)",
        "__import__(a)",
        "print(a)",
        "float(a)",
        "a(a)",
        "max(a)(a)",
        "max(*a)",
        "max(a, key=a)",
        "(b := a)",
        "Decimal(a)",
        "Decimal",
        "_power(a, a)",
        "ceil",
        "max + a",
        "__builtins__",
        "await a",
    ],
)
def test_everything_outside_the_language_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"formula|number|name of a value"):
        evaluate(text, {"a": Decimal(1)})


@pytest.mark.parametrize("text", ["a = 1", "import os", "a; a", "a +", ""])
def test_what_is_no_expression_is_refused(text: str) -> None:
    with pytest.raises(SyntaxError):
        evaluate(text, {"a": Decimal(1)})


@pytest.mark.parametrize("name", ["open", "eval", "exec", "__import__", "print", "globals", "str"])
def test_names_of_builtins_are_unknown_names(name: str) -> None:
    with pytest.raises(NameError):
        evaluate(name, {})


@pytest.mark.parametrize("text", ["9 ** 9 ** 9", "a ** 65", "a ** -65", "2 ** (64 + 1)"])
def test_huge_powers_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="exponent"):
        evaluate(text, {"a": Decimal(2)})


@pytest.mark.parametrize("value", [Decimal("NaN"), Decimal("Infinity"), Decimal("-Infinity")])
def test_a_result_that_is_no_finite_number_is_refused(value: Decimal) -> None:
    with pytest.raises(ValueError, match="finite"):
        evaluate("a + 1", {"a": value})


def test_an_overflowing_literal_is_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        evaluate("1e999", {})


def test_division_by_zero_is_an_error_not_a_number() -> None:
    with pytest.raises(ZeroDivisionError):
        evaluate("1 / a", {"a": Decimal(0)})


def test_a_ledger_writes_the_text_it_evaluated_with_the_ids_it_used() -> None:
    ledger = Ledger()
    ledger.leaf("form.params_b", Decimal(7), "B", "form:workload[1].params")
    ledger.leaf("rule.sizing.full.bytes", 20, "B/param", "sizing-note")
    total = ledger.formula("demand.w1.memory_gb", "GB", "p * b", p="form.params_b", b="rule.sizing.full.bytes")
    assert total == 140
    written = ledger.figures()[-1]
    assert (written.text, written.inputs) == ("p * b", (("p", "form.params_b"), ("b", "rule.sizing.full.bytes")))
    assert evaluate(written.text, {name: ledger.number(str(ref)) for name, ref in written.inputs}) == written.value


def test_a_ledger_sees_earlier_figures_but_hands_on_only_its_own() -> None:
    earlier = Figure("a", Decimal(2), "", "leaf", "x")
    ledger = Ledger([earlier])
    assert ledger.formula("b", "", "a * 2", a="a") == 4
    assert [figure.id for figure in ledger.figures()] == ["b"]


def test_a_figure_has_one_value() -> None:
    ledger = Ledger()
    ledger.leaf("a", 1, "", "x")
    ledger.leaf("a", 1, "", "x")
    with pytest.raises(ValueError, match="two values"):
        ledger.leaf("a", 2, "", "x")
    assert len(ledger.figures()) == 1


def test_a_formula_needs_every_figure_it_names() -> None:
    with pytest.raises(KeyError):
        Ledger().formula("b", "", "a * 2", a="nowhere")


def test_a_rule_says_what_decided() -> None:
    ledger = Ledger()
    assert ledger.rule("site.racks", 3, "rack", "packing", "rack_power") == 3
    assert (ledger.figures()[0].kind, ledger.figures()[0].decided_by) == ("rule", "rack_power")
