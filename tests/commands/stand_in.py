"""A course of no size, to set up in place of the real one: no network, no gigabytes.

The file is also the build backend of that course.
"""

import shutil
import zipfile
from pathlib import Path

PYPROJECT = """\
[build-system]
requires = []
build-backend = "stand_in"
backend-path = ["."]

[project]
name = "course-lib"
version = "1.0"
"""


def course(root: Path) -> None:
    """Write a course with one requirement, the package ``small``.

    Args:
        root: the folder for it.
    """
    root.mkdir(parents=True)
    shutil.copy(__file__, root)
    (root / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
    wheel = root / write_wheel(root, "small")
    (root / "requirements.txt").write_text(f"small @ {wheel.as_uri()}\n", encoding="utf-8")


def write_wheel(folder: Path, name: str) -> str:
    """Write a package with one module, and return the name of its file."""
    entry = f"{name}-1.0.dist-info"
    files = {
        f"{name}.py": "x = 1\n",
        f"{entry}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{entry}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},,{len(text)}\n" for path, text in files.items())
    with zipfile.ZipFile(Path(folder, f"{name}-1.0-py3-none-any.whl"), "w") as wheel:
        for path, text in (files | {f"{entry}/RECORD": f"{record}{entry}/RECORD,,\n"}).items():
            wheel.writestr(path, text)
    return f"{name}-1.0-py3-none-any.whl"


def build_editable(
    folder: str, config_settings: dict | None = None, metadata_directory: str | None = None
) -> str:
    """Build course_lib, as pip asks for it."""
    return write_wheel(Path(folder), "course_lib")


def script(path: Path, text: str) -> None:
    """Write a program that stands in for another.

    Args:
        path: the file.
        text: what it does, in the language of the shell.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
