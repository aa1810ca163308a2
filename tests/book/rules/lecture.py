"""Rules of a lecture's order: where a reader finds what."""

import ast
import re

from rules import markdown
from rules.notebook import Notebook, excerpt, syntax

CLOSING = ["Check yourself", "Summary", "Exercises", "References"]


def sections_in_order(notebook: Notebook) -> list[str]:
    """Content first, Explore after it, then Check yourself, Summary, Exercises, References."""
    titles = [section[0].title for section in notebook.sections]
    faults = []
    for section in notebook.sections[:1]:
        if section[0].title.startswith("Explore"):
            faults.append(f"cell {section[0].index}: Explore comes before the first content")
    if titles[-len(CLOSING) :] != CLOSING:
        cells = [section[0].index for section in notebook.sections[-len(CLOSING) :]]
        faults.append(
            f"cell {cells[0] if cells else 0}: the last sections are {titles[-len(CLOSING) :]}, "
            f"expected {CLOSING}"
        )
    if not [t for t in titles if t not in CLOSING and not t.startswith("Explore")]:
        faults.append("cell 0: no section of content")
    return faults


def opening_tells_what_to_expect(notebook: Notebook) -> list[str]:
    """Cell 0: title and problem. Cell 1: You will (3 to 5), Before you start, Time in minutes."""
    cells = notebook.data.cells
    if len(cells) < 2 or {cells[0].cell_type, cells[1].cell_type} != {"markdown"}:
        return ["cell 0: expected two Markdown cells, the problem and what to expect"]
    faults = []
    if not any(block.text.strip() for block in notebook.blocks if block.index == 0):
        faults.append("cell 0: no text under the title: which problem does this solve?")
    text = cells[1].source
    marks = ["**You will**", "**Before you start**", "**Time**"]
    parts = {mark: _paragraphs(text, mark, marks) for mark in marks}
    faults += [f"cell 1: no paragraph begins {mark}" for mark in marks if not parts[mark]]
    items = len(re.findall(r"^[-*] ", parts["**You will**"], re.MULTILINE))
    if parts["**You will**"] and not 3 <= items <= 5:
        faults.append(f"cell 1: You will lists {items} things, expected 3 to 5")
    if parts["**Time**"] and not re.search(r"\d.*minute", parts["**Time**"], re.DOTALL):
        faults.append("cell 1: Time tells no minutes")
    return faults


def imports_prepare_the_run(notebook: Notebook) -> list[str]:
    """Cell 3 holds the imports and, before anything else, ``device = runtime.prepare(...)``."""
    cells = notebook.data.cells
    if len(cells) < 4 or cells[3].cell_type != "code":
        return ["cell 3: expected the imports"]
    statements = syntax(cells[3]).body
    others = [s for s in statements if not isinstance(s, ast.Import | ast.ImportFrom)]
    if len(others) == len(statements):
        return [f"cell 3: no import: {excerpt(cells[3].source)}"]
    if not others or not re.fullmatch(r"device = runtime\.prepare\(.*\)", ast.unparse(others[0])):
        return [
            "cell 3: expected device = runtime.prepare(...) after the imports: "
            f"{excerpt(cells[3].source)}"
        ]
    return []


def references_are_links(notebook: Notebook) -> list[str]:
    """The section References holds a link."""
    for section in notebook.sections:
        if section[0].title == "References":
            text = "\n\n".join(block.text for block in section if not block.is_code)
            if not any(markdown.links(text)):
                return [f"cell {section[0].index}: References holds no link"]
    return []


def _paragraphs(text: str, mark: str, marks: list[str]) -> str:
    """The part of a text from the line that begins with the mark up to the next mark."""
    lines = text.split("\n")
    starts = [i for i, line in enumerate(lines) if line.startswith(mark)]
    if not starts:
        return ""
    others = tuple(other for other in marks if other != mark)
    rest = lines[starts[0] :]
    ends = [i for i, line in enumerate(rest) if line.startswith(others)]
    return "\n".join(rest[: ends[0]] if ends else rest)
