"""Two oracles about what should have been found: one's own copy, and what an exact scan finds."""

from dataclasses import replace

import pytest

from rageval_kit.checks import own_copy, recall_against
from rageval_kit.records.cases import Expectation, Observation, Trace
from rageval_kit.records.target import Seen, Stage
from rageval_kit.records.verdicts import Aids, Exact, Outcome
from rageval_kit.stats import upper_bound

COPIES = Expectation("c", {}, {"target": frozenset({"theirs"}), "sibling": frozenset({"mine"})})
AIDS = Aids(frozenset(Stage), (Stage.RETRIEVE,), None, {}, 4)
ARGS = {"is": "exact", "least": 0.8, "at_most": 0.05}


def saw(step, role, **lists):
    seen = {Stage(tap.replace("_", ".")): Seen(tuple(ids)) for tap, ids in lists.items()}
    return Observation(step, 0, role, "u", seen)


@pytest.mark.parametrize(
    ("reader", "twin", "outcome"),
    [
        (["mine", "x"], ["theirs", "mine"], Outcome.HELD),
        (["x"], ["theirs"], Outcome.VIOLATED),
        ([], ["theirs"], Outcome.VIOLATED),
        (["theirs"], ["theirs"], Outcome.VIOLATED),
        (["x"], ["x"], Outcome.UNOBSERVED),
        (["mine"], ["mine"], Outcome.UNOBSERVED),
    ],
)
def test_the_readers_own_copy_must_come_where_the_twin_found_the_other(reader, twin, outcome):
    trace = Trace("c", (saw(0, "reader", retrieve=reader), saw(1, "twin", retrieve=twin)))
    result = own_copy.check({}, COPIES, trace, AIDS)
    assert result.outcome is outcome
    assert [f.item_id for f in result.findings] == (["mine"] if outcome == "violated" else [])


def test_what_a_cache_served_counts_as_found():
    trace = Trace("c", (saw(0, "reader", cache=["mine"]), saw(1, "twin", cache=["theirs"])))
    assert own_copy.check({}, COPIES, trace, AIDS).outcome is Outcome.HELD


def test_a_reader_who_was_shown_no_list_tells_nothing_of_copies():
    trace = Trace("c", (saw(0, "reader", answer=[]), saw(1, "twin", retrieve=["theirs"])))
    assert own_copy.check({}, COPIES, trace, AIDS).outcome is Outcome.UNOBSERVED


SCANNED = replace(COPIES, marks={"compared_reader": (0,), "compared_reference": (1,)})


def told(index, scan):
    trace = Trace("c", (saw(0, "reader", **index), saw(1, "reference", **scan)))
    result = recall_against.check(ARGS, SCANNED, trace, AIDS)
    return result.outcome, dict(result.told)


@pytest.mark.parametrize(
    ("index", "scan", "below"),
    [
        (["a", "b", "c", "d"], ["a", "b", "c", "d"], False),  # 4 of 4
        (["d", "c", "b", "a"], ["a", "b", "c", "d"], False),  # order is no loss
        (["a", "b", "c"], ["a", "b", "c", "d"], True),  # 3 of 4 is 0.75
        (["a", "b", "c", "d"], ["a", "b", "c", "d", "e"], False),  # k is 4
        (["x", "y", "z", "v", "a"], ["a"], True),  # the fifth of a list of four is not found
        ([], ["a"], True),
        (["a", "b"], ["a"], False),
    ],
)
def test_recall_is_the_share_of_the_scans_first_k_that_the_index_found(index, scan, below):
    assert told({"retrieve": index}, {"retrieve": scan}) == (
        Outcome.HELD,
        {"recall_below_0.8": below},
    )


def test_the_poorest_list_counts():
    good, bad = {"retrieve": ["a", "b"]}, {"retrieve": ["a", "b"], "retrieve_dense": ["a"]}
    outcome, said = told(bad | {"retrieve_dense": []}, bad)
    assert (outcome, said) == (Outcome.HELD, {"recall_below_0.8": True})
    assert told(good, good)[1] == {"recall_below_0.8": False}


@pytest.mark.parametrize("scan", [{}, {"retrieve": []}, {"retrieve_dense": ["a"]}])
def test_without_anything_to_compare_with_nothing_is_told(scan):
    assert told({"retrieve": ["a"]}, scan) == (Outcome.UNOBSERVED, {})


def test_a_question_that_is_none_of_the_two_does_not_count():
    observed = (
        saw(0, "reader", retrieve=["a"]),
        saw(1, "reference", retrieve=["a"]),
        saw(2, "reader", retrieve=[]),
    )
    result = recall_against.check(ARGS, SCANNED, Trace("c", observed), AIDS)
    assert result.told == {"recall_below_0.8": False}


@pytest.mark.parametrize(
    ("poor", "n", "outcome"),
    [
        (0, 20, None),
        (1, 20, None),  # 5 % is allowed
        (2, 20, Outcome.UNOBSERVED),  # surely at least 1.8 %: may be 5 %
        (20, 20, Outcome.VIOLATED),  # surely at least 86 %: 0.05 ** (1 / 20)
    ],
)
def test_all_cases_judge_together_by_the_exact_interval(poor, n, outcome):
    exact = Exact(upper_bound, lambda *_: 0.0)
    made = recall_against.together(ARGS, {"recall_below_0.8": (poor, n)}, exact)
    assert (made.outcome if made else None) is outcome
    if outcome is Outcome.VIOLATED:
        assert "20 of 20 cases, at least 86.1%" in made.said


def test_no_case_that_told_anything_is_no_judgement():
    assert recall_against.together(ARGS, {}, Exact(upper_bound, lambda *_: 0.0)) is None
