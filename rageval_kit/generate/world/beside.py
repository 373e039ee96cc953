"""A passage that may be read beside one that may not: its neighbour, its parent, what it names."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from rageval_kit.generate.cleared import HIGH, LOW, TENANT, has_labels, people, tenant
from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.planting import Planting
from rageval_kit.generate.statements import Topic, document, everyone, topics, version
from rageval_kit.records.target import Power
from rageval_kit.records.world import Chunk, Document, Effect, Entry, SubjectKind, World

TAKES: Mapping[str, tuple[str, ...] | None] = {"hop": ("before", "after", "parent", "related")}
WANTS = ("hop",)
NEEDS = frozenset({Power.PLANT})
TOPICS = 6
_WINDOW = frozenset({"before", "after"})
# What stands beside says nothing that the question asks for: it comes by the hop, or not at all.
_NEIGHBOURS = {
    "en": "Auditors found gaps worth {value} units during spring review.",
    "zh": "审计春季复核发现封存账册缺口{value}单位。",
}
_LEDGERS = {"en": "Sealed ledger", "zh": "封存账册"}


def plant(world: World, args: Mapping[str, str], seed: int) -> Planting:
    if not has_labels(world):
        return Planting()
    documents = tuple(
        one for topic in _topics(args, seed) for one in _documents(topic, world, args["hop"])
    )
    return Planting(documents, people(world), (tenant(),))


def exhibits(world: World, args: Mapping[str, str], seed: int) -> tuple[Exhibit, ...]:
    """The question is about the passage that may be read; the target is what stands beside it."""
    if not has_labels(world):
        return ()
    return tuple(
        Exhibit(
            topic.topic_id,
            {"target": _target(topic, args["hop"]), "beside": _id(topic)},
            {"topic": topic.question},
            readers=(LOW,),
            values={_child(topic, args["hop"]): topic.values[0]},
            lang=topic.lang,
        )
        for topic in _topics(args, seed)
    )


def _topics(args: Mapping[str, str], seed: int) -> Iterator[Topic]:
    return topics(seed, f"beside-{args['hop']}", "number", TOPICS, n_values=2)


def _id(topic: Topic) -> str:
    return f"kit-{topic.topic_id}"


def _target(topic: Topic, hop: str) -> str:
    return _id(topic) if hop in _WINDOW else f"{_id(topic)}-{hop}"


def _child(topic: Topic, hop: str) -> str:
    """The passage that the question is about."""
    return f"{_id(topic)}@1#{2 if hop == 'before' else 1}"


def _documents(topic: Topic, world: World, hop: str) -> tuple[Document, ...]:
    document_id, lowest = _id(topic), world.policy.labels[0]
    # A title is found with each of its passages: what is shut must not come by it.
    title = _LEDGERS[topic.lang] if hop in _WINDOW else topic.title
    own = version(document_id, title, topic.stated(topic.values[0]), topic.lang)
    told = _NEIGHBOURS[topic.lang].format(value=topic.values[1])
    if hop in _WINDOW:
        first = f"{document_id}@1#1"
        open_part, shut = Chunk(first, own.chunks[0].text), Chunk(first, told)
        shut = replace(shut, label=world.policy.labels[-1])
        pair = (shut, open_part) if hop == "before" else (open_part, shut)
        chunks = tuple(replace(c, chunk_id=f"{own.version_id}#{n}") for n, c in enumerate(pair, 1))
        whole = document(document_id, TENANT, replace(own, chunks=chunks))
        return (replace(whole, label=lowest),)
    other_id = _target(topic, hop)
    other = version(other_id, _LEDGERS[topic.lang], told, topic.lang)
    for_one = Entry(f"{other_id}-e1", Effect.ALLOW, SubjectKind.USER, HIGH)
    child = document(
        document_id,
        TENANT,
        replace(own, metadata=((hop, other_id),)),
        everyone(document_id),
    )
    return (
        replace(child, label=lowest),
        replace(document(other_id, TENANT, other, for_one), label=lowest),
    )
