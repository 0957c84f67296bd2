"""Set pages to one PDF: numbered, with contents, bookmarks and links, and with what every page shares.

The frame is a thin document with one page for each page of the book: page numbers, references to pages, contents.
The set pages are laid under its pages; what every page shares is set once, as the frame's last two pages, and laid over
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from io import BytesIO
from typing import Any

from quoting.documents.formats import columns
from quoting.documents.manuscript import Leaf, Manuscript, Mark
from quoting.errors import Outside

_ONE_COLUMN = 36  # lines of contents a page holds
_PAGE_OF_CONTENTS = 2 * _ONE_COLUMN
_STATIONERY = 2
_WHOLE, _HALF = 96, 42  # Latin characters of a heading that fit a line of one column, and of two
_LEADER = " ··· "
_REFERENCE = "page-of"
_POINTS = 0.75  # a CSS pixel in points


@dataclass(frozen=True, slots=True)
class Heading:
    """A line of the contents: the heading and its page, counted from 1."""

    mark: Mark
    page: int


def with_contents(manuscript: Manuscript, parts: Sequence[Sequence[Leaf]]) -> list[Leaf]:
    """The leaves of all parts in their order, and so many for the contents as these need."""
    before = [leaf for part in parts[: manuscript.contents_after] for leaf in part]
    after = [leaf for part in parts[manuscript.contents_after :] for leaf in part]
    lines = sum(len(leaf.notes.marks) for leaf in (*before, *after))
    return [*before, *(Leaf(None, 0) for _ in range(0, lines, _PAGE_OF_CONTENTS)), *after]


def frame_html(manuscript: Manuscript, leaves: Sequence[Leaf]) -> str:
    """The frame as one HTML text: a section for each leaf, then the stationery's two pages."""
    headings = [Heading(mark, page) for page, leaf in enumerate(leaves, 1) for mark in leaf.notes.marks]
    listed = iter(_cut(headings, _PAGE_OF_CONTENTS))
    title = f'<h1 class="first">{escape(manuscript.contents_title)}</h1>'
    pages = {name: page for page, leaf in enumerate(leaves, 1) for name, _, _ in leaf.notes.places}
    sections: list[str] = []
    for page, leaf in enumerate(leaves, 1):
        inside = _folio(manuscript.folio, page, len(leaves)) if page > 1 else ""
        inside += "".join(_references(leaf, pages))
        if leaf.stack is None:
            inside, title = f'<div class="contents">{title}{_contents(next(listed))}</div>{inside}', ""
        sections.append(f'<section class="leaf" id="p{page}">{inside}</section>')
    return f"{manuscript.head}<body>{''.join(sections)}{manuscript.stationery}</body></html>"


def _folio(words: tuple[str, str, str], page: int, pages: int) -> str:
    before, middle, after = (escape(word) for word in words)
    return f'<p class="folio">{before}{page}{middle}{pages}{after}</p>'


def _references(leaf: Leaf, pages: Mapping[str, int]) -> Iterator[str]:
    """The number of the page that holds ``name``, wherever an element with the id ``page-of.name.…`` stands."""
    for id, x, y in leaf.notes.places:
        kind, _, rest = id.partition(".")
        page = pages.get(rest.partition(".")[0])
        if kind == _REFERENCE and page is not None:
            yield f'<p class="page-of" style="left:{x:.2f}px;top:{y:.2f}px">{page}</p>'


