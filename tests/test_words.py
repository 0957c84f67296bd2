"""Words: equal in both languages, safe placeholders, no sentence outside the word files."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from quoting.assets import templates_folder
from quoting.documents.words import MissingWords, Words, load_words

PLACE = re.compile(r"\{([^{}]*)\}")
MONTHS = tuple(f"month-{number}" for number in range(1, 13))


@pytest.fixture(scope="module")
def both() -> tuple[Words, Words]:
    root = templates_folder()
    return load_words("zh", (root,)), load_words("en", (root,))


def words(**entries: str) -> Words:
    return Words("en", {"ui.unknown": "unknown", **entries}, MONTHS)


def test_both_languages_have_the_same_codes(both: tuple[Words, Words]) -> None:
    chinese, english = both
    assert set(chinese.entries) == set(english.entries)


def test_both_languages_ask_for_the_same_arguments(both: tuple[Words, Words]) -> None:
    chinese, english = both
    different = [
        code
        for code in chinese.entries
        if set(PLACE.findall(chinese.entries[code])) != set(PLACE.findall(english.entries[code]))
    ]
    assert different == []


def test_english_words_hold_no_chinese(both: tuple[Words, Words]) -> None:
    found = [code for code, text in both[1].entries.items() if re.search(r"[\u4e00-\u9fff]", text)]
    assert found == []


def test_english_words_hold_no_signs_the_chinese_face_sets_full_width(both: tuple[Words, Words]) -> None:
    assert [code for code, text in both[1].entries.items() if re.search(r"[“”‘’，。；：（）]", text)] == []


def test_chinese_words_hold_no_half_width_stops(both: tuple[Words, Words]) -> None:
    slip = re.compile(
        r"[\u4e00-\u9fff}][,;:?!](?!\S*=)|[,;:?!][\u4e00-\u9fff]|(?<!/)\([^)/]*[\u4e00-\u9fff]{2}[^)/]*\)|\btokens\b"
    )
    assert [code for code, text in both[0].entries.items() if slip.search(text)] == []


def test_missing_code_is_refused() -> None:
    with pytest.raises(MissingWords, match=r"no words for check\.none"):
        words().say("check.none")


def test_missing_argument_is_refused() -> None:
    with pytest.raises(MissingWords, match="asks for"):
        words(a="{need} GB").say("a")


@pytest.mark.parametrize("place", ["{a.b}", "{a[0]}", "{0}", "{}", "{a!r}", "{a:>9}", "{__class__.x}"])
def test_placeholder_is_a_plain_name(place: str) -> None:
    with pytest.raises(MissingWords, match="not a plain name"):
        words(code=place).say("code", a="x")


def test_argument_with_braces_is_text() -> None:
    assert words(code="for {name}").say("code", name="{total} %s") == "for {total} %s"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Decimal("1910126.60"), "1,910,126.60"),
        (Decimal("7.10730261511512"), "7.11"),
        (Decimal("6.0"), "6"),
        (1234, "1,234"),
        (None, "unknown"),
        (date(2026, 12, 7), "7 month-12 2026"),
        ("R01/A", "R01/A"),
    ],
)
def test_arguments_are_written_for_people(value: object, shown: str) -> None:
    assert words(code="{value}").say("code", value=value) == shown


def test_two_files_may_not_word_the_same_code(tmp_path: Path) -> None:
    folder = tmp_path / "words" / "en"
    folder.mkdir(parents=True)
    (folder / "a.toml").write_text('[check.x]\nfail = "one"\n', encoding="utf-8")
    (folder / "b.toml").write_text('[check]\n"x.fail" = "two"\n', encoding="utf-8")
    with pytest.raises(MissingWords, match=r"check\.x\.fail has words twice"):
        load_words("en", (tmp_path,))


def test_words_of_a_later_folder_win(tmp_path: Path) -> None:
    folder = tmp_path / "words" / "en"
    folder.mkdir(parents=True)
    (folder / "own.toml").write_text('[proposal]\ntitle = "Our own title"\n', encoding="utf-8")
    assert load_words("en", (templates_folder(), tmp_path)).say("proposal.title") == "Our own title"


def test_templates_hold_no_sentence() -> None:
    text = ""
    for file in sorted((templates_folder() / "proposal").glob("*.j2")):
        source = re.sub(r"(?s)\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<style>.*?</style>", "", file.read_text(encoding="utf-8"))
        text += re.sub(r"(?s)<[^>]*>", " ", source)
    assert re.sub(r"tokens/s", "", text).split() == [
        word for word in re.sub(r"tokens/s", "", text).split() if not re.search(r"[A-Za-z\u4e00-\u9fff]{3}", word)
    ]
