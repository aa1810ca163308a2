"""Make the environment in ``.venv``: ``python tools/set_up.py .venv``, called by the Makefile.

Needs nothing but Python. Each way to fail ends with one line that says what to do. The file
``ready`` is written last: without it, the next call takes an interrupted set-up up again.
"""

import csv
import os
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = (3, 11)
# Before the first function: an old Python cannot read the annotations below.
if sys.version_info < OLDEST:
    sys.exit(
        f"Set-up failed: this is Python {sys.version_info[0]}.{sys.version_info[1]}, and 3.11 or "
        "newer is needed: name one, for example `make PYTHON=python3.12 test`"
    )

ROOT = Path(__file__).resolve().parents[1]


class SetUpError(Exception):
    """What went wrong and what to do about it, in one line."""


def main(folder: Path, root: Path = ROOT) -> int:
    """Create the environment and install the pinned requirements and course_lib into it.

    Args:
        folder: where the environment is, or will be.
        root: the folder with ``requirements.txt`` and ``pyproject.toml``.

    Returns:
        The exit status.
    """
    try:
        create(folder)
        forget_incomplete(folder)
        install(folder, root)
    except SetUpError as error:
        print(f"Set-up failed: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Set-up interrupted: the same command takes it up again.", file=sys.stderr)
        return 130
    (folder / "ready").touch()
    return 0


def create(folder: Path) -> None:
    """Create the virtual environment, unless a working one is there.

    Args:
        folder: where it is, or will be.

    Raises:
        SetUpError: if Python cannot make it.
    """
    if succeeds([str(folder / "bin" / "python"), "-m", "pip", "--version"]):
        return
    print(f"Making {folder.name} with Python {sys.version.split()[0]} ...", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    if not succeeds([sys.executable, "-m", "venv", str(folder)]):
        raise SetUpError(
            f"{sys.executable} cannot make a virtual environment here: look whether the folder "
            "is writable and the disk has room; on Debian and Ubuntu install python3-venv"
        )


def forget_incomplete(folder: Path) -> None:
    """Remove the entry of each package whose installation was interrupted.

    To pip and uv it is then missing, so that they install it again; they do not look at the files
    of a package that has an entry.

    Args:
        folder: the environment.
    """
    for entry in folder.glob("lib/python*/site-packages/*.dist-info"):
        if not complete(entry):
            print(f"{entry.stem} is incomplete: installing it again.", flush=True)
            shutil.rmtree(entry)


def complete(entry: Path) -> bool:
    """Tell whether a package has all files that its record lists with their size.

    Args:
        entry: its ``dist-info`` folder.
    """
    try:
        with (entry / "RECORD").open(newline="", encoding="utf-8") as record:
            files = [(name, size) for name, _, size in csv.reader(record) if size]
        return all((entry.parent / name).stat().st_size == int(size) for name, size in files)
    except (OSError, ValueError):
        return False


def install(folder: Path, root: Path) -> None:
    """Install the requirements and course_lib: with uv where there is one, else with pip.

    Args:
        folder: the environment.
        root: the folder with ``requirements.txt`` and ``pyproject.toml``.

    Raises:
        SetUpError: if a package could not be installed.
    """
    print("Installing the requirements (a few minutes, 2 GB) ...", flush=True)
    python = str((folder / "bin" / "python").absolute())
    uv = shutil.which("uv")
    if uv:
        if run([uv, "pip", "install", "--python", python], root, uv_environment(python)):
            return
        print("uv cannot install them here. Trying pip ...", flush=True)
    pip = [python, "-m", "pip", "install", "--disable-pip-version-check"]
    if not run(pip, root, dict(os.environ)):
        raise SetUpError(
            "the packages could not be installed: look at the message above and at the "
            "network, then type the same command again; it goes on where it stopped"
        )


def run(command: list[str], root: Path, environment: dict[str, str]) -> bool:
    """Install with one program, and tell whether it succeeded.

    Args:
        command: the program with its arguments.
        root: the folder with ``requirements.txt`` and ``pyproject.toml``.
        environment: its variables.
    """
    steps = (
        ["-r", str(root / "requirements.txt")],
        # Its bounds are loose, for Colab: left to itself, pip would fetch the newest torch. The
        # requirements hold what builds it, so that this step needs no network.
        ["--no-deps", "--no-build-isolation", "-e", str(root)],
    )
    return all(
        subprocess.run([*command, "-q", *step], env=environment).returncode == 0 for step in steps
    )


def uv_environment(python: str) -> dict[str, str]:
    """Return the variables for uv.

    uv does not read pip's configuration, where a local copy of torch may be named.

    Args:
        python: that of the environment.
    """
    links = subprocess.run(
        [python, "-m", "pip", "config", "get", "global.find-links"], capture_output=True, text=True
    )
    found = {"UV_FIND_LINKS": ",".join(links.stdout.split())} if links.returncode == 0 else {}
    return found | os.environ


def succeeds(command: list[str]) -> bool:
    """Run a command without showing what it prints, and tell whether it exited with 0.

    Args:
        command: the program with its arguments.
    """
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:  # It is missing, or another user's.
        return False


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
