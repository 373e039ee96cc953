"""Scripts that share a batch, scripts that run alone, and adapters that misbehave."""

import threading
from datetime import UTC, datetime, timedelta

import pytest

from rageval_kit.execute.block import Runner
from rageval_kit.execute.names import request_name
from rageval_kit.records.cases import (
    Apply,
    Ask,
    Count,
    ReadSink,
    Resolve,
    Script,
    Together,
    Wait,
)
from rageval_kit.records.changes import Reindex, SetClock
from rageval_kit.records.target import (
    Caller,
    Grain,
    Power,
    Response,
    Seen,
    Stage,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Bare:
    """Searches and nothing else; `calls` is what it was told, in order."""

    name, grain = "bare", Grain.DOCUMENT

    def __init__(self, taps=(Stage.RETRIEVE,), powers=()):
        self.taps, self.powers, self.calls = frozenset(taps), frozenset(powers), []

    def connect(self, world):
        """Nothing to index."""

    def close(self):
        """Nothing to close."""

    def describe(self):
        return {}

    def search(self, requests):
        self.calls.append(("search", [(r.request_id, r.caller.principal_id) for r in requests]))
        return [self.reply(request) for request in requests]

    def reply(self, request):
        return Response(request.request_id, {Stage.RETRIEVE: Seen((request.query,))})


class Lab(Bare):
    """All powers and taps."""

    def __init__(self, taps=tuple(Stage), powers=tuple(Power)):
        super().__init__(taps, powers)

    def answer(self, requests):
        self.calls.append(("answer", [(r.request_id, r.caller.principal_id) for r in requests]))
        return [self.reply(request) for request in requests]

    def resolve(self, handle, _caller):
        self.calls.append(("resolve", handle))
        return Response("", {Stage.CITATION: Seen(status="ok")})

    def count(self, query, _caller):
        self.calls.append(("count", query))
        return Response("", {Stage.SUGGEST: Seen(count=3)})

    def read(self, sink, _caller):
        self.calls.append(("read", sink))
        return Response("", {Stage.LOG: Seen(texts=("line",))})

    def apply(self, change):
        self.calls.append(("apply", change))
        return True

    def restore(self):
        self.calls.append(("restore",))


def ask(who, query="q", role="reader"):
    return Ask(role, Caller(who), query)


def script(case_id, *steps, whole=False):
    return Script(case_id, steps, whole)


def kinds(target):
    return [call[0] for call in target.calls]


def test_step_i_of_all_scripts_is_one_batch_and_readers_come_before_twins():
    target = Bare()
    scripts = [script(f"c{i}", ask(f"r{i}"), ask(f"t{i}", role="twin")) for i in range(3)]
    result = Runner(target).run(scripts)
    assert target.calls == [
        ("search", [(request_name(f"c{i}", "0"), f"r{i}") for i in range(3)]),
        ("search", [(request_name(f"c{i}", "1"), f"t{i}") for i in range(3)]),
    ]
    assert [trace.case_id for trace in result.traces] == ["c0", "c1", "c2"]
    for number, trace in enumerate(result.traces):
        assert [(o.step, o.role, o.principal_id) for o in trace.observations] == [
            (0, "reader", f"r{number}"),
            (1, "twin", f"t{number}"),
        ]
    assert (result.calls, result.calls_failed) == (6, 0)


def test_scripts_of_different_length_keep_their_own_steps():
    scripts = [script("long", ask("a"), ask("b"), ask("c")), script("short", ask("d"))]
    result = Runner(Bare()).run(scripts)
    assert [len(trace.observations) for trace in result.traces] == [3, 1]


def test_the_whole_path_is_asked_for_only_where_it_is_looked_at():
    target = Lab(powers=())
    Runner(target).run([script("c0", ask("a"), whole=True), script("c1", ask("b"))])
    assert sorted(kinds(target)) == ["answer", "search"]
    bare = Bare()
    Runner(bare).run([script("c0", ask("a"), whole=True)])
    assert kinds(bare) == ["search"]


def test_counts_and_openings_go_their_own_way():
    target = Lab(powers=())
    result = Runner(target).run(
        [
            script(
                "c",
                Count("reader", Caller("a"), "word"),
                Resolve("reader", Caller("a"), "h"),
            )
        ]
    )
    assert target.calls == [("count", "word"), ("resolve", "h")]
    first, second = result.traces[0].observations
    assert first.seen[Stage.SUGGEST].count == 3
    assert second.seen[Stage.CITATION].status == "ok"


def test_a_script_that_changes_state_runs_alone_and_after_a_restore():
    target = Lab(taps=(Stage.RETRIEVE,))
    scripts = [
        script("c0", ask("a")),
        script("c1", Apply(Reindex(NOW)), ask("b")),
        script("c2", ask("c")),
        script("c3", ReadSink("operator", Caller("d"), "log")),
    ]
    result = Runner(target).run(scripts)
    assert kinds(target) == [
        "restore", "search",
        "restore", "apply", "search",
        "restore", "search",
        "restore", "read",
    ]  # fmt: skip
    assert [trace.case_id for trace in result.traces] == ["c0", "c1", "c2", "c3"]
    kit, _ = result.traces[1].observations
    assert (kit.role, kit.acknowledged) == ("kit", True)


def test_without_the_power_nothing_is_restored():
    target = Lab(powers=(Power.MUTATE,))
    Runner(target).run([script("c0", ask("a")), script("c1", Apply(Reindex(NOW)))])
    assert "restore" not in kinds(target)


def test_who_asked_already_asks_in_a_unit_of_its_own_where_a_cache_could_serve_it():
    scripts = [script("c0", ask("a")), script("c1", ask("b")), script("c2", ask("a"))]
    cached = Lab(taps=(Stage.RETRIEVE, Stage.CACHE))
    Runner(cached).run(scripts)
    assert kinds(cached) == ["restore", "search", "restore", "search"]
    assert [who for _, who in cached.calls[1][1]] == ["a", "b"]
    plain = Lab(taps=(Stage.RETRIEVE,))
    Runner(plain).run(scripts)
    assert kinds(plain) == ["restore", "search"]


def test_waiting_sets_an_injected_clock():
    target = Lab()
    until = NOW + timedelta(seconds=60)
    result = Runner(target).run([script("c", Wait(60, until), ask("a"))])
    assert ("apply", SetClock(until)) in target.calls
    assert result.traces[0].observations[0].acknowledged is True


def test_waiting_without_a_clock_is_waiting(monkeypatch):
    slept = []
    monkeypatch.setattr("rageval_kit.execute.block.time.sleep", slept.append)
    result = Runner(Bare()).run([script("c", Wait(60, NOW))])
    assert slept == [60]
    assert result.traces[0].observations[0].acknowledged is True


@pytest.mark.parametrize("fault", [RuntimeError("boom"), KeyError("x"), OSError("gone")])
def test_an_adapter_that_raises_fails_its_calls_with_the_cause(fault):
    target = Bare()

    def raising(_):
        raise fault

    target.search = raising
    result = Runner(target).run([script("c0", ask("a")), script("c1", ask("b"))])
    for trace in result.traces:
        (seen,) = trace.observations
        assert seen.error == "adapter"
        assert seen.detail == f"{type(fault).__name__}: {fault}"
        assert not seen.seen
    assert (result.calls, result.calls_failed) == (2, 2)


def test_an_adapter_that_raises_when_opening_fails_that_call_only():
    target = Lab(powers=())

    def raising(_handle, _caller):
        raise ValueError("no such method")

    target.resolve = raising
    result = Runner(target).run(
        [script("c", Resolve("reader", Caller("a"), "h"), Count("reader", Caller("a"), "w"))]
    )
    first, second = result.traces[0].observations
    assert (first.error, first.detail) == ("adapter", "ValueError: no such method")
    assert second.error == ""


@pytest.mark.parametrize("replies", [0, 1, 3])
def test_a_wrong_number_of_replies_fails_the_whole_batch(replies):
    target = Bare()
    target.search = lambda _: [Response("x", {Stage.RETRIEVE: Seen(("leak",))})] * replies
    result = Runner(target).run([script("c0", ask("a")), script("c1", ask("b"))])
    for trace in result.traces:
        (seen,) = trace.observations
        assert (seen.error, seen.seen) == ("malformed", {})
        assert seen.detail == f"{replies} replies to 2 requests"


def test_a_single_failed_call_is_that_calls_own():
    target = Bare()

    def reply(request):
        if request.caller.principal_id == "b":
            return Response(request.request_id, error="timeout", detail="after 3 attempts")
        return Response(request.request_id, {Stage.RETRIEVE: Seen()})

    target.reply = reply
    result = Runner(target).run([script("c0", ask("a")), script("c1", ask("b"))])
    assert [trace.observations[0].error for trace in result.traces] == ["", "timeout"]
    assert (result.calls, result.calls_failed) == (2, 1)


@pytest.mark.parametrize(
    "step",
    [
        Count("reader", Caller("a"), "w"),
        Resolve("reader", Caller("a"), "h"),
        ReadSink("operator", Caller("a"), "log"),
    ],
    ids=["count", "resolve", "read"],
)
def test_what_the_adapter_cannot_do_fails_by_name(step):
    (trace,) = Runner(Bare()).run([script("c", step)]).traces
    (seen,) = trace.observations
    assert (seen.error, seen.detail) == ("unsupported", type(step).__name__)
    assert (seen.role, seen.principal_id) == (step.role, "a")


def test_a_change_that_the_adapter_refuses_or_breaks_on_is_not_acknowledged():
    refusing, breaking = Lab(), Lab()
    refusing.apply = lambda _: False

    def raising(_):
        raise KeyError("doc-1")

    breaking.apply = raising
    for target, detail in ((refusing, ""), (breaking, "KeyError: 'doc-1'"), (Bare(), "")):
        (trace,) = Runner(target).run([script("c", Apply(Reindex(NOW)))]).traces
        (seen,) = trace.observations
        assert (seen.acknowledged, seen.detail) == (False, detail)


def test_questions_at_once_are_at_once():
    """Each call waits for the others: run one after another they would never all arrive."""
    target = Lab()
    barrier = threading.Barrier(8, timeout=20)
    threads = set()

    def answer(requests):
        barrier.wait()
        threads.add(threading.get_ident())
        return [target.reply(request) for request in requests]

    target.search = target.answer = answer
    asks = tuple(ask(f"u{i}", f"q{i}", "reader" if i % 2 else "twin") for i in range(8))
    result = Runner(target).run([script("c", Together(asks, 8))])
    assert len(threads) == 8
    seen = result.traces[0].observations
    assert [(o.part, o.principal_id, o.seen[Stage.RETRIEVE].ids) for o in seen] == [
        (i, f"u{i}", (f"q{i}",)) for i in range(8)
    ]
    assert (result.calls, result.calls_failed) == (8, 0)


def test_one_failure_among_questions_at_once_is_its_own():
    target = Lab()

    def answer(requests):
        if requests[0].caller.principal_id == "u2":
            raise RuntimeError("boom")
        return [target.reply(request) for request in requests]

    target.search = target.answer = answer
    asks = tuple(ask(f"u{i}") for i in range(4))
    result = Runner(target).run([script("c", Together(asks, 4))])
    assert [o.error for o in result.traces[0].observations] == ["", "", "adapter", ""]
    assert (result.calls, result.calls_failed) == (4, 1)


def test_time_of_the_target_is_kept_apart_and_concurrent_waits_count_once(monkeypatch):
    """The clock moves only while a call runs: ten seconds for a batch, ten for eight at once."""
    now = [0.0]
    monkeypatch.setattr("rageval_kit.execute.block.time.perf_counter", lambda: now[0])
    target = Lab(powers=())
    lock = threading.Lock()
    ends = [0.0]

    def slow(requests):
        with lock:
            now[0] = ends[0] = max(ends[0], 10.0)
        return [target.reply(request) for request in requests]

    target.search = slow
    runner = Runner(target)
    assert runner.run([script("c0", ask("a")), script("c1", ask("b"))]).target_s == 10.0
    now[0] = ends[0] = 0.0
    asks = tuple(ask(f"u{i}") for i in range(8))
    assert runner.run([script("c", Together(asks, 8))]).target_s == 10.0


def test_each_block_reports_its_own_calls():
    runner = Runner(Bare())
    assert runner.run([script("c0", ask("a"))]).calls == 1
    assert runner.run([script("c1", ask("a"), ask("b"))]).calls == 2
