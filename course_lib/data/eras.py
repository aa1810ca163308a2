"""A small classification task: in which era was this sentence of a speech said?"""

from dataclasses import dataclass

from course_lib.data.books import load_state_of_the_union
from course_lib.data.text import split_sentences, tokenize

ERAS = ("before 1861", "after 1981")


@dataclass(frozen=True)
class EraSentence:
    """A sentence of a State of the Union address, as lower-case words.

    Attributes:
        words: its words in order, without numbers and punctuation.
        era: 0 before 1861, 1 after 1981; ``ERAS`` holds the names.
        year: the year of the speech.
    """

    words: tuple[str, ...]
    era: int
    year: int


def load_era_sentences() -> tuple[list[EraSentence], list[EraSentence]]:
    """Load the sentences of at least five words from before 1861 and after 1981.

    Whole speeches are held out: the fifth, tenth, ... speech of each era is test data, so that no
    speech has sentences on both sides.

    Returns:
        20,285 sentences to train on, and 5,120 to test on.

    Example:
        >>> train, test = load_era_sentences()
        >>> len(train), len(test)
        (20285, 5120)
        >>> train[0].year, ERAS[train[0].era], train[0].words[:5]
        (1790, 'before 1861', ('fellow', 'citizens', 'of', 'the', 'senate'))
    """
    train: list[EraSentence] = []
    test: list[EraSentence] = []
    speeches = load_state_of_the_union()
    eras = [[s for s in speeches if s.year < 1861], [s for s in speeches if s.year > 1981]]
    for era, speeches_of_era in enumerate(eras):
        for number, speech in enumerate(speeches_of_era, start=1):
            side = test if number % 5 == 0 else train
            for sentence in split_sentences(speech.text):
                words = tuple(token for token in tokenize(sentence) if token[0].isalpha())
                if len(words) >= 5:
                    side.append(EraSentence(words, era, speech.year))
    return train, test
