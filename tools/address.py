"""The address of the repository: it stands once, in ``_config.yml``, and is written from there.

Set-up cells, Colab buttons and links to our files hold the address too. A fork changes the one
line in ``_config.yml`` and runs ``make notebooks``. Which address a text held before is read from
its set-up cells (``course-lib[lectures] @ git+https://github.com/<owner>/<name>``): nothing else
names our own repository for certain, and links to other people's stay as they are.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import yaml

from tools.paths import ROOT

NAME = r"[\w-]+/[\w.-]+?"
# In a notebook the quote that follows is written \", on other pages it may be missing.
INSTALLED = re.compile(
    rf"course-lib\[\w+\] @ git\+https://github\.com/({NAME})(?:\.git)?(?=[\\\"'\s@]|$)"
)


@dataclass(frozen=True)
class Address:
    """A repository on GitHub: ``owner/name`` and the branch that links show."""

    name: str
    branch: str

    @property
    def url(self) -> str:
        """The page of the repository."""
        return f"https://github.com/{self.name}"


def read(root: Path = ROOT) -> Address:
    """Read the address from ``_config.yml``.

    Args:
        root: the root of the repository.

    Returns:
        The address.

    Raises:
        ValueError: if ``repository: url:`` is no address on GitHub or ``branch:`` is missing.
    """
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    repository = config.get("repository", {})
    url, branch = repository.get("url"), repository.get("branch")
    match = re.fullmatch(rf"https://github\.com/({NAME})", str(url))
    if not match:
        raise ValueError(
            f"repository url in _config.yml is {url!r}, expected https://github.com/<owner>/<name>"
        )
    if not isinstance(branch, str) or not branch:
        raise ValueError(f"repository branch in _config.yml is {branch!r}, expected a name")
    return Address(match[1], branch)


def installed(texts: Iterable[str]) -> set[str]:
    """Collect the repositories from which set-up cells install the library.

    Args:
        texts: contents of files.

    Returns:
        Names as ``owner/name``.

    Example:
        >>> installed(['%pip install "course-lib[lectures] @ git+https://github.com/ada/dl"'])
        {'ada/dl'}
    """
    return {match[1] for text in texts for match in INSTALLED.finditer(text)}


def rewrite(text: str, names: Iterable[str], address: Address) -> str:
    """Replace other names of our repository by the address, and the branch in links to its files.

    Args:
        text: content of a file.
        names: names that our repository had or has, ``owner/name``.
        address: what to write.

    Returns:
        The new content.

    Example:
        >>> rewrite("https://github.com/a/b/blob/dev/x.py", {"a/b"}, Address("c/d", "main"))
        'https://github.com/c/d/blob/main/x.py'
    """
    names = set(names)
    if not names:
        return text
    ours = "|".join(re.escape(name) for name in sorted(names))
    # What follows must not be a longer name; ".git" and a full stop are none.
    ends = r"(?![\w-]|\.(?!git\b)\w)"
    # Both https://github.com/o/r and https://colab.research.google.com/github/o/r.
    start = r"(github\.com/|google\.com/github/)"
    text = re.sub(rf"{start}(?:{ours}){ends}", rf"\g<1>{address.name}", text)
    new = re.escape(address.name)
    return re.sub(
        rf"{start}{new}/(blob|tree|raw)/[\w.-]+/",
        rf"\g<1>{address.name}/\2/{address.branch}/",
        text,
    )


def files(root: Path = ROOT) -> list[Path]:
    """List the files that may hold the address.

    Args:
        root: the root of the repository.

    Returns:
        Pages first and notebooks last: a run that is cut short can be repeated, because the
        set-up cells still tell the former address.
    """
    pages = [*root.glob("*.md"), *root.glob("pyproject.toml"), *(root / "book").rglob("*.md")]
    notebooks = [p for p in (root / "book").rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts]
    return sorted(pages) + sorted(notebooks)


def stale(root: Path = ROOT) -> dict[Path, str]:
    """Find the files that hold another address than ``_config.yml``.

    Args:
        root: the root of the repository.

    Returns:
        The content that each should have.
    """
    address = read(root)
    texts = {path: path.read_text(encoding="utf-8") for path in files(root)}
    names = installed(texts.values()) | {address.name}
    new = {path: rewrite(text, names, address) for path, text in texts.items()}
    return {path: text for path, text in new.items() if text != texts[path]}


def rewrite_files(root: Path = ROOT) -> None:
    """Write the address from ``_config.yml`` into every file that holds another one.

    Args:
        root: the root of the repository.
    """
    for path, text in stale(root).items():
        path.write_text(text, encoding="utf-8")
