"""The module word_vectors.word2vec against PyTorch, windows listed by hand, and its properties."""

import math
from collections import Counter

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from course_lib.word_vectors.word2vec import (
    SkipGram,
    cbow_examples,
    cbow_gradients,
    cbow_loss,
    context_windows,
    corpus_gradients,
    corpus_loss,
    skipgram_gradients,
    skipgram_loss,
    skipgram_pairs,
)

THE, CAT, SAT = 0, 1, 2
DOCUMENTS = st.lists(st.lists(st.integers(-1, 4), max_size=7), max_size=4)


def naive_windows(document, window):
    """For each place: the word there and the known words around it, by slicing."""
    for t, word in enumerate(document):
        around = document[max(0, t - window) : t] + document[t + 1 : t + 1 + window]
        if word >= 0:
            yield word, [other for other in around if other >= 0]


def matrices(words, dim, seed=0, dtype=torch.float64):
    rng = torch.Generator().manual_seed(seed)
    return torch.randn(2, words, dim, generator=rng, dtype=dtype).unbind()


def pairs_of(words, count, seed=0):
    rng = torch.Generator().manual_seed(seed)
    return torch.randint(words, (2, count), generator=rng).unbind()


def count(centres, contexts, words, dtype=torch.float64):
    flat = torch.bincount(centres * words + contexts, minlength=words**2)
    return flat.reshape(words, words).to(dtype)


class TorchSkipGram(nn.Module):
    """What one would write in PyTorch: an embedding and a linear layer without bias."""

    def __init__(self, input_vectors, output_vectors):
        super().__init__()
        self.embedding = nn.Embedding.from_pretrained(input_vectors.clone(), freeze=False)
        self.linear = nn.Linear(*output_vectors.T.shape, bias=False, dtype=output_vectors.dtype)
        self.linear.weight.data.copy_(output_vectors)

    def gradients(self, words, targets):
        """The loss and its gradients; several words are averaged by PyTorch's EmbeddingBag."""
        hidden = (
            self.embedding(words)
            if words.ndim == 1
            else torch.stack(
                [
                    F.embedding_bag(row[row >= 0][None], self.embedding.weight, mode="mean")[0]
                    for row in words
                ]
            )
        )
        loss = F.cross_entropy(self.linear(hidden), targets)
        loss.backward()
        return loss.detach(), (self.embedding.weight.grad, self.linear.weight.grad)


# Windows


def test_skipgram_goes_from_the_centre_and_cbow_to_it():
    centres, contexts = skipgram_pairs([[THE, CAT, SAT]], window=1)
    assert list(zip(centres.tolist(), contexts.tolist(), strict=True)) == [
        (THE, CAT),
        (CAT, THE),
        (CAT, SAT),
        (SAT, CAT),
    ]
    contexts, targets = cbow_examples([[THE, CAT, SAT]], window=1)
    assert contexts.tolist() == [[-1, CAT], [THE, SAT], [CAT, -1]]
    assert targets.tolist() == [THE, CAT, SAT]


def test_columns_of_a_window_are_the_offsets():
    document = list(range(10))
    _, contexts = context_windows([document], window=2)
    assert contexts[4].tolist() == [2, 3, 5, 6]  # offsets -2, -1, 1, 2
    assert contexts[0].tolist() == [-1, -1, 1, 2]
    assert contexts[9].tolist() == [7, 8, -1, -1]


def test_a_repeated_word_counts_each_time_and_both_ways():
    a, b, c = 0, 1, 2
    counts = count(*skipgram_pairs([[a, b, c, b, a]], window=1), words=3)
    assert counts[b].tolist() == [2, 0, 2]
    assert torch.equal(counts, counts.T)


def test_an_unknown_word_keeps_its_place():
    centres, contexts = skipgram_pairs([[3, -1, -7, 4]], window=2)
    assert centres.tolist() == contexts.tolist() == []
    centres, contexts = skipgram_pairs([[3, -1, -7, 4]], window=3)
    assert (centres.tolist(), contexts.tolist()) == ([3, 4], [4, 3])
    assert context_windows([[3, -7, 4]], window=1)[1].tolist() == [[-1, -1], [-1, -1]]


