"""What a document is made of before and after its pages are set: plain values, so that another process can set them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Manuscript:
    """A document as whole HTML texts, and the words that stand round them.

    ``parts`` are in page order and each starts on a page of its own; the first page of all is the cover. ``head`` is
    what every text has up to its body. ``stationery`` is a body of two pages: what is printed over the cover, and over
    every other page. The table of contents stands after ``contents_after`` parts under ``contents_title``; ``folio``
    are the words round a page's number and the count of pages.
    """

    parts: tuple[str, ...]
    head: str
    stationery: str
    contents_title: str
    contents_after: int
    folio: tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Mark:
    """A heading on a set page: level 1 or 2, its words, and its place in CSS pixels from the page's top left."""

    level: int
    label: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Notes:
    """What is told of a set page: its headings, and id, x and y, in CSS pixels, of each element with an id."""

    marks: tuple[Mark, ...] = ()
    places: tuple[tuple[str, float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Leaf:
    """One page of the finished document: in which stack it is set, its place there, and what is told of it.

    A page of the contents is in no stack.
    """

    stack: int | None
    page: int
    notes: Notes = Notes()
