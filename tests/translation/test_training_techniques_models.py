"""The module translation.training_techniques: the copying model, candidates and names."""

import random

import pytest
import torch

from course_lib.data.grammar import AlignedPair, load_grammar
from course_lib.translation.attention import AttentionTranslator
from course_lib.translation.decoding import TableTranslator, sentence_log_probability
from course_lib.translation.sequence_to_sequence import (
    Batch,
    make_batch,
    masked_cross_entropy,
    translate_greedily,
)
from course_lib.translation.training_techniques import (
    CopyTranslator,
    draw_candidates,
    make_names,
    minimize,
    put_names,
    reference_ids,
    sampled_risk,
)

SOURCE = torch.tensor([[4, 10, 11, 6], [10, 5, 1, 1]])  # 10 and 11 are slots
TARGET = torch.tensor([[2, 4, 11, 10], [2, 10, 5, 3]])


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def copier(seed=0):
    translator = AttentionTranslator(10, 10, 4, 5, generator=generator(seed))
    return CopyTranslator(translator, 2, generator=generator(seed + 1)).eval()


# Attention and features in one run


def test_attend_gives_what_the_translator_gives():
    translator = AttentionTranslator(10, 10, 4, 5, generator=generator()).eval()
    source, target = SOURCE.clamp(max=9), TARGET.clamp(max=9)
    features, weights = translator.attend(source, target)
    torch.testing.assert_close(translator.output(features), translator(source, target))
    torch.testing.assert_close(weights, translator.attention(source, target))


# The copying model


def test_copier_gives_log_probabilities_of_words_and_slots():
    log_p = copier()(SOURCE, TARGET)
    assert log_p.shape == (2, 4, 12)
    torch.testing.assert_close(log_p.exp().sum(dim=-1), torch.ones(2, 4))
    # The second sentence holds one slot: the other one cannot be copied.
    assert (log_p[1, :, 11] == -torch.inf).all()


def test_copier_step_by_step_equals_all_at_once():
    model = copier()
    state, steps = model.start(SOURCE), []
    for tokens in TARGET.unbind(dim=1):
        log_p, state = model.step(tokens, state)
        steps.append(log_p)
    torch.testing.assert_close(torch.stack(steps, dim=1), model(SOURCE, TARGET))
    assert all(part.shape[0] == 2 for part in state)


def test_dropout_acts_in_both_ways_of_scoring():
    """With dropout 1 nothing of a word or a feature gets through, so no draw is left to chance."""
    translator = AttentionTranslator(10, 10, 4, 5, dropout=1.0, generator=generator())
    model = CopyTranslator(translator, 2, generator=generator(1)).train()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim == 1:  # biases start at 0, and then all features would be 0 anyway
                parameter.uniform_(generator=generator(2))
    log_p, (first, _) = model(SOURCE, TARGET), model.step(TARGET[:, 0], model.start(SOURCE))
    torch.testing.assert_close(first, log_p[:, 0])
    # Where nothing is copied, the biases alone decide.
    ours = log_p[..., [7, 8, 9]].softmax(dim=-1)
    biases = translator.output.bias[[7, 8, 9]].softmax(dim=-1)
    torch.testing.assert_close(ours, biases.expand_as(ours))


def test_a_batch_is_translated_as_its_members():
    model = copier()
    both = model(SOURCE, TARGET)
    torch.testing.assert_close(both[:1], model(SOURCE[:1], TARGET[:1]))
    torch.testing.assert_close(both[1:], model(SOURCE[1:, :2], TARGET[1:]))


def test_slots_are_read_as_unknown_words():
    model, renamed = copier(), SOURCE.clone()
    renamed[SOURCE == 10], renamed[SOURCE == 11] = 11, 10
    log_p, other = model(SOURCE, TARGET), model(renamed, TARGET)
    swap = [*range(10), 11, 10]
    torch.testing.assert_close(other, log_p[..., swap])
    torch.testing.assert_close(model.attention(SOURCE, TARGET), model.attention(renamed, TARGET))


def test_pgen_is_what_the_vocabulary_gets_besides_copies():
    model = copier()
    p, p_gen = model(SOURCE, TARGET).exp(), model.generating(SOURCE, TARGET)
    in_source = torch.zeros(2, 12, dtype=torch.bool).scatter(1, SOURCE, True)
    plain = model.translator(SOURCE.where(SOURCE < 10, 0), TARGET.where(TARGET < 10, 0))
    generated = p_gen.unsqueeze(-1) * plain.softmax(dim=-1)
    only_generated = ~in_source[:, :10].unsqueeze(1).expand(2, 4, 10)
    torch.testing.assert_close(p[..., :10][only_generated], generated[only_generated])


