"""What is on record, what went out to whom, and what citations lead to, worked by hand."""

import json
from dataclasses import replace

import pytest

from rageval_kit.checks import audited, credited, opens, processors, same_as_cited
from rageval_kit.records.target import Seen, ToolCall
from rageval_kit.records.verdicts import Outcome

RECORD = {
    "time": "2026-05-01T12:00:00+00:00",
    "principal": "u",
    "objects": ["theirs"],
    "rules": ["tenant"],
}
SPAN = frozenset({"2026-05-01T11:00:00+00:00", "2026-05-01T13:00:00+00:00"})


def judged(small, *lines, args=None, error="", allowed=False):
    """Two denied questions of u, then the trail is read."""
    steps = [small.step("mine", allowed=allowed)] * 3
    expectation = small.expectation(*steps, read=[2])
    expectation = replace(expectation, roles={**expectation.roles, "clock": SPAN})
    trail = small.saw(2, {"log": Seen(texts=lines)}, role="operator", error=error)
    shown = {"citation": Seen(("theirs",))} if allowed else {}
    trace = small.trace(small.saw(0, shown), small.saw(1), trail)
    return audited.check(args or {}, expectation, trace, small.aids("log"))


def test_two_denials_need_two_complete_records(small):
    line = json.dumps(RECORD)
    assert judged(small, line, line).outcome is Outcome.HELD
    assert judged(small, line, "no record", "[1]").outcome is Outcome.VIOLATED


@pytest.mark.parametrize(
    ("changed", "evidence"),
    [
        ({"principal": "service"}, "does not name the principal"),
        ({"principal": None}, "does not name the principal"),
        ({"objects": ["other"]}, "no record names what was asked for"),
        ({"rules": []}, "by which rule"),
        ({"time": "2026-05-01T14:00:00+00:00"}, "time of the event"),
        ({"time": "2026-05-01T12:00:00"}, "time of the event"),
        ({"time": "noon"}, "time of the event"),
    ],
)
def test_a_record_that_lacks_one_thing_is_none(small, changed, evidence):
    result = judged(small, json.dumps(RECORD), json.dumps(RECORD | changed))
    assert result.outcome is Outcome.VIOLATED
    assert evidence in result.findings[0].evidence
    assert result.findings[0].evidence.endswith("1 of 2")


def test_the_fields_may_bear_other_names_and_hold_one_value(small):
    line = json.dumps({"at": RECORD["time"], "user": "u", "object": "theirs", "rule": "C2"})
    named = {"principal": "user", "time": "at"}
    assert judged(small, line, line, args=named).outcome is Outcome.HELD
    assert judged(small, line, line).outcome is Outcome.VIOLATED


def test_a_trail_that_could_not_be_read_holds_nothing(small):
    result = judged(small, error="unknown_sink")
    assert (result.outcome, result.reason) == (Outcome.UNOBSERVED, "unknown_sink")


def test_without_a_denial_there_is_nothing_to_record(small):
    assert judged(small, allowed=True).outcome is Outcome.UNOBSERVED


def test_an_access_is_one_only_where_the_target_was_shown(small):
    access = {"of": "access"}
    line = json.dumps(RECORD | {"rules": []})
    assert judged(small, line, args=access).reason == "no_access"
    assert judged(small, args=access, allowed=True).outcome is Outcome.VIOLATED
    assert judged(small, line, args=access, allowed=True).outcome is Outcome.HELD


@pytest.mark.parametrize(
    ("call", "outcome"),
    [
        (ToolCall("model", "a question and MINE"), Outcome.HELD),
        (ToolCall("Model", ""), Outcome.HELD),
        (ToolCall("judge", ""), Outcome.VIOLATED),
        (ToolCall("model", "with THEIRS in it"), Outcome.VIOLATED),
    ],
)
def test_only_approved_processors_are_sent_only_what_the_reader_may_see(small, call, outcome):
    def canaries(text, query):
        del query
        return [one for one in ("mine", "theirs") if one.upper() in text]

    trace = small.trace(small.saw(0, {"egress": Seen(calls=(call,))}))
    aids = small.aids("egress", canaries=canaries)
    expectation = small.expectation(small.step("mine"))
    assert processors.check({"allow": ["model"]}, expectation, trace, aids).outcome is outcome


def test_a_silent_tap_of_what_was_sent_holds_nothing(small):
    trace = small.trace(small.saw(0, {"answer": Seen(texts=("x",))}))
    expectation = small.expectation(small.step("mine"))
    found = processors.check({"allow": ["model"]}, expectation, trace, small.aids("egress"))
    assert found.outcome is Outcome.UNOBSERVED


@pytest.mark.parametrize(
    ("cited", "answer", "outcome"),
    [
        (("mine",), "It is 4711. [1]", Outcome.HELD),
        (("other", "mine"), "It is 4711. [2]", Outcome.HELD),
        (("other",), "It is 4711. [1]", Outcome.VIOLATED),
        (("other",), "I do not know.", Outcome.UNOBSERVED),
        (("elsewhere",), "It is 4711.", Outcome.UNOBSERVED),
    ],
)
def test_a_value_is_credited_to_a_source_that_holds_it(small, cited, answer, outcome):
    seen = {
        "context": Seen(("mine", "other"), ("The sum is 4711.", "The sum is reviewed.")),
        "citation": Seen(cited),
        "answer": Seen(texts=(answer,)),
    }
    expectation = replace(small.expectation(small.step("mine", "other")), values={"4711": "mine"})
    trace = small.trace(small.saw(0, seen))
    assert credited.check({}, expectation, trace, small.aids("citation")).outcome is outcome


def clicked(small, check, opened, *, links=("a-link",), allowed=True):
    """An answer that cites `mine`, and a click on it."""
    answered = {"citation": Seen(("mine",), links=links), "context": Seen(("mine",), ("Old.",))}
    steps = [small.step("mine", "other", allowed=allowed)] * 2
    expectation = small.expectation(*steps, target=("mine",), before=[0], followed=[1])
    trace = small.trace(small.saw(0, answered), small.saw(1, {"citation": opened}))
    return check({}, expectation, trace, small.aids("citation")).outcome


def test_what_is_cited_opens_for_the_one_whom_it_was_cited_to(small):
    ok, closed = Seen(("mine",), ("Old.",), status="ok"), Seen(status="not_found")
    assert clicked(small, opens.check, ok) is Outcome.HELD
    assert clicked(small, opens.check, closed) is Outcome.VIOLATED
    assert clicked(small, opens.check, closed, allowed=False) is Outcome.UNOBSERVED
    assert clicked(small, opens.check, closed, links=()) is Outcome.UNOBSERVED


@pytest.mark.parametrize(
    ("opened", "outcome"),
    [
        (Seen(("mine",), ("Old.",), status="ok"), Outcome.HELD),
        (Seen(status="not_found"), Outcome.HELD),
        (Seen(("mine",), ("New.",), status="ok"), Outcome.VIOLATED),
        (Seen(("other",), ("Old.",), status="ok"), Outcome.VIOLATED),
    ],
)
def test_a_click_shows_what_the_answer_was_made_from_or_nothing(small, opened, outcome):
    assert clicked(small, same_as_cited.check, opened) is outcome
