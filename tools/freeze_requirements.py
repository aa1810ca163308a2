"""Pin everything: write ``requirements.txt`` from a fresh environment (``make requirements``).

Run it with the oldest Python that the README promises. The versions come from what was installed,
not from a resolver that reads torch's published metadata: that one would pin the CUDA companions
of torch, and every CPU install would download gigabytes.
"""

import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Asked for exactly: a bare "torch" takes the newest CUDA build. Sphinx 7 is what Jupyter Book 1 is
# tested with.
EXACT = ("torch==2.13.0", "sphinx==7.4.7")
HEADER = "# Everything, pinned. Made by `make requirements`; edit pyproject.toml instead.\n"


def wanted() -> list[str]:
    """Return the requirements of course_lib and of all its extras but the optional ones."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = list(project["dependencies"])
    for extra in ("lectures", "book", "test"):
        names += project["optional-dependencies"][extra]
    replaced = {"course-lib", *(exact.split("==")[0] for exact in EXACT)}
    return [*EXACT, *(n for n in names if re.match(r"[\w-]+", n)[0] not in replaced)]


def pin(frozen: str) -> str:
    """Turn the output of ``pip freeze`` into ``requirements.txt``.

    Example:
        >>> print(pin("pip==23.0\\ntorch==2.13.0+cpu\\n-e /some/where"), end="")
        # Everything, pinned. Made by `make requirements`; edit pyproject.toml instead.
        torch==2.13.0
    """
    lines = [re.sub(r"\+\w+$", "", line) for line in frozen.splitlines()]
    # An environment brings its own pip.
    pins = [line for line in lines if re.match(r"(?!pip==)[\w.-]+==", line)]
    return HEADER + "".join(f"{line}\n" for line in pins)


def main() -> None:
    """Install what is wanted into a temporary environment and pin what came."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder, "bin", "python"))
        subprocess.run([python, "-m", "pip", "install", "-q", *wanted()], check=True)
        # With --all setuptools is listed on every Python: it builds course_lib.
        frozen = subprocess.run(
            [python, "-m", "pip", "freeze", "--all"], check=True, capture_output=True, text=True
        ).stdout
    (ROOT / "requirements.txt").write_text(pin(frozen), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
