"""The module transformers.transformer against PyTorch's Transformer, and its properties."""

import copy
import inspect
import io
import math
import warnings

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from course_lib.transformers.normalization import LayerNorm
from course_lib.transformers.self_attention import causal_mask, sinusoidal_positions
from course_lib.transformers.transformer import (
    Cache,
    Decoder,
    DecoderLayer,
    Encoder,
    EncoderLayer,
    FeedForward,
    TokenEmbedding,
    Transformer,
    copy_decoder_layer,
    copy_encoder_layer,
    copy_stacks,
)
from course_lib.translation.decoding import beam_search, reorder
from course_lib.translation.sequence_to_sequence import (
    BOS,
    EOS,
    PAD,
    Translator,
    draw_parameters,
    make_batch,
    masked_cross_entropy,
    pad,
    padding_mask,
    train,
    translate_greedily,
)

SIZES = {"d_model": 8, "num_heads": 2, "d_ff": 16}
BOTH = pytest.mark.parametrize("pre_norm", [True, False])


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def randn(*shape, seed=0, dtype=torch.float32):
    return torch.randn(*shape, generator=generator(seed), dtype=dtype)


def model(seed=0, **options):
    return Transformer(11, 13, **{**SIZES, "generator": generator(seed), **options}).eval()


def tokens(*shape, vocab=11, seed=0):
    return torch.randint(EOS + 1, vocab, shape, generator=generator(seed))


def shake(module, seed=0):
    """Move all weights a little, so that no bias is 0 and no gain is 1."""
    rng = generator(seed)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(0.1 * torch.randn(parameter.shape, generator=rng))
    return module


def seeded(kind, *args, **options):
    """A module of PyTorch with the same random weights in every run."""
    with torch.random.fork_rng(devices=[]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="enable_nested_tensor")  # only about its speed
        torch.manual_seed(0)
        return shake(kind(*args, **options))


def count(module):
    return sum(parameter.numel() for parameter in module.parameters())


SOURCE = pad([[4, 5, 6, 7], [8, 9], [10, 4, 5]])
TARGET = pad([[BOS, 4, 5], [BOS, 6, 7, 8, 9], [BOS]])


# PyTorch as the oracle


@BOTH
def test_encoder_layer_equals_torch_forward_and_backward(pre_norm):
    theirs = seeded(
        nn.TransformerEncoderLayer, 8, 2, 16, 0.0, norm_first=pre_norm, batch_first=True
    )
    ours = EncoderLayer(8, num_heads=2, d_ff=16, pre_norm=pre_norm)
    copy_encoder_layer(ours, theirs)
    x = [randn(3, 4, 8).requires_grad_() for _ in range(2)]
    real = padding_mask(SOURCE)
    actual, _ = ours(x[0], real[:, None, None, :])
    expected = theirs(x[1], src_key_padding_mask=~real)
    torch.testing.assert_close(actual[real], expected[real], rtol=1e-5, atol=1e-5)
    upstream = randn(*actual.shape, seed=1) * real.unsqueeze(-1)
    actual.backward(upstream)
    expected.backward(upstream)
    torch.testing.assert_close(x[0].grad, x[1].grad, rtol=1e-5, atol=1e-5)
    gradients = ours.feed_forward.expand.weight.grad, theirs.linear1.weight.grad
    torch.testing.assert_close(*gradients, rtol=1e-5, atol=1e-5)
    by_projection = ours.attention.key_projection.weight.grad
    torch.testing.assert_close(
        by_projection, theirs.self_attn.in_proj_weight.grad[8:16], rtol=1e-5, atol=1e-5
    )


