"""The HTTP adapter against servers that misbehave; classes as in docs/your-own-system.md.

BUG-034, 040, 100 and 101 are worked as their cases describe them.
"""

import json
import socket
import threading
import time
from datetime import UTC, datetime

import pytest

from rageval_kit.endpoint.config import (
    AnswerConfig,
    CountConfig,
    HttpConfig,
    LabConfig,
    ReadConfig,
    ResolveConfig,
    StageMap,
    Stages,
)
from rageval_kit.endpoint.connection import open_client
from rageval_kit.endpoint.flight import in_flight
from rageval_kit.records.changes import SetClock
from rageval_kit.records.faults import InputError, TargetError
from rageval_kit.records.target import (
    Answers,
    Caller,
    Counts,
    Grain,
    Laboratory,
    Power,
    Request,
    Resolves,
    ShowsSinks,
    Stage,
    Target,
    ToolCall,
)
from rageval_kit.records.world import Principal, Tenant, World
from rageval_kit.retrievers.http import Http, build

NOW = datetime(2026, 11, 30, 8, 15, tzinfo=UTC)
ANN = Caller("ann")
QUICK = {"retries": 0, "backoff_s": 0.0, "idle_timeout_s": 2.0, "deadline_s": 5.0}


def world(*principals):
    people = {one.principal_id: one for one in principals}
    return World({}, {}, {"t1": Tenant("t1")}, people, {}, {}, {}, {}, NOW)


def config(url, **more):
    said = {
        "headers": {"X-Principal": "$principal"},
        "body": {"query": "$query", "k": "$k", "as_of": "$as_of"},
        **QUICK,
        **more,
    }
    return HttpConfig(url=f"{url}/search", **said)


def request(query="年假 leave", caller=ANN, **more):
    return Request("r1", query, caller, **more)


def ask(server, req=None, world_=None, **more):
    target = Http(config(server.url, **more))
    target.connect(world_ or world())
    try:
        return target.search([req or request()])[0]
    finally:
        target.close()


def sent(server):
    return [call for call in server.calls if call[0] != "/"][-1]


def says(reply, status=200, **headers):
    return lambda handler, _body: handler.send(status, reply, **headers)


HITS = {
    "hits": [{"id": "d2", "score": 0.9, "text": "二"}, {"id": "d1", "score": 0.5, "text": "一"}]
}
MAPPED = StageMap(ids="hits[*].id", scores="hits[*].score", texts="hits[*].text")


# --- the reply


def test_ids_scores_and_texts_are_read_in_the_order_of_the_reply(stub):
    with stub(says(HITS)) as server:
        response = ask(server, results=MAPPED)
    seen = response.seen[Stage.RETRIEVE]
    assert (seen.ids, seen.scores, seen.texts) == (("d2", "d1"), (0.9, 0.5), ("二", "一"))
    assert (response.error, response.attempts) == ("", 1)


TOOLS = Stages(tool=StageMap(names="calls[*].name", arguments="calls[*].args"))


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ([], ()),
        ([{"name": "mail", "args": "x"}], (ToolCall("mail", "x"),)),
        ([{"name": "mail", "args": {"to": "文"}}], (ToolCall("mail", '{"to":"文"}'),)),
    ],
)
def test_calls_of_tools_are_read_and_none_is_not_silence(stub, calls, expected):
    with stub(says({**HITS, "calls": calls})) as server:
        seen = ask(server, results=MAPPED, stages=TOOLS).seen
    assert seen[Stage.TOOL].calls == expected


