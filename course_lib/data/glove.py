"""Word vectors that others have trained on six billion words."""

import base64

import torch
from torch import Tensor

from course_lib.data._records import read_records


def load_glove() -> tuple[list[str], Tensor]:
    """Load the 20,000 most frequent words of GloVe 6B with their vectors of 50 numbers.

    Pennington, Socher and Manning trained them on Wikipedia of 2014 and the newswire collection
    Gigaword 5, all in lower case; numbers and punctuation are words too. The file keeps 16 bits of
    each number, a relative error of at most 1/2048. Licence: PDDL 1.0.

    Returns:
        The words, the most frequent first, and a new float32 tensor of shape [20000, 50]: row i is
        the vector of word i.

    Example:
        >>> words, vectors = load_glove()
        >>> len(words), words[:3], list(vectors.shape)
        (20000, ['the', ',', '.'], [20000, 50])
        >>> vectors[0, :3]
        tensor([ 0.4180,  0.2496, -0.4124])
    """
    records = read_records("glove_6b_50d.jsonl.xz")
    # The script tools/extract_glove.py wrote each vector as base64 of little-endian float16.
    data = bytearray().join(base64.b64decode(record["vector"]) for record in records)
    vectors = torch.frombuffer(data, dtype=torch.float16).reshape(len(records), -1)
    return [record["text"] for record in records], vectors.float()
