"""Measure what the README claims. See benchmarks/README.md."""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quoting.documents.manuscript import Manuscript
    from quoting.documents.render import Press

ROOT = Path(__file__).resolve().parent.parent
FORM = ROOT / "examples" / "enterprise.toml"
DAY = "2026-11-30"
CHROMIUM = [
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-pdf-header-footer",
]  # fmt: skip


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def paired(ours: Callable[[], float], theirs: Callable[[], float], rounds: int) -> tuple[float, float, float]:
    """Medians of both and the median of the pairwise ratios, one warm-up each."""
    ours(), theirs()
    pairs = [(ours(), theirs()) for _ in range(rounds)]
    ratio = statistics.median(mine / other for mine, other in pairs)
    return statistics.median(p[0] for p in pairs), statistics.median(p[1] for p in pairs), ratio


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def make_quote_ms(rounds: int = 50) -> float:
    from quoting import load_catalog, make_quote, read_form

    catalog = load_catalog()
    requirement = read_form(FORM, catalog)
    make_quote(requirement, catalog, date.fromisoformat(DAY))
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        make_quote(requirement, catalog, date.fromisoformat(DAY))
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1000


def load_catalog_ms() -> float:
    code = (
        "import time; s = time.perf_counter(); from quoting.catalog import load_catalog; load_catalog(); "
        "print(time.perf_counter() - s)"
    )
    runs = [
        float(subprocess.run(python(code), cwd=ROOT, check=True, capture_output=True, text=True).stdout)
        for _ in range(7)
    ]
    return statistics.median(runs) * 1000


def page_variants(folder: Path) -> list[Path]:
    """The proposal's HTML as Chromium can print it: with our font files, by the font's name only, with system fonts.

    All parts stand in one text with their table of contents; running heads and page numbers are margin boxes.
    """
    from quoting.assets import templates_folder
    from quoting.catalog import load_catalog
    from quoting.documents.fonts import font_faces
    from quoting.documents.formats import keep_units
    from quoting.documents.proposal import manuscript, proposal_html
    from quoting.documents.render import press
    from quoting.documents.view import customer_view
    from quoting.documents.words import load_words
    from quoting.forms import read_form
    from quoting.quote import make_quote

    catalog, roots = load_catalog(), (templates_folder(),)
    quote = make_quote(read_form(FORM, catalog), catalog, date.fromisoformat(DAY))
    words = load_words("zh", roots)
    view = customer_view(quote, catalog, words)
    css = (roots[0] / "proposal" / "proposal.css").read_text(encoding="utf-8")
    pages = manuscript(view, words, roots)
    contents = table_of_contents(pages, press(roots[0] / "proposal" / "proposal.css"))
    html = keep_units(proposal_html(view, words, roots))
    html = html.replace('<div class="part">', f'{contents}<div class="part">', 2)
    html = html.replace(contents, "", 1)  # it stands before the second part
    frame = (Path(__file__).parent / "chromium.css").read_text(encoding="utf-8")
    for name, text in (
        ("HEAD-LEFT", view.seller.short),
        ("HEAD-RIGHT", f"{quote.number} · {words.say('proposal.revision_first')}"),
        ("FOOT-LEFT", words.say("proposal.foot")),
        ("BEFORE", pages.folio[0]),
        ("MIDDLE", pages.folio[1]),
        ("AFTER", pages.folio[2]),
    ):
        frame = frame.replace(name, text)
    if view.draft:
        html = html.replace("<body>", f'<body><div class="watermark">{words.say("ui.draft")}</div>')
    styles = {
        "ours": font_faces() + css + frame,
        "named": css + frame,
        "system": (css + frame).replace('"Quoting Sans"', "sans-serif"),
    }
    files = []
    for name, style in styles.items():
        file = folder / f"{name}.html"
        file.write_text(html.replace("</head>", f"<style>{style}</style></head>"), encoding="utf-8")
        files.append(file)
    return files


def table_of_contents(pages: Manuscript, shared: Press) -> str:
    """The contents with the numbers our own pages have: Chromium cannot ask for them."""
    from quoting.documents import typesetting
    from quoting.documents.binding import frame_html
    from quoting.documents.render import at_press

    with at_press(60):
        told = [typesetting.notes(typesetting.lay(stack, shared)) for stack in typesetting.stacks(pages)]
    frame = frame_html(pages, typesetting.leaves_of(pages, *told))
    start = frame.index('<div class="contents">')
    return frame[start : frame.index("</section>", start)]


def chromium_command(page: Path, folder: Path) -> list[str]:
    return [
        shutil.which("chromium") or "chromium", *CHROMIUM, f"--user-data-dir={folder / 'profile'}",
        f"--print-to-pdf={folder / 'page.pdf'}", page.as_uri(),
    ]  # fmt: skip


