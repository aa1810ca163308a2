"""A page opened in Chromium, cut off from the outside, with a record of what it asked and said."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field

from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Route, ViewportSize

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",  # Chromium refuses to start as root with it; the pages are ours.
    "--disable-gpu",
    "--disable-gpu-rasterization",  # Debian's Chromium turns it on, and emulates it slowly.
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # No name leads anywhere: blocks also what a page asks for without a request that we could see.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
WIDE, NARROW = (1280, 900), (375, 800)
LOCAL = ("file:", "data:", "blob:")

READY = """async () => {
  await window.MathJax?.startup?.promise;
  await document.fonts.ready;
  return true;
}"""
PATIENCE = 60_000  # Milliseconds that any one step may take, on a busy machine too.
# A page marks what scrolls when it is drawn anew, after a change of its size.
DRAWN = "() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))"
OPEN_ALL = """() => {
  for (const details of document.querySelectorAll("article details")) details.open = true;
}"""


def find_chromium() -> str | None:
    """Return the program of ``COURSE_CHROMIUM``, else one on the path, or None."""
    found = map(shutil.which, PROGRAMS)
    return os.environ.get("COURSE_CHROMIUM") or next(filter(None, found), None)


def viewport(size: tuple[int, int]) -> ViewportSize:
    """Write a size as Playwright wants it."""
    return {"width": size[0], "height": size[1]}


@dataclass
class Visit:
    """An open page.

    Attributes:
        page: the page, loaded and typeset.
        loaded: addresses that it loaded.
        outside: addresses of other hosts that it asked for and did not get.
        console: errors and warnings of its scripts and of the browser.
    """

    page: Page
    loaded: set[str] = field(default_factory=set)
    outside: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)

    def open_all(self) -> None:
        """Open every answer, hint and hidden cell."""
        self.page.evaluate(OPEN_ALL)
        self.page.evaluate(DRAWN)

    @contextmanager
    def window(self, size: tuple[int, int]) -> Iterator[None]:
        """Give the window another size for a while."""
        former = self.page.viewport_size
        self._resize(viewport(size))
        yield
        self._resize(former)

    def _resize(self, size: ViewportSize) -> None:
        self.page.set_viewport_size(size)
        self.page.evaluate(DRAWN)

    def _block(self, route: Route) -> None:
        self.outside.append(route.request.url)
        route.abort()

    def _failed(self, request: Request) -> None:
        self.console.append(f"failed: {request.url} ({request.failure})")

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.console.append(f"{message.type}: {message.text}")


Opener = Callable[..., AbstractContextManager[Visit]]
"""The fixture ``visit``: the function ``visit`` with the browser given."""


@contextmanager
def visit(
    browser: Browser,
    url: str,
    *,
    size: tuple[int, int] = WIDE,
    scheme: str = "light",
    own: tuple[str, ...] = LOCAL,
) -> Iterator[Visit]:
    """Open a page in a fresh profile and wait until its mathematics is typeset.

    Args:
        browser: the browser.
        url: the address of the page.
        size: width and height of the window in pixels.
        scheme: "light" or "dark", which the reader's system asks for.
        own: beginnings of the addresses that the page may load; all others are blocked.

    Yields:
        The open page.
    """
    context = browser.new_context(
        viewport=viewport(size), color_scheme=scheme, reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE)
    try:
        opened = Visit(context.new_page())
        context.route(lambda address: not address.startswith(own), opened._block)
        opened.page.on("request", lambda request: opened.loaded.add(request.url))
        opened.page.on("requestfailed", opened._failed)
        opened.page.on("websocket", lambda socket: opened.outside.append(socket.url))
        opened.page.on("console", opened._said)
        opened.page.on("pageerror", lambda error: opened.console.append(f"script: {error}"))
        opened.page.goto(url)
        opened.page.wait_for_function(READY)
        yield opened
    finally:
        context.close()