def test_copier_learns_to_copy_a_word_that_it_has_never_seen():
    """Repeat the second of three unknown words: nothing but copying can do it."""
    translator = AttentionTranslator(6, 6, 8, 16, generator=generator())
    model = CopyTranslator(translator, 3, generator=generator(1))
    pairs = [([first, 6, 7], [7]) for first in (4, 5)] + [([6, first, 7], [7]) for first in (4, 5)]
    minimize(
        model,
        pairs,
        lambda b: masked_cross_entropy(model(b.source, b.target_input), b.target_output),
        epochs=60,
        batch_size=4,
        learning_rate=0.02,
        generator=generator(2),
    )
    assert translate_greedily(model, make_batch(pairs).source, 3) == [[7]] * 4


def test_gradients_of_the_copier_are_finite():
    model = copier()
    labels = torch.tensor([[4, 11, 10, 3], [10, 5, 3, 1]])
    masked_cross_entropy(model(SOURCE, TARGET), labels).backward()
    assert all(p.grad.isfinite().all() for p in model.parameters())
    assert model.gate.weight.grad.abs().sum() > 0


def test_saved_and_loaded_it_is_the_same():
    model, other = copier(0), copier(5)
    other.load_state_dict(model.state_dict())
    torch.testing.assert_close(other(SOURCE, TARGET), model(SOURCE, TARGET))


def test_bad_copiers_are_refused():
    with pytest.raises(ValueError, match="num_slots is -1, expected at least 0"):
        CopyTranslator(AttentionTranslator(10, 10, 3, 4), -1)
    with pytest.raises(ValueError, match="10 source and 12 target words"):
        CopyTranslator(AttentionTranslator(10, 12, 3, 4), 1)


# Candidates

TABLE = {
    "": {"a": 0.5, "b": 0.3, "<eos>": 0.2},
    "a": {"b": 0.6, "<eos>": 0.4},
    "b": {"a": 0.1, "<eos>": 0.9},
}


def table_batch(model, tokens, copies=1):
    pair = (model.sources[0].tolist(), tokens)
    return make_batch([pair] * copies)


class FromTable(torch.nn.Module):
    """A table with the scores of all steps at once, which training needs."""

    def __init__(self, table):
        super().__init__()
        self.table = TableTranslator(table)
        self.sources, self.vocab = self.table.sources, self.table.vocab

    def start(self, source):
        return self.table.start(source)

    def step(self, tokens, state):
        return self.table.step(tokens, state)

    def forward(self, source, target_input):
        state, steps = self.start(source), []
        for tokens in target_input.unbind(dim=1):
            logits, state = self.step(tokens, state)
            steps.append(logits)
        return torch.stack(steps, dim=1)


def test_sentence_log_probs_by_hand():
    model = FromTable(TABLE)
    a, b = model.vocab["a"], model.vocab["b"]
    sentences = {(): 0.2, (a,): 0.5 * 0.4, (a, b): 0.5 * 0.6, (b,): 0.3 * 0.9, (b, a): 0.3 * 0.1}
    assert sum(sentences.values()) == pytest.approx(1)
    source = model.sources.expand(len(sentences), -1)
    log_p = sentence_log_probability(model, source, [list(tokens) for tokens in sentences])
    torch.testing.assert_close(
        log_p.exp(), torch.tensor(list(sentences.values())), check_dtype=False
    )


def test_sentence_log_probs_are_those_of_members():
    model = copier()
    both = sentence_log_probability(model, SOURCE, [[4, 11, 10], [5]])
    one = sentence_log_probability(model, SOURCE[:1], [[4, 11, 10]])
    other = sentence_log_probability(model, SOURCE[1:, :2], [[5]])
    torch.testing.assert_close(both, torch.cat([one, other]))
    with pytest.raises(ValueError, match="sentences has 1 entries, expected 2"):
        sentence_log_probability(model, SOURCE, [[4]])


def test_candidates_are_different_and_the_right_one_comes_first():
    model = FromTable(TABLE)
    right = [model.vocab["b"], model.vocab["a"]]
    rows, columns, tokens = draw_candidates(model, table_batch(model, right, 3), 40, generator())
    for row in range(3):
        own = [tuple(t) for r, t in zip(rows, tokens, strict=True) if r == row]
        assert own[0] == tuple(right)
        assert len(own) == len(set(own)) == 5  # all sentences of the table are found
        assert [c for r, c in zip(rows, columns, strict=True) if r == row] == list(range(5))
    with pytest.raises(ValueError, match="count is 0, expected at least 1"):
        draw_candidates(model, table_batch(model, right), 0, generator())


def test_reference_ids_undo_the_batch():
    pairs = [([4], [5, 6]), ([4, 5], []), ([4], [7])]
    assert reference_ids(make_batch(pairs)) == [[5, 6], [], [7]]


