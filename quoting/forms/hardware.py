"""[hardware]: what the customer names or owns, found in the catalogue."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from typing import Any, Literal

from quoting.forms import quantities as q
from quoting.forms.cards import Cards, read_cards
from quoting.forms.numbers import scan, spell
from quoting.forms.reader import Notes, Table, nearest
from quoting.forms.text import Wrong, folded, key_of, shown
from quoting.forms.units import Quantity, Reading, read_quantity
from quoting.parts import Accelerator
from quoting.requirement import Hardware
from quoting.rows import Catalog

# An alias that holds a count would swallow the count that a form states.
_TIMES = re.compile(r"[*×]")


def read_hardware(notes: Notes, data: object, keys: tuple[str, ...]) -> Hardware | None:
    """The named hardware, or None when the form names none."""
    table = Table(notes, "hardware", data, keys)
    if not table.data:
        return None
    gpu = table.read("gpu", lambda raw: _gpu(table, raw))
    counted = table.read("cards", lambda raw: _count(notes, raw)) or Cards()
    nodes = table.whole("nodes", q.SERVERS)
    psu = table.read("psu", _psu) or (None, None)
    if psu[0] is not None:
        notes.read_as("hardware.psu", table.raw("psu"), f"{psu[0]} x {psu[1]} W")
    cards, nodes = _counts(table, gpu[1] if gpu else Cards(), counted, nodes)
    ram = table.reading("ram", lambda raw: _summed(raw, q.MEMORY_GB))
    card = _sized(table, gpu[0], _memory(gpu[1], counted)) if gpu else None
    _echo(table, card, cards, nodes)
    return Hardware(
        gpu=card.sku if card else None,
        typed=shown(table.raw("gpu")) if table.given("gpu") else "",
        cards=cards,
        nodes=nodes,
        ram_gb=None if ram is None else int(ram),
        interconnect_gbps=table.reading("interconnect", lambda raw: _summed(raw, q.GBPS)),
        protocol=_protocol(table.raw("interconnect")),
        owned=bool(table.flag("owned")),
        node_power_kw=table.quantity("power", q.NODE_KW),
        psu_count=psu[0],
        psu_w=psu[1],
    )


def _protocol(raw: Any) -> Literal["infiniband", "ethernet", ""]:
    """Which kind of network an answer like "400G IB" or "800G RoCE" names; "" when it names none or both."""
    text = folded(raw) if isinstance(raw, str) else ""
    infiniband = bool(re.search(r"infiniband|(?<![a-z])ib(?![a-z])|ndr|hdr", text))
    ethernet = bool(re.search(r"ethernet|roce|以太", text))
    if infiniband == ethernet:
        return ""
    return "infiniband" if infiniband else "ethernet"


def _sizes(catalog: Catalog) -> tuple[Decimal, ...]:
    return tuple(card.memory_gb for card in catalog.accelerators.values() if card.memory_gb is not None)


def _count(notes: Notes, raw: Any) -> Cards:
    found = read_cards(raw, _sizes(notes.catalog))
    if found.cards is None:
        raise Wrong(f"no count of cards: {shown(raw)}", "8, 80G*8 or 两机16卡")
    return found


def _memory(first: Cards, second: Cards) -> Decimal | None:
    return first.memory_gb if first.memory_gb is not None else second.memory_gb


def _counts(table: Table, named: Cards, counted: Cards, nodes: int | None) -> tuple[int | None, int | None]:
    """Cards in all and servers, from up to three answers; contradictions are asked."""
    named = _whole(named, counted, nodes)
    cards = counted.cards if counted.cards is not None else named.cards
    for code in (*named.asks, *counted.asks):
        table.notes.ask(table.at("cards" if table.given("cards") else "gpu"), code, taken=cards)
    servers = nodes or counted.nodes or named.nodes
    if named.cards is not None and counted.cards is not None and named.cards != counted.cards:
        table.notes.ask(table.at("cards"), "cards_contradict", first=named.cards, second=counted.cards, taken=cards)
    if nodes and cards and nodes > 1 and not (named.nodes or counted.nodes):
        if cards % nodes:
            wrong = Wrong(f"{cards} cards do not divide over {nodes} servers", "cards in all, such as 16 on 2 servers")
            table.notes.wrong(table.at("cards"), wrong)
        elif cards == 8:
            table.notes.ask(table.at("cards"), "cards_total_or_each", taken=cards)
    return cards, servers


def _whole(named: Cards, counted: Cards, nodes: int | None) -> Cards:
    """The count beside a card's name is of one server (8卡A800) when servers are counted elsewhere."""
    servers = nodes or counted.nodes
    if named.cards is None or named.nodes is not None or servers is None:
        return named
    return replace(named, cards=named.cards * servers, nodes=servers)


def _echo(table: Table, card: Accelerator | None, cards: int | None, nodes: int | None) -> None:
    counts = [f"{cards} cards"] if cards is not None else []
    counts += [f"{nodes} nodes"] if nodes is not None else []
    named = [card.name_en] if card else []
    table.notes.read_as(table.at("gpu"), table.raw("gpu"), ", ".join(named if table.given("cards") else named + counts))
    table.notes.read_as(table.at("cards"), table.raw("cards"), ", ".join(counts))


