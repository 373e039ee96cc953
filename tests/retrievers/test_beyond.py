"""What came over the wire beside the mapped stages is at the tap `reply`, and nowhere in a row.

The leaking service is the example service with one more thing in its reply, as engineers add it: a
field of highlights, a header for the proxy, a preview in the words of a 404.
"""

import json
from contextlib import contextmanager
from http import HTTPStatus

import pytest

from rageval_kit.corpus.snapshots import load_world
from rageval_kit.endpoint.beyond import MAX_FAILED, beyond, both, steps_of
from rageval_kit.endpoint.calls import Reply
from rageval_kit.endpoint.config import AnswerConfig, HttpConfig, ResolveConfig, StageMap
from rageval_kit.execute.replies import MAX_SAID, TOO_LARGE, reply
from rageval_kit.records.target import Caller, Delegates, Request, Response, Seen, Stage
from rageval_kit.resources import tree
from rageval_kit.retrievers.http import Http
from rageval_kit.system import http_service
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.service import System

DEMO = tree("suites") / "worlds" / "demo"
ANN = Caller("ann")
HITS = StageMap(ids="hits[*].id", texts="hits[*].text", optional=True)


def texts(body, *mapped, status=200, **more):
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return beyond(Reply(status, content, **more), steps_of(mapped))[Stage.REPLY].texts


# --- which texts


def test_every_text_that_no_mapping_reads_is_kept_and_no_other():
    body = {
        "hits": [{"id": "d1", "text": "mapped", "highlights": ["one", {"deep": "two"}]}],
        "took": 3,
        "debug": "three",
    }
    # "hits", "id" and "text" name what is read; other keys may themselves be words of a document
    assert set(texts(body, HITS)) == {"highlights", "one", "deep", "two", "took", "debug", "three"}


def test_a_text_said_twice_is_kept_where_only_one_of_the_places_is_mapped():
    body = {"hits": [{"id": "d1", "text": "said"}], "again": "said"}
    assert "said" in texts(body, HITS)


def test_a_place_by_number_is_that_one_alone():
    assert texts({"rows": ["a", "b"]}, StageMap(texts="rows[0]")) == ("b",)


def test_arguments_of_tools_are_read_whole():
    calls = StageMap(names="calls[*].name", arguments="calls[*].with")
    body = {"calls": [{"name": "mail", "with": {"to": "x", "cc": ["y"]}}]}
    assert texts(body, calls) == ()


def test_no_json_is_one_text_and_a_key_twice_is_no_json():
    assert texts(b"<b>hidden</b>") == ("<b>hidden</b>",)
    twice = b'{"note": "first", "note": "second"}'
    assert texts(twice) == (twice.decode(),)


def test_a_reply_nested_in_depth_is_read_without_a_stack_of_calls():
    deep = b'{"a":' * 400 + b'"end"' + b"}" * 400
    assert set(texts(deep)) == {"a", "end"}


def test_headers_and_earlier_tries_are_kept_and_nobody_reached_is_no_reply():
    earlier = Reply(503, b'{"error": "of the first try"}', "http_503", headers=("h1",))
    shown = texts({}, headers=("h2",), earlier=(earlier,))
    assert shown == ("h2", "h1", "error", "of the first try")
    assert beyond(Reply(error="refused")) == {}


def test_what_failed_is_cut_and_what_counts_never():
    long = {"a": "x" * MAX_FAILED, "b": "y"}
    assert "y" in texts(long)
    assert sum(map(len, texts(long, error="http_500"))) == MAX_FAILED
    whole = Response("r", {Stage.REPLY: Seen(texts=("x" * (MAX_SAID + 1),))})
    assert reply(whole, "r").error == TOO_LARGE


def test_of_two_calls_both_replies_are_kept():
    first = {Stage.RETRIEVE: Seen(ids=("a",)), Stage.REPLY: Seen(texts=("one", "same"))}
    then = {Stage.ANSWER: Seen(texts=("yes",)), Stage.REPLY: Seen(texts=("same", "two"))}
    shown = both(first, then)
    assert shown[Stage.REPLY].texts == ("one", "same", "two")
    assert set(shown) == {Stage.RETRIEVE, Stage.ANSWER, Stage.REPLY}


# --- over a socket


def target_at(url, **more):
    said = {
        "headers": {"X-Principal": "$principal"},
        "body": {"query": "$query", "via": "$via"},
        "results": HITS,
        "retries": 1,
        "backoff_s": 0.0,
        "deadline_s": 5.0,
        **more,
    }
    return Http(HttpConfig(f"{url}/search", **said))


@contextmanager
def connected(server, **more):
    target = target_at(server.url, **more)
    target.connect(load_world(DEMO / "snapshot", DEMO / "directory.json"))
    server.calls.clear()
    try:
        yield target
    finally:
        target.close()


@pytest.mark.parametrize("status", [200, 302, 400, 404, 500, 503])
def test_headers_and_bodies_are_seen_whatever_the_status(stub, status):
    def script(handler, _body):
        handler.send(status, {"why": "the words"}, X_Snippet="of a header")

    with stub(script) as server, connected(server) as target:
        (response,) = target.search([Request("r", "q", ANN)])
    assert {"the words", "of a header"} <= set(response.seen[Stage.REPLY].texts)
    assert bool(response.error) == (status != 200)


def test_what_came_of_a_try_that_was_repeated_is_seen(stub):
    def script(handler, _body):
        is_first = len(server.calls) == 1
        handler.send(503 if is_first else 200, {"why": "first" if is_first else "then"})

    with stub(script) as server, connected(server) as target:
        (response,) = target.search([Request("r", "q", ANN)])
    assert (response.error, response.attempts) == ("", 2)
    assert {"first", "then"} <= set(response.seen[Stage.REPLY].texts)


