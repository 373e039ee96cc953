"""Documents that a reader may read by different ways: by name, by tenant, from outside."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rageval_kit.generate.crowds import plain_label, tenant_of
from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.planting import Planting
from rageval_kit.generate.statements import document, topics, version
from rageval_kit.records.target import Power
from rageval_kit.records.world import Effect, Entry, Principal, SubjectKind, Tenant, World

TAKES: Mapping[str, tuple[object, ...] | None] = {"by": ("name", "tenant", "public")}
WANTS = ("by",)
NEEDS = frozenset({Power.PLANT})
CLERK, ELSEWHERE = "kit-clerk", "kit-elsewhere"
N = 6


def plant(world: World, args: Mapping[str, str], seed: int) -> Planting:
    """What is public belongs to another tenant than the reader's."""
    by, tenant_id = args["by"], tenant_of(world)
    label = plain_label(world)
    documents = []
    for number, topic in enumerate(topics(seed, f"cited-{by}", "number", N, 1)):
        name = _name(by, number)
        kind, subject = {
            "name": (SubjectKind.USER, CLERK),
            "tenant": (SubjectKind.EVERYONE, ""),
            "public": (SubjectKind.PUBLIC, ""),
        }[by]
        entry = Entry(f"{name}-e1", Effect.ALLOW, kind, subject)
        held = version(name, topic.title, topic.stated(topic.values[0]), topic.lang)
        home = ELSEWHERE if by == "public" else tenant_id
        documents.append(replace(document(name, home, held, entry), label=label))
    return Planting(
        tuple(documents),
        (Principal(CLERK, tenant_id, clearance=label),),
        (Tenant(ELSEWHERE),),
    )


def exhibits(world: World, args: Mapping[str, str], seed: int) -> Sequence[Exhibit]:
    del world
    by = args["by"]
    return [
        Exhibit(
            _name(by, number),
            {"target": _name(by, number)},
            {"topic": topic.question},
            readers=(CLERK,),
            lang=topic.lang,
        )
        for number, topic in enumerate(topics(seed, f"cited-{by}", "number", N, 1))
    ]


def _name(by: str, number: int) -> str:
    return f"kit-cited-{by}-{number}"
