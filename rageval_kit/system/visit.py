"""Who stands at a door beside search, with which rights, and what does the house keep for it?"""

import hmac
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from rageval_kit.records.target import Request, Response, Seen, Stage
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_unseen_a import UnseenFaultA
from rageval_kit.system.names import exact_id
from rageval_kit.system.newest import Newest
from rageval_kit.system.retrieval import Query, Search, read_queries, search_for
from rageval_kit.system.rights import Visible
from rageval_kit.system.sessions import Sessions
from rageval_kit.system.state import SystemState
from rageval_kit.system.terms import Terms
from rageval_kit.system.tokens import Signer

_MOST_CONVERSATIONS = 4096
_MOST_TURNS = 32
_MOST_KEPT = 1024
_TOKEN_DIGITS = 32

Talk = tuple[str, str]  # whose conversation, in which session


@dataclass(frozen=True, slots=True)
class Turn:
    """A question with its answer, and the passages that the answer quotes."""

    question: str
    answer: str = ""
    sources: tuple[str, ...] = ()


class Desk:
    """What is kept between calls for the doors: conversations, what was shared, what was made."""

    def __init__(self, key: str) -> None:
        self._key = key.encode()
        self._lock = threading.Lock()
        self._talks: OrderedDict[Talk, tuple[Turn, ...]] = OrderedDict()
        self._shared: dict[str, Talk] = {}
        self._kept: Newest[Seen] = Newest(_MOST_KEPT)
        self._terms: Terms | None = None
        self.signer = Signer(key)
        self.sessions = Sessions(self.signer)

    def clear(self) -> None:
        """Forget what callers left; the terms follow the index, not the callers."""
        with self._lock:
            self._talks.clear()
            self._shared.clear()
        self._kept.clear()
        self.sessions.clear()

    def heard(self, request: Request, response: Response) -> None:
        """Keep a turn of a conversation; what is asked outside any session is not kept."""
        if not request.session or response.error:
            return
        answer, cited = (response.seen.get(s, Seen()) for s in (Stage.ANSWER, Stage.CITATION))
        turn = Turn(request.query, "\n".join(answer.texts), cited.ids)
        talk = (exact_id(request.caller.principal_id), request.session)
        with self._lock:
            self._talks[talk] = (*self._talks.get(talk, ()), turn)[-_MOST_TURNS:]
            self._talks.move_to_end(talk)
            if len(self._talks) > _MOST_CONVERSATIONS:
                self._talks.popitem(last=False)

    def talks(self) -> dict[Talk, tuple[Turn, ...]]:
        with self._lock:
            return dict(self._talks)

    def share(self, talk: Talk) -> str:
        """A token for the conversation; whoever holds it may look, with rights of their own."""
        token = hmac.new(self._key, "\x1f".join(talk).encode(), "sha256").hexdigest()
        with self._lock:
            self._shared[token[:_TOKEN_DIGITS]] = talk
        return token[:_TOKEN_DIGITS]

    def shared(self, token: str) -> Talk | None:
        with self._lock:
            return self._shared.get(token)

    def kept(self, key: Hashable, make: Callable[[], Seen]) -> Seen:
        """What was made under that key before, or is made now."""
        return self._kept.made(key, make)

    def terms(self, state: SystemState) -> Terms:
        """Of the index as it stands; laid out anew when passages came."""
        found = self._terms
        if found is None or found.segments is not state.segments:
            found = self._terms = Terms.of(state.segments)
        return found


@dataclass(frozen=True, slots=True)
class Visit:
    """One look at a door: the caller's own rights of now, and nothing the caller claims."""

    reader_id: str
    state: SystemState
    visible: Visible
    config: EmbeddedConfig
    desk: Desk
    session: str = ""
    token: str = ""

    @property
    def fault(self) -> AnyFault | None:
        return self.config.switched

    @property
    def rights(self) -> Hashable:
        """What is made from these and nothing else may be shown again under the same: a key."""
        seen = self.visible
        if self.fault is UnseenFaultA.RIGHTS_KEYED_BY_COUNT:
            return self.state.epoch, int(seen.passages.sum())
        return self.state.epoch, hash(seen.passages.tobytes()), hash(seen.titles.tobytes())

    def may_read(self, chunk_id: str) -> bool:
        position = self.state.position(chunk_id)
        return position is not None and bool(self.visible.passages[position])

    def query(self, text: str) -> Query:
        return read_queries([text], self.state, self.config)[text]

    def search(self, text: str) -> Search:
        return search_for(text, self.state, self.config, self.visible)
