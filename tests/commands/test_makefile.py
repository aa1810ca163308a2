"""The Makefile: it sets up once, again when a requirement changes, and never half."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
import stand_in

from tools.paths import ROOT

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")

PYTHON = """\
echo "$*" >> log
case "$1" in tools/set_up.py)
    test -e broken && exit 1
    mkdir -p .venv/bin
    cp python .venv/bin/python
    touch .venv/ready
esac
"""


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A folder with the Makefile, and with a Python that writes down what it is asked."""
    folder = tmp_path / "prüf ordner"
    stand_in.script(folder / "python", PYTHON)
    shutil.copy(ROOT / "Makefile", folder)
    (folder / "tools").mkdir()
    for name in ("requirements.txt", "pyproject.toml", "tools/set_up.py"):
        (folder / name).touch()
    return folder


def make(folder: Path, target: str) -> int:
    outer = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES"}
    return subprocess.run(
        ["make", "PYTHON=./python", target],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name not in outer},
        capture_output=True,
    ).returncode


def calls(folder: Path) -> list[str]:
    return (folder / "log").read_text(encoding="utf-8").splitlines()


def test_second_run_does_nothing_twice(course: Path) -> None:
    assert make(course, "test") == make(course, "test") == make(course, "book") == 0
    assert calls(course) == [
        "tools/set_up.py .venv",
        "-m tools.run_tests",
        "-m tools.run_tests",
        "-m tools.build_book",
    ]


@pytest.mark.parametrize("name", ["requirements.txt", "pyproject.toml", "tools/set_up.py"])
def test_new_requirements_are_set_up(course: Path, name: str) -> None:
    assert make(course, "test") == 0
    later = (course / ".venv/ready").stat().st_mtime + 10
    os.utime(course / name, (later, later))
    assert make(course, "test") == 0
    assert calls(course).count("tools/set_up.py .venv") == 2


def test_failed_set_up_is_taken_up_again(course: Path) -> None:
    (course / "broken").touch()
    assert make(course, "test") != 0
    assert calls(course) == ["tools/set_up.py .venv"]
    (course / "broken").unlink()
    assert make(course, "test") == 0
    assert calls(course)[1:] == ["tools/set_up.py .venv", "-m tools.run_tests"]
