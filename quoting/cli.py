"""The command. stdout is the result, stderr is talk; heavy libraries load only where they are used."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from quoting import __version__, sending, upkeep
from quoting.errors import Mistake, Mistakes, Outside, QuotingError
from quoting.options import (
    Alternatives,
    Day,
    FontDir,
    Form,
    Forms,
    Lang,
    Out,
    Overlay,
    Templates,
    language,
    loaded_catalog,
    made_quote,
    today,
    with_alternatives,
)

if TYPE_CHECKING:
    from quoting.documents.setter import Setter
    from quoting.records import Quote
    from quoting.rows import Catalog

app = typer.Typer(
    name="quoting",
    help="From an AI-computing requirement form to a sized, room-checked, priced quotation.",
    epilog="Examples:  quoting make examples/enterprise.toml  |  quoting explain FORM price.total  |  quoting doctor",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
catalog_app = typer.Typer(help="Look into the catalogue.", rich_markup_mode=None, no_args_is_help=True)
app.add_typer(catalog_app, name="catalog")


def main(setter: Setter | None = None) -> None:
    """The command: one line for a mistake, never a traceback for exit codes 2, 3 and 4. ``setter`` sets the pages."""
    try:
        app(obj=setter)
    except QuotingError as error:
        _stop(error)
    except BrokenPipeError:
        _drop_output()
        raise SystemExit(0) from None
    except OSError as error:
        if logging.getLogger("quoting").handlers:
            raise
        if error.filename is None:
            _drop_output()
        what = f"cannot read or write {error.filename}" if error.filename else "cannot write the result"
        _stop(Outside(f"{what}: {error.strerror or error}", "free some space, or name another file or folder"))
    except Exception as error:
        _own_bug(error)


def _drop_output() -> None:
    """What standard output still holds goes nowhere: Python would write it again at exit and end with 120."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _own_bug(error: Exception) -> NoReturn:
    """Exit 1: one line, and the traceback under -v for whoever mends it."""
    if logging.getLogger("quoting").handlers:
        raise error
    typer.echo(
        f"quoting: a fault of ours, {type(error).__name__}: {error}; run again with -v for the details", err=True
    )
    raise SystemExit(1) from None


def _stop(error: QuotingError) -> NoReturn:
    if isinstance(error, Mistakes):
        for mistake in error.mistakes:
            typer.echo(mistake.line(), err=True)
    else:
        typer.echo(f"quoting: {error}", err=True)
    raise SystemExit(error.exit_code)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"quoting {__version__}")
        raise typer.Exit()


@app.callback()
def _options(
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Say on stderr what is being done.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    if verbose:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("%(name)s: %(message)s"))
        logger = logging.getLogger("quoting")
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)


def _quotes(forms: list[Path], catalog: Catalog, day: date, templates: Path | None) -> list[Quote]:
    """Every form made into a quote before a file is written; the mistakes of all forms are told at once."""
    quotes: list[Quote] = []
    mistakes: list[Mistake] = []
    for form in forms:
        try:
            quotes.append(made_quote(form, catalog, day, templates))
        except Mistakes as error:
            mistakes += error.mistakes
    if mistakes:
        raise Mistakes(mistakes)
    return quotes


@contextmanager
def _progress(items: list[Any]) -> Iterator[Any]:
    """A progress bar on stderr for several items on a terminal; otherwise just the items."""
    if len(items) > 1 and sys.stderr.isatty():
        with typer.progressbar(items, file=sys.stderr) as bar:
            yield bar
    else:
        yield items


@app.command(epilog="Example:  quoting make examples/enterprise.toml --lang en --out output")
def make(
    context: typer.Context,
    forms: Forms,
    out: Out = Path("output"),
    lang: Lang = None,
    day: Day = None,
    catalog: Overlay = None,
    templates: Templates = None,
    font_dir: FontDir = None,
    alternative: Alternatives = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print quote.json, one line a form.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 3 when a check fails.")] = False,
) -> None:
    """Make the quotation of each form: proposal PDF, Excel BOM, purchasing workbook, quote.json."""
    from quoting.assets import stylesheet, templates_folder

    setter: Setter | None = context.obj
    if setter is not None:
        roots = [templates_folder(), *([templates_folder(templates)] if templates else [])]
        setter.prepare(stylesheet(roots), font_dir)
    from quoting.deliver import deliver, refuse_void
    from quoting.report import summary
    from quoting.serial import json_line

    loaded = loaded_catalog(catalog)
    quotes = _quotes(forms, loaded, today(day), templates)
    for quote in quotes:
        refuse_void(quote)
    results = []
    with _progress(with_alternatives(quotes, alternative, loaded)) as bar:
        for quote in bar:
            tongue = language(lang, quote.requirement.document.language)
            files = deliver(quote, loaded, out, tongue, templates, font_dir, setter)
            results.append(json_line(quote) if as_json else summary(quote, loaded, files, tongue, templates))
    typer.echo(("\n" if as_json else "\n\n").join(results))
    if strict and any(finding.status == "fail" for quote in quotes for finding in quote.findings):
        raise typer.Exit(3)


