"""What the kit asks of a system under test, and what such a system shows.

An adapter implements the protocols it can and declares its grain, taps and powers; a family that
needs more is not applicable, by name. Shapes only: nothing here knows who may read what.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol, runtime_checkable

from rageval_kit.records.changes import Change
from rageval_kit.records.world import World


class Stage(StrEnum):
    """A tap. `retrieve.sparse` and `retrieve.dense` are the arms of a hybrid retriever.

    `query`: the question as the system understood it (rewritten text, resolved time); `tool`: the
    tools it called; `answer.stream`: every piece of an answer as it went out, those taken back too;
    `egress`: what was sent to third parties (an embedder, a reranker, a model), as calls; `reply`:
    every other text of what came back over a wire, which nothing maps (fields, headers, failures).
    """

    INDEX = "index"
    QUERY = "query"
    RETRIEVE = "retrieve"
    RETRIEVE_SPARSE = "retrieve.sparse"
    RETRIEVE_DENSE = "retrieve.dense"
    RERANK_INPUT = "rerank.input"
    RERANK = "rerank"
    CACHE = "cache"
    CONTEXT = "context"
    CITATION = "citation"
    ANSWER = "answer"
    ANSWER_STREAM = "answer.stream"
    TOOL = "tool"
    LOG = "log"
    SUGGEST = "suggest"
    EGRESS = "egress"
    REPLY = "reply"


# What a reader is shown whichever taps a family looks at: nothing forbidden may stand there.
FACING = frozenset(
    {
        Stage.QUERY,
        Stage.CITATION,
        Stage.ANSWER,
        Stage.ANSWER_STREAM,
        Stage.TOOL,
        Stage.SUGGEST,
        Stage.REPLY,
    }
)


class Power(StrEnum):
    """What a laboratory target lets the kit do to it.

    plant: index extra documents prepared by the kit before it opens; mutate: take `apply(change)`;
    clock: its `now` can be set; concurrent: may be called from several threads; restore:
    `restore()` brings back the state after `connect` (content, rights, clock, caches, logs);
    disturb: a part of it can be broken and mended by `apply(change)`.
    """

    PLANT = "plant"
    MUTATE = "mutate"
    CLOCK = "clock"
    CONCURRENT = "concurrent"
    RESTORE = "restore"
    DISTURB = "disturb"


class Grain(StrEnum):
    DOCUMENT = "document"
    VERSION = "version"
    CHUNK = "chunk"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks. `claims` is what a client could send along untruthfully (a tenant, say).

    `token`: a session token or signed link that the target issued earlier, presented again. `via`:
    the agents through which the call passes, in the order of the hops; what one of them may not
    read must not come back.
    """

    principal_id: str
    claims: Mapping[str, str] = field(default_factory=dict)
    token: str = ""
    via: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """One question. `as_of` and `known_at` None mean the target's own now.

    `script`: what the question belongs to; sessions of two scripts have nothing in common, whatever
    their names. `repeat`: which of several identical askings this is, for targets that draw anew.
    `exact`: answer by a scan of everything permitted, without the approximate index.
    """

    request_id: str
    query: str
    caller: Caller
    k: int = 10
    as_of: datetime | None = None
    known_at: datetime | None = None
    session: str = ""
    script: str = ""
    repeat: int = 0
    exact: bool = False


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool, with its arguments as they were sent (JSON or plain text)."""

    name: str
    arguments: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """What one tap showed: ids at the adapter's grain in rank order, and any text.

    `texts` pairs with `ids` where both have the same length (passages); otherwise it is free text.
    `count` for counts, `facets` for counts by value; `status` for resolved handles; `calls` at the
    taps `tool` and `egress` (there: the processor and what it was sent). At the tap `query`,
    `texts` is the question as rewritten and `as_of` the time it was resolved to. `links`: handles,
    signed or not, by which what is shown can be opened; a token that a door hands out is one too.
    """

    ids: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()
    count: int | None = None
    status: str | None = None
    calls: tuple[ToolCall, ...] = ()
    as_of: datetime | None = None
    facets: tuple[tuple[str, int], ...] = ()
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Indexed:
    """One entry of an index as it stands. What a target cannot say of it stays empty."""

    chunk_id: str
    version_id: str = ""
    digest: str = ""  # sha-256 of the passage's text, as indexed
    model: str = ""  # that made its vector
    indexed_at: datetime | None = None


UNREACHED = frozenset(
    {"refused", "unreachable", "dns", "connect"}
)  # error classes: nobody answered


@dataclass(frozen=True, slots=True)
class Response:
    """`error` empty: a usable reply. Else its class: timeout, http_500, unparsable, refused …"""

    request_id: str
    seen: Mapping[Stage, Seen] = field(default_factory=dict)
    error: str = ""
    detail: str = ""
    latency_s: float = 0.0
    attempts: int = 1


@runtime_checkable
class Target(Protocol):
    """The least a system under test can do: answer searches for a principal.

    `search` returns one response per request, in the order of the requests, and never raises for
    a single failed call: that call's response carries `error`. `connect` raises TargetError.
    """

    @property
    def name(self) -> str: ...
    @property
    def grain(self) -> Grain: ...
    @property
    def taps(self) -> frozenset[Stage]: ...
    @property
    def powers(self) -> frozenset[Power]: ...
    def connect(self, world: World) -> None: ...
    def search(self, requests: Sequence[Request]) -> list[Response]: ...
    def describe(self) -> Mapping[str, str]:
        """Name and version of each part, for provenance; no secrets."""
        ...

    def close(self) -> None: ...


@runtime_checkable
class Answers(Protocol):
    """The whole path: a response that also shows context, citation, answer (those of its taps)."""

    def answer(self, requests: Sequence[Request]) -> list[Response]: ...


@runtime_checkable
class Resolves(Protocol):
    """Opens a citation, link or attachment handle; shows Stage.CITATION with status, ids, texts.

    A handle that does not exist, and one that exists but is forbidden, must look the same. `as_of`
    opens it as it stood then, by the rights of now; a target that cannot need not take it.
    """

    def resolve(self, handle: str, caller: Caller, as_of: datetime | None = None) -> Response: ...


@runtime_checkable
class Counts(Protocol):
    """How many visible documents contain every word of the query: Stage.SUGGEST with `count`."""

    def count(self, query: str, caller: Caller) -> Response: ...


@runtime_checkable
class HasDoors(Protocol):
    """Ways in beside search: suggestions, facets, previews, explanations, exports, sign-on.

    `doors` names those there are; families that need another are not applicable. `look` shows what
    the door gives for `text` (a prefix, a word, a handle, a tenant, as the door has it) at the tap
    that it belongs to.
    """

    @property
    def doors(self) -> frozenset[str]: ...
    def look(self, door: str, text: str, caller: Caller, session: str = "") -> Response: ...


@runtime_checkable
class Branches(Protocol):
    """Gives another target of the same make that holds another world, with nothing said to it yet.

    What the two worlds share is derived from what this one has indexed already. Whoever asked for
    the branch closes it.
    """

    def beside(self, world: World) -> Target: ...


@runtime_checkable
class Exact(Protocol):
    """Whether `Request.exact` is honoured: a scan of all that is permitted, as a reference."""

    @property
    def scans(self) -> bool: ...


@runtime_checkable
class Delegates(Protocol):
    """Whether a call is passed on with `Caller.via`, the agents it comes through."""

    @property
    def delegates(self) -> bool: ...


@runtime_checkable
class Copied(Protocol):
    """Whether a copy of the process holds a copy of the target that is all its own."""

    @property
    def copied(self) -> bool: ...


@runtime_checkable
class ShowsSinks(Protocol):
    """A log or trace as its operator reads it: Stage.LOG with texts."""

    def read(self, sink: str, caller: Caller) -> Response: ...


@runtime_checkable
class NamesSinks(Protocol):
    """Which sinks `read` knows; a target that does not say so has its `log` alone."""

    @property
    def sinks(self) -> frozenset[str]: ...


@runtime_checkable
class Inventories(Protocol):
    """Lists what the index holds: the tap `index`, for reconciling it with its source."""

    def inventory(self) -> Iterable[Indexed]: ...


@runtime_checkable
class Varies(Protocol):
    """Whether the same question may be answered in other words next time, as models do."""

    @property
    def varies(self) -> bool: ...


@runtime_checkable
class Instructed(Protocol):
    """The token that stands in the hidden instructions of whoever answers; empty: none known."""

    @property
    def prompt_canary(self) -> str: ...


@runtime_checkable
class Laboratory(Protocol):
    """Powers mutate, clock, restore. `apply` returns True when the target confirmed the change."""

    def apply(self, change: Change) -> bool: ...
    def restore(self) -> None: ...
