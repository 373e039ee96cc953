"""One invented person, of whom several documents speak: a record, minutes, a derived summary."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from rageval_kit.generate.crowds import tenant_of
from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.planting import SINCE, Planting
from rageval_kit.generate.statements import document, topics, version
from rageval_kit.records.changes import SetState
from rageval_kit.records.target import Power
from rageval_kit.records.world import Chunk, Document, State, World

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NEEDS = frozenset({Power.PLANT})
PEOPLE = 12
YEAR = timedelta(days=365)
TITLES: Mapping[str, Mapping[str, str]] = {
    "record": {"en": "Staff record of {name}", "zh": "{name}的人事档案"},
    "minutes": {"en": "Minutes about {name}", "zh": "关于{name}的会议记录"},
    "summary": {"en": "Summary of the file of {name}", "zh": "{name}档案摘要"},
}
TEXTS: Mapping[str, Mapping[str, str]] = {
    "record": {
        "en": "The personal number of {name} is {value}.",
        "zh": "{name}的个人编号是{value}。",
    },
    "minutes": {
        "en": "It was agreed that {name}, personal number {value}, moves to the coast.",
        "zh": "会议决定{name}（个人编号{value}）调往沿海。",
    },
    "summary": {
        "en": "In short: {name} has the personal number {value} and has moved.",
        "zh": "概要：{name}的个人编号为{value}，现已调动。",
    },
}
QUESTION = {"en": "What is the personal number of {name}?", "zh": "{name}的个人编号是多少？"}


@dataclass(frozen=True, slots=True)
class _Person:
    person_id: str
    name: str
    number: str
    lang: str

    def said(self, wordings: Mapping[str, str]) -> str:
        return wordings[self.lang].format(name=self.name, value=self.number)

    def id_of(self, kind: str) -> str:
        return f"{self.person_id}-{kind}"


def _people(seed: int) -> Iterator[_Person]:
    for topic in topics(seed, "kit-person", "number", PEOPLE, 1):
        yield _Person(topic.topic_id, topic.name, topic.values[0], topic.lang)


def plant(world: World, args: Mapping[str, str], seed: int) -> Planting:
    """The record has an earlier version, which says the same."""
    del args
    tenant_id = tenant_of(world)
    return Planting(
        tuple(
            _document(world, tenant_id, person, kind) for person in _people(seed) for kind in TEXTS
        )
    )


def _document(world: World, tenant_id: str, person: _Person, kind: str) -> Document:
    document_id = person.id_of(kind)
    title, text = person.said(TITLES[kind]), person.said(TEXTS[kind])
    made = document(document_id, tenant_id, version(document_id, title, text, person.lang))
    if kind != "record":
        return made
    (only,) = made.versions
    renewed = world.clock - YEAR
    newer = replace(
        only,
        version_id=f"{document_id}@2",
        chunks=(Chunk(f"{document_id}@2#1", text),),
        valid_from=renewed,
        states=((renewed, State.PUBLISHED),),
    )
    older = replace(only, valid_from=SINCE, valid_to=renewed)
    return replace(made, versions=(newer, older))


def exhibits(world: World, args: Mapping[str, str], seed: int) -> list[Exhibit]:
    """One for each person but the last of each language, who is the clean copy of the others."""
    del args
    *people, en, zh = _people(seed)
    others = {other.lang: other for other in (en, zh)}
    return [_exhibit(world, person, others[person.lang]) for person in people]


def _exhibit(world: World, person: _Person, other: _Person) -> Exhibit:
    erased = [person.id_of(kind) for kind in TEXTS]
    gone = tuple(SetState(one, State.DELETED, world.clock) for one in erased)
    stating = {f"{one}@1": person.number for one in erased}
    stating |= {f"{person.id_of('record')}@2": person.number}
    return Exhibit(
        person.person_id,
        {
            "target": person.id_of("record"),
            "minutes": person.id_of("minutes"),
            "summary": person.id_of("summary"),
            "clean": other.id_of("record"),
        },
        {"topic": person.said(QUESTION), "clean": other.said(QUESTION)},
        values={**stating, f"{other.id_of('record')}@2": other.number},
        events={"erase": gone},
        lang=person.lang,
    )
