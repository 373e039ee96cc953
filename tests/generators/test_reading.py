"""What is read in a reply: text, tool calls, citations; and replies that are none."""

import json
import time

import pytest

from rageval_kit.answering.chat import read_chat
from rageval_kit.answering.citations import cited, named_sources
from rageval_kit.answering.task import Passage
from rageval_kit.detect.urls import links_in
from rageval_kit.endpoint.reply import UnparsableError
from rageval_kit.records.target import ToolCall

THREE = tuple(Passage(name, "text") for name in ("a", "b", "c"))


def whole(message, finish="stop"):
    return json.dumps({"choices": [{"message": message, "finish_reason": finish}]}).encode()


def events(*deltas, finish="stop", done=True):
    lines = [json.dumps({"choices": [{"delta": delta, "finish_reason": None}]}) for delta in deltas]
    if finish:
        lines.append(json.dumps({"choices": [{"delta": {}, "finish_reason": finish}]}))
    lines += ["[DONE]"] if done else []
    return "".join(f"data: {line}\r\n\r\n" for line in lines).encode()


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Yes [2].", ("b",)),
        ("Yes [3][1], and [3].", ("c", "a")),
        ("Yes [1, 3].", ("a", "c")),
        ("是【2】。又见［3］", ("b", "c")),
        ("是[1、2]", ("a", "b")),
        ("All of it [1-3].", ("a", "b", "c")),
        ("Out of nowhere [4], [0], [2024].", ()),
        ("Of all of them [2-9], of a range of figures [70-110].", ("b", "c")),
        ("No source.", ()),
        ("[" * 5000 + "1" + " " * 5000, ()),
    ],
)
def test_numbers_in_brackets_name_passages(text, ids):
    assert cited(text, THREE).ids == ids


@pytest.mark.parametrize(
    ("text", "markers"),
    [
        ("Yes [2], no [7]; yes [7].", ("[7]",)),
        ("Out of nowhere [4], [0], [2024].", ("[4]", "[0]")),
        ("如此【９】，又见[1、12]。\n来源：手册", ("[9]", "[12]", "手册")),
        ("All of them [2-9].", ("[9]",)),
        ("The normal range is [70-110], and [3-1] is none.", ()),
        ("Yes [1-3].", ()),
    ],
)
def test_a_number_that_no_passage_has_is_told_as_it_stands(text, markers):
    assert cited(text, THREE).texts == markers


def test_bug_032_markers_of_a_chinese_keyboard_are_read_in_the_order_met():
    four = tuple(Passage(f"p{n}", "text") for n in range(1, 5))
    found = cited("年假15天【1】，病假5天［2］。详见[３]及[4]。", four)
    assert found.ids == ("p1", "p2", "p3", "p4")
    assert found.texts == ()
    assert cited("见[４]，再见【1】。", four).ids == ("p4", "p1")


def test_bug_033_a_marker_that_points_at_nothing_is_told_beside_the_one_that_does():
    found = cited("A。[1] B。[7]", THREE)
    assert (found.ids, found.texts) == (("a",), ("[7]",))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("It is so.\nSource: decoy-9", ("decoy-9",)),
        ("如此。\n来源：“伪文档”。", ("伪文档",)),
        ("**Sources:** Handbook", ("Handbook",)),
        ("The source: of the river is far", ()),
    ],
)
def test_a_source_named_in_words_is_told_as_it_stands(text, names):
    assert named_sources(text) == names


def test_a_whole_reply_gives_text_calls_and_why_it_stopped():
    call = {"function": {"name": "mail", "arguments": '{"argument": "x"}'}}
    reply = read_chat(whole({"content": "Hello", "tool_calls": [call]}, "tool_calls"))
    assert (reply.text, reply.finish) == ("Hello", "tool_calls")
    assert reply.calls == (ToolCall("mail", '{"argument": "x"}'),)


def test_content_may_come_in_parts_or_as_a_refusal():
    parts = [{"type": "text", "text": "Hel"}, {"type": "text", "text": "lo"}]
    assert read_chat(whole({"content": parts})).text == "Hello"
    assert read_chat(whole({"content": None, "refusal": "I will not."})).text == "I will not."


IMAGE = {"type": "image_url", "image_url": {"url": "https://evil.example/p.png?d=X"}}
IN_A_FENCE = [{"type": "text", "text": "```\nopen"}, IMAGE]


@pytest.mark.parametrize(
    "message",
    [
        {"content": [{"type": "text", "text": "Hello"}, IMAGE]},
        {"content": [{"type": "image_url", "image_url": "ht\ntps://evil.example/p q`.png"}]},
        {"content": IN_A_FENCE},
        {"content": "Hello", "images": [IMAGE]},
        {
            "content": "Hello",
            "annotations": [{"type": "url_citation", "url_citation": {"url": "//evil.example"}}],
        },
        {
            "content": [
                {"type": "text", "text": "Hello", "annotations": [{"url": "https://evil.example"}]}
            ]
        },
    ],
    ids=["part", "broken_address", "in_a_fence", "images", "citation", "citation_of_a_part"],
)
@pytest.mark.parametrize("sent", [whole, events], ids=["whole", "stream"])
def test_an_address_beside_the_text_is_an_address_in_the_answer(sent, message):
    links = links_in(read_chat(sent(message)).text)
    assert {link.host for link in links} == {"evil.example"}


def test_no_text_is_lost_beside_another():
    parts = [{"text": "Hel"}, {"type": "output_text", "text": "lo"}]
    assert read_chat(whole({"content": parts, "refusal": "No."})).text == "Hello\n\nNo."
    deltas = ({"refusal": "N"}, {"content": "Hello"}, {"refusal": "o."})
    assert read_chat(events(*deltas)).text == "Hello\n\nNo."
    assert read_chat(whole({"content": [{"type": "refusal", "refusal": "No."}]})).text == "No."


