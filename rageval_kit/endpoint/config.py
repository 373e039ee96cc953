"""What does a person say about their endpoint: address, request, reply, and how patient to be?"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal
from urllib.parse import urljoin, urlsplit

from rageval_kit.endpoint.paths import PathError, parse
from rageval_kit.endpoint.template import PLACEHOLDERS, names_in
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.target import Grain, Power, Stage

_AT_LEAST_ONE = {"min": 1}
_NOT_NEGATIVE = {"min": 0}
_ASKING = PLACEHOLDERS - {"handle", "sink", "text"}
_ASKER = frozenset({"principal", "token", "tenant", "via", "request_id"})
_OPENING = _ASKER | {"handle"}
_COUNTING = _ASKER | {"query"}
_READING = _ASKER | {"sink"}
_LOOKING = _ASKER | {"text", "session", "presented"}
CLAIMS = ("tenant", "principal", "filter")  # what families have a client claim untruthfully
LAB_POWERS = frozenset({Power.PLANT, Power.MUTATE, Power.CLOCK, Power.RESTORE})


@dataclass(frozen=True)
class StageMap:
    """Where one stage stands in the reply.

    `positions` instead of `ids`: places (from 0) in the list `of`, as rerankers answer. `optional`:
    the reply may lack it, and the stage was silent then. `status` is read for an opened handle.
    `names`, `arguments`: of the tools that were called, in their order. `as_of`: the time to which
    a question was resolved. `values`, `counts`: of facets, in their order. `links`: by which what
    is shown can be opened.
    """

    ids: str | None = None
    scores: str | None = None
    texts: str | None = None
    positions: str | None = None
    of: str | None = None
    status: str | None = None
    names: str | None = None
    arguments: str | None = None
    as_of: str | None = None
    values: str | None = None
    counts: str | None = None
    links: str | None = None
    optional: bool = False

    @property
    def first(self) -> str | None:
        """The path whose absence means that the stage did not speak."""
        own = (self.ids, self.positions, self.texts, self.names, self.values, self.links)
        return next((path for path in own if path), None)

    def faults(self, where: str) -> Iterator[Fault]:
        if self.first is None:
            yield Fault(
                where,
                "maps nothing",
                "",
                "give ids, positions, texts, names, values or links a path",
            )
        if (self.positions is None) != (self.of is None) or (self.positions and self.ids):
            way_out = "give positions and of together, and no ids"
            yield Fault(where, "positions count in a list of candidates", "", way_out)
        for one in fields(self):
            text = getattr(self, one.name)
            if isinstance(text, str):
                yield from _path_fault(f"{where}.{one.name}", text)


@dataclass(frozen=True)
class Stages:
    """The stages beside retrieval that a reply may show; only mapped ones are taps."""

    retrieve_sparse: StageMap | None = None
    retrieve_dense: StageMap | None = None
    rerank_input: StageMap | None = None
    rerank: StageMap | None = None
    cache: StageMap | None = None
    context: StageMap | None = None
    citation: StageMap | None = None
    answer: StageMap | None = None
    query: StageMap | None = None
    tool: StageMap | None = None

    def mapped(self) -> list[tuple[Stage, StageMap]]:
        pairs = [
            (Stage(one.name.replace("_", ".")), getattr(self, one.name)) for one in fields(self)
        ]
        return [(stage, mapped) for stage, mapped in pairs if mapped is not None]


@dataclass(frozen=True)
class CallConfig:
    """One kind of call. A relative `url` starts from that of the search; `headers` add to its."""

    url: str
    method: Literal["GET", "POST"] = "POST"
    headers: Mapping[str, str] = field(default_factory=dict)
    params: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class AnswerConfig(CallConfig):
    """Without `results` the search is asked as well, and its stages stand beside the answer's."""

    results: StageMap | None = None
    stages: Stages = field(default_factory=Stages)


@dataclass(frozen=True)
class ResolveConfig(CallConfig):
    """`not_found`: HTTP statuses that tell nothing but that there is nothing to see."""

    results: StageMap = field(default_factory=StageMap)
    not_found: tuple[int, ...] = (403, 404, 410)


@dataclass(frozen=True)
class CountConfig(CallConfig):
    count: str = "count"


@dataclass(frozen=True)
class ReadConfig(CallConfig):
    """`sinks`: which there are; with more than one the call says which, as `$sink`."""

    texts: str = "lines"
    sinks: tuple[str, ...] = ("log",)


