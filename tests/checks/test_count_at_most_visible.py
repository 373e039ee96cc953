"""A count above the monitor's tells of hidden documents; one below it tells of nothing."""

import pytest

from rageval_kit.checks.count_at_most_visible import check
from rageval_kit.records.target import Seen
from rageval_kit.records.verdicts import Outcome


@pytest.mark.parametrize(
    ("count", "outcome"),
    [(4, Outcome.VIOLATED), (3, Outcome.HELD), (2, Outcome.HELD), (0, Outcome.HELD)],
)
def test_it_objects_in_one_direction_only(small, count, outcome):
    expected = small.expectation(small.step("mine", count=3))
    seen = small.trace(small.saw(0, {"suggest": Seen(count=count)}))
    result = check({}, expected, seen, small.aids())
    assert result.outcome is outcome
    if result.findings:
        assert result.findings[0].evidence == "counted 4, may see 3"


def test_a_tap_without_a_count_proves_nothing(small):
    expected = small.expectation(small.step("mine", count=3))
    for seen in ({}, {"suggest": Seen()}):
        result = check({}, expected, small.trace(small.saw(0, seen)), small.aids())
        assert result.outcome is Outcome.UNOBSERVED


def test_a_step_that_expects_no_count_is_not_judged_by_one(small):
    expected = small.expectation(small.step("mine"))
    seen = small.trace(small.saw(0, {"suggest": Seen(count=99)}))
    assert check({}, expected, seen, small.aids()).outcome is Outcome.NOT_APPLICABLE


def test_one_leaking_count_of_several_is_enough(small):
    expected = small.expectation(small.step("mine", count=3), small.step("mine", count=1))
    seen = [small.saw(i, {"suggest": Seen(count=2)}) for i in (0, 1)]
    result = check({}, expected, small.trace(*seen), small.aids())
    assert [finding.step for finding in result.findings] == [1]


@pytest.mark.parametrize(("n", "outcome"), [(4, Outcome.VIOLATED), (3, Outcome.HELD)])
def test_no_value_of_a_facet_counts_more_than_may_be_seen_in_all(small, n, outcome):
    expected = small.expectation(small.step("mine", count=3))
    seen = small.trace(small.saw(0, {"suggest": Seen(facets=(("en", 1), ("secret", n)))}))
    assert check({}, expected, seen, small.aids()).outcome is outcome
