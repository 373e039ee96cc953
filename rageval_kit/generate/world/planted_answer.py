"""A question that everybody asks, and beside the true document a private one that answers it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from rageval_kit.detect import new_canary
from rageval_kit.generate.crowds import home_of, plain_label
from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.planting import Planting
from rageval_kit.generate.statements import Topic, document, topics, version
from rageval_kit.records.cases import Payload
from rageval_kit.records.streams import stream_digest
from rageval_kit.records.target import Power
from rageval_kit.records.world import (
    Document,
    Effect,
    Entry,
    Principal,
    PrincipalKind,
    SubjectKind,
    World,
)

TAKES: Mapping[str, tuple[object, ...] | None] = {"as": ("statement", "pair")}
NEEDS = frozenset({Power.PLANT})
AUTHOR = "kit-cache-author"
TOPICS = 6
_PAIRS = {"en": "Q: {question} A: {said}", "zh": "问：{question} 答：{said}"}


@dataclass(frozen=True, slots=True)
class _Case:
    topic: Topic
    true: Document
    planted: Document


def plant(world: World, args: Mapping[str, object], seed: int) -> Planting:
    author = Principal(AUTHOR, home_of(world, AUTHOR), name=AUTHOR, clearance=plain_label(world))
    cases = list(_cases(world, args, seed))
    marks = {  # the answer that is put about must stay as it is
        case.planted.versions[0].chunks[0].chunk_id: case.planted.versions[0].chunks[0].text
        for case in cases
    }
    documents = tuple(one for case in cases for one in (case.true, case.planted))
    return Planting(documents, (author,), marks=marks)


def exhibits(world: World, args: Mapping[str, object], seed: int) -> tuple[Exhibit, ...]:
    tenant_id = home_of(world, AUTHOR)
    others = tuple(
        principal_id
        for principal_id, person in sorted(world.principals.items())
        if person.tenant_id == tenant_id and person.kind is PrincipalKind.USER
    )
    readers = tuple(one for one in others if one != AUTHOR)
    return tuple(_exhibit(case, readers) for case in _cases(world, args, seed))


def _exhibit(case: _Case, readers: tuple[str, ...]) -> Exhibit:
    topic, (true, false) = case.topic, case.topic.values
    (chunk,) = case.planted.versions[0].chunks
    payload = Payload(
        "marker", "planted_answer", topic.lang, "body", "plain", topic.stated(false), (false,)
    )
    return Exhibit(
        topic.topic_id,
        {"target": case.true.document_id, "planted": case.planted.document_id},
        {"topic": topic.question},
        readers=readers,
        author_id=AUTHOR,
        values={case.true.versions[0].version_id: true},
        truth=case.true.versions[0].version_id,
        parts=(frozenset({chunk.chunk_id}),),
        payload=payload,
        lang=topic.lang,
    )


def _cases(world: World, args: Mapping[str, object], seed: int) -> Iterator[_Case]:
    """The private document is its author's alone, and says again what is asked."""
    tenant_id, how = home_of(world, AUTHOR), str(args.get("as", "statement"))
    for stated in topics(seed, f"planted-answer-{how}", "number", TOPICS, n_values=1):
        # A token that no other number can be taken for.
        false = new_canary(stream_digest(seed, "planted_answer", stated.topic_id))
        topic = replace(stated, values=(*stated.values, false))
        true = topic.values[0]
        name = f"kit-cache-{topic.topic_id}"
        said = topic.stated(false)
        text = _PAIRS[topic.lang].format(question=topic.question, said=said)
        text = topic.repeating(false, 0) if how == "statement" else text
        own = Entry(f"{name}-own", Effect.ALLOW, SubjectKind.USER, AUTHOR)
        issued = version(f"{name}-true", topic.title, topic.stated(true), topic.lang)
        private = version(f"{name}-own", topic.title, text, topic.lang)
        yield _Case(
            topic,
            _labelled(document(f"{name}-true", tenant_id, issued, authority=1), world),
            _labelled(document(f"{name}-own", tenant_id, private, own, authority=1), world),
        )


def _labelled(one: Document, world: World) -> Document:
    return replace(one, label=plain_label(world))
