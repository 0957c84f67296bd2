"""Every code of the sizing stages has words in both languages."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest

from quoting.kinds import Status

ROOT = Path(__file__).parent.parent
STAGES = [path for name in ("demand", "fit") for path in (ROOT / "quoting/stages" / name).glob("*.py")]
CODE = "\n".join(path.read_text(encoding="utf-8") for path in STAGES)


def words(language: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / f"templates/words/{language}/sizing.toml").read_text(encoding="utf-8"))


def flat(table: dict[str, Any], before: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in table.items():
        name = f"{before}{key}"
        found.update(flat(value, f"{name}.") if isinstance(value, dict) else {name: value})
    return found


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_check_has_a_name_and_a_sentence_for_each_status(language: str) -> None:
    known = flat(words(language))
    for id in sorted(set(re.findall(r'check\(\s*"(\w+)"', CODE))):
        for part in ("name", *get_args(Status)):
            assert f"check.{id}.{part}" in known


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_rejecting_rule_has_a_name(language: str) -> None:
    known = flat(words(language))
    for id in sorted(set(re.findall(r'Rejection\(\s*rule="([\w.]+)"', CODE))):
        assert f"rule.{id}" in known or f"check.{id}.name" in known, id


def test_both_languages_have_the_same_codes_and_placeholders() -> None:
    chinese, english = flat(words("zh")), flat(words("en"))
    assert chinese.keys() == english.keys()
    for code, text in chinese.items():
        assert set(re.findall(r"\{(\w+)\}", text)) == set(re.findall(r"\{(\w+)\}", english[code])), code
