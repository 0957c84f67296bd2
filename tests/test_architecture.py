"""The rules of the source, held over its syntax tree."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "quoting"
FLOORS = (
    ("figure", "errors", "assets", "kinds", "parts", "rows", "requirement", "serial"),
    ("records",),
    ("catalog",),
    ("forms", "stages"),
    ("quote",),
    ("checks", "documents", "schema"),
    ("deliver", "doctor", "explain", "report"),
    ("options",),
    ("sending", "upkeep"),
    ("cli",),
    ("__main__",),
)
FLOOR = {name: number for number, names in enumerate(FLOORS) for name in names}
ONE_GROUP = set(FLOORS[0])
HEAVY = {"weasyprint", "openpyxl", "xlsxwriter", "pydantic", "rich", "jinja2", "fontTools"}
DOCUMENTS_ONLY = {"jinja2", "weasyprint", "xlsxwriter"}
OUTSIDE_WORLD = {
    *("os", "io", "sys", "pathlib", "time", "random", "secrets", "uuid", "tempfile", "shutil"),
    *("subprocess", "socket", "logging", "locale", "platform", "urllib", "http"),
}
OUTSIDE_CALLS = {"open", "print", "input", "today", "now", "utcnow", "read_text", "write_text", "read_bytes"}
MONEY = ("figure", "records", "parts", "rows", "requirement", "catalog", "stages", "quote", "serial")
MODULES = sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


BY_NAME = {name_of(path): path for path in MODULES}


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(node: ast.AST) -> Iterator[str]:
    """Names of modules an import statement brings in; ``from quoting.x import y`` gives y's module if it is one."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are absolute"
        for alias in node.names:
            inner = f"{node.module}.{alias.name}"
            yield inner if inner in BY_NAME else str(node.module)


def imports(path: Path) -> set[str]:
    return {name for node in ast.walk(tree(path)) for name in imported(node)}