def test_a_call_without_its_arguments_is_unparsable(stub):
    with stub(says({**HITS, "calls": [{"name": "mail"}]})) as server:
        response = ask(server, results=MAPPED, stages=TOOLS)
    assert (response.error, set(response.seen)) == ("unparsable", {Stage.REPLY})


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("2026-03-01T00:00:00+08:00", "2026-02-28T16:00:00+00:00"),
        (None, None),
        ("2026-03-01", "unparsable"),
        (7, "unparsable"),
    ],
)
def test_the_time_a_question_was_resolved_to_has_a_zone(stub, said, expected):
    stages = Stages(query=StageMap(texts="asked", as_of="at"))
    with stub(says({**HITS, "asked": "leave", "at": said})) as server:
        response = ask(server, results=MAPPED, stages=stages)
    if expected == "unparsable":
        assert response.error == expected
    else:
        read = response.seen[Stage.QUERY]
        assert read.texts == ("leave",)
        assert read.as_of == (expected and datetime.fromisoformat(expected))


def test_no_hits_is_an_answer(stub):
    with stub(says({"hits": []})) as server:
        response = ask(server)
    assert response.error == ""
    assert response.seen[Stage.RETRIEVE].ids == ()


@pytest.mark.parametrize(
    ("ids", "reply", "expected"),
    [
        ("ids", {"ids": ["a", "b"]}, ("a", "b")),
        ("$.data.results[*].doc.id", {"data": {"results": [{"doc": {"id": "a"}}]}}, ("a",)),
        ("ids[0]", {"ids": [["a", "b"]]}, ("a", "b")),
        ("groups[*].hits[*].id", {"groups": [{"hits": [{"id": "a"}]}, {"hits": []}]}, ("a",)),
        ('"odd.key"[*]."文档"', {"odd.key": [{"文档": "a"}]}, ("a",)),
        ("结果[*].编号", {"结果": [{"编号": "a"}]}, ("a",)),
        ("hits[*].id", {"hits": [{"id": 7}, {"id": 42}]}, ("7", "42")),
        ("hits[*].id", {"hits": [{"id": "e\u0301"}]}, ("\u00e9",)),
    ],
)
def test_a_path_names_ids(stub, ids, reply, expected):
    with stub(says(reply)) as server:
        response = ask(server, results=StageMap(ids=ids))
    assert response.seen[Stage.RETRIEVE].ids == expected, response.detail


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (b"<html>", "not JSON"),
        (b"", "not JSON"),
        (b'{"hits": [{"id": "a", "score": NaN, "text": ""}]}', "not JSON"),
        (b'{"hits": [{"id": "a", "score": 1e999, "text": ""}]}', "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        ({"error": "secret words"}, "hits is missing"),
        ({"hits": None}, "hits is null, not a list"),
        ({"hits": [{"score": 1, "text": ""}]}, "hits[0].id is missing"),
        ({"hits": [{"id": "a", "score": 1, "text": ""}, {"id": "b"}]}, "hits[1].score is missing"),
        ({"hits": [{"id": True, "score": 1, "text": ""}]}, "an id is a boolean"),
        ({"hits": [{"id": 1.5, "score": 1, "text": ""}]}, "an id is a number"),
        ({"hits": [{"id": "", "score": 1, "text": ""}]}, "an id is empty"),
        ({"hits": [{"id": "a", "score": "1", "text": ""}]}, "a score is text"),
        ({"hits": [{"id": "a", "score": None, "text": ""}]}, "a score is null"),
        ({"hits": [{"id": "a", "score": 1, "text": ["x"]}]}, "a text is a list"),
    ],
)
def test_a_reply_that_is_not_as_mapped_is_unparsable_and_shows_no_stage(stub, reply, said):
    with stub(says(reply)) as server:
        response = ask(server, results=MAPPED)
    assert (response.error, set(response.seen)) == ("unparsable", {Stage.REPLY})
    assert said in response.detail
    assert len(response.detail) <= 200
    assert "secret words" not in response.detail


def test_repeated_ids_are_left_out_and_counted_and_what_they_said_is_kept(stub):
    hits = [{"id": i, "score": s, "text": t} for i, s, t in [("a", 3, "x"), ("b", 2, "y")]]
    hits += [{"id": "a", "score": 1, "text": "z"}]
    with stub(says({"hits": hits})) as server:
        response = ask(server, results=MAPPED)
    seen = response.seen[Stage.RETRIEVE]
    assert (seen.ids, seen.scores, seen.texts) == (("a", "b"), (3.0, 2.0), ("x", "y", "z"))
    assert response.detail == "1 repeated ids left out"


