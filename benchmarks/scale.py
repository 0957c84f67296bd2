"""Time and memory of a plan of 8, 64, 512 and 2,048 nodes: networks, bill, racks, price. See benchmarks/README.md.

Every size of every room runs in a process of its own, so that its peak of memory is its own; the exit code is 1 when
2,048 nodes take more than the limits, or when the cost grows faster than the number of nodes.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

from quoting import load_catalog, read_form
from quoting.requirement import SiteNeed
from quoting.stages.bom import bom
from quoting.stages.demand import demand
from quoting.stages.fit import fit
from quoting.stages.price import price
from quoting.stages.site import site

ROOT = Path(__file__).resolve().parent.parent
FORM = ROOT / "examples" / "cluster.toml"
DAY = date(2026, 11, 30)
SIZES = (8, 64, 512, 2048)
ROUNDS = 5
MOST_SECONDS = 0.5
MOST_MB = 300
GROWTH = 1.2  # of the cost a node, from 512 to 2,048 nodes: no worse than linear, and the noise of a shared machine


def rooms(example: SiteNeed) -> dict[str, SiteNeed]:
    """The example's few racks; a room that sets no limits; one so weak that every remedy is tried and taken."""
    weak = replace(example, racks=None, rack_power_kw=Decimal(6), cooling_kw=Decimal(5), ups_kva=Decimal(20))
    return {"small": example, "open": SiteNeed(), "remedied": replace(weak, accept=("all",))}


def planner(nodes: int, room: str) -> Callable[[], object]:
    """A call that makes the whole plan of so many nodes from the example's form and its chosen server."""
    catalog = load_catalog()
    form = read_form(FORM, catalog)
    requirement = replace(form, site=rooms(form.site)[room])
    needed = demand(requirement, catalog)
    chosen = fit(requirement, needed, catalog, DAY).chosen
    assert chosen is not None
    assert chosen.cards
    assert chosen.nodes
    plan = replace(chosen, nodes=nodes, cards=chosen.cards // chosen.nodes * nodes)

    def make() -> object:
        bill = bom(requirement, needed, plan, catalog)
        racks = site(requirement, plan, bill, catalog)
        return price(requirement, plan, bill, racks, catalog, DAY)

    return make


def measure(nodes: int, room: str) -> tuple[float, float]:
    """Median seconds of a plan and the peak of this process in MB."""
    make, times = planner(nodes, room), []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        make()
        times.append(time.perf_counter() - start)
    return statistics.median(times), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def in_process(nodes: int, room: str) -> tuple[float, float]:
    """``measure`` in a process of its own."""
    command = [sys.executable, __file__, "--nodes", str(nodes), "--room", room]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds, megabytes = map(float, done.stdout.split())
    return seconds, megabytes


def table(room: str) -> bool:
    """Measure one room at every size, print it, and say whether it keeps to the limits."""
    found = {size: in_process(size, room) for size in SIZES}
    for size, (seconds, megabytes) in found.items():
        each = seconds / size * 1e6
        print(f"{room:9} {size:5} nodes {seconds * 1000:8.1f} ms {each:8.1f} us a node {megabytes:6.0f} MB")
    seconds, megabytes = found[SIZES[-1]]
    growth = seconds / SIZES[-1] / (found[SIZES[-2]][0] / SIZES[-2])
    print(f"{room:9} cost a node, {SIZES[-1]} against {SIZES[-2]} nodes: {growth:.2f}x", flush=True)
    return seconds <= MOST_SECONDS and megabytes <= MOST_MB and growth <= GROWTH


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--room", default="open")
    arguments = parser.parse_args()
    if arguments.nodes:
        print(*measure(arguments.nodes, arguments.room))
        return 0
    kept = [table(room) for room in rooms(SiteNeed())]
    return int(not all(kept))


if __name__ == "__main__":
    sys.exit(main())
