"""Every page of the book, opened once from its file: wide window, light colours."""

import pytest
from book_pages import pages, url
from page_checks import faults

from conftest import Opener


@pytest.mark.parametrize("page", pages())
def test_page(page: str, visit: Opener) -> None:
    with visit(url(page)) as visited:
        assert faults(visited) == []
