"""The script a newcomer calls first, in a copy of its own with a Python that only pretends."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ("bash", "cat", "cksum", "cp", "env", "flock", "grep", "mkdir", "readlink", "rm", "sh", "tail", "touch")

# Answers what the script asks of a Python, notes each call, and copies itself where an environment is made.
PYTHON = """#!/usr/bin/env bash
set -eu
notes=$NOTES
printf '%s\\n' "$*" >>"$notes"
case "$*" in
    -V) echo "Python ${FAKE_VERSION:-3.11.2}" ;;
    *version_info*) [ "${FAKE_VERSION:-}" != 3.9.2 ] ;;
    *ensurepip*) [ -z "${FAKE_LACKS:-}" ] ;;
    *CDLL*) [ "${*: -1}" != "${FAKE_LACKS:-}" ] ;;
    *"-m venv"*) mkdir -p "${*: -1}/bin" && cp "$0" "${*: -1}/bin/python" ;;
    *sysconfig*) echo "${0%/bin/*}" ;;
    *"-m pip"*)
        [ -z "${FAKE_OFFLINE:-}" ] || { echo "WARNING: Retrying"; echo "ERROR: nothing found"; exit 1; } >&2 ;;
    *"quoting fonts"*) [ -z "${FAKE_NO_FONT:-}" ] || { echo "quoting: cannot write" >&2; exit 4; } ;;
    *) printf 'in %s: %s\\n' "$PWD" "$*" ;;
esac
"""


class Copy:
    """A copy of the script and what it reads, in a folder with spaces in its name."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "my work tree"
        self.tools = folder / "tools"
        self.notes = folder / "notes"
        self.root.mkdir()
        self.tools.mkdir()
        for name in ("run", "pyproject.toml", "requirements.lock", "requirements-dev.lock"):
            shutil.copy(ROOT / name, self.root / name)
        for tool in TOOLS:
            found = shutil.which(tool)
            if found:
                (self.tools / tool).symlink_to(found)
        self.tool("python3", PYTHON)
        self.tool("uname", "#!/usr/bin/env bash\necho Linux\n")
        self.tool("id", "#!/usr/bin/env bash\necho 1000\n")
        self.tool("apt-get", '#!/usr/bin/env bash\necho "apt-get $*" >>"$NOTES"\n')

    def tool(self, name: str, text: str) -> None:
        (self.tools / name).write_text(text, encoding="utf-8")
        (self.tools / name).chmod(0o755)

    def call(
        self, *arguments: str, script: Path | None = None, cwd: Path | None = None, **settings: str
    ) -> subprocess.CompletedProcess[str]:
        """Run the script; a setting is an environment variable. Nothing else of this machine's environment is seen."""
        return subprocess.run(
            [str(script or self.root / "run"), *arguments],
            cwd=cwd or self.root,
            env={"PATH": str(self.tools), "NOTES": str(self.notes), "HOME": str(self.root.parent)} | settings,
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            timeout=20,
        )

    def calls(self, wanted: str) -> int:
        """How many calls of a tool or of Python held these words."""
        return sum(wanted in line for line in self.notes.read_text(encoding="utf-8").splitlines())

    @property
    def environment(self) -> Path:
        return self.root / ".venv"


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def test_the_first_call_makes_an_environment_and_hands_the_arguments_over(copy: Copy) -> None:
    done = copy.call("make", "a form.toml", "--lang", "en")
    assert (done.returncode, done.stdout) == (0, f"in {copy.root}: -P -m quoting make a form.toml --lang en\n")
    assert copy.calls("--require-hashes") == 1
    assert (copy.environment / "quoting.pth").read_text(encoding="utf-8") == f"{copy.root}\n"


