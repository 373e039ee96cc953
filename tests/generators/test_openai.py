"""A model behind a socket: what is sent, what each of its behaviours comes to, what is kept."""

import json
import logging
import stat

import pytest

from rageval_kit.generators.openai import Config, build
from rageval_kit.records.faults import InputError, TargetError
from rageval_kit.records.target import Stage, ToolCall

KEY = "sk-planted-5f1d77aa90b2"
QUICK = {"retries": 0, "deadline_s": 5, "store": None}


@pytest.fixture
def generator(opened):
    def made(url, seed=7, **more):
        return opened(build(Config(base_url=url, model="m", **(QUICK | more)), seed))

    return made


def answered(message, finish="stop"):
    return {"choices": [{"message": message, "finish_reason": finish}]}


def test_what_is_sent_is_what_was_set(generator, stub, task):
    with stub(lambda handler, _: handler.send(body=answered({"content": "ok"}))) as server:
        made = generator(
            server.url + "/v1/", temperature=0.5, max_tokens=9, tools=True, extra={"top_p": 0.9}
        )
        made.generate(task(repeat=2))
        path, headers, body = server.calls[-1]
    sent = json.loads(body)
    assert path == "/v1/chat/completions"
    assert "Authorization" not in headers
    assert (sent["model"], sent["temperature"], sent["max_tokens"]) == ("m", 0.5, 9)
    assert (sent["seed"], sent["stream"], sent["top_p"]) == (9, False, 0.9)
    names = [tool["function"]["name"] for tool in sent["tools"]]
    assert names == ["clock", "read", "write", "mail", "http", "code"]


def test_extra_may_leave_out_a_field_of_ours(task):
    config = Config(base_url="http://h/v1", model="m", store=None, extra={"seed": None})
    assert "seed" not in build(config, 7).body(task())


def test_a_reply_shows_answer_citations_and_calls(generator, stub, task):
    call = {"function": {"name": "mail", "arguments": "x"}}
    message = {"content": "At seven [1].\nSource: decoy", "tool_calls": [call]}
    with stub(lambda handler, _: handler.send(body=answered(message))) as server:
        seen = generator(server.url, tools=True).generate(task()).seen
    assert seen[Stage.ANSWER].texts == ("At seven [1].\nSource: decoy",)
    assert seen[Stage.CITATION].ids == ("d1@1#1",)
    assert seen[Stage.CITATION].texts == ("decoy",)
    assert seen[Stage.TOOL].calls == (ToolCall("mail", "x"),)


@pytest.mark.parametrize(
    ("message", "finish", "error"),
    [
        ({"content": "At sev"}, "length", "truncated"),
        ({"content": ""}, "stop", "empty"),
        ({"content": None}, "stop", "empty"),
        ({"content": ""}, "content_filter", "filtered"),
        ({"content": "I cannot help with this question."}, "stop", ""),
        ({"refusal": "I will not."}, "stop", ""),
    ],
    ids=["cut_off", "empty", "nothing", "withheld", "a_refusal_is_an_answer", "refusal_field"],
)
def test_what_is_no_answer_fails_by_its_class(generator, stub, task, message, finish, error):
    with stub(lambda handler, _: handler.send(body=answered(message, finish))) as server:
        response = generator(server.url).generate(task())
    assert response.error == error
    assert bool(response.seen) is not bool(error)


def test_a_reply_cut_off_may_be_allowed(generator, stub, task):
    body = answered({"content": "At sev"}, "length")
    with stub(lambda handler, _: handler.send(body=body)) as server:
        response = generator(server.url, allow_truncated=True).generate(task())
    assert response.seen[Stage.ANSWER].texts == ("At sev",)


@pytest.mark.parametrize("stream", [False, True])
def test_the_careful_model_quotes_and_cites(generator, model, task, stream):
    with model("careful") as server:
        response = generator(server.base_url, stream=stream).generate(task())
    assert "The harbour opens at seven. [1]" in response.seen[Stage.ANSWER].texts[0]
    assert "d1@1#1" in response.seen[Stage.CITATION].ids


