"""Pictures of real quotations: every number in them is a field of the quote, and every label can be read."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import cache
from itertools import combinations, pairwise
from math import ceil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from quoting.assets import templates_folder
from quoting.catalog import load_catalog
from quoting.documents.customer import CustomerView
from quoting.documents.drawings import draw, svg
from quoting.documents.formats import money, number, percent, short
from quoting.documents.view import customer_view
from quoting.documents.words import Words, load_words
from quoting.forms import parse_form, read_form
from quoting.kinds import Language
from quoting.quote import make_quote
from quoting.records import Quote
from quoting.rows import Catalog
from quoting.stages.bom import bom
from quoting.stages.demand import demand
from quoting.stages.site import site

EXAMPLES = Path(__file__).parent.parent / "examples"
DAY = date(2026, 11, 30)
LONG = "A name of a model that a customer has trained in house and calls so for reasons of their own, of many words"
BARE = {"form_version": 1, "customer": {"name": "示例制造有限公司"}}
CASES = {
    **{form.stem: form for form in sorted(EXAMPLES.glob("*.toml"))},
    "nothing known": {**BARE, "workload": [{"model": "Qwen2.5-7B", "task": "lora"}]},
    "workstation": {
        **BARE,
        "project": {"form_factor": "workstation"},
        "workload": [{"model": "Qwen2.5-7B", "task": "lora"}],
        "commercial": {"budget": "20万"},
    },
    "long name": {
        **BARE,
        "workload": [
            {"model": LONG, "params": "32B", "task": "lora"},
            {"model": "Qwen2.5-72B", "task": "inference", "concurrency": 64, "context": "16k"},
        ],
    },
    "8 nodes": 8,
    "64 nodes": 64,
    "512 nodes": 512,
    "40 domestic nodes": ("xinchuang", 40),  # compute and storage network of one make of switch
}
LENGTHENED = {"long parts": "xinchuang", "64 nodes of long parts": "64 nodes"}
CASES |= {case: CASES[base] for case, base in LENGTHENED.items()}
each_case = pytest.mark.parametrize("case", CASES)
each_language = pytest.mark.parametrize("language", ["zh", "en"])


@cache
def rows() -> Catalog:
    return load_catalog()


@cache
def quote_of(case: str) -> Quote:
    form = CASES[case]
    if isinstance(form, int):
        return enlarged("cluster", form)
    if isinstance(form, tuple):
        return enlarged(*form)
    asked = read_form(form, rows()) if isinstance(form, Path) else parse_form(form, rows(), "form")
    return make_quote(asked, rows(), DAY)


def enlarged(example: str, nodes: int) -> Quote:
    """An example with the networks and racks of more nodes, in a room that sets no number of racks."""
    asked = read_form(EXAMPLES / f"{example}.toml", rows())
    asked = replace(asked, site=replace(asked.site, racks=None))
    quote = make_quote(asked, rows(), DAY)
    chosen = quote.choice.chosen
    assert chosen is not None
    plan = replace(chosen, nodes=nodes)
    bill = bom(asked, demand(asked, rows()), plan, rows())
    return replace(
        quote,
        requirement=asked,
        choice=replace(quote.choice, chosen=plan),
        bom=bill,
        site=site(asked, plan, bill, rows()),
    )


@cache
def seen(case: str, language: Language) -> tuple[CustomerView, Words]:
    words = load_words(language, (templates_folder(),))
    view = customer_view(quote_of(case), rows(), words)
    return (lengthened(view) if case in LENGTHENED else view), words


def lengthened(view: CustomerView) -> CustomerView:
    """The same with the longest names a company's own parts may have."""
    assert view.plan is not None
    racks = [replace(rack, boxes=tuple(replace(box, name=long(box.name)) for box in rack.boxes)) for rack in view.racks]
    fabrics = [replace(one, leaf_name=long(one.leaf_name), spine_name=long(one.spine_name)) for one in view.fabrics]
    plan = replace(view.plan, platform=long(view.plan.platform))
    return replace(view, racks=tuple(racks), fabrics=tuple(fabrics), plan=plan)


def long(name: str) -> str:
    return f"{name} {LONG} {LONG}"[:200]


