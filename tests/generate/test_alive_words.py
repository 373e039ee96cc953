"""Silence counts only where something that should have shown did show."""

import re
from pathlib import Path

import numpy as np
import pytest

from rageval_kit.generate.family import vocabulary, word_module
from rageval_kit.records.cases import (
    Choice,
    Expectation,
    Observation,
    Option,
    Permitted,
    StepExpectation,
    Trace,
)
from rageval_kit.records.target import Indexed, Seen, Stage
from rageval_kit.records.verdicts import Aids, Outcome

HELD, UNOBSERVED, FAILED = Outcome.HELD, Outcome.UNOBSERVED, Outcome.FAILED
TARGET = Seen(("t",))
OTHER = Seen(("s",))


def saw(step, seen=None, role="twin", part=0, **more):
    taps = {Stage(name): shown for name, shown in (seen or {}).items()}
    return Observation(step, part, role, "u", taps, **more)


@pytest.fixture
def judge():
    def run(
        name,
        *observations,
        args=None,
        must=("retrieve",),
        count=None,
        queries=None,
        choices=None,
        **marks,
    ):
        none = Permitted({}, np.zeros(0, dtype=np.bool_))
        steps = {(o.step, o.part): StepExpectation(none, visible_count=count) for o in observations}
        roles = {"target": frozenset("t"), "sibling": frozenset("s")}
        if "relevant" in marks:
            roles["relevant"] = frozenset(map(str, range(marks.pop("relevant"))))
        known = {mark: tuple(at) for mark, at in marks.items()}
        expected = Expectation("c", steps, roles, 0.0, known, choices=choices or {})
        aids = Aids(frozenset(Stage), tuple(Stage(m) for m in must), None, queries or {})
        result = word_module("alive", name).judge(
            expected, Trace("c", observations), args or {}, aids
        )
        return result.outcome, result.reason

    return run


def test_all_words_are_judged_here_or_with_the_payloads():
    here, there = (
        path.read_text(encoding="utf-8")
        for path in (Path(__file__), Path(__file__).with_name("test_payload_script.py"))
    )
    left = {word for word in vocabulary("alive") if not re.search(rf'\(\s*"{word}"[,)]', here)}
    assert {word for word in left if not re.search(rf"judged\(\s*{word}\b", there)} == set()


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        ({"retrieve": TARGET}, (HELD, "")),
        ({"retrieve": OTHER}, (UNOBSERVED, "twin_failed")),
        ({"retrieve": Seen()}, (UNOBSERVED, "twin_failed")),
        ({"answer": TARGET}, (UNOBSERVED, "twin_silent")),
        ({}, (UNOBSERVED, "twin_silent")),
        ({"cache": TARGET}, (HELD, "")),
        ({"cache": OTHER}, (UNOBSERVED, "twin_failed")),
        ({"retrieve": OTHER, "cache": TARGET}, (UNOBSERVED, "twin_failed")),
    ],
    ids=["found", "not_found", "empty", "other_tap", "silent", "cached", "cached_other", "both"],
)
def test_the_twin_must_find_the_target(judge, seen, expected):
    assert judge("allowed_reader", saw(1, seen), twin=[1]) == expected


def test_a_twin_that_never_asked_is_no_living_positive(judge):
    assert judge("allowed_reader", saw(0, {"retrieve": TARGET}, "reader"), twin=[1])[0] is (
        UNOBSERVED
    )
    assert judge("allowed_reader")[0] is UNOBSERVED


def test_a_failed_call_of_the_twin_is_a_failure(judge):
    dead = saw(1, {"retrieve": TARGET}, error="timeout")
    assert judge("allowed_reader", dead, twin=[1]) == (FAILED, "timeout")


def test_every_question_of_the_twin_counts(judge):
    good, bad = saw(1, {"retrieve": TARGET}), saw(2, {"retrieve": OTHER})
    assert judge("allowed_reader", good, bad, twin=[1, 2]) == (UNOBSERVED, "twin_failed")


def test_where_the_family_is_about_an_arm_the_twin_must_find_it_there(judge):
    seen = saw(1, {"retrieve.sparse": OTHER, "retrieve": TARGET})
    assert judge("allowed_reader", seen, must=["retrieve.sparse"], twin=[1]) == (
        UNOBSERVED,
        "twin_failed",
    )


def test_the_service_account_is_asked_in_its_own_name(judge):
    twin = saw(1, {"retrieve": TARGET})
    service = saw(2, {"retrieve": OTHER}, role="service")
    marks = {"twin": [1], "service": [2]}
    assert judge("allowed_reader", twin, service, **marks)[0] is HELD
    assert judge("allowed_reader", twin, service, args={"as": "service"}, **marks) == (
        UNOBSERVED,
        "twin_failed",
    )


