"""The same text twice, word for word, under two lists: the reader may read one of the two."""

from collections.abc import Iterator, Mapping

from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.planting import Planting
from rageval_kit.generate.statements import Topic, document, topics, version
from rageval_kit.records.target import Power
from rageval_kit.records.world import (
    Document,
    Effect,
    Entry,
    Principal,
    SubjectKind,
    Tenant,
    World,
)

ORDERS = ("allowed_first", "denied_first")
TAKES: Mapping[str, tuple[str, ...] | None] = {"order": ORDERS}
WANTS = ("order",)
NEEDS = frozenset({Power.PLANT})
TENANT, ONE, BOTH = "kit-copies", "kit-copies-one", "kit-copies-both"
TOPICS = 6


def plant(world: World, args: Mapping[str, str], seed: int) -> Planting:
    """Who may read both finds both, so that only a copy's list can make the difference.

    No passage takes a canary: two that differ in it would be no copies.
    """
    del world
    documents = tuple(one for topic in _topics(args, seed) for one in _two(topic, args["order"]))
    return Planting(
        documents,
        (Principal(ONE, TENANT), Principal(BOTH, TENANT)),
        (Tenant(TENANT, TENANT),),
        unmarked=frozenset(c.chunk_id for d in documents for v in d.versions for c in v.chunks),
    )


def exhibits(world: World, args: Mapping[str, str], seed: int) -> tuple[Exhibit, ...]:
    del world
    shown = []
    for topic in _topics(args, seed):
        first, second = (one.document_id for one in _two(topic, args["order"]))
        own, other = (first, second) if args["order"] == "allowed_first" else (second, first)
        shown.append(
            Exhibit(
                topic.topic_id,
                {"target": other, "beside": own},
                {"topic": topic.question},
                readers=(ONE,),
                values={f"{own}@1": topic.values[0]},
                lang=topic.lang,
            )
        )
    return tuple(shown)


def _topics(args: Mapping[str, str], seed: int) -> Iterator[Topic]:
    return topics(seed, f"copies-{args['order']}", "number", TOPICS, n_values=1)


def _two(topic: Topic, order: str) -> tuple[Document, Document]:
    """In the order in which they are indexed, which is that of their ids."""
    one_reads = (order == "allowed_first", order == "denied_first")
    first, second = (
        _copy(topic, f"kit-{topic.topic_id}-{place}", (BOTH, ONE) if readable else (BOTH,))
        for place, readable in zip("ab", one_reads, strict=True)
    )
    return first, second


def _copy(topic: Topic, document_id: str, readers: tuple[str, ...]) -> Document:
    edition = version(document_id, topic.title, topic.stated(topic.values[0]), topic.lang)
    entries = tuple(
        Entry(f"{document_id}-e{n}", Effect.ALLOW, SubjectKind.USER, reader)
        for n, reader in enumerate(readers, 1)
    )
    return document(document_id, TENANT, edition, *entries)
