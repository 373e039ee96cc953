"""A reply counts only as what was asked for, from the principal that asked."""

import math
from datetime import UTC, datetime

import pytest

from rageval_kit.execute.replies import MAX_CALLS, MAX_ID, MAX_SAID, replies, reply
from rageval_kit.records.target import Caller, Request, Response, Seen, Stage, ToolCall

ASKED = [Request(f"c{n}:0", "question", Caller(f"u{n}")) for n in range(3)]
GOOD = Response("c0:0", {Stage.RETRIEVE: Seen(("d1", "文档"), ("text", "词"), (0.5, 0.25))})


def test_a_sound_reply_is_handed_on_as_it_is():
    assert reply(GOOD, "c0:0") is GOOD


def test_a_time_with_a_zone_and_calls_of_tools_are_handed_on():
    then, call = datetime(2026, 1, 1, tzinfo=UTC), ToolCall("read", "{}")
    sound = Response("c0:0", {Stage.QUERY: Seen(as_of=then), Stage.TOOL: Seen(calls=(call,))})
    assert reply(sound, "c0:0") is sound


def test_lists_become_tuples_and_names_of_stages_stages():
    told = reply(Response("c0:0", {"retrieve": Seen(["d1"], ["text"])}), "c0:0")
    assert told == Response("c0:0", {Stage.RETRIEVE: Seen(("d1",), ("text",))})


@pytest.mark.parametrize("seconds", [math.nan, math.inf, None, "soon"])
def test_a_time_that_is_none_is_0(seconds):
    told = reply(Response("c0:0", GOOD.seen, latency_s=seconds), "c0:0")
    assert (told.latency_s, told.error) == (0.0, "")
    assert told.seen[Stage.RETRIEVE].ids == ("d1", "文档")


@pytest.mark.parametrize(
    ("given", "detail"),
    [
        (None, "NoneType instead of a list of replies"),
        ({"ids": []}, "dict instead of a list of replies"),
        ([GOOD], "1 replies to 3 requests"),
    ],
)
def test_a_batch_of_another_shape_fails_every_call(given, detail):
    told = replies(given, ASKED)
    assert [one.request_id for one in told] == ["c0:0", "c1:0", "c2:0"]
    assert {(one.error, one.detail) for one in told} == {("malformed", detail)}


def test_a_reply_out_of_turn_is_nobodys():
    """The answer to u1 must not be judged as what u0 was shown."""
    told = replies([Response("c1:0"), Response("c0:0"), Response("c2:0")], ASKED)
    assert [one.error for one in told] == ["malformed", "malformed", ""]


@pytest.mark.parametrize(
    "seen",
    [
        None,
        {"thoughts": Seen()},
        {Stage.RETRIEVE: ["d1"]},
        {Stage.RETRIEVE: Seen("d1")},
        {Stage.RETRIEVE: Seen((1,))},
        {Stage.RETRIEVE: Seen((None,))},
        {Stage.RETRIEVE: Seen(("",))},
        {Stage.RETRIEVE: Seen(("\ud800",))},
        {Stage.RETRIEVE: Seen(("d" * (MAX_ID + 1),))},
        {Stage.ANSWER: Seen((), (None,))},
        {Stage.ANSWER: Seen((), b"bytes")},
        {Stage.SUGGEST: Seen(count="3")},
        {Stage.SUGGEST: Seen(count=True)},
        {Stage.SUGGEST: Seen(count=10**5000)},
        {Stage.QUERY: Seen((), ("q",), as_of="2026-01-01")},
        {Stage.QUERY: Seen((), ("q",), as_of=datetime(2026, 1, 1))},  # noqa: DTZ001 - a naive one
        {Stage.TOOL: Seen(calls=("read",))},
        {Stage.TOOL: Seen(calls=(ToolCall("read", None),))},
        {Stage.TOOL: Seen(calls=None)},
        {Stage.CITATION: Seen(status=404)},
    ],
)
def test_what_is_no_reply_fails_with_its_reason(seen):
    told = reply(Response("c0:0", seen), "c0:0")
    assert told.error == "malformed"
    assert told.detail
    assert not told.seen


def test_what_a_failed_call_showed_is_kept_and_its_cause_can_be_archived():
    told = reply(Response("x", GOOD.seen, error="timeout", detail="\udcff after 3 s"), "c0:0")
    assert (told.error, told.detail) == ("timeout", "\\udcff after 3 s")
    assert {stage: seen.ids for stage, seen in told.seen.items()} == {
        stage: tuple(seen.ids) for stage, seen in GOOD.seen.items()
    }


HALF = "x" * (MAX_SAID // 2)


@pytest.mark.parametrize(
    ("stage", "seen", "excess"),
    [
        (Stage.ANSWER, Seen(texts=(HALF, HALF, "x")), "answer: 1000001 characters"),
        (Stage.TOOL, Seen(calls=(ToolCall(HALF, HALF + "x"),)), "tool: 1000001 characters"),
        (Stage.TOOL, Seen(calls=(ToolCall("a"),) * 1001), "tool: 1001 calls of tools"),
    ],
)
def test_more_than_can_be_judged_fails_instead_of_being_judged_in_part(stage, seen, excess):
    told = reply(Response("c0:0", {stage: seen}, latency_s=2.0), "c0:0")
    assert (told.error, dict(told.seen), told.latency_s) == ("too_large", {}, 2.0)
    assert told.detail.startswith(excess)


@pytest.mark.parametrize(
    ("stage", "seen"),
    [
        (Stage.ANSWER, Seen(texts=(HALF, HALF))),
        (Stage.TOOL, Seen(calls=(ToolCall("a"),) * MAX_CALLS)),
        (Stage.LOG, Seen(texts=(HALF, HALF, HALF))),
    ],
)
def test_as_much_as_can_be_judged_is_handed_on(stage, seen):
    sound = Response("c0:0", {stage: seen})
    assert reply(sound, "c0:0") is sound
