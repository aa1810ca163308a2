"""Make the pages that document ``course_lib`` from its signatures and docstrings.

One page a part, and one for the tools that all parts share.

The files are read, not imported: a signature then stands on the page as its author wrote it, with
``Float[Tensor, "batch classes"]`` for a shape.
"""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

from tools import address
from tools.contents import lectures_in_order
from tools.docstrings import markdown

BEGINNING = """\
# The library

The package `course_lib` holds what the lectures derive, and the few tools they share. These pages
are made from its signatures and docstrings. Shapes stand in the signatures:
`Float[Tensor, "batch classes"]` is a tensor of floating-point numbers with two axes, and `*batch`
stands for any number of axes, none included.
"""
SHARED = "What all parts share stands here."
PART = """\
The modules of `course_lib.{name}`, from their signatures and docstrings. What all parts share
stands on [the first page of the library](../api.md)."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def modules(folder: Path) -> list[Path]:
    """List the modules of a folder and of the folders in it.

    Args:
        folder: a package.

    Returns:
        Those of the folder itself first, then folder by folder. Private modules are left out.
    """

    def order(path: Path) -> tuple:
        return len(path.relative_to(folder).parts) > 1, path.as_posix()

    found = folder.rglob("*.py")
    return sorted((p for p in found if p.name == "__init__.py" or p.name[0] != "_"), key=order)


def is_public(node: ast.AST) -> bool:
    """Tell whether a node defines a function or class for users."""
    return isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_")


def header(node: Function | ast.ClassDef, source: str) -> str:
    """Return the first lines of a definition, up to its colon, as they are written."""
    start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    lines = source.splitlines()[start - 1 : node.body[0].lineno - 1]
    return inspect.cleandoc("\n".join(lines)).rstrip().removesuffix(":")


def signature(node: Function | ast.ClassDef, source: str) -> str:
    """Return what a caller has to know: the header, and for a class its fields and constructor."""
    if not isinstance(node, ast.ClassDef):
        return header(node, source)
    members = [
        ast.get_source_segment(source, member)
        if isinstance(member, ast.AnnAssign)
        else header(member, source)
        for member in node.body
        if isinstance(member, ast.AnnAssign) or getattr(member, "name", "") == "__init__"
    ]
    return "\n".join([header(node, source), *(indent(member, "    ") for member in members)])


def definition(
    node: Function | ast.ClassDef, source: str, level: int, prefix: str
) -> Iterator[str]:
    """Document a function, or a class with its public methods.

    Args:
        node: the definition.
        source: the text of its module.
        level: the level of its heading.
        prefix: what stands before its name in the heading.

    Yields:
        Blocks of Markdown.
    """
    yield f"{'#' * level} `{prefix}{node.name}`"
    yield f"```python\n{signature(node, source)}\n```"
    if docstring := ast.get_docstring(node):
        yield markdown(docstring)
    if isinstance(node, ast.ClassDef):
        for member in filter(is_public, node.body):
            yield from definition(member, source, level + 1, f"{node.name}.")


def module(path: Path, root: Path, link: str) -> Iterator[str]:
    """Document a module.

    Args:
        path: its file.
        root: the root of the repository.
        link: the address below which the files of the repository are shown.

    Yields:
        Blocks of Markdown; none if the module defines nothing for users.
    """
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    public = list(filter(is_public, tree.body))
    if not public:
        return
    file = path.relative_to(root).as_posix()
    yield f"## `{file.removesuffix('.py').removesuffix('/__init__').replace('/', '.')}`"
    yield f"{markdown(ast.get_docstring(tree) or '')}\n\n[Source]({link}/{file})"
    for node in public:
        yield from definition(node, source, 3, "")


def pages(root: Path) -> dict[Path, str]:
    """Write the pages.

    Args:
        root: the root of the repository.

    Returns:
        The Markdown of ``book/api.md``, which holds the shared tools, and of
        ``book/api/<part>.md`` for each part, by path.
    """
    repository = address.read(root)
    link = f"{repository.url}/blob/{repository.branch}"
    parts = {Path(lecture.name).parent.name: lecture.part for lecture in lectures_in_order(root)}
    folders = {name: root / "course_lib" / name for name in parts}
    shared = [
        path
        for path in modules(root / "course_lib")
        if not any(path.is_relative_to(folder) for folder in folders.values())
    ]

    def text(beginning: list[str], paths: list[Path]) -> str:
        blocks = [block for path in paths for block in module(path, root, link)]
        return "\n\n".join([*beginning, *blocks]) + "\n"

    links = "\n".join(f"- [{caption}](api/{name}.md)" for name, caption in parts.items())
    beginning = [BEGINNING.strip(), f"Each part has a page:\n\n{links}", SHARED]
    written = {root / "book/api.md": text(beginning, shared)}
    for name, caption in parts.items():
        beginning = [f"# The library: {caption}", PART.format(name=name)]
        written[root / f"book/api/{name}.md"] = text(beginning, modules(folders[name]))
    return written
