"""What a family came to. Bounds: 1 - 0.05 ** (1 / n), worked with a pocket calculator."""

import pytest

from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Finding
from rageval_kit.run.families import coverage, family_results


@pytest.fixture
def result(by_hand):
    def run(rows, *, required=(), **more):
        made = by_hand.made(len(rows), **more)
        (only,) = family_results([made], rows, frozenset(required))
        return only

    return run


def test_each_outcome_is_counted_and_reasons_are_told(result, by_hand):
    rows = [
        by_hand.row(1, "held", document="a"),
        by_hand.row(2, "held", document="a", notes=("lag: x",)),
        by_hand.row(3, "violated", document="b"),
        by_hand.row(4, "unobserved", document="c", reason="silent: retrieve"),
        by_hand.row(5, "failed", document="d", reason="failed: timeout"),
        by_hand.row(6, "failed", document="e", reason="failed: timeout"),
    ]
    found = result(rows)
    assert (found.planned, found.held, found.violated) == (6, 2, 1)
    assert (found.unobserved, found.failed, found.lagged) == (1, 2, 1)
    assert dict(found.reasons) == {"silent: retrieve": 1, "failed: timeout": 2}


def test_pairs_are_distinct_and_only_decided_cases_count(result, by_hand):
    rows = [
        by_hand.row(1, document="a"),
        by_hand.row(2, document="a"),
        by_hand.row(3, document="a", reader="v"),
        by_hand.row(4, "violated", document="b"),
        by_hand.row(5, "failed", document="c"),
    ]
    found = result(rows, available=40)
    assert (found.pairs_tested, found.pairs_leaked, found.pairs_available) == (3, 1, 40)


@pytest.mark.parametrize(("n", "bound"), [(1, 0.95), (10, 0.25887), (59, 0.04950), (300, 0.009936)])
def test_without_a_leak_the_share_is_bounded(result, by_hand, n, bound):
    rows = [by_hand.row(i, document=f"d{i}") for i in range(n)]
    assert result(rows, available=10_000).upper_bound == pytest.approx(bound, abs=5e-5)


def test_with_a_leak_or_nothing_decided_there_is_no_bound(result, by_hand):
    leak = [by_hand.row(1), by_hand.row(2, "violated", document="b")]
    assert result(leak, available=9).upper_bound is None
    assert result([by_hand.row(1, "failed")], available=9).upper_bound is None
    assert result([]).upper_bound is None


def test_every_pair_there_is_needs_no_bound(result, by_hand):
    rows = [by_hand.row(i, document=f"d{i}") for i in range(5)]
    whole = result(rows, available=5, every=True)
    assert (whole.exhaustive, whole.upper_bound) == (True, None)
    # One pair failed: then not every pair was tested, whatever was planned.
    part = result([*rows[:4], by_hand.row(5, "failed", document="d4")], available=5, every=True)
    assert part.exhaustive is False
    assert part.upper_bound == pytest.approx(1 - 0.05 ** (1 / 4))
    assert not result(rows, available=9, every=False).exhaustive


def test_each_stage_says_how_often_it_spoke_leaked_and_was_silent(result, by_hand):
    def leak(stage):
        return Finding("forbidden_document", Stage(stage), 0, "u", "b")

    rows = [
        by_hand.row(1, stages_seen=("retrieve", "answer")),
        by_hand.row(
            2,
            "violated",
            stages_seen=("retrieve",),
            stages_silent=("answer",),
            findings=(leak("retrieve"), leak("retrieve"), leak("context")),
        ),
    ]
    stages = {s.stage: (s.spoke, s.violated, s.silent) for s in result(rows).stages}
    assert stages == {"retrieve": (2, 1, 0), "context": (0, 1, 0), "answer": (1, 0, 1)}
    assert [s.stage for s in result(rows).stages] == ["retrieve", "context", "answer"]


def test_severity_is_that_of_the_gravest_stage_that_leaked(result, by_hand):
    rule = {"default": "high", "at": {"rerank.input": "critical", "log": "low"}}
    found = Finding("forbidden_document", Stage.RERANK_INPUT, 0, "u", "b")
    assert result([by_hand.row(1)], severity=rule).severity == "high"
    leaked = by_hand.row(1, "violated", findings=(found,))
    assert result([leaked], severity=rule).severity == "critical"


def test_a_family_that_made_no_case_is_named_and_not_demanded(by_hand):
    made = by_hand.made(0, nothing={"all": "the target shows no retrieve"})
    (found,) = family_results([made], [], frozenset({"ACL-99"}))
    assert (found.not_applicable, found.required) == ("the target shows no retrieve", False)
    (there,) = family_results([by_hand.made(1)], [by_hand.row()], frozenset({"ACL-99"}))
    assert (there.not_applicable, there.required) == ("", True)


def test_the_kits_own_checks_are_no_families_of_cases(by_hand):
    made = by_hand.made(0, id="CTL-02", who="nobody")
    assert family_results([made], [], frozenset()) == []


def test_coverage_wants_a_decided_case_and_a_living_positive_per_condition(by_hand):
    made = by_hand.made(3, id="CTL-08", nothing={"C4": "the world has no attributes for C4"})

    def row(number, condition, outcome="held", *, twin_ok=True):
        variant = (("who.denied_by.condition", condition),)
        return by_hand.row(number, outcome, family="CTL-08", variant=variant, twin_ok=twin_ok)

    rows = [
        row(1, "C1"),
        row(2, "C1"),
        row(3, "C2", "failed", twin_ok=None),
        row(4, "C3", "unobserved", twin_ok=False),
        row(5, "C5", "violated"),
    ]
    cells = {cell.condition: cell for cell in coverage([made], rows)}
    assert list(cells) == [f"C{n}" for n in range(1, 15)]
    told = {c: (cell.denied_alone, cell.twin_allowed) for c, cell in cells.items()}
    assert told["C1"] == (2, 2)
    assert told["C2"] == (0, 0)
    assert told["C3"] == (0, 0)
    assert told["C5"] == (1, 1)
    assert cells["C4"].not_applicable == "the world has no attributes for C4"
    assert cells["C6"].not_applicable == "no pair was made"
    assert not cells["C1"].not_applicable


def test_a_suite_without_the_family_of_conditions_has_no_cells(by_hand):
    assert coverage([by_hand.made(1)], [by_hand.row()]) == ()
