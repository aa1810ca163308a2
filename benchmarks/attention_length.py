"""Self-attention against a recurrent layer and a convolution at growing length, on one thread.

All layers have 64 numbers for each position; forward only. Ratios above 1 mean that self-attention
takes longer. They grow with the length, because its work grows with the square.
"""

import torch
from torch import nn

from benchmarks.timing import ratio
from course_lib.runtime import generator
from course_lib.transformers.self_attention import SelfAttention

WIDTH = 64


def run() -> dict[str, tuple[float, float, float]]:
    """Return, for each length and peer, the ratio of self-attention's time to the peer's."""
    attend = SelfAttention(WIDTH, d_k=WIDTH, d_v=WIDTH, generator=generator(0))
    recurrent = nn.RNN(WIDTH, WIDTH, batch_first=True)
    convolution = nn.Conv1d(WIDTH, WIDTH, 3, padding=1)
    ratios = {}
    with torch.no_grad():
        for length in (64, 256, 1024, 4096):
            x = torch.randn(1, length, WIDTH, generator=generator(1))
            channels_first = x.transpose(1, 2).contiguous()
            peers = {
                "recurrent": lambda x=x: recurrent(x),
                "convolution": lambda x=channels_first: convolution(x),
            }
            for name, peer in peers.items():
                key = f"length {length} / {name}"
                ratios[key] = ratio(lambda x=x: attend(x), peer, rounds=5, calls=3)
    return ratios
