"""A customer's view as a bid shows it: one plan at one price."""

from __future__ import annotations

import re
from dataclasses import replace

from quoting.documents.customer import CustomerView, SourceRow
from quoting.documents.words import Words

# Owning and renting are compared in proposals alone, and so are the figures for it.
_OF_OWNING = re.compile(r"(rule\.)?ownership\.|form\.commercial\.(utilisation|electricity|months)\Z")


def as_tender(view: CustomerView, words: Words) -> CustomerView:
    """One plan at one price: no options, alternatives, offers of remedies, questions, prices to come, nor doubts."""
    basis = tuple(row for row in view.basis if not _OF_OWNING.match(row.id))
    told = " ".join(f"{row.source} {row.note}" for row in basis)
    return replace(
        view,
        options=(),
        option_groups=(),
        alternatives=(),
        beside=(),
        cures=(),
        remedies_total=None,
        others=(),
        asks=(),
        draft_rows=(),
        basis=basis,
        sources=tuple(_of_bidder(source, words) for source in view.sources if f"[{source.no}]" in told),
        counted=(),
        remedies=tuple(remedy for remedy in view.remedies if remedy.accepted),
        checks=tuple(replace(check, remedies=()) for check in view.checks),
    )


def _of_bidder(source: SourceRow, words: Words) -> SourceRow:
    """A source without what is taken for owning; the house as a source is the bidder, whatever the title inside."""
    source = replace(source, taken=tuple(row for row in source.taken if not _OF_OWNING.match(row.id)))
    own = source.publisher == words.say("publisher.house")
    return replace(source, title=words.say("tender.own_values")) if own else source