def test_by_opening_the_handle_must_show_the_target(judge):
    args = {"by": "open"}
    opened = Seen(("t",), ("text",), status="ok")
    assert judge("allowed_reader", saw(1, {"citation": opened}), args=args, twin=[1])[0] is HELD
    closed = Seen(status="not_found")
    assert judge("allowed_reader", saw(1, {"citation": closed}), args=args, twin=[1]) == (
        UNOBSERVED,
        "twin_failed",
    )


@pytest.mark.parametrize(("count", "outcome"), [(1, HELD), (0, UNOBSERVED), (None, UNOBSERVED)])
def test_by_counting_the_twin_must_be_told_of_something(judge, count, outcome):
    seen = saw(1, {"suggest": Seen(count=count)})
    assert judge("allowed_reader", seen, args={"by": "count"}, count=1, twin=[1])[0] is outcome


@pytest.mark.parametrize(
    ("answer", "cited", "reason"),
    [
        ("The allowance is 420 euros.", TARGET, ""),
        ("", TARGET, "twin_not_answered"),
        ("what is the allowance?", TARGET, "twin_not_answered"),
        ("WHAT IS THE ALLOWANCE", TARGET, "twin_not_answered"),
        ("The allowance is 420 euros.", OTHER, "twin_not_answered"),
    ],
    ids=["answered", "empty", "echoed", "echoed_otherwise", "cites_another"],
)
def test_by_answer_more_must_come_back_than_the_question(judge, answer, cited, reason):
    seen = {"retrieve": TARGET, "answer": Seen(texts=(answer,)), "citation": cited}
    found = judge(
        "allowed_reader",
        saw(1, seen),
        args={"by": "answer"},
        queries={(1, 0): "what is the allowance?"},
        twin=[1],
    )
    assert found == (UNOBSERVED if reason else HELD, reason)


def test_many_at_once_each_twin_must_be_served_something(judge):
    served = [saw(0, {"retrieve": OTHER}, part=part) for part in (0, 2)]
    assert judge("allowed_reader", *served, together=[0])[0] is HELD
    starved = saw(0, {"retrieve": Seen()}, part=4)
    assert judge("allowed_reader", *served, starved, together=[0]) == (UNOBSERVED, "twin_failed")


@pytest.mark.parametrize(
    ("acknowledged", "expected"),
    [
        ([True, True, None], (HELD, "")),
        ([True, False, True], (UNOBSERVED, "not_acknowledged")),
        ([], (HELD, "")),
    ],
)
def test_every_change_must_have_been_confirmed(judge, acknowledged, expected):
    seen = [saw(i, role="kit", acknowledged=said) for i, said in enumerate(acknowledged)]
    assert judge("acknowledged", *seen) == expected


def test_why_a_change_was_not_taken_is_told(judge):
    refused = saw(0, role="kit", acknowledged=False, detail="KeyError: 'doc-1'")
    assert judge("acknowledged", refused)[1] == "not_acknowledged (KeyError: 'doc-1')"


@pytest.mark.parametrize(
    ("seen", "outcome"),
    [
        ({"retrieve": TARGET}, HELD),
        ({"retrieve": OTHER}, UNOBSERVED),
        ({"retrieve": OTHER, "citation": TARGET}, UNOBSERVED),
        ({"citation": TARGET}, HELD),
        ({}, UNOBSERVED),
    ],
    ids=["found", "not_found", "only_cited", "opened", "silent"],
)
def test_the_reader_must_have_found_it_before_the_event(judge, seen, outcome):
    before = saw(0, seen, "reader")
    after = saw(2, {"retrieve": TARGET}, "reader")
    assert judge("same_reader_before", before, after, before=[0])[0] is outcome


def test_a_failed_first_question_is_a_failure(judge):
    assert judge("same_reader_before", saw(0, error="http_500"), before=[0]) == (
        FAILED,
        "http_500",
    )


