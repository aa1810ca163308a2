"""The module translation.training_techniques: copying, against sums over words one by one."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.data import Vocab
from course_lib.translation.training_techniques import copy_distribution, copy_mixture, extended_ids

VOCAB = Vocab({"says": 3, "dice": 2, ".": 5}, specials=["<pad>", "<bos>", "<eos>"])  # ids 4 to 6


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def random_parts(seed, batch=3, source=5, vocab=6, slots=3, dtype=torch.float64):
    rng = generator(seed)
    logits = torch.randn(batch, vocab, generator=rng, dtype=dtype)
    gate = torch.randn(batch, generator=rng, dtype=dtype)
    attention = torch.randn(batch, source, generator=rng, dtype=dtype).softmax(dim=-1)
    ids = torch.randint(vocab + slots, (batch, source), generator=rng)
    return logits, gate, attention, ids, slots


def by_hand(logits, gate, attention, ids, slots):
    """Equation 9 of the paper, word by word and position by position."""
    rows = []
    for row in range(len(logits)):
        p_gen = 1 / (1 + math.exp(-gate[row]))
        generated = [math.exp(x) for x in logits[row]]
        p = [p_gen * x / sum(generated) for x in generated] + [0.0] * slots
        for weight, word in zip(attention[row].tolist(), ids[row].tolist(), strict=True):
            p[word] += (1 - p_gen) * weight
        rows.append(p)
    return torch.tensor(rows, dtype=torch.float64)


# Numbers for unknown words


def test_ids_of_the_papers_extended_vocabulary():
    source, target = ["Ana", "says", "Ben", "says", "Ana", "."], ["Ana", "dice", "Ben", "."]
    assert extended_ids(source, target, VOCAB, 4) == (
        [7, VOCAB["says"], 8, VOCAB["says"], 7, VOCAB["."]],
        [7, VOCAB["dice"], 8, VOCAB["."]],
        ["Ana", "Ben"],
    )


def test_words_without_a_slot_are_unknown():
    source, target, words = extended_ids(["Ana", "Ben", "Ana"], ["Ben", "Eva"], VOCAB, 1)
    assert (source, target, words) == ([7, 0, 7], [0, 0], ["Ana"])
    assert extended_ids(["Ana"], [], VOCAB, 0) == ([0], [], [])
    assert extended_ids([], [], VOCAB, 2) == ([], [], [])


@given(
    source=st.lists(st.sampled_from(["says", ".", "Ana", "Ben", "Eva"]), max_size=8),
    target=st.lists(st.sampled_from(["dice", ".", "Ana", "Ben", "Leo"]), max_size=8),
    num_slots=st.integers(0, 4),
)
def test_extended_ids_lead_back_to_the_words(source, target, num_slots):
    source_ids, target_ids, words = extended_ids(source, target, VOCAB, num_slots)
    names = [*VOCAB.tokens, *words]
    assert len(words) == len(set(words)) <= num_slots
    for tokens, ids in ((source, source_ids), (target, target_ids)):
        assert all(names[i] == token or i == 0 for token, i in zip(tokens, ids, strict=True))
    # Only words that are neither in the vocabulary nor in a slot are <unk>.
    known = {*VOCAB.tokens, *words}
    assert [i == 0 for i in target_ids] == [token not in known for token in target]


# From positions to words


@given(seed=st.integers(0, 10**6))
def test_copy_distribution_is_a_sum_over_positions(seed):
    _, _, attention, ids, _ = random_parts(seed)
    p = copy_distribution(attention, ids, 9)
    expected = [
        [sum(w for w, i in zip(*row, strict=True) if i == word) for word in range(9)]
        for row in zip(attention.tolist(), ids.tolist(), strict=True)
    ]
    torch.testing.assert_close(p, torch.tensor(expected, dtype=torch.float64))
    torch.testing.assert_close(p.sum(dim=-1), torch.ones(3, dtype=torch.float64))


def test_a_repeated_word_gets_the_sum():
    p = copy_distribution(torch.full((4,), 0.25), torch.tensor([2, 0, 2, 2]), 3)
    assert p.tolist() == [0.25, 0, 0.75]


def test_an_empty_source_copies_nothing():
    p = copy_distribution(torch.empty(2, 0), torch.empty(2, 0, dtype=torch.int64), 3)
    assert p.tolist() == [[0, 0, 0], [0, 0, 0]]


# The mixture


@given(seed=st.integers(0, 10**6))
def test_mixture_equals_the_papers_formula_and_is_a_distribution(seed):
    parts = random_parts(seed)
    p = copy_mixture(*parts).exp()
    torch.testing.assert_close(p, by_hand(*parts))
    torch.testing.assert_close(p.sum(dim=-1), torch.ones(3, dtype=torch.float64))


def test_the_result_is_its_own_log_softmax():
    p = copy_mixture(*random_parts(1))
    torch.testing.assert_close(p.log_softmax(dim=-1), p)


@given(seed=st.integers(0, 10**6))
def test_gradients_equal_those_of_the_plain_formula(seed):
    logits, gate, attention, ids, slots = random_parts(seed)
    leaves = [part.clone().requires_grad_() for part in (logits, gate, attention)]
    loss = -copy_mixture(*leaves, ids, slots)[torch.arange(3), ids[:, 0]].sum()

    def plain(logits, gate, attention):
        p_gen = gate.sigmoid().unsqueeze(1)
        words = torch.nn.functional.one_hot(ids, 9).double()  # [batch, source, word]
        copied = (attention.unsqueeze(2) * words).sum(dim=1)
        generated = torch.cat([logits.softmax(dim=-1), logits.new_zeros(3, slots)], dim=1)
        p = p_gen * generated + (1 - p_gen) * copied
        return -p[torch.arange(3), ids[:, 0]].log().sum()

    expected = torch.autograd.grad(plain(*leaves), leaves)
    for a, b in zip(torch.autograd.grad(loss, leaves), expected, strict=True):
        torch.testing.assert_close(a, b)


def test_a_word_that_is_impossible_has_no_probability_and_no_gradient():
    logits = torch.zeros(1, 2, requires_grad=True)
    gate = torch.zeros(1, requires_grad=True)
    attention = torch.tensor([[1.0, 0.0]], requires_grad=True)
    # Slot 3 is unused, and slot 2 gets no attention: its probability underflows to 0.
    p = copy_mixture(logits, gate, attention, torch.tensor([[0, 2]]), 2)
    assert p[0, 2:].tolist() == [-math.inf, -math.inf]
    torch.nn.functional.cross_entropy(p, torch.tensor([0])).backward()
    assert all(part.grad.isfinite().all() for part in (logits, gate, attention))


def test_extreme_scores():
    """A wrong word of score 1000, and nothing copied: the loss is 1000 and not infinite."""
    logits = torch.tensor([[1000.0, 0.0]], requires_grad=True)
    p = copy_mixture(logits, torch.tensor([50.0]), torch.ones(1, 1), torch.tensor([[2]]), 1)
    assert p[0, 1].item() == -1000
    assert p[0, 2].item() == pytest.approx(-50)
    (-p[0, 1]).backward()
    assert logits.grad.tolist() == [[1, -1]]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_dtype_is_kept(dtype):
    logits, gate, attention, ids, slots = random_parts(0)
    p = copy_mixture(logits.to(dtype), gate.to(dtype), attention.to(dtype), ids, slots)
    assert p.dtype == dtype
    assert not p.isnan().any()


def test_a_batch_is_mixed_as_its_members_and_no_argument_changes():
    *parts, slots = random_parts(4)
    before = [part.clone() for part in parts]
    both = copy_mixture(*parts, slots)
    alone = [copy_mixture(*(part[i] for part in parts), slots) for i in range(3)]
    torch.testing.assert_close(both, torch.stack(alone))
    assert all(map(torch.equal, parts, before))


def test_a_mixture_runs_on_the_meta_device():
    *parts, slots = random_parts(0)
    p = copy_mixture(*(part.to("meta") for part in parts), slots)
    assert p.is_meta
    assert p.shape == (3, 9)


def test_bad_arguments_are_refused():
    one = torch.ones(1)
    with pytest.raises(ValueError, match="source goes from 5 to 5, expected ids from 0 to 2"):
        copy_distribution(one, torch.tensor([5]), 3)
    with pytest.raises(ValueError, match="source goes from -1 to -1"):
        copy_distribution(one, torch.tensor([-1]), 3)
    with pytest.raises(ValueError, match="num_slots is -1, expected at least 0"):
        copy_mixture(torch.zeros(2), torch.tensor(0.0), one, torch.tensor([0]), -1)
    with pytest.raises(ValueError, match="num_slots is -2, expected at least 0"):
        extended_ids([], [], VOCAB, -2)