@dataclass(frozen=True)
class DoorConfig(ResolveConfig):
    """A way in beside search, and the tap at which it shows; `count` is of facets, in all."""

    tap: Stage = Stage.SUGGEST
    count: str | None = None


@dataclass(frozen=True)
class LabConfig:
    """A laboratory's own address: POST connect, apply and restore below `url`."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    powers: tuple[Power, ...] = (Power.PLANT, Power.MUTATE, Power.CLOCK, Power.RESTORE)
    deadline_s: float = field(default=300.0, metadata=_AT_LEAST_ONE)


@dataclass(frozen=True)
class HttpConfig:
    """Placeholders stand as `$name` in body, params, headers and url; see docs/your-own-system.md.

    `claims`: under which field a client's untruthful claim is sent beside what the template sends.
    `token`, `token_file`: the bearer token of each principal, for `$token`. A call ends after
    `deadline_s` at the latest, its retries and waits included. `prompt_canary`: a token that stands
    in the hidden instructions of whoever answers there, and nowhere else.
    """

    url: str
    method: Literal["GET", "POST"] = "POST"
    grain: Grain = Grain.CHUNK
    headers: Mapping[str, str] = field(default_factory=dict)
    params: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)
    claims: Mapping[str, str] = field(default_factory=lambda: {name: name for name in CLAIMS})
    token: Mapping[str, str] = field(default_factory=dict, repr=False)
    token_file: str | None = None
    results: StageMap = field(default_factory=lambda: StageMap(ids="hits[*].id"))
    stages: Stages = field(default_factory=Stages)
    answer: AnswerConfig | None = None
    resolve: ResolveConfig | None = None
    count: CountConfig | None = None
    read: ReadConfig | None = None
    doors: Mapping[str, DoorConfig] = field(default_factory=dict)
    lab: LabConfig | None = None
    prompt_canary: str = ""
    concurrency: int = field(default=4, metadata={"min": 1, "max": 256})
    connect_timeout_s: float = field(default=5.0, metadata={"min": 0.01})
    idle_timeout_s: float = field(default=30.0, metadata={"min": 0.01})
    deadline_s: float = field(default=60.0, metadata={"min": 0.01})
    retries: int = field(default=3, metadata={"min": 0, "max": 10})
    backoff_s: float = field(default=0.5, metadata=_NOT_NEGATIVE)
    max_reply_mb: float = field(default=16.0, metadata={"min": 0.001})
    proxy: str | None = None
    ca_file: str | None = None

    def __post_init__(self) -> None:
        faults = [*self._addresses(), *self._templates(), *self._mappings(), *self._lab()]
        if faults:
            raise InputError(faults)

    def calls(self) -> list[tuple[str, "CallConfig | HttpConfig", frozenset[str]]]:
        """Every kind of call: its place in the configuration, itself, its placeholders."""
        kinds = (
            ("answer", self.answer, _ASKING),
            ("resolve", self.resolve, _OPENING),
            ("count", self.count, _COUNTING),
            ("read", self.read, _READING),
        )
        rest = [(where, call, known) for where, call, known in kinds if call is not None]
        doors = [(f"doors.{name}", call, _LOOKING) for name, call in self.doors.items()]
        return [("", self, _ASKING), *rest, *doors]

    @property
    def passes_on(self) -> bool:
        """Whether every question says through whom it passes."""
        asking = [call for call in (self, self.answer) if call is not None]
        return all(
            "via" in set(names_in([call.url, self.headers, call.headers, call.params, call.body]))
            for call in asking
        )

    def address(self, url: str) -> str:
        """An address as it is called; a relative one starts from the search's."""
        return urljoin(self.url, url)

    def addresses(self) -> list[str]:
        """Every address that may be called, in lower case for its scheme."""
        urls = [call.url for _, call, _ in self.calls()]
        whole = [self.address(url) for url in (*urls, *((self.lab.url,) if self.lab else ()))]
        return [url.lower() for url in (*whole, *((self.proxy,) if self.proxy else ()))]

    def _addresses(self) -> Iterator[Fault]:
        named = [(_at(where, "url"), call.url) for where, call, _ in self.calls()]
        if self.lab is not None:
            named.append(("lab.url", self.lab.url))
        for where, url in named:
            yield from url_faults(where, self.address(url))
        if self.proxy is not None:
            yield from url_faults("proxy", self.proxy)

    def _templates(self) -> Iterator[Fault]:
        tokens = bool(self.token) or self.token_file is not None
        for where, call, known in self.calls():
            for part in ("url", "headers", "params", "body"):
                for name in sorted(set(names_in(getattr(call, part)))):
                    place = _at(where, part)
                    if name not in known:
                        met = f"'${name}'"
                        yield Fault(place, "no such placeholder", met, _known(known))
                    elif name == "token" and not tokens:
                        way_out = "give retriever.token or retriever.token_file"
                        yield Fault(place, "there are no tokens to fill in", "'$token'", way_out)
            yield from self._who(where, call)
            yield from _header_faults(_at(where, "headers"), call.headers)
            if call.method == "GET" and call.body:
                yield Fault(_at(where, "body"), "a GET has none", "", "use params, or method POST")
        if self.lab is not None:
            yield from _header_faults("lab.headers", self.lab.headers)

    def _who(self, where: str, call: "CallConfig | HttpConfig") -> Iterator[Fault]:
        """A target that never hears who asks can keep nothing from anybody."""
        parts = [call.url, self.headers, call.headers, call.params, call.body]
        if call is not self.read and not {"principal", "token"} & set(names_in(parts)):
            way_out = "put $principal or $token into headers, params or body"
            yield Fault(_at(where, "headers"), "say nowhere who asks", "", way_out)
        if where in ("", "answer", "count") and "query" not in set(names_in(parts)):
            yield Fault(_at(where, "body"), "says nowhere what is asked", "", "put in $query")

    def _mappings(self) -> Iterator[Fault]:
        yield from self.results.faults("results")
        for stage, mapped in self.stages.mapped():
            yield from mapped.faults(f"stages.{stage.replace('.', '_')}")
        if self.answer is not None:
            if self.answer.results is not None:
                yield from self.answer.results.faults("answer.results")
            for stage, mapped in self.answer.stages.mapped():
                yield from mapped.faults(f"answer.stages.{stage.replace('.', '_')}")
        if self.resolve is not None:
            yield from self.resolve.results.faults("resolve.results")
        if self.count is not None:
            yield from _path_fault("count.count", self.count.count)
        if self.read is not None:
            yield from _path_fault("read.texts", self.read.texts)
        for name, door in self.doors.items():
            yield from door.results.faults(f"doors.{name}.results")
            if door.count is not None:
                yield from _path_fault(f"doors.{name}.count", door.count)

    def _lab(self) -> Iterator[Fault]:
        if self.lab is None:
            return
        beyond = sorted(set(self.lab.powers) - LAB_POWERS)
        if beyond:
            yield Fault("lab.powers", "a laboratory has no such power", beyond[0], "leave it out")


