"""The room's remedies as a customer may read them, and whose the cabinets are."""

from __future__ import annotations

from collections.abc import Iterator

from quoting.documents.customer import RemedyRow
from quoting.documents.view_plan import part_name
from quoting.documents.words import Words
from quoting.records import Item, Quote, Remedy
from quoting.rows import Catalog


def one_text(words: Words, *sentences: str) -> str:
    """Sentences one after the other, as the language sets them."""
    return words.say("proposal.sentence_join").join(sentences)


def remedies(quote: Quote, words: Words, catalog: Catalog) -> tuple[RemedyRow, ...]:
    """What would cure the failed checks, with what it holds and its price; those not taken are numbered."""
    known = quote.price.remedies or quote.site.remedies
    failed = {check.id for check in quote.site.checks if check.status == "fail"}
    numbers = {remedy.id: f"M{number}" for number, remedy in enumerate((r for r in known if not r.accepted), start=1)}
    return tuple(
        RemedyRow(
            name=words.say(f"remedy.{remedy.id}.name", **dict(remedy.arguments)),
            text=one_text(
                words,
                words.say(f"remedy.{remedy.id}.text", **dict(remedy.arguments)),
                *_contents(remedy, words, catalog),
            ),
            price=remedy.price,
            accepted=remedy.accepted,
            no=numbers.get(remedy.id, ""),
            needed=not failed.isdisjoint(remedy.cures),
        )
        for remedy in known
    )


def _contents(remedy: Remedy, words: Words, catalog: Catalog) -> Iterator[str]:
    """What a remedy adds to the bill and saves of it, where it takes the place of something quoted."""
    kinds = (
        ("adds", [item for item in remedy.items if item.quantity > 0]),
        ("saves", [item for item in remedy.items if item.quantity < 0]),
    )
    for key, items in kinds if kinds[1][1] else ():
        if items:
            named = words.say("proposal.join").join(_counted(item, words, catalog) for item in items)
            yield words.say(f"proposal.remedy_{key}", items=named)


def _counted(item: Item, words: Words, catalog: Catalog) -> str:
    return words.say("proposal.remedy_item", name=part_name(item.sku, catalog, words), count=abs(item.quantity))


def rack_note(quote: Quote, words: Words) -> str:
    """New cabinets in the total or the customer's own, against the places the form says are free; "" without racks."""
    scope, free, used = quote.requirement.scope, quote.requirement.site.racks, len(quote.site.racks)
    if not used:
        return ""
    key = "own" if "rack" in scope.reuse else "out" if "rack" in scope.exclude else "new"
    if key == "new" and quote.requirement.document.mode == "tender":
        key = "bid"
    told = [words.say(f"proposal.rack_note.{key}", used=used)]
    if free is not None and free >= used:
        told.insert(0, words.say("proposal.rack_note.free", free=free, used=used))
    return one_text(words, *told)
