"""The era task: labels, lengths, and speeches that stay whole."""

import pytest

from course_lib.data.eras import ERAS, load_era_sentences


@pytest.fixture(scope="module")
def parts():
    return load_era_sentences()


def test_labels_follow_the_year(parts):
    for sentence in [*parts[0], *parts[1]]:
        assert sentence.era == (sentence.year > 1981)
        assert sentence.year < 1861 or sentence.year > 1981
    assert ERAS == ("before 1861", "after 1981")


def test_sentences_have_at_least_five_lower_case_words(parts):
    for sentence in [*parts[0], *parts[1]]:
        assert len(sentence.words) >= 5
        assert all(word[0].isalpha() and word == word.lower() for word in sentence.words)


def test_no_speech_stands_on_both_sides(parts):
    train, test = ({sentence.year for sentence in part} for part in parts)
    assert not train & test
    assert len(train) + len(test) == 71 + 40
    assert len(test) == 71 // 5 + 40 // 5
