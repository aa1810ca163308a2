"""The checks of this folder, proved: each fault is put into a sound page and must be found."""

from collections.abc import Callable
from pathlib import Path

import broken_page
import page_checks as checks
import pytest
from browser_visit import Opener, Visit
from page_layout import dark_figures, print_faults, sideways

Check = Callable[[Visit], list[str]]

# For each fault the check that must find it, and words of what it says.
ON_EVERY_PAGE: dict[str, tuple[Check, str]] = {
    "unknown macro": (checks.math, r"Undefined control sequence \foo"),
    "formula left alone": (checks.math, "not typeset: x = 1"),
    "stray dollar": (checks.dollars, "Here $x is no formula."),
    "console error": (checks.console, "error: something broke"),
    "script error": (checks.console, "undefinedName is not defined"),
    "missing file": (checks.console, "no-such-picture.png"),
    "picture from outside": (checks.outside, "https://example.org/picture.png"),
    "style from outside": (checks.outside, "https://example.org/style.css"),
    "no description": (checks.head, "no description"),
    "no language": (checks.head, "no language"),
    "second title": (checks.head, "2 titles"),
    "no alternative text": (checks.images, "small.svg"),
    "empty alternative text": (checks.images, "small.svg"),
    "heavy text": (checks.weight, "bytes, expected at most"),
    "heavy picture": (checks.weight, "bytes, expected at most"),
    "nameless button": (checks.accessibility, "button-name"),
    "pale text": (checks.accessibility, "color-contrast"),
    "pale code": (checks.accessibility, "color-contrast"),
    "pale word in code": (checks.accessibility, "color-contrast"),
    "pale answer": (checks.accessibility, "color-contrast"),
}
LAYOUT: dict[str, tuple[Check, str]] = {
    "wide": (sideways, "html scrolls sideways"),
    "wide answer": (sideways, "html scrolls sideways"),
    "wide and cut off": (sideways, "cut off"),
    "wide and scrolling": (print_faults, "cut off"),
    "answers closed on paper": (print_faults, "closed"),
    "no pictures on paper": (print_faults, "not to be seen: A dot"),
    "dark card": (dark_figures, "on rgb(34, 34, 34): A dot"),
}


def test_sound_copy_has_no_faults(tmp_path: Path, visit: Opener) -> None:
    with visit(broken_page.write(tmp_path)) as visited:
        assert checks.faults(visited) == []


@pytest.mark.parametrize("fault", ON_EVERY_PAGE)
def test_fault_is_found(fault: str, tmp_path: Path, visit: Opener) -> None:
    check, words = ON_EVERY_PAGE[fault]
    with visit(broken_page.write(tmp_path, fault)) as visited:
        found = check(visited)
    assert any(words in line for line in found), found


@pytest.mark.parametrize("fault", LAYOUT)
def test_fault_of_layout_is_found(fault: str, tmp_path: Path, visit: Opener) -> None:
    check, words = LAYOUT[fault]
    with visit(broken_page.write(tmp_path, fault), scheme="dark") as visited:
        found = check(visited)
    assert any(words in line for line in found), found


def test_wide_content_may_scroll_inside_itself(tmp_path: Path, visit: Opener) -> None:
    with visit(broken_page.write(tmp_path, "wide and scrolling")) as visited:
        assert sideways(visited) == []
