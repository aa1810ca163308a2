"""A fresh machine with PyTorch on it, such as Colab's, imitated without a network.

Imitated: Python with PyTorch and what else course_lib asks for, and nothing more that could be
imported; no course_lib; a notebook alone in an empty folder; a first cell that fetches course_lib
with pip and git from its public address, where git finds the state of this working tree.

Not imitated: Colab's own packages, their versions and its page. The packages have the versions of
the tests; a package that course_lib asks for and Colab lacks is not downloaded, and what builds
course_lib is there already. The weekly workflow installs from the network, with the oldest versions
that are promised.
"""

import json
import os
import shutil
import subprocess
import sysconfig
import tomllib
import venv
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

import nbformat
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpecManager
from nbclient import NotebookClient
from nbformat import NotebookNode
from packaging.requirements import Requirement
from packaging.version import Version
from watchful_client import WatchfulClient

from tools import address
from tools.paths import ROOT

# What pip builds course_lib with, and pip itself.
BUILD = ("pip", "setuptools")


class Runtime:
    """An environment of its own with course_lib's dependencies.

    Args:
        folder: an empty folder for it.
        repository: what git shall find at the public address, made by ``commit_working_tree``.
    """

    def __init__(self, folder: Path, repository: Path) -> None:
        self.work = folder / "work"
        self.work.mkdir()
        venv.create(folder / "environment", symlinks=True)
        self._python = folder / "environment" / "bin" / "python"
        self._own = next((folder / "environment").glob("lib/python*/site-packages"))

        # Links, in a folder that pip takes for another environment's: it changes nothing there.
        packages = folder / "packages"
        packages.mkdir()
        files = [file for package in dependencies(requirements()) for file in package.files or ()]
        for name in {file.parts[0] for file in files} - {"..", "__pycache__"}:
            (packages / name).symlink_to(Path(sysconfig.get_path("purelib")) / name)
        (self._own / "packages.pth").write_text(f"{packages}\n", encoding="utf-8")

        kernel = folder / "kernels" / "colab"
        kernel.mkdir(parents=True)
        command = [str(self._python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        (kernel / "kernel.json").write_text(
            json.dumps({"argv": command, "display_name": "Colab", "language": "python"}),
            encoding="utf-8",
        )
        self._kernels = str(kernel.parent)
        (folder / "constraint.txt").write_text(
            f"torch=={Version(metadata.version('torch')).public}\n", encoding="utf-8"
        )
        # These would show the kernel the working tree, or tell it that it is under test.
        hidden = {"COURSE_QUIET", "MPLBACKEND", "PYTHONPATH", "VIRTUAL_ENV"}
        self._variables = {k: v for k, v in os.environ.items() if k not in hidden} | {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": f"url.{repository}.insteadOf",
            "GIT_CONFIG_VALUE_0": address.read().url,
            "PIP_CONSTRAINT": str(folder / "constraint.txt"),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_NO_INDEX": "1",
            # To pip, the value is that of "build isolation": 0 switches it off.
            "PIP_NO_BUILD_ISOLATION": "0",
        }

    def installed(self) -> set[str]:
        """List what has been installed since the start."""
        return {package.name for package in metadata.distributions(path=[str(self._own)])}

    def imports(self, module: str) -> bool:
        """Tell whether a module can be imported."""
        command = [str(self._python), "-c", f"import {module}"]
        done = subprocess.run(command, cwd=self.work, env=self._variables, capture_output=True)
        return done.returncode == 0

    def run(self, notebook: Path | NotebookNode, allow_errors: bool = False) -> NotebookNode:
        """Run a notebook from the top, alone in an empty folder.

        Args:
            notebook: the notebook or its file.
            allow_errors: whether to go on after a cell that fails.

        Returns:
            The executed notebook.

        Raises:
            CellExecutionError: if a cell fails and errors are not allowed.
        """
        if isinstance(notebook, Path):
            shutil.copy(notebook, self.work)
            notebook = nbformat.read(self.work / notebook.name, as_version=4)
        manager = AsyncKernelManager(
            client_factory=WatchfulClient,
            kernel_name="colab",
            kernel_spec_manager=KernelSpecManager(kernel_dirs=[self._kernels]),
        )
        client = NotebookClient(
            notebook,
            km=manager,
            allow_errors=allow_errors,
            resources={"metadata": {"path": str(self.work)}},
            timeout=300,
        )
        return client.execute(env=self._variables)


def requirements() -> list[str]:
    """Read what a set-up cell asks pip for, and what pip needs to build it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [*project["dependencies"], *project["optional-dependencies"]["lectures"], *BUILD]


def dependencies(names: Iterable[str]) -> list[metadata.Distribution]:
    """Find installed packages with all that they need.

    Args:
        names: requirements as in ``pyproject.toml``.
    """
    found: dict[str, metadata.Distribution] = {}
    waiting = [Requirement(name) for name in names]
    while waiting:
        wanted = waiting.pop()
        key = wanted.name.lower().replace("_", "-")
        if key in found:
            continue
        try:
            found[key] = metadata.distribution(wanted.name)
        except metadata.PackageNotFoundError:
            continue  # A companion of another build of PyTorch.
        for line in found[key].requires or ():
            needed = Requirement(line)
            extras = wanted.extras or {""}
            if not needed.marker or any(needed.marker.evaluate({"extra": e}) for e in extras):
                waiting.append(needed)
    return list(found.values())


def commit_working_tree(repository: Path) -> None:
    """Commit the working tree, as it is, into a repository of its own.

    Args:
        repository: the folder for it. The repository of the working tree, if any, is not touched.
    """
    git = ["git", f"--git-dir={repository}", f"--work-tree={ROOT}"]
    author = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
    nobody = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    for command in (
        ["git", "init", "--quiet", "--bare", str(repository)],
        [*git, "add", "--all"],
        [*git, *author, "commit", "--quiet", "--message=The working tree"],
    ):
        subprocess.run(command, cwd=ROOT, env=nobody, check=True)