@dataclass(frozen=True)
class Label:
    """A text of a picture with the place it takes, in points."""

    text: str
    left: float
    right: float
    base: float
    size: float

    def box(self) -> Box:
        """What is printed, without the air around it."""
        return Box(self.left + 0.5, self.base - 0.7 * self.size, self.right - 0.5, self.base)

    def covers(self, other: Label) -> bool:
        """Whether the two are printed over one another; sizes are estimates, so that touching is allowed."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.base, other.base) - max(self.base - 0.85 * self.size, other.base - 0.85 * other.size)
        return wide > 1.5 and high > 0.5


def trees(case: str, language: Language) -> Iterator[tuple[str, ElementTree.Element]]:
    for name, made in draw(*seen(case, language)).items():
        for source in (made,) if isinstance(made, str) else made:
            if source:
                yield name, ElementTree.fromstring(b64decode(source.partition(",")[2]))


def tree(case: str, language: Language, name: str) -> ElementTree.Element:
    return next(found for kind, found in trees(case, language) if kind == name)


def labels(picture: ElementTree.Element) -> list[Label]:
    return [label(node) for node in picture.iter() if node.tag.endswith("text")]


def label(node: ElementTree.Element) -> Label:
    words, x, size = node.text or "", float(node.attrib["x"]), float(node.attrib["font-size"])
    width = svg.width_of(words, size) * (1.05 if node.get("font-weight") else 1)
    left = x - {"end": width, "middle": width / 2}.get(node.get("text-anchor", ""), 0)
    return Label(words, left, left + width, float(node.attrib["y"]), size)


def told(picture: ElementTree.Element) -> str:
    return "\n".join(one.text for one in labels(picture))


# --------------------------------------------------------------------------- legible


@each_case
@each_language
def test_no_label_is_small_cut_off_or_printed_over_another(case: str, language: Language) -> None:
    for name, picture in trees(case, language):
        _, _, width, height = map(float, picture.attrib["viewBox"].split())
        found = labels(picture)
        for one in found:
            assert one.size >= svg.SMALLEST, (name, one)
            assert one.left >= -1, (name, one)
            assert one.right <= width + 3, (name, one)
            assert 0.6 * one.size <= one.base <= height, (name, one)
        for one, other in combinations(found, 2):
            assert not one.covers(other), (name, one, other)


@each_case
@each_language
def test_no_line_runs_through_a_label(case: str, language: Language) -> None:
    """Lines drawn before a surface are hidden by it, so that words in a capsule may stand on a line."""
    for name, picture in trees(case, language):
        lines: list[tuple[tuple[float, float], tuple[float, float]]] = []
        set_before: list[Box] = []
        for node in picture:
            if node.tag.endswith(("path", "}line")):
                new = segments(node.get("d") or "M{x1} {y1}L{x2} {y2}".format(**node.attrib))
                assert not any(box.holds(middle(one)) for one in new for box in set_before), (name, node.attrib)
                lines += new
            elif node.tag.endswith("rect") and node.attrib["fill"] != "none":
                lines = [one for one in lines if not surface(node).holds(middle(one))]
            elif node.tag.endswith("text"):
                box = label(node).box()
                set_before.append(box)
                for start, end in lines:
                    assert not any(box.holds(point) for point in between(start, end)), (name, node.text)


@dataclass(frozen=True)
class Box:
    left: float
    top: float
    right: float
    bottom: float

    def holds(self, point: tuple[float, float]) -> bool:
        return self.left < point[0] < self.right and self.top < point[1] < self.bottom


def surface(node: ElementTree.Element) -> Box:
    x, y, wide, high = (float(node.attrib[key]) for key in ("x", "y", "width", "height"))
    return Box(x, y, x + wide, y + high)


def segments(d: str) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """The straight pieces of a path, in bits of at most three points."""
    found = []
    for run in d.split("M")[1:]:
        points = [(float(x), float(y)) for x, y in (point.split() for point in run.split("L"))]
        for start, end in pairwise(points):
            bits = max(1, ceil(max(abs(end[0] - start[0]), abs(end[1] - start[1])) / 3))
            steps = [
                tuple(a + (b - a) * part / bits for a, b in zip(start, end, strict=True)) for part in range(bits + 1)
            ]
            found += list(pairwise(steps))
    return found  # type: ignore[return-value]


def middle(line: tuple[tuple[float, float], tuple[float, float]]) -> tuple[float, float]:
    (x1, y1), (x2, y2) = line
    return (x1 + x2) / 2, (y1 + y2) / 2


def between(start: tuple[float, float], end: tuple[float, float]) -> list[tuple[float, float]]:
    return [start, middle((start, end)), end]


@each_case
def test_no_stroke_is_cut_at_the_border(case: str) -> None:
    for name, picture in trees(case, "zh"):
        _, _, width, height = map(float, picture.attrib["viewBox"].split())
        for node in picture.iter("{http://www.w3.org/2000/svg}rect"):
            x, y, wide, high = (float(node.attrib[key]) for key in ("x", "y", "width", "height"))
            half = float(node.get("stroke-width", "1")) / 2 if node.get("stroke") else 0.0
            assert x - half >= -0.05, (name, node.attrib)
            assert y - half >= -0.05, (name, node.attrib)
            assert x + wide + half <= width + 0.05, (name, node.attrib)
            assert y + high + half <= height + 0.05, (name, node.attrib)


@each_case
def test_nothing_is_transparent(case: str) -> None:
    for name, picture in trees(case, "zh"):
        assert not any("opacity" in key for node in picture.iter() for key in node.attrib), name


@each_case
def test_pictures_stay_small(case: str) -> None:
    for name, picture in trees(case, "en"):
        assert sum(1 for _ in picture.iter()) < 200, name


def test_long_model_keeps_its_task() -> None:
    assert "… · LoRA 微调" in told(tree("long name", "zh", "memory"))


# --------------------------------------------------------------------------- numbers are fields of the quote


def numbers(picture: ElementTree.Element, *names: str) -> set[str]:
    """The numbers in a picture beside those inside names of things."""
    text = told(picture)
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "")
    return set(re.findall(r"(?<![\w.])\d[\d,]*(?:\.\d+)?", text))


def shorts(*values: Decimal | int | None) -> set[str]:
    return {short(value) for value in values if value is not None}


@each_case
def test_numbers_of_the_memory_picture(case: str) -> None:
    quote = quote_of(case)
    chosen = quote.choice.chosen
    allowed = shorts(chosen.memory_gb if chosen else None)
    for need in quote.demand.needs:
        beside = need.activation_gb + need.overhead_gb
        allowed |= shorts(need.static_gb, need.memory_gb, need.memory_low_gb, need.memory_high_gb, need.kv_gb, beside)
    picture = tree(case, "en", "memory")
    found = numbers(picture, *(work.model for work in seen(case, "en")[0].works))
    assert found <= allowed
    for need in quote.demand.needs:
        assert shorts(need.static_gb, need.memory_gb, need.memory_low_gb, need.memory_high_gb) <= found


@each_case
@each_language
def test_bars_of_memory_are_to_scale(case: str, language: Language) -> None:
    quote, picture = quote_of(case), tree(case, language, "memory")
    chosen = quote.choice.chosen
    assert chosen is not None
    assert chosen.memory_gb is not None
    rects = [node.attrib for node in picture.iter() if node.tag.endswith("rect")]
    held = next(float(one["width"]) for one in rects if one["fill"] == svg.PALE)
    solid = [float(one["width"]) for one in rects if one["fill"] == seen(case, language)[0].seller.colour]
    static = [one for one in solid if one != 14]  # the key's swatches are 14 wide
    need = quote.demand.needs[0]
    share = min(need.static_gb, need.memory_gb) / chosen.memory_gb
    assert static[0] / held == pytest.approx(float(share), rel=0.01)


@each_case
def test_numbers_of_the_network_picture(case: str) -> None:
    quote = quote_of(case)
    networks = [network for network in quote.bom.networks if network.leaf]
    if not networks:
        pytest.skip("no switches: the picture has the uplinks of one node")
    picture = tree(case, "en", "topology")
    chosen = quote.choice.chosen
    assert chosen is not None
    must, may = {number(chosen.nodes or 0)}, set()
    for one in networks:
        nodes = one.node_links if one.id in ("compute", "outofband") else one.ends_at("node")
        may |= {number(end.links) for end in one.ends} | {number(end.gbps) for end in one.ends}
        must |= {number(end.links) for end in one.ends if end.kind in ("head", "storage", "customer")}
        must |= {number(nodes), number(one.leaf if one.id == "compute" else one.leaf + one.spine + one.core)}
        must |= {number(count) for count in (one.leaf_spine_links, one.spine) if count}
        must |= {number(count) for count in (one.core, one.spine_core_links) if count and one.id == "compute"}
        may |= {number(one.leaf)}
    names = seen_names(case)
    may |= {word for word in names if word.isdigit()}
    found = numbers(picture, *(word for word in names if not word.isdigit()))
    assert must <= found
    assert found <= must | may
    speeds = set(re.findall(r"\b(\d+)G\b", re.sub(r"\(.*?\)", "", told(picture))))
    assert {str(one.gbps) for one in networks} <= speeds


def seen_names(case: str) -> set[str]:
    view, _ = seen(case, "en")
    boxes = [box for rack in view.racks for box in rack.boxes]
    words = {word for box in boxes for word in (*box.name.split(), box.label)}
    return words | set(LONG.split()) | {f"{network.gbps}G" for network in quote_of(case).bom.networks}


@pytest.mark.parametrize(("case", "bars"), [("8 nodes", 0), ("64 nodes", 1), ("512 nodes", 3)])
def test_lines_go_from_box_to_box_only_where_every_pair_is_linked(case: str, bars: int) -> None:
    """16 leaves in two groups: a node reaches eight of them. 3 tiers: a leaf reaches the spines of its own group."""
    lines = [node for node in tree(case, "en", "topology").iter() if node.get("stroke-width") == "1.8"]
    assert len(lines) == bars


@each_case
def test_network_and_racks_speak_of_the_same_things(case: str) -> None:
    view, _ = seen(case, "zh")
    if not view.racks or not any(fabric.leaf for fabric in view.fabrics):
        pytest.skip("nothing to compare")
    boxes = {box.label for rack in view.racks for box in rack.boxes}
    drawn = re.findall(r"^(?:SW-[A-Z]|N)\d+$", told(tree(case, "zh", "topology")), re.M)
    assert len(drawn) >= 3
    assert set(drawn) <= boxes
    assert len(drawn) == len(set(drawn))


@each_case
def test_each_network_has_its_own_labels_in_every_picture(case: str) -> None:
    view, _ = seen(case, "zh")
    if not view.racks or not any(fabric.leaf for fabric in view.fabrics):
        pytest.skip("nothing to compare")
    racks = "\n".join(told(picture) for name, picture in trees(case, "zh") if name == "racks")
    network = told(tree(case, "zh", "topology"))
    for fabric in view.fabrics:
        stem = {"compute": "SW-C", "storage": "SW-S", "inband": "SW-B", "outofband": "SW-M"}[fabric.id]
        last = fabric.leaf + fabric.spine + fabric.core
        assert {f"{stem}1", f"{stem}{last}"} <= set(network.split())
        assert stem in racks


@each_case
def test_numbers_of_the_rack_pictures(case: str) -> None:
    quote = quote_of(case)
    pictures = [picture for name, picture in trees(case, "zh") if name == "racks"]
    text = "\n".join(told(picture) for picture in pictures)
    if not pictures:
        assert not any(box.units for rack in quote.site.racks for box in rack.placed)
        return
    for rack in quote.site.racks:
        if rack.power_kw is not None:
            assert f"{short(rack.power_kw)} kW" in text
        if rack.units_used is not None:
            assert f"用 {rack.units_used} / {rack.units} U · PDU {rack.pdus} 台" in text
        assert "重量未知" in text if rack.weight_kg is None else f"{short(rack.weight_kg)} kg" in text
    drawn = sum(int(count) for count in re.findall(r"× (\d+) 架", text))
    alone = re.findall(r"^R\d+$", text, re.M)
    assert drawn + len(alone) == len(quote.site.racks)


def test_equipment_of_a_lone_rack_has_its_own_power_and_weight() -> None:
    text = " ".join(told(tree("cluster", "en", "racks")).split())
    for box in quote_of("cluster").site.racks[0].placed:
        for value, unit in ((box.power_kw, "kW"), (box.weight_kg, "kg")):
            assert value is None or f"{short(value)} {unit}" in text, (box.label, unit)


@each_case
def test_boxes_stand_in_their_units(case: str) -> None:
    """Pieces drawn in a picture of one rack are as high and as far from the floor as their units say."""
    quote = quote_of(case)
    if len(quote.site.racks) != 1 or not any(box.units for box in quote.site.racks[0].placed):
        pytest.skip("not one rack")
    rack = quote.site.racks[0]
    picture = tree(case, "zh", "racks")
    frame = next(node.attrib for node in picture.iter() if node.get("fill") == "none" and node.get("height"))
    unit = float(frame["height"]) / rack.units
    floor = float(frame["y"]) + float(frame["height"])
    boxes = [node.attrib for node in picture.iter() if node.get("stroke-width") == "0.5" and node.get("height")]
    drawn = {
        (round((floor - float(box["y"]) - float(box["height"])) / unit) + 1, round(float(box["height"]) / unit))
        for box in boxes
    }
    assert drawn == {(box.bottom, box.units) for box in rack.placed if box.units}


@each_case
def test_numbers_of_the_power_picture(case: str) -> None:
    quote = quote_of(case)
    if not quote.site.racks:
        assert "power" not in dict(trees(case, "en"))
        return
    room, racks = quote.requirement.site, quote.site.racks
    text = told(tree(case, "en", "power"))
    for kva, words in ((room.transformer_kva, "{} kVA"), (room.transformer_load_kva, "{} kVA in use")):
        if kva is not None:
            assert words.format(short(kva)) in text
    has_ups = room.ups_kva is not None or any(line.why == "ups" for line in quote.price.lines)
    assert bool(re.search(r"^UPS$", text, re.M)) == has_ups
    for kva, words in ((room.ups_kva, "{} kVA there"), (quote.site.ups_kva, "{} kVA needed")):
        if kva is not None and has_ups:
            assert words.format(short(kva)) in text
    assert len(re.findall(r"^(Transformer|Mains|Source B)$", text, re.M)) == (2 if room.feeds == "2N" else 1)
    sides = {"N": 1, "2N": 2}.get(room.feeds or "")
    assert len(re.findall(r"^Feed [AB]$", text, re.M)) == (sides or 0)
    pdus = [int(count) for count in re.findall(r"^× (\d+)$", text, re.M)]
    assert sum(pdus) == sum(rack.pdus for rack in racks)
    assert f"Racks ×{len(racks)}" in text
    if len(racks) > 1 and quote.site.power_kw is not None:
        assert f"{short(quote.site.power_kw)} kW in all" in text


@each_case
def test_numbers_of_the_cost_picture(case: str) -> None:
    quote, pictures = quote_of(case), dict(trees(case, "en"))
    owning = quote.ownership
    assert ("cost" in pictures) == (len(owning.own_by_month) > 1 and len(owning.rent_by_month) > 1)
    if "cost" not in pictures:
        return
    text = told(pictures["cost"])
    assert f"Renting ({percent(owning.utilisation)} use)" in text
    for crossing in owning.crossings:
        when = "never" if crossing.months is None else f"month {number(crossing.months, 0)}"
        assert f"{percent(crossing.utilisation)} use, {when}" in text


def test_lines_of_cost_end_where_the_amounts_say() -> None:
    """On the grid's own scale: the owning line starts at the price and ends at the price with running costs."""
    quote, picture = quote_of("enterprise"), tree("enterprise", "en", "cost")
    found = [one for one in labels(picture) if re.fullmatch(r"[\d,]+", one.text)]
    money_axis = [one for one in found if one.right < 45]
    (low, zero), *_, (high, top) = sorted(
        (Decimal(one.text.replace(",", "")) * 1000, one.base - 2.4) for one in money_axis
    )
    own = next(
        node
        for node in picture.iter("{http://www.w3.org/2000/svg}path")
        if node.get("stroke-width") == "1.6" and not node.get("stroke-dasharray")
    )
    points = [tuple(map(float, point.split())) for point in own.attrib["d"][1:].split("L")]
    months = quote.ownership.own_by_month
    for (_, y), amount in ((points[0], months[0]), (points[-1], months[-1])):
        assert zero + (top - zero) * float((amount - low) / (high - low)) == pytest.approx(y, abs=0.1)


@each_case
@each_language
def test_groups_are_parts_of_the_total(case: str, language: Language) -> None:
    quote, text = quote_of(case), told(tree(case, language, "groups")).splitlines()
    amounts = [line for line in text if re.fullmatch(r"[\d,]+\.\d\d", line)]
    shown = [group.total for group in quote.price.groups if group.total]
    assert amounts[:-1] == [money(total) for total in shown]
    assert quote.price.total is not None
    assert amounts[-1] == money(quote.price.total)
    assert sum(shown) == quote.price.total
