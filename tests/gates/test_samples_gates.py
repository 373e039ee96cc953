"""What judged questions add to a decision: shares, advice, strata, and results not permitted."""

import dataclasses

import pytest

from rageval_kit.gates import decide_run, load_policy
from rageval_kit.records.decisions import MetricResult, SamplesResult, StratumResult
from rageval_kit.records.faults import InputError

TEXT = {"en": "t", "zh": "题"}
NDCG = MetricResult("ndcg@3", TEXT, 0.7, 0.6, 0.8, 10, 10, shares={"0.8": 0.6})
ASKED = SamplesResult(
    "s.jsonl", "d", 10, "document", 10, n_answered=10, n_scored=10, n_looked_at=10
)
FINANCE = StratumResult("dep", "finance", NDCG.metric, 10, 10, 0.5, 0.4, 0.6)
HR = StratumResult("dep", "hr", NDCG.metric, 1, 1, 1.0, note="too_few")


def decide(thresholds=None, metrics=(NDCG,), samples=ASKED):
    policy = load_policy({"thresholds": thresholds or {}})
    return decide_run(policy, (), metrics, calls=10, calls_answered=10, samples=samples)


def gate(decision, name):
    return next(one for one in decision.gates if one.gate == name)


def above(at_least, **more):
    return {
        "metric": "ndcg@3",
        "estimate": "share_above",
        "above": 0.8,
        "at_least": at_least,
        **more,
    }


def test_the_share_of_queries_above_a_value_is_held_against_a_threshold():
    """.6 of the queries lie above .8: enough for .6, not for .7."""
    assert decide({"q": above(0.6)}).exit_code == 0
    decision = decide({"q": above(0.7)})
    assert decision.exit_code == 1
    assert decision.reasons == ("q: share of queries with ndcg@3 above 0.8 is 0.60, below 0.7",)


def test_advice_is_told_and_decides_nothing():
    decision = decide({"q": above(0.7, level="advice")})
    assert (str(decision.outcome), decision.exit_code) == ("pass", 0)
    assert not gate(decision, "q").met
    assert decision.reasons == (
        "advice: q: share of queries with ndcg@3 above 0.8 is 0.60, below 0.7",
    )


def test_advice_about_what_was_not_measured_decides_nothing_either():
    decision = decide({"q": {"metric": "mrr", "at_least": 0.7, "level": "advice"}})
    assert decision.exit_code == 0
    assert decision.reasons == ("advice: q: mrr was not measured in this run",)


def test_a_threshold_speaks_of_one_stratum():
    samples = dataclasses.replace(ASKED, strata=(FINANCE, HR))
    limit = {"metric": "ndcg@3", "at_least": 0.6}
    assert decide({"q": limit}, samples=samples).exit_code == 0
    decision = decide({"q": {**limit, "stratum": "dep=finance"}}, samples=samples)
    assert decision.exit_code == 1
    assert decision.reasons == ("q: ndcg@3 in dep=finance is 0.50, below 0.6",)


@pytest.mark.parametrize(
    ("stratum", "why"),
    [("dep=hr", "too few samples in the stratum"), ("dep=it", "no sample names this stratum")],
)
def test_a_stratum_too_small_or_unknown_is_incomplete_not_met(stratum, why):
    samples = dataclasses.replace(ASKED, strata=(FINANCE, HR))
    limit = {"metric": "ndcg@3", "at_least": 0.6, "stratum": stratum}
    decision = decide({"q": limit}, samples=samples)
    assert decision.exit_code == 4
    assert why in decision.reasons[0]


def test_one_result_that_a_reader_may_not_read_outweighs_any_average():
    perfect = dataclasses.replace(NDCG, value=1.0)
    shown = dataclasses.replace(ASKED, n_shown_forbidden=1)
    decision = decide({"q": {"metric": "ndcg@3", "at_least": 0.9}}, (perfect,), shown)
    assert decision.exit_code == 3


@pytest.mark.parametrize(("share", "code"), [(0.1, 0), (0.11, 4), (None, 0)])
def test_judgments_older_than_their_documents_are_allowed_up_to_the_limit(share, code):
    assert decide(samples=dataclasses.replace(ASKED, stale_share=share)).exit_code == code


def test_of_two_sets_of_questions_the_samples_come_first():
    twins = dataclasses.replace(NDCG, metric="ndcg@3", value=1.0, over="twins")
    samples = dataclasses.replace(NDCG, metric="ndcg@3", value=0.1, over="samples")
    limit = {"q": {"metric": "ndcg@3", "at_least": 0.8}}
    assert decide(limit, (samples, twins)).exit_code == 1


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"above": None}, "belongs to estimate: share_above"),
        ({"estimate": "value"}, "belongs to estimate: share_above"),
        ({"above": 2}, "must lie between 0 and 1"),
        ({"level": "hint"}, "is not one of gate, advice"),
        ({"stratum": "finance"}, "names no stratum"),
        ({"metric": "ndcg@3|unjudgd=highest"}, "names no convention"),
        ({"stratum": "dep=finance"}, "has no share_above"),
    ],
)
def test_a_threshold_that_says_something_else_than_meant_is_refused(changed, told):
    with pytest.raises(InputError, match=told):
        load_policy({"thresholds": {"q": {**above(0.7), **changed}}})