@pytest.mark.parametrize("documents", [[], [[]], [[1], [2]], [[-1, -1]]])
def test_no_neighbours_make_no_examples(documents):
    assert [len(part) for part in skipgram_pairs(documents, window=2)] == [0, 0]
    assert [part.shape[0] for part in cbow_examples(documents, window=2)] == [0, 0]
    assert cbow_examples(documents, window=2)[0].shape == (0, 4)


@given(documents=DOCUMENTS, window=st.integers(1, 8))
def test_windows_equal_slices(documents, window):
    expected = [pair for document in documents for pair in naive_windows(document, window)]
    centres, contexts = skipgram_pairs(documents, window)
    assert list(zip(centres.tolist(), contexts.tolist(), strict=True)) == [
        (centre, other) for centre, around in expected for other in around
    ]
    contexts, targets = cbow_examples(documents, window)
    assert [
        (target, [other for other in row if other >= 0])
        for target, row in zip(targets.tolist(), contexts.tolist(), strict=True)
    ] == [(centre, around) for centre, around in expected if around]


@given(documents=DOCUMENTS, window=st.integers(1, 8))
def test_pairs_come_in_both_directions_and_from_one_document(documents, window):
    def counter(some):
        pairs = (part.tolist() for part in skipgram_pairs(some, window))
        return Counter(zip(*pairs, strict=True))

    together = counter(documents)
    assert together == Counter({(b, a): n for (a, b), n in together.items()})
    assert together == sum((counter([document]) for document in documents), Counter())


@given(length=st.integers(0, 12), window=st.integers(1, 4))
def test_number_of_pairs(length, window):
    centres, _ = skipgram_pairs([[0] * length], window)
    assert len(centres) == sum(2 * max(0, length - d) for d in range(1, window + 1))


@pytest.mark.parametrize("function", [context_windows, skipgram_pairs, cbow_examples])
def test_a_window_reaches_somewhere_and_no_argument_is_changed(function):
    documents = [[1, 2], [3]]
    function(documents, 2)
    assert documents == [[1, 2], [3]]
    with pytest.raises(ValueError, match="window is 0, expected at least 1"):
        function(documents, 0)


# Skip-gram


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@given(seed=st.integers(0, 99), words=st.integers(1, 6), number=st.integers(1, 9))
def test_skipgram_equals_torch(dtype, seed, words, number):
    vectors = matrices(words, 3, seed, dtype)
    pairs = pairs_of(words, number, seed)
    loss, gradients = TorchSkipGram(*vectors).gradients(*pairs)
    torch.testing.assert_close(skipgram_loss(*vectors, *pairs), loss)
    torch.testing.assert_close(skipgram_gradients(*vectors, *pairs), gradients)


def test_skipgram_by_hand():
    # The scores for centre 1 are 0, ln 2, ln 5: the probabilities are 1/8, 2/8, 5/8.
    U = torch.tensor([[0.0], [math.log(2)], [math.log(5)]], dtype=torch.float64)
    V = torch.tensor([[9.0], [1.0], [9.0]], dtype=torch.float64)
    pair = torch.tensor([1]), torch.tensor([2])
    assert skipgram_loss(V, U, *pair).item() == pytest.approx(math.log(8 / 5))
    by_v, by_u = skipgram_gradients(V, U, *pair)
    expected = 2 / 8 * math.log(2) + 5 / 8 * math.log(5)
    assert by_v.flatten().tolist() == pytest.approx([0, expected - math.log(5), 0])
    assert by_u.flatten().tolist() == pytest.approx([1 / 8, 2 / 8, 5 / 8 - 1])


def test_duplicate_centres_accumulate():
    V, U = matrices(3, 2)
    one = skipgram_gradients(V, U, torch.tensor([1]), torch.tensor([2]))
    three = skipgram_gradients(V, U, torch.tensor([1, 1, 1]), torch.tensor([2, 2, 2]))
    torch.testing.assert_close(three, one)  # a mean of three equal pairs, not a third of one
    assert one[0][[0, 2]].abs().sum() == 0
    assert one[0][1].abs().sum() > 0


@given(seed=st.integers(0, 99))
def test_probabilities_share_one_softmax(seed):
    V, U = matrices(5, 3, seed)
    centre = torch.zeros(5, dtype=torch.int64)
    p = torch.stack([(-skipgram_loss(V, U, centre[:1], centre[:1] + w)).exp() for w in range(5)])
    assert p.sum().item() == pytest.approx(1)
    products = torch.outer(p, p).fill_diagonal_(0)
    assert products.max() <= 0.25