def cold_against_chromium(rounds: int = 7) -> str:
    if not shutil.which("chromium"):
        return "chromium is not installed: no peer, no ratio"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        variants = {
            file: min(seconds(chromium_command(file, folder)) for _ in range(3)) for file in page_variants(folder)
        }
        fastest = min(variants, key=lambda file: variants[file])

        def ours() -> float:
            out = Path(tempfile.mkdtemp(dir=folder))
            return seconds([sys.executable, "-m", "quoting", "make", str(FORM), "--out", str(out), "--day", DAY])

        mine, theirs, ratio = paired(ours, lambda: seconds(chromium_command(fastest, folder)), rounds)
        same = same_pages(next(folder.glob("*/*/client/proposal.zh.pdf")), folder / "page.pdf")
        return f"{mine:.2f} s against {theirs:.2f} s ({fastest.stem}): {ratio:.2f}x; {same}"


def warm_against_chromium(rounds: int = 7) -> str:
    """One more proposal of a process that has made one, against Chromium printing the fastest variant of the page."""
    if not shutil.which("chromium"):
        return "chromium is not installed: no peer, no ratio"
    from quoting import load_catalog, make_quote, read_form, write_proposal
    from quoting.assets import stylesheet, templates_folder
    from quoting.documents.setter import page_setter

    catalog = load_catalog()
    quote = make_quote(read_form(FORM, catalog), catalog, date.fromisoformat(DAY))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = page_variants(folder)
        fastest = min(files, key=lambda file: min(seconds(chromium_command(file, folder)) for _ in range(3)))

        with page_setter(stylesheet((templates_folder(),))) as setter:

            def ours() -> float:
                start = time.perf_counter()
                write_proposal(quote, folder / "warm.pdf", "zh", catalog=catalog, setter=setter)
                return time.perf_counter() - start

            mine, theirs, ratio = paired(ours, lambda: seconds(chromium_command(fastest, folder)), rounds)
        same = same_pages(folder / "warm.pdf", folder / "page.pdf")
        return f"{mine:.2f} s against {theirs:.2f} s ({fastest.stem}): {ratio:.2f}x; {same}"


def same_pages(ours: Path, theirs: Path) -> str:
    """Pages and letters of both PDFs: the same work was done."""
    from pypdf import PdfReader

    counts = []
    for path in (ours, theirs):
        pages = PdfReader(path).pages
        letters = sum(len("".join(page.extract_text().split())) for page in pages)
        counts.append(f"{len(pages)} pages, {letters} letters")
    return " against ".join(counts)


def memory_over_documents(count: int = 200) -> str:
    """Resident memory after the tenth and after the last of many proposals of one process."""
    from quoting import load_catalog, make_quote, read_form, write_proposal

    catalog = load_catalog()
    quote = make_quote(read_form(ROOT / "examples" / "entry.toml", catalog), catalog, date.fromisoformat(DAY))
    sizes = []
    with tempfile.TemporaryDirectory() as name:
        for _ in range(count):
            write_proposal(quote, Path(name) / "p.pdf", "zh", catalog=catalog)
            sizes.append(resident_mb())
    return f"{sizes[9]:.0f} MB after 10 documents, {sizes[-1]:.0f} MB after {count}"


def resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1024 / 1024


def help_ratio() -> str:
    mine, theirs, ratio = paired(
        lambda: seconds([sys.executable, "-m", "quoting", "--help"]),
        lambda: seconds(python("import typer, pydantic")),
        15,
    )
    return f"{mine * 1000:.0f} ms against {theirs * 1000:.0f} ms: {ratio:.2f}x"


def peak_memory_mb() -> float:
    with tempfile.TemporaryDirectory() as out:
        command = [sys.executable, "-m", "quoting", "make", str(FORM), "--out", out, "--day", DAY]
        quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
        pid = os.posix_spawn(sys.executable, command, os.environ, file_actions=quiet)
        _, _, usage = os.wait4(pid, 0)
    return usage.ru_maxrss / 1024


def main() -> None:
    os.chdir(ROOT)
    print(f"make_quote, median       {make_quote_ms():8.1f} ms")
    print(f"load_catalog, cold       {load_catalog_ms():8.1f} ms")
    print(f"--help                   {help_ratio()}")
    print(f"make, cold               {cold_against_chromium()}")
    print(f"proposal, warm           {warm_against_chromium()}")
    print(f"peak memory of make      {peak_memory_mb():8.0f} MB")
    print(f"memory                   {memory_over_documents()}")


if __name__ == "__main__":
    main()