def at_import(path: Path) -> set[str]:
    """What importing the module imports: statements outside functions and outside ``if TYPE_CHECKING``."""
    found: set[str] = set()
    waiting: list[ast.AST] = list(tree(path).body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        found.update(imported(node))
        waiting.extend(ast.iter_child_nodes(node))
    return found


def ours(names: set[str]) -> set[str]:
    return {name for name in names if name.startswith("quoting.")}


def group(module: str) -> str:
    return module.split(".")[1]


def modules_under(*groups: str) -> list[Path]:
    return [path for name, path in BY_NAME.items() if "." in name and group(name) in groups]


def rel(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_every_module_has_a_floor() -> None:
    assert {group(name) for name in BY_NAME if "." in name} <= FLOOR.keys()


@pytest.mark.parametrize("path", [path for path in MODULES if path != PACKAGE / "__init__.py"], ids=rel)
def test_imports_go_downwards(path: Path) -> None:
    own = group(name_of(path))
    upwards = {
        name
        for name in ours(imports(path))
        if group(name) != own and FLOOR[group(name)] >= FLOOR[own] and not {own, group(name)} <= ONE_GROUP
    }
    assert upwards == set()


def test_no_import_goes_round_in_a_circle() -> None:
    graph = {name: {one for one in ours(imports(path)) if one != name} for name, path in BY_NAME.items()}
    done: set[str] = set()

    def visit(name: str, road: tuple[str, ...]) -> None:
        assert name not in road, " -> ".join((*road, name))
        if name not in done:
            for other in sorted(graph.get(name, ())):
                visit(other, (*road, name))
            done.add(name)

    for name in sorted(set(graph) - {"quoting"}):
        visit(name, ())
    assert done >= set(graph) - {"quoting"}


@pytest.mark.parametrize("path", modules_under("stages"), ids=rel)
def test_a_stage_imports_no_other_stage_but_helpers(path: Path) -> None:
    own = (name_of(path) + ".").split(".")[2]
    stages = {name.split(".")[2] for name in imports(path) if name.startswith("quoting.stages.")}
    helpers = {"leaves", "margins", "fabric"} if own in ("bom", "site") else {"leaves", "margins"}
    allowed = {own} | helpers if own not in ("leaves", "margins", "fabric") else {own}
    assert stages <= allowed


@pytest.mark.parametrize("path", [*modules_under("stages"), PACKAGE / "quote.py"], ids=rel)
def test_stages_open_no_file_read_no_clock_and_print_nothing(path: Path) -> None:
    assert {name.split(".")[0] for name in imports(path)} & OUTSIDE_WORLD == set()
    called = {
        node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
    }
    assert called & OUTSIDE_CALLS == set()


@pytest.mark.parametrize("path", MODULES, ids=rel)
def test_a_module_fits_on_a_few_screens(path: Path) -> None:
    limit = 500 if path.name == "records.py" else 300
    assert len(path.read_text(encoding="utf-8").splitlines()) <= limit


@pytest.mark.parametrize("path", MODULES, ids=rel)
def test_a_function_fits_on_one_screen(path: Path) -> None:
    functions = [node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    lengths = {node.name: (node.end_lineno or 0) - node.lineno + 1 for node in functions}
    assert {name: length for name, length in lengths.items() if length > 40} == {}


@pytest.mark.parametrize("path", MODULES, ids=rel)
def test_only_documents_know_templates_pages_and_written_workbooks(path: Path) -> None:
    libraries = {name.split(".")[0] for name in imports(path)}
    if name_of(path).split(".")[1:2] != ["documents"]:
        assert libraries & DOCUMENTS_ONLY == set()
    assert "xlwt" not in libraries


def test_the_command_imports_no_heavy_library_before_it_needs_one() -> None:
    waiting, seen, heavy = ["quoting", "quoting.cli", "quoting.__main__"], set(), set()
    while waiting:
        name = waiting.pop()
        if name in seen or name not in BY_NAME:
            continue
        seen.add(name)
        found = at_import(BY_NAME[name])
        heavy |= {f"{name} imports {one}" for one in found if one.split(".")[0] in HEAVY}
        parents = {one.rpartition(".")[0] for one in ours(found)}
        waiting += [*ours(found), *parents]
    assert "quoting.cli" in seen
    assert heavy == set()


@pytest.mark.parametrize("path", modules_under(*MONEY), ids=rel)
def test_money_is_never_a_binary_fraction(path: Path) -> None:
    lines = [
        node.lineno
        for node in ast.walk(tree(path))
        if (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "float")
        or (isinstance(node, ast.Constant) and isinstance(node.value, float))
    ]
    assert lines == []


# ---------------------------------------------------------------------------------------------------- words


def flat(table: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{key}.")
        elif isinstance(value, list):
            yield from ((f"{prefix}{key}.{number}", str(text)) for number, text in enumerate(value, 1))
        else:
            yield f"{prefix}{key}", str(value)


@cache
def words(language: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for file in sorted((ROOT / "templates" / "words" / language).glob("*.toml")):
        entries = dict(flat(tomllib.loads(file.read_text(encoding="utf-8"))))
        assert not entries.keys() & found.keys(), f"{file.name} words a code again"
        found |= entries
    return found


def test_both_languages_word_the_same_codes() -> None:
    assert words("zh").keys() == words("en").keys()
    assert len(words("zh")) > 0


def test_each_area_words_the_same_codes_in_both_languages() -> None:
    folders = [ROOT / "templates" / "words" / language for language in ("zh", "en")]
    files = [sorted(path.name for path in folder.glob("*.toml")) for folder in folders]
    assert files[0] == files[1]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_placeholders_are_plain_names(language: str) -> None:
    wrong = {
        code: text
        for code, text in words(language).items()
        if any(not re.fullmatch(r"[a-z_][a-z0-9_]*", name) for name in re.findall(r"\{([^{}]*)\}", text))
    }
    assert wrong == {}


def literal_codes(path: Path, argument: str) -> Iterator[str]:
    """String literals given to ``argument``, in either branch of a conditional."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.keyword) and node.arg == argument:
            branches = [node.value.body, node.value.orelse] if isinstance(node.value, ast.IfExp) else [node.value]
            yield from (one.value for one in branches if isinstance(one, ast.Constant) and isinstance(one.value, str))


@pytest.mark.parametrize("path", modules_under("stages", "forms", "quote", "checks"), ids=rel)
def test_every_literal_code_has_words(path: Path) -> None:
    known = words("zh")
    prefixes = ("", "check.", "finding.", "ask.", "catalog.")
    unknown = [
        code
        for code in literal_codes(path, "code")
        if code and not any(f"{prefix}{code}" in known for prefix in prefixes)
    ]
    unknown += [f"why.{code}" for code in literal_codes(path, "why") if code and f"why.{code}" not in known]
    unknown += [f"change.{code}" for code in literal_codes(path, "change") if code and f"change.{code}" not in known]
    assert unknown == []


@pytest.mark.parametrize("path", sorted((ROOT / "templates").rglob("*.j2")), ids=lambda path: path.name)
def test_no_template_says_of_a_text_that_it_is_markup(path: Path) -> None:
    expressions = re.findall(r"\{[{%].*?[}%]\}", path.read_text(encoding="utf-8"), re.DOTALL)
    assert [found for found in expressions if re.search(r"\|\s*safe\b|\bMarkup\b|autoescape", found)] == []
