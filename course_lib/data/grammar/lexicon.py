"""The words of the grammar: English, Spanish and Chinese side by side."""

from typing import NamedTuple


class Noun(NamedTuple):
    """A noun; ``kind`` says which verbs and adjectives it goes with."""

    kind: str
    english: tuple[str, str]  # singular, plural
    spanish: tuple[str, str]
    gender: str  # in Spanish: "m" or "f"
    chinese: str
    measure: str  # what Chinese puts between a number and this noun


class Verb(NamedTuple):
    """A verb; no kinds of object means that it takes none."""

    english: tuple[str, str]  # third person singular, plural
    spanish: tuple[str, str]
    chinese: str
    subjects: frozenset[str]
    objects: frozenset[str]


class Adjective(NamedTuple):
    """An adjective; Chinese has two words for "old", one for what lives and one for things."""

    english: str
    spanish: str  # masculine singular
    chinese: str
    chinese_of_things: str
    kinds: frozenset[str]


class Adverb(NamedTuple):
    """An adverb; ``kind`` decides where it may stand and what it goes with."""

    english: str
    spanish: str
    chinese: tuple[str, ...]
    kind: str  # "time", "place" or "frequency"


LIVING = frozenset({"person", "animal"})
_KINDS = {
    "person": {"person"},
    "living": LIVING,
    "reading": {"reading"},
    "food": {"food"},
    "goods": {"reading", "food", "goods"},
    "lasting": {"reading", "goods"},
    "coloured": {"animal", "goods"},
    "pretty": {"person", "animal", "goods"},
    "red": {"food", "goods"},
    "old": {"person", "animal", "reading", "goods"},
    "all": {"person", "animal", "reading", "food", "goods"},
    "none": set(),
}

_NOUNS = """
person  girl girls           niña niñas            f 女孩 个
person  boy boys             niño niños            m 男孩 个
person  woman women          mujer mujeres         f 女人 个
person  man men              hombre hombres        m 男人 个
person  teacher teachers     maestra maestras      f 老师 位
person  doctor doctors       médico médicos        m 医生 位
person  friend friends       amigo amigos          m 朋友 个
animal  dog dogs             perro perros          m 狗 只
animal  cat cats             gato gatos            m 猫 只
animal  horse horses         caballo caballos      m 马 匹
animal  bird birds           pájaro pájaros        m 鸟 只
reading book books           libro libros          m 书 本
reading letter letters       carta cartas          f 信 封
reading newspaper newspapers periódico periódicos  m 报纸 份
food    apple apples         manzana manzanas      f 苹果 个
food    cake cakes           pastel pasteles       m 蛋糕 块
goods   house houses         casa casas            f 房子 栋
goods   car cars             coche coches          m 汽车 辆
goods   chair chairs         silla sillas          f 椅子 把
goods   flower flowers       flor flores           f 花 朵
goods   shirt shirts         camisa camisas        f 衬衫 件
goods   hat hats             sombrero sombreros    m 帽子 顶
"""

_VERBS = """
reads read     lee leen           读   person reading
writes write   escribe escriben   写   person reading
buys buy       compra compran     买   person goods
sells sell     vende venden       卖   person goods
eats eat       come comen         吃   living food
watches watch  mira miran         看   living living
helps help     ayuda ayudan       帮助 person living
loves love     ama aman           爱   living living
knows know     conoce conocen     认识 person person
draws draw     dibuja dibujan     画   person all
seeks seek     busca buscan       寻找 living all
sleeps sleep   duerme duermen     睡觉 living none
sings sing     canta cantan       唱歌 person none
works work     trabaja trabajan   工作 person none
swims swim     nada nadan         游泳 living none
"""

_ADJECTIVES = """
big       grande   大   大   all
small     pequeño  小   小   all
white     blanco   白   白   coloured
black     negro    黑   黑   coloured
red       rojo     红   红   red
new       nuevo    新   新   lasting
old       viejo    老   旧   old
clever    listo    聪明 聪明 living
happy     feliz    快乐 快乐 living
beautiful hermoso  漂亮 漂亮 pretty
expensive caro     昂贵 昂贵 lasting
cheap     barato   便宜 便宜 lasting
"""

NUMERALS = {
    "two": ("dos", "两"),
    "three": ("tres", "三"),
    "four": ("cuatro", "四"),
    "five": ("cinco", "五"),
}

_PINYIN = """
女孩 nǚhái, 男孩 nánhái, 女人 nǚrén, 男人 nánrén, 老师 lǎoshī, 医生 yīshēng, 朋友 péngyou, 狗 gǒu,
猫 māo, 马 mǎ, 鸟 niǎo, 书 shū, 信 xìn, 报纸 bàozhǐ, 苹果 píngguǒ, 蛋糕 dàngāo, 房子 fángzi,
汽车 qìchē, 椅子 yǐzi, 花 huā, 衬衫 chènshān, 帽子 màozi, 个 gè, 位 wèi, 只 zhī, 匹 pǐ, 本 běn,
封 fēng, 份 fèn, 块 kuài, 栋 dòng, 辆 liàng, 把 bǎ, 朵 duǒ, 件 jiàn, 顶 dǐng, 读 dú, 写 xiě,
买 mǎi, 卖 mài, 吃 chī, 看 kàn, 帮助 bāngzhù, 爱 ài, 认识 rènshi, 画 huà, 寻找 xúnzhǎo,
睡觉 shuìjiào, 唱歌 chànggē, 工作 gōngzuò, 游泳 yóuyǒng, 大 dà, 小 xiǎo, 白 bái, 黑 hēi, 红 hóng,
新 xīn, 老 lǎo, 旧 jiù, 聪明 cōngming, 快乐 kuàilè, 漂亮 piàoliang, 昂贵 ángguì, 便宜 piányi,
今天 jīntiān, 现在 xiànzài, 在 zài, 这里 zhèlǐ, 总是 zǒngshì, 从不 cóngbù, 两 liǎng, 三 sān, 四 sì,
五 wǔ, 很多 hěnduō, 一 yī, 这 zhè, 这些 zhèxiē, 我 wǒ, 的 de, 不 bù, 。 .
"""


def _rows(table: str) -> list[list[str]]:
    return [line.split() for line in table.strip().splitlines()]


NOUNS = tuple(
    Noun(kind, (one, many), (uno, varios), gender, chinese, measure)
    for kind, one, many, uno, varios, gender, chinese, measure in _rows(_NOUNS)
)
VERBS = tuple(
    Verb((one, many), (uno, varios), chinese, frozenset(_KINDS[by]), frozenset(_KINDS[of]))
    for one, many, uno, varios, chinese, by, of in _rows(_VERBS)
)
ADJECTIVES = tuple(
    Adjective(english, spanish, living, things, frozenset(_KINDS[kinds]))
    for english, spanish, living, things, kinds in _rows(_ADJECTIVES)
)
ADVERBS = (
    Adverb("today", "hoy", ("今天",), "time"),
    Adverb("now", "ahora", ("现在",), "time"),
    Adverb("here", "aquí", ("在", "这里"), "place"),
    Adverb("always", "siempre", ("总是",), "frequency"),
    Adverb("never", "nunca", ("从不",), "frequency"),
)
PINYIN = dict(entry.split() for entry in " ".join(_PINYIN.split()).split(", "))
