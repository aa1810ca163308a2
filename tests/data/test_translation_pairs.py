"""The vendored sentence pairs, their loader, and the script that wrote them."""

import json
import lzma
from collections import Counter
from importlib import resources

import pytest

from course_lib.data import load_english_spanish
from course_lib.data.pairs import Pair, Splits
from course_lib.data.text import tokenize
from tools.extract_pairs import (
    MAX_RATIO,
    MAX_WORDS,
    MIN_WORDS,
    NAME,
    clean_english,
    clean_spanish,
    split_verse,
    to_records,
)


@pytest.fixture(scope="module")
def splits():
    return load_english_spanish()


def test_parts_and_types(splits):
    assert isinstance(splits, Splits)
    assert [len(part) for part in splits] == [18793, 935, 942]
    for part in splits:
        assert all(isinstance(pair, Pair) for pair in part)
        assert all(type(side) is tuple and len(pair) == 2 for pair in part for side in pair)


def test_lengths(splits):
    for pair in (pair for part in splits for pair in part):
        short, long = sorted(map(len, pair))
        assert MIN_WORDS <= short <= long <= MAX_WORDS
        assert long <= MAX_RATIO * short


def test_tokens_are_what_the_tokenizer_gives(splits):
    for pair in (pair for part in splits for pair in part):
        for side in pair:
            assert tokenize(" ".join(side)) == list(side)


def test_only_letters_and_the_known_signs(splits):
    for side, signs in enumerate((".,:;?!'-", ".,:;¿?¡!-")):
        characters = Counter("".join(t for part in splits for pair in part for t in pair[side]))
        assert {c for c in characters if not c.isalpha()} <= set(signs)
        assert all(c == c.lower() for c in characters)


def test_no_sentence_of_one_part_occurs_in_another(splits):
    english = [pair.source for part in splits for pair in part]
    assert len(set(english)) == len(english)
    train, validation, test = ({pair.target for pair in part} for part in splits)
    assert not train & (validation | test)
    assert not validation & test


def test_the_two_sides_belong_together(splits):
    # Names that are spelt alike: where one side has one, nearly always so has the other.
    names = ["israel", "david", "samuel", "gad", "egipto", "dan"]
    for name in names:
        english = "egypt" if name == "egipto" else name
        found = [pair for part in splits for pair in part if english in pair.source]
        assert sum(name in pair.target for pair in found) > 0.85 * len(found) > 5


def test_the_loader_reads_what_the_file_holds(splits):
    file = resources.files("course_lib.data").joinpath(NAME)
    records = [json.loads(line) for line in lzma.decompress(file.read_bytes()).splitlines()]
    assert [sorted(record) for record in records[:1]] == [["split", "text", "translation"]]
    for split in Splits._fields:
        stored = [(r["text"], r["translation"]) for r in records if r["split"] == split]
        assert [(" ".join(p.source), " ".join(p.target)) for p in getattr(splits, split)] == stored


def test_each_call_gives_new_lists(splits):
    load_english_spanish().train.clear()
    assert len(load_english_spanish().train) == len(splits.train)


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ('He said, "God`s `house` stands."', "He said, God's house stands."),
        ("  two   spaces\t", "two spaces"),
    ],
)
def test_cleaning_english(raw, clean):
    assert clean_english(raw) == clean


def test_cleaning_spanish():
    assert clean_spanish("\t Y dijo: \xadAy Señor!") == "Y dijo: ¡Ay Señor!"


def test_a_verse_is_cut_only_where_both_sides_agree():
    english, spanish = "God is good; praise him now.", "Dios es bueno: load le a él."
    assert len(split_verse(english, spanish)) == 2
    assert len(split_verse(english, spanish.replace(":", ","))) == 1
    one_long = "Dios es bueno: load le a él, todos los pueblos de la tierra."
    assert len(split_verse("God is good in all; praise him now.", one_long)) == 1
    assert split_verse("God is", "Dios es") == []
    assert split_verse(" ".join(["a"] * 21), " ".join(["a"] * 20)) == []


def test_records_hold_out_whole_chapters_and_repeat_nothing():
    verses = {}
    for chapter in range(40):
        letter = "abcdefghijklmnopqrstuvwxyzabcdefghijklmn"[chapter] * (1 + chapter // 26)
        for verse, word in ((1, "one"), (2, "two")):
            verses[1, chapter, verse] = (f"say {letter} {word} .", f"di {letter} {word} .")
    verses[1, 0, 3] = verses[1, 17, 1]  # in training and in testing: stays in testing
    verses[1, 0, 4] = ("something new here .", verses[1, 7, 1][1])  # Spanish of validation
    verses[1, 0, 5] = ("chapter [one] of it", "capítulo uno de")
    records = to_records(verses)
    assert Counter(r["split"] for r in records) == {"train": 72, "validation": 4, "test": 4}
    assert len({r["text"] for r in records}) == 80
    assert [r["split"] for r in records if " r " in r["text"]] == ["test"] * 2