@pytest.mark.parametrize(
    ("behaviour", "error"),
    [
        ("streaming", ""),
        ("refusing", ""),
        ("truncating", "truncated"),
        ("slow", "timeout"),
        ("obedient", ""),
    ],
)
def test_each_behaviour_comes_to_its_own(generator, model, task, behaviour, error):
    with model(behaviour, piece_s=5) as server:
        response = generator(server.base_url, deadline_s=0.5).generate(task())
    assert response.error == error


def test_a_failing_model_fails_each_time_otherwise_and_then_answers(generator, model, task):
    with model("failing") as server:
        made = generator(server.base_url)
        errors = [made.generate(task()).error for _ in range(4)]
    assert errors == ["http_500", "unparsable", "reset", ""]


def test_nobody_there_is_said_before_any_case(generator):
    with pytest.raises(TargetError, match=r"127\.0\.0\.1:1 cannot be reached.*generator\.base_url"):
        generator("http://127.0.0.1:1/v1")


def test_the_key_comes_from_the_environment_and_is_written_nowhere(
    generator, model, task, tmp_path, monkeypatch, caplog
):
    """Planted in the environment, sent to the server, and echoed by no text of ours."""
    monkeypatch.setenv("PLANTED_KEY", KEY)
    caplog.set_level(logging.DEBUG)
    with model("careful", key=KEY) as server:
        config = {"store": str(tmp_path / "replies"), "api_key_env": "PLANTED_KEY"}
        made = generator(server.base_url, **config)
        assert made.generate(task()).error == ""
        monkeypatch.setenv("PLANTED_KEY", "sk-another")
        refused = generator(server.base_url, **config).generate(task())
    assert refused.error == "http_401"
    written = [file.read_text("utf-8") for file in (tmp_path / "replies").iterdir()]
    told = [*written, str(dict(made.describe())), repr(made), repr(refused), caplog.text]
    assert all(KEY not in text for text in told)


def test_a_key_that_an_endpoint_repeats_is_blanked_where_replies_are_kept(
    generator, stub, task, tmp_path, monkeypatch
):
    monkeypatch.setenv("PLANTED_KEY", KEY)
    body = answered({"content": f"Your key is {KEY}."})
    with stub(lambda handler, _: handler.send(body=body)) as server:
        generator(server.url, store=str(tmp_path), api_key_env="PLANTED_KEY").generate(task())
    (file,) = tmp_path.iterdir()
    assert json.loads(file.read_text("utf-8"))["answer"] == "Your key is ***."


@pytest.mark.parametrize("value", [None, "", "line\nbreak", "schlüssel"])
def test_a_missing_or_broken_key_is_refused_without_showing_it(monkeypatch, value):
    monkeypatch.delenv("PLANTED_KEY", raising=False)
    if value is not None:
        monkeypatch.setenv("PLANTED_KEY", value)
    config = Config(base_url="http://h/v1", model="m", api_key_env="PLANTED_KEY", store=None)
    with pytest.raises(InputError, match=r"generator\.api_key_env: .*PLANTED_KEY") as caught:
        build(config, 7)
    assert not value or value not in str(caught.value)


def test_every_fault_of_the_settings_is_told_at_once():
    with pytest.raises(InputError) as caught:
        Config(base_url="ftp://u:p@h", model="", extra={"messages": []})
    places = {fault.where for fault in caught.value.faults}
    assert places == {"base_url", "model", "extra.messages"}


def test_replies_are_kept_for_their_owner_alone(generator, stub, task, tmp_path):
    with stub(lambda handler, _: handler.send(body=answered({"content": "ok [2]"}))) as server:
        made = generator(server.url, store=str(tmp_path / "a" / "b"))
        made.generate(task())
    (file,) = (tmp_path / "a" / "b").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (line,) = file.read_text("utf-8").splitlines()
    kept = json.loads(line)
    assert (kept["key"], kept["answer"], kept["citations"]) == (task().key, "ok [2]", ["d2@1#1"])
    assert made.describe()["replies"].endswith(file.name)


def test_full_history_is_shown_as_context(generator, stub, task):
    from rageval_kit.answering.task import Passage, Turn

    turn = Turn("before?", "before.", (Passage("old", "An old passage."),))
    with stub(lambda handler, _: handler.send(body=answered({"content": "ok"}))) as server:
        response = generator(server.url, history="full").generate(task(history=(turn,)))
    assert response.seen[Stage.CONTEXT].ids == ("d1@1#1", "d2@1#1", "old")
