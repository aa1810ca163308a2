"""The rule of equations: each that claims something is checked by a cell, under its number."""

import ast
import re

from rules import markdown
from rules.notebook import CHECKS, Notebook, calls, excerpt, stdout

TAG = re.compile(r"\\tag\*?\{([^}]*)\}")


def tags_are_numbered(notebook: Notebook) -> list[str]:
    """The tags of equations are 1, 2, 3, ... in the order of the text."""
    return [
        f"cell {index}: \\tag{{{tag}}}, expected \\tag{{{expected}}}"
        for expected, (index, tag) in enumerate(_tags(notebook), start=1)
        if tag != str(expected)
    ]


def tags_are_checked(notebook: Notebook) -> list[str]:
    """For each ``\\tag{n}`` a cell calls ``verify`` with "n" and its output says "(n) holds".

    And no cell checks a number that no equation has.
    """
    faults, checked = [], set()
    tags = _tags(notebook)
    for index, cell in notebook.code:
        lines = stdout(cell).splitlines()
        for name, call in calls(cell, "verify"):
            if name not in CHECKS:
                continue
            tag = _literal(call)
            if tag is None:
                faults.append(f'cell {index}: verify.{name} without a tag written out, like "3"')
            elif tag not in {known for _, known in tags}:
                faults.append(f"cell {index}: verify.{name} checks ({tag}), which no equation has")
            elif f"({tag}) holds" not in lines:
                faults.append(f"cell {index}: the output lacks the line '({tag}) holds'")
            checked.add(tag)
    source = dict(notebook.markdown)
    return faults + [
        f"cell {index}: equation ({tag}) is checked by no cell: "
        f"{excerpt(_equation(source[index], tag))}"
        for index, tag in tags
        if tag not in checked
    ]


def _tags(notebook: Notebook) -> list[tuple[int, str]]:
    return [
        (index, match[1])
        for index, source in notebook.markdown
        for match in TAG.finditer(markdown.without_code(source))
    ]


def _literal(call: ast.Call) -> str | None:
    given = [*call.args[:1], *(k.value for k in call.keywords if k.arg == "tag")]
    if given and isinstance(given[0], ast.Constant) and isinstance(given[0].value, str):
        return given[0].value
    return None


def _equation(source: str, tag: str) -> str:
    blocks = source.split("$$")
    return next((block for block in blocks if f"tag{{{tag}}}" in block), source)