@given(seed=st.integers(0, 99))
def test_all_pairs_move_the_output_vectors_along_but_not_their_sum(seed):
    V, U = matrices(4, 3, seed)
    _, by_u = skipgram_gradients(V, U, *pairs_of(4, 6, seed))
    torch.testing.assert_close(by_u.sum(dim=0), torch.zeros(3, dtype=torch.float64))


def test_zero_vectors_are_a_stationary_point():
    zeros = torch.zeros(4, 3)
    assert skipgram_loss(zeros, zeros, *pairs_of(4, 5)).item() == pytest.approx(math.log(4))
    for gradient in skipgram_gradients(zeros, zeros, *pairs_of(4, 5)):
        assert not gradient.any()


def test_large_scores_do_not_overflow():
    V, U = torch.tensor([[1000.0], [0.0]]), torch.tensor([[1.0], [0.0]])
    pair = torch.tensor([0]), torch.tensor([1])
    assert skipgram_loss(V, U, *pair).item() == 1000
    assert all(gradient.isfinite().all() for gradient in skipgram_gradients(V, U, *pair))


# CBOW


@given(seed=st.integers(0, 99), words=st.integers(1, 6), number=st.integers(1, 7))
def test_cbow_equals_torch(seed, words, number):
    rng = torch.Generator().manual_seed(seed)
    vectors = matrices(words, 3, seed)
    contexts = torch.randint(-1, words, (number, 4), generator=rng)
    contexts[:, 2] = contexts[:, 2].clamp_min(0)  # at least one word, with and without gaps
    targets = torch.randint(words, (number,), generator=rng)
    loss, gradients = TorchSkipGram(*vectors).gradients(contexts, targets)
    torch.testing.assert_close(cbow_loss(*vectors, contexts, targets), loss)
    torch.testing.assert_close(cbow_gradients(*vectors, contexts, targets), gradients)


@given(seed=st.integers(0, 99))
def test_cbow_with_one_context_word_is_skipgram_turned_round(seed):
    V, U = matrices(4, 3, seed)
    contexts, targets = pairs_of(4, 5, seed)
    torch.testing.assert_close(
        cbow_loss(V, U, contexts[:, None], targets), skipgram_loss(V, U, contexts, targets)
    )
    torch.testing.assert_close(
        cbow_gradients(V, U, contexts[:, None], targets),
        skipgram_gradients(V, U, contexts, targets),
    )


def test_gaps_change_nothing_not_even_next_to_infinite_vectors():
    V, U = matrices(4, 3)
    V[0] = math.inf  # word 0 stands in for the gaps while indexing, and must not leak
    short, target = torch.tensor([[1, 3]]), torch.tensor([2])
    padded = torch.tensor([[-1, 1, -1, 3]])
    torch.testing.assert_close(cbow_loss(V, U, padded, target), cbow_loss(V, U, short, target))
    by_v, by_u = cbow_gradients(V, U, padded, target)
    torch.testing.assert_close((by_v, by_u), cbow_gradients(V, U, short, target))
    assert not by_v[[0, 2]].any()


def test_the_mean_keeps_the_digits_of_its_type():
    # A share of a third that went through single precision would be off by 1e-8.
    V, U = matrices(4, 3)
    contexts, target = torch.tensor([[1, 2, 3]]), torch.tensor([0])
    _, (expected, _) = TorchSkipGram(V, U).gradients(contexts, target)
    found = cbow_gradients(V, U, contexts, target)[0]
    torch.testing.assert_close(found, expected, rtol=1e-13, atol=1e-15)


def test_a_context_word_that_stands_there_twice_counts_twice():
    V, U = matrices(4, 3)
    gradient, _ = cbow_gradients(V, U, torch.tensor([[1, 1, 3]]), torch.tensor([0]))
    torch.testing.assert_close(gradient[1], 2 * gradient[3])


def test_the_order_of_the_context_does_not_matter():
    V, U = matrices(4, 3)
    target = torch.tensor([0])
    torch.testing.assert_close(
        cbow_loss(V, U, torch.tensor([[1, 2, 3]]), target),
        cbow_loss(V, U, torch.tensor([[3, 1, 2]]), target),
    )