@BOTH
def test_decoder_layer_equals_torch_forward_and_backward(pre_norm):
    theirs = seeded(
        nn.TransformerDecoderLayer, 8, 2, 16, 0.0, norm_first=pre_norm, batch_first=True
    )
    ours = DecoderLayer(8, num_heads=2, d_ff=16, pre_norm=pre_norm)
    copy_decoder_layer(ours, theirs)
    x = [randn(3, 5, 8).requires_grad_() for _ in range(2)]
    memory = [randn(3, 4, 8, seed=1).requires_grad_() for _ in range(2)]
    real, causal = padding_mask(SOURCE), causal_mask(5)
    actual, _, _ = ours(x[0], memory[0], causal, real[:, None, None, :])
    expected = theirs(x[1], memory[1], tgt_mask=~causal, memory_key_padding_mask=~real)
    torch.testing.assert_close(actual, expected, rtol=1e-5, atol=1e-5)
    upstream = randn(*actual.shape, seed=2)
    actual.backward(upstream)
    expected.backward(upstream)
    torch.testing.assert_close(x[0].grad, x[1].grad, rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(memory[0].grad, memory[1].grad, rtol=1e-5, atol=1e-5)
    gradients = ours.cross_residual.norm.weight.grad, theirs.norm2.weight.grad
    torch.testing.assert_close(*gradients, rtol=1e-5, atol=1e-5)


def torch_stacks(pre_norm, encoder_layers=2, decoder_layers=3):
    """PyTorch's Transformer, without the last norms of post-norm that the paper does not have."""
    sizes = 8, 2, encoder_layers, decoder_layers, 16
    options = {"layer_norm_eps": 0.1, "norm_first": pre_norm, "batch_first": True}
    theirs = seeded(nn.Transformer, *sizes, 0.0, **options)
    if not pre_norm:
        theirs.encoder.norm = theirs.decoder.norm = None
    return theirs


@BOTH
def test_the_whole_equals_torch_forward_and_backward(pre_norm):
    theirs = torch_stacks(pre_norm)
    ours = shake(model(num_layers=2, num_decoder_layers=3, pre_norm=pre_norm), seed=5)
    copy_stacks(ours, theirs)
    theirs_embedding = copy.deepcopy([ours.encoder.embedding, ours.decoder.embedding])
    expected = theirs(
        theirs_embedding[0](SOURCE),
        theirs_embedding[1](TARGET),
        tgt_mask=~causal_mask(TARGET.shape[1]),
        src_key_padding_mask=~padding_mask(SOURCE),
        tgt_key_padding_mask=~padding_mask(TARGET),
        memory_key_padding_mask=~padding_mask(SOURCE),
    )
    expected = expected @ ours.output.weight.detach().T
    actual = ours(SOURCE, TARGET)
    real = padding_mask(TARGET)
    torch.testing.assert_close(actual[real], expected[real], rtol=1e-5, atol=1e-5)
    upstream = randn(*actual.shape) * real.unsqueeze(-1)
    actual.backward(upstream)
    expected.backward(upstream)
    for mine, other in zip(
        [ours.encoder.embedding, ours.decoder.embedding], theirs_embedding, strict=True
    ):
        torch.testing.assert_close(
            mine.table.weight.grad, other.table.weight.grad, rtol=1e-5, atol=1e-5
        )
    pairs = [
        (ours.encoder.layers[0].attention.value_projection, theirs.encoder.layers[0].self_attn),
        (
            ours.decoder.layers[0].cross_attention.value_projection,
            theirs.decoder.layers[0].multihead_attn,
        ),
    ]
    for mine, other in pairs:
        torch.testing.assert_close(
            mine.weight.grad, other.in_proj_weight.grad[16:], rtol=1e-5, atol=1e-5
        )


def test_copying_refuses_stacks_of_another_form():
    with pytest.raises(ValueError, match="last norm of the encoder"):
        copy_stacks(model(), torch_stacks(pre_norm=False))
    with pytest.raises(ValueError, match="3 layers in the decoder, expected 2"):
        copy_stacks(model(), torch_stacks(pre_norm=True))


# Embedding and feed-forward


def test_embedding_scales_words_and_adds_positions_along_the_steps():
    embedding = TokenEmbedding(11, 8)
    x = embedding(torch.full((2, 5), 7))
    assert torch.equal(x[0], x[1])
    expected = math.sqrt(8) * embedding.table.weight[7] + sinusoidal_positions(5, 8)
    torch.testing.assert_close(x[0], expected)
    torch.testing.assert_close(embedding(torch.tensor([[7]]), first=3), x[:1, 3:4])


def test_embedding_takes_an_odd_size():
    embedding = TokenEmbedding(11, 5)
    embedding.table.weight.data.zero_()
    code = embedding(torch.tensor([[4, 4]]))[0, 1]
    expected = torch.tensor([0.8415, 0.5403, 0.0251, 0.9997, 0.0006])
    torch.testing.assert_close(code, expected, rtol=0, atol=1e-4)


def test_feed_forward_equals_two_convolutions_of_width_one_and_a_loop():
    layer, x = FeedForward(6, 10), randn(2, 5, 6)
    first, second = nn.Conv1d(6, 10, 1), nn.Conv1d(10, 6, 1)
    for conv, linear in ((first, layer.expand), (second, layer.contract)):
        conv.load_state_dict({"weight": linear.weight[..., None], "bias": linear.bias})
    by_convolution = second(first(x.transpose(1, 2)).relu()).transpose(1, 2)
    torch.testing.assert_close(layer(x), by_convolution)
    torch.testing.assert_close(layer(x)[1, 3], layer(x[1, 3]))


# Counts


def test_parameter_counts():
    d, ff, v, w = 512, 2048, 11, 13
    attention, norm, feed_forward = 4 * (d * d + d), 2 * d, 2099712
    assert count(FeedForward(d, ff)) == feed_forward == d * ff + ff + ff * d + d
    sizes = {"num_heads": 8, "d_ff": ff}
    encoder = attention + feed_forward + 2 * norm
    decoder = 2 * attention + feed_forward + 3 * norm
    with torch.device("meta"):
        assert (
            count(EncoderLayer(d, **sizes))
            == encoder
            == count(nn.TransformerEncoderLayer(d, 8, ff))
        )
        assert (
            count(DecoderLayer(d, **sizes))
            == decoder
            == count(nn.TransformerDecoderLayer(d, 8, ff))
        )
        whole = Transformer(v, w, d_model=d, num_layers=2, **sizes)
        assert count(whole) == (v + 2 * w) * d + 2 * (encoder + decoder) + 2 * norm
        post = Transformer(v, w, d_model=d, num_layers=2, pre_norm=False, **sizes)
        assert count(whole) - count(post) == 2 * norm


def test_layers_do_not_share_weights_and_depths_are_free():
    m = model(num_layers=1, num_decoder_layers=4)
    assert (len(m.encoder.layers), len(m.decoder.layers)) == (1, 4)
    assert model(num_layers=3).decoder.layers[2] is not model(num_layers=3).decoder.layers[1]
    pointers = {p.data_ptr() for p in m.parameters()}
    assert len(pointers) == len(list(m.parameters()))
    assert m(SOURCE, TARGET).shape == (3, 5, 13)


# Chaining, norms, gradients


@BOTH
def test_every_parameter_receives_a_gradient(pre_norm):
    m = shake(model(num_layers=3, pre_norm=pre_norm))
    masked_cross_entropy(m(SOURCE, TARGET), TARGET).backward()
    for name, parameter in m.named_parameters():
        assert parameter.grad is not None, name
        if "key_projection.bias" not in name:  # it shifts all scores of a row alike
            assert parameter.grad.abs().max() > 0, name


def test_pads_of_the_source_and_of_the_target_get_no_gradient():
    m = model()
    masked_cross_entropy(m(SOURCE, TARGET), TARGET).backward()
    assert m.encoder.embedding.table.weight.grad[PAD].abs().max() == 0
    assert m.decoder.embedding.table.weight.grad[PAD].abs().max() == 0


def test_pre_norm_stacks_end_with_a_norm_and_post_norm_stacks_with_none():
    m = model(num_layers=6)
    memory, _ = m.encoder(SOURCE)
    features, _, _ = m.decoder(TARGET, memory, padding_mask(SOURCE))
    for x in (memory, features):
        torch.testing.assert_close(x.mean(-1), torch.zeros(x.shape[:2]), rtol=1e-5, atol=1e-5)
        torch.testing.assert_close(
            x.std(-1, unbiased=False), torch.ones(x.shape[:2]), rtol=1e-3, atol=0
        )
    post = model(pre_norm=False)
    assert not any(isinstance(s.final_norm, LayerNorm) for s in (post.encoder, post.decoder))


def test_the_query_of_cross_attention_is_what_self_attention_of_the_same_layer_left():
    layer = DecoderLayer(8, num_heads=2, d_ff=16, pre_norm=False)
    seen = []
    layer.cross_attention.register_forward_pre_hook(lambda module, args: seen.extend(args[:3]))
    x, memory, causal = randn(2, 3, 8), randn(2, 4, 8, seed=1), causal_mask(3)
    layer(x, memory, causal)
    expected = layer.self_residual.norm(x + layer.self_attention(x, x, x, causal)[0])
    torch.testing.assert_close(seen[0], expected)
    assert seen[1] is memory
    assert seen[2] is memory


# Masks


@BOTH
@pytest.mark.parametrize("training", [True, False])
def test_an_output_depends_on_its_position_and_those_before_it(pre_norm, training):
    m = model(pre_norm=pre_norm).train(training)
    target = tokens(2, 6, vocab=13)
    other = target.clone()
    other[:, 3] = torch.where(target[:, 3] == 4, 5, 4)
    source = tokens(2, 4)
    with torch.no_grad():
        before, after = m(source, target), m(source, other)
    assert torch.equal(before[:, :3], after[:, :3])
    assert (before[:, 3:] - after[:, 3:]).abs().amax(dim=-1).min() > 1e-6


def test_causality_holds_with_dropout():
    m = model(dropout=0.5).train()
    target = tokens(2, 6, vocab=13)
    other = target.clone()
    other[:, -1] = torch.where(target[:, -1] == 4, 5, 4)
    results = []
    for t in (target, other):
        with torch.random.fork_rng(devices=[]), torch.no_grad():
            torch.manual_seed(0)
            results.append(m(SOURCE[:2], t))
    assert torch.equal(results[0][:, :-1], results[1][:, :-1])


def test_every_source_position_reaches_every_output():
    m = model(num_layers=1)
    memory_input = []
    m.encoder.embedding.register_forward_hook(
        lambda module, args, out: memory_input.append(out.requires_grad_()) or None
    )
    out = m(tokens(1, 4), tokens(1, 3, vocab=13))
    gradient = torch.autograd.grad(out[0, 0, 5], memory_input[0])[0]
    assert (gradient[0].abs().amax(dim=-1) > 0).all()


@BOTH
@settings(max_examples=6)
@given(source_pads=st.integers(0, 3), target_pads=st.integers(0, 3))
def test_pads_change_nothing(pre_norm, source_pads, target_pads):
    m = model(pre_norm=pre_norm)
    source, target = tokens(2, 4), tokens(2, 3, vocab=13)
    wide_source = F.pad(source, (0, source_pads), value=PAD)
    wide_target = F.pad(target, (0, target_pads), value=PAD)
    with torch.no_grad():
        torch.testing.assert_close(m(wide_source, wide_target)[:, :3], m(source, target))


def test_cross_attention_hides_the_pads_of_the_source_also_where_lengths_are_equal():
    m = model()
    source, target = pad([[4, 5, 6], [7, 8]]), pad([[BOS, 4], [BOS, 5, 6]])
    maps = m.attention_maps(source, target)
    assert maps.cross[1, :, :, :, 2].abs().max() == 0
    assert maps.cross[0, ..., 2].min() > 0
    assert maps.encoder[1, ..., 2].abs().max() == 0
    assert maps.cross[0, :, :, 2].min() > 0  # a pad of the target is no key here


@BOTH
def test_a_batch_gives_what_its_members_give(pre_norm):
    # As many sentences as heads: a mask without the axis of the heads would go unnoticed.
    m = shake(model(pre_norm=pre_norm, num_heads=2))
    source, target = SOURCE[:2], TARGET[:2]
    with torch.no_grad():
        together = m(source, target)
        for i in range(2):
            words, steps = (source[i] != PAD).sum(), (target[i] != PAD).sum()
            alone = m(source[i : i + 1, :words], target[i : i + 1, :steps])
            torch.testing.assert_close(together[i, :steps], alone[0])


def test_a_source_without_tokens_is_read_as_nothing():
    m = model()
    source = torch.tensor([[PAD, PAD], [4, 5]])
    out = m(source, TARGET[:2])
    assert out.isfinite().all()
    out.sum().backward()
    assert all(parameter.grad.isfinite().all() for parameter in m.parameters())
    torch.testing.assert_close(out[:1], m(source[:1, :0], TARGET[:1])[:, : out.shape[1]])


# Step by step


def all_steps(m, source, target):
    state, rows = m.start(source), []
    for word in target.unbind(dim=1):
        logits, state = m.step(word, state)
        rows.append(logits)
    return torch.stack(rows, dim=1), state


@BOTH
@settings(max_examples=6)
@given(lengths=st.lists(st.integers(1, 5), min_size=1, max_size=3), steps=st.integers(1, 6))
def test_step_by_step_equals_the_whole_sequence(pre_norm, lengths, steps):
    m = shake(model(pre_norm=pre_norm, num_layers=1, num_decoder_layers=3))
    source = pad([tokens(n, seed=n).tolist() for n in lengths])
    target = torch.randint(0, 13, (len(lengths), steps), generator=generator(steps))
    target[:, 0] = BOS  # pads among the others: greedy search goes on behind the end of a sentence
    with torch.no_grad():
        stepped, _ = all_steps(m, source, target)
        torch.testing.assert_close(stepped, m(source, target), rtol=1e-4, atol=1e-5)


def test_every_part_of_the_state_has_the_batch_first_and_grows_by_one_key():
    m = model(num_decoder_layers=3)
    state = m.start(SOURCE)
    assert isinstance(state, Cache)
    assert all(part.shape[0] == 3 for part in state)
    assert state.keys.shape == (3, 3, 2, 0, 4)
    for t in range(1, 4):
        before = state
        _, state = m.step(torch.tensor([BOS, 4, 5]), state)
        assert state.keys.shape == state.values.shape == (3, 3, 2, t, 4)
        assert all(part.shape[0] == 3 for part in state)
        assert torch.equal(state.keys[:, :, :, :-1], before.keys)
        assert state.memory_keys is before.memory_keys


def test_the_rows_of_a_state_can_be_picked_and_repeated():
    m = model()
    _, state = m.step(torch.tensor([BOS, BOS, BOS]), m.start(SOURCE))
    rows = torch.tensor([2, 0, 0])
    words = torch.tensor([4, 5, 6])
    actual, _ = m.step(words, reorder(state, rows))
    expected, _ = all_steps(m, SOURCE[rows], torch.stack([torch.full((3,), BOS), words], dim=1))
    torch.testing.assert_close(actual, expected[:, 1])


def test_gradients_flow_through_the_steps():
    m = model()
    stepped, _ = all_steps(m, SOURCE, TARGET)
    masked_cross_entropy(stepped, TARGET).backward()
    by_steps = [parameter.grad.clone() for parameter in m.parameters()]
    m.zero_grad()
    masked_cross_entropy(m(SOURCE, TARGET), TARGET).backward()
    torch.testing.assert_close(by_steps, [p.grad for p in m.parameters()], rtol=1e-4, atol=1e-5)


# The translator interface


def test_beam_search_scores_what_forward_scores_and_takes_coverage():
    m = shake(model())
    assert isinstance(m, Translator)
    for beam in beam_search(m, SOURCE, 3, 4):
        assert len(beam) == 3
    [best, *_] = beam_search(m, SOURCE[:1], 3, 4)[0]
    target = make_batch([(SOURCE[0].tolist(), list(best.tokens))])
    log_p = m(target.source, target.target_input).log_softmax(-1)
    total = log_p.gather(-1, target.target_output.unsqueeze(-1)).sum()
    assert best.log_probability == pytest.approx(total.item(), abs=1e-4)
    assert len(beam_search(m, SOURCE, 2, 4, coverage_weight=0.5)) == 3


def test_attention_is_the_mean_of_the_cross_maps_and_rows_sum_to_one():
    m = model(num_layers=1, num_decoder_layers=3)
    maps, mean = m.attention_maps(SOURCE, TARGET), m.attention(SOURCE, TARGET)
    assert maps.encoder.shape == (3, 1, 2, 4, 4)
    assert maps.decoder.shape == (3, 3, 2, 5, 5)
    assert maps.cross.shape == (3, 3, 2, 5, 4)
    assert maps.decoder.triu(1).abs().max() == 0
    for weights in (*maps, mean):
        torch.testing.assert_close(weights.sum(-1), torch.ones(weights.shape[:-1]))
    torch.testing.assert_close(mean, maps.cross.flatten(1, 2).mean(1))


def test_it_learns_to_reverse_and_beam_one_is_greedy():
    rng = generator(3)
    pairs = []
    for _ in range(256):
        words = torch.randint(4, 8, (3,), generator=rng).tolist()
        pairs.append((words, words[::-1]))
    m = Transformer(8, 8, d_model=32, num_heads=4, num_layers=1, d_ff=64, generator=rng)
    losses = train(m, pairs, epochs=8, batch_size=32, learning_rate=5e-3, generator=rng)
    assert losses[-1] < losses[0] / 4
    source = pad([source for source, _ in pairs[:32]])
    greedy = translate_greedily(m, source, 6)
    beams = beam_search(m, source, 1, 6)
    assert [list(beam[0].tokens) for beam in beams] == greedy
    right = [a == b for a, (_, b) in zip(greedy, pairs, strict=False)]
    assert sum(right) > 28


# Dropout, starting values, tied weights, files, devices, types


def test_dropout_is_applied_once_to_each_sublayer():
    layer = EncoderLayer(64, num_heads=2, d_ff=64, dropout=0.25).train()
    with torch.no_grad():
        layer.feed_forward.contract.weight.zero_()
        layer.feed_forward.contract.bias.fill_(1.0)
        layer.attention.output_projection.weight.zero_()
        layer.attention.output_projection.bias.fill_(1.0)
        x = torch.zeros(10, 100, 64)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            attended = layer.attention_residual(x, lambda h: layer.attention(h, h, h)[0])
            fed = layer.feed_forward_residual(x, layer.feed_forward)
    for out in (attended, fed):
        assert (out == 0).float().mean().item() == pytest.approx(0.25, abs=0.01)
        assert out.max().item() == pytest.approx(1 / 0.75)


def test_dropout_is_applied_to_the_sum_of_word_and_position():
    embedding = TokenEmbedding(11, 64, dropout=0.25).train()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        out = embedding(tokens(20, 50))
    assert (out == 0).float().mean().item() == pytest.approx(0.25, abs=0.01)
    kept = out != 0
    torch.testing.assert_close(out[kept], embedding.eval()(tokens(20, 50))[kept] / 0.75)


def test_dropout_is_off_in_eval_and_zero_dropout_is_none_and_one_drops_all():
    m = model(dropout=0.5)
    assert torch.equal(m(SOURCE, TARGET), m(SOURCE, TARGET))
    assert not torch.equal(m.train()(SOURCE, TARGET), m(SOURCE, TARGET))
    plain = model()
    assert torch.equal(plain.train()(SOURCE, TARGET), plain.eval()(SOURCE, TARGET))
    assert model(dropout=1).train()(SOURCE, TARGET).isfinite().all()


def test_the_generator_decides_all_starting_values():
    first, second = model(seed=4).state_dict(), model(seed=4).state_dict()
    assert all(torch.equal(first[name], second[name]) for name in first)
    assert not torch.equal(model(seed=5)(SOURCE, TARGET), model(seed=4)(SOURCE, TARGET))


def test_tied_weights_are_one_tensor():
    m = model(tied=True)
    state = m.state_dict()
    names = ["output.weight", "decoder.embedding.table.weight"]
    assert state[names[0]].data_ptr() == state[names[1]].data_ptr()
    assert count(model()) - count(m) == 13 * 8
    m(SOURCE, TARGET).sum().backward()
    assert m.output.weight.grad is m.decoder.embedding.table.weight.grad
    for other in (copy.deepcopy(m), copy.deepcopy(m).double(), model(seed=7, tied=True)):
        other.load_state_dict(state)
        assert other.output.weight is other.decoder.embedding.table.weight
    plain = model().state_dict()
    assert plain[names[0]].data_ptr() != plain[names[1]].data_ptr()


@pytest.mark.parametrize("options", [{}, {"tied": True, "pre_norm": False}])
def test_save_and_load(options):
    m, file = shake(model(**options)), io.BytesIO()
    torch.save(m.state_dict(), file)
    file.seek(0)
    other = model(seed=9, **options)
    other.load_state_dict(torch.load(file))
    assert torch.equal(other(SOURCE, TARGET), m(SOURCE, TARGET))


def test_masks_and_positions_follow_the_device():
    m = model().to("meta")
    source, target = SOURCE.to("meta"), TARGET.to("meta")
    assert m(source, target).shape == (3, 5, 13)
    logits, state = m.step(target[:, 0], m.start(source))
    assert logits.is_meta
    assert all(part.is_meta for part in state)
    assert all(part.is_meta for part in m.attention_maps(source, target))


@pytest.mark.parametrize(
    ("dtype", "tolerance"), [(torch.float64, 1e-5), (torch.bfloat16, 0.15), (torch.float16, 0.02)]
)
def test_other_precisions(dtype, tolerance):
    m = model()
    expected = m(SOURCE, TARGET)
    actual = copy.deepcopy(m).to(dtype)(SOURCE, TARGET)
    assert actual.dtype == dtype
    torch.testing.assert_close(actual.float(), expected, rtol=0, atol=tolerance)
    stepped, _ = all_steps(copy.deepcopy(m).to(dtype), SOURCE, TARGET)
    torch.testing.assert_close(stepped.float(), expected, rtol=0, atol=tolerance)


def test_nothing_changes_its_arguments():
    m, source, target = model(), SOURCE.clone(), TARGET.clone()
    state = m.start(source)
    parts = [part.clone() for part in state]
    m(source, target)
    m.attention_maps(source, target)
    m.step(target[:, 0], state)
    assert torch.equal(source, SOURCE)
    assert torch.equal(target, TARGET)
    assert all(torch.equal(a, b) for a, b in zip(parts, state, strict=True))


def test_empty_batches_and_targets():
    m = model()
    assert m(SOURCE[:0], TARGET[:0]).shape == (0, 5, 13)
    assert m(SOURCE, TARGET[:, :0]).shape == (3, 0, 13)
    assert m.start(SOURCE[:0]).keys.shape == (0, 2, 2, 0, 4)


def test_encoder_and_decoder_take_the_same_arguments_by_name_only():
    encoder, decoder = (inspect.signature(c).parameters for c in (Encoder, Decoder))
    assert list(encoder) == list(decoder)
    named = [p for name, p in encoder.items() if name != "vocab_size"]
    assert all(p.kind is inspect.Parameter.KEYWORD_ONLY for p in named)


def test_bad_arguments():
    for name, value in {
        "d_model": 0,
        "num_heads": 3,
        "num_layers": 0,
        "num_decoder_layers": 0,
        "d_ff": 0,
        "dropout": 1.5,
    }.items():
        with pytest.raises(ValueError, match=f"{name} is {value}, expected"):
            model(**{name: value})
    with pytest.raises(ValueError, match="source_vocab_size is 0"):
        Transformer(0, 5)
    with pytest.raises(ValueError, match="target_vocab_size is 0"):
        Transformer(5, 0)
    for layers in (Encoder, Decoder):
        with pytest.raises(ValueError, match="num_layers is 0"):
            layers(5, num_layers=0, **SIZES)
    with pytest.raises(ValueError, match="vocab_size is 0"):
        TokenEmbedding(0, 4)
    with pytest.raises(ValueError, match="d_model is 0"):
        FeedForward(0, 4)
    with pytest.raises(ValueError, match="target_input has 3 rows, expected 1 as in source"):
        model()(SOURCE[:1], TARGET)
    with pytest.raises(ValueError, match="tokens has 1 rows, expected 3 as in source"):
        model().step(torch.tensor([BOS]), model().start(SOURCE))


def test_starting_values_of_parts_can_be_drawn_alone():
    layers = [EncoderLayer(8, num_heads=2, d_ff=16) for _ in range(2)]
    for layer in layers:
        draw_parameters(layer, generator())
    x = randn(1, 3, 8)
    assert torch.equal(layers[0](x)[0], layers[1](x)[0])
