"""Two bodies of English text: State of the Union addresses and Moby Dick."""

from dataclasses import dataclass

from course_lib.data._records import read_records


@dataclass(frozen=True)
class Speech:
    """One State of the Union address.

    Attributes:
        year: the year in which it was given or sent.
        president: full name; two presidents gave one in 1953, and two in 1961.
        text: the whole address as one paragraph.
    """

    year: int
    president: str
    text: str


@dataclass(frozen=True)
class Chapter:
    """One chapter of Moby Dick.

    Attributes:
        number: 1 to 135; the epilogue is 136.
        title: the heading without its number.
        text: paragraphs with one blank line between them.
    """

    number: int
    title: str
    text: str


def load_state_of_the_union() -> list[Speech]:
    """Load the State of the Union addresses of 1790 to 2021.

    233 addresses, 1,792,648 words, in order of delivery; none for 1933. Six end early and five
    lack tables, as ``README.md`` in this folder lists. Licence: the database PDDL 1.0, the texts
    CC0 1.0.

    Returns:
        A new list at each call.

    Example:
        >>> speeches = load_state_of_the_union()
        >>> len(speeches), speeches[0].year, speeches[0].president
        (233, 1790, 'George Washington')
        >>> speeches[0].text[:47]
        'Fellow-Citizens of the Senate and House of Repr'
    """
    return [Speech(**record) for record in read_records("state_of_the_union.jsonl.xz")]


def load_moby_dick() -> list[Chapter]:
    """Load Herman Melville's Moby Dick.

    135 chapters and the epilogue (136 records), 207,734 words, in the order of the book; without
    the etymology and the extracts that precede chapter 1. Licence: the database PDDL 1.0, the
    text CC0 1.0.

    Returns:
        A new list at each call.

    Example:
        >>> chapters = load_moby_dick()
        >>> len(chapters), chapters[0].number, chapters[0].title
        (136, 1, 'Loomings')
        >>> chapters[0].text[:16]
        'Call me Ishmael.'
    """
    return [Chapter(**record) for record in read_records("moby_dick.jsonl.xz")]
