"""Which link goes with a citation, and what does it open for whoever follows it?

A link says which passage, for whom and until when. It opens nothing by itself: whoever follows it
must be the one it was made for, and sees what the rights of that moment allow.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from rageval_kit.system.belonging import Reader
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_deputies import DeputyFault
from rageval_kit.system.instants import micros
from rageval_kit.system.state import SystemState
from rageval_kit.system.tokens import Audience, Claims, Signer, is_good

LINK_LIVES = timedelta(days=1)
_NOWHERE = ""


def links_to(
    passage_ids: Sequence[str], reader: Reader, state: SystemState, signer: Signer
) -> tuple[str, ...]:
    """One for each passage, in their order."""
    return tuple(_link(passage_id, reader, state, signer) for passage_id in passage_ids)


def _link(passage_id: str, reader: Reader, state: SystemState, signer: Signer) -> str:
    position = state.position(passage_id)
    document_id = "" if position is None else state.passage(position).document_id
    document = state.shelf.document(document_id)
    tenant_id = document.tenant_id if document else ""
    expires = micros(state.now + LINK_LIVES)
    claims = Claims(Audience.OPEN, reader.principal_id, tenant_id, passage_id, 0, expires)
    return signer.sign(claims)


def followed(
    handle: str, reader: Reader, now: datetime, signer: Signer, fault: AnyFault | None
) -> tuple[str, Reader]:
    """What a handle stands for, and with whose rights it is opened; a bad link leads nowhere."""
    claims = signer.read(handle)
    if claims is None:
        return handle, reader
    if not is_good(claims, Audience.OPEN, reader.principal_id, now, fault):
        return _NOWHERE, reader
    if fault is DeputyFault.LINK_OUTLIVES_PERMISSION:
        return claims.subject, Reader(reader.principal_id, sees_everything=True)
    return claims.subject, replace(reader, principal_id=claims.principal_id)
