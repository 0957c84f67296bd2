"""The house's own look, made safe: its logo cleaned for embedding, its colours kept readable on white paper.

A PNG is decoded and encoded anew, so nothing but its pixels is left. An SVG is rebuilt from a short list of shapes and
attributes; what could run, fetch or move is refused, what is only an editor's note is left out. A colour too light to
read on white is darkened until text in it has the contrast WCAG 2.2 asks of normal text; on a surface of the house's
colour text is black or white, whichever stands out more.
"""

from __future__ import annotations

import base64
import re
from decimal import Decimal
from functools import lru_cache
from io import BytesIO
from typing import Any

from quoting.errors import Mistake, Mistakes
from quoting.rows import House, Logo

_PIXELS = 16_000_000  # decoded size of a picture that is still looked at
_PNG_BOX = (1600, 800)  # pixels kept: 600 dots an inch on the cover
_ELEMENTS = 5000
_DEPTH = 24
_SVG = "{http://www.w3.org/2000/svg}"
_SHAPES: dict[str, frozenset[str]] = {
    "svg": frozenset(),
    "g": frozenset(),
    "title": frozenset(),
    "path": frozenset({"d"}),
    "rect": frozenset({"x", "y", "width", "height", "rx", "ry"}),
    "circle": frozenset({"cx", "cy", "r"}),
    "ellipse": frozenset({"cx", "cy", "rx", "ry"}),
    "line": frozenset({"x1", "y1", "x2", "y2"}),
    "polyline": frozenset({"points"}),
    "polygon": frozenset({"points"}),
    "defs": frozenset(),
    "linearGradient": frozenset({"x1", "y1", "x2", "y2", "gradientUnits", "gradientTransform"}),
    "radialGradient": frozenset({"cx", "cy", "r", "fx", "fy", "gradientUnits", "gradientTransform"}),
    "stop": frozenset({"offset", "stop-color", "stop-opacity"}),
}
_LOOKS = frozenset({"id", "transform", "opacity", "fill", "fill-rule", "fill-opacity"}) | frozenset(
    {"stroke", "stroke-width", "stroke-opacity", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit"}
)
_NOTES = frozenset({"metadata", "desc"})
_IGNORED = re.compile(r"(version|class|baseProfile|preserveAspectRatio|enable-background|role|(data|aria)-[a-z-]+)\Z")
_FRAME = frozenset({"x", "y", "width", "height", "viewBox"})
_VALUE = re.compile(r"[\w\s#%.,()+\-]*\Z", re.ASCII)
_LOCAL = re.compile(r"url\(#[A-Za-z_][\w\-]*\)\Z", re.ASCII)
_LENGTH = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)(?:px|pt|mm)?\Z")
_SVG_ALLOWED = "an SVG of plain shapes: " + " ".join(_SHAPES)
_PNG_ALLOWED = "a PNG of at most 16 megapixels"
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}\Z")
_CONTRAST = Decimal("4.5")
_WHITE, _BLACK = "#FFFFFF", "#000000"


@lru_cache(maxsize=8)
def logo_source(logo: Logo | None) -> str:
    """The cleaned logo as a data address, "" without one. Raises Mistakes that say what is wrong and what would do."""
    if logo is None:
        return ""
    kind, content = ("svg+xml", _svg(logo)) if logo.file.lower().endswith(".svg") else ("png", _png(logo))
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


def _png(logo: Logo) -> bytes:
    import warnings

    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            picture = Image.open(BytesIO(logo.content), formats=("PNG",))
            if picture.width * picture.height > _PIXELS:
                raise Mistakes([Mistake(logo.file, "logo", "too many pixels", _PNG_ALLOWED)])
            picture.verify()  # the page setter lets Pillow fill up what a cut file lacks
            pixels = Image.open(BytesIO(logo.content), formats=("PNG",)).convert("RGBA")
    except (OSError, ValueError, SyntaxError, Warning, Image.DecompressionBombError):
        raise Mistakes([Mistake(logo.file, "logo", "not a sound PNG picture", _PNG_ALLOWED)]) from None
    pixels.thumbnail(_PNG_BOX)
    bare = Image.frombytes("RGBA", pixels.size, pixels.tobytes())
    out = BytesIO()
    bare.save(out, format="PNG", optimize=True)
    return out.getvalue()


def _svg(logo: Logo) -> bytes:
    from xml.etree.ElementTree import ParseError, tostring

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        root = fromstring(logo.content, forbid_dtd=True)
    except (ParseError, ValueError, DefusedXmlException, RecursionError):
        raise _refused(logo, "not an SVG that can be read: no entities, no document type") from None
    if _name(root) != "svg":
        raise _refused(logo, "not an SVG picture")
    left = [_ELEMENTS]
    made = _rebuilt(logo, root, left, _DEPTH)
    width, height = _box(logo, root, made)
    made.attrib |= {"xmlns": _SVG[1:-1], "width": width, "height": height}
    return bytes(tostring(made))


def _rebuilt(logo: Logo, element: Any, left: list[int], depth: int) -> Any:
    from xml.etree.ElementTree import Element

    left[0] -= 1
    if left[0] < 0 or not depth:
        raise _refused(logo, "too many shapes, or shapes too deep in one another")
    name = _name(element)
    made = Element(name, _attributes(logo, name, element))
    made.text = element.text if name == "title" else None
    made.extend([_rebuilt(logo, child, left, depth - 1) for child in element if _kept(logo, child)])
    return made


