"""The synchronous grammar: fixed sentences, disjoint splits, right alignments."""

import random
import re
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.data.grammar import (
    align,
    content_words,
    lexicon,
    load_grammar,
    pinyin,
)
from course_lib.data.grammar.chinese import chinese
from course_lib.data.grammar.english import english
from course_lib.data.grammar.meaning import sample_sentence
from course_lib.data.grammar.spanish import spanish


def words_of(text):
    return text.split()


SAY = {"es": spanish, "zh": chinese}
LANGUAGES = sorted(SAY)

# What a reader of both languages says, written for this test. The grammar's tables are not used.
FEMININE = set(
    words_of(
        "niña niñas mujer mujeres maestra maestras carta cartas manzana manzanas casa casas silla "
        "sillas flor flores camisa camisas"
    )
)
MASCULINE = set(
    words_of(
        "niño niños hombre hombres médico médicos amigo amigos perro perros gato gatos caballo "
        "caballos pájaro pájaros libro libros periódico periódicos pastel pasteles coche coches "
        "sombrero sombreros"
    )
)
LIVING = set(
    words_of(
        "niña niñas mujer mujeres maestra maestras niño niños hombre hombres médico médicos amigo "
        "amigos perro perros gato gatos caballo caballos pájaro pájaros"
    )
)
MEASURES = dict(
    pair.split("-")
    for pair in words_of(
        "女孩-个 男孩-个 女人-个 男人-个 老师-位 医生-位 朋友-个 狗-只 猫-只 马-匹 鸟-只 "
        "书-本 信-封 报纸-份 苹果-个 蛋糕-块 房子-栋 汽车-辆 椅子-把 花-朵 衬衫-件 帽子-顶"
    )
)


@cache
def pairs_of(language):
    return [pair for split in load_grammar(language) for pair in split]


