"""Reading the vendored files."""

import json
import lzma
from importlib import resources


def read_records(name: str) -> list[dict]:
    """Read the records of a vendored file: one JSON object a line, compressed with xz.

    Args:
        name: the file's name, such as "moby_dick.jsonl.xz".

    Returns:
        The records in the order of the file.
    """
    data = lzma.decompress(resources.files("course_lib.data").joinpath(name).read_bytes())
    # Not splitlines(): that would also split at separators that may stand inside a JSON string.
    return [json.loads(line) for line in data.decode("utf-8").split("\n") if line]
