"""The example forms, and the forms of published requirements, are read with the real catalogue."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from quoting.catalog import load_catalog
from quoting.forms import model, read_form
from quoting.forms.model import FormModel
from quoting.requirement import Requirement
from quoting.rows import Catalog

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.toml"))
CASES: list[dict[str, Any]] = tomllib.loads((ROOT / "tests/real_cases/expected.toml").read_text())["case"]
CASE_FORMS = [ROOT / "tests/real_cases" / case["form"] for case in CASES]


@lru_cache(maxsize=1)
def catalog() -> Catalog:
    return load_catalog()


def read(path: Path) -> Requirement:
    return read_form(path, catalog())


def test_there_is_an_example_for_each_tier_and_each_special_form() -> None:
    names = {path.stem for path in EXAMPLES}
    assert names >= {"entry", "enterprise", "cluster", "xinchuang", "failing-room", "named-hardware", "engineer-lines"}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_is_read(path: Path) -> None:
    found = read(path)
    assert found.customer.name.startswith("示例")
    assert found.commercial.budget is not None


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_leaves_nothing_open_but_what_it_shows(path: Path) -> None:
    allowed = {"card_size", "range"} if path.stem == "failing-room" else set()
    assert {ask.code for ask in read(path).asks} == allowed


@pytest.mark.parametrize("path", [*EXAMPLES, *CASE_FORMS], ids=lambda path: path.stem)
def test_form_meets_the_published_schema(path: Path) -> None:
    assert FormModel.model_validate(tomllib.loads(path.read_text())).customer.name


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_published_requirement_is_read(case: dict[str, Any]) -> None:
    found = read(ROOT / "tests/real_cases" / case["form"])
    assert found.workloads
    assert case["expect"], "a case without an outcome belongs elsewhere"
    assert case["source"].startswith("https://") or case["source"].startswith("http://")


@pytest.mark.parametrize("case", [case for case in CASES if "ask" in case["expect"]], ids=lambda case: str(case["id"]))
def test_published_requirement_leads_to_the_expected_questions(case: dict[str, Any]) -> None:
    asked = {ask.key.rpartition(".")[2] for ask in read(ROOT / "tests/real_cases" / case["form"]).asks}
    assert set(case["expect"]["ask"]) <= asked


def test_every_form_of_a_published_requirement_has_an_outcome() -> None:
    forms = {path.name for path in (ROOT / "tests/real_cases").glob("*.toml")} - {"expected.toml"}
    assert forms == {case["form"] for case in CASES}


def test_published_contradictions_become_questions() -> None:
    by_id = {case["id"]: {ask.code for ask in read(ROOT / "tests/real_cases" / case["form"]).asks} for case in CASES}
    assert "memory_free" in by_id["O12"]
    assert "card_size" in by_id["W16"]
    assert "context_beyond_model" in by_id["W14"]
    assert "range" in by_id["F12"]


def test_reference_names_every_field_and_what_it_answers() -> None:
    text = (ROOT / "docs/form.md").read_text()
    for name, table in vars(model).items():
        if name.endswith("Model") and name != "FormModel":
            for key, field in table.model_fields.items():
                assert f"| `{field.alias or key}` | {field.description} |" in text


def test_first_form_of_the_reference_is_read(tmp_path: Path) -> None:
    text = (ROOT / "docs/form.md").read_text()
    path = tmp_path / "form.toml"
    path.write_text(text.split("```toml\n")[1].split("```")[0])
    assert read(path).workloads[0].task == "lora"
