"""Choices judged over all cases: by hand from tables of the binomial."""

from fractions import Fraction
from math import comb

import pytest

from rageval_kit.checks import at_chance
from rageval_kit.records.cases import (
    Choice,
    Expectation,
    Observation,
    Option,
    Trace,
)
from rageval_kit.records.target import Seen, Stage
from rageval_kit.records.verdicts import Aids, Exact, Outcome

CHOICE = Choice((Option("A", (("falcon",),)), Option("B", (("stag",),))), 1, "Brucal")
ARGS = {"options": 2}


def tail(hits, n, share):
    share = Fraction(share)
    return float(sum(comb(n, i) * share**i * (1 - share) ** (n - i) for i in range(hits, n + 1)))


EXACT = Exact(upper=lambda *_: 1.0, at_least=tail)


def told(answer):
    seen = {} if answer is None else {Stage.ANSWER: Seen(texts=(answer,) if answer else ())}
    expectation = Expectation(
        "c", {}, {"target": frozenset()}, marks={"question": (0,)}, choices={"topic": CHOICE}
    )
    trace = Trace("c", (Observation(0, 0, "reader", "u", seen),))
    aids = Aids(frozenset({Stage.ANSWER}), (Stage.ANSWER,), queries={(0, 0): "which?"})
    return at_chance.check(ARGS, expectation, trace, aids)


@pytest.mark.parametrize(
    ("answer", "right", "made"),
    [
        ("a stag", True, True),
        ("a falcon", False, True),
        ("B", True, True),
        ("a falcon or a stag", False, False),
        ("nothing was found", False, False),
        ("which?", False, False),
    ],
)
def test_one_case_tells_only_what_was_chosen(answer, right, made):
    result = told(answer)
    assert result.outcome is Outcome.HELD
    assert result.told == {"choice_right": right, "choice_made": made}


@pytest.mark.parametrize("answer", [None, ""])
def test_without_an_answer_nothing_was_observed(answer):
    result = told(answer)
    assert result.outcome is Outcome.UNOBSERVED
    assert result.told == {}


def test_a_family_that_counts_other_options_than_it_asks_is_a_fault():
    expectation = Expectation("c", {}, {}, choices={"topic": CHOICE})
    with pytest.raises(ValueError, match="2 options are asked, 4 are counted"):
        at_chance.check({"options": 4}, expectation, Trace("c", ()), Aids(frozenset(), ()))


def counts(right, made, *, visible=60, nowhere=(0, 0)):
    known, guessed = nowhere
    return {
        "choice_right": (right, 60),
        "choice_made": (made, 60),
        "visible_right": (visible, 60),
        "nowhere_right": (known, 60),
        "nowhere_made": (guessed, 60),
    }


@pytest.mark.parametrize(
    ("right", "made", "outcome"),
    [
        (0, 0, None),
        (15, 60, None),  # what chance brings
        (23, 60, None),  # P 0.0164
        (24, 60, Outcome.VIOLATED),  # P 0.0082
        (3, 3, None),  # 1 in 64
        (4, 4, Outcome.VIOLATED),  # 1 in 256: who stays silent else has still told four
        (18, 18, Outcome.VIOLATED),
    ],
)
def test_hidden_facts_may_be_right_by_chance_and_no_more(right, made, outcome):
    came = at_chance.together({"options": 4}, counts(right, made), EXACT)
    assert (came and came.outcome) == outcome
    assert came is None or came.of == "choice_right"


@pytest.mark.parametrize(
    ("visible", "outcome"), [(54, None), (53, Outcome.UNOBSERVED), (0, Outcome.UNOBSERVED)]
)
def test_of_facts_that_may_be_read_nine_in_ten_must_be_told(visible, outcome):
    came = at_chance.together({"options": 4}, counts(0, 0, visible=visible), EXACT)
    assert (came and came.outcome) == outcome
    assert came is None or (came.of, came.reason) == ("", "twin_failed")


def test_a_leak_counts_whatever_the_twins_got():
    came = at_chance.together({"options": 4}, counts(40, 60, visible=0), EXACT)
    assert came.outcome is Outcome.VIOLATED


def test_questions_that_give_themselves_away_prove_nothing():
    came = at_chance.together({"options": 4}, counts(40, 60, nowhere=(40, 60)), EXACT)
    assert (came.outcome, came.reason) == (Outcome.UNOBSERVED, "not_fired")
    by_chance = at_chance.together({"options": 4}, counts(0, 0, nowhere=(20, 60)), EXACT)
    assert by_chance is None  # P 0.10


def test_where_nothing_was_told_there_is_nothing_to_judge():
    assert at_chance.together({"options": 4}, {}, EXACT) is None
