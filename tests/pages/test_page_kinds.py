"""One page of each kind on a phone, and what printing leaves behind."""

import pytest
from book_pages import KINDS, url
from browser_visit import NARROW, Opener
from page_accessibility import accessibility

each_kind = pytest.mark.parametrize("page", KINDS.values(), ids=KINDS)


@each_kind
def test_phone(page: str, visit: Opener) -> None:
    with visit(url(page), size=NARROW) as visited:
        assert accessibility(visited) == []


def test_paper_leaves_the_page_as_it_was(visit: Opener) -> None:
    opened = "() => document.querySelectorAll('article details[open]').length"
    with visit(url(KINDS["exercise"])) as visited:
        # As the browser prints it: with the events before and after.
        assert visited.page.pdf().startswith(b"%PDF")
        assert visited.page.evaluate(opened) == 0
