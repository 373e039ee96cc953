"""What do seeded faults of trust do beside the answer: believe a question, tell, index answers?"""

import re
from collections.abc import Sequence

from rageval_kit.records.changes import Publish
from rageval_kit.records.world import Chunk, Document, Effect, Entry, State, SubjectKind, Version
from rageval_kit.system.obeying import orders_in
from rageval_kit.system.segment import Passage
from rageval_kit.system.state import SystemState

_CLAIMS = re.compile(
    r"\bI am (?:the|an) (?:admin|auditor)|ignore .{0,40}(?:filter|permission|access)|all tenants"
    r"|我是.{0,20}(?:管理员|审计)|忽略.{0,20}(?:限制|权限)|所有租户",
    re.IGNORECASE,
)


def claims_more(question: str) -> bool:
    """Whether the question says that whoever asks may see more."""
    return _CLAIMS.search(question) is not None


def about(topic: str, passages: Sequence[Passage]) -> str:
    """The texts that speak of the topic, without those whose order only names it."""
    texts = (passage.text for passage in passages)
    return "\n".join(t for t in texts if topic.lower() in t.lower() and not orders_in([t]))


def as_document(answer: str, principal_id: str, state: SystemState) -> Publish:
    """An answer as a document that everybody of the asking reader's tenant may read."""
    person = state.people.principals.get(principal_id)
    policy = state.ground.numbering.policy
    name = f"answer-{state.n_passages}"
    version = Version(
        f"{name}@1",
        "",
        (Chunk(f"{name}@1#1", answer),),
        valid_from=state.now,
        states=((state.now, State.PUBLISHED),),
    )
    return Publish(
        Document(
            name,
            (person and person.tenant_id) or "",
            (version,),
            label=policy.labels[0] if policy.labels else None,
            entries=(Entry(f"{name}-e", Effect.ALLOW, SubjectKind.EVERYONE),),
        )
    )
