"""Set-up: an environment from nothing, taken up after an interruption, or one line of advice."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
import stand_in

from tools import set_up

SOURCE = Path(set_up.__file__)


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment whose Python writes down what it is asked; no uv."""
    log = tmp_path / "log"
    stand_in.script(
        tmp_path / ".venv/bin/python",
        f'echo "pip $*" >> "{log}"\ncase "$*" in *config*) echo "/wheels /more";; esac',
    )
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/bin:/usr/bin")
    monkeypatch.setattr(set_up.shutil, "which", _only_in(tmp_path / "bin"))
    monkeypatch.delenv("UV_FIND_LINKS", raising=False)
    return log


def _only_in(folder: Path):
    return lambda name: str(folder / name) if (folder / name).exists() else None


def imports(folder: Path, modules: str) -> bool:
    command = [str(folder / "bin/python"), "-c", f"import {modules}"]
    return subprocess.run(command, capture_output=True).returncode == 0


def test_from_nothing_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(set_up.shutil, "which", lambda name: None)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    root, folder = tmp_path / "prüf ordner", tmp_path / "prüf ordner" / ".venv"
    site = folder / f"lib/python3.{sys.version_info[1]}/site-packages"
    stand_in.course(root)
    assert set_up.main(folder, root) == 0
    assert (folder / "ready").exists()
    assert imports(folder, "small, course_lib")

    # Interrupted while it copied the files of `small`.
    (folder / "ready").unlink()
    (site / "small.py").unlink()
    capfd.readouterr()
    assert set_up.main(folder, root) == 0
    assert "small-1.0 is incomplete" in (said := capfd.readouterr().out)
    assert said.count("incomplete") == 1
    assert imports(folder, "small, course_lib")


@pytest.mark.parametrize("mode", [0o755, 0o644], ids=["without pip", "not ours"])
def test_environment_that_does_not_work_is_made_anew(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch, mode: int
) -> None:
    works = (tmp_path / ".venv/bin/python").read_text(encoding="utf-8")
    stand_in.script(tmp_path / ".venv/bin/python", "exit 1")
    (tmp_path / ".venv/bin/python").chmod(mode)
    (tmp_path / ".venv/left-over").touch()
    (tmp_path / "works").write_text(works, encoding="utf-8")
    stand_in.script(
        tmp_path / "python",
        f'echo "$*" >> "{log}"\nmkdir -p "$3/bin"\ncp "{tmp_path}/works" "$3/bin/python"\n'
        'chmod +x "$3/bin/python"',
    )
    monkeypatch.setattr(set_up.sys, "executable", str(tmp_path / "python"))
    assert set_up.main(tmp_path / ".venv", tmp_path) == 0
    assert f"-m venv {tmp_path}/.venv\n" in log.read_text(encoding="utf-8")
    assert not (tmp_path / ".venv/left-over").exists()


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ("a.py,sha256=x,3\nb.pyc,,\n", True),
        ("a.py,sha256=x,4\n", False),
        ("c.py,sha256=x,3\n", False),
        ("a.py,sha2", False),
        (None, False),
    ],
    ids=["whole", "half written", "missing", "record half written", "no record"],
)
def test_complete(tmp_path: Path, record: str | None, expected: bool) -> None:
    (tmp_path / "a.py").write_text("x\n\n", encoding="utf-8")
    entry = tmp_path / "a-1.0.dist-info"
    entry.mkdir()
    if record is not None:
        (entry / "RECORD").write_text(record, encoding="utf-8")
    assert set_up.complete(entry) is expected


def test_pip_installs_where_there_is_no_uv(tmp_path: Path, log: Path) -> None:
    assert set_up.main(tmp_path / ".venv", tmp_path) == 0
    installs = [line for line in log.read_text().splitlines() if "install" in line]
    assert len(installs) == 2
    assert installs[0].endswith(f"-r {tmp_path}/requirements.txt")
    assert installs[1].endswith(f"--no-deps --no-build-isolation -e {tmp_path}")


def test_uv_installs_with_the_links_of_pip(tmp_path: Path, log: Path) -> None:
    stand_in.script(tmp_path / "bin/uv", f'echo "uv $UV_FIND_LINKS $*" >> "{log}"')
    assert set_up.main(tmp_path / ".venv", tmp_path) == 0
    calls = log.read_text().splitlines()
    assert [line.split()[:3] for line in calls if line.startswith("uv")] == [
        ["uv", "/wheels,/more", "pip"]
    ] * 2
    assert not any(line.startswith("pip -m pip install") for line in calls)


def test_own_links_for_uv_stay(tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_FIND_LINKS", "/mine")
    stand_in.script(tmp_path / "bin/uv", f'echo "uv $UV_FIND_LINKS" >> "{log}"')
    assert set_up.main(tmp_path / ".venv", tmp_path) == 0
    assert "uv /mine\n" in log.read_text()


def test_pip_follows_a_uv_that_fails(tmp_path: Path, log: Path) -> None:
    stand_in.script(tmp_path / "bin/uv", "exit 2")
    assert set_up.main(tmp_path / ".venv", tmp_path) == 0
    assert "pip -m pip install" in log.read_text()


# One line that says what to do


def test_failed_install(tmp_path: Path, log: Path, capfd: pytest.CaptureFixture) -> None:
    stand_in.script(tmp_path / ".venv/bin/python", 'case "$*" in *install*) exit 1;; esac')
    assert set_up.main(tmp_path / ".venv", tmp_path) == 1
    assert not (tmp_path / ".venv/ready").exists()
    assert_one_line(capfd, "Set-up failed: ", "type the same command again")


def test_no_venv_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture
) -> None:
    stand_in.script(tmp_path / "python", "exit 1")
    monkeypatch.setattr(set_up.sys, "executable", str(tmp_path / "python"))
    assert set_up.main(tmp_path / ".venv", tmp_path) == 1
    assert_one_line(capfd, "Set-up failed: ", "install python3-venv")


def test_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture
) -> None:
    def interrupt(folder: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(set_up, "create", interrupt)
    assert set_up.main(tmp_path / ".venv", tmp_path) == 130
    assert_one_line(capfd, "Set-up interrupted: ", "the same command")


def test_old_python(tmp_path: Path) -> None:
    pretend = f"sys.version_info = (3, 8, 1); runpy.run_path({str(SOURCE)!r}, run_name='__main__')"
    command = [sys.executable, "-c", f"import runpy, sys; {pretend}", str(tmp_path / ".venv")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "this is Python 3.8" in done.stderr
    assert "make PYTHON=" in done.stderr
    assert not (tmp_path / ".venv").exists()


def test_old_python_can_read_as_far_as_that_line() -> None:
    body = ast.parse(SOURCE.read_text(encoding="utf-8"), feature_version=(3, 6)).body
    kinds = [type(statement) for statement in body]
    assert kinds.index(ast.If) < min(kinds.index(ast.FunctionDef), kinds.index(ast.ClassDef))


def assert_one_line(capfd: pytest.CaptureFixture, *pieces: str) -> None:
    (line,) = capfd.readouterr().err.splitlines()
    assert all(piece in line for piece in pieces), line
