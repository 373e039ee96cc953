"""A share judged over all cases of a family, by hand and by tables of the exact interval."""

from dataclasses import replace

import pytest

from rageval_kit.records.verdicts import Outcome
from rageval_kit.run.family_checks import family_words, judged_together, with_their_families


@pytest.fixture
def hub(by_hand):
    word = {"share": {"of": "hub", "at_most": 0.1}}
    return by_hand.family(id="POI-02", checks=[word], who="nobody")


@pytest.fixture
def rows(by_hand):
    def made(hits, n, *, silent=0):
        told = [{"hub_returned": number < hits} for number in range(n)] + [{}] * silent
        return [
            by_hand.row(number, family="POI-02", told=one) for number, one in enumerate(told, 1)
        ]

    return made


def outcomes(rows):
    return [str(row.outcome) for row in rows]


@pytest.mark.parametrize(
    ("hits", "n", "outcome"),
    [
        (0, 40, "held"),
        (4, 40, "held"),  # a tenth is allowed
        # 95 %, one-sided, exact: 8 of 40 is at least 10.4 %, 7 of 40 at least 8.5 % (tables)
        (7, 40, "unobserved"),
        (8, 40, "violated"),
        (1, 1, "unobserved"),  # at least 5 %
        (2, 2, "violated"),  # at least 22.4 %
    ],
)
def test_a_share_is_violated_only_where_it_is_surely_above_the_limit(hub, rows, hits, n, outcome):
    judged = judged_together([hub], rows(hits, n))
    assert outcomes(judged) == [outcome] * hits + ["held"] * (n - hits)


def test_the_finding_says_the_numbers_and_the_interval(hub, rows):
    first, *_ = judged_together([hub], rows(8, 40))
    assert first.findings[0].check == "share"
    assert "8 of 40 cases" in first.findings[0].evidence
    assert "at most 10.0% allowed" in first.reason


def test_a_case_that_told_nothing_is_not_counted(hub, rows):
    assert outcomes(judged_together([hub], rows(2, 2, silent=50)))[:2] == ["violated"] * 2


@pytest.mark.parametrize(("hits", "n"), [(8, 40), (7, 40), (1, 40)])
def test_rows_judged_already_come_to_the_same_again(hub, rows, hits, n):
    once = judged_together([hub], rows(hits, n))
    assert judged_together([hub], once) == once


def test_a_case_that_failed_or_was_not_observed_keeps_its_own_reason_where_it_is_too_few(hub, rows):
    first, second, *others = rows(7, 40)
    first = replace(first, outcome=Outcome.FAILED, reason="failed: timeout")
    second = replace(second, outcome=Outcome.UNOBSERVED, reason="twin_failed")
    judged = judged_together([hub], [first, second, *others])
    assert [row.reason for row in judged[:2]] == ["failed: timeout", "twin_failed"]


def test_other_families_stay_as_they_are_and_in_their_places(hub, by_hand, rows):
    other = [by_hand.row(1), by_hand.row(2, "violated")]
    mixed = [other[0], *rows(8, 40), other[1]]
    judged = judged_together([by_hand.family(), hub], mixed)
    assert [row.case_id for row in judged] == [row.case_id for row in mixed]
    assert (judged[0], judged[-1]) == tuple(other)
    assert judged_together([by_hand.family()], mixed) == mixed


def test_one_case_of_such_a_family_brings_the_others_along(hub, by_hand):
    assert family_words(by_hand.family()) == []
    base = by_hand.case()

    def case(case_id, family):
        return replace(base, case_id=case_id, coordinates=replace(base.coordinates, family=family))

    cases = [case("POI-02-1", "POI-02"), case("POI-02-2", "POI-02"), case("ACL-99-1", "ACL-99")]
    families = [hub, by_hand.family()]
    assert with_their_families(families, cases, {"POI-02-1"}) == {"POI-02-1", "POI-02-2"}
    assert with_their_families(families, cases, {"ACL-99-1"}) == {"ACL-99-1"}
