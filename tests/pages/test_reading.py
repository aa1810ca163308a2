"""What a reader does on a page: moves a slider, opens an answer, searches, takes it along."""

import pytest
from book_pages import HTML, KINDS, LECTURE, url
from browser_visit import LOCAL, Opener, Visit
from page_checks import console, math, outside
from playwright.sync_api import expect

from tools import address
from tools.paths import ROOT

NOTEBOOKS = [KINDS["lecture"], KINDS["exercise"], KINDS["solution"]]
HIT = f"#search-results a[href^='{LECTURE}.html']"
FORMULAS_SEEN = """answer => [...answer.querySelectorAll('mjx-container')]
  .map(e => e.getBoundingClientRect()).map(box => box.width > 0 && box.height > 0)"""


def test_start_leads_to_the_landing_page(visit: Opener) -> None:
    with visit(url(KINDS["landing"])) as visited:
        visited.page.goto(url("index"))
        visited.page.wait_for_url(url(KINDS["landing"]))


def test_keyboard_moves_a_slider(visit: Opener) -> None:
    with visit(url(LECTURE)) as visited:
        player = visited.page.locator("figure.course-player").first
        slider = player.get_by_role("slider")

        def shown() -> tuple[str | None, ...]:
            picture = player.locator("img")
            return (
                picture.get_attribute("src"),
                picture.get_attribute("alt"),
                slider.get_attribute("aria-valuetext"),
                player.locator("output").text_content(),
            )

        first = shown()
        slider.press("ArrowRight")
        second = shown()
        assert all(before != after for before, after in zip(first, second, strict=True))
        # The description stands under the picture, and the value beside the slider.
        assert second[1] == player.locator("figcaption").text_content()
        assert second[2] == second[3]
        assert player.locator("img").evaluate("picture => picture.decode().then(() => true)")
        slider.press("Home")
        assert shown() == first


def test_keyboard_opens_an_answer(visit: Opener) -> None:
    with visit(url(LECTURE)) as visited:
        answers = visited.page.locator("article details:not(.hide)")
        answer = answers.filter(has=visited.page.locator("mjx-container")).first
        summary = answer.locator("summary")
        assert not answer.evaluate("answer => answer.open")
        summary.press("Enter")
        assert answer.evaluate("answer => answer.open")
        seen = answer.evaluate(FORMULAS_SEEN)
        assert seen
        assert all(seen)
        assert math(visited) == []
        summary.press("Enter")
        assert not answer.evaluate("answer => answer.open")


def test_keyboard_searches(visit: Opener) -> None:
    with visit(url(KINDS["landing"])) as visited:
        page = visited.page
        page.keyboard.press("Control+k")
        field = page.get_by_role("searchbox").and_(page.locator(":focus"))
        field.fill("Jacobian")
        field.press("Enter")
        page.wait_for_url(f"{url('search')}?q=Jacobian*")
        hit = page.locator(HIT).first
        expect(hit).to_be_visible()
        assert hit.evaluate("link => link.href.split(/[?#]/)[0]") == url(LECTURE)
        assert outside(visited) + console(visited) == []


@pytest.mark.parametrize("page", NOTEBOOKS)
def test_reader_knows_the_place_and_takes_the_notebook_along(page: str, visit: Opener) -> None:
    with visit(url(page)) as visited:
        assert marked(visited) == [url(page)]
        download = visited.page.locator("a.btn-download-source-button")
        copy = HTML / "_sources" / f"{page}.ipynb"
        assert download.evaluate("link => link.href") == copy.as_uri()
        assert copy.read_bytes() == (ROOT / f"{page}.ipynb").read_bytes()
        colab = visited.page.locator(".article-header-buttons a[href*='colab.research']")
        here = address.read()
        assert colab.get_attribute("href") == (
            f"https://colab.research.google.com/github/{here.name}/blob/{here.branch}/{page}.ipynb"
        )


def test_contents_mark_a_reference_page(visit: Opener) -> None:
    with visit(url(KINDS["reference"])) as visited:
        assert marked(visited) == [url(KINDS["reference"])]


def marked(visited: Visit) -> list[str]:
    """Return the pages that the table of contents marks as the one that is open."""
    links = visited.page.locator(".bd-sidebar-primary a.current:visible")
    return links.evaluate_all("links => links.map(link => link.href.split('#')[0])")


def test_page_from_a_web_server(visit: Opener, site: str) -> None:
    with visit(f"{site}{LECTURE}.html", own=(*LOCAL, site)) as visited:
        assert math(visited) + outside(visited) + console(visited) == []
        visited.page.goto(f"{site}search.html?q=Jacobian")
        hit = visited.page.locator(HIT).first
        expect(hit).to_be_visible()
        assert outside(visited) + console(visited) == []
