"""Chance among options: against sums of binomial coefficients, and a table of sizes."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from rageval_kit.records.faults import InputError
from rageval_kit.stats.binomial import upper_bound
from rageval_kit.stats.choice import (
    at_least,
    facts_needed,
    figures,
    power_of,
    smallest_share,
)


def tail(hits, n, share):
    share = Fraction(share)
    terms = (comb(n, i) * share**i * (1 - share) ** (n - i) for i in range(hits, n + 1))
    return float(sum(terms))


@pytest.mark.parametrize(
    ("hits", "n", "m"), [(0, 5, 4), (1, 1, 2), (9, 20, 4), (3, 3, 4), (25, 60, 5)]
)
def test_the_tail_is_the_sum_of_its_terms(hits, n, m):
    assert at_least(hits, n, 1 / m) == pytest.approx(tail(hits, n, Fraction(1, m)), rel=1e-9)


def test_more_than_all_cannot_be_right():
    assert at_least(4, 3, 0.25) == 0.0
    assert at_least(0, 0, 0.25) == 1.0


@pytest.mark.parametrize(
    ("options", "share", "about"),
    [
        (4, 0.3, 60), (4, 0.1, 500), (4, 0.05, 1850),
        (2, 0.3, 145), (2, 0.1, 1350), (2, 0.05, 5250),
        (5, 0.3, 50), (5, 0.1, 370), (5, 0.05, 1400),
    ],
)  # fmt: skip
def test_sizes_are_about_those_of_the_catalogue(options, share, about):
    assert facts_needed(options, share, 0.9) == pytest.approx(about, rel=0.06)


@pytest.mark.parametrize(("options", "share"), [(4, 0.3), (5, 0.5), (2, 0.3)])
def test_from_the_size_on_power_stays(options, share):
    n = facts_needed(options, share, 0.9)
    assert power_of(n - 1, options, share) < 0.9
    assert all(power_of(n + more, options, share) >= 0.9 for more in range(60))


def test_power_is_that_of_the_binomial_itself():
    # 60 facts, 4 options: 24 right are needed (P 0.0082 by chance, 0.0164 for 23)
    assert tail(24, 60, Fraction(1, 4)) < 0.01 < tail(23, 60, Fraction(1, 4))
    hit = Fraction(3, 10) + Fraction(7, 10) / 4
    assert power_of(60, 4, 0.3) == pytest.approx(tail(24, 60, hit), rel=1e-9)


def test_where_every_answer_chose_the_share_is_that_of_the_catalogue():
    came = figures(30, 30, 60, 4)
    assert came.leaked == pytest.approx((0.5 - 0.25) / 0.75)
    assert came.bound == pytest.approx((upper_bound(30, 60) - 0.25) / 0.75)


def test_where_only_the_told_facts_are_answered_all_of_them_are_leaked():
    came = figures(18, 0, 60, 4)
    assert came.leaked == pytest.approx(0.3)
    assert came.p == pytest.approx(0.25**18)
    assert came.bound == upper_bound(18, 60)


def test_without_any_choice_nothing_is_shown_but_the_zero_bound():
    came = figures(0, 0, 60, 4)
    assert (came.p, came.leaked) == (1.0, 0.0)
    assert came.bound == pytest.approx(1 - 0.05 ** (1 / 60))


@pytest.mark.parametrize("answering", [1.0, 0.5, 0.0])
def test_the_bound_holds_whatever_share_of_the_others_is_answered(answering):
    draw, leaked, n = np.random.default_rng(3), 0.2, 80
    told = draw.random((120, n)) < leaked
    tried = draw.random((120, n)) < answering
    right = told | (tried & (draw.random((120, n)) < 0.25))
    wrong = ~told & tried & ~right
    bounds = [
        figures(int(r), int(w), n, 4).bound
        for r, w in zip(right.sum(axis=1), wrong.sum(axis=1), strict=True)
    ]
    assert np.mean(np.array(bounds) >= leaked) >= 0.9


def test_the_smallest_share_is_found_and_a_handful_shows_none():
    n = facts_needed(4, 0.3, 0.9)
    assert smallest_share(n, 4, 0.9) <= 0.3
    assert smallest_share(3, 4, 0.9) is None  # all three right: 1 in 64, more than 1 %


def test_what_makes_no_sense_is_refused_at_once():
    with pytest.raises(InputError) as error:
        facts_needed(1, 0.0, 1.0)
    assert len(error.value.faults) == 3
    with pytest.raises(InputError, match="million"):
        facts_needed(2, 1e-4, 0.9)
