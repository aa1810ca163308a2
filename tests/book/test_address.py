"""The address of the repository stands once, in ``_config.yml``, and everything else follows."""

from pathlib import Path

import pytest
from rules import sample

from tools import address, paths, setup_cell

PAGE = """\
Run `git clone https://github.com/ada/doubling` or `git clone https://github.com/ada/doubling.git`.
Code: <https://github.com/ada/doubling/blob/main/course_lib/numbers/doubling.py>.
[Colab](https://colab.research.google.com/github/ada/doubling/blob/main/book/intro.ipynb).
[Others](https://github.com/ada/doubling-more/blob/main/README.md),
[and others](https://github.com/bob/doubling/blob/master/README.md).
"""
MOVED = """\
Run `git clone https://github.com/eve/maths` or `git clone https://github.com/eve/maths.git`.
Code: <https://github.com/eve/maths/blob/dev/course_lib/numbers/doubling.py>.
[Colab](https://colab.research.google.com/github/eve/maths/blob/dev/book/intro.ipynb).
[Others](https://github.com/ada/doubling-more/blob/main/README.md),
[and others](https://github.com/bob/doubling/blob/master/README.md).
"""


def _configure(root: Path, url: str, branch: str = "main") -> None:
    content = f"repository:\n  url: {url}\n  branch: {branch}\n"
    (root / "_config.yml").write_text(content, encoding="utf-8")


def test_repository_is_in_step_with_its_address() -> None:
    stale = [str(path.relative_to(paths.ROOT)) for path in address.stale()]
    assert stale == [], "these hold another address than _config.yml: run make notebooks"


def test_fork_changes_one_line(tmp_path: Path) -> None:
    sample.build(tmp_path)
    (tmp_path / "README.md").write_text(PAGE, encoding="utf-8")
    assert address.stale(tmp_path) == {}
    _configure(tmp_path, "https://github.com/eve/maths", "dev")
    notebooks = {tmp_path / path for path in sample.PATHS.values()}
    assert set(address.stale(tmp_path)) == {tmp_path / "README.md", *notebooks}
    address.rewrite_files(tmp_path)
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == MOVED
    for path in notebooks:
        content = path.read_text(encoding="utf-8")
        assert "ada/doubling" not in content
        assert (
            setup_cell.source(address.read(tmp_path)).splitlines()[-1].strip().replace('"', '\\"')
            in content
        )
    assert address.stale(tmp_path) == {}


def test_run_that_was_cut_short_can_be_repeated(tmp_path: Path) -> None:
    sample.build(tmp_path)
    (tmp_path / "README.md").write_text(PAGE, encoding="utf-8")
    _configure(tmp_path, "https://github.com/eve/maths", "dev")
    (first, content), *_ = address.stale(tmp_path).items()
    first.write_text(content, encoding="utf-8")
    address.rewrite_files(tmp_path)
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == MOVED
    assert address.stale(tmp_path) == {}


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("https://gitlab.com/ada/doubling", "'https://gitlab.com/ada/doubling'"),
        ("https://github.com/ada", "'https://github.com/ada'"),
        ("", "None"),
    ],
)
def test_bad_address_is_refused(url: str, message: str, tmp_path: Path) -> None:
    _configure(tmp_path, url)
    with pytest.raises(ValueError, match=f"repository url in _config.yml is {message}"):
        address.read(tmp_path)
