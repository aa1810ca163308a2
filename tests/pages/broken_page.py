"""Copies of a built page with one fault each, to see that its check finds it."""

import base64
import random
from pathlib import Path

from book_pages import HTML, KINDS

SOURCE = HTML / f"{KINDS['landing']}.html"  # a light one: it is opened for each fault
ARTICLE = '<article class="bd-article">'

# Random bytes: nothing makes them smaller.
BALLAST = base64.b64encode(random.Random(0).randbytes(700_000)).decode("ascii")
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!--{}--></svg>'
PALE = "color: #aaa; background: #fff"
WIDE = '<div style="width: 2000px">Wide.</div>'
SMALL = '<div class="cell_output"><img src="FOLDER/small.svg" alt="A dot"></div>'

REPLACED = {
    "no description": ('<meta name="description"', '<meta name="other"'),
    "no language": ('<html lang="en"', "<html"),
    "answers closed on paper": ("/course.js", "/no-such-script.js"),
}
"""What is replaced in the page, and by what."""

INSERTED = {
    "unknown macro": r'<p>So <span class="math notranslate nohighlight">\(\foo\)</span>.</p>',
    "formula left alone": '<p>So <span class="math tex2jax_ignore">x = 1</span>.</p>',
    "stray dollar": "<p>Here $x is no formula.</p>",
    "console error": "<script>console.error('something broke')</script>",
    "script error": "<script>undefinedName()</script>",
    "missing file": '<img src="no-such-picture.png" alt="Nothing">',
    "picture from outside": '<img src="https://example.org/picture.png" alt="From elsewhere">',
    "style from outside": "<style>@import 'https://example.org/style.css'</style>",
    "no alternative text": '<img src="FOLDER/small.svg">',
    "empty alternative text": '<img src="FOLDER/small.svg" alt="">',
    "second title": "<h1>Another title</h1>",
    "nameless button": "<button></button>",
    "pale text": f'<p style="{PALE}">Hardly to be read.</p>',
    "pale code": f'<pre><span style="{PALE}">x = 1</span></pre>',
    "pale word in code": '<div class="highlight"><pre><span class="n">x</span> <span class="pale">'
    f"= 1</span></pre></div><style>.pale {{ {PALE} }}</style>",
    "pale answer": f'<details><summary>Answer</summary><p style="{PALE}">Pale.</p></details>',
    "heavy text": f"<script type='application/json'>\"{BALLAST}\"</script>",
    "heavy picture": '<img src="FOLDER/heavy.svg" alt="A heavy picture">',
    "wide": WIDE,
    "wide answer": f"<details><summary>Answer</summary>{WIDE}</details>",
    "wide and cut off": f'<div style="overflow: hidden">{WIDE}</div>',
    "wide and scrolling": f'<div style="overflow: auto" tabindex="0">{WIDE}</div>',
    "answers closed on paper": "<details><summary>Answer</summary><p>Yes.</p></details>",
    "dark card": f"{SMALL}<style>.cell_output img {{ background: #222 !important }}</style>",
    "no pictures on paper": f"{SMALL}<style>@media print {{ img {{ display: none }} }}</style>",
}
"""What is put at the beginning of the article."""


def write(folder: Path, fault: str | None = None) -> str:
    """Write a copy of a page.

    Args:
        folder: where the page and its new pictures go; the rest is read from the built book.
        fault: a key of ``REPLACED``, ``INSERTED`` or both, or None for a sound copy.

    Returns:
        The address of the copy.

    Raises:
        ValueError: if the page does not hold what the fault replaces.
    """
    page = SOURCE.read_text(encoding="utf-8")
    if fault is not None:
        inserted = INSERTED.get(fault, "").replace("FOLDER", folder.as_uri())
        for old, new in ((ARTICLE, ARTICLE + inserted), REPLACED.get(fault, (ARTICLE, ARTICLE))):
            if old not in page:
                raise ValueError(f"page is {page[:80]!r}..., expected {old!r} in it")
            page = page.replace(old, new, 1)
    page = page.replace("<head>", f'<head><base href="{SOURCE.as_uri()}">', 1)
    for name, text in (("small.svg", ""), ("heavy.svg", BALLAST)):
        (folder / name).write_text(PICTURE.format(text), encoding="utf-8")
    copy = folder / "page.html"
    copy.write_text(page, encoding="utf-8")
    return copy.as_uri()
