"""Which names, words and figures stand in no corpus, so that whoever says them has them from us?"""

import random
from collections.abc import Mapping
from dataclasses import dataclass

_ONSETS = ("b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "dr", "kr", "tr")
_VOWELS = ("a", "e", "i", "o", "u")
_CODAS = ("l", "m", "n", "r", "x", "k")
_CHINESE = "泽沃岚霁珩昶璟澍翊曦钧骞朔瀚琰岱禾苓汐峤弈煊桓砚葭隽珏楚骁菡"
_SHORTEST, _LONGEST = 5, 9
VALUES = range(100_000, 300_000)  # what documents state
SUMMANDS = range(310_000, 480_000)  # neither they nor their sums are values

_FACTS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "en": (
        ("Depot", "registration number"),
        ("Workshop", "inventory number"),
        ("Pavilion", "annual budget"),
        ("Observatory", "contract number"),
        ("Laboratory", "meter reading"),
        ("Ferry", "licence number"),
    ),
    "zh": (
        ("仓库", "登记编号"),
        ("工坊", "库存编号"),
        ("展馆", "年度预算"),
        ("观测站", "合同编号"),
        ("实验室", "电表读数"),
        ("渡船", "执照编号"),
    ),
}


@dataclass(frozen=True, slots=True)
class Topic:
    """Something that does not exist, one figure about it, and how to ask for it."""

    name: str
    value: str
    title: str
    sentence: str
    question: str
    text: str  # the sentence stands in it
    more: str  # a sentence that whoever asks is led to as well, and that says nothing


def word(draw: random.Random) -> str:
    """An invented word of five to nine letters."""
    made = ""
    while len(made) < _SHORTEST:
        made += draw.choice(_ONSETS) + draw.choice(_VOWELS)
    return (made + draw.choice(_CODAS))[:_LONGEST]


def topic(draw: random.Random, lang: str, number: int) -> Topic:
    """One of its kind; those of the same `number` differ in name and figure alone."""
    kind, fact = _FACTS[lang][number % len(_FACTS[lang])]
    value = str(draw.choice(VALUES))
    if lang == "zh":
        name = "".join(draw.sample(_CHINESE, 3)) + kind
        sentence = f"{name}的{fact}是{value}。"
        text = f"{sentence}{name}工作日开放，来访者请在前台登记。"
        more = f"{name}的{fact}另有补充说明。"
        return Topic(name, value, f"{name}说明", sentence, f"{name}的{fact}是多少？", text, more)
    name = f"{word(draw).capitalize()} {kind}"
    sentence = f"The {fact} of {name} is {value}."
    text = f"{sentence} {name} is open on working days, and visitors report at the desk."
    question = f"What is the {fact} of {name}?"
    more = f"Further notes follow on the {fact} of {name}."
    return Topic(name, value, f"Notes on {name}", sentence, question, text, more)
