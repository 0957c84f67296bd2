"""Copies a small catalogue out of catalog/ into tests/catalog/, where it stays as it is until this is run again.

    .venv/bin/python tests/refresh_catalog.py

Rows are copied as written; prices become supplier's offers in date, so that quotations from it are not drafts.
"""

from __future__ import annotations

import csv
import re
import shutil
from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from pathlib import Path

from quoting.catalog import current_price, load_catalog
from quoting.rows import Catalog

ROOT = Path(__file__).resolve().parent.parent
REAL, FROZEN = ROOT / "catalog", ROOT / "tests" / "catalog"
DAY = date(2026, 11, 30)
PLATFORMS = ("srv-pcie-4x-l20", "srv-pcie-8x-l20", "srv-sxm-8x-h20-96g", "srv-sxm-8x-h100", "srv-atlas-800t-a2")
CARDS = ("gpu-v100-32g", "gpu-l40s-48g")
MODELS = (
    *("Qwen2.5-7B", "Qwen2.5-14B", "Qwen2.5-72B", "Llama-3-70B", "DeepSeek-R1", "GLM-4-9B", "GPT-4"),
    "DeepSeek-R1-Distill-Qwen-32B",
)
DROPPED_ROLES = re.compile(
    r'"?(rack_[45]|fibre_mm_|fibre_upc_(3 |5 |10|15|20)|fibre_(lc_)?(10|20|50|15) |'
    r"fan_lc_([123]0|5 )|breakout_100g_1|dac_10g_5|splitter_|acc_|dac_800g|dac_200g_[12]|dac_100g_[15]|"
    r"cat6_|ups_(10|40|80|100|120)|battery_(10|40|80|100|120)|battery_\d+_30|cooler_inrow_(small|large)|"
    r"software_driver_(hygon|camb|moore|metax|kunl|iluv)|software_os_(open|uos)|optic_\w+_mm|room_circuit_[13]p16a)"
)
OFFER = """[[source]]
id = "frozen-offer"
title = "Supplier's offer of the test catalogue"
publisher = "Test supplier"
date = "2026-11-30"
method = "typed for tests; not a market price"
grade = "quoted"
"""


def main() -> None:
    shutil.rmtree(FROZEN, ignore_errors=True)
    for name in ("house.toml", "tiers.toml", "rates.toml", "rents.toml", "VERSION"):
        copy(REAL / name, FROZEN / name)
    for path in sorted((REAL / "rules").glob("*.toml")):
        copy(path, FROZEN / "rules" / path.name)
    terms = (REAL / "terms.toml").read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in terms if not DROPPED_ROLES.match(line)]
    (FROZEN / "terms.toml").write_text("".join(kept), encoding="utf-8")
    real = load_catalog(root=REAL)
    skus = wanted_skus(real, set(re.findall(r'^"?[\w.-]+"? = "([a-z0-9-]+)"', "".join(kept), re.M)))
    keep_rows(skus | set(MODELS))
    keep_sources()
    (FROZEN / "sources" / "frozen.toml").write_text(OFFER, encoding="utf-8")
    write_prices(real, skus)
    frozen = load_catalog(root=FROZEN)
    print(len(frozen.parts), "parts,", len(frozen.prices), "prices,", len(frozen.sources), "sources")  # noqa: T201


def copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(source.read_bytes())


def wanted_skus(real: Catalog, roles: set[str]) -> set[str]:
    lines = {line.sku for sku in PLATFORMS for line in real.platforms[sku].recipe}
    rents = {rent.accelerator for rent in real.rents}
    cards = {real.platforms[sku].accelerator for sku in PLATFORMS}
    return {*PLATFORMS, *CARDS, *lines, *cards, *rents, *(roles & real.parts.keys())}


def blocks(text: str) -> Iterator[str]:
    """The rows of a file, each from its [[table]] line on."""
    starts = [match.start() for match in re.finditer(r"^\[\[", text, re.M)] + [len(text)]
    yield from (text[start:end].rstrip() + "\n" for start, end in pairwise(starts))


def id_of(block: str) -> str:
    found = re.search(r'^(?:sku|id) = "([^"]+)"', block, re.M)
    return found[1] if found else ""


def keep_rows(ids: set[str]) -> None:
    files = [
        REAL / "accelerators.toml",
        REAL / "models.toml",
        *REAL.glob("platforms/*.toml"),
        *REAL.glob("parts/*.toml"),
    ]
    for path in sorted(files):
        rows = [bare(block) for block in blocks(path.read_text(encoding="utf-8")) if id_of(block) in ids]
        if rows:
            target = FROZEN / path.relative_to(REAL)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("\n".join(rows), encoding="utf-8")


def bare(block: str) -> str:
    """A row without the section comments that follow it; models only offered instead of it may not be here."""
    lines = [line for line in block.splitlines() if not line.startswith("#") and not line.startswith("instead")]
    return "\n".join(lines).rstrip() + "\n"


def keep_sources() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(FROZEN.rglob("*.toml")))
    used = set(re.findall(r'source = "([^"]+)"', text))
    for path in sorted((REAL / "sources").glob("*.toml")):
        rows = [block for block in blocks(path.read_text(encoding="utf-8")) if id_of(block) in used]
        if rows:
            target = FROZEN / "sources" / path.name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("\n".join(bare(row) for row in rows), encoding="utf-8")


def write_prices(real: Catalog, skus: set[str]) -> None:
    with (FROZEN / "prices.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["sku", "price", "currency", "tax_included", "on", "until", "source", "supplier"])
        for sku in sorted(skus):
            row = current_price(real, sku, DAY)
            if row is not None:
                tax = "true" if row.tax_included else "false"
                writer.writerow(
                    [sku, row.price, row.currency, tax, "2026-11-28", "2026-12-31", "frozen-offer", "Test supplier"]
                )


if __name__ == "__main__":
    main()
