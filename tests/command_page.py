"""The help of the command as a page: ``python tests/command_page.py`` writes docs/command.md."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from typer.main import get_command

from quoting.cli import app

PAGE = Path(__file__).resolve().parent.parent / "docs" / "command.md"
WIDTH = 100


def helps() -> Iterator[tuple[str, str]]:
    """Every command with its help text, in the order the command lists them."""
    root = get_command(app)
    yield "quoting", _text(root, "quoting")
    for name, command in root.commands.items():  # type: ignore[attr-defined]
        yield f"quoting {name}", _text(command, f"quoting {name}")
        for inner, below in getattr(command, "commands", {}).items():
            yield f"quoting {name} {inner}", _text(below, f"quoting {name} {inner}")


def _text(command: object, name: str) -> str:
    settings = {"max_content_width": WIDTH, "terminal_width": WIDTH, "help_option_names": ["-h", "--help"]}
    context = command.context_class(command, info_name=name, **settings)  # type: ignore[attr-defined]
    lines = command.get_help(context).splitlines()  # type: ignore[attr-defined]
    return "\n".join(line.rstrip() for line in lines).strip()


def page() -> str:
    parts = ["# The command\n\nMade by `python tests/command_page.py`; a test compares it.\n"]
    parts += [f"## `{name}`\n\n```\n{text}\n```\n" for name, text in helps()]
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
