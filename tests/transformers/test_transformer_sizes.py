"""Counted sizes against modules of PyTorch, their operations, and caches that exist."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from course_lib.runtime import generator
from course_lib.transformers.sizes import (
    Multiplications,
    Parameters,
    cache_bytes,
    generation_multiplications,
    layer_multiplications,
    transformer_parameters,
)
from course_lib.transformers.transformer import Cache, DecoderLayer, EncoderLayer, Transformer

SIZES = [(8, 16, 1, 1), (12, 7, 2, 3), (4, 4, 3, 1)]  # d_model, d_ff, encoder, decoder layers
small = st.integers(1, 40)


def numel(module):
    return sum(parameter.numel() for parameter in module.parameters())


def multiplications(run):
    """Count with PyTorch, which counts a multiplication and an addition for each."""
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        run()
    return counter.get_total_flops() // 2


@pytest.mark.parametrize(("d_model", "d_ff", "encoder", "decoder"), SIZES)
def test_parameters_equal_those_of_nn_transformer(d_model, d_ff, encoder, decoder):
    module = nn.Transformer(d_model, 2, encoder, decoder, d_ff, batch_first=True, device="meta")
    counted = transformer_parameters(
        d_model=d_model,
        d_ff=d_ff,
        num_encoder_layers=encoder,
        num_decoder_layers=decoder,
        embedding_rows=0,
        final_norms=2,  # nn.Transformer has them behind both stacks, in post-norm too
    )
    assert counted.total == numel(module)


def test_each_part_equals_the_parameters_of_that_name():
    module = nn.Transformer(12, 3, 2, 4, 20, batch_first=True, device="meta")
    counted = transformer_parameters(
        d_model=12,
        d_ff=20,
        num_encoder_layers=2,
        num_decoder_layers=4,
        embedding_rows=9,
        final_norms=2,
    )
    sums = dict.fromkeys(Parameters._fields, 0)
    for name, parameter in module.named_parameters():
        part = "norms" if "norm" in name else "feed_forward" if "linear" in name else "attention"
        sums[part] += parameter.numel()
    sums["embeddings"] = numel(nn.Embedding(9, 12))
    assert counted._asdict() == sums


@pytest.mark.parametrize(("tied", "pre_norm"), [(True, True), (True, False), (False, False)])
def test_parameters_equal_those_of_the_course_transformer(tied, pre_norm):
    model = Transformer(
        11, 13, d_model=8, num_heads=2, num_layers=2, d_ff=10, tied=tied, pre_norm=pre_norm
    )
    counted = transformer_parameters(
        d_model=8,
        d_ff=10,
        num_encoder_layers=2,
        num_decoder_layers=2,
        embedding_rows=11 + 13 + (0 if tied else 13),
        final_norms=2 if pre_norm else 0,
    )
    assert counted.total == numel(model)


@pytest.mark.parametrize(("n", "d_model", "d_ff"), [(1, 4, 8), (5, 8, 3), (40, 16, 64)])
def test_multiplications_of_a_layer_equal_torch(n, d_model, d_ff):
    layer = EncoderLayer(d_model, num_heads=2, d_ff=d_ff)
    x = torch.randn(1, n, d_model, generator=generator(0))
    counted = layer_multiplications(n=n, d_model=d_model, d_ff=d_ff)
    assert counted.total == multiplications(lambda: layer(x))
    assert counted.feed_forward == multiplications(lambda: layer.feed_forward(x))
    assert counted.projections + counted.mixing == multiplications(lambda: layer.attention(x, x, x))
    projections = sum(
        multiplications(lambda part=part: part(x))
        for part in layer.attention.children()
        if isinstance(part, nn.Linear)
    )
    assert counted.projections == projections


@pytest.mark.parametrize(("n", "d_model", "d_ff"), [(1, 4, 8), (5, 8, 3), (9, 16, 64)])
def test_generation_equals_torch(n, d_model, d_ff):
    encoder = EncoderLayer(d_model, num_heads=2, d_ff=d_ff)
    x = torch.randn(1, n, d_model, generator=generator(0))

    def again():
        for t in range(1, n + 1):
            encoder(x[:, :t])

    assert multiplications(again) == generation_multiplications(
        n=n, d_model=d_model, d_ff=d_ff, cached=False
    )

    decoder = DecoderLayer(d_model, num_heads=2, d_ff=d_ff)
    nothing = torch.zeros(1, 2, 0, d_model // 2)
    seen, unseen = torch.ones(1, 1, dtype=torch.bool), torch.ones(1, 0, dtype=torch.bool)

    def stepwise():
        past = nothing, nothing
        for t in range(n):
            _, past = decoder.step(x[:, t : t + 1], past, (nothing, nothing), seen, unseen)

    # The decoder layer has a cross-attention too: a query and an output projection, no keys.
    assert multiplications(stepwise) - n * 2 * d_model**2 == generation_multiplications(
        n=n, d_model=d_model, d_ff=d_ff, cached=True
    )


@pytest.mark.parametrize(("dtype", "size"), [(torch.float32, 4), (torch.float64, 8)])
def test_cache_equals_the_tensors_of_the_course_transformer(dtype, size):
    model = Transformer(9, 9, d_model=12, num_heads=3, num_layers=2, d_ff=8).to(dtype).eval()
    state = model.start(torch.tensor([[4, 5], [6, 7]]))
    for length in range(4):
        cache = Cache(*state)
        counted = cache_bytes(
            length=length, num_layers=2, num_key_heads=3, d_k=4, batch=2, bytes_per_number=size
        )
        assert counted == cache.keys.nbytes + cache.values.nbytes
        _, state = model.step(torch.tensor([4, 5]), state)


@given(n=small, d_model=small, d_ff=small)
def test_the_cache_saves_work_from_the_second_position_on(n, d_model, d_ff):
    sizes = {"n": n, "d_model": d_model, "d_ff": d_ff}
    with_cache = generation_multiplications(**sizes, cached=True)
    without = generation_multiplications(**sizes, cached=False)
    assert (with_cache < without) == (n > 1)
    assert with_cache <= layer_multiplications(**sizes).total


def test_totals_are_sums():
    assert Parameters(1, 20, 300, 4000).total == 4321
    assert Multiplications(1, 20, 300).total == 321


GOOD_PARAMETERS = {
    "d_model": 1,
    "d_ff": 1,
    "num_encoder_layers": 0,
    "num_decoder_layers": 0,
    "embedding_rows": 0,
    "final_norms": 0,
}
GOOD_CACHE = {
    "length": 0,
    "num_layers": 1,
    "num_key_heads": 1,
    "d_k": 1,
    "batch": 1,
    "bytes_per_number": 1,
}
GOOD_LAYER = {"n": 1, "d_model": 1, "d_ff": 1}


@pytest.mark.parametrize(
    ("function", "good"),
    [
        (transformer_parameters, GOOD_PARAMETERS),
        (layer_multiplications, GOOD_LAYER),
        (lambda **sizes: generation_multiplications(**sizes, cached=True), GOOD_LAYER),
        (lambda **sizes: generation_multiplications(**sizes, cached=False), GOOD_LAYER),
        (cache_bytes, GOOD_CACHE),
    ],
)
def test_numbers_out_of_range_are_named(function, good):
    function(**good)
    for name, lowest in good.items():
        message = f"{name} is {lowest - 1}, expected at least {lowest}"
        with pytest.raises(ValueError, match=message):
            function(**{**good, name: lowest - 1})
