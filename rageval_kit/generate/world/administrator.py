"""Private documents, and an administrator whom their lists do not let in."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rageval_kit.generate.crowds import plain_label, tenant_of
from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.planting import Planting
from rageval_kit.generate.statements import document, topics, version
from rageval_kit.records.target import Power
from rageval_kit.records.world import Effect, Entry, Principal, SubjectKind, World

TAKES: Mapping[str, tuple[object, ...] | None] = {"id": None}
NEEDS = frozenset({Power.PLANT})
ADMINISTRATOR = "kit-administrator"
KEEPER = "kit-record-keeper"
N = 6


def plant(world: World, args: Mapping[str, str], seed: int) -> Planting:
    """`id`: what the target calls its administrator, who is planted where nobody bears it."""
    tenant_id = tenant_of(world)
    label = plain_label(world)
    documents = []
    for number, topic in enumerate(topics(seed, "administrator", "number", N, 1)):
        name = _name(number)
        entry = Entry(f"{name}-e1", Effect.ALLOW, SubjectKind.USER, KEEPER)
        held = version(name, topic.title, topic.stated(topic.values[0]), topic.lang)
        documents.append(replace(document(name, tenant_id, held, entry), label=label))
    people = (KEEPER, *({args.get("id", ADMINISTRATOR)} - world.principals.keys()))
    return Planting(
        tuple(documents), tuple(Principal(one, tenant_id, clearance=label) for one in people)
    )


def exhibits(world: World, args: Mapping[str, str], seed: int) -> Sequence[Exhibit]:
    del world
    return [
        Exhibit(
            _name(number),
            {"target": _name(number)},
            {"topic": topic.question},
            readers=(args.get("id", ADMINISTRATOR),),
            lang=topic.lang,
        )
        for number, topic in enumerate(topics(seed, "administrator", "number", N, 1))
    ]


def _name(number: int) -> str:
    return f"kit-sealed-{number}"
