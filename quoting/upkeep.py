"""Commands that look after the program: catalogue, schemas, overlay, fonts, doctor. cli.py gives them their names."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from quoting.errors import Outside
from quoting.options import Day, Lang, Overlay, language, loaded_catalog, today


def catalog_check(catalog: Overlay = None, day: Day = None, lang: Lang = None) -> None:
    """Hold the catalogue against itself and the published tiers: shape, references, sense."""
    from quoting.checks import check_catalog
    from quoting.report import catalog_report

    notes = check_catalog(loaded_catalog(catalog), today(day))
    typer.echo(catalog_report(notes, language(lang, "zh")))
    if any(note.level == "error" for note in notes):
        raise typer.Exit(2)


def catalog_show(
    id: Annotated[str, typer.Argument(metavar="ID", help="SKU, model, rule, tier or source id.")],
    catalog: Overlay = None,
) -> None:
    """Print one row with its sources, its prices and the layer each value came from."""
    from quoting.report import row_text

    typer.echo(row_text(loaded_catalog(catalog), id))


def schema(name: Annotated[str, typer.Argument(metavar="NAME", help="form, catalog or quote.")]) -> None:
    """Print a JSON Schema."""
    from quoting.schema import schema_text

    typer.echo(schema_text(name), nl=False)


def init(folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder.")]) -> None:
    """Make a folder for your company's own prices, house and terms, to be given as --catalog."""
    from quoting.catalog import init_overlay

    for path in init_overlay(folder):
        typer.echo(path)


def fonts() -> None:
    """Prepare the Chinese font the proposal uses (once, some seconds)."""
    from quoting.documents.fonts import font_files

    for path in font_files().values():
        typer.echo(path)


def doctor() -> None:
    """Say whether everything the program needs is here, and what to type if it is not."""
    from quoting.doctor import examine

    results = examine()
    typer.echo("\n".join(result.line() for result in results))
    if not all(result.good for result in results):
        raise Outside("something is missing", "type what the lines above say")