@pytest.mark.parametrize(
    ("seen", "outcome"),
    [({"retrieve": OTHER}, HELD), ({"retrieve": TARGET}, UNOBSERVED), ({}, UNOBSERVED)],
    ids=["found", "not_found", "silent"],
)
def test_the_reader_must_find_its_sibling(judge, seen, outcome):
    assert judge("sibling_found", saw(3, seen, "reader"), sibling=[3])[0] is outcome
    assert judge("sibling_found", saw(3, error="timeout"), sibling=[3]) == (FAILED, "timeout")


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (Seen(), TARGET, (HELD, "")),
        (Seen(), Seen(), (UNOBSERVED, "cache_never_hit")),
        (TARGET, Seen(), (UNOBSERVED, "cache_never_hit")),
        (None, None, (UNOBSERVED, "cache_silent")),
    ],
    ids=["hit", "never", "not_the_second_time", "silent"],
)
def test_the_cache_must_have_answered_its_owner_the_second_time(judge, first, second, expected):
    seen = [
        saw(step, {} if shown is None else {"cache": shown}, "owner")
        for step, shown in ((2, first), (3, second))
    ]
    assert judge("live", *seen, args={"is": "cache"}, live=[2, 3]) == expected


@pytest.mark.parametrize(
    ("lines", "outcome"), [(("a line",), HELD), ((), UNOBSERVED), (("", " "), UNOBSERVED)]
)
def test_the_log_must_have_lines(judge, lines, outcome):
    seen = saw(1, {"log": Seen(texts=lines)}, "operator")
    assert judge("live", seen, args={"is": "log"}, read=[1])[0] is outcome


@pytest.mark.parametrize(("relevant", "outcome"), [(10, HELD), (9, UNOBSERVED)])
def test_there_must_have_been_enough_to_find(judge, relevant, outcome):
    args = {"is": 10}
    assert judge("relevant_visible", args=args, relevant=relevant)[0] is outcome


@pytest.mark.parametrize(
    ("seen", "outcome"),
    [
        ({"retrieve": TARGET}, HELD),
        ({"cache": TARGET}, HELD),
        ({"retrieve": OTHER}, UNOBSERVED),
        ({"citation": TARGET}, UNOBSERVED),
        ({}, UNOBSERVED),
    ],
    ids=["found", "cached", "not_found", "only_cited", "silent"],
)
def test_it_must_have_been_found_while_it_was_in_force(judge, seen, outcome):
    assert judge("found_when_in_force", saw(0, seen), in_force=[0])[0] is outcome
    assert judge("found_when_in_force", saw(1, {"retrieve": TARGET}), in_force=[0])[0] is UNOBSERVED
    assert judge("found_when_in_force", saw(0, error="timeout"), in_force=[0]) == (
        FAILED,
        "timeout",
    )


def test_each_listing_of_the_index_must_hold_something(judge):
    full, empty = saw(0, inventory=(Indexed("t"),)), saw(3)
    assert judge("index_listed", full, inventory=[0]) == (HELD, "")
    assert judge("index_listed", full, empty, inventory=[0, 3]) == (UNOBSERVED, "index_empty")
    assert judge("index_listed", full, inventory=[7]) == (UNOBSERVED, "index_empty")


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        ({"retrieve": TARGET}, (HELD, "")),
        ({"cache": TARGET}, (HELD, "")),
        ({"retrieve": OTHER}, (UNOBSERVED, "target not shown to the author")),
        ({"answer": TARGET}, (UNOBSERVED, "silent")),
    ],
    ids=["found", "cached", "not_found", "silent"],
)
def test_what_is_named_must_have_been_shown_to_whom_it_names(judge, seen, expected):
    args = {"is": "target", "to": "author"}
    stranger = saw(0, {"retrieve": TARGET}, "reader")
    assert judge("shown", stranger, saw(1, seen, "author"), args=args) == expected
    assert judge("shown", saw(1, seen, "author", error="dns"), args=args) == (FAILED, "dns")


@pytest.mark.parametrize(
    ("word", "mark", "tap", "reason"),
    [
        ("link_opened", "followed", "citation", "no link opened the target"),
        ("warmed", "warm", "retrieve", "nothing_was_kept"),
    ],
)
def test_what_came_before_must_have_reached_the_target(judge, word, mark, tap, reason):
    """At a step that is marked and at its own tap, be it the last that does."""
    marks = {mark: [1, 2]}
    missed, found = saw(1, {tap: OTHER}), saw(2, {tap: TARGET})
    assert judge(word, missed, found, **marks) == (HELD, "")
    for seen in (missed, saw(1, {"answer": TARGET}), saw(1), saw(3, {tap: TARGET})):
        assert judge(word, seen, **marks) == (UNOBSERVED, reason)
    assert judge(word) == (UNOBSERVED, reason)
    assert judge(word, saw(1, {tap: TARGET}, error="timeout"), **marks) == (FAILED, "timeout")


