"""Every real requirement that can be scored comes out as what is known of it; the page in docs/ is the one made now."""

from typing import Any

import pytest
from score_cases import PAGE, cases, page, score

from quoting.rows import Catalog


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["form"].removesuffix(".toml"))
def test_the_known_outcome_is_reached(case: dict[str, Any], catalog: Catalog) -> None:
    assert score(case, catalog).missed == ()


def test_the_page_in_docs_is_up_to_date(catalog: Catalog) -> None:
    assert PAGE.read_text(encoding="utf-8") == page([score(case, catalog) for case in cases()])
