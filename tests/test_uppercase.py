"""人民币大写, with the published spellings, and a second opinion from cn2an where it is right."""

from decimal import Decimal

import cn2an
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoting.stages.price.uppercase import uppercase

SPELLINGS = [
    ("10", "壹拾元整"),
    ("0.05", "伍分"),
    ("0.50", "伍角"),
    ("0", "零元整"),
    ("1.05", "壹元零伍分"),
    ("1000050.30", "壹佰万零伍拾元叁角"),
    ("1680.32", "壹仟陆佰捌拾元叁角贰分"),
    ("100001000", "壹亿零壹仟元整"),
    ("100010000", "壹亿零壹万元整"),
    ("10010", "壹万零壹拾元整"),
    ("110.10", "壹佰壹拾元壹角"),
    ("1000000.05", "壹佰万元零伍分"),
    ("1409.50", "壹仟肆佰零玖元伍角"),
    ("6007.14", "陆仟零柒元壹角肆分"),
    # A zero in the ten-thousands alone may be written or left out; we leave it out, as cn2an does.
    ("107000.53", "壹拾万柒仟元伍角叁分"),
    ("120000000000000", "壹佰贰拾万亿元整"),
]

_DIGITS = {digit: value for value, digit in enumerate("零壹贰叁肆伍陆柒捌玖")}
_UNITS = {"拾": 10, "佰": 100, "仟": 1000}


def read_back(text: str) -> Decimal:
    """The amount a 大写 says, read by the grammar alone and not by the code under test."""
    total, section, digit, cents = 0, 0, 0, 0
    for sign in text.removeprefix("人民币").removesuffix("整"):
        if sign in _DIGITS:
            digit = _DIGITS[sign]
        elif sign in _UNITS:
            section, digit = section + digit * _UNITS[sign], 0
        elif sign == "万":
            total, section, digit = total + (section + digit) * 10**4, 0, 0
        elif sign == "亿":
            total, section, digit = (total + section + digit) * 10**8, 0, 0
        elif sign == "元":
            total, section, digit = total + section + digit, 0, 0
        else:
            cents, digit = cents + digit * (10 if sign == "角" else 1), 0
    return Decimal(total) + Decimal(cents) / 100


@pytest.mark.parametrize(("amount", "text"), SPELLINGS)
def test_published_spellings(amount: str, text: str) -> None:
    assert uppercase(Decimal(amount)) == "人民币" + text


@given(st.integers(min_value=0, max_value=10**13))
def test_says_the_amount_and_never_two_zeros_in_a_row(fen: int) -> None:
    text = uppercase(Decimal(fen) / 100)
    assert read_back(text) == Decimal(fen) / 100
    assert "零零" not in text
    assert "零元" not in text or fen == 0
    assert text.endswith(("整", "角", "分"))


@given(st.integers(min_value=1, max_value=9_999_999))
def test_agrees_with_cn2an_below_ten_million_yuan(yuan: int) -> None:
    assert uppercase(Decimal(yuan)) == "人民币" + cn2an.an2cn(str(yuan), "rmb")


@pytest.mark.parametrize("amount", ["-1", "0.001", "10000000000000000"])
def test_refuses_what_no_contract_holds(amount: str) -> None:
    with pytest.raises(ValueError, match="大写"):
        uppercase(Decimal(amount))