LINK = Seen(links=("token-1",))
SIGNED = {"signed": [0], "borne": [1], "elsewhere": [2]}


@pytest.mark.parametrize(
    ("signed", "borne", "elsewhere", "expected"),
    [
        (LINK, {"retrieve": TARGET}, {"retrieve": OTHER}, (HELD, "")),
        (LINK, {"cache": TARGET}, {"retrieve": OTHER}, (HELD, "")),
        (Seen(), {"retrieve": TARGET}, {"retrieve": OTHER}, (UNOBSERVED, "no_token")),
        (LINK, {"retrieve": OTHER}, {"retrieve": OTHER}, (UNOBSERVED, "target_not_found")),
        (LINK, {"retrieve": TARGET}, {"retrieve": TARGET}, (UNOBSERVED, "sibling_not_found")),
        (LINK, {}, {"retrieve": OTHER}, (UNOBSERVED, "target_not_found")),
    ],
    ids=["works", "cached", "no_token", "shows_no_target", "shows_no_sibling", "silent"],
)
def test_a_good_token_must_show_what_it_is_good_for(judge, signed, borne, elsewhere, expected):
    seen = saw(0, {"answer": signed}), saw(1, borne), saw(2, elsewhere)
    outcome, reason = judge("token_works", *seen, **SIGNED)
    assert (outcome, reason.removesuffix("_with_token")) == expected


def test_where_nobody_signed_on_or_a_call_failed_no_token_worked(judge):
    assert judge("token_works", saw(1, {"retrieve": TARGET}), borne=[1])[0] is UNOBSERVED
    failed = saw(0, {"answer": LINK}, error="http_500")
    assert judge("token_works", failed, **SIGNED) == (FAILED, "http_500")


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        ({"context": TARGET}, (HELD, "")),
        ({"cache": TARGET}, (HELD, "")),
        ({"retrieve": TARGET, "context": OTHER}, (UNOBSERVED, "nothing_beside_a_hit")),
        ({"retrieve": TARGET}, (UNOBSERVED, "nothing_beside_a_hit")),
    ],
    ids=["given", "cached", "not_given", "no_context_shown"],
)
def test_the_twin_must_be_given_what_stands_beside_a_hit(judge, seen, expected):
    assert judge("neighbour_given", saw(1, seen)) == expected
    assert judge("neighbour_given", saw(1, seen, "reader"))[0] is UNOBSERVED
    assert judge("neighbour_given", saw(1, seen, error="timeout")) == (FAILED, "timeout")


@pytest.mark.parametrize(
    ("mine", "again", "expected"),
    [
        ({"retrieve": TARGET}, {"retrieve": TARGET}, (HELD, "")),
        ({"retrieve": TARGET}, {"retrieve": OTHER}, (UNOBSERVED, "noise ids")),
        ({"retrieve": TARGET}, {}, (UNOBSERVED, "shown_once")),
        ({"retrieve": TARGET}, {"answer": TARGET}, (UNOBSERVED, "shown_once")),
    ],
    ids=["equal", "noisy", "silent", "another_tap"],
)
def test_the_same_world_must_have_looked_the_same_twice(judge, mine, again, expected):
    marks = {"compared": [0], "again": [4]}
    seen = saw(0, mine, "reader"), saw(4, again, "again")
    assert judge("same_twice", *seen, args={"is": ["ids"]}, **marks) == expected
    assert judge("same_twice", seen[0], args={"is": ["ids"]}, **marks)[0] is UNOBSERVED


CHOICE = Choice((Option("A", (("emerald",),)), Option("B", (("heron",),))), right=1)


@pytest.mark.parametrize(
    ("twin", "nowhere", "expected"),
    [
        ("B", "A", (HELD, "")),
        ("The heron.", "I cannot say.", (HELD, "")),
        ("", "A", (UNOBSERVED, "twin_not_answered")),
        ("B", "", (UNOBSERVED, "nowhere_not_answered")),
    ],
)
def test_both_control_questions_must_have_been_answered_however(judge, twin, nowhere, expected):
    marks = {"twin": [1], "nowhere": [2]}
    seen = [saw(n, {"answer": Seen(texts=(said,))}) for n, said in ((1, twin), (2, nowhere))]
    choices = {"topic": CHOICE, "nowhere": CHOICE}
    assert judge("choice_controls", *seen, choices=choices, **marks) == expected
    assert judge("choice_controls", choices=choices)[0] is UNOBSERVED
    failed = saw(1, error="timeout")
    assert judge("choice_controls", failed, choices=choices, **marks) == (FAILED, "timeout")
