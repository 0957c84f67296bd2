"""How far published tables are met, as a page: ``python tests/published_table.py`` writes docs/published.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from published import facility, sizing
from published.rows import Row, misses, mutation_score

ROOT = Path(__file__).resolve().parent
PAGE = ROOT.parent / "docs" / "published.md"
HEAD = """# Published tables against the program

Made by `python tests/published_table.py`; a test compares it. The rows are in `tests/published/`, one test each
(`tests/test_published_sizing.py`, `tests/test_published_facility.py`); every row calls a public function of ours.

* *scored*: rows with a value to hold; rows for information are not counted.
* *matched*: within the row's own tolerance; rows of what must not come out count when it does not.
* *mutation*: share of the matched rows that turn red when the called function's result is half as large again.
  Where a row's own band would hide that (a factor of two, a lower bound), the published rule's value holds it too.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field of published rows with its expected misses."""

    title: str
    rows: Sequence[Row]
    missed: dict[str, str]


FIELDS: tuple[tuple[str, Callable[[], list[Row]], str], ...] = (
    ("Sizing", sizing.rows, "misses_sizing.toml"),
    ("Power, heat, room, ownership and networks", facility.rows, "misses_facility.toml"),
)


def fields() -> list[Field]:
    """Every field, read anew."""
    folder = ROOT / "published"
    return [Field(title=title, rows=rows(), missed=misses(folder / file)) for title, rows, file in FIELDS]


def percent(share: Decimal) -> str:
    return f"{share * 100:.1f} %"


def by_kind(field: Field) -> list[str]:
    """One line a kind, and the sum."""
    kinds = dict.fromkeys(row.kind for row in field.rows)
    lines = [_line(kind, [row for row in field.rows if row.kind == kind]) for kind in kinds]
    return [line for line in lines if line] + [_line("**all**", field.rows)]


def _line(kind: str, rows: Sequence[Row]) -> str:
    scored = [row for row in rows if row.scored]
    held = [row for row in scored if row.holds()]
    if not scored:
        return ""
    red = percent(mutation_score(scored)) if held else "—"
    calls = "" if kind.startswith("**") else ", ".join(sorted({f"`{_short(row)}`" for row in scored}))
    return f"| {kind} | {len(scored)} | {len(held)} | {len(scored) - len(held)} | {red} | {calls} |"


def _short(row: Row) -> str:
    return row.call.name.removeprefix("quoting.stages.")


def missed(field: Field) -> list[str]:
    """Expected misses with what is published, what the program answers, and why."""
    lines = [_miss(row, field.missed[row.id]) for row in field.rows if row.id in field.missed]
    return ["", "Expected misses:", "", *lines] if lines else ["", "No expected misses."]


def _miss(row: Row, reason: str) -> str:
    answer = " / ".join(_shown(value) for value in row.call.answer())
    return f"* `{row.id}`: published {_shown(row.expected)}, answered {answer}: {reason}"


def _shown(value: object) -> str:
    if not isinstance(value, Decimal):
        return str(value)
    return f"{value:,.0f}" if value >= 1000 or value == value.to_integral_value() else f"{value:.2f}"


def page() -> str:
    """The page as it stands in docs/."""
    parts = [HEAD]
    for field in fields():
        table = [
            "| kind | scored | matched | missed | mutation | functions called |",
            "|---|---|---|---|---|---|",
            *by_kind(field),
        ]
        parts.append("\n".join([f"## {field.title}", "", *table, *missed(field), ""]))
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
