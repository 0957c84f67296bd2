"""A whole form to a Requirement: every table in order, then what contradicts across tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from quoting.errors import Mistakes
from quoting.forms.commerce import (
    read_commercial,
    read_compliance,
    read_customer,
    read_document,
    read_line,
    read_project,
    read_scope,
)
from quoting.forms.fields import keys_by_table
from quoting.forms.files import read_data
from quoting.forms.hardware import read_hardware
from quoting.forms.reader import Notes, Table
from quoting.forms.room import read_site
from quoting.forms.text import Wrong, as_typed, shown
from quoting.forms.workload import read_workload
from quoting.requirement import Hardware, LineChange, Requirement, Understood, Workload
from quoting.rows import Catalog

VERSION = 1
_MOST_TABLES = 200
_ASKING = ("project", "workload", "hardware", "site", "scope", "compliance", "commercial")


def read_form(path: Path, catalog: Catalog) -> Requirement:
    """The requirement in a TOML or JSON file; raises Mistakes with everything that is wrong in it."""
    return parse_form(read_data(path), catalog, path.name)


def parse_form(data: Mapping[str, Any], catalog: Catalog, file: str) -> Requirement:
    """The requirement in ``data``; ``file`` names it in messages. Raises Mistakes with everything that is wrong."""
    notes, keys = Notes(shown(file), catalog), keys_by_table()
    form = Table(notes, "", data, keys[""])
    _version(notes, form)
    requirement = Requirement(
        form_version=VERSION,
        customer=read_customer(notes, form.data.get("customer", {}), keys["customer"]),
        project=read_project(notes, form.data.get("project", {}), keys["project"]),
        workloads=_workloads(notes, form, keys["workload"]),
        hardware=read_hardware(notes, form.data.get("hardware", {}), keys["hardware"]),
        site=read_site(notes, form.data.get("site", {}), keys["site"]),
        scope=read_scope(notes, form.data.get("scope", {}), keys["scope"]),
        compliance=read_compliance(notes, form.data.get("compliance", {}), keys["compliance"]),
        commercial=read_commercial(notes, form.data.get("commercial", {}), keys["commercial"]),
        lines=_lines(notes, form, keys["line"]),
        document=read_document(notes, form.data.get("document", {}), keys["document"]),
    )
    if notes.mistakes:
        raise Mistakes(notes.mistakes)
    return _noted(requirement, notes, form)


def _noted(requirement: Requirement, notes: Notes, form: Table) -> Requirement:
    from dataclasses import replace

    _contradictions(requirement, notes)
    return replace(
        requirement,
        understood=tuple(notes.understood),
        plain=tuple(_plain(form, {one.key for one in notes.understood})),
        defaults=tuple(notes.defaults),
        asks=tuple(notes.asks),
    )


def _plain(form: Table, understood: set[str]) -> Iterator[Understood]:
    """Every other answer of the tables that ask for something, as it stands in the form."""
    for name in _ASKING:
        data = form.data.get(name, {})
        tables = enumerate(data, 1) if isinstance(data, list) else [(0, data)]
        for number, entries in tables:
            table = Table(form.notes, f"{name}[{number}]" if number else name, entries, entries)
            for key in filter(table.given, table.data):
                if table.at(key) not in understood:
                    typed = as_typed(table.raw(key))
                    yield Understood(key=table.at(key), typed=typed, read=typed)


def _version(notes: Notes, form: Table) -> None:
    version = form.data.get("form_version", VERSION)
    if isinstance(version, bool) or not isinstance(version, int) or version != VERSION:
        notes.wrong("form_version", Wrong(f"unknown version: {shown(version)}", str(VERSION)))


def _tables(notes: Notes, form: Table, key: str) -> list[Any]:
    found = form.data.get(key, [])
    if not isinstance(found, list):
        notes.wrong(key, Wrong("not a list of tables", f"[[{key}]] with double brackets"))
        return []
    if len(found) > _MOST_TABLES:
        notes.wrong(key, Wrong(f"{len(found)} tables are too many", f"at most {_MOST_TABLES}"))
        return []
    return found


def _workloads(notes: Notes, form: Table, keys: tuple[str, ...]) -> tuple[Workload, ...]:
    tables = _tables(notes, form, "workload")
    if not tables and isinstance(form.data.get("workload", []), list):
        notes.wrong("workload", Wrong("missing", '[[workload]] with model = "Qwen2.5-14B" and task = "lora"'))
    found = (read_workload(notes, number, len(tables), data, keys) for number, data in enumerate(tables, 1))
    return tuple(workload for workload in found if workload is not None)


def _lines(notes: Notes, form: Table, keys: tuple[str, ...]) -> tuple[LineChange, ...]:
    tables = _tables(notes, form, "line")
    found = (read_line(notes, number, data, keys) for number, data in enumerate(tables, 1))
    return tuple(line for line in found if line is not None)


def _contradictions(requirement: Requirement, notes: Notes) -> None:
    """Questions that need more than one table: a foreign card where 信创 is required, and the like."""
    hardware, compliance = requirement.hardware, requirement.compliance
    imported = not compliance.imports_allowed or compliance.domestic == "required"
    if imported and hardware is not None and _is_imported(hardware, notes.catalog):
        notes.ask("hardware.gpu", "domestic_contradicts", typed=hardware.typed, domestic=compliance.domestic)
    if requirement.project.form_factor == "workstation" and compliance.domestic == "required":
        notes.ask("project.form_factor", "domestic_workstation")


def _is_imported(hardware: Hardware, catalog: Catalog) -> bool:
    return hardware.gpu is not None and catalog.accelerators[hardware.gpu].origin != "domestic"