# The corpus at once


@given(seed=st.integers(0, 99), words=st.integers(1, 5), number=st.integers(1, 12))
def test_counts_give_what_the_pairs_give(seed, words, number):
    vectors, pairs = matrices(words, 3, seed), pairs_of(words, number, seed)
    counts = count(*pairs, words)
    torch.testing.assert_close(corpus_loss(*vectors, counts), skipgram_loss(*vectors, *pairs))
    torch.testing.assert_close(
        corpus_gradients(*vectors, counts), skipgram_gradients(*vectors, *pairs)
    )


@given(seed=st.integers(0, 99))
def test_the_corpus_gradient_equals_autograd(seed):
    vectors = [m.requires_grad_() for m in matrices(4, 2, seed)]
    counts = count(*pairs_of(4, 9, seed), 4)
    log_p = F.log_softmax(vectors[0] @ vectors[1].T, dim=1)
    expected = torch.autograd.grad(-(counts * log_p).sum() / counts.sum(), vectors)
    with torch.no_grad():
        torch.testing.assert_close(corpus_gradients(*vectors, counts), expected)


@given(seed=st.integers(0, 99))
def test_no_vectors_beat_the_entropy_of_the_counts(seed):
    counts = count(*pairs_of(4, 30, seed), 4)
    shares = counts / counts.sum(dim=1, keepdim=True).clamp_min(1)
    floor = torch.special.entr(shares).sum(dim=1) @ counts.sum(dim=1) / counts.sum()
    assert corpus_loss(*matrices(4, 3, seed), counts) >= floor - 1e-12
    # With as many dimensions as words, the logarithms of the shares are possible scores.
    best = shares.clamp_min(1e-300).log()
    reached = corpus_loss(torch.eye(4, dtype=torch.float64), best.T.contiguous(), counts)
    assert reached.item() == pytest.approx(floor.item())


def test_training_equals_an_sgd_of_torch():
    counts = count(*pairs_of(6, 40), 6, dtype=torch.float32)
    model = SkipGram(6, dimension=3, rng=torch.Generator().manual_seed(1))
    peer = [model.input_vectors.clone(), model.output_vectors.clone()]
    optimizer = torch.optim.SGD([m.requires_grad_() for m in peer], lr=0.5)
    for _ in range(20):
        model.step(counts, learning_rate=0.5)
        optimizer.zero_grad()
        (-(counts * F.log_softmax(peer[0] @ peer[1].T, dim=1)).sum() / counts.sum()).backward()
        optimizer.step()
    assert not model.input_vectors.requires_grad
    torch.testing.assert_close(model.input_vectors, peer[0].detach())
    torch.testing.assert_close(model.output_vectors, peer[1].detach())


def test_similar_vectors_belong_to_words_with_similar_contexts_not_to_neighbours():
    # like and enjoy never meet, but stand between the same words: I _ tea, I _ flying.
    I, LIKE, ENJOY, TEA, FLYING = range(5)  # noqa: E741
    documents = [[I, verb, thing] for verb in (LIKE, ENJOY) for thing in (TEA, FLYING)]
    counts = count(*skipgram_pairs(documents, window=1), words=5, dtype=torch.float32)
    model = SkipGram(5, dimension=2, rng=torch.Generator().manual_seed(0))
    start = model.loss(counts)
    for _ in range(500):
        model.step(counts, learning_rate=1.0)
    assert counts[LIKE, ENJOY] == 0
    assert counts[I, LIKE] == 2
    similar = F.cosine_similarity(model.input_vectors[LIKE], model.input_vectors[ENJOY], dim=0)
    neighbours = F.cosine_similarity(model.input_vectors[I], model.input_vectors[LIKE], dim=0)
    assert similar > 0.9
    assert neighbours < 0  # they meet, and share no context
    assert model.loss(counts) < 0.7 * start


def test_first_vectors_have_length_about_one_and_repeat():
    model, again = (SkipGram(500, 40, torch.Generator().manual_seed(3)) for _ in range(2))
    assert torch.equal(model.input_vectors, again.input_vectors)
    assert not torch.equal(model.input_vectors, model.output_vectors)
    for vectors in (model.input_vectors, model.output_vectors):
        assert vectors.norm(dim=1).mean().item() == pytest.approx(1, abs=0.05)


