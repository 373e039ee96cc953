"""What does a citation lead to when it is clicked, and for whom?

To the very passage that was quoted, for whoever may read it. Only seeded faults ask more.
"""

from rageval_kit.records.world import Effect, SubjectKind
from rageval_kit.system.belonging import Reader
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_answers import AnswerFault
from rageval_kit.system.state import SystemState
from rageval_kit.system.versions import newest

_NOWHERE = ""


def clicked(handle: str, reader: Reader, state: SystemState, fault: AnyFault | None) -> str:
    """The handle that is opened in the end."""
    position = state.position(handle)
    if position is None:
        return handle
    if fault is AnswerFault.LINK_FOLLOWS_HEAD:
        return newest(position, state).chunk_id
    document = state.shelf.document(state.passage(position).document_id)
    person = state.people.principals.get(reader.principal_id)
    if fault is AnswerFault.OPENS_OWN_TENANT_ONLY and document is not None:
        own = person is not None and document.tenant_id == person.tenant_id
        return handle if own else _NOWHERE
    if fault is AnswerFault.OPENS_OWN_ENTRIES_ONLY and document is not None:
        named = any(
            entry.effect is Effect.ALLOW
            and entry.subject_kind is SubjectKind.USER
            and entry.subject_id == reader.principal_id
            for entry in document.entries
        )
        return handle if named else _NOWHERE
    return handle
