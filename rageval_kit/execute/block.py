"""How is a block of scripts run against a target, so that every run of it sees the same state?

Scripts that only ask run in lockstep: step i of all of them goes to the target as one batch.
Scripts that change or read shared state run alone. A target with the power `restore` is put back
before each unit, so that no case sees what another left behind, and a resumed run sees what a whole
one did.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from rageval_kit.execute.names import case_name, request_name, session_name
from rageval_kit.execute.others import KEPT, Others
from rageval_kit.execute.replies import replies, reply
from rageval_kit.records.cases import (
    Apply,
    Ask,
    Count,
    Enter,
    Inventory,
    Look,
    Observation,
    ReadSink,
    Resolve,
    Script,
    Step,
    Together,
    Trace,
    Wait,
)
from rageval_kit.records.changes import Change, SetClock
from rageval_kit.records.target import (
    Answers,
    Caller,
    Counts,
    HasDoors,
    Indexed,
    Inventories,
    Laboratory,
    Power,
    Request,
    Resolves,
    Response,
    Seen,
    ShowsSinks,
    Stage,
    Target,
)

CALLED = Ask | Count | Resolve | Look | ReadSink


@dataclass(frozen=True, slots=True)
class BlockResult:
    """The traces in the order of the scripts, and the seconds that the target took."""

    traces: tuple[Trace, ...]
    target_s: float
    calls: int
    calls_failed: int


class Runner:
    """Runs scripts and keeps the time the target took apart from the kit's own.

    `repeat` counts how often the same scripts ran before. `others`: the worlds that scripts enter.
    """

    def __init__(self, target: Target, repeat: int = 0, others: Others | None = None) -> None:
        self.target = target
        self.repeat = repeat
        self.others = others
        self.target_s = 0.0
        self.calls = 0
        self.failed = 0

    def run(self, scripts: Sequence[Script]) -> BlockResult:
        before = (self.target_s, self.calls, self.failed)
        traces: dict[str, Trace] = {}
        caches = Stage.CACHE in self.target.taps and Power.RESTORE in self.target.powers
        for unit in _units(scripts, apart=caches):
            self._restore()
            seen = self._lockstep(unit) if len(unit) > 1 or not unit[0].alone else None
            if seen is None:
                seen = {unit[0].case_id: list(self._alone(unit[0]))}
            for script in unit:
                traces[script.case_id] = Trace(script.case_id, tuple(seen[script.case_id]))
        return BlockResult(
            tuple(traces[script.case_id] for script in scripts),
            self.target_s - before[0],
            self.calls - before[1],
            self.failed - before[2],
        )

    def _restore(self) -> None:
        if Power.RESTORE in self.target.powers and isinstance(self.target, Laboratory):
            started = time.perf_counter()
            self.target.restore()
            self.target_s += time.perf_counter() - started

    def _lockstep(self, scripts: Sequence[Script]) -> dict[str, list[Observation]]:
        seen: dict[str, list[Observation]] = defaultdict(list)
        where: dict[str, _Where] = defaultdict(lambda: _Where(self.target))
        entered: dict[str, _Where] = {}
        for index in range(max(len(script.steps) for script in scripts)):
            asks: dict[tuple[int, bool], list[tuple[Script, Ask]]] = defaultdict(list)
            for script in scripts:
                step = script.steps[index] if index < len(script.steps) else None
                here = where[script.case_id]
                if isinstance(step, Ask) and not here.lacking:
                    asks[id(here.target), script.whole_path].append((script, step))
                elif isinstance(step, Enter):
                    where[script.case_id] = self._entered(step, entered)
                elif step is not None:
                    done = seen[script.case_id]
                    done.append(self._single(script, index, step, here, done))
            for (_, whole_path), group in asks.items():
                requests = [self._request(s, f"{index}", ask, seen[s.case_id]) for s, ask in group]
                target = where[group[0][0].case_id].target
                responses = self._ask(requests, target, whole_path=whole_path)
                for (script, ask), response in zip(group, responses, strict=True):
                    seen[script.case_id].append(
                        _observed(index, 0, ask.role, ask.caller.principal_id, response)
                    )
        return seen

    def _entered(self, step: Enter, entered: dict[str, "_Where"]) -> "_Where":
        """Where the script goes on; each other world is fresh once for all scripts of a unit."""
        if step.other is None:
            return _Where(self.target)
        key = step.other.key
        if key not in entered:
            started = time.perf_counter()
            entered[key] = self._branch(step)
            self.target_s += time.perf_counter() - started
        return entered[key]

    def _branch(self, step: Enter) -> "_Where":
        if self.others is None or step.other is None:
            return _Where(self.target, "this run holds no other world")
        try:
            return _Where(self.others.of(step.other))
        except (Exception, SystemExit) as fault:  # noqa: BLE001 - as in _reply
            return _Where(self.target, f"{type(fault).__name__}: {fault}")

    def _alone(self, script: Script) -> Iterator[Observation]:
        done: list[Observation] = []
        here = _Where(self.target)
        entered: dict[str, _Where] = {}
        for index, step in enumerate(script.steps):
            if isinstance(step, Enter):
                here = self._entered(step, entered)
                continue
            if isinstance(step, Together):
                done += self._together(script, index, step)
            elif isinstance(step, Wait):
                done.append(self._wait(index, step, here))
            elif isinstance(step, Apply):
                done.append(self._apply(index, step.change, here))
            elif isinstance(step, Ask) and not here.lacking:
                request = self._request(script, f"{index}", step, done)
                response = self._ask([request], here.target, whole_path=script.whole_path)[0]
                done.append(_observed(index, 0, step.role, step.caller.principal_id, response))
            else:
                done.append(self._single(script, index, step, here, done))
        yield from done

    def _single(
        self, script: Script, index: int, step: Step, here: "_Where", done: Sequence[Observation]
    ) -> Observation:
        request_id, target = f"{script.case_id}:{index}", here.target
        if isinstance(step, Inventory):
            return self._inventory(index, step)
        role = step.role if isinstance(step, CALLED) else ""
        caller = _bearing(step, done) if isinstance(step, CALLED) else Caller("")
        if here.lacking:
            response = Response(request_id, error="no_other_world", detail=here.lacking)
        elif isinstance(step, Count) and isinstance(target, Counts):
            counter = target
            response = self._call(request_id, lambda: counter.count(step.query, caller))
        elif isinstance(step, Resolve) and isinstance(target, Resolves):
            resolver = target
            handle = step.handle if step.shown_at is None else _link(step.shown_at, done)
            # A target that opens nothing as of a time need not know the word.
            then = {"as_of": step.as_of} if step.as_of else {}
            response = self._call(request_id, lambda: resolver.resolve(handle, caller, **then))
        elif isinstance(step, Look) and isinstance(target, HasDoors):
            house = target
            session = session_name(script.case_id, step.session)
            response = self._call(
                request_id, lambda: house.look(step.door, step.text, caller, session)
            )
        elif isinstance(step, ReadSink) and isinstance(target, ShowsSinks):
            sinks = target
            response = self._call(request_id, lambda: sinks.read(step.sink, caller))
        else:
            response = Response(request_id, error="unsupported", detail=type(step).__name__)
        return _observed(index, 0, role, caller.principal_id, response)

    def _inventory(self, index: int, step: Inventory) -> Observation:
        started = time.perf_counter()
        rows: tuple[Indexed, ...] = ()
        error, detail = "", ""
        if isinstance(self.target, Inventories):
            try:
                rows = tuple(self.target.inventory())
            except (Exception, SystemExit) as fault:  # noqa: BLE001 - as in _reply
                error, detail = "adapter", f"{type(fault).__name__}: {fault}"
        else:
            error, detail = "unsupported", type(step).__name__
        seen = {} if error else {Stage.INDEX: Seen()}
        response = Response("", seen, error=error, detail=detail)
        self._count([response], started)
        shown = _observed(index, 0, step.role, "", response)
        return replace(shown, inventory=rows)

    def _together(self, script: Script, index: int, step: Together) -> Iterator[Observation]:
        requests = [
            self._request(script, f"{index}.{part}", ask, ()) for part, ask in enumerate(step.asks)
        ]
        before, started = self.target_s, time.perf_counter()
        pool = ThreadPoolExecutor(step.in_flight)
        try:
            started = time.perf_counter()
            responses = list(
                pool.map(
                    lambda r: self._reply([r], self.target, whole_path=script.whole_path)[0],
                    requests,
                )
            )
            self._count(responses, started)
        finally:
            # Whoever interrupts a target that hangs does not want to wait for it.
            pool.shutdown(wait=False, cancel_futures=True)
        # Calls overlap: what the target took is the time on the clock, not the sum of the calls.
        self.target_s = before + time.perf_counter() - started
        for part, (ask, response) in enumerate(zip(step.asks, responses, strict=True)):
            yield _observed(index, part, ask.role, ask.caller.principal_id, response)

    def _request(
        self, script: Script, place: str, ask: Ask, done: Sequence[Observation]
    ) -> Request:
        case_id = script.case_id
        return Request(
            request_name(case_id, place, self.repeat),
            ask.query,
            _bearing(ask, done),
            ask.k,
            ask.as_of,
            ask.known_at,
            session_name(case_id, ask.session),
            case_name(case_id),
            self.repeat,
            ask.exact,
        )

    def _ask(
        self, requests: Sequence[Request], target: Target, *, whole_path: bool
    ) -> list[Response]:
        started = time.perf_counter()
        responses = self._reply(requests, target, whole_path=whole_path)
        self._count(responses, started)
        return responses

    def _reply(
        self, requests: Sequence[Request], target: Target, *, whole_path: bool
    ) -> list[Response]:
        """One response per request whatever the adapter does; touches no counter (threads)."""
        ask = target.answer if whole_path and isinstance(target, Answers) else target.search
        given: object
        try:
            given = ask(requests)
        except (Exception, SystemExit) as fault:  # noqa: BLE001 - a foreign adapter may raise anything; the case fails with its cause
            cause = f"{type(fault).__name__}: {fault}"
            given = [Response(r.request_id, error="adapter", detail=cause) for r in requests]
        return replies(given, requests)

    def _count(self, responses: Sequence[Response], started: float) -> None:
        self.target_s += time.perf_counter() - started
        self.calls += len(responses)
        self.failed += sum(bool(response.error) for response in responses)

    def _call(self, request_id: str, call: Callable[[], Response]) -> Response:
        started = time.perf_counter()
        try:
            response = call()
        except (Exception, SystemExit) as fault:  # noqa: BLE001 - as in _reply
            response = Response(
                request_id, error="adapter", detail=f"{type(fault).__name__}: {fault}"
            )
        response = reply(response, request_id)
        self._count([response], started)
        return response

    def _apply(self, index: int, change: Change, here: "_Where") -> Observation:
        started = time.perf_counter()
        done, error = False, here.lacking
        if isinstance(here.target, Laboratory) and not error:
            try:
                done = bool(here.target.apply(change))
            except (Exception, SystemExit) as fault:  # noqa: BLE001 - as in _reply
                error = f"{type(fault).__name__}: {fault}"
        self.target_s += time.perf_counter() - started
        return Observation(index, 0, "kit", "", detail=error, acknowledged=done)

    def _wait(self, index: int, step: Wait, here: "_Where") -> Observation:
        if Power.CLOCK in here.target.powers:
            return self._apply(index, SetClock(step.until), here)
        time.sleep(step.seconds)
        return Observation(index, 0, "kit", "", acknowledged=True)


@dataclass(frozen=True, slots=True)
class _Where:
    """The target that a script is at, or why it could not go where it was to go."""

    target: Target
    lacking: str = ""


def _link(step: int, done: Sequence[Observation]) -> str:
    """The first link that an earlier step showed, at whichever tap; '' where it showed none."""
    shown = [seen.links for o in done if o.step == step for seen in o.seen.values()]
    return next((link for links in shown for link in links), "")


def _bearing(step: CALLED, done: Sequence[Observation]) -> Caller:
    """The caller, with the token that an earlier step handed out where the script says so."""
    borne = getattr(step, "bearing", None)
    return step.caller if borne is None else replace(step.caller, token=_link(borne, done))


def _units(scripts: Sequence[Script], *, apart: bool) -> Iterator[list[Script]]:
    """Runs of scripts that may share a batch, and each other one by itself.

    `apart`: scripts that share a principal or a document go into different units, because a cache
    could serve one what another asked for. No unit enters more other worlds than are held at once:
    one that made way for another could not be gone back to.
    """
    shared: list[Script] = []
    touched: set[str] = set()
    held: set[str] = set()
    for script in scripts:
        worlds = {s.other.key for s in script.steps if isinstance(s, Enter) and s.other}
        crowded = len(held | worlds) > KEPT
        own = {f"principal {s.caller.principal_id}" for s in script.steps if isinstance(s, Ask)}
        own |= {f"document {document_id}" for document_id in script.touches}
        if shared and (script.alone or crowded or (apart and own & touched)):
            yield shared
            shared, touched, held = [], set(), set()
        if script.alone:
            yield [script]
        else:
            shared.append(script)
            touched |= own
            held |= worlds
    if shared:
        yield shared


def _observed(
    step: int, part: int, role: str, principal_id: str, response: Response
) -> Observation:
    return Observation(
        step,
        part,
        role,
        principal_id,
        response.seen,
        response.error,
        response.detail,
        response.latency_s,
    )
