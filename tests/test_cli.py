"""The command as people and scripts use it: exit codes, one line a mistake, whole files or none, the same bytes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from quoting.catalog import load_catalog
from quoting.cli import main
from quoting.deliver import deliver
from quoting.documents.render import write_file
from quoting.errors import Outside
from quoting.explain import trail
from quoting.forms import read_form
from quoting.quote import make_quote

ROOT = Path(__file__).resolve().parent.parent
ENTRY = str(ROOT / "examples" / "entry.toml")
FAILING = str(ROOT / "examples" / "failing-room.toml")
DAY = ("--day", "2026-11-30")
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command in this process: exit code, stdout, stderr."""

    def command(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["quoting", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            main()
        captured = capsys.readouterr()
        return int(left.value.code or 0), captured.out, captured.err

    return command


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proposal of three words, for tests that are not about its pages."""
    monkeypatch.setattr("quoting.documents.write_proposal", lambda quote, path, *_, **__: write_file(path, b"%PDF-1.7"))


def process(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, as a shell starts it."""
    command = [sys.executable, "-m", "quoting", *map(str, arguments)]
    return subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, timeout=60, check=False
    )


def bad_form(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_text('[customer]\nname = "甲"\n[[workload]]\nmodle = "Qwen2.5-7B"\ntask = "lorra"\n', encoding="utf-8")
    return path


def files_in(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


# ---------------------------------------------------------------------- exit codes


@pytest.mark.usefixtures("quick")
def test_a_quotation_made_is_exit_0_with_its_files_named(run: Run, tmp_path: Path) -> None:
    code, out, err = run("make", ENTRY, "--out", tmp_path, *DAY)
    [number] = [path.name for path in tmp_path.iterdir()]
    assert (code, err) == (0, "")
    assert number in out
    assert files_in(tmp_path / number) == [
        *("client/bom.xlsx", "client/mail.eml", "client/proposal.zh.pdf"),
        *("internal/purchasing.xlsx", "internal/quote.json"),
    ]
    assert all(str(tmp_path / number / name) in out for name in files_in(tmp_path / number))


def test_our_own_fault_is_exit_1_in_one_line(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("of ours")

    monkeypatch.setattr("quoting.documents.write_proposal", broken)
    code, out, err = run("make", ENTRY, "--out", tmp_path, *DAY)
    assert (code, out) == (1, "")
    assert "ZeroDivisionError: of ours" in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("quick")
def test_strict_exits_3_for_a_failed_check_and_still_writes(run: Run, tmp_path: Path) -> None:
    assert run("make", FAILING, "--out", tmp_path / "a", "--strict", *DAY)[0] == 3
    assert len(files_in(tmp_path / "a")) == 5
    assert run("make", ENTRY, "--out", tmp_path / "b", "--strict", *DAY)[0] == 0
    assert run("make", FAILING, "--out", tmp_path / "c", *DAY)[0] == 0


def test_all_mistakes_of_all_forms_come_at_once_and_nothing_is_written(run: Run, tmp_path: Path) -> None:
    one, two = bad_form(tmp_path, "one.toml"), bad_form(tmp_path, "two.toml")
    code, out, err = run("make", one, ENTRY, two, tmp_path / "none.toml", "--out", tmp_path / "out")
    lines = err.splitlines()
    assert (code, out) == (2, "")
    assert [line.split(":")[0] for line in lines] == ["one.toml"] * 3 + ["two.toml"] * 3 + ["none.toml"]
    assert any("workload[1].modle: unknown key" in line and "did you mean model?" in line for line in lines)
    assert any("workload[1].task" in line and "did you mean lora?" in line for line in lines)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["mkae"], "Did you mean 'make'?"),
        (["make"], "Missing argument"),
        (["make", ENTRY, "--lang", "fr"], "--lang"),
        (["make", ENTRY, "--outt", "x"], "No such option"),
        (["make", ENTRY, "--day", "2026-02-30"], "--day: '2026-02-30' is not a day; expected YYYY-MM-DD"),
        (["make", ENTRY, "--day", "20261130"], "--day: '20261130' is not a day"),
        (["make", ENTRY, "--day", "9999-12-31"], "--day: '9999-12-31' is not a day"),
        (["make", ENTRY, "--day", "1900-01-01"], "--day: '1900-01-01' is not a day"),
        (["make", str(ROOT)], "unknown kind of file"),
        (["catalog", "show", "gpu-l20-48"], "did you mean gpu-l20-48g?"),
        (["explain", ENTRY, "price.totl"], "unknown figure; expected a figure of the quote, such as price.total"),
        (["schema", "fom"], "expected one of form catalog quote"),
        (["size", "--model", "Qwen2.5-7BB", "--task", "lorra"], "workload[1].task: not one of the choices: lorra"),
        (["size", "--model", "70B", "--task", "lora", "--cards", "8"], "--cards: of which card?"),
        (["size", "--model", "70B", "--task", "lora", "--gpu", "L20", "--cards", "0"], "hardware.cards: not a count"),
    ],
)
def test_a_wrong_command_is_exit_2_and_says_what_would_be_right(run: Run, arguments: list[str], says: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert says in err
    assert "Traceback" not in err


# ---------------------------------------------------------------------- files


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("out", ["file", "file/below", "/proc/nothing"])
def test_a_place_that_takes_no_files_is_exit_4_with_a_way_out(run: Run, tmp_path: Path, out: str) -> None:
    (tmp_path / "file").write_text("kept", encoding="utf-8")
    code, said, err = run("make", ENTRY, "--out", tmp_path / out, *DAY)
    assert (code, said) == (4, "")
    assert "choose another folder with --out DIR" in err
    assert (tmp_path / "file").read_text(encoding="utf-8") == "kept"
    assert files_in(tmp_path) == ["file"]


@pytest.mark.usefixtures("quick")
def test_a_folder_of_another_quotation_is_refused_and_left_as_it_is(run: Run, tmp_path: Path) -> None:
    assert run("make", ENTRY, "--out", tmp_path, *DAY)[0] == 0
    [folder] = tmp_path.iterdir()
    held = folder / "internal" / "quote.json"
    held.write_text(held.read_text(encoding="utf-8").replace("东莞", "广州"), encoding="utf-8")
    before = {name: (folder / name).read_bytes() for name in files_in(folder)}
    code, _, err = run("make", ENTRY, "--out", tmp_path, *DAY)
    assert code == 4
    assert f"{folder} already exists and holds something else" in err
    assert {name: (folder / name).read_bytes() for name in files_in(folder)} == before
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]


def test_the_same_form_again_gives_the_same_bytes_in_the_same_folder(run: Run, tmp_path: Path) -> None:
    assert run("make", ENTRY, "--out", tmp_path, *DAY)[0] == 0
    [folder] = tmp_path.iterdir()
    before = {name: (folder / name).read_bytes() for name in files_in(folder)}
    assert run("make", ENTRY, "--out", tmp_path, *DAY)[0] == 0
    assert {name: (folder / name).read_bytes() for name in files_in(folder)} == before
    assert len(before) == 5


@pytest.mark.usefixtures("quick")
def test_a_second_language_joins_the_first(run: Run, tmp_path: Path) -> None:
    assert run("make", ENTRY, "--out", tmp_path, *DAY)[0] == 0
    assert run("make", ENTRY, "--out", tmp_path, "--lang", "en", *DAY)[0] == 0
    [folder] = tmp_path.iterdir()
    assert files_in(folder / "client") == ["bom.en.xlsx", "bom.xlsx", "mail.eml", "proposal.en.pdf", "proposal.zh.pdf"]


def test_a_render_that_fails_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    catalog = load_catalog()
    quote = make_quote(read_form(Path(ENTRY), catalog), catalog, date(2026, 11, 30))

    def half(_quote: Any, path: Path, *_: Any, **__: Any) -> None:
        path.write_bytes(b"%PDF-half")
        raise Outside("the disk is full")

    monkeypatch.setattr("quoting.documents.write_proposal", half)
    with pytest.raises(Outside, match="the disk is full"):
        deliver(quote, catalog, tmp_path, "zh")
    assert list(tmp_path.iterdir()) == []


def test_a_font_folder_without_fonts_is_exit_4_with_a_line_to_type(run: Run, tmp_path: Path) -> None:
    code, _, err = run("make", ENTRY, "--out", tmp_path / "out", "--font-dir", tmp_path, *DAY)
    assert code == 4
    assert f"font folder {tmp_path} lacks 400.ttf, 700.ttf" in err
    assert "quoting fonts" in err
    assert not list((tmp_path / "out").glob("*"))


@pytest.mark.parametrize("flag", ["--catalog", "--templates"])
def test_a_folder_that_is_not_there_is_exit_4(run: Run, tmp_path: Path, flag: str) -> None:
    code, _, err = run("make", ENTRY, "--out", tmp_path, flag, tmp_path / "nowhere", *DAY)
    assert code == 4
    assert f"no folder {tmp_path / 'nowhere'}" in err


# ---------------------------------------------------------------------- output for programs


@pytest.mark.usefixtures("quick")
def test_json_is_one_line_a_form_equal_to_quote_json(run: Run, tmp_path: Path) -> None:
    code, out, err = run("make", ENTRY, FAILING, "--json", "--out", tmp_path, *DAY)
    quotes = [json.loads(line) for line in out.splitlines()]
    assert (code, err, len(quotes)) == (0, "", 2)
    for quote in quotes:
        kept = (tmp_path / quote["number"] / "internal" / "quote.json").read_text(encoding="utf-8")
        assert json.loads(kept) == quote


def test_two_processes_in_other_places_and_times_make_the_same_quote(tmp_path: Path) -> None:
    worlds = [
        {"TZ": "America/New_York", "PYTHONHASHSEED": "1", "LC_ALL": "C"},
        {"TZ": "Asia/Shanghai", "PYTHONHASHSEED": "2", "LC_ALL": "C.UTF-8"},
    ]
    made = []
    for number, world in enumerate(worlds):
        done = process("make", ENTRY, "--out", tmp_path / str(number), *DAY, **world)
        assert (done.returncode, done.stderr) == (0, "")
        assert "\x1b" not in done.stdout
        folder = tmp_path / str(number)
        made.append({name: (folder / name).read_bytes() for name in files_in(folder)})
    assert made[0] == made[1]
    assert len(made[0]) == 5


def test_help_loads_nothing_heavy() -> None:
    look = (
        "import sys\n"
        "from quoting.cli import main\n"
        "sys.argv = ['quoting', 'make', '--help']\n"
        "try:\n    main()\nexcept SystemExit as left:\n    assert not left.code\n"
        # pydantic belongs to newer versions of typer.
        "heavy = {'weasyprint', 'xlsxwriter', 'openpyxl', 'jinja2', 'fontTools', 'rapidfuzz', 'rich'}\n"
        "print('heavy:', sorted(heavy & sys.modules.keys()))\n"
    )
    done = subprocess.run([sys.executable, "-c", look], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("heavy: []\n")
    assert "--out" in done.stdout
    assert "\x1b" not in done.stdout


def test_a_reader_that_stops_is_no_fault() -> None:
    command = f'"{sys.executable}" -m quoting explain "{ENTRY}" list | head -1'
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode in (0, 141)
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_behind_stdout_is_exit_4() -> None:
    command = f'"{sys.executable}" -m quoting catalog show gpu-l20-48g > /dev/full'
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


# ---------------------------------------------------------------------- the other commands


def test_explain_goes_down_to_sources(run: Run) -> None:
    code, out, _ = run("explain", ENTRY, "price.total", *DAY)
    assert code == 0
    assert out.splitlines()[0].startswith("price.total = ")
    assert "    from " in out


def test_every_figure_of_every_example_can_be_explained() -> None:
    catalog = load_catalog()
    told = 0
    for form in sorted((ROOT / "examples").glob("*.toml")):
        quote = make_quote(read_form(form, catalog), catalog, date(2026, 11, 30))
        for figure in quote.figures.values():
            used = [ref for _, refs in figure.inputs for ref in ((refs,) if isinstance(refs, str) else refs)]
            assert [ref for ref in used if ref not in quote.figures] == []
            assert figure.source if figure.kind == "leaf" else figure.text
            told += 1
        first = next(iter(quote.figures))
        assert next(iter(trail(quote.figures, first))).startswith(first)
    assert told > 1000


def test_explain_list_names_the_figures(run: Run) -> None:
    code, out, _ = run("explain", ENTRY, "list", *DAY)
    assert code == 0
    assert "price.total" in out.splitlines()


def test_size_needs_no_form(run: Run) -> None:
    code, out, err = run("size", "--model", "Qwen2.5-72B", "--task", "lora", "--gpu", "A800 80G", "--cards", "8")
    assert (code, err) == (0, "")
    assert out.startswith("w1")
    assert "A800 80GB SXM4 × 8：可以承担" in out
    assert "None" not in out


@pytest.mark.parametrize("name", ["form", "catalog", "quote"])
def test_a_schema_is_json(run: Run, name: str) -> None:
    code, out, _ = run("schema", name)
    assert code == 0
    assert json.loads(out)["$schema"].startswith("https://json-schema.org/")


def test_a_house_is_made_once_and_never_over_something(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "house"
    code, out, _ = run("init", folder)
    assert code == 0
    assert sorted(out.split()) == sorted(str(folder / name) for name in files_in(folder))
    before = {name: (folder / name).read_bytes() for name in files_in(folder)}
    code, _, err = run("init", folder)
    assert (code, before) == (4, {name: (folder / name).read_bytes() for name in files_in(folder)})
    assert "is not empty; give a new folder" in err


def test_a_house_in_place_of_a_file_is_exit_4(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept", encoding="utf-8")
    code, _, err = run("init", tmp_path / "file")
    assert code == 4
    assert "give a new folder" in err
    assert (tmp_path / "file").read_text(encoding="utf-8") == "kept"


def test_catalog_show_tells_layer_and_sources(run: Run) -> None:
    code, out, _ = run("catalog", "show", "gpu-l20-48g")
    assert code == 0
    shown = json.loads(out)
    assert shown["row"]["sku"] == "gpu-l20-48g"
    assert shown["sources"]


def test_doctor_says_what_is_here(run: Run) -> None:
    code, out, err = run("doctor")
    states = {line.split()[0] for line in out.splitlines()}
    assert states <= {"ok", "MISSING"}
    assert code == (4 if "MISSING" in states else 0)
    assert ("something is missing" in err) == (code == 4)