@pytest.mark.parametrize(
    ("language", "source", "target", "alignment"),
    [
        (
            "es",
            "my friend never loves a happy woman that watches the horse .",
            "mi amigo nunca ama a una mujer feliz que mira al caballo .",
            "0-0 1-1 2-2 3-3 4-5 5-7 6-6 7-8 8-9 9-10 10-11 11-12",
        ),
        (
            "zh",
            "my friend never loves a happy woman that watches the horse .",
            "我 的 朋友 从不 爱 看 马 的 一 个 快乐 的 女人 。",
            "0-0 1-2 2-3 3-4 4-8 5-10 6-12 7-7 8-5 10-6 11-13",
        ),
        (
            "es",
            "the women do not love the men .",
            "las mujeres no aman a los hombres .",
            "0-0 1-1 3-2 4-3 5-5 6-6 7-7",
        ),
        (
            "zh",
            "a clever teacher knows two women .",
            "一 位 聪明 的 老师 认识 两 个 女人 。",
            "0-0 1-2 2-4 3-5 4-6 5-8 6-9",
        ),
    ],
)
def test_a_sentence_aligned_by_hand(language, source, target, alignment):
    (pair,) = [pair for pair in pairs_of(language) if " ".join(pair.source) == source]
    assert " ".join(pair.target) == target
    assert pair.alignment == tuple(
        tuple(int(place) for place in link.split("-")) for link in alignment.split()
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_splits_are_distinct_and_hold_no_new_word(language):
    splits = load_grammar(language)
    assert [len(split) for split in splits] == [4_000, 500, 500]
    assert len({pair.source for split in splits for pair in split}) == 5_000
    for side in ("source", "target"):
        train, *others = ({w for pair in split for w in getattr(pair, side)} for split in splits)
        assert all(other <= train for other in others)


def test_both_languages_say_the_same_sentences():
    spanish_pairs, chinese_pairs = pairs_of("es"), pairs_of("zh")
    assert [pair.source for pair in spanish_pairs] == [pair.source for pair in chinese_pairs]


def test_a_loaded_list_is_the_callers_own():
    load_grammar("es").train.clear()
    assert len(load_grammar("es").train) == 4_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_lengths(language):
    for pair in pairs_of(language):
        assert 5 <= len(pair.source) <= 16
        assert 5 <= len(pair.target) <= 16


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_content_word_is_aligned_once_with_a_translation(language):
    words = lexicon(language)
    for pair in pairs_of(language):
        sources = [i for i, _ in pair.alignment]
        targets = [j for _, j in pair.alignment]
        assert list(pair.alignment) == sorted(pair.alignment)
        assert len(set(sources)) == len(sources) == len(set(targets))
        for places, sentence in ((sources, pair.source), (targets, pair.target)):
            content = {place for place, word in enumerate(sentence) if word in content_words}
            assert content <= set(places)
        for i, j in pair.alignment:
            source, target = pair.source[i], pair.target[j]
            assert (source in content_words) == (target in content_words)
            if source in content_words:
                assert target in words[source]


def test_a_function_word_is_aligned_with_what_it_says():
    says = {
        ("es", "the"): {"el", "la", "los", "las", "al"},
        ("es", "a"): {"un", "una"},
        ("es", "not"): {"no"},
        ("es", "that"): {"que"},
        ("es", "these"): {"estos", "estas"},
        ("es", "."): {"."},
        ("zh", "a"): {"一"},
        ("zh", "not"): {"不"},
        ("zh", "that"): {"的"},
        ("zh", "my"): {"我"},
        ("zh", "."): {"。"},
    }
    for (language, word), expected in says.items():
        found = {
            pair.target[j]
            for pair in pairs_of(language)
            for i, j in pair.alignment
            if pair.source[i] == word
        }
        assert found == expected


def test_spanish_agrees():
    articles = {"el": "ms", "al": "ms", "un": "ms", "este": "ms", "la": "fs", "una": "fs"}
    articles |= {"esta": "fs", "los": "mp", "estos": "mp", "muchos": "mp", "las": "fp"}
    articles |= {"estas": "fp", "muchas": "fp"}
    for pair in pairs_of("es"):
        for word, after in pairwise(pair.target):
            if word in articles:
                number = "p" if after.endswith("s") else "s"
                assert articles[word] == ("f" if after in FEMININE else "m") + number
        text = " ".join(pair.target)
        assert " a el " not in text
        for i, j in pair.alignment:
            if pair.source[i] in {"white", "black", "red", "new", "old", "clever", "expensive"}:
                noun, adjective = pair.target[j - 1], pair.target[j]
                vowel = "a" if noun in FEMININE else "o"
                assert noun in FEMININE | MASCULINE
                assert adjective.endswith(vowel + ("s" if noun.endswith("s") else ""))


def test_spanish_marks_an_object_that_lives():
    for pair in pairs_of("es"):
        for k, word in enumerate(pair.target):
            if word in {"a", "al"}:
                phrase = pair.target[k + 1 : k + 3]
                assert LIVING & set(phrase)


def test_english_agrees():
    for pair in pairs_of("es"):
        place = dict(pair.alignment)
        for i, (word, after) in enumerate(pairwise(pair.source)):
            if word in {"a", "an"}:
                assert (word == "an") == (after[0] in "aeiou")
            if word in {"do", "does"}:  # Spanish verbs end in n in the plural, and only there
                verb = pair.source[i + 2]
                assert after == "not"
                assert not verb.endswith("s")
                assert (word == "do") == pair.target[place[i + 2]].endswith("n")


def test_chinese_has_two_words_for_old():
    living = set(words_of("女孩 男孩 女人 男人 老师 医生 朋友 狗 猫 马 鸟"))
    for pair in pairs_of("zh"):
        for i, j in pair.alignment:
            if pair.source[i] == "old":
                assert pair.target[j] == ("老" if pair.target[j + 1] in living else "旧")


def test_chinese_measure_words_fit_the_noun():
    numbers = set("一两三四五这")
    nouns = set(MEASURES)
    seen = set()
    for pair in pairs_of("zh"):
        for k, word in enumerate(pair.target):
            if word in numbers:
                noun = next(other for other in pair.target[k + 2 :] if other in nouns)
                assert pair.target[k + 1] == MEASURES[noun]
                seen.add(noun)
    assert seen == nouns


def test_a_chinese_clause_stands_before_its_noun():
    count = 0
    for pair in pairs_of("zh"):
        place = dict(pair.alignment)
        for i, word in enumerate(pair.source):
            if word == "that":
                count += 1
                assert place[i - 1] > place[i]  # the noun after 的
                following = next(k for k in range(i + 1, len(pair.source)) if k in place)
                assert place[following] < place[i]  # the clause before it
    assert count > 1_000


def test_every_chinese_token_has_a_sound():
    tokens = {token for pair in pairs_of("zh") for token in pair.target}
    assert pinyin("女孩") == "nǚhái"
    for token in tokens - {"。"}:  # a syllable, and so a run of vowels, for each character
        vowels = re.findall("[aāáǎàeēéěèiīíǐìoōóǒòuūúǔùüǖǘǚǜ]+", pinyin(token))
        assert len(vowels) == len(token)
    with pytest.raises(ValueError, match="token is 'girl', expected a Chinese token"):
        pinyin("girl")


@pytest.mark.parametrize("function", [load_grammar, lexicon])
def test_a_language_that_the_grammar_lacks(function):
    with pytest.raises(ValueError, match="language is 'fr', expected 'es' or 'zh'"):
        function("fr")


@given(st.integers(0, 10**6), st.sampled_from(LANGUAGES))
def test_any_sentence_aligns(seed, language):
    clause = sample_sentence(random.Random(seed))
    pair = align(english(clause), SAY[language](clause))
    assert pair == align(english(clause), SAY[language](clause))
    words = lexicon(language)
    content = {i for i, word in enumerate(pair.source) if word in content_words}
    assert content <= {i for i, _ in pair.alignment}
    for i, j in pair.alignment:
        if i in content:
            assert pair.target[j] in words[pair.source[i]]
