"""Markdown, parsed as the book does it."""

import itertools
import re
from collections.abc import Iterable, Iterator
from functools import cache
from html.parser import HTMLParser
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

# Stricter about dollars than the book: GitHub knows neither "$ x $" nor "2$x$". Escapes stay
# tokens of their own (no text_join), so that "\$" is not taken for a stray dollar.
PARSER = (
    MarkdownIt("commonmark")
    .enable("table")
    .use(dollarmath_plugin, allow_labels=False, allow_space=False, allow_digits=False)
    .disable("text_join")
)


class Heading(NamedTuple):
    """A heading: its line in the cell, its level, its text and its name in links."""

    line: int
    level: int
    title: str
    slug: str


class Picture(NamedTuple):
    """A picture in Markdown or HTML; ``alt`` is None where the attribute is missing."""

    source: str
    alt: str | None


@cache
def tokens(source: str) -> tuple[Token, ...]:
    """All tokens of a cell, those inside lines included."""
    return tuple(
        token for block in PARSER.parse(source) for token in (block, *(block.children or []))
    )


@cache
def headings(source: str) -> tuple[Heading, ...]:
    """The headings of a cell."""
    parsed = PARSER.parse(source)
    found = []
    for opening, inline in itertools.pairwise(parsed):
        if opening.type == "heading_open":
            # As myst_parser makes it, math left out.
            kinds = {"text", "text_special", "code_inline"}
            named = "".join(c.content for c in inline.children if c.type in kinds)
            slug = re.sub(r"[^\w\u4e00-\u9fff\- ]", "", named.lower().replace(" ", "-"))
            found.append(Heading(opening.map[0], int(opening.tag[1]), inline.content, slug))
    return tuple(found)


def plain_texts(source: str) -> list[str]:
    """The paragraphs of a cell, headings and table cells too, without math, code and escapes."""

    def plain(token: Token) -> str:
        # A backslash before a letter is no escape, but comes as a token of the same kind.
        is_text = token.type == "text" or re.match(r"\\[a-z]", token.content)
        return token.content if is_text and token.type in {"text", "text_special"} else " "

    inline = (token for token in tokens(source) if token.type == "inline")
    return ["".join(map(plain, token.children)) for token in inline]


def anchors(sources: Iterable[str]) -> set[str]:
    """The names of all headings of a page; a repeated one gets a number, as in myst_parser."""
    names: set[str] = set()
    for source in sources:
        for heading in headings(source):
            slug, number = heading.slug, 1
            while slug in names:
                slug, number = f"{slug}-{number}", number + 1
            names.add(slug)
    return names


@cache
def without_code(source: str) -> str:
    """The source with code blocks and code spans blanked, line by line as before."""
    lines = source.split("\n")
    for token in tokens(source):
        if token.type in {"fence", "code_block"}:
            lines[slice(*token.map)] = [""] * (token.map[1] - token.map[0])
    text = "\n".join(lines)
    span = r"(?<!`)(`+)(?!`)(?:(?!\n\n).)+?(?<!`)\1(?!`)"
    return re.sub(span, lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.DOTALL)


def links(source: str) -> Iterator[str]:
    """The targets of all links of a cell."""
    for token in tokens(source):
        if token.type == "link_open":
            yield str(token.attrs["href"])
        elif token.type in {"html_block", "html_inline"}:
            for tag, attributes in html_tags(token.content):
                if tag == "a" and "href" in attributes:
                    yield attributes["href"] or ""


def pictures(source: str) -> Iterator[Picture]:
    """The pictures of a cell."""
    for token in tokens(source):
        if token.type == "image":
            yield Picture(str(token.attrs["src"]), token.content)
        elif token.type in {"html_block", "html_inline"}:
            yield from html_pictures(token.content)


def html_pictures(html: str) -> list[Picture]:
    """The pictures in a piece of HTML."""
    tags = html_tags(html)
    return [Picture(at.get("src") or "", at.get("alt")) for tag, at in tags if tag == "img"]


def html_tags(html: str) -> list[tuple[str, dict[str, str | None]]]:
    """The opening tags in a piece of HTML, with their attributes."""
    found: list[tuple[str, dict[str, str | None]]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append((tag, dict(attrs)))

    reader = Reader()
    reader.feed(html)
    reader.close()
    return found
