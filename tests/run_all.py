"""Everything that must hold before a change is good: lint, types, catalogue, examples in both languages, tests.

Called by ``./run test``. Arguments go to pytest; with arguments only pytest runs. The tests come last, so that the
last line is the one that counts them, unless an earlier step failed: then that is said last.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic

ROOT = Path(__file__).resolve().parent.parent


def step(name: str, *command: str, quiet: bool = False) -> bool:
    """Run one module of Python, say how it went and how long it took; what it printed is shown unless quiet."""
    print(f"== {name}", flush=True)
    start = monotonic()
    done = subprocess.run(
        [sys.executable, "-P", "-m", *command],
        cwd=ROOT,
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if quiet else None,
        stderr=subprocess.STDOUT if quiet else None,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )
    good = done.returncode == 0
    if quiet and not good:
        sys.stdout.write(done.stdout.decode(errors="replace"))
    if name != "tests":
        print(f"   {'good' if good else 'FAILED'}, {monotonic() - start:.1f} s", flush=True)
    return good


def examples(language: str) -> bool:
    """Every example form makes its quotation in the language, into a folder that is thrown away."""
    forms = [str(path) for path in sorted((ROOT / "examples").glob("*.toml"))]
    with tempfile.TemporaryDirectory() as folder:
        command = ("quoting", "make", *forms, "--lang", language, "--out", folder)
        return bool(forms) and step(f"examples ({language})", *command, quiet=True)


def main() -> int:
    """0 when everything holds, 1 when anything does not."""
    if len(sys.argv) > 1:
        return 0 if step("tests", "pytest", *sys.argv[1:]) else 1
    results = {
        "lint": step("lint", "ruff", "check", "."),
        "format": step("format", "ruff", "format", "--check", "."),
        "types": step("types", "mypy"),
        "catalogue": step("catalogue", "quoting", "catalog", "check"),
        "examples (zh)": examples("zh"),
        "examples (en)": examples("en"),
        # The same examples on every machine, however slow: chance is for who calls pytest by hand.
        "tests": step("tests", "pytest", "--hypothesis-profile=ci"),
    }
    failed = [name for name, good in results.items() if not good]
    if failed:
        print(f"failed: {', '.join(failed)}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
