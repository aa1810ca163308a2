"""Rules of the text: it reads alike in Colab, on GitHub, in Jupyter and in the book."""

import re

from rules import markdown
from rules.notebook import Notebook, excerpt

TAGS = {"a", "br", "details", "img", "kbd", "sub", "summary", "sup"}
MYST = {
    "a colon fence": re.compile(r"^\s*:{3,}", re.MULTILINE),
    "a target": re.compile(r"^\s*\([\w.:-]+\)=\s*$", re.MULTILINE),
    "a comment": re.compile(r"^%", re.MULTILINE),
    "a block break": re.compile(r"^\+\+\+", re.MULTILINE),
    "a footnote": re.compile(r"\[\^[^\]]+\]"),
    "a link without text": re.compile(r"(?<!!)\[\]\("),
}


def commonmark_only(notebook: Notebook) -> list[str]:
    """The text is CommonMark, tables, LaTeX and a few HTML tags: nothing that only MyST knows."""
    faults = []
    for index, source in notebook.markdown:
        prose = markdown.without_code(source)
        faults += [
            f"cell {index}: {kind} of MyST: {excerpt(_line(prose, match.start()))}"
            for kind, pattern in MYST.items()
            for match in pattern.finditer(prose)
        ]
        before = ""
        for token in markdown.tokens(source):
            if token.type == "fence" and token.info.strip().startswith("{"):
                faults.append(f"cell {index}: a directive of MyST: {excerpt(token.info)}")
            if token.type == "code_inline" and re.search(r"\{[\w:+-]+\}$", before):
                faults.append(f"cell {index}: a role of MyST: {excerpt(before)}")
            before = token.content if token.type == "text" else ""
            if token.type in {"html_block", "html_inline"}:
                faults += [
                    f"cell {index}: the tag <{tag}>, expected one of {', '.join(sorted(TAGS))}"
                    for tag, _ in markdown.html_tags(token.content)
                    if tag not in TAGS
                ]
    return faults


def headings_in_order(notebook: Notebook) -> list[str]:
    """One heading of level 1, at the very top; after it no level is skipped."""
    faults = []
    level = 0
    for block in notebook.blocks:
        if not block.level:
            continue
        if block.level > level + 1:
            faults.append(
                f"cell {block.index}: heading {excerpt(block.title)} has level {block.level} "
                f"after level {level}"
            )
        if block.level == 1 and level > 0:
            faults.append(f"cell {block.index}: a second title: {excerpt(block.title)}")
        level = block.level
    first = notebook.blocks[0] if notebook.blocks else None
    if first is None or first.level != 1:
        faults.append("cell 0: does not begin with the title, a heading of level 1")
    return faults


def display_math_stands_alone(notebook: Notebook) -> list[str]:
    """``$$`` stands alone on its line, with a blank line around the block and none inside."""
    faults = []
    for index, source in notebook.markdown:
        lines = [line.strip() for line in markdown.without_code(source).split("\n")]
        opened = None
        for number, line in enumerate(lines):
            if "$$" in line and line != "$$":
                faults.append(f"cell {index}: $$ in a line with text: {excerpt(line)}")
            elif line == "$$" and opened is None:
                opened = number
                if number > 0 and lines[number - 1]:
                    faults.append(
                        f"cell {index}: no blank line before $$: {excerpt(lines[number - 1])}"
                    )
            elif line == "$$":
                block = " ".join(lines[opened + 1 : number])
                opened = None
                if number + 1 < len(lines) and lines[number + 1]:
                    faults.append(
                        f"cell {index}: no blank line after $$: {excerpt(lines[number + 1])}"
                    )
                if not block:
                    faults.append(f"cell {index}: an empty $$ block")
            elif opened is not None and not line:
                faults.append(
                    f"cell {index}: a blank line inside $$, after {excerpt(lines[number - 1])}"
                )
        if opened is not None:
            faults.append(f"cell {index}: $$ is not closed: {excerpt(' '.join(lines[opened:]))}")
    return faults


def inline_math_is_closed(notebook: Notebook) -> list[str]:
    """Every ``$`` opens or closes math: no space inside, no digit outside; money is ``\\$5``."""
    faults = []
    for index, source in notebook.markdown:
        faults += [
            f"cell {index}: a stray $ in {excerpt(text)}"
            for text in markdown.plain_texts(source)
            if "$" in text.replace("$$", "")
        ]
        # A code span inside math: the closing dollar was forgotten and found in code.
        faults += [
            f"cell {index}: $ is not closed: {excerpt(token.content)}"
            for token in markdown.tokens(source)
            if token.type == "math_inline" and "`" in token.content
        ]
    return faults


def portable_latex(notebook: Notebook) -> list[str]:
    """LaTeX stands between dollars; no ``align`` (``align*`` goes with a tag), no references."""
    faults = []
    for index, source in notebook.markdown:
        faults += [
            f"cell {index}: {match[0]} is not portable, near "
            f"{excerpt(_line(source, match.start()))}"
            for match in re.finditer(
                r"\\(?:label|ref|eqref)\{|\\begin\{(?:align|equation|eqnarray|gather|multline)\}",
                markdown.without_code(source),
            )
        ]
        faults += [
            f"cell {index}: LaTeX outside dollars: {excerpt(text)}"
            for text in markdown.plain_texts(source)
            if re.search(r"\\(?:begin|end)\{", text)
        ]
    return faults


def details_are_readable(notebook: Notebook) -> list[str]:
    """``<details>`` is closed in its cell, with a summary without math and blank lines inside."""
    faults = []
    for index, source in notebook.markdown:
        lines = markdown.without_code(source).split("\n")
        depth = 0
        for number, line in enumerate(lines):
            depth += len(re.findall(r"<details\b", line)) - len(re.findall(r"</details>", line))
            after = lines[number + 1].strip() if number + 1 < len(lines) else ""
            before = lines[number - 1].strip() if number else ""
            if depth < 0:
                faults.append(f"cell {index}: </details> without <details>: {excerpt(before)}")
                depth = 0
            if re.search(r"</summary>.*\S", line) or ("</summary>" in line and after):
                faults.append(f"cell {index}: no blank line after </summary>: {excerpt(line)}")
            if "</details>" in line and (line.strip() != "</details>" or before):
                faults.append(f"cell {index}: no blank line before </details>: {excerpt(before)}")
            if "</details>" in line and after:
                faults.append(f"cell {index}: no blank line after </details>: {excerpt(after)}")
        if depth:
            faults.append(f"cell {index}: <details> is not closed: {excerpt(source)}")
        for opening in re.finditer(r"<details\b[^>]*>\s*", source):
            summary = re.match(r"<summary>(.*?)</summary>", source[opening.end() :], re.DOTALL)
            if not summary or not summary[1].strip():
                text = source[opening.start() :]
                faults.append(f"cell {index}: <details> without a <summary>: {excerpt(text)}")
            elif "$" in summary[1]:
                faults.append(f"cell {index}: math in a summary: {excerpt(summary[1])}")
    return faults


def _line(text: str, position: int) -> str:
    begin = text.rfind("\n", 0, position) + 1
    return text[begin:].lstrip("\n").split("\n", 1)[0]
