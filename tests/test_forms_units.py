"""Every spelling of a quantity is read right or refused with a reason: tests/forms/*.toml."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from forms_catalog import CARDS, catalog

from quoting.forms import parse_form
from quoting.forms import quantities as q
from quoting.forms.cards import read_cards
from quoting.forms.money import read_discount, read_money, read_price, read_share
from quoting.forms.text import Wrong
from quoting.forms.units import read_quantity

HERE = Path(__file__).parent / "forms"
SPELLINGS = tomllib.loads((HERE / "spellings.toml").read_text())
MONEY = tomllib.loads((HERE / "money.toml").read_text())
CARD_SPELLINGS = tomllib.loads((HERE / "cards.toml").read_text())
KINDS = {
    "params": q.PARAMS,
    "tokens": q.TOKENS,
    "samples": q.SAMPLES,
    "context": q.CONTEXT,
    "duration": q.DURATION,
    "power": q.POWER_KW,
    "kva": q.KVA,
    "floor": q.FLOOR,
    "cooling": q.ROOM_KW,
    "minutes": q.MINUTES,
    "memory": q.MEMORY_GB,
    "gbps": q.GBPS,
    "speed": q.SPEED,
    "latency": q.LATENCY,
    "count": q.COUNT,
    "electricity": q.ELECTRICITY,
    "celsius": q.CELSIUS,
}
NUMBERS = {"discount": lambda raw: read_discount(raw, Decimal("0.5")), "share": read_share, "price": read_price}


def flat(tables: dict[str, Any], name: str) -> list[Any]:
    return [(key, *row) for key, table in tables.items() if isinstance(table, dict) for row in table[name]]


@pytest.mark.parametrize("row", flat(SPELLINGS, "read"), ids=str)
def test_quantity_is_read(row: Any) -> None:
    kind, typed, value, *asks = row
    found = read_quantity(typed, KINDS[kind])
    assert round(found.value, 9) == Decimal(value)
    assert [code for code, _ in found.asks] == asks


@pytest.mark.parametrize("row", flat(SPELLINGS, "wrong"), ids=str)
def test_quantity_is_refused_with_a_reason(row: Any) -> None:
    kind, typed, problem = row
    with pytest.raises(Wrong) as caught:
        read_quantity(typed, KINDS[kind])
    assert problem in caught.value.problem


@pytest.mark.parametrize("row", MONEY["read"], ids=str)
def test_money_is_read(row: Any) -> None:
    typed, yuan, *tax = row
    found = read_money(typed, catalog())
    assert (found.yuan, found.tax_included) == (Decimal(yuan), tax[0] if tax else None)


@pytest.mark.parametrize("row", MONEY["wrong"], ids=str)
def test_money_is_refused_with_a_reason(row: Any) -> None:
    with pytest.raises(Wrong) as caught:
        read_money(row[0], catalog())
    assert row[1] in caught.value.problem


@pytest.mark.parametrize("row", flat(MONEY, "read"), ids=str)
def test_share_discount_or_price_is_read(row: Any) -> None:
    assert NUMBERS[row[0]](row[1]) == Decimal(row[2])


@pytest.mark.parametrize("row", flat(MONEY, "wrong"), ids=str)
def test_share_discount_or_price_is_refused(row: Any) -> None:
    with pytest.raises(Wrong) as caught:
        NUMBERS[row[0]](row[1])
    assert row[2] in caught.value.problem


@pytest.mark.parametrize(
    "raw", [True, False, Decimal("NaN"), Decimal("Infinity"), Decimal("1e999"), -1, 10**400, None, []]
)
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_impossible_number_is_refused(raw: Any, kind: q.Quantity) -> None:
    with pytest.raises(Wrong):
        read_quantity(raw, kind)


@pytest.mark.parametrize("row", CARD_SPELLINGS["counts"]["read"], ids=str)
def test_cards_are_counted(row: Any) -> None:
    typed, cards, nodes, *asks = row
    found = read_cards(typed, [card.memory_gb for card in CARDS if card.memory_gb])
    assert (found.cards, found.nodes or 0, list(found.asks)) == (cards, nodes, asks)


@pytest.mark.parametrize("row", CARD_SPELLINGS["counts"]["wrong"], ids=str)
def test_count_of_cards_is_refused(row: Any) -> None:
    with pytest.raises(Wrong) as caught:
        read_cards(row[0], [card.memory_gb for card in CARDS if card.memory_gb])
    assert row[1] in caught.value.problem


def form(gpu: str) -> dict[str, Any]:
    return {
        "customer": {"name": "示例制造有限公司"},
        "workload": [{"model": "Qwen2.5-7B", "task": "inference"}],
        "hardware": {"gpu": gpu},
        "commercial": {"budget": "60万"},
    }


@pytest.mark.parametrize("row", [row for row in CARD_SPELLINGS["read"] if row[1]], ids=str)
def test_named_card_is_found_with_its_count(row: Any) -> None:
    typed, sku, cards, nodes, *asks = row
    found = parse_form(form(typed), catalog(), "form.toml")
    assert found.hardware is not None
    assert (found.hardware.gpu, found.hardware.cards or 0, found.hardware.nodes or 0) == (sku, cards, nodes)
    assert [ask.code for ask in found.asks] == asks


@pytest.mark.parametrize("row", CARD_SPELLINGS["wrong"], ids=str)
def test_unknown_card_or_count_is_a_mistake(row: Any) -> None:
    from quoting.errors import Mistakes

    with pytest.raises(Mistakes) as caught:
        parse_form(form(row[0]), catalog(), "form.toml")
    assert row[1] in str(caught.value)
