"""A small repository with one lecture, one solution and one release that keep every rule."""

from copy import deepcopy
from functools import cache
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from course_lib import explore
from rules.notebook import Notebook
from tools import address, normalise, setup_cell

ADDRESS = address.Address("ada/doubling", "main")
PATHS = {
    "lecture": Path("book/numbers/doubling.ipynb"),
    "solution": Path("book/solutions/numbers/doubling.ipynb"),
    "release": Path("book/exercises/numbers/doubling.ipynb"),
}
FILES = {
    "_config.yml": f"repository:\n  url: {ADDRESS.url}\n  branch: {ADDRESS.branch}\n",
    "book/intro.md": "# Introduction\n\n## First steps\n",
    "book/assets/line.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>\n",
    "course_lib/numbers/doubling.py": "",
}
COLAB = f"https://colab.research.google.com/github/{ADDRESS.name}/blob/{ADDRESS.branch}"

OPENING = """\
# Doubling

A recipe for two has to feed four. What happens to 3 eggs? They become 6.
"""
EXPECT = """\
**You will**

- double a number,
- see how a double grows,
- say what doubling twice does.

**Before you start**: [first steps](../intro.md#first-steps).

**Time**: 5 minutes to read, 1 minute to run.
"""
IMPORTS = """\
import matplotlib.pyplot as plt

from course_lib import explore, runtime, verify

device = runtime.prepare(seed=0)
"""
ALGEBRA = f"""\
## Twice a number

For a number $x$ we want $f(x)$, which costs \\$0 (see [its code][code], `$HOME` and `{{x}}`).

$$
f(x) = x + x
$$

It is the same as

$$
f(x) = 2 x. \\tag{{1}}
$$

**Predict first.** What is $f(3)$?

<details><summary>Answer</summary>

$f(3) = 6$, by (1).

</details>

[code]: {ADDRESS.url}/blob/{ADDRESS.branch}/course_lib/numbers/doubling.py
"""
GRAPH = """\
### As a line

![A straight line that climbs from left to right](../assets/line.svg)

**Predict first.** Is the graph straight?

<details><summary>Answer</summary>

Yes.

</details>
"""
MISTAKE = """\
### Common mistake: doubling twice is the same as adding four

It happens to be so for one number. People believe it because both make a number larger.
"""
QUIZ = """\
## Check yourself

**1. What is the double of 4?**

- (a) 8
- (b) 16

<details><summary>Answer</summary>

(a) is right. (b) is the square.

</details>

**2. What is the double of 0?**

- (a) 0
- (b) 2

<details><summary>Answer</summary>

(a) is right. (b) adds two.

</details>

**3. Which number is its own double?**

- (a) 1
- (b) 0

<details><summary>Answer</summary>

(a) has the double 2. (b) is right.

</details>
"""
CLOSING = f"""\
## Summary

A double is a number plus itself.

## Exercises

[The exercise](../exercises/numbers/doubling.ipynb), [in Colab]({COLAB}/{PATHS["release"]}).

## References

- [Euclid's Elements](https://example.org/euclid), book V.
"""
TASK = "## Task {} ({}, 5 minutes): double the number {}\n\nEnter it below."


def build(root: Path) -> None:
    """Write the files of the small repository."""
    for name, content in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content, encoding="utf-8")
    for kind, path in PATHS.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(stored(notebook(kind)), encoding="utf-8")


def read(root: Path, kind: str, content: str) -> Notebook:
    """Return the notebook of that kind, with another content."""
    return Notebook(root, PATHS[kind], content)


def stored(nb: NotebookNode) -> str:
    """Return a notebook as it is stored."""
    return normalise.text(normalise.normalise(nb))


def notebook(kind: str) -> NotebookNode:
    """Return a fresh lecture, solution or release."""
    return deepcopy(_notebook(kind))


@cache
def _notebook(kind: str) -> NotebookNode:
    nb = nbformat.v4.new_notebook(cells=_lecture() if kind == "lecture" else _exercise())
    nb.metadata["course"] = {"kind": "exercise"}
    if kind == "lecture":
        nb.metadata["course"] = {"kind": "lecture", "covers": ["A1.1-1"], "errata": ["E-01"]}
    code = [cell for cell in nb.cells if cell.cell_type == "code"]
    for count, cell in enumerate(code, start=1):
        cell.execution_count = None if kind == "release" else count
    return nb


def _lecture() -> list[NotebookNode]:
    graph = new_output("display_data", {"image/png": "aGVsbG8="})
    player = new_output("display_data", {"text/html": _player()})
    return [
        new_markdown_cell(OPENING),
        new_markdown_cell(EXPECT),
        _set_up(),
        new_code_cell(IMPORTS),
        new_markdown_cell(ALGEBRA),
        new_code_cell('verify.equal("1", 3 + 3, 2 * 3)', outputs=[_printed("(1) holds\n")]),
        new_markdown_cell(GRAPH),
        new_code_cell(
            "plt.plot([0, 1], [0, 2])\nplt.show()",
            metadata={"mystnb": {"image": {"alt": "A straight line from 0 to 2"}}},
            outputs=[graph],
        ),
        new_markdown_cell(MISTAKE, metadata={"course": {"erratum": "E-01"}}),
        new_code_cell(
            'verify.claim("doubling 3 twice gives 12", 2 * (2 * 3) == 12)',
            outputs=[_printed("holds: doubling 3 twice gives 12\n")],
        ),
        new_markdown_cell("### How long it takes\n\nNot long."),
        new_code_cell(
            "%timeit 3 + 3",
            metadata={"tags": ["nbval-ignore-output"]},
            outputs=[_printed("10 ns\n")],
        ),
        new_code_cell("assert 3 + 3 == 6"),
        new_markdown_cell("## Explore the slope"),
        new_code_cell('explore.figure(draw, "slope", [1, 2])', outputs=[player]),
        new_code_cell("explore.live(draw, slope=(1.0, 3.0))"),
        new_markdown_cell(QUIZ),
        new_markdown_cell(CLOSING),
    ]


def _exercise() -> list[NotebookNode]:
    levels = ["core", "core", "core", "optional", "optional"]
    cells = [new_markdown_cell("# Doubling: exercises\n\nFive tasks."), _set_up()]
    for number, level in enumerate(levels, start=1):
        cells += [new_markdown_cell(TASK.format(number, level, number)), new_code_cell("answer")]
    return cells


def _set_up() -> NotebookNode:
    return new_code_cell(setup_cell.source(ADDRESS), metadata={"tags": [setup_cell.TAG]})


def _printed(text: str) -> NotebookNode:
    return new_output("stream", name="stdout", text=text)


@cache
def _player() -> str:
    def draw(figure, slope):
        figure.subplots().plot([0, 1], [0, slope])
        return f"A straight line that ends at {slope}."

    return explore.player(draw, "slope", [1, 2], size=(2.0, 1.0))
