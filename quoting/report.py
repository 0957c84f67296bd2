"""What the terminal shows: a short result, a sizing, a catalogue report. Words come from templates/words/."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quoting.documents.formats import money, short
from quoting.documents.view_lines import check_sentence, finding
from quoting.documents.view_plan import part_name, plan
from quoting.documents.words import Words, load_words
from quoting.errors import Mistake, Mistakes
from quoting.kinds import Language
from quoting.records import Choice, Demand, Finding, Fit, Quote

if TYPE_CHECKING:
    from quoting.checks import Note
    from quoting.rows import Catalog


def words_of(language: Language, templates: Path | None = None) -> Words:
    """The words of a language, the company's own after ours."""
    from quoting.assets import templates_folder

    roots = [templates_folder()] + ([templates_folder(templates)] if templates else [])
    return load_words(language, roots)


def summary(
    quote: Quote, catalog: Catalog, files: Iterable[Path], language: Language, templates: Path | None = None
) -> str:
    """The short result of one quotation: what, how much, what fails, which files, what next."""
    words = words_of(language, templates)
    rows = [
        ("cli.number", _number(quote, words)),
        ("cli.customer", quote.requirement.customer.name),
        ("cli.tier", _tier(quote, words)),
        ("cli.hardware", _hardware(quote, catalog, words)),
        ("cli.total", _total(quote, words)),
        ("cli.valid", quote.valid_until.isoformat() if quote.valid_until else words.say("cli.to_be_confirmed")),
        ("cli.checks", _checks(quote, words)),
    ]
    lines = [f"{words.say(code)}  {text}" for code, text in rows]
    lines += _named(quote, words)
    lines += [_finding(found, words) for found in quote.findings if found.status in ("fail", "warn")]
    lines.append(words.say("cli.files"))
    lines += [f"  {path}" for path in files]
    lines.append(words.say(f"cli.next.{_next(quote)}"))
    return "\n".join(lines)


def _number(quote: Quote, words: Words) -> str:
    return f"{quote.number}  {words.say('cli.status.' + quote.status)}"


def _tier(quote: Quote, words: Words) -> str:
    chosen = quote.choice.chosen
    return words.say(f"tier.{chosen.tier}") if chosen else words.say("cli.nothing_fits")


def _hardware(quote: Quote, catalog: Catalog, words: Words) -> str:
    chosen = quote.choice.chosen
    if chosen is None:
        return "—"
    name = part_name(chosen.platform or chosen.gpu, catalog, words)
    return words.say("cli.nodes", nodes=chosen.nodes, cards=chosen.cards, name=name)


def _named(quote: Quote, words: Words) -> list[str]:
    """The verdict on hardware the customer named, when it is not what is quoted."""
    named = quote.choice.named
    if named is None:
        return []
    return [f"{words.say('cli.named')}  {words.say('cli.verdict.' + named.verdict)}"]


def _finding(found: Finding, words: Words) -> str:
    named = words.say("cli.of_named") if found.where.startswith("named") else ""
    return f"  {words.say('cli.mark.' + found.status)} {named}{finding(found, words)}"


def _total(quote: Quote, words: Words) -> str:
    price = quote.price
    if price.total is None:
        return words.say("cli.part_priced", amount=money(price.priced_part))
    return words.say("cli.amount", amount=money(price.total), upper=price.total_upper or "")


def _checks(quote: Quote, words: Words) -> str:
    counts = Counter(finding.status for finding in quote.findings)
    return words.say("cli.counts", fail=counts["fail"], warn=counts["warn"], unknown=counts["unknown"])


def _next(quote: Quote) -> str:
    if quote.choice.chosen is None:
        return "nothing"
    if quote.price.total is None:
        return "prices"
    return quote.status


def sizing(demand: Demand, choice: Choice, catalog: Catalog, language: Language) -> str:
    """A sizing without prices: the need of each workload, the verdict on named cards, then every platform.

    Platforms that may be quoted come first, then those that could do it but may not be quoted, then the rest.
    """
    words = words_of(language)
    lines = [_need(need, words) for need in demand.needs]
    if choice.named is not None:
        lines += _verdict(choice.named, catalog, words)
    fits = [*((choice.chosen,) if choice.chosen else ()), *choice.others]
    for title, some in _sorted(fits):
        lines += [words.say(title), *("  " + _fit(fit, catalog, words) for fit in some)] if some else []
    return "\n".join(lines)