RERANKED = [
    {"index": 2, "relevance_score": 0.9},
    {"index": 0, "relevance_score": 0.5},
    {"index": 1, "relevance_score": 0.1},
]
RERANK = StageMap(positions="rerank[*].index", of="candidates", scores="rerank[*].relevance_score")


def test_bug_034_a_reranker_that_answers_with_places_is_read_by_them(stub):
    reply = {"candidates": ["d0", "d1", "d2"], "rerank": RERANKED}
    with stub(says(reply)) as server:
        response = ask(server, results=StageMap(ids="candidates"), stages=Stages(rerank=RERANK))
    seen = response.seen[Stage.RERANK]
    assert (seen.ids, seen.scores) == (("d2", "d0", "d1"), (0.9, 0.5, 0.1))


@pytest.mark.parametrize(
    ("places", "said"),
    [([2, 0], "omits"), ([2, 0, 0], "repeats"), ([2, 0, 3], "no candidate"), ([2, 0, -1], "no ")],
)
def test_bug_034_a_place_omitted_or_repeated_is_an_adapter_error(stub, places, said):
    scored = [{"index": place, "relevance_score": 0.1} for place in places]
    with stub(says({"candidates": ["d0", "d1", "d2"], "rerank": scored})) as server:
        response = ask(server, results=StageMap(ids="candidates"), stages=Stages(rerank=RERANK))
    assert response.error == "unparsable"
    assert response.detail.startswith("rerank: ")
    assert said in response.detail


@pytest.mark.parametrize("reply", [{"hits": []}, {"hits": [], "cache": None}])
def test_an_optional_stage_that_is_absent_was_silent_not_empty(stub, reply):
    stages = Stages(cache=StageMap(texts="cache", optional=True))
    with stub(says(reply)) as server:
        response = ask(server, stages=stages)
    assert response.error == ""
    assert set(response.seen) == {Stage.RETRIEVE, Stage.REPLY}


# --- the request


def test_the_question_goes_out_as_the_template_says(stub):
    body = {"q": {"text": "about $query", "size": "$k"}, "at": "$as_of", "n": [1, "$k"], "x": None}
    with stub(says({"hits": []})) as server:
        ask(server, request('say "hi"', k=3), body=body)
    _, headers, raw = sent(server)
    assert json.loads(raw) == {"q": {"text": 'about say "hi"', "size": 3}, "n": [1, 3]}
    assert headers["X-Principal"] == "ann"


def test_as_of_is_sent_where_the_template_has_it_and_never_dropped_where_not(stub):
    asked = request(as_of=NOW)
    with stub(says({"hits": []})) as server:
        ask(server, asked)
        assert json.loads(sent(server)[2])["as_of"] == "2026-11-30T08:15:00+00:00"
        response = ask(server, asked, body={"query": "$query"})
    assert response.error == "unsupported"


def test_a_get_has_its_question_in_the_parameters(stub):
    with stub(says({"hits": []})) as server:
        ask(server, method="GET", body={}, params={"q": "$query", "k": "$k"})
    assert sent(server)[0] == "/search?q=%E5%B9%B4%E5%81%87+leave&k=10"


@pytest.mark.parametrize(
    ("principal_id", "header"),
    [
        ("ann@corp.example", "ann@corp.example"),
        ("张伟", "%E5%BC%A0%E4%BC%9F"),
        ("%E5", "%25E5"),
        ("a\r\nX-Admin: 1", "a%0D%0AX-Admin:%201"),
    ],
)
def test_no_id_breaks_a_header_or_looks_like_another(stub, principal_id, header):
    with stub(says({"hits": []})) as server:
        ask(server, request(caller=Caller(principal_id)))
    headers = sent(server)[1]
    assert headers["X-Principal"] == header
    assert "X-Admin" not in headers


