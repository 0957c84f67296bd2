"""One record, one text: the canonical JSON that quotes are hashed and kept as."""

import json
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoting.figure import Figure
from quoting.forms import read_form
from quoting.quote import make_quote
from quoting.records import CatalogStamp, Check, Item
from quoting.rows import Catalog
from quoting.serial import canonical_json, json_line, to_jsonable

ROOT = Path(__file__).resolve().parent.parent

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(min_value=-(2**63), max_value=2**63 - 1)
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.decimals(allow_nan=False, allow_infinity=False)
    | st.dates(),
    lambda inner: (
        st.lists(inner).map(tuple) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner)
    ),
    max_leaves=12,
)


def test_decimals_are_plain_strings_with_the_zeros_they_have() -> None:
    assert to_jsonable((Decimal("1E+3"), Decimal("12.50"), Decimal("1E-7"))) == ["1000", "12.50", "0.0000001"]


def test_keys_stand_in_record_order() -> None:
    item = Item(sku="rack-42u", quantity=2, group="rack", why="rack.count")
    assert list(json.loads(canonical_json(item))) == list(Item.__dataclass_fields__)


def test_dates_counts_and_unknowns() -> None:
    stamp = CatalogStamp(version="2026.11", digest="ab", prices_as_of=date(2026, 11, 30))
    assert to_jsonable(stamp) == {"version": "2026.11", "digest": "ab", "prices_as_of": "2026-11-30"}
    assert '"margin": null' in canonical_json(Check(id="rack_power", status="unknown"))


def test_chinese_is_written_as_itself_and_lines_end_in_lf() -> None:
    text = canonical_json(Figure("a", "单柜功率", "kW", "leaf"))
    assert "单柜功率" in text
    assert text.endswith("}\n")
    assert "\r" not in text


@given(VALUES)
def test_canonical_text_is_the_indented_json_of_the_record(value: object) -> None:
    expected = json.dumps(to_jsonable(value), ensure_ascii=False, indent=2) + "\n"
    assert canonical_json(value) == expected


@given(VALUES)
def test_one_line_and_indented_text_say_the_same(value: object) -> None:
    line = json_line(value)
    assert "\n" not in line
    assert json.loads(line) == json.loads(canonical_json(value))


@pytest.mark.parametrize("value", [{1, 2}, object(), (1 + 2j)])
def test_strange_objects_are_refused(value: object) -> None:
    with pytest.raises(TypeError):
        to_jsonable(value)
    with pytest.raises(TypeError):
        canonical_json(value)


@pytest.mark.parametrize("form", sorted((ROOT / "examples").glob("*.toml")), ids=lambda path: path.stem)
def test_no_quotation_holds_a_float(form: Path, catalog: Catalog, day: date) -> None:
    text = canonical_json(make_quote(read_form(form, catalog), catalog, day))

    def refuse(number: str) -> None:
        raise AssertionError(f"a float in quote.json: {number}")

    assert json.loads(text, parse_float=refuse)["schema"] == 1
