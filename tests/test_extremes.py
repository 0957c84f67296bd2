"""What no example holds: a great many workloads, an offer of nothing, a heavy logo, a run that is told to end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from base64 import b64decode
from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pypdf import PdfReader

from quoting.assets import templates_folder
from quoting.deliver import deliver
from quoting.documents import write_proposal
from quoting.documents.proposal import manuscript
from quoting.documents.view import customer_view
from quoting.documents.words import load_words
from quoting.errors import Mistakes
from quoting.forms import parse_form
from quoting.quote import make_quote
from quoting.records import Quote
from quoting.rows import Catalog

ROOT = Path(__file__).resolve().parent.parent
ROOTS = (templates_folder(),)
LORA = {"model": "Qwen2.5-7B", "task": "lora", "samples": "2w条"}
BEYOND = {"params": "100T", "task": "pretrain", "tokens": "100T", "deadline": "1天"}
ALL = ["node", "rack", "pdu", "switch", "cabling", "software", "deployment", "service"]
PAGE_MM = 251  # the height of the text


def quoted(catalog: Catalog, day: date, workloads: list[dict[str, str]], **tables: Any) -> Quote:
    data = {"form_version": 1, "customer": {"name": "甲公司"}, "workload": workloads} | tables
    return make_quote(parse_form(data, catalog, "form"), catalog, day)


# ---------------------------------------------------------------------- many workloads


def titles(items: list[Any], reader: PdfReader) -> Iterator[tuple[str, int]]:
    for item in items:
        if isinstance(item, list):
            yield from titles(item, reader)
        else:
            yield item.title, (reader.get_destination_page_number(item) or 0) + 1


@pytest.mark.parametrize("count", [13, 21, 50])
def test_many_workloads_stay_on_their_pages(count: int, catalog: Catalog, day: date, tmp_path: Path) -> None:
    quote, path = quoted(catalog, day, [LORA] * count), tmp_path / "p.pdf"
    write_proposal(quote, path, "zh", catalog=catalog)
    reader = PdfReader(path)
    pages = [re.sub(r"\s+", "", page.extract_text()) for page in reader.pages]
    marks = list(titles(reader.outline, reader))
    listed = "".join(page for page in pages if page.count("···") > 5)
    assert [page for page, text in enumerate(pages, 1) if f"第{page}页共{len(pages)}页" not in text] == [1]
    assert all(one[1] <= other[1] for one, other in pairwise(marks))
    assert listed.count("···") == len(marks)
    for title, page in marks:
        assert re.sub(r"\s+", "", title)[:12] in pages[page - 1]


@pytest.mark.parametrize(("count", "pictures"), [(8, 1), (9, 2), (21, 3)])
def test_the_memory_picture_comes_in_pieces_a_page_holds(
    count: int, pictures: int, catalog: Catalog, day: date
) -> None:
    words = load_words("en", ROOTS)
    pages = manuscript(customer_view(quoted(catalog, day, [LORA] * count), catalog, words), words, ROOTS)
    sizing = pages.parts[1][: pages.parts[1].index('id="choice"')]
    drawn = [b64decode(code).decode() for code in re.findall(r"svg\+xml;base64,([^\"]+)", sizing)]
    assert len(drawn) == pictures
    heights = [float(re.search(r'height="([\d.]+)pt"', one)[1]) for one in drawn]  # type: ignore[index]
    assert max(heights) / 72 * 25.4 < PAGE_MM
    assert sum(one.count("LoRA fine-tuning") for one in drawn) >= count


# ---------------------------------------------------------------------- an offer of nothing


@pytest.mark.parametrize(
    ("workload", "tables"), [(BEYOND, {}), (LORA, {"scope": {"exclude": ALL}})], ids=["no plan", "all left out"]
)
def test_nothing_is_not_offered_for_nothing(
    workload: dict[str, str], tables: dict[str, Any], catalog: Catalog, day: date, tmp_path: Path
) -> None:
    quote = quoted(catalog, day, [workload], **tables)
    price = quote.price
    assert (price.total, price.net, price.tax, price.total_upper) == (None, None, None, None)
    assert quote.status == "draft"
    write_proposal(quote, tmp_path / "p.pdf", "zh", catalog=catalog)
    text = "".join(page.extract_text() for page in PdfReader(tmp_path / "p.pdf").pages)
    assert "待定" in text
    assert "零元" not in text
    tender = quoted(catalog, day, [workload], document={"mode": "tender"}, **tables)
    with pytest.raises(Mistakes, match="a tender needs a price"):
        deliver(tender, catalog, tmp_path / "out", "zh")
    assert not (tmp_path / "out").exists()


# ---------------------------------------------------------------------- the whole command


def command(*more: object) -> list[str]:
    form = ROOT / "examples" / "entry.toml"
    return [sys.executable, "-P", "-m", "quoting", "make", str(form), "--day", "2026-11-30", *map(str, more)]


def test_a_heavy_logo_is_set(tmp_path: Path) -> None:
    house = tmp_path / "house"
    house.mkdir()
    Image.effect_noise((900, 500), 60).save(house / "logo.png")
    assert (house / "logo.png").stat().st_size > 400_000
    (house / "house.toml").write_text('logo = "logo.png"\n', encoding="utf-8")
    done = subprocess.run(
        command("--catalog", house, "--out", tmp_path / "out"), capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
@pytest.mark.parametrize("after", [0.3, 0.9, 1.3])
@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_a_run_told_to_end_leaves_nothing_half_written(told: signal.Signals, after: float, tmp_path: Path) -> None:
    running = subprocess.Popen(
        command("--out", tmp_path / "out"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )
    time.sleep(after)
    running.send_signal(told)
    running.communicate(timeout=30)
    # A fast machine may have made all of it before, a slow one may not have come to Python yet.
    assert running.returncode in (0, 130, 128 + told, -told)
    left = sorted((tmp_path / "out").glob("*")) if (tmp_path / "out").exists() else []
    assert all(not folder.name.startswith(".") for folder in left)
    assert all(len(list(folder.rglob("*.*"))) == 5 for folder in left)
