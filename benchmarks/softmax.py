"""Softmax, log-softmax and cross-entropy against PyTorch, forward only, on one thread."""

import torch
import torch.nn.functional as F

from benchmarks.timing import ratio
from course_lib.calculus import jacobians
from course_lib.runtime import generator


def run() -> dict[str, tuple[float, float, float]]:
    """Return, for each function, the ratio of its time to PyTorch's."""
    logits = torch.randn(256, 10_000, generator=generator(0))
    targets = torch.randint(10_000, (256,), generator=generator(1))
    pairs = {
        "softmax": (lambda: jacobians.softmax(logits), lambda: logits.softmax(dim=-1)),
        "log_softmax": (lambda: jacobians.log_softmax(logits), lambda: logits.log_softmax(dim=-1)),
        "cross_entropy": (
            lambda: jacobians.cross_entropy(logits, targets),
            lambda: F.cross_entropy(logits, targets),
        ),
    }
    return {name: ratio(ours, peer) for name, (ours, peer) in pairs.items()}
