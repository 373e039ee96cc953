"""One decision per run: what fails it, in which order, and that the words bear it out."""

import dataclasses
import itertools

import pytest

from rageval_kit.gates import GatePolicy, decide_run, load_policy, worst
from rageval_kit.gates.shown import shown
from rageval_kit.records.decisions import (
    ControlResult,
    FamilyResult,
    GateKind,
    MetricResult,
    RunOutcome,
)
from rageval_kit.records.verdicts import CountsAs, Severity

POLICY = GatePolicy()
TITLE = {"en": "t", "zh": "题"}
CLEAN = FamilyResult(
    "ACL-01", TITLE, Severity.CRITICAL, CountsAs.SECURITY, planned=3, held=3, required=True
)
LEAKING = dataclasses.replace(CLEAN, held=2, violated=1)
UNSEEN = dataclasses.replace(CLEAN, held=2, unobserved=1, reasons={"silent": 1})


def metric(value, low=None, high=None, n=10, total=10, name="recall@10", reasons=None):
    return MetricResult(name, {}, value, low, high, n, total, reasons or {})


def at_least(value, **more):
    return load_policy({"thresholds": {"q": {"metric": "recall@10", "at_least": value, **more}}})


def decide(families=(CLEAN,), metrics=(), policy=POLICY, calls=6, answered=6, **more):
    return decide_run(policy, families, metrics, calls=calls, calls_answered=answered, **more)


def gate(decision, name):
    return next(one for one in decision.gates if one.gate == name)


def test_a_clean_run_passes_with_no_reason():
    decision = decide()
    assert (decision.outcome, decision.exit_code, decision.reasons) == (RunOutcome.PASS, 0, ())
    assert all(one.met for one in decision.gates)


@pytest.mark.parametrize("severity", [Severity.CRITICAL, Severity.HIGH])
def test_one_violation_of_critical_or_high_fails_with_3(severity):
    decision = decide([dataclasses.replace(LEAKING, severity=severity)])
    assert (decision.outcome, decision.exit_code) == (RunOutcome.FAIL, 3)
    assert decision.reasons == (f"security: 1 violation in ACL-01 ({severity})",)


def test_a_medium_violation_counts_by_policy_and_is_told_in_any_case():
    medium = dataclasses.replace(LEAKING, severity=Severity.MEDIUM)
    lenient = decide([CLEAN, medium])
    assert lenient.exit_code == 0
    assert gate(lenient, "security").reasons == ("reported only: 1 violation in ACL-01 (medium)",)
    strict = load_policy({"security": {"severities": ["critical", "high", "medium"]}})
    assert decide([CLEAN, medium], policy=strict).exit_code == 3


@pytest.mark.parametrize("held", [99, 9_999])
def test_bug_042_no_average_offsets_a_violation(held):
    leaking = dataclasses.replace(CLEAN, planned=held + 1, held=held, violated=1)
    decision = decide([leaking], [metric(0.99, total=10)], at_least(0.8))
    assert (decision.outcome, decision.exit_code) == (RunOutcome.FAIL, 3)


def test_bug_042_every_gate_that_fails_is_among_the_reasons():
    # 18 of 20 tests reach .8: the share is .9, and all were asked for.
    decision = decide([LEAKING], [metric(0.9, n=20, total=20)], at_least(1.0))
    assert decision.exit_code == 3
    assert decision.reasons == (
        "security: 1 violation in ACL-01 (critical)",
        "q: recall@10 is 0.90, below 1",
    )


def test_bug_040_500_for_every_call_is_incomplete_with_nothing_measured():
    broken = dataclasses.replace(CLEAN, held=0, failed=3, reasons={"failed: http_500": 3})
    decision = decide([broken])  # six replies came, each of them 500
    assert (decision.outcome, decision.exit_code) == (RunOutcome.INCOMPLETE, 4)
    assert gate(decision, "security").value is None
    assert gate(decision, "security").shown == "not measured"
    assert gate(decision, "completeness").shown == "0 of 3 cases decided"
    assert "failed: http_500 3" in " ".join(decision.reasons)


