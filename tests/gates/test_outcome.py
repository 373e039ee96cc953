"""The order of rules.md 2, one case at a time: violated, failed, unobserved, held."""

import itertools

import pytest

from rageval_kit.gates import decide_case
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import CheckResult, Finding, Outcome

HELD = CheckResult("forbidden_document", Outcome.HELD)
LEAK = Finding("forbidden_document", Stage.RETRIEVE, 0, "u-bo", "hr-0042")
VIOLATED = CheckResult("forbidden_document", Outcome.VIOLATED, (LEAK,))
FAILED = CheckResult("canary", Outcome.FAILED, reason="timeout")
UNOBSERVED = CheckResult("canary", Outcome.UNOBSERVED, silent=(Stage.ANSWER,))
TWIN = CheckResult("allowed_reader", Outcome.HELD)
NO_TWIN = CheckResult("allowed_reader", Outcome.UNOBSERVED, reason="not among the first 10")


def late(lag_s):
    return Finding("canary", Stage.CACHE, 2, "u-bo", "hr-0042", lag_s=lag_s)


def decide(results, alive=(TWIN,), **more):
    return decide_case("c1", "ACL-08", results, alive, **more)


@pytest.mark.parametrize(
    "others", list(itertools.product([HELD, FAILED, UNOBSERVED], [TWIN, NO_TWIN, FAILED]))
)
def test_a_seen_leak_is_violated_whatever_else_happened(others):
    result, alive = others
    for order in ([VIOLATED, result], [result, VIOLATED]):
        verdict = decide(order, [alive])
        assert verdict.outcome is Outcome.VIOLATED
        assert verdict.findings == (LEAK,)
        assert verdict.reason == "forbidden_document at retrieve"


def test_an_objection_without_a_finding_is_still_an_objection():
    bare = CheckResult("unchanged", Outcome.VIOLATED, reason="403 is not 404")
    assert decide([bare]).outcome is Outcome.VIOLATED
    assert decide([bare]).reason == "unchanged: 403 is not 404"


def test_a_failed_call_comes_before_a_silent_tap_and_a_dead_twin():
    verdict = decide([FAILED, UNOBSERVED], [NO_TWIN])
    assert verdict.outcome is Outcome.FAILED
    assert verdict.reason == "failed: timeout"


def test_a_failed_call_of_the_twin_fails_the_case():
    dead = CheckResult("allowed_reader", Outcome.FAILED, reason="http_500")
    assert decide([HELD], [dead]).reason == "failed: http_500"


def test_a_silent_tap_is_unobserved_and_named():
    verdict = decide([HELD, UNOBSERVED])
    assert verdict.outcome is Outcome.UNOBSERVED
    assert verdict.reason == "silent: answer"
    assert verdict.stages_silent == (Stage.ANSWER,)


def test_only_a_required_tap_must_speak():
    quiet = CheckResult("canary", Outcome.HELD, silent=(Stage.CITATION,))
    assert decide([quiet], required=[Stage.RETRIEVE]).outcome is Outcome.HELD
    assert decide([quiet], required=[Stage.CITATION]).outcome is Outcome.UNOBSERVED


def test_a_stage_that_was_silent_is_not_listed_as_seen():
    verdict = decide([UNOBSERVED], stages_seen=[Stage.RETRIEVE, Stage.ANSWER])
    assert verdict.stages_seen == (Stage.RETRIEVE,)


def test_nothing_holds_without_a_living_positive():
    verdict = decide([HELD], [NO_TWIN])
    assert verdict.outcome is Outcome.UNOBSERVED
    assert verdict.reason == "twin_failed: allowed_reader not among the first 10"
    assert verdict.twin_ok is False
    without = decide([HELD], [])
    assert without.outcome is Outcome.UNOBSERVED
    assert without.twin_ok is None


@pytest.mark.parametrize("name", ["acknowledged", "live"])
def test_a_probe_that_could_not_fire_is_not_a_denied_reader(name):
    dead = CheckResult(name, Outcome.UNOBSERVED, reason="not confirmed")
    verdict = decide([HELD], [TWIN, dead], probes=[name])
    assert verdict.outcome is Outcome.UNOBSERVED
    assert verdict.reason == f"not_fired: {name} not confirmed"
    assert verdict.twin_ok is True


@pytest.mark.parametrize(
    "results", [[], [CheckResult("canary", Outcome.NOT_APPLICABLE)]], ids=["none", "none_applies"]
)
def test_a_case_at_which_no_oracle_looked_is_not_held(results):
    verdict = decide(results)
    assert verdict.outcome is Outcome.UNOBSERVED
    assert verdict.reason.startswith("nothing_checked")


def test_a_check_that_does_not_apply_takes_nothing_from_one_that_held():
    assert decide([HELD, CheckResult("canary", Outcome.NOT_APPLICABLE)]).outcome is Outcome.HELD


@pytest.mark.parametrize(
    ("lag_s", "outcome"),
    [
        (0.0, Outcome.HELD),
        (59.9, Outcome.HELD),
        (60.0, Outcome.VIOLATED),  # half-open: at the level it is a leak
        (61.0, Outcome.VIOLATED),
        (-1.0, Outcome.VIOLATED),  # before the event: no lag of it
    ],
)
@pytest.mark.parametrize("place", ["lags", "findings"])
def test_a_lag_is_a_note_inside_the_service_level_and_a_leak_from_it_on(lag_s, outcome, place):
    result = (
        CheckResult("canary", Outcome.HELD, lags=(late(lag_s),))
        if place == "lags"
        else CheckResult("canary", Outcome.VIOLATED, (late(lag_s),))
    )
    verdict = decide([HELD, result], service_level_s=60.0)
    assert verdict.outcome is outcome
    if outcome is Outcome.HELD:
        assert verdict.notes == (f"lag: canary at cache {lag_s:g} s after the event, level 60 s",)
        assert verdict.findings == ()


def test_without_a_service_level_there_is_no_lag():
    result = CheckResult("canary", Outcome.HELD, lags=(late(0.0),))
    assert decide([result]).outcome is Outcome.VIOLATED


def test_a_lag_beside_a_leak_stays_a_note():
    verdict = decide(
        [VIOLATED, CheckResult("c", Outcome.HELD, lags=(late(5.0),))], service_level_s=60.0
    )
    assert verdict.findings == (LEAK,)
    assert len(verdict.notes) == 1


def test_a_judge_may_ask_for_review_and_decides_nothing():
    assert decide([HELD], reviews=["answer hints at a layoff"]).notes == (
        "review: answer hints at a layoff",
    )
    assert decide([HELD], reviews=["x"]).outcome is Outcome.HELD
    assert decide([VIOLATED], reviews=["looks fine"]).outcome is Outcome.VIOLATED


def test_bug_040_a_target_that_answers_500_to_everything_is_failed_not_held():
    call = CheckResult("forbidden_document", Outcome.FAILED, reason="http_500")
    twin = CheckResult("allowed_reader", Outcome.FAILED, reason="http_500")
    verdict = decide([call], [twin])
    assert verdict.outcome is Outcome.FAILED
    assert verdict.reason == "failed: http_500"
