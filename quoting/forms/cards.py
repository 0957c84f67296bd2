"""Accelerators as people count them: 8卡A800 80G, A100 80G *4, 4*8*80, 64g*8*2, 两机16卡, 2Nodes * 8 A100 80G."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from math import prod

from quoting.forms.numbers import chinese_number
from quoting.forms.text import Wrong, folded, shown

_EXAMPLE = "8卡, 80G*8 or 2Nodes * 8 A100 80G"
_NUMBER = r"(\d+(?:\.\d+)?|[一二两三四五六七八九十百]+)"
_MEMORY = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)\s*(?:g|gb|gib)(?:\s*(?:显存|memory|vram|hbm\d*e?))?(?![a-z0-9/])")
_NODES = re.compile(_NUMBER + r"\s*(?:台|机(?!架|柜)|个?节点|nodes?|servers?|machines?)")
_CARDS = re.compile(_NUMBER + r"\s*(?:张卡|块卡|颗卡|张|块|颗|片|卡|路gpu|gpus?|cards?|pcs)")
_SINGLE = re.compile(r"单机|单台|每台|每机|每节点|单节点|per node|each node|/台|/节点")
_ONE_SERVER = re.compile(r"单机|单台|单节点")
_DOUBLE = re.compile(r"双机")
_TIMES = re.compile(r"[*x×]")
_BARE = re.compile(r"(?<![a-z0-9.])(\d+(?:\.\d+)?)(?![a-z0-9.])")
_USUAL = (8, 16)
_MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class Cards:
    """What a spelling of cards says: the name left over, memory of a card, cards in all, servers; None: not said."""

    name: str
    memory_gb: Decimal | None = None
    cards: int | None = None
    nodes: int | None = None
    asks: tuple[str, ...] = ()


def read_cards(raw: object, sizes: Iterable[Decimal], mask: str = "") -> Cards:
    """Counts in ``raw``; ``sizes`` are the memory sizes that exist; ``mask`` is the text of a known card name.

    Raises Wrong for impossible counts, racks or systems instead of cards, or two readings with nothing to choose by.
    """
    if isinstance(raw, int) and not isinstance(raw, bool):
        return Cards("", cards=_count(raw, raw))
    if not isinstance(raw, str):
        raise Wrong(f"not a number of cards: {shown(raw)}", _EXAMPLE)
    text = folded(raw)
    if re.search(r"(?<![\w)])[-−]\s*\d", text):
        raise Wrong(f"negative: {shown(raw)}", _EXAMPLE)
    if re.search(r"\d\s*[套柜]", text):
        raise Wrong(f"套 and 柜 are no count of cards: {shown(raw)}", _EXAMPLE)
    rest = text.replace(mask, " ", 1) if mask else text
    rest = re.sub(r"(?<=[\dg卡])\s*[x×*]\s*|\s*[x×*]\s*(?=\d)", " * ", rest)
    product = bool(_TIMES.search(rest))
    rest, memories = _take(_MEMORY, rest)
    each = bool(_SINGLE.search(rest))
    rest, nodes = _take(_NODES, _DOUBLE.sub("2台 ", _SINGLE.sub(" ", rest)))
    nodes = nodes or ([Decimal(1)] if _ONE_SERVER.search(text) else [])
    rest, cards = _take(_CARDS, rest)
    bare = [Decimal(number) for number in _BARE.findall(rest)]
    name = re.sub(r"\s+", " ", re.sub(r"[*x×,，、的()（）+]", " ", _BARE.sub(" ", rest))).strip()
    found = _counted(memories, nodes, cards, bare, tuple(sizes), product or each, raw)
    return replace(found, name=name)


def _take(pattern: re.Pattern[str], text: str) -> tuple[str, list[Decimal]]:
    found = [_value(match.group(1)) for match in pattern.finditer(text)]
    return pattern.sub(" ", text), found


def _value(number: str) -> Decimal:
    return Decimal(number) if number[0].isdigit() else chinese_number(number)


def _counted(
    memories: list[Decimal],
    nodes: list[Decimal],
    cards: list[Decimal],
    bare: list[Decimal],
    sizes: tuple[Decimal, ...],
    product: bool,
    raw: object,
) -> Cards:
    asks: list[str] = []
    if len(memories) > 1 and not cards and not bare:
        cards = [Decimal(len(memories))]
        asks = ["memory_differs"] if len(set(memories)) > 1 else []
    memory = max(memories) if memories else None
    if memory is None and len(bare) >= 2:
        memory, bare = _memory_among(bare, sizes, raw)
    if len(nodes) > 1 or len(cards) > 1:
        raise Wrong(f"several counts: {shown(raw)}", _EXAMPLE)
    if bare and cards:
        nodes, bare = nodes or bare[:1], bare[1:]
    if len(bare) > 2 or (nodes and len(bare) > 1):
        raise Wrong(f"more than one reading: {shown(raw)}", _EXAMPLE)
    node = _count(nodes[0], raw) if nodes else None
    if cards or (bare and node is not None):
        card = _count((cards or bare)[0], raw)
        return _placed(card, node, product, memory, asks)
    return _unnamed(bare, node, memory, asks, raw)


def _memory_among(bare: list[Decimal], sizes: tuple[Decimal, ...], raw: object) -> tuple[Decimal | None, list[Decimal]]:
    """The one bare number that is a memory size, and the rest: 4*8*80 -> 80 and 4, 8."""
    likely = [number for number in bare if number in sizes and number > max(_USUAL)]
    if len(set(likely)) > 1:
        raise Wrong(f"more than one reading: {shown(raw)}", _EXAMPLE)
    if not likely:
        return None, bare
    rest = list(bare)
    rest.remove(likely[0])
    return likely[0], rest


def _placed(card: int, node: int | None, product: bool, memory: Decimal | None, asks: list[str]) -> Cards:
    if node is None or node == 1:
        return Cards("", memory, card, node, tuple(asks))
    if product or card in _USUAL[:1] or card < node:
        return Cards("", memory, card * node, node, tuple(asks))
    if card != node * _USUAL[0]:
        asks = [*asks, "cards_total_or_each"]
    return Cards("", memory, card, node, tuple(asks))


def _unnamed(bare: list[Decimal], node: int | None, memory: Decimal | None, asks: list[str], raw: object) -> Cards:
    counts = [_count(number, raw) for number in bare]
    if len(counts) < 2:
        return Cards("", memory, counts[0] if counts else None, node, tuple(asks))
    per_node = [count for count in counts if count in _USUAL]
    total = _count(prod(counts), raw)
    if len(set(per_node)) == 1:
        return Cards("", memory, total, total // per_node[0], tuple(asks))
    return Cards("", memory, total, None, (*asks, "cards_order"))


def _count(number: int | Decimal, raw: object) -> int:
    value = Decimal(number)
    if value != value.to_integral_value() or not 1 <= value <= _MOST:
        raise Wrong(f"not a count: {shown(raw)}", f"1 to {_MOST:,}, such as {_EXAMPLE}")
    return int(value)
