"""English sentences with their Spanish translations, in a small real text."""

from course_lib.data._records import read_records
from course_lib.data.pairs import Pair, Splits


def load_english_spanish() -> Splits:
    """Load 20,670 English sentences of 3 to 20 tokens with their Spanish translations.

    They are cut out of two translations of the Bible, after the public-domain World English Bible
    and the Reina-Valera of 1909, lower-cased and split into words and punctuation. Whole chapters
    are held out for validation and testing, and no English sentence occurs twice. ``README.md``
    beside this file says what was changed.

    Returns:
        18,793 pairs to train on, 935 for validation and 942 for testing, in the order of the text.

    Example:
        >>> splits = load_english_spanish()
        >>> [len(part) for part in splits]
        [18793, 935, 942]
        >>> splits.train[1].source[:4], splits.train[1].target[:5]
        (('god', 'said', ',', 'let'), ('y', 'dijo', 'dios', ':', 'sea'))
    """
    parts = {"train": [], "validation": [], "test": []}
    for record in read_records("english_spanish.jsonl.xz"):
        pair = Pair(tuple(record["text"].split()), tuple(record["translation"].split()))
        parts[record["split"]].append(pair)
    return Splits(**parts)
