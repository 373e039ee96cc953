"""What does each version of a planted document say, word for word alike but for its values?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rageval_kit.generate.statements import Topic

EDITIONS = 3
# {q}: which edition; {name}, {value}. The last is the second value, where one document states two.
MEASURES: Mapping[str, tuple[str, str]] = {
    "en": ("daily allowance", "yearly allowance"),
    "zh": ("每日津贴", "每年津贴"),
}
_STATED = {
    "en": "The {measure} of the {name} office{q} is {value} marks.",
    "zh": "{name}办事处{q}的{measure}是{value}元。",
}
_ASKED = {
    "en": "What is the {measure} of the {name} office{q}?",
    "zh": "{name}办事处{q}的{measure}是多少？",
}
_ASKED_BOTH = {
    "en": "What are the daily allowance and the yearly allowance of the {name} office?",
    "zh": "{name}办事处的每日津贴和每年津贴各是多少？",
}
_REST = {
    "en": "It is set by the head office and paid out at each month's end.",
    "zh": "标准由总部制定，于每月月底发放。",
}
_QUALIFIED: Mapping[str, Sequence[tuple[str, str, str]]] = {
    "en": (
        (" in the northern region", " in the southern region", " in the coastal region"),
        (" for the year 2021", " for the year 2022", " for the year 2023"),
        (" by the first edition", " by the second edition", " by the third edition"),
    ),
    "zh": (
        ("在北部地区", "在南部地区", "在沿海地区"),
        ("2021年度", "2022年度", "2023年度"),
        ("按第一版", "按第二版", "按第三版"),
    ),
}


@dataclass(frozen=True, slots=True)
class Sentence:
    """What a passage states, and the question that it answers."""

    text: str
    value: str
    question: str
    title: str
    entity: str
    lang: str


def sentences(topic: Topic, args: Mapping[str, object]) -> list[list[Sentence]]:
    """For each version (or edition) in turn its passages, as many as there are values.

    `fewer_passages`: the first version has two, every later one the first of them alone.
    """
    if args.get("changes") == "fewer_passages":
        first, *later = sentences(topic, {**args, "changes": "two_values"})
        return [first, *(said[:1] for said in later)]
    if args.get("changes") == "two_values":
        asked = _ASKED_BOTH[topic.lang].format(name=topic.name)
        pairs = zip(topic.values[::2], topic.values[1::2], strict=True)
        return [[_said(topic, v, n, asked=asked) for n, v in enumerate(pair)] for pair in pairs]
    if "edition" in args:
        kinds = _QUALIFIED[topic.lang]
        number = int(topic.topic_id.rsplit("-", 1)[1]) // 2
        which = kinds[number % len(kinds)]
        return [[_said(topic, v, q=q)] for q, v in zip(which, topic.values, strict=False)]
    return [[_said(topic, value)] for value in topic.values]


def _said(topic: Topic, value: str, number: int = 0, *, q: str = "", asked: str = "") -> Sentence:
    lang, measure = topic.lang, MEASURES[topic.lang][number]
    stated = _STATED[lang].format(measure=measure, name=topic.name, q=q, value=value)
    asked = asked or _ASKED[lang].format(measure=measure, name=topic.name, q=q)
    gap = " " if lang == "en" else ""
    text = f"{stated}{gap}{_REST[lang]}"
    return Sentence(text, value, asked, topic.title, topic.name, lang)
