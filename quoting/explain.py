"""The trail of a figure: value, formula with the numbers in it, inputs down to their sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from difflib import get_close_matches

from quoting.errors import Mistake, Mistakes
from quoting.figure import Figure, Value


def trail(figures: Mapping[str, Figure], id: str, depth: int = 0) -> Iterator[str]:
    """Lines of text, inputs indented below what they make. Raises Mistakes for an unknown figure."""
    figure = figures.get(id)
    if figure is None:
        near = get_close_matches(id, figures, n=1, cutoff=0.3)
        example = "a figure of the quote, such as price.total"
        raise Mistakes([Mistake("explain", id, "unknown figure", example, near[0] if near else "")])
    unit = "" if figure.unit == "1" else figure.unit  # a pure number
    yield "  " * depth + f"{figure.id} = {plain(figure.value)} {unit}".rstrip() + _proof(figure)
    for _, reference in figure.inputs:
        for each in (reference,) if isinstance(reference, str) else reference:
            yield from trail(figures, each, depth + 1)


def _proof(figure: Figure) -> str:
    note = f" ({figure.note})" if figure.note else ""
    if figure.kind == "leaf":
        return f"    from {figure.source}{note}"
    if figure.kind == "rule":
        decided = f", decided by {figure.decided_by}" if figure.decided_by else ""
        return f"    by rule {figure.text}{decided}{note}"
    return f"    = {figure.text}{note}"


def plain(value: Value) -> str:
    """A value as people write it: no exponent, thousands separated, at most six decimals."""
    if not isinstance(value, int | Decimal):
        return str(value)
    text = f"{Decimal(value):,.6f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
