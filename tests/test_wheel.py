"""The wheel holds all the program reads, and runs from any folder."""

import os
import subprocess
import sys
import sysconfig
import venv
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

import pytest

from quoting import __version__

ROOT = Path(__file__).resolve().parent.parent

pytestmark = pytest.mark.skipif(find_spec("hatchling") is None, reason="hatchling, which builds the wheel, is missing")


def call(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    settings = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=settings | {"PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=60,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the repository as it stands, built without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    options = ("--no-build-isolation", "--no-deps", "--no-index", "--quiet", "--disable-pip-version-check")
    done = call(sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", folder, ROOT, cwd=folder)
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a new environment holding the wheel; what it needs is read from the current one."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    options = ("--no-deps", "--no-index", "--quiet", "--disable-pip-version-check")
    done = call(sys.executable, "-m", "pip", "--python", python, "install", *options, wheel, cwd=folder)
    assert done.returncode == 0, done.stderr
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    (packages / "needed.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    return folder / "bin"


def test_the_wheel_holds_catalogue_templates_and_code_and_nothing_else(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
    shipped = {
        f"quoting/_assets/{path.relative_to(ROOT).as_posix()}"
        for folder in ("catalog", "templates")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }
    code = {path.relative_to(ROOT).as_posix() for path in (ROOT / "quoting").rglob("*.py")}
    assert shipped | code <= names
    assert all(name.startswith(("quoting/", f"quoting-{__version__}.dist-info/")) for name in names)
    assert [name for name in names if name.endswith((".pyc", ".part", ".pdf"))] == []


def test_the_wheel_carries_the_licence_and_the_versions_it_needs(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        metadata = archive.read(f"quoting-{__version__}.dist-info/METADATA").decode()
        licences = [name for name in archive.namelist() if name.endswith("licenses/LICENSE")]
    assert "Requires-Dist: weasyprint<71,>=70" in metadata
    assert "Requires-Python: >=3.11" in metadata
    assert len(licences) == 1


def test_the_installed_program_is_the_wheels(installed: Path, tmp_path: Path) -> None:
    done = call(installed / "python", "-c", "import quoting; print(quoting.__file__)", cwd=tmp_path)
    assert Path(done.stdout.strip()).is_relative_to(installed.parent)
    assert call(installed / "quoting", "--version", cwd=tmp_path).stdout == f"quoting {__version__}\n"


def test_the_installed_catalogue_is_in_order(installed: Path, tmp_path: Path) -> None:
    done = call(installed / "quoting", "catalog", "check", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_installed_program_makes_a_quotation_in_any_folder(installed: Path, tmp_path: Path) -> None:
    form = tmp_path / "form.toml"
    form.write_bytes((ROOT / "examples" / "entry.toml").read_bytes())
    done = call(installed / "quoting", "make", "form.toml", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    made = {path.name for path in (tmp_path / "output").rglob("*") if path.is_file()}
    assert made == {"proposal.zh.pdf", "bom.xlsx", "mail.eml", "purchasing.xlsx", "quote.json"}
