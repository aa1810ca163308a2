"""Sentences and tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.data import load_moby_dick, load_state_of_the_union, split_sentences, tokenize

# Any text, and text made of the pieces that the rules look at.
WORDS = ["Mr.", "U.", "S.", "No.", "3", "1.5", "I.", "We", "he", "$1,000", "don't", "é", "e\u0301"]
SIGNS = list(".!?…\"'’)(—-_ΣİϹ")
SPACES = [" ", "  ", "\n", "\n\n", "\t", "\x1c", "\x85", "\u2028", "\u00a0"]
PIECES = st.lists(st.sampled_from([*WORDS, *SIGNS, *SPACES]), max_size=30).map("".join)
TEXT = st.one_of(st.text(max_size=80), PIECES)


def without_space(text):
    return "".join(text.split())


@given(TEXT)
def test_sentences_lose_no_character(text):
    assert without_space("".join(split_sentences(text))) == without_space(text)


@given(TEXT)
def test_sentences_are_tidy(text):
    for sentence in split_sentences(text):
        assert sentence
        assert sentence == " ".join(sentence.split())


@given(TEXT)
def test_splitting_a_sentence_again_changes_nothing(text):
    for sentence in split_sentences(text):
        assert split_sentences(sentence) == [sentence]


@given(TEXT)
def test_tokenizing_is_idempotent(text):
    tokens = tokenize(text)
    assert tokenize(" ".join(tokens)) == tokens


@given(TEXT)
def test_tokens_lose_no_character(text):
    assert "".join(tokenize(text)) == without_space(text.lower().replace("’", "'"))


@given(TEXT)
def test_tokens_are_lower_case_without_space(text):
    for token in tokenize(text):
        assert token.lower() == token
        assert token.split() == [token]


@pytest.mark.parametrize("text", ["", " ", "\n\n \t"])
def test_empty_text(text):
    assert split_sentences(text) == []
    assert tokenize(text) == []


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three? Four… Five", ["One.", "Two!", "Three?", "Four…", "Five"]),
        ("Mr. and Mrs. Lee met Dr. No. They ran.", ["Mr. and Mrs. Lee met Dr. No.", "They ran."]),
        ("The U. S. Navy and the U.S. Army.", ["The U. S. Navy and the U.S. Army."]),
        (
            "John F. Kennedy spoke. So did I. We saw.",
            ["John F. Kennedy spoke.", "So did I.", "We saw."],
        ),
        ("See No. 3, Nos. 4 and 5. No. 7 is gone.", ["See No. 3, Nos. 4 and 5.", "No. 7 is gone."]),
        ("Did we? No. We did not.", ["Did we?", "No.", "We did not."]),
        (
            "On Jan. 5 we paid $1.5 million. It was due.",
            ["On Jan. 5 we paid $1.5 million.", "It was due."],
        ),
        ("We came; they went: So it is.", ["We came; they went: So it is."]),
        (
            'He said "Stop." "Why?" she asked. (No.) Yes.',
            ['He said "Stop."', '"Why?" she asked.', "(No.)", "Yes."],
        ),
        ("It ended. 1789 began. $5 was paid.", ["It ended.", "1789 began.", "$5 was paid."]),
        ("1. First do this. 2. Then that.", ["1. First do this.", "2. Then that."]),
        ("Loomings\n\nCall me Ishmael.", ["Loomings", "Call me Ishmael."]),
        ("Some\nyears ago.\nNever mind.", ["Some years ago.", "Never mind."]),
        ("at 5 p. m. and later, e.g. now.", ["at 5 p. m. and later, e.g. now."]),
        ("So. —And then. “Well.” ‘No.’ Ok", ["So.", "—And then.", "“Well.”", "‘No.’", "Ok"]),
    ],
)
def test_sentence_rules(text, sentences):
    assert split_sentences(text) == sentences


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Call me Ishmael.", ["call", "me", "ishmael", "."]),
        ("Don’t! It's the people's.", ["don't", "!", "it's", "the", "people's", "."]),
        ("'Tis the Presidents' day", ["'", "tis", "the", "presidents", "'", "day"]),
        ("$1,234,567.89 or 1.5 per cent.", ["$", "1,234,567.89", "or", "1.5", "per", "cent", "."]),
        ("in 1861, 1862.", ["in", "1861", ",", "1862", "."]),
        ("21st well-being; 401k", ["21st", "well", "-", "being", ";", "401k"]),
        ("what?—no…", ["what", "?", "—", "no", "…"]),
        ("a_b", ["a", "_", "b"]),
        ("ÉTÉ naïve", ["été", "naïve"]),
    ],
)
def test_token_rules(text, tokens):
    assert tokenize(text) == tokens


def test_on_the_vendored_texts():
    for record in [*load_state_of_the_union()[::40], *load_moby_dick()[::30]]:
        sentences = split_sentences(record.text)
        assert without_space("".join(sentences)) == without_space(record.text)
        lengths = [len(tokenize(sentence)) for sentence in sentences]
        assert 10 < sum(lengths) / len(lengths) < 60
        tokens = [token for sentence in sentences for token in tokenize(sentence)]
        assert tokens == tokenize(record.text)