def _gpu(table: Table, raw: Any) -> tuple[tuple[Accelerator, ...], Cards]:
    """The cards that ``raw`` may mean, and the counts that stand in it."""
    if not isinstance(raw, str):
        raise Wrong(f"not a text: {shown(raw)}", 'a card name in quotes, such as "A800 80G"')
    catalog = table.notes.catalog
    mask, candidates = _longest_name(folded(raw), catalog)
    if not candidates:
        names = [name for card in catalog.accelerators.values() for name in (*card.aliases, card.sku)]
        raise Wrong(f"unknown card: {shown(raw)}", "a card of the catalogue", nearest(raw, names))
    return candidates, read_cards(raw, _sizes(catalog), mask)


def card_names(catalog: Catalog) -> dict[str, tuple[Accelerator, ...]]:
    """Every comparable spelling of every card, and the cards it may mean."""
    found: dict[str, list[Accelerator]] = {}
    for card in catalog.accelerators.values():
        typed = (card.sku, card.sku.removeprefix("gpu-"), card.name_en, *card.aliases)
        for name in {key_of(alias) for alias in typed if not _TIMES.search(alias)}:
            found.setdefault(name, []).append(card)
    return {name: tuple(cards) for name, cards in found.items()}


def _longest_name(text: str, catalog: Catalog) -> tuple[str, tuple[Accelerator, ...]]:
    """The longest card name in ``text`` as it stands there, and the cards it may mean."""
    names = card_names(catalog)
    for name in sorted(names, key=lambda name: (-len(name), name)):
        match = re.search(r"(?<![0-9a-z.])" + r"[\s\-_]*".join(map(re.escape, name)) + r"(?![0-9a-z])", text)
        if match:
            return match.group(), names[name]
    return "", ()


def _sized(table: Table, candidates: tuple[Accelerator, ...], memory: Decimal | None) -> Accelerator | None:
    """The one card meant; by stated memory, else the one for sale or the one most servers use, with a question."""
    if memory is not None:
        fitting = tuple(card for card in candidates if card.memory_gb == memory) or _usable(table, candidates, memory)
        if not fitting:
            have = ", ".join(sorted({f"{card.memory_gb}G" for card in candidates}))
            table.notes.wrong(table.at("gpu"), Wrong(f"no such card with {memory}G", f"one of {have}"))
            return None
        candidates = fitting
    if len(candidates) == 1:
        return candidates[0]
    for_sale = [card for card in candidates if card.sale != "owned_only" and card.export != "stopped"]
    taken = for_sale[0] if len(for_sale) == 1 else max(for_sale or candidates, key=lambda card: _servers(table, card))
    others = ", ".join(card.sku for card in candidates if card is not taken)
    table.notes.ask(table.at("gpu"), "card_size", typed=shown(table.raw("gpu")), taken=taken.sku, others=others)
    return taken


def _usable(table: Table, candidates: tuple[Accelerator, ...], memory: Decimal) -> tuple[Accelerator, ...]:
    """Cards of which ``memory`` may be the free part: a 24 GB card with 22 GB free."""
    share = Decimal(table.notes.catalog.rules["form.usable_memory"].values["value"])
    found = tuple(card for card in candidates if card.memory_gb and share * card.memory_gb <= memory < card.memory_gb)
    if found:
        place = table.at("cards" if table.given("cards") else "gpu")
        table.notes.ask(place, "memory_free", stated=memory, taken=found[0].memory_gb)
    return found[:1]


def _servers(table: Table, card: Accelerator) -> int:
    return sum(platform.accelerator == card.sku for platform in table.notes.catalog.platforms.values())


def _summed(raw: Any, kind: Quantity) -> Reading:
    """A quantity that may be a number of equal parts: 1TB or 16x64GB; 400Gb/s or 8x400G."""
    match = re.fullmatch(r"(.*?)(\d{1,2})\s*[x*×]\s*(\d.*)", folded(raw)) if isinstance(raw, str) else None
    if match is None:
        return read_quantity(raw, kind)
    each = read_quantity(f"{match[1]} {match[3]}", kind)
    total = each.value * int(match[2])
    return Reading(total, spell(total, kind.unit), each.asks)


def _psu(raw: Any) -> tuple[int, Decimal]:
    """Power supplies of a server: 4x1000W -> 4 and 1000; 850W -> 1 and 850."""
    expected = "4x1000W"
    if not isinstance(raw, str):
        raise Wrong(f"not power supplies: {shown(raw)}", expected)
    text = re.sub(r"^(.*[w瓦])\s*[x*×]\s*(\d{1,2})$", r"\2x\1", folded(raw))
    match = re.fullmatch(r"(?:(\d{1,2})\s*(?:[x*×]|个|块|台)\s*)?(.+)", text)
    if match is None or len(scan(match.group(2), expected).pieces) != 1:
        raise Wrong(f"not power supplies: {shown(raw)}", expected)
    power = read_quantity(match.group(2), q.PSU_W).value
    count = int(match.group(1) or 1)
    if count == 0:
        raise Wrong(f"not power supplies: {shown(raw)}", expected)
    return count, power