def test_a_target_that_never_answered_is_infrastructure():
    broken = dataclasses.replace(CLEAN, held=0, failed=3)
    decision = decide([broken], answered=0)
    assert (decision.outcome, decision.exit_code) == (RunOutcome.FAIL, 5)
    assert "infrastructure: the target answered none of 6 calls" in decision.reasons


def test_a_crash_of_the_kit_is_infrastructure():
    decision = decide(crash="disk full")
    assert decision.exit_code == 5
    assert decision.reasons == ("infrastructure: the kit failed: disk full",)


@pytest.mark.parametrize(
    "families",
    [
        [],
        [dataclasses.replace(CLEAN, planned=0, held=0)],
        [dataclasses.replace(CLEAN, planned=0, held=0, required=False)],
        [dataclasses.replace(CLEAN, planned=3, held=0)],
        [dataclasses.replace(CLEAN, planned=0, held=0, not_applicable="no citation tap")],
    ],
    ids=["no_family", "no_case", "no_case_not_required", "none_executed", "not_applicable"],
)
def test_bug_041_a_run_that_executed_nothing_is_incomplete(families):
    decision = decide(families, calls=0, answered=0)
    assert (decision.outcome, decision.exit_code) == (RunOutcome.INCOMPLETE, 4)
    assert any("nothing was executed" in reason for reason in decision.reasons)


def test_bug_041_a_required_family_that_did_not_run_blocks_beside_one_that_did():
    absent = dataclasses.replace(
        CLEAN, family="CAC-01", planned=0, held=0, not_applicable="no cache tap"
    )
    decision = decide([CLEAN, absent])
    assert decision.exit_code == 4
    assert decision.reasons == ("completeness: required family CAC-01 was not run: no cache tap",)
    assert decide([CLEAN, dataclasses.replace(absent, required=False)]).exit_code == 0


def test_one_unobserved_case_of_a_required_family_is_too_many_by_default():
    decision = decide([UNSEEN])
    assert decision.exit_code == 4
    assert decision.reasons == (
        "completeness: required family ACL-01: 1 of 3 undecided (0.33 > 0): 1 unobserved, silent 1",
    )
    assert decide([dataclasses.replace(UNSEEN, required=False)]).exit_code == 0


def test_an_allowance_may_be_given_to_one_family():
    policy = load_policy({"completeness": {"allowances": {"ACL-01": 0.4}}})
    assert decide([UNSEEN], policy=policy).exit_code == 0
    assert decide([dataclasses.replace(UNSEEN, family="ACL-02")], policy=policy).exit_code == 4


def test_bug_019_crashed_runs_stay_in_the_denominator():
    crashed = dataclasses.replace(CLEAN, planned=50, held=1)  # 49 left no verdict at all
    decision = decide([crashed])
    assert decision.exit_code == 4
    assert "49 of 50 undecided (0.98 > 0): 49 not executed" in decision.reasons[0]
    assert gate(decision, "completeness").value == pytest.approx(0.02)


def test_bug_018_low_coverage_is_incomplete_though_the_mean_is_above_the_threshold():
    result = metric(0.7, n=2, total=3, reasons={"failed: unparsable": 1})
    decision = decide(metrics=[result], policy=at_least(0.6))
    assert gate(decision, "q").met
    assert (decision.outcome, decision.exit_code) == (RunOutcome.INCOMPLETE, 4)
    assert decision.reasons == (
        (
            "completeness: recall@10 (twins): 2 of 3 queries scored, coverage 0.67 < 0.9 "
            "(failed: unparsable 1)"
        ),
    )


