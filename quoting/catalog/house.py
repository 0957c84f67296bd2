"""The house's logo file and colours, as the files of a catalogue give them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from quoting.catalog.files import Layer
from quoting.errors import Mistake
from quoting.rows import House, Logo

LOGO_CAP = 512 * 1024  # bytes
_ALLOWED = f"a PNG or SVG file of at most {LOGO_CAP // 1024} KB beside house.toml"
_SHORT = 4  # of #rgb


def read_logo(roots: Sequence[Path], layers: Sequence[Layer], mistakes: list[Mistake]) -> Logo | None:
    """The logo that the last house.toml with one names, its bytes kept with the layer's files; None without one.

    A name that leads out of its folder, is no PNG or SVG, or is too large becomes a mistake.
    """
    for root, layer in reversed(list(zip(roots, layers, strict=True))):
        house = layer.single.get("house")
        name = house.data.get("logo") if house else None
        if house and isinstance(name, str):
            return _read(root, layer, house.file, name, mistakes) if name else None
    return None


def _read(root: Path, layer: Layer, file: str, name: str, mistakes: list[Mistake]) -> Logo | None:
    content, problem = _content(root, name)
    if content is None:
        mistakes.append(Mistake(file, "logo", problem, _ALLOWED))
        return None
    layer.files.append((name, content))
    return Logo(f"{root.name}/{name}", content)


def _content(root: Path, name: str) -> tuple[bytes | None, str]:
    """The bytes of the file, or why there are none."""
    if not name.lower().endswith((".png", ".svg")):
        return None, f"{name[:40]} is neither PNG nor SVG"
    try:
        path = (root / name).resolve()
        if not path.is_relative_to(root.resolve()):
            return None, f"{name[:40]} leads out of its folder"
        if not path.is_file():
            return None, f"there is no file {name[:40]}"
        with path.open("rb") as stream:
            content = stream.read(LOGO_CAP + 1)
    except (OSError, ValueError):
        return None, f"{name[:40]} cannot be read"
    return (content, "") if len(content) <= LOGO_CAP else (None, f"{name[:40]} is too large")


def full_colours(house: House) -> House:
    """The house with #rgb written as #rrggbb, as every program understands it."""
    return replace(house, colour=_full(house.colour), accent=_full(house.accent))


def _full(colour: str) -> str:
    return "#" + "".join(digit * 2 for digit in colour[1:]) if len(colour) == _SHORT else colour