def test_each_principal_has_its_own_token_and_without_one_nothing_is_sent(stub, tmp_path):
    file = tmp_path / "tokens.json"
    file.write_text('{"ann": "t-ann", "bob": "t-bob"}')
    headers = {"Authorization": "Bearer $token"}
    with stub(says({"hits": []})) as server:
        ask(server, headers=headers, token_file=str(file))
        assert sent(server)[1]["Authorization"] == "Bearer t-ann"
        n = len(server.calls)
        other = request(caller=Caller("eve"))
        response = ask(server, other, headers=headers, token_file=str(file))
        assert response.error == "no_token"
        assert [call[0] for call in server.calls[n:]] == ["/"]


def test_a_claim_stands_beside_what_the_template_sends(stub):
    claims = {"tenant": "t9", "principal": "boss"}
    with stub(says({"hits": []})) as server:
        ask(server, request(caller=Caller("ann", claims)))
        _, headers, raw = sent(server)
        body = json.loads(raw)
        assert (body["tenant"], body["principal"]) == ("t9", "boss")
        assert headers["X-Principal"] == "ann"
        who = {"query": "$query", "principal": "$principal"}
        ask(server, request(caller=Caller("ann", claims)), headers={}, body=who)
        body = json.loads(sent(server)[2])
        assert (body["tenant"], body["principal"]) == ("t9", "ann")
        response = ask(server, request(caller=Caller("ann", claims)), claims={})
    assert response.error == "unsupported"


def test_tenant_is_the_readers_own_unless_it_claims_another(stub):
    people = world(Principal("ann", "t1"))
    body = {"query": "$query", "tenant": "$tenant"}
    with stub(says({"hits": []})) as server:
        ask(server, world_=people, body=body)
        assert json.loads(sent(server)[2])["tenant"] == "t1"
        ask(server, request(caller=Caller("ann", {"tenant": "t2"})), world_=people, body=body)
        assert json.loads(sent(server)[2])["tenant"] == "t2"


# --- failures have classes


@pytest.mark.parametrize(
    ("status", "error", "calls"),
    [
        (500, "http_500", 1),
        (401, "http_401", 1),
        (403, "http_403", 1),
        (404, "http_404", 1),
        (502, "http_502", 3),
        (503, "http_503", 3),
        (504, "http_504", 3),
        (429, "rate_limited", 3),
    ],
)
def test_bug_040_a_status_is_never_a_pass_and_only_some_are_tried_again(stub, status, error, calls):
    with stub(says({"hits": []}, status)) as server:
        response = ask(server, retries=2)
        assert len([call for call in server.calls if call[0] == "/search"]) == calls
    assert (response.error, response.attempts) == (error, calls)
    assert set(response.seen) == {Stage.REPLY}


def test_the_third_try_counts(stub):
    statuses = iter([503, 502, 200])

    def script(handler, _body):
        handler.send(next(statuses) if handler.path == "/search" else 200, {"hits": []})

    with stub(script) as server:
        response = ask(server, retries=3)
    assert (response.error, response.attempts) == ("", 3)


def test_a_broken_connection_is_tried_again(stub):
    def script(handler, _body):
        if handler.path == "/search" and len(server.calls) < 3:
            handler.connection.shutdown(socket.SHUT_RDWR)
            handler.close_connection = True
        else:
            handler.send(200, {"hits": []})

    with stub(script) as server:
        response = ask(server, retries=2)
    assert (response.error, response.attempts) == ("", 2)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def test_refused_is_a_class_of_its_own():
    target = Http(config(f"http://127.0.0.1:{free_port()}", retries=1))
    target._client = open_client(target.config)
    response = target.search([request()])[0]
    target.close()
    assert (response.error, response.attempts) == ("refused", 2)


