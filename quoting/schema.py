"""JSON Schemas of what people write and programs read: the form, the catalogue's files, quote.json.

Generated from the records themselves, so that a schema cannot say another thing than the program does.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from typing import Any

from quoting.errors import Mistake, Mistakes

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_PROVENANCE = "Provenance"


def schema_text(name: str) -> str:
    """The schema ``name`` ("form", "catalog", "quote") as indented JSON; raises Mistakes for another name."""
    makers: dict[str, Callable[[], dict[str, Any]]] = {"form": _form, "catalog": _catalog, "quote": _quote}
    if name not in makers:
        raise Mistakes([Mistake("schema", name, "no such schema", "one of " + " ".join(makers))])
    schema = {"$schema": _DIALECT, **makers[name]()}
    return json.dumps(schema, ensure_ascii=False, indent=1) + "\n"


def _form() -> dict[str, Any]:
    from quoting.forms.model import FormModel

    schema: dict[str, Any] = FormModel.model_json_schema()
    return schema


def _quote() -> dict[str, Any]:
    """As written: Decimals are strings, dates ISO, every key there."""
    from pydantic import TypeAdapter

    from quoting.records import Quote

    schema = TypeAdapter(Quote).json_schema(mode="serialization")
    for definition in (schema, *schema["$defs"].values()):
        _every_key(definition)
    return dict(_without_titles(schema))


def _catalog() -> dict[str, Any]:
    """One schema for every TOML file of the folder: tables by name; house, terms and rules beside them."""
    from pydantic import TypeAdapter

    from quoting.catalog.merge import OTHERS, PARTS
    from quoting.catalog.rule_units import UNITS
    from quoting.parts import Provenance
    from quoting.rows import House, Terms

    classes = {**PARTS, **{table: cls for table, (cls, _) in OTHERS.items()}}
    named: list[Any] = [(name, "validation", TypeAdapter(cls)) for name, cls in classes.items()]
    named += [("house", "validation", TypeAdapter(House)), ("terms", "validation", TypeAdapter(Terms))]
    named += [(_PROVENANCE, "validation", TypeAdapter(Provenance))]
    references, schema = TypeAdapter.json_schemas(named)
    definitions = _as_toml(schema["$defs"]) | {"Valued": _valued(), "Rule": _rule(sorted(UNITS))}
    generated = schema["$defs"]
    optional = {name: _nullable(_definition(references[name, "validation"], generated)) for name in classes}
    for name, cls in classes.items():
        _as_written(_definition(references[name, "validation"], definitions), cls, name, optional[name])
    tables = {name: {"type": "array", "items": references[name, "validation"]} for name in classes}
    files = {name: references[name, "validation"] for name in ("house", "terms")}
    rules = {"type": "object", "additionalProperties": {"$ref": "#/$defs/Rule"}}
    whole = {"type": "object", "properties": tables, "x-files": files, "x-rules": rules, "$defs": definitions}
    return dict(_without_titles(whole))


def _definition(reference: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = definitions[reference["$ref"].rpartition("/")[2]]
    return found


def _nullable(schema: dict[str, Any]) -> set[str]:
    """Keys whose value may be not known: a file leaves them out."""
    return {name for name, value in schema["properties"].items() if {"type": "null"} in value.get("anyOf", [])}


def _as_written(schema: dict[str, Any], cls: type, table: str, nullable: set[str]) -> None:
    """A row as typed: no key for what the reader adds; where the row keeps provenance a value may be a table."""
    names = {field.name for field in fields(cls)}
    properties = schema["properties"]
    for name in {"provenance", "layer"} & names:
        del properties[name]
    optional = nullable | ({"category"} if table != "part" else set())
    schema["required"] = [name for name in schema.get("required", []) if name not in optional]
    if "provenance" in names:
        for name, value in properties.items():
            properties[name] = {"anyOf": [value, {"$ref": "#/$defs/Valued"}]}


def _valued() -> dict[str, Any]:
    """A value with its own source, beside the plain value a field may be."""
    text = {"type": "string"}
    against = {"type": "array", "items": {"$ref": "#/$defs/Against"}}
    verified = {"type": "boolean"}
    properties = {"value": {}, "source": text, "verified": verified, "note": text, "against": against}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _rule(units: list[str]) -> dict[str, Any]:
    """A table of rules/*.toml: values of any name, one unit for all their numbers or one for each, note and source."""
    text, unit = {"type": "string"}, {"enum": units}
    several = {"type": "object", "additionalProperties": unit}
    value = {"anyOf": [{"type": ["number", "string", "boolean"]}, {"$ref": "#/$defs/Valued"}]}
    properties = {"unit": unit, "units": several, "note": text, "source": text}
    both = {"required": ["unit", "units"]}
    return {"type": "object", "properties": properties, "additionalProperties": value, "not": both}


def _as_toml(schema: Any) -> Any:
    """TOML has numbers for Decimals and no null, where the generator also offers texts and null."""
    if isinstance(schema, list):
        return [_as_toml(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    rest = {key: _as_toml(part) for key, part in schema.items() if not (key == "default" and part is None)}
    if "anyOf" in rest:
        number = any(part.get("type") == "number" for part in rest["anyOf"])
        dropped = {"null", "string"} if number else {"null"}
        rest["anyOf"] = [part for part in rest["anyOf"] if part.get("type") not in dropped]
    return rest if len(rest.get("anyOf", ())) != 1 else rest.pop("anyOf")[0] | rest


def _every_key(definition: dict[str, Any]) -> None:
    """A record as written has all its keys and no other."""
    if "properties" in definition:
        definition["required"] = list(definition["properties"])
        definition["additionalProperties"] = False
        for part in definition["properties"].values():
            part.pop("default", None)


def _without_titles(schema: Any) -> Any:
    """Without the titles a generator makes of names."""
    if isinstance(schema, list):
        return [_without_titles(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    named = schema.get("properties") if isinstance(schema.get("properties"), dict) else None
    plain = {key: _without_titles(part) for key, part in schema.items() if key != "title" or not isinstance(part, str)}
    if named is not None:
        plain["properties"] = {key: _without_titles(part) for key, part in named.items()}
    return plain