def _at(where: str, part: str) -> str:
    return f"{where}.{part}" if where else part


def _known(known: frozenset[str]) -> str:
    return f"known: {', '.join('$' + name for name in sorted(known))}; a plain $ is written $$"


def _path_fault(where: str, text: str) -> Iterator[Fault]:
    try:
        parse(text)
    except PathError as error:
        yield Fault(where, str(error), f"'{text}'")


def url_faults(where: str, url: str) -> Iterator[Fault]:
    """What is met is not shown: an address may hold a password."""
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname, parts.port
    except ValueError:
        yield Fault(where, "is not an address", "", "write http://host:port/path")
        return
    if parts.scheme not in ("http", "https") or not host:
        yield Fault(where, "is not an http or https address", "", "write http://host:port/path")
    if any(names_in(parts.netloc)):
        way_out = "placeholders may stand in path and query"
        yield Fault(where, "the host must not depend on the question", "", way_out)
    if parts.username or parts.password:
        way_out = "use headers, for example Authorization: Basic ${oc.env:MY_KEY}"
        yield Fault(where, "credentials do not belong into an address", "", way_out)


def _header_faults(where: str, headers: Mapping[str, str]) -> Iterator[Fault]:
    for name, text in headers.items():
        if not name.isascii() or not name.replace("-", "").replace("_", "").isalnum():
            yield Fault(f"{where}.{name}", "is not the name of a header")
        if not text.isascii() or not text.isprintable():
            yield Fault(f"{where}.{name}", "must hold printable ASCII only")