def test_risk_over_all_candidates_is_the_expected_cost_of_the_table():
    model = FromTable(TABLE)
    names = model.vocab.tokens
    right = [model.vocab["a"]]

    def cost(candidate, reference):
        assert reference == right
        return len(candidate) + 0.5 * (candidate != reference)

    batch = table_batch(model, right, 2)
    risk = sampled_risk(model, batch, cost, count=60, generator=generator())
    expected = 0.2 * 0.5 + 0.2 * 1 + 0.3 * 2.5 + 0.27 * 1.5 + 0.03 * 2.5
    assert risk.item() == pytest.approx(expected, abs=1e-6), names


def test_risk_is_the_mean_over_sentences_with_different_numbers_of_candidates():
    model, risks = FromTable(TABLE), []
    batch = table_batch(model, [model.vocab["a"]], 8)
    rows, _, tokens = draw_candidates(model, batch, 2, generator(3))
    sizes = {rows.count(row) for row in range(8)}
    assert len(sizes) > 1
    for row in range(8):
        own = [t for r, t in zip(rows, tokens, strict=True) if r == row]
        log_p = sentence_log_probability(model, batch.source[:1].expand(len(own), -1), own)
        lengths = torch.tensor([[float(len(t)) for t in own]])
        risks.append((log_p.softmax(dim=0) * lengths).sum().item())
    risk = sampled_risk(model, batch, lambda c, r: len(c), count=2, generator=generator(3))
    assert risk.item() == pytest.approx(sum(risks) / 8, abs=1e-6)


def test_risk_has_a_gradient_that_makes_cheap_sentences_likelier():
    model = AttentionTranslator(8, 8, 4, 6, generator=generator())
    pairs = [([4, 5], [6, 7]), ([5, 4], [7]), ([4], [4, 4, 4])]

    def cost(candidate, reference):
        return float(candidate != reference)

    def objective(batch: Batch):
        return sampled_risk(model, batch, cost, count=6, generator=rng)

    rng, batch = generator(1), make_batch(pairs)
    before = sentence_log_probability(model, batch.source, reference_ids(batch)).sum()
    losses = minimize(
        model, pairs, objective, epochs=60, batch_size=3, learning_rate=0.02, generator=generator(2)
    )
    after = sentence_log_probability(model, batch.source, reference_ids(batch)).sum()
    assert after > before + 3
    assert sum(losses[-5:]) < sum(losses[:5])


# Names


def test_names_are_put_where_they_belong():
    names = make_names(30, random.Random(0))
    assert len(set(names)) == 30
    rng, found = random.Random(1), 0
    for pair in load_grammar("es").train[:1000]:
        named = put_names(pair, names, rng)
        if named is None:
            continue
        found += 1
        used = [[w for w in side if w in names] for side in named]
        assert sorted(used[0]) == sorted(used[1])
        assert len(set(used[0])) == len(used[0])
        # All other words are words of the pair, in their order; "al" may have become "a".
        for side, old in zip(named, pair[:2], strict=True):
            rest = iter(old)
            kept = [w for w in side if w not in names]
            assert all(any(w in {o, o[:1]} for o in rest) for w in kept)
    assert found > 400


def test_names_by_hand():
    source = ["the", "old", "man", "that", "sings", "helps", "the", "big", "dog", "."]
    target = ["el", "hombre", "viejo", "que", "canta", "ayuda", "al", "perro", "grande", "."]
    links = ((0, 0), (1, 2), (2, 1), (3, 3), (4, 4), (5, 5), (6, 6), (7, 8), (8, 7), (9, 9))
    pair = AlignedPair(tuple(source), tuple(target), links)
    named = put_names(pair, ["Keta"], random.Random(0))
    # The man has a relative clause, and a name cannot have one.
    assert " ".join(named.source) == "the old man that sings helps Keta ."
    assert " ".join(named.target) == "el hombre viejo que canta ayuda a Keta ."
    plural = AlignedPair(("two", "men", "sing"), ("dos", "hombres", "cantan"), ((0, 0), (1, 1)))
    assert put_names(plural, ["Keta"], random.Random(0)) is None


def test_too_few_names_are_refused():
    pair = next(p for p in load_grammar("es").train if p.source[:2] == ("the", "man"))
    with pytest.raises(ValueError, match="names has 0 entries, expected at least"):
        put_names(pair, [], random.Random(0))
    with pytest.raises(ValueError, match="count is 1000, expected 0 to 484"):
        make_names(1000, random.Random(0))


def test_names_repeat_with_the_seed():
    one, two = (make_names(20, random.Random(3)) for _ in range(2))
    assert one == two
