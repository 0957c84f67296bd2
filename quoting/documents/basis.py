"""The figures of a quotation as a customer may read them: formulas with their numbers, sources with their grade."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from quoting.documents.customer import BasisRow, SourceRow
from quoting.documents.customer_plan import Formula
from quoting.documents.formats import number
from quoting.documents.words import Words
from quoting.figure import Figure
from quoting.parts import Against
from quoting.rows import Catalog, Source

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FUNCTIONS = {"ceil": "ceil", "floor": "floor", "min": "min", "max": "max", "sum": "sum", "round_fen": "round"}
_PLACE = re.compile(r"^([wRN])\d+$")
# What leads back to what we pay is not for customers, whatever stage wrote it; a rack's static margin is no price.
_SECRET = re.compile(
    r"cost|(?<!static_)margin|markup|supplier|floor_price|discount|\.price$|price\.(unit|sku|rate)", re.IGNORECASE
)
# Printed elsewhere: in the bill, with the rack's picture, in the table of networks, among the customer's answers; the
# last repeat another row.
_PRINTED = re.compile(
    r"price\.(line|option)\.|site\.R\d+\.([^.]+\.(count|heat_kw|power_kw|weight_kg)|racks)$"
    r"|bom\.(compute|storage|inband|outofband)\.|site\.circuit(s|_phases)$|(fit|ownership)\.cards$|bom\.nodes$"
)
_IDLE = re.compile(r"1 × [\d,.]+\Z|[\d,.]+ (× 1|÷ 1|[+−] 0)\Z")  # a calculation that changes nothing
_COPY = re.compile(r"(sum\()?\w+\)?\Z")
_PLAIN = frozenset({"share", "ratio", "1"})
_ROUND = re.compile(r"\b1(0{6,})\b")
_SIGNS = (("**", "^"), ("*", "×"), (" / ", " ÷ "), ("/", "÷"), (" - ", " − "))
_OPERATOR = re.compile(r"[-+*/(]")
_LONG_SUM = 6


def public(figure: Figure) -> bool:
    """Whether a customer may see this figure's value."""
    return not _SECRET.search(figure.id)


def open_formula(figure: Figure, figures: Mapping[str, Figure]) -> bool:
    """Whether its formula may be shown too: only when every input is public and known."""
    ids = list(_inputs(figure))
    return bool(figure.text) and all(id in figures and public(figures[id]) for id in ids)


def formulas(figures: Mapping[str, Figure], prefix: str, words: Words, told: Sequence[str]) -> tuple[Formula, ...]:
    """The computed figures under ``prefix`` whose last names are ``told`` and that combine something."""
    found = (figures[id] for id in figures if id.startswith(prefix) and id.removeprefix(prefix) in told)
    return tuple(
        _formula(figure, figures, words)
        for figure in found
        if figure.kind == "formula"
        and _OPERATOR.search(figure.text)
        and public(figure)
        and open_formula(figure, figures)
    )


@dataclass(frozen=True, slots=True)
class Basis:
    """The appendix: figures, and the sources they name by number."""

    rows: tuple[BasisRow, ...]
    sources: tuple[SourceRow, ...]


def basis(figures: Mapping[str, Figure], catalog: Catalog, words: Words, works: Mapping[str, str]) -> Basis:
    """Every public figure with how it came about, but those the bill of materials prints and copies of another.

    ``works`` names the workloads by id.
    """
    shown = [figure for figure in figures.values() if public(figure) and not _shown_elsewhere(figure, figures)]
    against = [other.source for figure in shown for other in _against(figure, catalog)]
    named = dict.fromkeys(id for id in (*(figure.source for figure in shown), *against) if id in catalog.sources)
    numbers = {id: number for number, id in enumerate(named, 1)}
    rows = _once(_row(figure, figures, numbers, catalog, words, works) for figure in shown)
    taken = {no: tuple(row for row in rows if row.source == f"[{no}]" and not row.how) for no in numbers.values()}
    return Basis(rows, tuple(_source_row(id, no, catalog, words, taken[no]) for id, no in numbers.items()))


def _once(rows: Iterable[BasisRow]) -> tuple[BasisRow, ...]:
    """The rows without those that say what an earlier one says, under another id, or that calculate nothing."""
    said: dict[tuple[object, ...], BasisRow] = {}
    for row in rows:
        if not _IDLE.match(row.how):
            said.setdefault((row.name, row.place, row.value, row.unit, row.how, row.source), row)
    return tuple(said.values())


def _shown_elsewhere(figure: Figure, figures: Mapping[str, Figure]) -> bool:
    same = figure.kind == "formula" and _COPY.match(figure.text) and len(list(_inputs(figure))) == 1
    return bool(_PRINTED.match(figure.id) or same) or figure.source.removeprefix("default:") in figures


def _source_row(id: str, no: int, catalog: Catalog, words: Words, taken: tuple[BasisRow, ...]) -> SourceRow:
    source = catalog.sources[id]
    grade = words.say(f"grade.{source.grade}")
    publisher = words.get(f"publisher.{source.publisher}", source.publisher)
    title = source_name(source, words)
    return SourceRow(no=no, title=title, publisher=publisher, date=source.date, grade=grade, taken=taken)


def source_name(source: Source, words: Words) -> str:
    """What customers read as a source's title: ours where we word it, else the catalogue's."""
    return words.get(f"source_title.{source.id}", source.title)


def _against(figure: Figure, catalog: Catalog) -> tuple[Against, ...]:
    """Values of other sources for the same field of a part or rule."""
    kind, _, rest = figure.id.partition(".")
    id, _, field = rest.rpartition(".")
    row = catalog.parts.get(id) if kind == "catalog" else catalog.rules.get(id) if kind == "rule" else None
    known = row.provenance.get(field) if row else None
    return known.against if known else ()


