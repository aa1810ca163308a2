"""Rules of pictures: those who do not see them, and those without a kernel, lose nothing."""

import json
import re
from html.parser import HTMLParser

from nbformat import NotebookNode

from rules import markdown
from rules.notebook import Notebook, calls, excerpt

SHORTEST = 20
NAMES = re.compile(r"(?:an? |the )?(?:image|figure|picture|plot|graph) of\b", re.IGNORECASE)
FILE = re.compile(r"[\w./-]+\.(?:png|svg|jpe?g|gif|webp)", re.IGNORECASE)


def pictures_have_alternative_text(notebook: Notebook) -> list[str]:
    """Every picture, in the text or drawn by a cell, says what it shows, in 20 letters or more."""
    faults = []
    for index, source in notebook.markdown:
        for picture in markdown.pictures(source):
            faults += _judge(index, picture.alt, picture.source)
    for index, cell in notebook.code:
        for output in cell.outputs:
            data = output.get("data", {})
            if any(kind.startswith("image/") for kind in data):
                alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt")
                faults += _judge(index, alt, cell.source)
            for picture in markdown.html_pictures(data.get("text/html", "")):
                faults += _judge(index, picture.alt, "a picture in HTML")
    return faults


def players_move(notebook: Notebook) -> list[str]:
    """A figure with a slider has a labelled slider and at least two frames, all different.

    Each frame has its value and a description, and the first one is shown without script.
    """
    faults = []
    for index, cell in notebook.code:
        for html in players(cell):
            reader = _PlayerReader()
            reader.feed(html)
            faults += [f"cell {index}: a player {what}" for what in reader.faults()]
    return faults


def explore_sections_have_a_player(notebook: Notebook) -> list[str]:
    """There is a section Explore, and each has a figure with a slider and offers it live."""
    sections = [s for s in notebook.sections if s[0].title.startswith("Explore")]
    if not sections:
        return ["no section whose heading begins with Explore"]
    faults = []
    for section in sections:
        cells = [block.cell for block in section if block.is_code]
        where = f"cell {section[0].index}: section {excerpt(section[0].title)}"
        if not any(players(cell) for cell in cells):
            faults.append(f"{where} shows no player of explore.figure")
        if not any(name == "live" for cell in cells for name, _ in calls(cell, "explore")):
            faults.append(f"{where} does not offer explore.live")
    return faults


def players(cell: NotebookNode) -> list[str]:
    """The HTML of the figures with a slider that a code cell displays."""
    htmls = [output.get("data", {}).get("text/html", "") for output in cell.outputs]
    return [html for html in htmls if "course-player" in html]


def _judge(index: int, alt: str | None, what: str) -> list[str]:
    place = f"cell {index}: {excerpt(what)}"
    if not alt or not alt.strip():
        return [f"{place} has no alternative text"]
    if FILE.fullmatch(alt.strip()):
        return [f"{place}: the alternative text is a file name: {alt!r}"]
    if NAMES.match(alt.strip()):
        return [f"{place}: the alternative text says what it is, not what it shows: {excerpt(alt)}"]
    if len(alt.strip()) < SHORTEST:
        return [f"{place}: the alternative text is short: {alt!r}"]
    return []


class _PlayerReader(HTMLParser):
    """Collects from the HTML of one player what the rule looks at."""

    def __init__(self) -> None:
        super().__init__()
        self.shown = self.label = self.caption = self.frames = ""
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.inside = tag
        if tag == "img":
            self.shown = attributes.get("src") or ""
        elif tag == "input" and attributes.get("type") == "range":
            self.label = (attributes.get("aria-label") or "").strip()
        elif tag == "script" and attributes.get("type") == "application/json":
            self.inside = "frames"

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside == "frames":
            self.frames += data
        elif self.inside == "figcaption":
            self.caption += data

    def faults(self) -> list[str]:
        try:
            frames = json.loads(self.frames)
            pictures = [frame["src"] for frame in frames]
            texts = [(frame["value"], frame["alt"]) for frame in frames]
        except (ValueError, KeyError, TypeError):
            return ["without a list of frames with value, src and alt"]
        found = []
        if len(pictures) < 2:
            found.append(f"with {len(pictures)} frames, expected at least two")
        for i, picture in enumerate(pictures):
            if picture in pictures[:i]:
                found.append(f"whose frame {i} equals frame {pictures.index(picture)}")
        for i, (value, alt) in enumerate(texts):
            if not str(value).strip() or len(alt.strip()) < SHORTEST:
                found.append(f"whose frame {i} lacks its value or its description: {alt!r}")
        if pictures and self.shown != pictures[0]:
            found.append("that does not show its first frame without script")
        if not self.label:
            found.append("whose slider has no label")
        if not self.caption.strip():
            found.append("without a description")
        return found
