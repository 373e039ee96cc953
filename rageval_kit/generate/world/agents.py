"""Agents with scopes of their own, and documents each of which one of them may not read."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from rageval_kit.generate.crowds import home_of, plain_label, tenant_of
from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.planting import Planting
from rageval_kit.generate.statements import Topic, document, everyone, topics, version
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

TAKES: Mapping[str, tuple[object, ...] | None] = {}
NEEDS = frozenset({Power.PLANT})
AGENTS = tuple(f"kit-agent-{number}" for number in range(1, 6))
TRUSTED, BARRED = "kit-delegator", "kit-delegator-barred"
TOPICS = 8


def plant(world: World, args: Mapping[str, object], seed: int) -> Planting:
    del args
    tenant_id, label = tenant_of(world), plain_label(world)
    agents = [Principal(a, tenant_id, PrincipalKind.AGENT, a, clearance=label) for a in AGENTS]
    people = [Principal(p, tenant_id, name=p, clearance=label) for p in (TRUSTED, BARRED)]
    documents = tuple(one for one, _ in _documents(world, seed))
    return Planting(documents, (*agents, *people))


def exhibits(world: World, args: Mapping[str, object], seed: int) -> tuple[Exhibit, ...]:
    del args
    return tuple(
        Exhibit(topic.topic_id, {"target": one.document_id}, {"topic": topic.question})
        for one, topic in _documents(world, seed)
    )


def _documents(world: World, seed: int) -> Iterator[tuple[Document, Topic]]:
    """By turns one agent is named in a deny, or left out of a list of names."""
    tenant_id, label = home_of(world, TRUSTED), plain_label(world)
    for number, topic in enumerate(topics(seed, "agents", "number", TOPICS, n_values=1)):
        out = AGENTS[number % len(AGENTS)]
        document_id = f"kit-scope-{topic.topic_id}"
        if number % 4 < 2:  # noqa: PLR2004 - two languages of each kind
            entries = [
                everyone(document_id),
                _entry(document_id, Effect.DENY, out),
                _entry(document_id, Effect.DENY, BARRED),
            ]
        else:
            named = (TRUSTED, *(agent for agent in AGENTS if agent != out))
            entries = [_entry(document_id, Effect.ALLOW, one) for one in named]
        text = topic.stated(topic.values[0])
        edition = version(document_id, topic.title, text, topic.lang)
        yield replace(document(document_id, tenant_id, edition, *entries), label=label), topic


def _entry(document_id: str, effect: Effect, principal_id: str) -> Entry:
    return Entry(f"{document_id}-{principal_id}", effect, SubjectKind.USER, principal_id)