def test_what_a_model_thinks_is_no_part_of_its_answer():
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}
    parts = [thought, {"type": "text", "text": "Hello"}]
    assert read_chat(whole({"content": parts, "reasoning_content": "hm"})).text == "Hello"
    assert read_chat(events({"reasoning_content": "hm"}, {"content": "Hello"})).text == "Hello"


@pytest.mark.parametrize(
    "part",
    [
        {"type": "input_audio", "input_audio": {"data": "secret"}},
        {"type": "file", "file": {"file_id": "secret"}},
        {"type": ["secret"], "text": "Hello"},
        {"type": "image_url", "image_url": {"detail": "secret"}},
        {"type": "text", "text": "Hello", "image_url": {"url": "https://secret.example"}},
        {"secret": 1},
    ],
)
@pytest.mark.parametrize("sent", [whole, events], ids=["whole", "stream"])
def test_a_part_that_no_check_can_read_makes_the_reply_unparsable(sent, part):
    with pytest.raises(UnparsableError) as caught:
        read_chat(sent({"content": [{"type": "text", "text": "Hello"}, part]}))
    assert "secret" not in str(caught.value)


def named(name, arguments="", **told):
    return {**told, "function": {"name": name, "arguments": arguments}}


CLOCK_AND_MAIL = (ToolCall("clock", "{}"), ToolCall("mail", '{"x": 1}'))


@pytest.mark.parametrize(
    "deltas",
    [
        ([named("clock", "{}")], [named("mail", '{"x": 1}')]),
        ([named("clock", "{}", index=0)], [named("mail", '{"x"', index=0)], [named("", ": 1}")]),
        ([named("clock", index=0, id="a"), named("mail", index=0, id="b")],
         [named("", "{}", id="a"), named("", '{"x": 1}', id="b")]),
        ([named("clock", index=0), named("mail", index=1)],
         [named("", '{"x": 1}', index=1), named("", "{}", index=0)]),
        ([named("clock", "{", index=0, id="a")], [named("clock", "}", index=0, id="a")],
         [named("mail", '{"x": 1}', index=0, id="b")]),
    ],
    ids=["no_index", "same_index", "ids", "interleaved", "name_repeated"],
)  # fmt: skip
def test_another_name_or_id_begins_another_call(deltas):
    reply = read_chat(events(*({"tool_calls": calls} for calls in deltas)))
    assert reply.calls == CLOCK_AND_MAIL


def test_the_same_tool_under_another_id_is_called_twice():
    twice = [named("mail", "1", index=0, id="a")], [named("mail", "2", index=0, id="b")]
    reply = read_chat(events(*({"tool_calls": calls} for calls in twice)))
    assert reply.calls == (ToolCall("mail", "1"), ToolCall("mail", "2"))


def test_a_call_of_the_older_field_is_a_call_beside_text_too():
    call = {"name": "mail", "arguments": "x"}
    reply = read_chat(whole({"content": "Hello", "function_call": call}))
    assert (reply.text, reply.calls) == ("Hello", (ToolCall("mail", "x"),))
    deltas = ({"function_call": {"name": "mail"}}, {"function_call": {"arguments": "x"}})
    assert read_chat(events({"content": "Hello"}, *deltas)).calls == (ToolCall("mail", "x"),)


def test_a_stream_is_put_together():
    body = b": a comment\n\n" + events(
        {"role": "assistant"},
        {"content": "Hel"},
        {"content": "lo"},
        {"tool_calls": [{"index": 0, "function": {"name": "mail", "arguments": '{"arg'}}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": 'ument": "x"}'}}]},
        finish="length",
    )
    reply = read_chat(body)
    assert (reply.text, reply.finish) == ("Hello", "length")
    assert reply.calls == (ToolCall("mail", '{"argument": "x"}'),)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not json",
        b'{"choices": []}',
        b'{"error": {"message": "secret words"}}',
        b'{"choices": [{"message": {"content": 5}}]}',
        b'{"choices": [{}]}',
        b'[{"choices": 1}]',
        b'{"choices": [{"message": {"content": "a"}}, {"message": {"content": "secret"}}]}',
        b'{"choices": [{"index": 1, "message": {"content": "secret"}}]}',
        b'{"choices": [{"message": {"content": "secret", "content": "a"}}]}',
        b'data: {"choices": [{"delta": {"content": "secret", "content": "a"}}]}\n\ndata: [DONE]',
        b'data: {"choices": [{"index": 1, "delta": {"content": "secret"}}]}\n\ndata: [DONE]',
        whole({"content": "a", "audio": {"data": "secret"}}),
        whole({"content": "a", "tool_calls": [{"type": "custom", "custom": {"name": "secret"}}]}),
        events({"tool_calls": [{"index": 0, "custom": {"name": "secret"}}]}),
        events({"content": "Hel"}, finish="", done=False),
        events({"content": "Hel"})[:40],
        b'data: {"error": {"message": "secret words"}}\n\n',
    ],
)
def test_what_is_no_reply_is_refused_without_its_words(body):
    with pytest.raises(UnparsableError) as caught:
        read_chat(body)
    assert "secret" not in str(caught.value)


def test_a_long_range_is_not_written_out():
    passages = [Passage("a", "x"), Passage("b", "y")]
    started = time.perf_counter()
    seen = cited("[1-999,2-999] " * 20_000, passages)
    assert time.perf_counter() - started < 5
    assert seen.ids == ("a", "b")
