"""Very many groups, people who are in all of them, and documents that the last one decides."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from rageval_kit.generate.crowds import tenant_of
from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.planting import Planting
from rageval_kit.generate.statements import Topic, document, topics, version
from rageval_kit.records.target import Power
from rageval_kit.records.world import (
    Document,
    Effect,
    Entry,
    Membership,
    Principal,
    SubjectKind,
    Unit,
    World,
)

TAKES: Mapping[str, tuple[object, ...] | None] = {
    "n": (50, 200, 500),
    "last": ("denies", "allows"),
}
WANTS = ("n", "last")
NEEDS = frozenset({Power.PLANT})
DOCUMENTS = 4
ELSEWHERE = "kit-group-elsewhere"


def _group(number: int) -> str:
    return f"kit-group-{number:03d}"


def _in(person_id: str, unit_id: str) -> Membership:
    return Membership(f"{person_id}-in-{unit_id}", unit_id, person_id)


def _people(args: Mapping[str, object]) -> tuple[str, str]:
    """Who reads and who may: in n groups each, but that the last one stops, or fails, the first."""
    n = args["n"]
    if args["last"] == "denies":
        return f"kit-member-of-{n}", "kit-member-of-1"
    return f"kit-member-of-{n}-others", f"kit-member-of-{n}"


def plant(world: World, args: Mapping[str, object], seed: int) -> Planting:
    n, tenant_id = int(str(args["n"])), tenant_of(world)
    groups = [_group(number) for number in range(n)]
    members = {
        "kit-member-of-1": groups[:1],
        f"kit-member-of-{n}": groups,
        f"kit-member-of-{n}-others": [*groups[:-1], ELSEWHERE],
    }
    return Planting(
        documents=tuple(_document(topic, tenant_id, args) for topic in _topics(args, seed)),
        principals=tuple(Principal(one, tenant_id, name=one) for one in members),
        units=tuple(Unit(one, tenant_id, name=one) for one in (*groups, ELSEWHERE)),
        memberships=tuple(_in(one, unit) for one, units in members.items() for unit in units),
    )


def exhibits(world: World, args: Mapping[str, object], seed: int) -> list[Exhibit]:
    del world
    return [
        Exhibit(
            topic.topic_id,
            {"target": topic.topic_id},
            {"topic": topic.question},
            readers=_people(args),
            lang=topic.lang,
        )
        for topic in _topics(args, seed)
    ]


def _topics(args: Mapping[str, object], seed: int) -> Iterator[Topic]:
    return topics(seed, f"kit-groups-{args['n']}-{args['last']}", "number", DOCUMENTS, 1)


def _document(topic: Topic, tenant_id: str, args: Mapping[str, object]) -> Document:
    last = _group(int(str(args["n"])) - 1)
    name = topic.topic_id
    by_last = Entry(f"{name}-e1", Effect.ALLOW, SubjectKind.UNIT, last)
    entries = [by_last]
    if args["last"] == "denies":
        by_first = Entry(f"{name}-e2", Effect.ALLOW, SubjectKind.UNIT, _group(0))
        entries = [replace(by_last, effect=Effect.DENY), by_first]
    edition = version(name, topic.title, topic.stated(topic.values[0]), topic.lang)
    return document(name, tenant_id, edition, *entries)
