"""An author uploads a file that claims more than the author may say: acl, tenant, owner or date."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.planting import SINCE, Planting
from rageval_kit.generate.statements import Topic, document, everyone, topics, version
from rageval_kit.records.changes import Publish
from rageval_kit.records.target import Power
from rageval_kit.records.world import (
    Document,
    Effect,
    Entry,
    Principal,
    State,
    SubjectKind,
    Tenant,
    World,
)

TAKES: Mapping[str, tuple[str, ...] | None] = {"claim": ("acl", "tenant", "owner", "date")}
WANTS = ("claim",)
NEEDS = frozenset({Power.PLANT, Power.MUTATE, Power.RESTORE})
TOPICS = 4
PRESS, ELSEWHERE = "kit-press", "kit-elsewhere"
AUTHOR, COLLEAGUE, OUTSIDER = "kit-press-author", "kit-press-colleague", "kit-elsewhere-reader"
LATER = datetime(2999, 1, 1, tzinfo=UTC)  # not in force at whatever time a run asks about
_KNOWN = {
    "en": "The {name} office is known here by name; what it pays or who leads it is not kept.",
    "zh": "此处仅登记{name}办事处的名称，其津贴与负责人均不存档。",
}


@dataclass(frozen=True, slots=True)
class _Case:
    topic: Topic
    uploaded: Document
    companion: Document
    reader: str
    claims: Mapping[str, str]


def plant(world: World, args: Mapping[str, str], seed: int) -> Planting:
    """Two tenants with their people, and beside each upload a document that its reader may read."""
    del world
    people = (
        Principal(AUTHOR, PRESS),
        Principal(COLLEAGUE, PRESS),
        Principal(OUTSIDER, ELSEWHERE),
    )
    companions = tuple(case.companion for case in _cases(args, seed))
    return Planting(companions, people, (Tenant(PRESS, PRESS), Tenant(ELSEWHERE, ELSEWHERE)))


def exhibits(world: World, args: Mapping[str, str], seed: int) -> tuple[Exhibit, ...]:
    """The upload is no part of the planted world: the event `publish` brings it."""
    del world
    return tuple(
        Exhibit(
            case.topic.topic_id,
            {"target": case.companion.document_id, "published": case.uploaded.document_id},
            {"topic": case.topic.question},
            readers=(case.reader,),
            author_id=AUTHOR,
            events={"publish": (Publish(case.uploaded, case.claims),)},
            lang=case.topic.lang,
        )
        for case in _cases(args, seed)
    )


def _cases(args: Mapping[str, str], seed: int) -> Iterator[_Case]:
    claim = args["claim"]
    for topic in topics(seed, f"forged-{claim}", "number", TOPICS, n_values=1):
        document_id = f"kit-{topic.topic_id}"
        reader = OUTSIDER if claim in {"acl", "tenant"} else COLLEAGUE
        tenant = ELSEWHERE if reader == OUTSIDER else PRESS
        known = version(
            f"{document_id}-known",
            topic.title,
            _KNOWN[topic.lang].format(name=topic.name),
            topic.lang,
        )
        companion = document(f"{document_id}-known", tenant, known)
        yield _Case(topic, _uploaded(topic, document_id, claim), companion, reader, _CLAIMS[claim])


_CLAIMS: Mapping[str, Mapping[str, str]] = {
    "acl": {"acl": "public"},
    "tenant": {"tenant": ELSEWHERE},
    "owner": {"owner": COLLEAGUE},
    "date": {"date": SINCE.isoformat()},
}


def _uploaded(topic: Topic, document_id: str, claim: str) -> Document:
    """The document as the source of truth has it: the reader may not read it, for one reason."""
    edition = version(document_id, topic.title, topic.stated(topic.values[0]), topic.lang)
    own = Entry(f"{document_id}-e1", Effect.ALLOW, SubjectKind.USER, AUTHOR)
    if claim == "owner":  # a draft is its owner's alone
        edition = replace(edition, states=((SINCE, State.DRAFT),))
    if claim == "date":
        edition = replace(edition, valid_from=LATER)
    entry = own if claim == "acl" else everyone(document_id)
    return document(document_id, PRESS, edition, entry, owner_id=AUTHOR)