def test_bug_020_rate_limited_queries_lower_coverage_not_the_value():
    result = metric(2 / 3, n=3, total=4, reasons={"blocked: rate_limited": 1})
    decision = decide(metrics=[result])
    assert (
        "3 of 4 queries scored, coverage 0.75 < 0.9 (blocked: rate_limited 1)"
        in (decision.reasons[0])
    )


def test_coverage_of_exactly_the_least_share_is_enough():
    assert decide(metrics=[metric(0.9, n=27, total=30)]).exit_code == 0  # .9 of 30


def test_queries_of_which_the_metric_asks_nothing_leave_its_coverage():
    result = metric(0.9, n=5, total=10, reasons={"undefined: no document is judged relevant": 5})
    assert decide(metrics=[result]).exit_code == 0
    nothing = metric(None, n=0, total=10, reasons={"undefined: no document is judged relevant": 10})
    assert decide(metrics=[nothing]).exit_code == 4


def test_bug_043_the_value_is_shown_with_digits_that_justify_the_outcome():
    decision = decide(metrics=[metric(0.8999)], policy=at_least(0.9))
    assert decision.exit_code == 1
    assert gate(decision, "q").shown == "0.8999"
    assert decision.reasons == ("q: recall@10 is 0.8999, below 0.9",)


@pytest.mark.parametrize(
    ("value", "threshold", "text"),
    [
        (0.8999, 0.9, "0.8999"),
        (0.9, 0.9, "0.90"),
        (0.85, 0.9, "0.85"),
        (0.9000001, 0.9, "0.9000001"),
        (-0.0004, 0.0, "-0.0004"),
        (0.899999999999, 0.9, "0.899999999999"),
        (1.0, 0.9, "1.00"),
        (165.0, 100.0, "165.00"),
    ],
)
def test_bug_043_a_shown_value_never_contradicts_its_outcome(value, threshold, text):
    assert shown(value, threshold) == text


def test_a_threshold_may_hold_the_end_of_the_interval():
    result = metric(0.85, low=0.79, high=0.9)
    assert decide(metrics=[result], policy=at_least(0.8)).exit_code == 0
    decision = decide(metrics=[result], policy=at_least(0.8, estimate="low"))
    assert decision.exit_code == 1
    assert decision.reasons == ("q: low end of the interval of recall@10 is 0.79, below 0.8",)


def test_a_value_at_the_threshold_is_met():
    assert decide(metrics=[metric(0.8)], policy=at_least(0.8)).exit_code == 0


def test_what_was_not_measured_is_incomplete_never_met():
    assert decide(policy=at_least(0.0)).exit_code == 4
    unscored = metric(None, n=0, total=4, reasons={"failed: timeout": 4})
    assert decide(metrics=[unscored], policy=at_least(0.0)).exit_code == 4
    no_interval = metric(0.5)
    decision = decide(metrics=[no_interval], policy=at_least(0.1, estimate="low"))
    assert decision.exit_code == 4
    assert "has no interval" in decision.reasons[0]


def test_a_gate_on_a_metric_nobody_asked_for_is_named_and_leaves_the_run_alone():
    decision = decide(policy=at_least(0.8, required=False))
    assert decision.exit_code == 0
    assert decision.reasons == ("not applied: q, this run did not measure recall@10",)
    assert all(one.gate != "q" for one in decision.gates)


def test_the_decision_table_of_k11():
    """A budget of 100 ms fails Hybrid + Rerank (165 ms); sufficiency >= .8 fails all three."""
    policy = load_policy(
        {
            "thresholds": {
                "budget": {"metric": "p95_ms", "at_most": 100, "ratio": False},
                "sufficient": {"metric": "sufficiency", "at_least": 0.8},
            }
        }
    )
    table = {"bm25": (45, 0.55), "dense": (70, 0.60), "hybrid_rerank": (165, 0.71)}
    failed = {}
    for system, (latency, sufficiency) in table.items():
        decision = decide(
            metrics=[metric(latency, name="p95_ms"), metric(sufficiency, name="sufficiency")],
            policy=policy,
        )
        assert decision.exit_code == 1
        failed[system] = {one.gate for one in decision.gates if not one.met}
    assert failed == {
        "bm25": {"sufficient"},
        "dense": {"sufficient"},
        "hybrid_rerank": {"budget", "sufficient"},
    }


