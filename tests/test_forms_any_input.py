"""Whatever stands in a form, reading it gives a requirement or mistakes, and nothing else."""

from __future__ import annotations

import copy
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from forms_catalog import catalog
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from quoting.errors import Mistakes
from quoting.forms import parse_form, read_form
from quoting.forms.fields import keys_by_table
from quoting.requirement import Requirement

QUIET = settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck), derandomize=True)
BASE = tomllib.loads(
    '[customer]\nname = "甲"\n[[workload]]\nmodel = "Qwen2.5-7B"\ntask = "lora"\n[[line]]\naction = "note"\n'
    'sku = "svc-training"\nreason = "x"\n'
)
FIELDS = [(table, key) for table, keys in keys_by_table().items() if table for key in keys]
BITS = [
    "8",
    "16",
    "80",
    "1e9",
    "0.5",
    "70",
    "1,000",
    "卡",
    "张",
    "块",
    "台",
    "机",
    "套",
    "g",
    "gb",
    "kw",
    "kva",
    "w",
    "a",
    "v",
    "mm",
    "cm",
    "m",
    "kg",
    "m2",
    "/",
    "*",
    "x",
    "×",
    "-",
    "~",
    "至",
    "(",
    ")",
    "万",
    "亿",
    "千",
    "百",
    "十",
    "两",
    "半",
    "一",
    "三",
    "相",
    "单",
    "双",
    "路",
    "天",
    "周",
    "月",
    "年",
    "元",
    "折",
    "%",
    "b",
    "t",
    "k",
    "h210",
    "w99",
    "a100",
    "h20",
    "4090",
    "910b",
    "不超过",
    "以内",
    "约",
    "含税",
    "不含税",
    "usd",
    "￥",
    "７",
    "㎡",
    ".",
    ",",
    ";",
    "、",
    "nan",
    "inf",
]
BITS += ["\u202e", "\x00", "\n"]
PIECES = st.lists(st.sampled_from(BITS), max_size=8).map("".join) | st.lists(st.sampled_from(BITS), max_size=6).map(
    " ".join
)
SCALARS = (
    st.text(max_size=40)
    | PIECES
    | st.integers()
    | st.booleans()
    | st.none()
    | st.decimals(allow_nan=True)
    | st.dates()
    | st.datetimes()
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def outcome(data: Any) -> Requirement | Mistakes:
    try:
        return parse_form(data, catalog(), "form.toml")
    except Mistakes as mistakes:
        return mistakes


@QUIET
@given(st.sampled_from(FIELDS), ANYTHING)
@example(("site", "lift"), "w99")
@example(("hardware", "gpu"), "4090*")
def test_any_answer_gives_a_requirement_or_mistakes(field: tuple[str, str], answer: Any) -> None:
    data: dict[str, Any] = copy.deepcopy(BASE)
    table, key = field
    target = data.setdefault(table, {})
    (target[0] if isinstance(target, list) else target)[key] = answer
    found = outcome(data)
    assert isinstance(found, Requirement) or all(mistake.place and mistake.problem for mistake in found.mistakes)


@QUIET
@given(
    st.sampled_from([field for field in FIELDS if field[0] in ("workload", "site", "hardware", "commercial")]), PIECES
)
def test_any_heap_of_units_gives_a_requirement_or_mistakes(field: tuple[str, str], answer: str) -> None:
    data: dict[str, Any] = copy.deepcopy(BASE)
    target = data.setdefault(field[0], {})
    (target[0] if isinstance(target, list) else target)[field[1]] = answer
    found = outcome(data)
    assert isinstance(found, Requirement) or len(str(found)) < 2000


@QUIET
@given(st.dictionaries(st.sampled_from([*keys_by_table()[""], "x"]), ANYTHING, max_size=4))
def test_any_form_gives_a_requirement_or_mistakes(data: dict[str, Any]) -> None:
    assert isinstance(outcome(data), Requirement | Mistakes)


@QUIET
@given(st.binary(max_size=300) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_file_gives_mistakes(tmp_path_factory: Any, content: bytes) -> None:
    folder: Path = tmp_path_factory.getbasetemp()
    for name in ("any.toml", "any.json"):
        path = folder / name
        path.write_bytes(content)
        with pytest.raises(Mistakes) as caught:
            read_form(path, catalog())
        assert caught.value.mistakes


@QUIET
@given(st.integers(1, 10**9), st.sampled_from(["{}", "{:,}", "约{}", "{}元以内", "￥{:,}.00"]))
def test_yuan_keep_their_amount_in_every_spelling(yuan: int, spelling: str) -> None:
    typed = spelling.format(yuan)
    data = copy.deepcopy(BASE) | {
        "commercial": {"budget": typed if "{}元" in spelling or "￥" in spelling else typed + "元"}
    }
    found = outcome(data)
    assert isinstance(found, Requirement)
    assert found.commercial.budget == Decimal(yuan)


@QUIET
@given(st.integers(1, 99_999_999))
def test_full_width_digits_are_digits(number: int) -> None:
    wide = str(number).translate(str.maketrans("0123456789", "０１２３４５６７８９"))
    found = outcome(copy.deepcopy(BASE) | {"commercial": {"budget": f"{wide}元"}})
    assert isinstance(found, Requirement)
    assert found.commercial.budget == Decimal(number)


@QUIET
@given(st.integers(1, 99_999_999))
def test_chinese_numerals_keep_their_value(number: int) -> None:
    import cn2an

    from quoting.forms.numbers import chinese_number

    assert chinese_number(cn2an.an2cn(number)) == number
    assert chinese_number(cn2an.an2cn(number, "up")) == number
