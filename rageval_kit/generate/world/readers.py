"""Several readers, each of whom has a document that nobody else may read."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from rageval_kit.generate.crowds import home_of, plain_label
from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.planting import Planting
from rageval_kit.generate.statements import Topic, document, topics, version
from rageval_kit.records.target import Power
from rageval_kit.records.world import Document, Effect, Entry, Principal, SubjectKind, World

TAKES: Mapping[str, tuple[object, ...] | None] = {"n": None}
WANTS = ("n",)
NEEDS = frozenset({Power.PLANT})
READER = "kit-reader-"


def plant(world: World, args: Mapping[str, object], seed: int) -> Planting:
    tenant_id, label = home_of(world, f"{READER}01"), plain_label(world)
    made = list(_documents(world, args, seed))
    people = tuple(
        Principal(reader, tenant_id, name=reader, clearance=label) for reader, _, _ in made
    )
    return Planting(tuple(one for _, one, _ in made), people)


def exhibits(world: World, args: Mapping[str, object], seed: int) -> tuple[Exhibit, ...]:
    return tuple(
        Exhibit(
            topic.topic_id,
            {"target": one.document_id},
            {"topic": topic.question},
            readers=(reader,),
            lang=topic.lang,
        )
        for reader, one, topic in _documents(world, args, seed)
    )


def _documents(
    world: World, args: Mapping[str, object], seed: int
) -> Iterator[tuple[str, Document, Topic]]:
    tenant_id, label, n = home_of(world, f"{READER}01"), plain_label(world), int(str(args["n"]))
    for number, topic in enumerate(topics(seed, "readers", "number", n, n_values=1), 1):
        reader = f"{READER}{number:02d}"
        name = f"kit-own-{number:02d}"
        own = Entry(f"{name}-own", Effect.ALLOW, SubjectKind.USER, reader)
        edition = version(name, topic.title, topic.stated(topic.values[0]), topic.lang)
        yield reader, replace(document(name, tenant_id, edition, own), label=label), topic