def figure_name(id: str, words: Words) -> str:
    """A figure's name: words for its id without numbering, for its first and last part, or its last; else the id."""
    parts = [_PLACE.sub(r"\1", part) for part in id.split(".")]
    for code in (".".join(parts), f"{parts[0]}.{parts[-1]}", parts[-1]):
        if words.has(f"figure.{code}"):
            return words.say(f"figure.{code}")
    if parts[0] == "rule":
        return words.say("figure.rule")
    key = re.sub(r"\[\d+\]", "", id.removeprefix("form."))
    return words.get(f"field.{key}", id)


def _place_name(id: str, catalog: Catalog, words: Words, works: Mapping[str, str]) -> str:
    """Which workload, rack or part a figure belongs to."""
    found = []
    for part in id.split("."):
        row = catalog.parts.get(part) or catalog.platforms.get(part)
        if row is not None:
            found.append(row.name_zh if words.language == "zh" else row.name_en)
        elif _PLACE.match(part):
            found.append(works.get(part, part))
    return " · ".join(name for name in found if name)


def source_title(id: str, catalog: Catalog, words: Words) -> tuple[str, str]:
    """Title and grade of a source: of the catalogue, the form, or a default."""
    kind, _, rest = id.partition(":")
    if kind == "form":
        key = re.sub(r"\[\d+\]", "", rest)
        return words.say("proposal.source_form", key=words.get(f"field.{key}", key)), ""
    if kind in ("default", "rule") and rest:
        return words.say(f"proposal.source_{kind}"), ""
    source = catalog.sources.get(id)
    if source is None:
        return id, ""
    title = source_name(source, words)
    dated = words.say("proposal.source_dated", title=title, date=source.date) if source.date else title
    return dated, words.say(f"grade.{source.grade}")


def unit_name(unit: str, words: Words, quantity: object = None) -> str:
    """A unit's word, the plural unless there is exactly one."""
    one = words.get(f"unit.{unit}", unit)
    return one if quantity == 1 else words.get(f"units.{unit}", one)


def brand_name(brand: str, words: Words) -> str:
    """A brand as the language's readers know it; as the catalogue writes it where no words are."""
    return words.get(f"brand.{brand}", brand)


def _unit(figure: Figure, words: Words) -> str:
    """The unit's name; nothing for shares, ratios and pure numbers."""
    return "" if figure.unit in _PLAIN else unit_name(figure.unit, words, figure.value)


def _row(
    figure: Figure,
    figures: Mapping[str, Figure],
    numbers: Mapping[str, int],
    catalog: Catalog,
    words: Words,
    works: Mapping[str, str],
) -> BasisRow:
    source, grade = source_title(figure.source, catalog, words) if figure.source else ("", "")
    others = ", ".join(_other(one, numbers) for one in _against(figure, catalog))
    return BasisRow(
        id=figure.id,
        name=figure_name(figure.id, words),
        place=_place_name(figure.id, catalog, words, works),
        value=figure.value,
        unit=_unit(figure, words),
        how=_how(figure, figures, words),
        source=f"[{numbers[figure.source]}]" if figure.source in numbers else source,
        grade=grade,
        note=words.say("proposal.against", values=others) if others else "",
    )


def _other(other: Against, numbers: Mapping[str, int]) -> str:
    return f"{other.value} [{numbers[other.source]}]" if other.source in numbers else other.value


def _how(figure: Figure, figures: Mapping[str, Figure], words: Words) -> str:
    if figure.kind == "formula":
        return _filled(figure, figures) if open_formula(figure, figures) else ""
    decided = (_decided(figure.text, words), _decided(figure.decided_by, words)) if figure.kind == "rule" else ()
    return " · ".join(dict.fromkeys(part for part in decided if part))


def _decided(id: str, words: Words) -> str:
    """A rule's name, never the words for failing it."""
    return words.get(f"decided.{id}", words.get(f"check.{id}.name", ""))


def _formula(figure: Figure, figures: Mapping[str, Figure], words: Words) -> Formula:
    names = {name: _names(ref, words) for name, ref in figure.inputs}
    return Formula(
        name=figure_name(figure.id, words),
        names=_pretty(figure.text, names),
        filled=_filled(figure, figures),
        value=figure.value,
        unit=_unit(figure, words),
    )


def _names(ref: str | tuple[str, ...], words: Words) -> str:
    return figure_name(ref if isinstance(ref, str) else ref[0], words) if ref else ""


def _filled(figure: Figure, figures: Mapping[str, Figure]) -> str:
    values = {name: _value(ref, figures) for name, ref in figure.inputs}
    return _pretty(figure.text, values)


def _value(ref: str | tuple[str, ...], figures: Mapping[str, Figure]) -> str:
    if isinstance(ref, str):
        return _one(figures[ref])
    shown = [_one(figures[id]) for id in ref[:_LONG_SUM]]
    return ", ".join(shown + (["…"] if len(ref) > _LONG_SUM else []))


def _one(figure: Figure) -> str:
    value = figure.value
    return str(value) if value is None or isinstance(value, str) else number(value)


def _pretty(text: str, names: Mapping[str, str]) -> str:
    """The formula with ``names`` put in for its quantities, in signs people write."""
    filled = _NAME.sub(
        lambda match: _FUNCTIONS[match[0]] if match[0] in _FUNCTIONS else names.get(match[0], match[0]), text
    )
    filled = _ROUND.sub(lambda zeros: f"10^{len(zeros[1])}", filled)
    for sign, written in _SIGNS:
        filled = filled.replace(sign, written)
    return filled


def _inputs(figure: Figure) -> Iterator[str]:
    for _, ref in figure.inputs:
        yield from (ref,) if isinstance(ref, str) else ref
