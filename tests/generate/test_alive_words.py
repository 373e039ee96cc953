"""Silence counts only where something that should have shown did show."""

import numpy as np
import pytest

from rageval_kit.generate.family import Word, vocabulary, word_module
from rageval_kit.generate.suite import alive_words
from rageval_kit.records.cases import (
    Expectation,
    Observation,
    Permitted,
    StepExpectation,
    Trace,
)
from rageval_kit.records.target import Seen, Stage
from rageval_kit.records.verdicts import Aids, Outcome

HELD, UNOBSERVED, FAILED = Outcome.HELD, Outcome.UNOBSERVED, Outcome.FAILED
TARGET = Seen(("t",))
OTHER = Seen(("s",))


def saw(step, seen=None, role="twin", part=0, **more):
    taps = {Stage(name): shown for name, shown in (seen or {}).items()}
    return Observation(step, part, role, "u", taps, **more)


@pytest.fixture
def judge():
    def run(name, *observations, args=None, must=("retrieve",), count=None, queries=None, **marks):
        none = Permitted({}, np.zeros(0, dtype=np.bool_))
        steps = {(o.step, o.part): StepExpectation(none, visible_count=count) for o in observations}
        roles = {"target": frozenset("t"), "sibling": frozenset("s")}
        if "relevant" in marks:
            roles["relevant"] = frozenset(map(str, range(marks.pop("relevant"))))
        known = {mark: tuple(at) for mark, at in marks.items()}
        expected = Expectation("c", steps, roles, 0.0, known)
        aids = Aids(frozenset(Stage), tuple(Stage(m) for m in must), None, queries or {})
        result = word_module("alive", name).judge(
            expected, Trace("c", observations), args or {}, aids
        )
        return result.outcome, result.reason

    return run


ELSEWHERE = {
    "clean_copy_answered",  # tests/generate/test_payload_script.py, as the next
    "payload_in_context",
    "index_listed",  # tests/run/test_index_families.py
    "shown",  # tests/generate/test_poison_words.py
}


def test_all_words_are_judged_here():
    assert vocabulary("alive") - ELSEWHERE == {
        "acknowledged",
        "allowed_reader",
        "found_when_in_force",
        "live",
        "relevant_visible",
        "same_reader_before",
        "sibling_found",
    }


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


def test_a_case_without_a_twin_is_alive_by_the_readers_own_sibling(families, made):
    variant = families["ACL-10"]
    names = {
        case.coordinates.twin_id != "": {
            word.name
            for word in alive_words(made["ACL-10"].variants[case.case_id], case.expectation)
        }
        for case in made["ACL-10"].cases
    }
    assert Word("same_reader_before") in variant.alive
    for has_twin, words in names.items():
        assert ("allowed_reader" in words) is has_twin
        assert {"same_reader_before", "acknowledged"} <= words
