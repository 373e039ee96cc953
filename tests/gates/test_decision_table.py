"""The decision table of the study's section 11: service levels and thresholds decide, not ranks.

BM25 45 ms and sufficiency .55, dense 70 ms and .60, hybrid with reranking 165 ms and .71.
"""

import pytest

from rageval_kit.gates import decide_run, load_policy
from rageval_kit.records.decisions import MetricResult, RunOutcome

SYSTEMS = {"bm25": (45.0, 0.55), "dense": (70.0, 0.60), "hybrid_rerank": (165.0, 0.71)}
BUDGET = {"metric": "p95_ms", "at_most": 100.0, "ratio": False}
SUFFICIENCY = {"metric": "sufficiency", "at_least": 0.8}


def outcome(system, **thresholds):
    latency, sufficiency = SYSTEMS[system]
    metrics = [
        MetricResult("p95_ms", {}, latency, None, None, 200, 200),
        MetricResult("sufficiency", {}, sufficiency, None, None, 200, 200),
    ]
    policy = load_policy({"thresholds": thresholds})
    return decide_run(policy, [], metrics, calls=200, calls_answered=200)


@pytest.mark.parametrize(
    ("system", "passes"), [("bm25", True), ("dense", True), ("hybrid_rerank", False)]
)
def test_a_budget_of_100_ms_fails_the_best_ranker_only(system, passes):
    decision = outcome(system, latency=BUDGET)
    assert (decision.outcome is RunOutcome.PASS) is passes
    assert decision.exit_code == (0 if passes else 1)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_sufficiency_of_8_fails_all_three(system):
    decision = outcome(system, evidence=SUFFICIENCY)
    assert (decision.outcome, decision.exit_code) == (RunOutcome.FAIL, 1)
    assert any("sufficiency" in reason for reason in decision.reasons)
