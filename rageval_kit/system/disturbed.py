"""Which parts of the system are failing, and what does a reader get while they do?"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType

from rageval_kit.records.changes import Change
from rageval_kit.system.belonging import Reader
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_events import EventFault

RIGHTS = "acl_service"
REPLICA = "replica"
_EMPTY_REPLY = "empty_reply"
_OPENED_BY: Mapping[str, EventFault] = MappingProxyType(
    {
        "timeout": EventFault.OPEN_ON_TIMEOUT,
        "error": EventFault.OPEN_ON_ERROR,
        "stale_token": EventFault.OPEN_ON_STALE_TOKEN,
        _EMPTY_REPLY: EventFault.OPEN_ON_EMPTY_REPLY,
    }
)


@dataclass(frozen=True, slots=True)
class Events:
    """`broken`: parts and how they fail. `log`: all changes since the connection, in order.

    `before_answer` happens between the next retrieval and its answer. `queued` stays empty in a
    clean system: changes that wait, with when they fall due.
    """

    broken: Mapping[str, str] = field(default_factory=dict)
    log: tuple[Change, ...] = ()
    before_answer: tuple[Change, ...] = ()
    queued: tuple[tuple[datetime, Change], ...] = ()


QUIET = Events()


def unavailable(events: Events, fault: AnyFault | None) -> str:
    """Why nobody's rights can be told now; '' where they can.

    An empty reply is a reply: nobody has any right.
    """
    how = events.broken.get(RIGHTS, "")
    if not how or how == _EMPTY_REPLY or fault is _OPENED_BY.get(how, ""):
        return ""
    return f"the rights service failed: {how}"


def asking(
    reader: Reader, events: Events, service_id: str | None, fault: AnyFault | None
) -> Reader:
    """Whose rights count while the rights service gives none: nobody's."""
    how = events.broken.get(RIGHTS)
    if how is None:
        return reader
    if fault is not _OPENED_BY.get(how, ""):
        return Reader("")
    if fault is EventFault.OPEN_ON_ERROR and service_id is not None:
        return Reader(service_id)
    if fault is EventFault.OPEN_ON_STALE_TOKEN:
        return replace(reader, as_signed_in=True)
    return Reader(reader.principal_id, sees_everything=True)