def _contents(headings: Sequence[Heading]) -> str:
    if len(headings) <= _ONE_COLUMN:
        return "".join(_line(heading, _WHOLE) for heading in headings)
    half = _nearest_chapter(headings, len(headings) // 2)
    halves = ("".join(_line(heading, _HALF) for heading in part) for part in (headings[:half], headings[half:]))
    return "".join(f'<div class="half">{column}</div>' for column in halves)


def _nearest_chapter(headings: Sequence[Heading], middle: int) -> int:
    """Where the second column starts: at a chapter, the one next to the middle."""
    fits = range(max(1, len(headings) - _ONE_COLUMN), _ONE_COLUMN + 1)
    chapters = [place for place, heading in enumerate(headings) if heading.mark.level == 1 and place in fits]
    return min(chapters, key=lambda place: abs(place - middle), default=middle)


def _line(heading: Heading, room: int) -> str:
    """Heading and page as one text: a box of its own for the number costs as much as the line."""
    label = escape(_fitting(heading.mark.label, room))
    return f'<a class="level{heading.mark.level}" href="#p{heading.page}">{label}{_LEADER}{heading.page}</a>'


def _fitting(label: str, room: int) -> str:
    if columns(label) <= room:
        return label
    while columns(label) > room - 1:
        label = label[:-1]
    return f"{label.rstrip()}…"


def _cut(headings: Sequence[Heading], size: int) -> list[Sequence[Heading]]:
    return [headings[start : start + size] for start in range(0, len(headings), size)]


def bind(first: bytes, second: bytes, frame: bytes, leaves: Sequence[Leaf]) -> bytes:
    """One PDF of both stacks and the frame, which holds a page a leaf and then the stationery."""
    from pikepdf import ObjectStreamMode, Pdf

    opened = [Pdf.open(BytesIO(pdf)) if pdf else Pdf.new() for pdf in (frame, first, second)]
    book, *stacks = opened
    for turn, stack in enumerate(stacks, 1):
        _rename_subsets(stack, turn)
    if len(book.pages) != len(leaves) + _STATIONERY:
        raise Outside("the frame does not fit its pages", "keep @page leaf and .leaf of our proposal.css in your own")
    over = [page.as_form_xobject() for page in book.pages[-_STATIONERY:]]
    del book.pages[-_STATIONERY:]
    for page, leaf in zip(book.pages, leaves, strict=True):
        under = None if leaf.stack is None else stacks[leaf.stack].pages[leaf.page].as_form_xobject()
        _between(book, page, under, over[0 if leaf is leaves[0] else 1])
    _bookmark(book, leaves)
    written = BytesIO()
    book.save(written, deterministic_id=True, object_stream_mode=ObjectStreamMode.generate)
    for pdf in opened:
        pdf.close()
    return written.getvalue()


def _between(book: Any, page: Any, under: Any, over: Any) -> None:
    """Put a page's own content over ``under`` and below ``over``, by names that are the same in every run."""
    from pikepdf import Dictionary

    drawn = Dictionary(page.resources.get("/XObject", {}))
    drawn["/Over"] = over
    before = b"q"
    if under is not None:
        drawn["/Under"] = book.copy_foreign(under)
        before = b"q /Under Do Q q"
    # The renderer lets all pages share one dictionary of resources: this page gets its own.
    page.obj.Resources = Dictionary(page.resources)
    page.obj.Resources["/XObject"] = drawn
    page.contents_add(before, prepend=True)
    page.contents_add(b"Q q /Over Do Q")


def _rename_subsets(pdf: Any, turn: int) -> None:
    """Subsets of one font in a book must not have one name: what is known of one would be taken for the other."""
    from pikepdf import Dictionary, Name

    for found in pdf.objects:
        for key in ("/BaseFont", "/FontName"):
            if isinstance(found, Dictionary) and key in found:
                tag, _, font = str(found[key]).removeprefix("/").partition("+")
                found[key] = Name(f"/{tag[turn:]}{tag[:turn]}+{font}")


def _bookmark(book: Any, leaves: Sequence[Leaf]) -> None:
    """Bookmarks beside the pages: sections under their chapters, each to its place on the page."""
    from pikepdf import OutlineItem

    with book.open_outline() as outline:
        for page, leaf in enumerate(leaves):
            height = float(book.pages[page].mediabox[3])
            for mark in leaf.notes.marks:
                item = OutlineItem(mark.label, page, "XYZ", left=mark.x * _POINTS, top=height - mark.y * _POINTS)
                chapters = outline.root
                (chapters[-1].children if mark.level > 1 and chapters else chapters).append(item)
