"""Turn docstrings (Google style) into Markdown."""

import re
import textwrap

# Sections whose entries are "name: text"; every other section is running text.
LISTS = {"Args", "Raises", "Attributes"}
TITLES = {"Args": "Arguments", "Example": "Example"}
SECTION = re.compile(r"^(Args|Attributes|Returns|Yields|Raises|Source|Note|Examples?):$", re.M)


def escape(text: str) -> str:
    """Escape what Markdown would read as markup, except in code, and write code its way.

    Args:
        text: text of a docstring.

    Returns:
        Markdown.

    Example:
        >>> escape("``a*b`` costs $5, see :func:`f`; x_i * y")
        '`a*b` costs \\\\$5, see `f`; x\\\\_i \\\\* y'
    """
    text = re.sub(r":\w+:`([^`]+)`", r"`\1`", text).replace("``", "`")
    pieces = re.split(r"(`[^`]*`)", text)
    pieces[::2] = [re.sub(r"([*_$<])", r"\\\1", piece) for piece in pieces[::2]]
    return "".join(pieces)


def running_text(text: str) -> str:
    """Write running text with its ``>>>`` examples as code.

    Args:
        text: paragraphs, separated by blank lines.

    Returns:
        Markdown.
    """
    blocks = []
    for paragraph in textwrap.dedent(text).strip("\n").split("\n\n"):
        if ">>>" in paragraph:
            blocks.append(f"```pycon\n{paragraph}\n```")
        else:
            blocks.append(escape(paragraph))
    return "\n\n".join(blocks)


def entries(text: str) -> str:
    """Write the entries of a section as a list.

    Args:
        text: entries ``name: text``; lines that go on are indented further.

    Returns:
        A Markdown list, or running text if these are no entries.
    """
    text = textwrap.dedent(text).strip("\n")
    found = [
        re.match(r"([\w*., ]+?):\s+(.+)", entry, re.S) for entry in re.split(r"\n(?=\S)", text)
    ]
    if not all(found):
        return running_text(text)
    return "\n".join(f"- `{entry[1]}`: {escape(' '.join(entry[2].split()))}" for entry in found)


def markdown(docstring: str) -> str:
    """Turn a docstring into Markdown.

    Args:
        docstring: a docstring without common indentation.

    Returns:
        Markdown: the text, then each section under its name in bold.

    Example:
        >>> print(markdown("Double it.\\n\\nArgs:\\n    x: a number.\\n"))
        Double it.
        <BLANKLINE>
        **Arguments**
        <BLANKLINE>
        - `x`: a number.
    """
    text, *sections = SECTION.split(docstring)
    blocks = [running_text(text)]
    for name, body in zip(sections[::2], sections[1::2], strict=True):
        content = entries(body) if name in LISTS else running_text(body)
        blocks.append(f"**{TITLES.get(name, name)}**\n\n{content}")
    return "\n\n".join(blocks)