def test_connecting_to_nobody_says_where_and_what_to_do():
    port = free_port()
    target = Http(config(f"http://127.0.0.1:{port}"))
    with pytest.raises(TargetError, match=f"127.0.0.1:{port} cannot be reached: refused"):
        target.connect(world())
    target.close()


def test_a_name_without_an_address_is_dns(monkeypatch):
    def fails(*_args, **_more):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", fails)
    target = Http(config("http://search.example.invalid"))
    target._client = open_client(target.config)
    assert target.search([request()])[0].error == "dns"
    target.close()


def test_after_many_calls_to_nobody_each_is_tried_once():
    target = Http(config(f"http://127.0.0.1:{free_port()}", retries=2, concurrency=1))
    target._client = open_client(target.config)
    attempts = [one.attempts for one in target.search([request()] * 8)]
    target.close()
    assert attempts[0] == 3
    assert attempts[-1] == 1


def test_a_silent_endpoint_ends_by_time_out(stub):
    released = threading.Event()

    def script(handler, _body):
        if handler.path == "/search":
            released.wait(5)
        handler.close_connection = True

    with stub(script) as server:
        response = ask(server, idle_timeout_s=0.2)
        released.set()
    assert response.error == "timeout"


def test_bug_101_a_stream_that_stalls_ends_by_idle_time_out_and_others_go_on(stub):
    released = threading.Event()

    def script(handler, body):
        if b"stall" not in body:
            handler.send(200, {"hits": [{"id": "d1"}]})
            return
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        handler.wfile.write(b'data: {"hits": [{"id": "forbidden"}]}\n\n')
        handler.wfile.flush()
        released.wait(8)
        handler.close_connection = True

    with stub(script) as server:
        target = Http(config(server.url, retries=3, idle_timeout_s=0.5))
        target.connect(world())
        started = time.monotonic()
        responses = target.search([request("stall"), *[request("go")] * 5])
        elapsed = time.monotonic() - started
        released.set()
        target.close()
    assert elapsed < 1.5
    assert (responses[0].error, set(responses[0].seen)) == ("timeout_idle", {Stage.REPLY})
    assert [one.error for one in responses[1:]] == [""] * 5


def test_a_reply_that_drips_ends_at_the_deadline(stub):
    stop = threading.Event()

    def script(handler, _body):
        handler.send_response(200)
        handler.send_header("Content-Length", "100000")
        handler.end_headers()
        while handler.command != "HEAD" and not stop.wait(0.05):
            handler.wfile.write(b" ")
        handler.close_connection = True

    with stub(script) as server:
        started = time.monotonic()
        response = ask(server, deadline_s=1.5, idle_timeout_s=1.4)
        stop.set()
    assert response.error == "timeout"
    assert time.monotonic() - started < 6


def test_a_reply_without_end_is_cut(stub):
    with stub(says(b" " * 200_000)) as server:
        response = ask(server, max_reply_mb=0.1)
    assert response.error == "too_large"


@pytest.mark.parametrize(("after", "at_least"), [({"Retry_After": "7"}, 7.0), ({}, 0.0)])
def test_bug_100_retry_after_is_honoured_and_workers_do_not_march_in_step(stub, after, at_least):
    paused = threading.local()
    waits: list[float] = []

    def clock():
        return getattr(paused, "now", 0.0)

    def pause(seconds):
        waits.append(seconds)
        paused.now = clock() + seconds

    with stub(says(b"", 429, **after)) as server:
        said = config(server.url, retries=3, deadline_s=120, backoff_s=4.0, concurrency=20)
        target = Http(said)
        client = open_client(said)
        client._clock, client._pause = clock, pause
        target._client = client
        requests = [Request(f"case-{i}:0", "leave", ANN) for i in range(20)]
        responses = in_flight(lambda one: target.search([one])[0], requests, 20)
        target.close()
        assert len(server.calls) == 80
    assert [(one.error, one.attempts) for one in responses] == [("rate_limited", 4)] * 20
    assert all("waited" in one.detail for one in responses)
    assert len(waits) == 60
    assert min(waits) > at_least
    assert len(set(waits)) == 60
    assert max(waits) - min(waits) >= 1.0


