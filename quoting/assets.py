"""Finds the folders the program reads: catalogue and templates.

A flag wins, then the copy installed with the package, then the root of the repository. The working directory is
never looked at, so the same command means the same everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from quoting.errors import Outside

_PACKAGE = Path(__file__).resolve().parent


def asset_folder(name: str, flag: Path | None = None) -> Path:
    """The folder ``name`` ("catalog", "templates"); raises Outside when the flag or the installation lacks it."""
    if flag is not None:
        if flag.is_dir():
            return flag
        raise Outside(f"no folder {flag}", "give a folder that exists")
    for candidate in (_PACKAGE / "_assets" / name, _PACKAGE.parent / name):
        if candidate.is_dir():
            return candidate
    raise Outside(f"the installation has no folder {name}", "install the package again")


def catalog_folder(flag: Path | None = None) -> Path:
    """The folder of the catalogue's TOML files and prices.csv."""
    return asset_folder("catalog", flag)


def templates_folder(flag: Path | None = None) -> Path:
    """The folder of templates; ``words/<language>/`` inside it holds the sentences."""
    return asset_folder("templates", flag)


def templates_digest(flag: Path | None = None) -> str:
    """SHA-256 over name and bytes of every template: the program's own, then those of the company's folder."""
    total = sha256()
    for root in [templates_folder(), *([templates_folder(flag)] if flag is not None else [])]:
        for path in sorted(path for path in root.rglob("*") if path.is_file()):
            content = path.read_bytes()
            total.update(f"{path.relative_to(root).as_posix()}\0{len(content)}\0".encode())
            total.update(content)
    return total.hexdigest()


def stylesheet(roots: Sequence[Path]) -> Path:
    """The proposal's stylesheet: that of the last templates folder that has one."""
    files = (root / "proposal" / "proposal.css" for root in reversed(roots))
    return next(file for file in files if file.is_file())
