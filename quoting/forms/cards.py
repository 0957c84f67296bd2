"""Accelerators as people count them: 8卡A800 80G, A100 80G *4, 4*8*80, 64g*8*2, 两机16卡, 2Nodes * 8 A100 80G."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
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
_JOINED = re.compile(rf"{_NODES.pattern}\s*\*|\*\s*{_NODES.pattern}")
_BARE = re.compile(r"(?<![a-z0-9.])(\d+(?:\.\d+)?)(?![a-z0-9.])")
_USUAL = (8, 16)
_MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class Cards:
    """What a spelling of cards says: memory of a card, cards in all, servers, codes of questions; None: not said."""

    memory_gb: Decimal | None = None
    cards: int | None = None
    nodes: int | None = None
    asks: tuple[str, ...] = ()


@dataclass(slots=True)
class _Tokens:
    """The numbers of a spelling by what stands beside them."""

    memories: list[Decimal]
    nodes: list[Decimal]
    cards: list[Decimal]
    bare: list[Decimal]
    times: bool  # some numbers are multiplied
    each: bool  # the cards are those of one server
    servers_first: bool  # 两台4卡, not 4卡两台


def read_cards(raw: object, sizes: Iterable[Decimal], mask: str = "") -> Cards:
    """Counts in ``raw``; ``sizes`` are the memory sizes that exist; ``mask`` is the text of a known card name.

    Raises Wrong for impossible counts, racks or systems instead of cards, or two readings with nothing to choose by.
    """
    if isinstance(raw, int) and not isinstance(raw, bool):
        return Cards(cards=_count(raw, raw))
    if not isinstance(raw, str):
        raise Wrong(f"not a number of cards: {shown(raw)}", _EXAMPLE)
    text = folded(raw)
    if re.search(r"(?<![\w)])[-−]\s*\d", text):
        raise Wrong(f"negative: {shown(raw)}", _EXAMPLE)
    if re.search(r"\d\s*[套柜]", text):
        raise Wrong(f"套 and 柜 are no count of cards: {shown(raw)}", _EXAMPLE)
    return _counted(_tokens(text.replace(mask, " ", 1) if mask else text), tuple(sizes), raw)


def _tokens(text: str) -> _Tokens:
    rest = re.sub(r"(?<=[\dg卡张台机])\s*[x×*]\s*|\s*[x×*]\s*(?=\d)", " * ", text)
    each = bool(_SINGLE.search(rest) or _JOINED.search(rest))
    rest, memories = _take(_MEMORY, rest)
    one_server, rest = _ONE_SERVER.search(rest), _DOUBLE.sub("2台 ", _SINGLE.sub(" ", rest))
    first_server, first_card = _NODES.search(rest), _CARDS.search(rest)
    servers_first = bool(first_server and first_card and first_server.start() < first_card.start())
    rest, nodes = _take(_NODES, rest)
    rest, cards = _take(_CARDS, rest)
    nodes = nodes or ([Decimal(1)] if one_server else [])
    bare = [Decimal(number) for number in _BARE.findall(rest)]
    return _Tokens(memories, nodes, cards, bare, "*" in rest, each, servers_first)


def _take(pattern: re.Pattern[str], text: str) -> tuple[str, list[Decimal]]:
    found = [_value(match.group(1)) for match in pattern.finditer(text)]
    return pattern.sub(" ", text), found


def _value(number: str) -> Decimal:
    return Decimal(number) if number[0].isdigit() else chinese_number(number)


def _counted(found: _Tokens, sizes: tuple[Decimal, ...], raw: object) -> Cards:
    asks: tuple[str, ...] = ()
    if len(found.memories) > 1 and not found.cards and not found.bare:
        found.cards = [Decimal(len(found.memories))]
        asks = ("memory_differs",) if len(set(found.memories)) > 1 else ()
    memory = max(found.memories) if found.memories else None
    if memory is None and len(found.bare) >= 2:
        memory, found.bare = _memory_among(found.bare, sizes, raw)
    if found.cards and found.times and len(found.bare) == 1 and not found.nodes:
        found.nodes, found.bare, found.each = found.bare, [], True
    if len(found.nodes) > 1 or len(found.cards) > 1:
        raise Wrong(f"several counts: {shown(raw)}", _EXAMPLE)
    most_bare = 0 if found.cards else 1 if found.nodes or not found.times else 2
    if len(found.bare) > most_bare:
        raise Wrong(f"more than one reading: {shown(raw)}", _EXAMPLE)
    return _with_servers(found, memory, asks, raw)


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


def _with_servers(found: _Tokens, memory: Decimal | None, asks: tuple[str, ...], raw: object) -> Cards:
    node = _count(found.nodes[0], raw) if found.nodes else None
    counts = [_count(number, raw) for number in found.cards or found.bare]
    if len(counts) == 2:
        return _multiplied(counts, memory, asks, raw)
    if not counts or node is None or node == 1:
        return Cards(memory, counts[0] if counts else None, node, asks)
    card = counts[0]
    if found.each or card == _USUAL[0] or card < node:
        return Cards(memory, _count(card * node, raw), node, asks)
    if card == node * _USUAL[0]:
        return Cards(memory, card, node, asks)
    total = _count(card * node, raw) if found.servers_first or card % node else card
    return Cards(memory, total, node, (*asks, "cards_total_or_each"))


def _multiplied(counts: list[int], memory: Decimal | None, asks: tuple[str, ...], raw: object) -> Cards:
    """Two bare counts: the one that is usual in a server is the cards of each; two such leave a question."""
    per_node = {count for count in counts if count in _USUAL}
    total = _count(prod(counts), raw)
    if len(per_node) == 1:
        return Cards(memory, total, total // per_node.pop(), asks)
    return Cards(memory, total, None, (*asks, "cards_order"))


def _count(number: int | Decimal, raw: object) -> int:
    value = Decimal(number)
    if value != value.to_integral_value() or not 1 <= value <= _MOST:
        raise Wrong(f"not a count: {shown(raw)}", f"1 to {_MOST:,}, such as {_EXAMPLE}")
    return int(value)
