"""The published schemas are those of the program, and say what its files hold."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from quoting.errors import Mistakes
from quoting.schema import schema_text

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("form", "catalog", "quote")


@pytest.mark.parametrize("name", NAMES)
def test_the_committed_schema_is_the_generated_one(name: str) -> None:
    committed = (ROOT / "docs" / "schemas" / f"{name}.json").read_text(encoding="utf-8")
    assert committed == schema_text(name), f"quoting schema {name} > docs/schemas/{name}.json"


@pytest.mark.parametrize("name", NAMES)
def test_every_reference_of_a_schema_leads_somewhere(name: str) -> None:
    schema = json.loads(schema_text(name))
    used = {reference.removeprefix("#/$defs/") for reference in references(schema)}
    assert used <= schema["$defs"].keys()


def references(schema: Any) -> set[str]:
    if isinstance(schema, list):
        return {found for part in schema for found in references(part)}
    if not isinstance(schema, dict):
        return set()
    own = {schema["$ref"]} if isinstance(schema.get("$ref"), str) else set()
    return own | {found for part in schema.values() for found in references(part)}


def test_another_name_is_a_mistake() -> None:
    with pytest.raises(Mistakes, match="no such schema"):
        schema_text("forms")


def test_the_catalogue_schema_knows_every_key_of_the_catalogue() -> None:
    schema = json.loads(schema_text("catalog"))
    rows = [
        (table, row)
        for path in sorted((ROOT / "tests" / "catalog").rglob("*.toml"))
        if path.parent.name != "rules" and path.name not in ("house.toml", "terms.toml")
        for table, found in tomllib.loads(path.read_text(encoding="utf-8")).items()
        for row in found
    ]
    assert rows
    for table, row in rows:
        name = schema["properties"][table]["items"]["$ref"].removeprefix("#/$defs/")
        definition = schema["$defs"][name]
        assert row.keys() <= definition["properties"].keys()
        assert set(definition["required"]) <= row.keys()


def test_every_key_of_a_quote_is_required() -> None:
    schema = json.loads(schema_text("quote"))
    assert schema["required"] == list(schema["properties"])
    assert {"price", "figures", "catalog"} <= set(schema["required"])
    assert schema["$defs"]["PricedLine"]["properties"]["tax_rate"]["type"] == "string"
