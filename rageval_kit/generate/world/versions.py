"""Documents whose versions state different values, or those of the corpus that have versions."""

import re
from collections.abc import Iterator, Mapping, Sequence

from rageval_kit.generate.crowds import tenant_of
from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.planting import Planting
from rageval_kit.generate.statements import topics
from rageval_kit.generate.version_texts import EDITIONS, Sentence, sentences
from rageval_kit.generate.version_times import Period, periods
from rageval_kit.records.changes import PublishVersion
from rageval_kit.records.target import Power
from rageval_kit.records.world import (
    Chunk,
    Document,
    Effect,
    Entry,
    SubjectKind,
    Version,
    World,
)

TAKES: Mapping[str, tuple[object, ...] | None] = {
    "from": ("corpus",),
    "chain": (2, 3),
    "changes": ("value", "two_values", "fewer_passages"),
    "second": ("effective_tomorrow", "on_event"),
    "grid": ([3, 3],),
    "edition": (EDITIONS,),
    "shape": ("line", "branch", "skip", "undated"),
    "state": ("draft", "withdrawn", "quarantined"),
    "conflict": (2,),
}
TOPICS = 10  # half of them in Chinese, half in English


def needs(args: Mapping[str, object]) -> frozenset[Power]:
    """Documents of the corpus are there already."""
    return frozenset() if "from" in args else frozenset({Power.PLANT})


def plant(world: World, args: Mapping[str, object], seed: int) -> Planting:
    if "from" in args or not world.tenants:
        return Planting()
    return Planting(tuple(d for _, documents in _made(world, args, seed) for d in documents))


def of_given(args: Mapping[str, object]) -> bool:
    """Chains of the corpus are its own, whatever the kit plants beside them."""
    return "from" in args


def exhibits(world: World, args: Mapping[str, object], seed: int) -> Sequence[Exhibit]:
    """One for each question that can be asked of them; of a corpus, one for each document."""
    if "from" in args:
        return [_found(d) for d in world.documents.values() if _has_edges(d)]
    if not world.tenants:
        return []
    return [exhibit for shown, _ in _made(world, args, seed) for exhibit in shown]


def _has_edges(document: Document) -> bool:
    """Whether any version begins or ends; a chain of documents has one version in each."""
    return any(v.chunks and (v.valid_from or v.valid_to) for v in document.versions)


def _found(document: Document) -> Exhibit:
    return Exhibit(
        document.document_id,
        {"target": document.document_id},
        {"topic": document.versions[-1].title},
    )


def _made(
    world: World, args: Mapping[str, object], seed: int
) -> Iterator[tuple[list[Exhibit], list[Document]]]:
    """Each topic's exhibits with their documents."""
    said_of = " ".join(f"{key} {value}" for key, value in sorted(args.items()))
    label = re.sub(r"\W+", "-", said_of).strip("-")
    make = _apart if {"edition", "conflict"} & args.keys() else _chained
    for number, topic in enumerate(topics(seed, f"versions-{label}", "number", TOPICS, 2 * 9)):
        said = sentences(topic, args)
        times = periods(world, args, seed, f"{label}-{number}")
        yield make(f"kit-versions-{label}-{number}", tenant_of(world), said, times)


def _chained(
    document_id: str, tenant_id: str, said: Sequence[Sequence[Sentence]], times: Sequence[Period]
) -> tuple[list[Exhibit], list[Document]]:
    """One document with a version for each period; one that is still to come is an event."""
    versions = [
        _version(f"{document_id}@{n}", period, said[n - 1]) for n, period in enumerate(times, 1)
    ]
    there = [v for v, period in zip(versions, times, strict=True) if not period.is_to_come]
    coming = [v for v, period in zip(versions, times, strict=True) if period.is_to_come]
    values: dict[str, str] = {}
    for version, sentences_ in zip(versions, said, strict=False):
        names = (
            [c.chunk_id for c in version.chunks] if len(sentences_) > 1 else [version.version_id]
        )
        values |= {name: one.value for name, one in zip(names, sentences_, strict=True)}
    first = said[0][0]
    exhibit = Exhibit(
        document_id,
        {"target": document_id},
        {"topic": first.question, "entity": first.entity},
        values=values,
        events={"publish": tuple(PublishVersion(document_id, v) for v in coming)} if coming else {},
        lang=first.lang,
    )
    return [exhibit], [_document(document_id, tenant_id, there)]


def _apart(
    document_id: str, tenant_id: str, said: Sequence[Sequence[Sentence]], times: Sequence[Period]
) -> tuple[list[Exhibit], list[Document]]:
    """A document for each statement, all in force: editions by one title, or a contradiction."""
    documents, values = [], {}
    for n, (one,) in enumerate(said[: len(times)], 1):
        version = _version(f"{document_id}-{n}@1", times[n - 1], [one])
        documents.append(_document(f"{document_id}-{n}", tenant_id, [version]))
        values[version.version_id] = one.value
    questions = {one.question for (one,) in said[: len(times)]}
    shown = []
    for n, (one,) in enumerate(said[: max(1, len(questions))]):
        others = [d.document_id for d in documents if d is not documents[n]]
        shown.append(
            Exhibit(
                f"{document_id}-{n + 1}",
                {
                    "target": documents[n].document_id,
                    **{f"other.{i}": other for i, other in enumerate(others, 1)},
                },
                {"topic": one.question, "entity": one.entity},
                values=values,
                truth=documents[n].versions[0].version_id if len(questions) > 1 else "",
                lang=one.lang,
            )
        )
    return shown, documents


def _version(version_id: str, period: Period, said: Sequence[Sentence]) -> Version:
    return Version(
        version_id,
        said[0].title,
        tuple(Chunk(f"{version_id}#{n}", one.text) for n, one in enumerate(said, 1)),
        valid_from=period.valid_from,
        valid_to=period.valid_to,
        recorded_from=period.recorded_from,
        recorded_to=period.recorded_to,
        states=period.states,
        language=said[0].lang,
    )


def _document(document_id: str, tenant_id: str, versions: Sequence[Version]) -> Document:
    entry = Entry(f"{document_id}-e1", Effect.ALLOW, SubjectKind.EVERYONE)
    return Document(document_id, tenant_id, tuple(versions), entries=(entry,), authority=1)
