"""Time of the client's workbook with 5,000 priced lines, the quotation itself not counted. See benchmarks/README.md.

The exit code is 1 when the median takes more than the limit. Processor time is printed beside the clock's, since other
programs may be running.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

from quoting import load_catalog, make_quote, read_form, write_workbook
from quoting.records import Price, PricedLine, Quote, TaxTotal

ROOT = Path(__file__).resolve().parent.parent
FORM = ROOT / "examples" / "cluster.toml"
DAY = date(2026, 11, 30)
LINES = 5000
ROUNDS = 7
MOST_SECONDS = 1.5


def long_quote(quote: Quote, count: int) -> Quote:
    """The quotation with ``count`` priced lines of its own kinds, each with a name of its own, and its sums."""
    kinds = [line for line in quote.price.lines if not line.included]
    lines = tuple(_numbered(kinds[number % len(kinds)], number + 1) for number in range(count))
    return replace(quote, price=_summed(quote.price, tuple(sorted(lines, key=lambda line: line.group))))


def _numbered(line: PricedLine, number: int) -> PricedLine:
    names = {"name_zh": f"{line.name_zh} {number}", "name_en": f"{line.name_en} {number}"}
    return replace(line, no=str(number), spec_zh=f"{line.spec_zh}，第 {number} 批", **names)


def _summed(price: Price, lines: tuple[PricedLine, ...]) -> Price:
    net, tax = (sum((getattr(line, name) or Decimal(0) for line in lines), Decimal(0)) for name in ("net", "tax"))
    taxes = tuple(
        TaxTotal(
            rate=rate,
            net=sum((line.net or Decimal(0) for line in lines if line.tax_rate == rate), Decimal(0)),
            tax=sum((line.tax or Decimal(0) for line in lines if line.tax_rate == rate), Decimal(0)),
        )
        for rate in sorted({line.tax_rate for line in lines})
    )
    return replace(price, lines=lines, net=net, tax=tax, total=net + tax, priced_part=net + tax, taxes=taxes)


def main() -> int:
    catalog = load_catalog()
    quote = long_quote(make_quote(read_form(FORM, catalog), catalog, DAY), LINES)
    clock, processor = [], []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "client.xlsx"
        for _ in range(ROUNDS):
            start, used = time.perf_counter(), time.process_time()
            write_workbook(quote, path, "zh", catalog=catalog)
            clock.append(time.perf_counter() - start)
            processor.append(time.process_time() - used)
        size = path.stat().st_size
    print(f"{LINES} lines, {size / 1000:.0f} kB")
    for name, times in (("clock", clock), ("processor", processor)):
        print(f"{name:10} median {statistics.median(times):.2f} s, first {times[0]:.2f} s, slowest {max(times):.2f} s")
    return int(statistics.median(clock) > MOST_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
