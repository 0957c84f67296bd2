"""Mistakes we tell people about, with the exit code each has.

1 is our bug, 2 a wrong form or catalogue, 3 a finding that fails under ``--strict``, 4 something outside
(disk, mail, missing font or library). People see one line a mistake, never a traceback, for 2, 3 and 4.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that is wrong in a file somebody wrote: where, what, and what to type instead."""

    file: str
    place: str  # dotted key, with list positions from 1: "workload[2].params", or "line 7"
    problem: str  # "unknown key", "not a power"
    expected: str = ""  # what would be right, with an example
    nearest: str = ""  # the nearest valid name

    def line(self) -> str:
        """The mistake as one line of text."""
        text = f"{self.file}: {self.place}: {self.problem}"
        if self.expected:
            text += f"; expected {self.expected}"
        if self.nearest:
            text += f"; did you mean {self.nearest}?"
        return text


class QuotingError(Exception):
    """Base of what the command line turns into a line and an exit code."""

    exit_code = 1


class Mistakes(QuotingError):
    """A form or catalogue is wrong; holds all mistakes found at once."""

    exit_code = 2

    def __init__(self, mistakes: list[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(mistake.line() for mistake in mistakes))


class Outside(QuotingError):
    """Something outside the program is missing or refuses: font, library, disk. ``remedy`` is a line to type."""

    exit_code = 4

    def __init__(self, problem: str, remedy: str = "") -> None:
        self.problem, self.remedy = problem, remedy
        super().__init__(f"{problem}; {remedy}" if remedy else problem)
