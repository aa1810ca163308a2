"""The pages that are made from lectures and docstrings, and the front page's example."""

import doctest
import re

import nbformat
import pytest

from tools import api_page, build_pages, contents, mistakes_page
from tools.paths import ROOT

PAGES = build_pages.pages()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_committed_page_is_in_step(path):
    assert path.read_text(encoding="utf-8") == PAGES[path], (
        f"{path.relative_to(ROOT)} is out of step with the lectures or docstrings: "
        "run `make notebooks`"
    )


def test_front_page_example_runs():
    text = (ROOT / "book/intro.md").read_text(encoding="utf-8")
    code = "".join(re.findall(r"```pycon\n(.*?)```", text, re.S))
    example = doctest.DocTestParser().get_doctest(code, {}, "book/intro.md", None, None)
    assert len(example.examples) > 1
    assert doctest.DocTestRunner().run(example).failed == 0


def write_book(root, cells):
    """A book with one lecture in the folder ``calculus``."""
    (root / "book/calculus").mkdir(parents=True)
    cells = [nbformat.v4.new_markdown_cell(cell) for cell in cells]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), root / "book/calculus/slopes.ipynb")
    (root / "_toc.yml").write_text(
        "root: book/intro\nparts:\n- caption: Calculus\n  chapters:\n"
        "  - file: book/calculus/slopes\n  - file: book/other-page\n",
        encoding="utf-8",
    )


def test_mistakes_are_collected_with_links(tmp_path):
    write_book(
        tmp_path,
        [
            "# Slopes\n\nFirst.",
            "### Common mistake: the `grad` of $x^2$ is $x$\n\nSee\n[layout](../notation.md).",
            "## Summary\n\nNothing.\n\n### Common mistake: b\n\nBecause.",
        ],
    )
    assert mistakes_page.page(tmp_path).split("## Calculus")[1].strip() == (
        "### [Slopes](calculus/slopes.ipynb)\n\n"
        "- **[The `grad` of $x^2$ is $x$]"
        "(calculus/slopes.ipynb#common-mistake-the-grad-of--is-)**<br>\n"
        "  See [layout](notation.md).\n\n"
        "- **[B](calculus/slopes.ipynb#common-mistake-b)**<br>\n"
        "  Because."
    )


def test_only_notebooks_of_the_contents_are_lectures(tmp_path):
    write_book(tmp_path, ["# Slopes"])
    names = [lecture.name for lecture in contents.lectures_in_order(tmp_path)]
    assert names == ["book/calculus/slopes"]


MODULE = '''\
"""About slopes."""

from dataclasses import dataclass


def slope(
    x: Float[Tensor, "*batch n"],
) -> Float[Tensor, "*batch"]:
    """Return the slope x_1.

    Args:
        x: points, as
            rows.

    Returns:
        One number a row.

    Raises:
        ValueError: if n is 0.

    Example:
        >>> slope(1)
        2
    """


@dataclass(frozen=True)
class Line:
    """A line."""

    rise: float

    def at(self, x: float) -> float:
        """Its height."""

    def _hidden(self) -> None:
        """Not for users."""


def _hidden() -> None:
    """Not for users."""
'''


def test_api_page_shows_signatures_and_sections(tmp_path):
    write_book(tmp_path, ["# Slopes"])
    (tmp_path / "_config.yml").write_text(
        "repository: {url: https://github.com/ada/book, branch: dev}\n", encoding="utf-8"
    )
    for folder in ("calculus", "data"):
        (tmp_path / "course_lib" / folder).mkdir(parents=True)
    (tmp_path / "course_lib/calculus/slopes.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "course_lib/data/text.py").write_text("def a():\n    pass\n", encoding="utf-8")
    (tmp_path / "course_lib/show.py").write_text("def b():\n    pass\n", encoding="utf-8")

    pages = api_page.pages(tmp_path)
    page, shared = (pages[tmp_path / f"book/{name}.md"] for name in ("api/calculus", "api"))
    assert re.findall(r"^##? (.*)", page, re.M) == [
        "The library: Calculus",
        "`course_lib.calculus.slopes`",
    ]
    assert re.findall(r"^## (.*)", shared, re.M) == ["`course_lib.show`", "`course_lib.data.text`"]
    assert "- [Calculus](api/calculus.md)" in shared
    assert "[Source](https://github.com/ada/book/blob/dev/course_lib/calculus/slopes.py)" in page
    assert (
        '```python\ndef slope(\n    x: Float[Tensor, "*batch n"],\n'
        ') -> Float[Tensor, "*batch"]\n```\n\nReturn the slope x\\_1.\n\n'
        "**Arguments**\n\n- `x`: points, as rows.\n\n"
        "**Returns**\n\nOne number a row.\n\n"
        "**Raises**\n\n- `ValueError`: if n is 0.\n\n"
        "**Example**\n\n```pycon\n>>> slope(1)\n2\n```"
    ) in page
    assert "```python\n@dataclass(frozen=True)\nclass Line\n    rise: float\n```" in page
    assert "#### `Line.at`" in page
    assert "hidden" not in page
