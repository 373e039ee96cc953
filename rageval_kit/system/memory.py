"""What does the system remember of a conversation, and of whose?

A conversation is one principal's session. Of it the questions are kept, and by id what answered
them, but nothing that a document said; nothing goes from one session, or one person, to another.
"""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass

from rageval_kit.records.target import Request
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_parts import PartFault
from rageval_kit.system.faults_trust import TrustFault

_MOST_CONVERSATIONS = 4096
_MOST_KEPT = 32


@dataclass(frozen=True, slots=True)
class Remembered:
    """`orders` stay empty in a clean system. `shown`: the passages answered from, by id.

    `asker`: who began the conversation.
    """

    questions: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    asker: str = ""


NOTHING = Remembered()


def owner_of(request: Request, principal_id: str, fault: AnyFault | None) -> Hashable:
    """Whose memory a question belongs to; None: it is asked outside any session."""
    if fault is TrustFault.MEMORY_SHARED:
        return "everybody"
    if fault in (TrustFault.MEMORY_KEEPS_ORDERS, TrustFault.DELAYED_TRIGGER_OBEYED):
        return principal_id
    if fault is PartFault.SESSION_KEEPS_SCOPE and request.session:
        return request.script, request.repeat, request.session
    return (
        (request.script, request.repeat, principal_id, request.session) if request.session else None
    )


class Memory:
    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, Remembered] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, owner: Hashable) -> Remembered:
        return self._kept.get(owner, NOTHING)

    def add(
        self,
        owner: Hashable,
        question: str,
        orders: tuple[str, ...],
        shown: tuple[str, ...] = (),
        asker: str = "",
    ) -> None:
        """`orders`: those of an answer that hold for later questions too."""
        if owner is None:
            return
        with self._lock:
            known = self.of(owner)
            kept = tuple(dict.fromkeys((*known.orders, *orders)))[-_MOST_KEPT:]
            asked = (*known.questions, question)[-_MOST_KEPT:]
            seen = tuple(dict.fromkeys((*known.shown, *shown)))[-_MOST_KEPT:]
            self._kept[owner] = Remembered(asked, kept, seen, known.asker or asker)
            self._kept.move_to_end(owner)
            if len(self._kept) > _MOST_CONVERSATIONS:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()