def test_bug_100_waiting_is_capped_by_the_deadline(stub):
    with stub(says(b"", 429, Retry_After="3600")) as server:
        started = time.monotonic()
        response = ask(server, retries=3)
    assert time.monotonic() - started < 2
    assert (response.error, response.attempts) == ("rate_limited", 1)
    assert "past the deadline" in response.detail


def test_a_date_to_wait_for_counts_from_the_replys_own_date(stub):
    # The server's Date is that of this machine; 1970 is long past: no wait beyond the jitter.
    with stub(says(b"", 503, Retry_After="Thu, 01 Jan 1970 00:00:00 GMT")) as server:
        response = ask(server, retries=1)
    assert (response.error, response.attempts) == ("http_503", 2)


# --- nothing goes where nobody sent it


def test_a_redirect_is_not_followed(stub):
    with stub(says({"hits": []})) as other:
        with stub(says(b"", 307, Location=f"{other.url}/search")) as server:
            response = ask(server)
        assert other.calls == []
    assert response.error == "http_307"
    assert other.url not in response.detail


def test_proxies_of_the_environment_are_not_used(stub, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{free_port()}")
    with stub(says(HITS)) as server:
        assert ask(server).error == ""


def test_a_session_of_one_reader_never_answers_for_another(stub):
    with stub(says({"hits": []}, Set_Cookie="session=ann; Path=/")) as server:
        target = Http(config(server.url))
        target.connect(world())
        target.search([request(), request(caller=Caller("bob"))])
        target.close()
        assert all("Cookie" not in headers for _, headers, _ in server.calls)


def test_no_secret_is_told(stub):
    with stub(says({"error": "token s3cr3t-token is bad"}, 403)) as server:
        said = config(
            server.url, headers={"Authorization": "Bearer $token"}, token={"ann": "s3cr3t"}
        )
        target = build(said)
        target.connect(world())
        response = target.search([request()])[0]
        told = f"{target.describe()} {target.name} {response.error} {response.detail} {said}"
        target.close()
    assert "s3cr3t" not in told


# --- what it has and what it has not


def test_an_endpoint_that_returns_ids_is_a_target_and_nothing_more():
    target = Http(config("http://127.0.0.1:1"))
    assert isinstance(target, Target)
    for more in (Resolves, Counts, ShowsSinks, Laboratory):
        assert not isinstance(target, more)
    assert target.taps == {Stage.RETRIEVE, Stage.REPLY}
    assert target.powers == {Power.CONCURRENT}
    assert target.grain is Grain.CHUNK


def whole(url, **more):
    return config(
        url,
        answer=AnswerConfig(
            "/answer",
            body={"query": "$query"},
            stages=Stages(answer=StageMap(texts="answer")),
        ),
        resolve=ResolveConfig("/open", body={"h": "$handle"}, results=StageMap(ids="ids")),
        count=CountConfig("/count", body={"q": "$query"}, count="n"),
        read=ReadConfig("/log", params={"sink": "$sink"}, texts="lines"),
        lab=LabConfig("/lab", headers={"X-Lab": "1"}),
        **more,
    )


def test_what_is_mapped_is_a_tap_and_a_power():
    target = Http(whole("http://127.0.0.1:1"))
    for more in (Target, Answers, Resolves, Counts, ShowsSinks, Laboratory):
        assert isinstance(target, more)
    further = {Stage.ANSWER, Stage.CITATION, Stage.SUGGEST, Stage.LOG}
    assert target.taps == {Stage.RETRIEVE, Stage.REPLY} | further
    assert target.powers == frozenset(Power) - {Power.DISTURB}


def test_each_kind_of_call_reaches_its_address(stub):
    def script(handler, _body):
        path = handler.path.partition("?")[0]
        replies = {
            "/search": {"hits": [{"id": "d1"}]},
            "/answer": {"answer": "ten days"},
            "/open": {"ids": ["c1"]},
            "/count": {"n": 3},
            "/log": {"lines": ["one", "two"]},
            "/lab/apply": {"acknowledged": True},
        }
        handler.send(200, replies.get(path, {}))

    with stub(script) as server:
        target = Http(whole(server.url))
        target.connect(world())
        answered = target.answer([request()])[0]
        opened = target.resolve("h/1", ANN).seen[Stage.CITATION]
        counted = target.count("leave", ANN).seen[Stage.SUGGEST]
        read = target.read("log", ANN).seen[Stage.LOG]
        done = target.apply(SetClock(NOW))
        target.restore()
        target.close()
    # The answer's address shows no retrieval, so the search is asked beside it.
    assert set(answered.seen) == {Stage.RETRIEVE, Stage.ANSWER, Stage.REPLY}
    assert answered.seen[Stage.ANSWER].texts == ("ten days",)
    assert (opened.ids, opened.status) == (("c1",), "200")
    assert (counted.count, read.texts, done) == (3, ("one", "two"), True)
    paths = [path for path, _, _ in server.calls]
    assert paths == [
        *("/lab/connect", "/search", "/answer", "/open", "/count"),
        *("/log?sink=log", "/lab/apply", "/lab/restore"),
    ]
    assert server.calls[0][1]["X-Lab"] == "1"


@pytest.mark.parametrize("status", [403, 404, 410])
def test_a_handle_that_opens_nothing_shows_its_status(stub, status):
    with stub(lambda h, _b: h.send(status if h.path == "/open" else 200, {})) as server:
        target = Http(whole(server.url))
        target.connect(world())
        response = target.resolve("x", ANN)
        target.close()
    assert response.error == ""
    assert response.seen[Stage.CITATION].status == str(status)
    assert response.seen[Stage.CITATION].ids == ()


def test_a_laboratory_that_fails_is_a_target_that_cannot_be_prepared(stub):
    with stub(says({}, 500)) as server:
        target = Http(whole(server.url))
        with pytest.raises(TargetError, match="did not connect: http_500"):
            target.connect(world())
        target.close()


# --- configuration


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"body": {"q": "$qeury $query"}}, "no such placeholder"),
        ({"body": {"q": "costs 5$ $query"}}, "no such placeholder"),
        ({"headers": {}}, "say nowhere who asks"),
        ({"body": {"k": "$k"}}, "says nowhere what is asked"),
        ({"headers": {"A": "Bearer $token"}}, "there are no tokens"),
        ({"headers": {"A": "$principal\r\nB: 1"}}, "printable ASCII"),
        ({"headers": {"A B": "$principal"}}, "is not the name of a header"),
        ({"method": "GET"}, "a GET has none"),
        ({"results": StageMap()}, "maps nothing"),
        ({"results": StageMap(ids="hits[")}, "is no path"),
        ({"results": StageMap(ids="hits..id")}, "is no path"),
        ({"results": StageMap(positions="a")}, "positions count in a list"),
        ({"proxy": "socks"}, "not an http or https address"),
        ({"lab": LabConfig("/lab", powers=(Power.CONCURRENT,))}, "no such power"),
    ],
)
def test_a_configuration_that_cannot_work_is_refused(more, said):
    with pytest.raises(InputError, match=said.replace("$", r"\$")):
        config("http://127.0.0.1:1", **more)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://host",
        "host:80",
        "http://",
        "http://ann:secret@host",
        "http://$tenant.host",
        "http://h:x",
    ],
)
def test_an_address_that_cannot_be_called_is_refused_and_not_repeated(url):
    with pytest.raises(InputError) as refused:
        config(url)
    assert "secret" not in str(refused.value)


def test_every_fault_is_told_at_once():
    with pytest.raises(InputError) as refused:
        config("ftp://host", headers={}, results=StageMap(ids="a["))
    assert len(refused.value.faults) == 3