def test_where_no_list_was_looked_at_no_count_is_told():
    """0 violated would read as safe: nothing was seen."""
    blind = dataclasses.replace(ASKED, n_answered=0, n_scored=0, n_looked_at=0)
    permitted = gate(decide(samples=blind), "samples_permitted")
    assert (permitted.value, permitted.shown, permitted.n_scored) == (None, "not measured", 0)
    one = gate(decide(samples=dataclasses.replace(ASKED, n_looked_at=1)), "samples_permitted")
    assert (one.value, one.shown, one.n_scored, one.n_total) == (0.0, "0 violated", 1, 10)
    leak = dataclasses.replace(blind, n_shown_forbidden=2)  # seen in lists that were not all known
    told = gate(decide(samples=leak), "samples_permitted")
    assert (told.value, told.shown, told.met) == (2.0, "2 violated", False)


def test_questions_answered_are_those_that_brought_a_list():
    some = dataclasses.replace(ASKED, n_answered=9, n_scored=4)
    assert gate(decide(samples=some), "completeness").shown == "9 of 10 questions answered"


@pytest.mark.parametrize(
    ("carried", "told"),
    [
        ({"unjudged": "highest"}, "unjudged=highest"),
        ({"unjudged": "condensed"}, "unjudged=condensed"),
        ({"no_relevant": "zero"}, "no_relevant=zero"),
        ({"grain": "passage"}, "grain=passage"),
    ],
)
def test_a_bare_name_never_takes_a_value_under_other_conventions(carried, told):
    """.9 reaches .8, but as an upper bound it says nothing of the value."""
    conventions = {"ties": "keep_rank", **carried}
    bound = dataclasses.replace(NDCG, value=0.9, over="samples", conventions=conventions)
    decision = decide({"q": {"metric": "ndcg@3", "at_least": 0.8}}, (bound,))
    assert (gate(decision, "q").value, decision.exit_code) == (None, 4)
    assert decision.reasons == (
        (
            f"q: ndcg@3 was not measured under these conventions, but under {told}: "
            "the threshold must name them"
        ),
    )
    share = decide({"q": above(0.5)}, (dataclasses.replace(bound, shares={"0.8": 1.0}),))
    assert share.exit_code == 4
    optional = {"q": {"metric": "ndcg@3", "at_least": 0.8, "required": False}}
    assert decide(optional, (bound,)).exit_code == 4
    named = decide({"q": {"metric": f"ndcg@3|{told}", "at_least": 0.8}}, (bound,))
    assert (gate(named, "q").value, named.exit_code) == (0.9, 0)
    all_of_it = f"ndcg@3|ties=keep_rank|{told}"
    whole = decide({"q": {"metric": all_of_it, "at_least": 0.8}}, (bound,))
    assert whole.exit_code == 0


def test_a_name_with_conventions_takes_no_value_without_them():
    decision = decide({"q": {"metric": "ndcg@3|unjudged=condensed", "at_least": 0.5}})
    assert decision.exit_code == 4
    assert "but under unjudged=nonrelevant" in decision.reasons[0]


def test_the_grain_that_the_run_declares_needs_no_name():
    """Judged passages, and twins whose target returns passages: the run itself says so."""
    passages = dataclasses.replace(NDCG, conventions={"grain": "passage"})
    limit = {"q": {"metric": "ndcg@3", "at_least": 0.6}}
    judged = dataclasses.replace(passages, over="samples")
    assert decide(limit, (judged,), dataclasses.replace(ASKED, grain="passage")).exit_code == 0
    assert decide(limit, (passages,)).exit_code == 0


def test_a_twins_value_does_not_stand_in_for_one_of_the_samples_under_other_conventions():
    bound = {"unjudged": "lowest"}
    samples = dataclasses.replace(
        NDCG, metric="ndcg@3|unjudged=lowest", over="samples", conventions=bound
    )
    decision = decide({"q": {"metric": "ndcg@3", "at_least": 0.6}}, (samples, NDCG))
    assert gate(decision, "q").value is None


def test_what_cannot_be_scored_says_over_whose_questions():
    none = dataclasses.replace(NDCG, value=None, n_scored=0, reasons={"undefined: nothing": 10})
    told = gate(decide(metrics=(none,)), "completeness").reasons
    assert "ndcg@3 (twins): none of 10 queries can be scored" in told
