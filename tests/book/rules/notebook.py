"""A notebook as the rules see it: its cells, its headings, its code."""

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

from course_lib import verify
from rules import markdown
from tools import normalise

# The functions of verify that check a numbered equation: those whose first argument is its tag.
CHECKS = {
    name
    for name, function in inspect.getmembers(verify, inspect.isfunction)
    if next(iter(inspect.signature(function).parameters), None) == "tag" and name[0] != "_"
}


@dataclass(frozen=True)
class Block:
    """A code cell, or a part of a Markdown cell that begins with a heading or with the cell.

    ``level`` is 0 where there is no heading; ``text`` leaves the heading out.
    """

    index: int
    cell: NotebookNode
    level: int
    title: str
    text: str

    @property
    def is_code(self) -> bool:
        return self.cell.cell_type == "code"


@dataclass(frozen=True)
class Notebook:
    """A stored notebook: the root of its repository, its path from there, the file's content."""

    root: Path
    path: Path
    content: str

    @classmethod
    def read(cls, root: Path, path: Path) -> "Notebook":
        return cls(root, path.relative_to(root), path.read_text(encoding="utf-8"))

    @cached_property
    def data(self) -> NotebookNode:
        return normalise.parse(self.content)

    @property
    def course(self) -> dict:
        return self.data.metadata.get("course", {})

    @cached_property
    def markdown(self) -> list[tuple[int, str]]:
        cells = enumerate(self.data.cells)
        return [(i, cell.source) for i, cell in cells if cell.cell_type == "markdown"]

    @cached_property
    def code(self) -> list[tuple[int, NotebookNode]]:
        return [(i, cell) for i, cell in enumerate(self.data.cells) if cell.cell_type == "code"]

    @cached_property
    def blocks(self) -> list[Block]:
        return [block for i, cell in enumerate(self.data.cells) for block in _split(i, cell)]

    @cached_property
    def sections(self) -> list[list[Block]]:
        """The parts that begin with a heading of level 2; the first block holds its title."""
        sections: list[list[Block]] = []
        for block in self.blocks:
            if block.level == 2:
                sections.append([block])
            elif sections:
                sections[-1].append(block)
        return sections

    def following(self, block: Block, up_to_level: int = 6) -> Iterator[Block]:
        """The blocks after this one, up to the next heading of that level or a higher one."""
        for other in self.blocks[self.blocks.index(block) + 1 :]:
            if 0 < other.level <= up_to_level:
                return
            yield other


def stdout(cell: NotebookNode) -> str:
    """What a code cell has printed."""
    return "".join(o.text for o in cell.outputs if o.get("name") == "stdout")


def syntax(cell: NotebookNode) -> ast.Module:
    """The syntax tree of a code cell, magics translated as IPython does it."""
    return _parse(cell.source)


def calls(cell: NotebookNode, module: str) -> list[tuple[str, ast.Call]]:
    """The calls ``module.function(...)`` in a code cell, with the name of the function."""
    return [
        (node.func.attr, node)
        for node in ast.walk(syntax(cell))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == module
    ]


def asserts(cell: NotebookNode) -> bool:
    """Whether a code cell would fail if what it checks were false."""
    return any(name in {*CHECKS, "claim"} for name, _ in calls(cell, "verify")) or any(
        isinstance(node, ast.Assert) for node in ast.walk(syntax(cell))
    )


def excerpt(text: str) -> str:
    """The first words of a text, for messages."""
    line = " ".join(text.split())
    return repr(line if len(line) <= 60 else line[:57] + "...")


@cache
def _parse(source: str) -> ast.Module:
    return ast.parse(TransformerManager().transform_cell(source))


def _split(index: int, cell: NotebookNode) -> list[Block]:
    if cell.cell_type != "markdown":
        return [Block(index, cell, 0, "", cell.source)]
    lines = cell.source.split("\n")
    headings = markdown.headings(cell.source)
    starts = [heading.line for heading in headings] + [len(lines)]
    blocks = []
    if "\n".join(lines[: starts[0]]).strip():
        blocks.append(Block(index, cell, 0, "", "\n".join(lines[: starts[0]])))
    for heading, end in zip(headings, starts[1:], strict=True):
        body = "\n".join(lines[heading.line + 1 : end])
        blocks.append(Block(index, cell, heading.level, heading.title, body))
    return blocks
