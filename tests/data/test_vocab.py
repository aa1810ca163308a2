"""The vocabulary's contract."""

from collections import Counter

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.data import Vocab
from course_lib.data.vocab import UNKNOWN

COUNTS = st.dictionaries(st.text("abcdeé", min_size=1, max_size=3), st.integers(0, 5), max_size=20)


@given(COUNTS, st.integers(1, 4), st.none() | st.integers(2, 10))
def test_contract(counts, min_count, max_size):
    before = dict(counts)
    vocab = Vocab(counts, min_count=min_count, max_size=max_size, specials=["<pad>"])
    assert counts == before
    assert vocab.tokens[:2] == (UNKNOWN, "<pad>")
    words = vocab.tokens[2:]
    kept = [word for word in counts if counts[word] >= min_count]
    room = len(kept) if max_size is None else min(len(kept), max_size - 2)
    assert len(words) == room
    keys = [(-counts[word], word) for word in words]
    assert keys == sorted((-counts[word], word) for word in kept)[:room]
    assert len(vocab) == 2 + room
    assert len(set(vocab.tokens)) == len(vocab)


@given(COUNTS, st.randoms(use_true_random=False))
def test_ids_do_not_depend_on_the_order_of_the_counts(counts, random):
    items = list(counts.items())
    random.shuffle(items)
    assert Vocab(dict(items)).tokens == Vocab(counts).tokens


@given(COUNTS, st.lists(st.text("abcdeéxyz", max_size=3), max_size=20))
def test_encode_then_decode(counts, tokens):
    vocab = Vocab(counts, min_count=2, specials=["<pad>", "<bos>"])
    ids = vocab.encode(tokens)
    assert len(ids) == len(tokens)
    assert all(0 <= i < len(vocab) for i in ids)
    assert vocab.decode(ids) == [t if t in vocab else UNKNOWN for t in tokens]
    assert vocab.encode(vocab.decode(ids)) == ids


@given(COUNTS)
def test_every_id_comes_back(counts):
    vocab = Vocab(counts, specials=["<pad>"])
    assert vocab.encode(vocab.decode(range(len(vocab)))) == list(range(len(vocab)))
    assert [vocab[token] for token in vocab.tokens] == list(range(len(vocab)))


def test_special_ids_do_not_depend_on_frequency_or_spelling():
    vocab = Vocab(Counter({"!": 100, "zebra": 1}), specials=["~pad", "<bos>", "<eos>"])
    assert vocab.tokens == ("<unk>", "~pad", "<bos>", "<eos>", "!", "zebra")
    assert vocab["<bos>"] == 2
    assert "<bos>" in vocab
    assert "other" not in vocab


def test_no_counts():
    vocab = Vocab({})
    assert (len(vocab), vocab.encode(["a"]), vocab.encode([]), vocab.decode([])) == (1, [0], [], [])


def test_decode_takes_a_tensor():
    assert Vocab({"a": 2, "b": 1}).decode(torch.tensor([2, 0, 1])) == ["b", "<unk>", "a"]


def test_the_unknown_token_can_be_given_as_a_token():
    assert Vocab({"a": 1}).encode(["<unk>", "a"]) == [0, 1]


@pytest.mark.parametrize(
    ("counts", "options", "message"),
    [
        ({}, {"min_count": 0}, "min_count: expected 1 or more, got 0"),
        ({}, {"max_size": 0}, "max_size: expected 1 or more to hold the special tokens, got 0"),
        ({}, {"max_size": 1, "specials": ["<pad>"]}, "max_size: expected 2 or more"),
        ({}, {"specials": ["<pad>", "<pad>"]}, "specials: expected each token once"),
        ({}, {"specials": ["<unk>"]}, "specials: expected each token once"),
        ({}, {"specials": "<pad>"}, "specials: expected a list of tokens, got one string '<pad>'"),
        ({"<unk>": 1}, {}, "counts: expected no special token, got '<unk>'"),
        ({"<pad>": 1}, {"specials": ["<pad>"]}, "counts: expected no special token, got '<pad>'"),
        ({"a": -1}, {}, "counts: expected 0 or more for 'a', got -1"),
    ],
)
def test_bad_options(counts, options, message):
    with pytest.raises(ValueError, match=message):
        Vocab(counts, **options)


def test_one_string_is_not_a_list_of_tokens():
    with pytest.raises(ValueError, match="tokens: expected a list of tokens, got one string 'ab'"):
        Vocab({"a": 1}).encode("ab")


@pytest.mark.parametrize("bad", [-1, 2, 1.0, "a", None])
def test_bad_ids(bad):
    with pytest.raises(ValueError, match="ids: expected integers from 0 to 1, got "):
        Vocab({"a": 1}).decode([0, bad])