def test_what_came_before_a_reply_broke_off_is_seen_and_is_no_answer(stub):
    def script(handler, _body):
        handler.send_response(404)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        if handler.command != "HEAD":
            handler.wfile.write(b"the first half")
        handler.close_connection = True

    opening = ResolveConfig("/open", body={"h": "$handle"}, results=StageMap(ids="ids"))
    with stub(script) as server, connected(server, resolve=opening, retries=0) as target:
        response = target.resolve("x", ANN)
    assert response.error == "reset"
    assert set(response.seen) == {Stage.REPLY}
    assert "the first half" in response.seen[Stage.REPLY].texts


# --- who stands between


def test_the_hops_are_sent_in_their_order_and_none_is_no_field(stub):
    with stub(lambda h, _b: h.send(200, {"hits": []})) as server, connected(server) as target:
        for via in (("a1", "a2"), ()):
            (response,) = target.search([Request("r", "q", Caller("ann", via=via))])
            assert response.error == ""
        sent = [json.loads(body) for _, _, body in server.calls]
    assert sent == [{"query": "q", "via": "a1,a2"}, {"query": "q"}]


@pytest.mark.parametrize(
    ("body", "via", "error"),
    [
        ({"query": "$query"}, ("a1",), "unsupported"),
        ({"q": "$query", "v": "$via"}, ("a,b",), "unsendable"),
    ],
)
def test_hops_that_cannot_be_told_are_not_dropped(stub, body, via, error):
    with stub(lambda h, _b: h.send(200, {})) as server, connected(server, body=body) as target:
        (response,) = target.search([Request("r", "q", Caller("ann", via=via))])
        assert (response.error, server.calls) == (error, [])


def test_a_target_delegates_where_every_question_says_through_whom():
    url, silent = "http://127.0.0.1:1", {"query": "$query"}
    assert isinstance(target_at(url), Delegates)
    assert target_at(url).delegates
    assert not target_at(url, body=silent).delegates
    assert not target_at(url, answer=AnswerConfig("/answer", body=silent)).delegates
    by_header = {"X-Principal": "$principal", "X-Via": "$via"}
    answer = AnswerConfig("/answer", body=silent)
    assert target_at(url, body=silent, headers=by_header, answer=answer).delegates


# --- end to end


class Handler(http_service._Handler):
    """The example service, and what `server.leak` adds to its replies."""

    def _body(self):
        body = super()._body()
        self.asked = json.loads(body)
        if self.path == "/lab/connect":
            self.server.passages = dict(passages(self.asked))
        return body

    def _reply(self, status, told):
        leak = self.server.leak
        if self.path == "/answer" and leak == "field":
            told["highlights"] = [{"snippet": self.hidden()}]
        if self.path == "/open" and told.get("passages") == []:
            status, told = HTTPStatus.NOT_FOUND, {"error": "no such document"}
            if leak == "body":
                told["preview"] = self.server.passages.get(self.asked["handle"], "")
        super()._reply(status, told)

    def end_headers(self):
        if self.path == "/answer" and self.server.leak == "header":
            words = " ".join(self.hidden().split())
            self.send_header("X-Snippet", words.encode().decode("latin-1"))
        super().end_headers()

    def hidden(self):
        """The passage that has most in common with the question, whoever may read it."""
        asked = pairs(self.asked["query"])
        return max(self.server.passages.values(), key=lambda text: len(asked & pairs(text)))


def pairs(text):
    return {text[n : n + 2] for n in range(len(text) - 1)}


def passages(node):
    """Every passage of a world as it travels, by its id."""
    if isinstance(node, dict):
        if {"chunk_id", "text"} <= set(node):
            yield node["chunk_id"], node["text"]
        node = list(node.values())
    if isinstance(node, list):
        for part in node:
            yield from passages(part)


@pytest.fixture(scope="module")
def service():
    system = System(EmbeddedConfig(dimensions=384, dense_floor=0.15))
    system.connect(load_world(DEMO / "snapshot", DEMO / "directory.json"))
    service = http_service.Service(system, lab=True)
    service.RequestHandlerClass, service.leak, service.passages = Handler, "", {}
    service.start()
    yield service
    service.stop()


@pytest.mark.parametrize(
    ("leak", "family", "code"),
    [
        ("field", "ACL-01", 3),
        ("header", "ACL-01", 3),
        ("", "ACL-01,CIT-01", 0),
        ("body", "CIT-01", 3),
    ],
)
def test_what_no_mapping_reads_is_searched(
    service, tmp_path, monkeypatch, capfd, leak, family, code
):
    from rageval_kit.cli.door import start

    monkeypatch.chdir(tmp_path)
    service.leak = leak
    words = [
        "+suite=acl_full",
        f"suites.acl_full.families.ids=[{family}]",
        "suites.acl_full.size.cases=2",
        "retriever=http_example",
        f"retriever.url={service.url}/search",
        "archive.root=kept",
        "--json",
    ]
    assert start(words) == code, capfd.readouterr()[1]
    found = [one for row in kept(tmp_path, "verdicts.jsonl") for one in row["findings"]]
    assert {one["stage"] for one in found} == ({"reply"} if leak else set())
    # not a text of it, and no hash of it either: a date differs each time
    traces = kept(tmp_path, "traces.jsonl")
    assert any("retrieve" in text or "citation" in text for text in map(json.dumps, traces))
    assert not any('"reply":' in text for text in map(json.dumps, traces))


def kept(folder, name):
    (file,) = folder.rglob(name)
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]