@app.command(epilog="Example:  quoting explain examples/enterprise.toml price.total")
def explain(
    form: Form,
    figure: Annotated[str, typer.Argument(metavar="FIGURE", help="Figure id, such as price.total; 'list' lists all.")],
    day: Day = None,
    catalog: Overlay = None,
) -> None:
    """Print where a figure comes from, down to its sources."""
    from quoting.explain import trail

    quote = made_quote(form, loaded_catalog(catalog), today(day))
    lines = list(quote.figures) if figure == "list" else list(trail(quote.figures, figure))
    typer.echo("\n".join(lines))


@app.command(epilog="Example:  quoting size --model Qwen2.5-72B --task lora --gpu 'A800 80G' --cards 8")
def size(
    model: Annotated[str, typer.Option(metavar="M", help="Model, or a parameter count such as 70B.")],
    task: Annotated[str, typer.Option(metavar="T", help="inference, qlora, lora, full or pretrain.")],
    gpu: Annotated[str | None, typer.Option(metavar="G", help="A card to verify.")] = None,
    cards: Annotated[int | None, typer.Option(metavar="N", help="How many of them.")] = None,
    context: Annotated[int | None, typer.Option(metavar="N", help="Context in tokens.")] = None,
    domestic: Annotated[bool, typer.Option(help="Domestic hardware only.")] = False,
    lang: Lang = None,
    day: Day = None,
    catalog: Overlay = None,
) -> None:
    """Size one workload without a form: what it needs, and how each kind of card would meet it."""
    from quoting.forms import parse_form
    from quoting.report import sizing
    from quoting.stages.demand import demand
    from quoting.stages.fit import fit

    data = _small_form(model, task, gpu, cards, context, domestic)
    loaded = loaded_catalog(catalog)
    requirement = parse_form(data, loaded, "command line")
    needed = demand(requirement, loaded)
    choice = fit(requirement, needed, loaded, today(day))
    typer.echo(sizing(needed, choice, loaded, language(lang, "zh")))


def _small_form(
    model: str, task: str, gpu: str | None, cards: int | None, context: int | None, domestic: bool
) -> dict[str, Any]:
    key = "params" if model[:1].isdigit() else "model"
    workload: dict[str, Any] = {key: model, "task": task}
    if context is not None:
        workload["context"] = context
    form: dict[str, Any] = {"form_version": 1, "customer": {"name": "-"}, "workload": [workload]}
    if gpu is not None:
        form["hardware"] = {"gpu": gpu} | ({"cards": cards} if cards is not None else {})
    elif cards is not None:
        raise Mistakes(
            [Mistake("command line", "--cards", "of which card?", "--gpu too, as --gpu 'A800 80G' --cards 8")]
        )
    if domestic:
        form["compliance"] = {"domestic": "required"}
    return form


app.command(epilog="Example:  quoting email output/<number>")(sending.email)
app.command(epilog="Example:  quoting rfq examples/enterprise.toml")(sending.rfq)
app.command(epilog="Example:  quoting preview examples/enterprise.toml --lang en")(sending.preview)
catalog_app.command("check", epilog="Example:  quoting catalog check --catalog our-prices")(upkeep.catalog_check)
catalog_app.command("show", epilog="Example:  quoting catalog show gpu-l20-48g")(upkeep.catalog_show)
app.command(epilog="Example:  quoting schema form > form.schema.json")(upkeep.schema)
app.command(epilog="Example:  quoting init our-house")(upkeep.init)
app.command(epilog="Example:  quoting fonts")(upkeep.fonts)
app.command(epilog="Example:  quoting doctor")(upkeep.doctor)
