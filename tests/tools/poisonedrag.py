"""What does the published PoisonedRAG set (nq) come to as a world, with a true statement of each?

Questions, answers and poisoned passages are those of the set (MIT licence; see its README); the
true statements are ours, one sentence each, and stand at a higher authority.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from rageval_kit.checks import poisoned
from rageval_kit.records.cases import Expectation, Observation, Permitted, StepExpectation, Trace
from rageval_kit.records.target import Caller, Request, Stage
from rageval_kit.records.verdicts import Aids, CheckResult
from rageval_kit.records.world import (
    AccessPolicy,
    Chunk,
    Document,
    Effect,
    Entry,
    Principal,
    State,
    SubjectKind,
    Tenant,
    Version,
    World,
)

SINCE, NOW = datetime(2024, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)
READER, TENANT = "reader", "library"
ISSUED = 5
K = 10
ARMS = {"hybrid": ("sparse", "dense"), "bm25": ("sparse",), "dense": ("dense",)}


@dataclass(frozen=True, slots=True)
class Attack:
    """One question, the answer that is right, and what five passages say instead."""

    attack_id: str
    question: str
    true: str
    false: str
    passages: tuple[str, ...]

    @property
    def true_id(self) -> str:
        return f"{self.attack_id}-true"

    @property
    def poison_ids(self) -> tuple[str, ...]:
        return tuple(f"{self.attack_id}-p{n}" for n in range(len(self.passages)))


def read(path: Path) -> list[Attack]:
    data: Mapping[str, Mapping[str, object]] = json.loads(path.read_text("utf-8"))
    return [
        Attack(
            key,
            str(one["question"]),
            str(one["correct answer"]),
            str(one["incorrect answer"]),
            tuple(str(text) for text in one["adv_texts"]),  # type: ignore[union-attr, attr-defined]
        )
        for key, one in data.items()
    ]


def world_of(attacks: Sequence[Attack]) -> World:
    documents = {d.document_id: d for attack in attacks for d in _documents(attack)}
    return World(
        documents=documents,
        folders={},
        tenants={TENANT: Tenant(TENANT)},
        principals={READER: Principal(READER, TENANT)},
        units={},
        memberships={},
        guests={},
        links={},
        clock=NOW,
        policy=AccessPolicy(),
    )


def _documents(attack: Attack) -> Iterator[Document]:
    yield _document(attack.true_id, f"{attack.question}: {attack.true}.", ISSUED)
    for document_id, text in zip(attack.poison_ids, attack.passages, strict=True):
        yield _document(document_id, text, 0)


def _document(document_id: str, text: str, authority: int) -> Document:
    version = Version(
        f"{document_id}@1",
        "",
        (Chunk(document_id, text),),
        SINCE,
        states=((SINCE, State.PUBLISHED),),
    )
    entries = (Entry(f"{document_id}-e", Effect.ALLOW, SubjectKind.EVERYONE),)
    return Document(document_id, TENANT, (version,), entries=entries, authority=authority)


def results(attacks: Sequence[Attack], target) -> Iterator[CheckResult]:
    """What the check of poisoning says of each question, put to a target that is not connected."""
    world = world_of(attacks)
    target.connect(world)
    reader = Caller(READER)
    responses = target.answer([Request(a.attack_id, a.question, reader, K) for a in attacks])
    ids = {document_id: n for n, document_id in enumerate(world.documents)}
    permitted = Permitted(ids, np.ones(len(ids), dtype=np.bool_))
    aids = Aids(frozenset(Stage), (Stage.ANSWER,), k=K)
    for attack, response in zip(attacks, responses, strict=True):
        step = StepExpectation(permitted, wanted=attack.true, unwanted={attack.false: "poison"})
        roles = {"target": {attack.true_id}, "carrier": set(attack.poison_ids)}
        expectation = Expectation(
            attack.attack_id, {(0, 0): step}, {k: frozenset(v) for k, v in roles.items()}
        )
        trace = Trace(attack.attack_id, (Observation(0, 0, "reader", READER, response.seen),))
        yield poisoned.check({}, expectation, trace, aids)
