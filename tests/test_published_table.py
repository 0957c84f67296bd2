"""The page of published tables is the one the command writes, and what it sums up is enough."""

from __future__ import annotations

from decimal import Decimal

import pytest
from published.rows import Call, Row, mutation_score
from published_table import PAGE, Field, fields, page

FIELDS = fields()


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python tests/published_table.py"


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.title)
def test_nine_rows_of_ten_hold_and_every_miss_has_a_reason(field: Field) -> None:
    scored = [row for row in field.rows if row.scored]
    missed = {row.id for row in scored if not row.holds()}
    assert len(missed) * 10 <= len(scored)
    assert missed == set(field.missed)
    assert mutation_score(scored) >= Decimal("0.95")


def test_a_row_tells_a_wrong_answer_from_a_right_one() -> None:
    def doubled(value: Decimal) -> Decimal:
        return value * 2

    call = Call(function=doubled, inputs={"value": Decimal(5)})
    right = Row(id="right", kind="made up", expected=Decimal(10), op="rel", tolerance=Decimal("0.1"), call=call)
    wide = Row(id="wide", kind="made up", expected=Decimal(10), op="factor", tolerance=Decimal(2), call=call)
    held = Row(
        id="held",
        kind="made up",
        expected=Decimal(10),
        op="factor",
        tolerance=Decimal(2),
        call=call,
        reference=Decimal(10),
    )
    assert all(row.holds() for row in (right, wide, held))
    assert mutation_score([right, held]) == 1
    assert mutation_score([wide]) == 0