# Every function


def calls(dtype=torch.float32, device="cpu"):
    vectors = [m.to(device) for m in matrices(4, 3, dtype=dtype)]
    centres, contexts = (part.to(device) for part in pairs_of(4, 5))
    counts = torch.ones(4, 4, dtype=dtype, device=device)
    return [
        (skipgram_loss, [*vectors, centres, contexts]),
        (skipgram_gradients, [*vectors, centres, contexts]),
        (cbow_loss, [*vectors, centres[:, None], contexts]),
        (cbow_gradients, [*vectors, centres[:, None], contexts]),
        (corpus_loss, [*vectors, counts]),
        (corpus_gradients, [*vectors, counts]),
    ]


def flat(result):
    return [result] if isinstance(result, torch.Tensor) else list(result)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_dtype_is_kept_and_no_argument_is_changed(dtype):
    for function, arguments in calls(dtype):
        before = [argument.clone() for argument in arguments]
        for part in flat(function(*arguments)):
            assert part.dtype == dtype
            assert part.isfinite().all()
        torch.testing.assert_close(arguments, before, rtol=0, atol=0)


def test_everything_runs_on_the_meta_device():
    for function, arguments in calls(device="meta"):
        assert all(part.is_meta for part in flat(function(*arguments)))
    model = SkipGram(4, 3, torch.Generator().manual_seed(0), device="meta")
    model.step(torch.ones(4, 4, device="meta"), learning_rate=1.0)
    assert model.input_vectors.is_meta
    assert model.loss(torch.ones(4, 4, device="meta")).is_meta


@pytest.mark.parametrize("function", [skipgram_loss, skipgram_gradients])
@pytest.mark.parametrize(
    ("centres", "contexts", "message"),
    [
        ([], [], "centres is empty, expected at least one word"),
        ([0, -1], [1, 1], "centres goes from -1 to 0, expected 0 to 3"),
        ([0, 1], [4, 1], "contexts goes from 1 to 4, expected 0 to 3"),
    ],
)
def test_bad_pairs_are_refused(function, centres, contexts, message):
    pair = (torch.tensor(part, dtype=torch.int64) for part in (centres, contexts))
    with pytest.raises(ValueError, match=message):
        function(*matrices(4, 3), *pair)


@pytest.mark.parametrize("function", [cbow_loss, cbow_gradients])
@pytest.mark.parametrize(
    ("contexts", "targets", "message"),
    [
        (torch.zeros(0, 2, dtype=torch.int64), [], "targets is empty, expected at least one word"),
        (torch.tensor([[0, 1], [-1, -1]]), [1, 1], "contexts has no word in example 1"),
        (torch.tensor([[0, 4]]), [1], "contexts goes from 0 to 4, expected 0 to 3"),
        (torch.tensor([[0, 1]]), [-1], "targets goes from -1 to -1, expected 0 to 3"),
        (torch.zeros(1, 0, dtype=torch.int64), [1], "contexts is empty"),
    ],
)
def test_bad_examples_are_refused(function, contexts, targets, message):
    with pytest.raises(ValueError, match=message):
        function(*matrices(4, 3), contexts, torch.tensor(targets, dtype=torch.int64))


@pytest.mark.parametrize("function", [corpus_loss, corpus_gradients])
@pytest.mark.parametrize(
    ("counts", "message"),
    [
        (torch.zeros(4, 4), "counts holds no pair, expected at least one"),
        (torch.eye(4) - 0.5, "counts goes down to -0.5, expected no negative count"),
    ],
)
def test_bad_counts_are_refused(function, counts, message):
    with pytest.raises(ValueError, match=message):
        function(*matrices(4, 3, dtype=torch.float32), counts)


@pytest.mark.parametrize(
    ("sizes", "message"), [((0, 2), "num_words is 0"), ((2, 0), "dimension is 0")]
)
def test_bad_sizes_are_refused(sizes, message):
    with pytest.raises(ValueError, match=message):
        SkipGram(*sizes, torch.Generator())


@pytest.mark.parametrize("learning_rate", [0.0, -1.0, math.nan])
def test_a_learning_rate_has_to_be_positive(learning_rate):
    with pytest.raises(ValueError, match="learning_rate"):
        SkipGram(2, 2, torch.Generator()).step(torch.ones(2, 2), learning_rate)
