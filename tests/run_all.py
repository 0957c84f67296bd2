"""Everything that must hold before a change is good: lint, types, tests, catalogue, examples in both languages.

Called by ``./run test``. Arguments go to pytest; with arguments only pytest runs.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def step(name: str, *command: str) -> bool:
    print(f"== {name}", flush=True)
    return subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=False).returncode == 0


def examples(folder: str) -> bool:
    forms = [str(path) for path in sorted((ROOT / "examples").glob("*.toml"))]
    made = [
        step(f"examples ({language})", "quoting", "make", *forms, "--lang", language, "--out", f"{folder}/{language}")
        for language in ("zh", "en")
    ]
    return all(made) and bool(forms)


def main() -> int:
    if len(sys.argv) > 1:
        return 0 if step("tests", "pytest", *sys.argv[1:]) else 1
    with tempfile.TemporaryDirectory() as folder:
        results = {
            "lint": step("lint", "ruff", "check", "."),
            "format": step("format", "ruff", "format", "--check", "."),
            "types": step("types", "mypy"),
            "catalogue": step("catalogue", "quoting", "catalog", "check"),
            "examples": examples(folder),
            "tests": step("tests", "pytest"),
        }
    failed = [name for name, good in results.items() if not good]
    print(f"failed: {', '.join(failed)}" if failed else "all good", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
