"""One page of each kind as a phone, dark mode and paper show it."""

import pytest
from book_pages import KINDS, url
from browser_visit import NARROW, Opener
from page_accessibility import accessibility
from page_layout import dark_figures, print_faults

each_kind = pytest.mark.parametrize("page", KINDS.values(), ids=KINDS)


def test_short_formulas_do_not_scroll(visit: Opener) -> None:
    with visit(url(KINDS["solution"])) as visited:
        assert visited.page.locator("article span.math.scrolls").all_inner_texts() == []


@each_kind
def test_phone(page: str, visit: Opener) -> None:
    with visit(url(page), size=NARROW) as visited:
        assert accessibility(visited) == []


@each_kind
def test_dark(page: str, visit: Opener) -> None:
    with visit(url(page), scheme="dark") as visited:
        assert visited.page.locator("html").get_attribute("data-theme") == "dark"
        assert dark_figures(visited) == []
        assert accessibility(visited) == []


@each_kind
def test_paper(page: str, visit: Opener) -> None:
    with visit(url(page)) as visited:
        assert print_faults(visited) == []


def test_paper_leaves_the_page_as_it_was(visit: Opener) -> None:
    opened = "() => document.querySelectorAll('article details[open]').length"
    with visit(url(KINDS["exercise"])) as visited:
        # As the browser prints it: with the events before and after.
        assert visited.page.pdf().startswith(b"%PDF")
        assert visited.page.evaluate(opened) == 0
