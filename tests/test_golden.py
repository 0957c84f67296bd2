"""One golden quotation a tier, from the frozen catalogue: what a change does to a whole quotation, line by line.

When a difference is meant:  .venv/bin/python tests/test_golden.py
"""

from __future__ import annotations

import difflib
import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from quoting.catalog import load_catalog
from quoting.forms import read_form
from quoting.quote import make_quote
from quoting.records import Quote
from quoting.rows import Catalog
from quoting.serial import canonical_json

HERE = Path(__file__).resolve().parent
GOLDEN = HERE / "golden"
TIERS = ("entry", "enterprise", "cluster", "xinchuang")
DAY = date(2026, 11, 30)
REFRESH = "if this is meant, run: .venv/bin/python tests/test_golden.py"
MOST_BYTES = 200_000
MOST_LINES = 60


def made(tier: str, catalog: Catalog) -> Quote:
    """The tier's quotation, without what a release changes (the program's name, the number hashed of it) and without
    the figures that only repeat its lines."""
    quote = make_quote(read_form(GOLDEN / f"{tier}.toml", catalog), catalog, DAY)
    figures = {id: figure for id, figure in quote.figures.items() if not id.startswith("price.line.")}
    return replace(quote, number="", program="quoting", figures=figures)


def flat(text: str) -> list[str]:
    """quote.json with each record on a line of its own, after its place, so that differences can be read."""
    lines: list[str] = []
    _write(json.loads(text), "", lines)
    return lines


def _write(value: object, place: str, lines: list[str]) -> None:
    """A table of tables is opened; a table or list of plain values is one line."""
    if isinstance(value, dict) and any(isinstance(part, dict | list) for part in value.values()):
        for key, part in value.items():
            _write(part, f"{place}.{key}" if place else key, lines)
    elif isinstance(value, list) and any(isinstance(part, dict | list) for part in value):
        for number, part in enumerate(value, 1):
            _write(part, f"{place}[{number}]", lines)
    else:
        lines.append(f"{place} = {json.dumps(value, ensure_ascii=False)}")


def differences(golden: str, now: str) -> str:
    """What was and what is, shortened; nothing where they are the same."""
    found = list(difflib.unified_diff(flat(golden), flat(now), "golden", "now", lineterm="", n=0))
    more = [f"… and {len(found) - MOST_LINES} more lines"] if len(found) > MOST_LINES else []
    return "\n".join([*found[:MOST_LINES], *more, *([REFRESH] if found else [])])


@pytest.mark.parametrize("tier", TIERS)
def test_a_quotation_is_what_it_was(tier: str, frozen_catalog: Catalog) -> None:
    golden, now = (GOLDEN / f"{tier}.json").read_text(encoding="utf-8"), canonical_json(made(tier, frozen_catalog))
    if golden != now:
        pytest.fail(differences(golden, now) or REFRESH, pytrace=False)


@pytest.mark.parametrize("tier", TIERS)
def test_a_golden_is_the_quotation_of_its_tier(tier: str) -> None:
    file = GOLDEN / f"{tier}.json"
    quote = json.loads(file.read_text(encoding="utf-8"))
    assert quote["choice"]["chosen"]["tier"] == tier
    assert quote["status"] == "final"
    assert quote["price"]["total"] is not None
    assert file.stat().st_size <= MOST_BYTES


def test_a_difference_is_told_by_its_place(frozen_catalog: Catalog) -> None:
    quote = made("entry", frozen_catalog)
    dearer = replace(quote, price=replace(quote.price, payment="100"))
    told = differences(canonical_json(quote), canonical_json(dearer)).splitlines()
    assert [line for line in told if line.startswith(("-p", "+p"))] == [
        f'-price.payment = "{quote.price.payment}"',
        '+price.payment = "100"',
    ]
    assert told[-1] == REFRESH


def main() -> None:
    catalog = load_catalog(root=HERE / "catalog")
    for tier in TIERS:
        text = canonical_json(made(tier, catalog))
        (GOLDEN / f"{tier}.json").write_text(text, encoding="utf-8", newline="\n")
        print(tier, len(text.encode()) // 1000, "KB")  # noqa: T201


if __name__ == "__main__":
    main()
