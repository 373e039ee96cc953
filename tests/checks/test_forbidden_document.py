"""The leak it catches, the clean trace it passes, and the silence it does not trust."""

from dataclasses import replace

import pytest

from rageval_kit.checks.forbidden_document import check
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Outcome


@pytest.fixture
def judge(small):
    def run(*observations, steps=None, level=0.0, target=("theirs",), stages=None):
        expected = small.expectation(*(steps or [small.step("mine")]), level=level, target=target)
        return check(
            {}, expected, small.trace(*observations), small.aids(stages=stages or tuple(Stage))
        )

    return run


@pytest.mark.parametrize(
    ("ids", "outcome"),
    [
        (("theirs",), Outcome.VIOLATED),
        (("mine", "other"), Outcome.VIOLATED),
        (("mine",), Outcome.HELD),
        ((), Outcome.HELD),  # recorded but empty: the tap spoke
    ],
    ids=["target", "another_forbidden_one", "clean", "recorded_but_empty"],
)
def test_it_objects_to_ids_outside_what_is_permitted(judge, small, ids, outcome):
    result = judge(small.saw(0, {"retrieve": small.ids(*ids)}))
    assert result.outcome is outcome
    assert len(result.findings) == (outcome is Outcome.VIOLATED)


def test_a_tap_that_said_nothing_proves_nothing(judge, small):
    assert judge(small.saw(0, {})).outcome is Outcome.UNOBSERVED
    assert judge().outcome is Outcome.UNOBSERVED


def test_a_tap_that_the_family_does_not_look_at_is_not_looked_at(judge, small):
    seen = small.saw(0, {"rerank.input": small.ids("theirs")})
    assert judge(seen, stages=("retrieve",)).outcome is Outcome.UNOBSERVED


def test_a_call_that_failed_after_showing_it_leaked_all_the_same(judge, small):
    seen = small.saw(0, {"retrieve": small.ids("theirs")}, error="timeout")
    assert judge(seen).outcome is Outcome.VIOLATED
    seen = small.saw(0, {"retrieve": small.ids("mine")}, error="timeout")
    assert judge(seen).outcome is Outcome.UNOBSERVED


def test_it_names_stage_step_reader_and_id(judge, small):
    steps = [small.step("mine"), small.step("mine")]
    (finding,) = judge(small.saw(1, {"context": small.ids("mine", "theirs")}), steps=steps).findings
    assert (finding.stage, finding.step, finding.principal_id, finding.item_id) == (
        Stage.CONTEXT,
        1,
        "u",
        "theirs",
    )


def test_findings_follow_the_path_whatever_the_order_the_target_answers_in(judge, small):
    leak = small.ids("theirs")
    seen = {"answer": leak, "context": leak, "cache": leak, "retrieve": leak}
    stages = [finding.stage for finding in judge(small.saw(0, seen)).findings]
    assert stages == [Stage.RETRIEVE, Stage.CACHE, Stage.CONTEXT, Stage.ANSWER]


def test_an_id_that_the_snapshot_does_not_know_fails_the_check(judge, small):
    result = judge(small.saw(0, {"retrieve": small.ids("mine", "zz", "aa")}))
    assert result.outcome is Outcome.FAILED
    assert "'aa' (2 such)" in result.reason


def test_a_leak_beside_an_unknown_id_is_still_a_leak(judge, small):
    result = judge(small.saw(0, {"retrieve": small.ids("zz", "theirs")}))
    assert result.outcome is Outcome.VIOLATED


@pytest.mark.parametrize(
    ("elapsed", "level", "late"),
    [
        (0.0, 60.0, False),
        (59.999, 60.0, False),
        (60.0, 60.0, True),
        (61.0, 60.0, True),
        (0.0, 0.0, True),
        (None, 60.0, True),
    ],
    ids=["at_once", "just_inside", "at_the_level", "after_it", "no_level", "no_event"],
)
def test_inside_the_service_level_it_is_a_lag_and_from_the_level_on_a_leak(
    judge, small, elapsed, level, late
):
    result = judge(
        small.saw(0, {"retrieve": small.ids("theirs")}),
        steps=[small.step("mine", elapsed=elapsed)],
        level=level,
    )
    assert result.outcome is (Outcome.VIOLATED if late else Outcome.HELD)
    assert [lag.lag_s for lag in result.lags] == ([] if late else [elapsed])


def test_only_what_the_event_took_away_may_lag(judge, small):
    """`other` was forbidden before the event too: no service level excuses it."""
    result = judge(
        small.saw(0, {"retrieve": small.ids("other")}),
        steps=[small.step("mine", elapsed=0.0)],
        level=60.0,
    )
    assert result.outcome is Outcome.VIOLATED


def test_what_went_with_the_target_may_lag_too(judge, small):
    """A folder's change takes all that lies in it: each waits for the same event."""
    step = small.step("mine", elapsed=0.0)
    before = small.step("mine", "theirs", "other").permitted
    result = judge(
        small.saw(0, {"retrieve": small.ids("other")}),
        steps=[replace(step, earlier=before)],
        level=60.0,
    )
    assert result.outcome is Outcome.HELD
    assert [lag.lag_s for lag in result.lags] == [0.0]


def test_each_step_has_its_own_permission(judge, small):
    steps = [small.step("mine", "theirs"), small.step("mine")]
    shown = {"retrieve": small.ids("theirs")}
    assert judge(small.saw(0, shown), steps=steps).outcome is Outcome.HELD
    assert judge(small.saw(1, shown), steps=steps).outcome is Outcome.VIOLATED


def test_it_looks_at_twins_and_owners_too(judge, small):
    seen = small.saw(0, {"retrieve": small.ids("theirs")}, role="twin")
    assert judge(seen).outcome is Outcome.VIOLATED


def test_ids_that_a_reader_is_shown_are_judged_at_any_tap_and_unknown_ones_at_the_familys_alone(
    judge, small
):
    def at(tap, item):
        return judge(small.saw(0, {tap: small.ids(item)}), stages=("retrieve",)).outcome

    assert at("citation", "theirs") is Outcome.VIOLATED
    assert at("citation", "zz") is Outcome.UNOBSERVED
    assert at("context", "theirs") is Outcome.UNOBSERVED
    assert at("retrieve", "zz") is Outcome.FAILED