def test_the_second_call_installs_nothing_and_says_nothing(copy: Copy) -> None:
    copy.call("--version")
    done = copy.call("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert (copy.calls("-m pip"), copy.calls("-m venv")) == (1, 1)


def test_the_environment_for_tests_serves_the_user_too(copy: Copy) -> None:
    done = copy.call("test", "-k", "money")
    assert done.stdout == f"in {copy.root}: -P {copy.root}/tests/run_all.py -k money\n"
    assert copy.call("--version").returncode == 0
    assert (copy.calls("requirements-dev.lock"), copy.calls("requirements.lock")) == (1, 0)


def test_a_changed_lock_brings_the_environment_up_to_date_without_making_it_anew(copy: Copy) -> None:
    copy.call("--version")
    with (copy.root / "requirements.lock").open("a", encoding="utf-8") as lock:
        lock.write("# changed\n")
    assert copy.call("--version").returncode == 0
    assert (copy.calls("-m pip"), copy.calls("-m venv")) == (2, 1)


def test_an_environment_of_another_python_is_made_anew(copy: Copy) -> None:
    copy.call("--version")
    (copy.environment / "bin" / "python").write_text("#!/usr/bin/env bash\necho Python 3.10.1\n", encoding="utf-8")
    (copy.environment / ".stamp").unlink()
    assert copy.call("--version").returncode == 0
    assert copy.calls("-m venv") == 2


@pytest.mark.parametrize("left", [".making", "bin/python"])
def test_a_half_made_environment_is_made_anew(copy: Copy, left: str) -> None:
    file = copy.environment / left
    file.parent.mkdir(parents=True)
    file.touch()
    done = copy.call("--version")
    assert (done.returncode, done.stdout) == (0, f"in {copy.root}: -P -m quoting --version\n")
    assert not (copy.environment / ".making").exists()


def test_a_moved_folder_gets_an_environment_that_reads_the_new_place(copy: Copy) -> None:
    copy.call("--version")
    copy.root = copy.root.rename(copy.root.parent / "moved")
    assert copy.call("--version").returncode == 0
    assert (copy.environment / "quoting.pth").read_text(encoding="utf-8") == f"{copy.root}\n"


def test_called_through_a_link_and_from_another_folder_it_finds_its_own_root(copy: Copy, tmp_path: Path) -> None:
    link, elsewhere = tmp_path / "quote", tmp_path / "elsewhere"
    link.symlink_to(copy.root / "run")
    elsewhere.mkdir()
    done = copy.call("make", "form.toml", script=link, cwd=elsewhere)
    assert done.stdout == f"in {elsewhere}: -P -m quoting make form.toml\n"
    assert copy.environment.is_dir()
    assert list(elsewhere.iterdir()) == []


def test_a_plain_user_is_told_the_line_to_type_and_nothing_is_made(copy: Copy) -> None:
    done = copy.call("make", "form.toml", FAKE_LACKS="libharfbuzz-subset.so.0")
    wanted = "apt-get update && apt-get install -y --no-install-recommends python3-venv libharfbuzz-subset0"
    assert done.returncode == 4
    assert f"  su -c '{wanted}'" in done.stderr.splitlines()
    assert not copy.environment.exists()
    assert copy.calls("apt-get") == 0


def test_where_sudo_wants_a_password_the_line_to_type_uses_sudo(copy: Copy) -> None:
    copy.tool("sudo", "#!/usr/bin/env bash\nexit 1\n")
    done = copy.call("make", "form.toml", FAKE_LACKS="libpangoft2-1.0.so.0")
    assert done.returncode == 4
    assert "  sudo sh -c 'apt-get update && " in done.stderr
    assert not copy.environment.exists()


def test_root_gets_the_missing_packages_installed(copy: Copy) -> None:
    copy.tool("id", "#!/usr/bin/env bash\necho 0\n")
    done = copy.call("--version", FAKE_LACKS="libpangoft2-1.0.so.0")
    assert done.returncode == 0
    assert copy.calls("apt-get install -y") == 1
    assert copy.calls("python3-venv libpangoft2-1.0-0") == 1


def test_packages_that_cannot_be_fetched_end_with_the_line_to_type(copy: Copy) -> None:
    copy.tool("id", "#!/usr/bin/env bash\necho 0\n")
    copy.tool("apt-get", "#!/usr/bin/env bash\necho 'E: Temporary failure resolving' >&2\nexit 100\n")
    done = copy.call("--version", FAKE_LACKS="libpangoft2-1.0.so.0")
    assert done.returncode == 4
    assert "E: Temporary failure resolving" in done.stderr
    assert "Check the network" in done.stderr
    assert re.search(r"^  apt-get update && apt-get install .*libpangoft2-1\.0-0$", done.stderr, re.MULTILINE)
    assert not copy.environment.exists()


def test_without_a_network_it_says_so_and_leaves_no_environment(copy: Copy) -> None:
    done = copy.call("--version", FAKE_OFFLINE="1")
    assert done.returncode == 4
    assert done.stderr.splitlines()[-2:] == [
        "ERROR: nothing found",
        "Could not install the Python packages. Check the network, then run the command again.",
    ]
    assert not copy.environment.exists()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"FAKE_VERSION": "3.9.2"}, "Python 3.11 or newer is needed; python3 is Python 3.9.2."),
        ({"QUOTING_PYTHON": "python3.77"}, "There is no python3.77 here."),
    ],
)
def test_an_old_or_missing_python_is_named(copy: Copy, settings: dict[str, str], said: str) -> None:
    done = copy.call("--version", **settings)
    assert done.returncode == 4
    assert said in done.stderr
    assert not copy.environment.exists()


def test_a_cache_that_cannot_be_written_ends_with_the_line_to_type(copy: Copy) -> None:
    done = copy.call("--version", FAKE_NO_FONT="1")
    assert done.returncode == 4
    assert done.stderr.splitlines()[-1] == f"  export QUOTING_CACHE='{copy.environment}/cache'"
    assert copy.call("--version").returncode == 0
