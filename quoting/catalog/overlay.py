"""A company's own catalogue folder: where a value came from, and an example to start from."""

from __future__ import annotations

from pathlib import Path

from quoting.assets import templates_folder
from quoting.errors import Outside
from quoting.rows import Catalog

_KINDS = ("parts", "models", "tiers", "rules", "sources", "rates")


def layer_of(catalog: Catalog, id: str) -> str:
    """The overlay that row ``id`` ("gpu-l20-48g", "circuit_80pct", "house.phone") came from; "" is our own.

    Raises KeyError when the catalogue has no such row.
    """
    if id in catalog.overlaid:
        return catalog.overlaid[id]
    for kind in _KINDS:
        rows = getattr(catalog, kind)
        if id in rows:
            own: str = getattr(rows[id], "layer", "")
            return own or catalog.overlaid.get(f"{kind[:-1]}.{id}", "")
    if id.startswith(("house.", "terms.")):
        return ""
    raise KeyError(id)


def init_overlay(folder: Path, templates: Path | None = None) -> list[Path]:
    """Write the commented example overlay into ``folder`` and name its files; raises Outside over what is there."""
    example = templates_folder(templates) / "overlay"
    try:
        if folder.exists() and any(folder.iterdir()):
            raise Outside(f"{folder} is not empty", "give a new folder")
        return _copy(example, folder)
    except OSError as error:
        raise Outside(f"cannot write to {folder}: {error.strerror}", "give a new folder") from error


def _copy(example: Path, folder: Path) -> list[Path]:
    written = []
    for source in sorted(path for path in example.rglob("*") if path.is_file()):
        target = folder / source.relative_to(example)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
        written.append(target)
    return written
