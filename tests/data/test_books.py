"""The vendored texts and their loaders."""

import re
import unicodedata
from dataclasses import FrozenInstanceError

import pytest

from course_lib.data import load_moby_dick, load_state_of_the_union

# Signs of UTF-8 that was read as Latin-1 or Windows-1252, and of HTML.
MOJIBAKE = re.compile(r"â€|Ã.|Â[^a-z]|\ufffd|ï»¿|[\x80-\x9f]|&[a-z]+;|&#|<[/a-z]")


@pytest.fixture(scope="module")
def speeches():
    return load_state_of_the_union()


@pytest.fixture(scope="module")
def chapters():
    return load_moby_dick()


def counts(loader):
    """The numbers of records and words that a loader's docstring states."""
    records, words = re.search(
        r"(\d+) (?:addresses|records)\)?, ([\d,]+) words", loader.__doc__
    ).groups()
    return int(records), int(words.replace(",", ""))


@pytest.mark.parametrize("loader", [load_state_of_the_union, load_moby_dick])
def test_docstring_states_the_counts(loader):
    records = loader()
    assert (len(records), sum(len(r.text.split()) for r in records)) == counts(loader)


@pytest.mark.parametrize("loader", [load_state_of_the_union, load_moby_dick])
def test_text_is_clean(loader):
    for record in loader():
        text = record.text
        assert text
        assert text == text.strip()
        assert unicodedata.is_normalized("NFC", text)
        bad = [c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Co", "Cn") and c != "\n"]
        assert not bad
        assert not MOJIBAKE.search(text)
        assert "  " not in text
        assert not re.search(r"[’‘“”`*@\u00a0]|--|\.\.", text)


def test_speeches_come_in_order_of_delivery(speeches):
    years = [speech.year for speech in speeches]
    assert years == sorted(years)
    assert sorted(set(years)) == [year for year in range(1790, 2022) if year != 1933]
    twice = [(s.year, s.president) for s in speeches if years.count(s.year) == 2]
    assert twice == [
        (1953, "Harry S. Truman"),
        (1953, "Dwight D. Eisenhower"),
        (1961, "Dwight D. Eisenhower"),
        (1961, "John F. Kennedy"),
    ]


def test_a_president_holds_years_without_gaps(speeches):
    terms = [speeches[0].president]
    for speech in speeches:
        if speech.president != terms[-1]:
            terms.append(speech.president)
    repeated = {name for name in terms if terms.count(name) > 1}
    assert repeated == {"Grover Cleveland"}
    assert len(set(terms)) == 43


def test_speeches_are_one_paragraph_without_marks_of_the_audience(speeches):
    for speech in speeches:
        assert "\n" not in speech.text
        assert not re.search(r"(?i)[\[(](laughter|applause)|\[p\.|\[Footnote|\[\d\]", speech.text)
        assert len(speech.text.split()) > 500


def test_no_address_occurs_twice(speeches):
    assert len({speech.text[200:600] for speech in speeches}) == len(speeches)
    assert len({speech.text[-300:] for speech in speeches}) == len(speeches)


def test_chapters_come_in_the_order_of_the_book(chapters):
    assert [chapter.number for chapter in chapters] == list(range(1, 137))
    assert chapters[-1].title == "Epilogue"
    assert chapters[-1].text.endswith("only found another orphan.")
    assert chapters[72].title.endswith("and Then Have a Talk Over Him")
    assert chapters[72].text.startswith("It must be borne in mind")


def test_chapters_hold_paragraphs_and_no_heading(chapters):
    for chapter in chapters:
        assert not re.search(r"(?m)^(CHAPTER \d|EPILOGUE)", chapter.text)
        assert re.fullmatch(r"[^\n]+(\n\n[^\n]+)*", chapter.text)
        assert chapter.title == chapter.title.strip()
        assert chapter.title


@pytest.mark.parametrize("loader", [load_state_of_the_union, load_moby_dick])
def test_each_load_is_fresh_and_equal(loader):
    first = loader()
    kept = list(first)
    first.reverse()
    first.pop()
    assert loader() == kept


def test_records_cannot_be_changed(speeches, chapters):
    with pytest.raises(FrozenInstanceError):
        speeches[0].year = 1
    with pytest.raises(FrozenInstanceError):
        chapters[0].text = ""
