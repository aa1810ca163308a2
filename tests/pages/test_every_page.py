"""Every page of the book, opened once from its file, in a wide window with light colours."""

import pytest
from book_pages import pages, url
from browser_visit import Opener
from page_checks import faults


@pytest.mark.parametrize("page", pages())
def test_page(page: str, visit: Opener) -> None:
    with visit(url(page)) as visited:
        assert faults(visited) == []