def _name(element: Any) -> str:
    """The element's name inside SVG; "" outside."""
    tag = element.tag if isinstance(element.tag, str) else ""
    return tag.removeprefix(_SVG) if tag.startswith(_SVG) or "{" not in tag else ""


def _kept(logo: Logo, element: Any) -> bool:
    """Whether it is a shape; an editor's note is not, and anything else is refused."""
    name = _name(element)
    if not name or name in _NOTES:
        return False
    if name not in _SHAPES:
        raise _refused(logo, f"<{name[:30]}> is not allowed")
    return True


def _attributes(logo: Logo, name: str, element: Any) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in element.attrib.items():
        if key == "style":
            found |= _styled(logo, name, value)
        elif key in _SHAPES[name] or key in _LOOKS:
            found[key] = _checked(logo, key, value)
        elif not _harmless(key, name):
            raise _refused(logo, f"{key.rpartition('}')[2][:30]} at <{name}> is not allowed")
    return found


def _harmless(key: str, name: str) -> bool:
    """Whether an attribute may be left out unsaid: an editor's note, a reader's aid, or the size read elsewhere."""
    noted = "{" in key and "xlink" not in key
    return noted or bool(_IGNORED.match(key)) or (name == "svg" and key in _FRAME)


def _styled(logo: Logo, name: str, style: str) -> dict[str, str]:
    """``fill:#123;stroke:none`` as attributes; a property that is no look of a shape is left out."""
    pairs = (part.partition(":") for part in style.split(";"))
    looks = (_LOOKS | _SHAPES[name]) - {"id", "transform"}
    said = [(key.strip(), value.strip()) for key, _, value in pairs]
    if any("url" in value.lower() and key not in ("fill", "stroke") for key, value in said):
        raise _refused(logo, f"an address in the style of <{name}> is not allowed")
    return {key: _checked(logo, key, value) for key, value in said if key in looks}


def _checked(logo: Logo, key: str, value: str) -> str:
    """Numbers, names and colours; an address only within the picture."""
    text = value.strip()
    plain = _VALUE.match(text) and "url" not in text.lower()
    if not plain and not (key in ("fill", "stroke") and _LOCAL.match(text)):
        raise _refused(logo, f"{key[:30]} = {text[:40]} is not allowed")
    return text


def _box(logo: Logo, root: Any, made: Any) -> tuple[str, str]:
    """Width and height of the picture; puts a viewBox on ``made``."""
    numbers = root.get("viewBox", "").replace(",", " ").split()
    sizes = [_LENGTH.match(text) for text in (root.get("width", ""), root.get("height", ""))]
    if not numbers and all(sizes):
        numbers = ["0", "0", *(size[1] for size in sizes if size)]
    sound = len(numbers) == 4 and all(_LENGTH.match(text.removeprefix("-")) for text in numbers)
    width, height = (Decimal(text) for text in numbers[2:]) if sound else (Decimal(0), Decimal(0))
    if width <= 0 or height <= 0 or max(width, height) > 20 * min(width, height):
        raise _refused(logo, "no size, or far longer than wide: it needs a viewBox")
    made.set("viewBox", " ".join(numbers))
    return str(width), str(height)


def _refused(logo: Logo, problem: str) -> Mistakes:
    return Mistakes([Mistake(logo.file, "logo", problem, _SVG_ALLOWED)])


# --------------------------------------------------------------------------- colours


def sound_colours(house: House) -> tuple[str, str]:
    """The house's two colours as they are. Raises Mistakes for one that is not ``#rrggbb``, whatever it would set."""
    wrong = [
        Mistake("house.toml", key, "not a colour", "three or six hexadecimal digits, for example #123A5E")
        for key, value in (("colour", house.colour), ("accent", house.accent))
        if not _COLOUR.match(value)
    ]
    if wrong:
        raise Mistakes(wrong)
    return house.colour, house.accent


def luminance(colour: str) -> Decimal:
    """Relative luminance of ``#rrggbb`` from 0 to 1. Source: WCAG 2.2, definition of relative luminance."""
    red, green, blue = (_linear(int(colour[at : at + 2], 16)) for at in (1, 3, 5))
    return Decimal("0.2126") * red + Decimal("0.7152") * green + Decimal("0.0722") * blue


def _linear(level: int) -> Decimal:
    share = Decimal(level) / 255
    if share <= Decimal("0.04045"):
        return share / Decimal("12.92")
    return ((share + Decimal("0.055")) / Decimal("1.055")) ** Decimal("2.4")


def contrast(one: str, other: str) -> Decimal:
    """Contrast of two colours, 1 to 21. Source: WCAG 2.2, definition of contrast ratio."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + Decimal("0.05")) / (dark + Decimal("0.05"))


@lru_cache(maxsize=64)
def readable(colour: str) -> str:
    """The colour itself where text in it can be read on white, else darkened in its own hue until it can."""
    levels = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    for kept in range(100, -1, -2):
        shade = "#" + "".join(f"{level * kept // 100:02X}" for level in levels)
        if contrast(shade, _WHITE) >= _CONTRAST:
            return colour if kept == 100 else shade
    return _BLACK


@lru_cache(maxsize=64)
def ink_on(colour: str) -> str:
    """Black or white: the one that stands out more on a surface of ``colour``."""
    return max((_WHITE, _BLACK), key=lambda ink: contrast(ink, colour))
