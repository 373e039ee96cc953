"""How does somebody's HTTP endpoint present itself as a target?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from rageval_kit.endpoint.beyond import Steps, beyond, both, steps_of
from rageval_kit.endpoint.calls import Client, Reply
from rageval_kit.endpoint.config import (
    AnswerConfig,
    CallConfig,
    CountConfig,
    HttpConfig,
    LabConfig,
    ReadConfig,
    ResolveConfig,
    StageMap,
)
from rageval_kit.endpoint.connection import check_installed, knock, open_client
from rageval_kit.endpoint.failures import of_status
from rageval_kit.endpoint.flight import in_flight
from rageval_kit.endpoint.messages import CannotAskError, Writer, token_file
from rageval_kit.endpoint.paths import parse
from rageval_kit.endpoint.reply import (
    UnparsableError,
    decoded,
    read_count,
    read_stage,
    read_stages,
    read_text,
    read_texts,
)
from rageval_kit.endpoint.template import Value
from rageval_kit.endpoint.wire import change_to_json, world_to_json
from rageval_kit.records.changes import Change
from rageval_kit.records.faults import TargetError
from rageval_kit.records.target import (
    Caller,
    Grain,
    Power,
    Request,
    Response,
    Seen,
    Stage,
)
from rageval_kit.records.world import World

Config = HttpConfig
# What a reply shows at its stages, a note, and the places of the reply that were read for it.
Shown = tuple[Mapping[Stage, Seen], str, Sequence[Steps]]


class Http:
    """A JSON endpoint. What its configuration does not map it does not have: no tap, no power.

    Calls may come from several threads.
    """

    def __init__(self, config: HttpConfig, client: Client | None = None) -> None:
        self.config = config
        self._client = client
        self._writer = Writer(config, {**token_file(config.token_file), **config.token})
        # A method that is not there is a protocol not kept; the engine asks by isinstance.
        if config.resolve is not None:
            opening = config.resolve
            self.resolve = lambda handle, caller: self._resolve(opening, handle, caller)
        if config.count is not None:
            counting = config.count
            self.count = lambda query, caller: self._count(counting, query, caller)
        if config.read is not None:
            reading = config.read
            self.read = lambda sink, caller: self._read(reading, sink, caller)
            self.sinks = frozenset(reading.sinks)
        if config.lab is not None:
            lab = config.lab
            self.apply = lambda change: self._apply(lab, change)
            self.restore = lambda: self._restore(lab)

    @property
    def name(self) -> str:
        return f"http ({urlsplit(self.config.url).netloc})"

    @property
    def grain(self) -> Grain:
        return self.config.grain

    @property
    def taps(self) -> frozenset[Stage]:
        config = self.config
        taps = {Stage.RETRIEVE, Stage.REPLY, *(stage for stage, _ in config.stages.mapped())}
        if config.answer is not None:
            taps |= {stage for stage, _ in config.answer.stages.mapped()}
        offered = {
            Stage.CITATION: config.resolve,
            Stage.SUGGEST: config.count,
            Stage.LOG: config.read,
        }
        taps |= {door.tap for door in config.doors.values()}
        return frozenset(taps | {stage for stage, call in offered.items() if call is not None})

    @property
    def powers(self) -> frozenset[Power]:
        lab = self.config.lab
        return frozenset({Power.CONCURRENT, *(lab.powers if lab is not None else ())})

    @property
    def prompt_canary(self) -> str:
        return self.config.prompt_canary

    @property
    def delegates(self) -> bool:
        return self.config.passes_on

    @property
    def doors(self) -> frozenset[str]:
        return frozenset(self.config.doors)

    def look(self, door: str, text: str, caller: Caller, session: str = "") -> Response:
        call = self.config.doors.get(door)
        if call is None:
            known = ", ".join(sorted(self.config.doors)) or "none"
            return Response(door, error="unknown_door", detail=f"{door!r}: there is {known}")
        values: dict[str, Value] = {"text": text, "session": session or None, "request_id": door}

        def shown(reply: Reply) -> Shown:
            return _opened(call, reply, call.tap, str(call.tap), call.count)

        return self._exchange(call, door, values, caller, shown, call.not_found)

    def connect(self, world: World) -> None:
        """Note whose tenant is whose; then prepare the laboratory, or see that somebody listens."""
        people = world.principals.values()
        tenants = {one.principal_id: one.tenant_id for one in people if one.tenant_id is not None}
        self._writer = replace(self._writer, tenants=tenants)
        if self._client is None:
            self._client = open_client(self.config)
        lab = self.config.lab
        if lab is not None and Power.PLANT in lab.powers:
            self._lab(lab, "connect", world_to_json(world))
            return
        knock(self._connected(), self.config.url, "start the service or correct retriever.url")

    def search(self, requests: Sequence[Request]) -> list[Response]:
        return in_flight(self._search, requests, self.config.concurrency)

    def answer(self, requests: Sequence[Request]) -> list[Response]:
        """The whole path where it has an address of its own, else the search."""
        call = self.config.answer
        if call is None:
            return self.search(requests)
        return in_flight(lambda one: self._answer(call, one), requests, self.config.concurrency)

    def describe(self) -> Mapping[str, str]:
        """No header, token or parameter: any of them may be a secret."""
        config = self.config
        parts = urlsplit(config.url)
        return {
            "target": "http",
            "url": f"{parts.scheme}://{parts.netloc}{parts.path}",
            "method": config.method,
            "calls": "+".join(where or "search" for where, _, _ in config.calls()),
            "laboratory": "+".join(sorted(config.lab.powers)) if config.lab else "none",
            "concurrency": str(config.concurrency),
            "retries": str(config.retries),
        }

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None

    def _connected(self) -> Client:
        if self._client is None:
            raise TargetError("the HTTP target is not connected; call connect(world) first")
        return self._client

    def _search(self, request: Request) -> Response:
        config = self.config
        stages = [(Stage.RETRIEVE, config.results), *config.stages.mapped()]
        return self._ask(config, request, stages)

    def _answer(self, call: AnswerConfig, request: Request) -> Response:
        stages = call.stages.mapped()
        if call.results is not None:
            return self._ask(call, request, [(Stage.RETRIEVE, call.results), *stages])
        searched = self._search(request)
        if searched.error:
            return searched
        answered = self._ask(call, request, stages)
        return replace(
            answered,
            seen=both(searched.seen, answered.seen),
            latency_s=searched.latency_s + answered.latency_s,
            attempts=max(searched.attempts, answered.attempts),
        )

    def _ask(
        self,
        call: CallConfig | HttpConfig,
        request: Request,
        stages: Sequence[tuple[Stage, StageMap]],
    ) -> Response:
        values: dict[str, Value] = {
            "query": request.query,
            "k": request.k,
            "as_of": request.as_of.isoformat() if request.as_of else None,
            "known_at": request.known_at.isoformat() if request.known_at else None,
            "session": request.session or None,
            "request_id": request.request_id,
        }

        def shown(reply: Reply) -> Shown:
            read = read_stages(decoded(reply.body), stages)
            note = f"{read.repeated} repeated ids left out" if read.repeated else ""
            spoke = [mapped for stage, mapped in stages if stage in read.seen]
            return read.seen, note, steps_of(spoke)

        return self._exchange(call, request.request_id, values, request.caller, shown)

    def _resolve(self, call: ResolveConfig, handle: str, caller: Caller) -> Response:
        def shown(reply: Reply) -> Shown:
            return _opened(call, reply, Stage.CITATION, "resolve.results")

        values: dict[str, Value] = {"handle": handle, "request_id": "open"}
        return self._exchange(call, "open", values, caller, shown, call.not_found)

    def _count(self, call: CountConfig, query: str, caller: Caller) -> Response:
        def shown(reply: Reply) -> Shown:
            count = read_count(decoded(reply.body), call.count, "count")
            return {Stage.SUGGEST: Seen(count=count)}, "", ()

        values: dict[str, Value] = {"query": query, "request_id": "count"}
        return self._exchange(call, "count", values, caller, shown)

    def _read(self, call: ReadConfig, sink: str, caller: Caller) -> Response:
        def shown(reply: Reply) -> Shown:
            texts = read_texts(decoded(reply.body), call.texts, "read")
            return {Stage.LOG: Seen(texts=texts)}, "", [parse(call.texts).steps]

        values: dict[str, Value] = {"sink": sink, "request_id": "read"}
        return self._exchange(call, "read", values, caller, shown)

    def _exchange(
        self,
        call: CallConfig | HttpConfig,
        name: str,
        values: Mapping[str, Value],
        caller: Caller,
        shown: Callable[[Reply], Shown],
        answers: Sequence[int] = (),
    ) -> Response:
        """One call from template to stages; whatever goes wrong becomes the response's error."""
        try:
            message = self._writer.message(call, name, values, caller)
        except CannotAskError as error:
            return Response(name, error=error.error, detail=error.detail)
        reply = self._connected().call(message)
        response = Response(
            name,
            error=reply.error,
            detail=reply.detail,
            latency_s=reply.latency_s,
            attempts=reply.attempts,
        )
        # One that broke off is no answer, whatever its status.
        is_whole = reply.error in ("", of_status(reply.status)[0])
        if reply.error and not (is_whole and reply.status in answers):
            return replace(response, seen=beyond(reply))
        try:
            seen, note, read = shown(reply)
        except UnparsableError as error:
            return replace(response, seen=beyond(reply), error="unparsable", detail=str(error))
        rest = beyond(replace(reply, error=""), read)
        return replace(response, seen={**seen, **rest}, error="", detail=note)

    def _apply(self, lab: LabConfig, change: Change) -> bool:
        # Not repeated where it may have arrived: a change applied twice is another change.
        reply: Any = decoded(self._lab(lab, "apply", change_to_json(change), retries=0).body)
        return isinstance(reply, dict) and reply.get("acknowledged") is True

    def _restore(self, lab: LabConfig) -> None:
        self._lab(lab, "restore", b"{}")

    def _lab(self, lab: LabConfig, what: str, content: bytes, retries: int | None = None) -> Reply:
        url = f"{lab.url.rstrip('/')}/{what}"
        message = self._writer.plain(what, url, lab.headers, content)
        reply = self._connected().call(message, retries=retries, deadline_s=lab.deadline_s)
        if reply.error:
            shown = urlsplit(self.config.address(url)).netloc
            raise TargetError(
                f"the laboratory at {shown} did not {what}: {reply.error}, {reply.detail}"
            )
        return reply


def _opened(
    call: ResolveConfig, reply: Reply, tap: Stage, where: str, count: str | None = None
) -> Shown:
    """What a handle or a door shows at `tap`; `count` is the path of one, where it counts.

    A status of `not_found` is an answer: forbidden and unknown are compared by it.
    """
    if reply.status in call.not_found:
        return {tap: Seen(status=str(reply.status))}, "", ()
    body, status = decoded(reply.body), call.results.status
    told = str(reply.status) if status is None else read_text(body, status, where)
    read = read_stage(body, call.results, where)
    seen = read[0] if read is not None else Seen()
    counted = None if count is None else read_count(body, count, where)
    spoke = steps_of([call.results] if read is not None else [])
    return {tap: replace(seen, status=told, count=counted)}, "", spoke


def build(config: HttpConfig) -> Http:
    check_installed()
    return Http(config)
