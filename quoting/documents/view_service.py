"""The service chapter: what is promised follows what is in the bill."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quoting.documents.customer import Step
from quoting.documents.words import Words
from quoting.records import PricedLine, Quote
from quoting.rows import Catalog

STEPS = ("contract", "survey", "arrival", "install", "test", "handover")


def service(quote: Quote, catalog: Catalog, words: Words) -> dict[str, Any]:
    """The fields of a view that tell of delivery stages and service."""
    bought = {line.why: line for line in quote.price.lines}
    first = ("poc",) if "service.poc" in bought else ()
    return {
        "steps": tuple(_step(code, words) for code in (*first, *STEPS)),
        "step_note": words.say("delivery.poc.failed") if first else "",
        "service_list": tuple(_promises(quote, bought, catalog, words)),
    }


def _step(code: str, words: Words) -> Step:
    name, work, result = (words.say(f"delivery.{code}.{part}") for part in ("name", "work", "result"))
    return Step(name=name, work=work, result=result)


def _promises(quote: Quote, bought: dict[str, PricedLine], catalog: Catalog, words: Words) -> Iterator[str]:
    """Faults, spares, training and papers, each as the bill has it; a line added by hand is told by its SKU."""
    offered = {line.why for line in quote.price.options} if quote.requirement.document.mode == "proposal" else set()
    yield _paid("faults", bought.get("service.warranty"), words) or words.say("proposal.service.faults")
    yield words.say("proposal.service.spares" if "spares" in bought else "proposal.service.no_spares")
    training = catalog.terms.recipes.get("training")
    taught = next((line for line in quote.price.lines if line.sku == training), None)
    yield _paid("training", taught, words) or words.say(
        "proposal.service.training_option" if "service.training" in offered else "proposal.service.briefing"
    )
    yield words.say("proposal.service.papers")


def _paid(kind: str, line: PricedLine | None, words: Words) -> str:
    """The promise of a line of the bill in that line's own words; "" where there is none."""
    if line is None or line.owned:
        return ""
    name, spec = (line.name_zh, line.spec_zh) if words.language == "zh" else (line.name_en, line.spec_en)
    return words.say(f"proposal.service.{kind}_paid", name=name, spec=spec or name)