def test_starvation_is_availability_not_security():
    starving = dataclasses.replace(
        LEAKING, family="RNK-03", severity=Severity.HIGH, counts_as=CountsAs.AVAILABILITY
    )
    decision = decide([CLEAN, starving])
    assert (decision.outcome, decision.exit_code) == (RunOutcome.FAIL, 1)
    assert decision.reasons == ("starvation: 1 of 3 violated in RNK-03",)
    assert gate(decision, "starvation").kind is GateKind.AVAILABILITY


def test_a_target_that_denies_everyone_is_told_as_over_denial():
    denied = dataclasses.replace(
        CLEAN, held=0, unobserved=3, reasons={"twin_failed: allowed_reader": 3}
    )
    decision = decide([denied])
    assert decision.exit_code == 4  # incomplete comes before availability
    assert gate(decision, "over_denial").value == 1.0
    assert "over_denial: 3 of 3 permitted readers left without in ACL-01" in decision.reasons


def test_what_no_reader_asks_does_not_dilute_the_share_of_denied_readers():
    """1 of 4 readers is 0.25, not 1 of 20 with 16 files beside them."""
    denied = dataclasses.replace(
        CLEAN, planned=4, unobserved=1, reasons={"twin_failed: allowed_reader": 1}
    )
    files = dataclasses.replace(CLEAN, family="LOG-06", planned=16, held=16, has_readers=False)
    assert gate(decide([denied, files]), "over_denial").value == 0.25


def test_a_control_counted_elsewhere_is_told_and_decides_nothing():
    twins = ControlResult("CTL-01", TITLE, met=False, n=1, n_total=2, is_gated=False)
    assert decide(controls=[twins]).exit_code == 0


def test_a_control_that_is_not_met_leaves_the_suite_without_proof():
    blind = ControlResult("CTL-04", TITLE, met=False, n=16, n_total=17, detail="hex 0/8")
    decision = decide(controls=[blind])
    assert decision.exit_code == 4
    assert decision.reasons == ("completeness: control CTL-04 not met: hex 0/8",)
    assert decide(controls=[dataclasses.replace(blind, met=None)]).exit_code == 0


def test_if_several_gates_fail_the_code_is_3_then_5_then_4_then_1():
    causes = {3: LEAKING, 4: UNSEEN}
    for codes in itertools.chain.from_iterable(
        itertools.combinations((3, 5, 4, 1), size) for size in (1, 2, 3, 4)
    ):
        families = [
            dataclasses.replace(CLEAN, family="X"),
            *(causes[code] for code in codes if code in causes),
        ]
        decision = decide(
            families,
            [metric(0.1 if 1 in codes else 0.9)],
            at_least(0.8),
            crash="broken" if 5 in codes else "",
        )
        assert decision.exit_code == codes[0]


def test_bug_045_exit_codes_of_a_decision():
    assert decide().exit_code == 0
    assert decide(metrics=[metric(0.1)], policy=at_least(0.8)).exit_code == 1
    assert decide([LEAKING]).exit_code == 3
    assert decide(answered=0).exit_code == 5


def test_a_sweep_is_as_bad_as_its_worst_run_and_a_missing_one_is_5():
    passed, low = decide(), decide(metrics=[metric(0.1)], policy=at_least(0.8))
    unseen, leaking = decide([UNSEEN]), decide([LEAKING])
    assert worst([passed, passed]) == 0
    assert worst([passed, low]) == 1
    assert worst([low, unseen]) == 4
    assert worst([unseen, None]) == 5
    assert worst([None, leaking]) == 3
    assert worst([]) == 5
    assert worst([passed, dataclasses.replace(passed, exit_code=99)]) == 5
