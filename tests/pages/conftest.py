"""The browser in which the built pages are tested."""

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import browser_visit
import pytest
from book_pages import HTML
from browser_visit import Opener
from playwright.sync_api import Browser, sync_playwright


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium as it is installed; nothing is downloaded."""
    program = browser_visit.find_chromium()
    if program is None:
        names = ", ".join(browser_visit.PROGRAMS)
        pytest.skip(f"no Chromium: none of {names} on PATH, and COURSE_CHROMIUM is not set")
    if not (HTML / "index.html").exists():
        pytest.skip("the book is not built: run `make book`")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=browser_visit.FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def visit(browser: Browser) -> Opener:
    """``with visit(url, ...) as visited:`` opens a page; see ``browser_visit.visit``."""
    return partial(browser_visit.visit, browser)


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and does not write down who asked."""

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def site() -> Iterator[str]:
    """The address of the built book on a web server of this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=HTML))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()