def _sorted(fits: list[Fit]) -> tuple[tuple[str, list[Fit]], ...]:
    able = [fit for fit in fits if fit.feasible]
    return (
        ("size.quotable", [fit for fit in able if not fit.rejected_by]),
        ("size.barred", [fit for fit in able if fit.rejected_by]),
        ("size.unable", [fit for fit in fits if not fit.feasible]),
    )


def _verdict(named: Fit, catalog: Catalog, words: Words) -> list[str]:
    """Fits, tight or not; which check decides; the smallest change that would help."""
    said = plan(named, catalog, words)
    head = words.say(
        "size.verdict", gpu=said.gpu, cards=named.cards or 0, verdict=words.say(f"cli.verdict.{named.verdict}")
    )
    worst = "fail" if named.verdict == "no" else "warn"
    decisive = next((check for check in named.checks if check.status == worst), None)
    lines = [head]
    if decisive is not None and named.verdict != "fits":
        lines.append("  " + words.say("size.decided", check=words.say(f"check.{decisive.id}.name")))
    if said.change:
        lines.append("  " + words.say("size.change", change=said.change))
    return lines + [f"  {words.say('cli.mark.' + c.status)} {check_sentence(c, words)}" for c in named.checks]


def _need(need: Any, words: Words) -> str:
    return words.say(
        "size.need",
        workload=need.workload,
        regime=words.get(f"regime.{need.regime}", need.regime),
        memory=short(need.memory_gb),
        low=short(need.memory_low_gb),
        high=short(need.memory_high_gb),
        static=short(need.static_gb),
    )


def _fit(fit: Fit, catalog: Catalog, words: Words) -> str:
    said = plan(fit, catalog, words)
    if not fit.feasible:
        return words.say("size.rejected", platform=said.platform, reason=said.rejected_by, numbers=_compared(fit))
    counts = words.say("size.counts", nodes=fit.nodes or 0, minimum=fit.minimum_nodes or 0, cards=fit.cards or 0)
    days = words.say("size.days", days=short(fit.days)) if fit.days is not None else ""
    reason = words.say("size.reason", reason=said.rejected_by) if said.rejected_by else ""
    return words.say("size.fits", platform=said.platform, counts=counts, days=days, reason=reason)


def _compared(fit: Fit) -> str:
    if fit.rejected_required is None or fit.rejected_available is None:
        return ""
    sign = "<" if fit.rejected_available < fit.rejected_required else ">"
    return f"{short(fit.rejected_available)} {sign} {short(fit.rejected_required)} {fit.rejected_unit}".rstrip()


def catalog_report(notes: Iterable[Note], language: Language) -> str:
    """One line a note, errors first, then a count."""
    words = words_of(language)
    ordered = sorted(notes, key=lambda note: note.level != "error")
    lines = [f"{note.level:7}  {note.place}: {words.say(note.code, **dict(note.arguments))}" for note in ordered]
    counts = Counter(note.level for note in ordered)
    lines.append(words.say("catalog.counts", errors=counts["error"], warnings=counts["warning"]))
    return "\n".join(lines)


def row_text(catalog: Catalog, id: str) -> str:
    """One catalogue row as JSON, with its prices, the sources of each and the layer it came from."""
    from quoting.serial import canonical_json

    tables = (catalog.parts, catalog.models, catalog.rules, catalog.tiers, catalog.sources)
    row = next((table[id] for table in tables if id in table), None)
    if row is None:
        raise Mistakes([_unknown(id, [name for table in tables for name in table])])
    shown = {"row": row, "prices": catalog.prices.get(id, ()), "sources": _sources(catalog, row, id)}
    return canonical_json(shown).rstrip("\n")


def _unknown(id: str, names: list[str]) -> Mistake:
    from difflib import get_close_matches

    near = get_close_matches(id, names, n=1, cutoff=0.3)
    return Mistake("catalogue", id, "unknown id", "a SKU, model, rule, tier or source", near[0] if near else "")


def _sources(catalog: Catalog, row: Any, id: str) -> tuple[Any, ...]:
    ids = [getattr(row, "source", "")]
    ids += [provenance.source for provenance in getattr(row, "provenance", {}).values()]
    ids += [price.source for price in catalog.prices.get(id, ())]
    return tuple(catalog.sources[source] for source in dict.fromkeys(ids) if source in catalog.sources)
