"""An endpoint of somebody's own that answers from a question and passages."""

import json

import pytest

from rageval_kit.generators.http import Config, ToolsMap, build
from rageval_kit.records.faults import InputError
from rageval_kit.records.target import Stage, ToolCall

QUICK = {"retries": 0, "deadline_s": 5, "store": None}


@pytest.fixture
def generator(opened):
    def made(url, **more):
        return opened(build(Config(url=url, **(QUICK | more)), 7))

    return made


def test_the_template_is_filled_with_lists_and_texts(generator, stub, task):
    body = {"q": "$query", "p": "$passages", "i": "$ids", "h": "$history", "t": "Read: $numbered"}
    with stub(lambda handler, _: handler.send(body={"answer": "ok"})) as server:
        made = generator(server.url, body=body, headers={"X-Principal": "$principal"})
        made.generate(task("a $query?"))
        _, headers, sent = server.calls[-1]
    told = json.loads(sent)
    assert headers["X-Principal"] == "u"
    assert told["q"] == "a $query?"
    assert told["p"][1] == "The museum is closed on Mondays."
    assert told["i"] == ["d1@1#1", "d2@1#1"]
    assert told["h"] == []
    assert told["t"].startswith("Read: [1]\nThe harbour")


@pytest.mark.parametrize(
    ("reply", "path", "ids"),
    [
        ({"answer": "a [2]"}, None, ("d2@1#1",)),
        ({"answer": "a", "cites": [1, "d9"]}, "cites", ("d1@1#1", "d9")),
        ({"answer": "a", "cites": []}, "cites", ()),
    ],
)
def test_citations_come_as_mapped_or_from_the_text(generator, stub, task, reply, path, ids):
    with stub(lambda handler, _: handler.send(body=reply)) as server:
        response = generator(server.url, citations=path).generate(task())
    assert response.seen[Stage.CITATION].ids == ids


def test_tools_are_read_where_they_are_mapped(generator, stub, task):
    reply = {"answer": "", "calls": [{"n": "mail", "a": {"to": "x"}}]}
    tools = ToolsMap("calls[*].n", "calls[*].a")
    with stub(lambda handler, _: handler.send(body=reply)) as server:
        made = generator(server.url, tools=tools)
        response = made.generate(task())
    assert Stage.TOOL in made.shows
    assert response.seen[Stage.TOOL].calls == (ToolCall("mail", '{"to": "x"}'),)


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        ({"answer": "  "}, "empty"),
        ({"text": "a"}, "unparsable"),
        ({"answer": "a", "cites": [3]}, "unparsable"),
        ({"answer": "a", "cites": [True]}, "unparsable"),
        (b"{", "unparsable"),
    ],
)
def test_what_is_no_answer_fails_by_its_class(generator, stub, task, reply, error):
    path = "cites" if b"cites" in str(reply).encode() else None
    with stub(lambda handler, _: handler.send(body=reply)) as server:
        response = generator(server.url, citations=path).generate(task())
    assert (response.error, response.seen) == (error, {})


def test_every_fault_of_the_settings_is_told_at_once():
    with pytest.raises(InputError) as caught:
        Config(url="x", body={"a": "$what"}, headers={"H": "$passages"}, answer="..")
    places = [fault.where for fault in caught.value.faults]
    assert places == ["url", "headers", "body", "body", "body", "answer"]
