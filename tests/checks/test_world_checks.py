"""What is noticed of hidden things: two worlds level by level, times, membership, own words."""

import random

import pytest

from rageval_kit.checks import membership, own_words, timing, unchanged
from rageval_kit.records.target import Seen
from rageval_kit.records.verdicts import Outcome

HELD, VIOLATED, UNOBSERVED = Outcome.HELD, Outcome.VIOLATED, Outcome.UNOBSERVED


def shown_twice(small, levels, mine, other, again=None, gate=()):
    marks = {"compared": (0,), "contrast": (1,)} | ({"again": (2,)} if again is not None else {})
    steps = [small.step("mine")] * 3
    made = small.expectation(*steps, **marks)
    seen = [mine, other, *([] if again is None else [again])]
    trace = small.trace(*(small.saw(n, one) for n, one in enumerate(seen)))
    args = {"is": levels, "gate": list(gate)}
    return unchanged.check(args, made, trace, small.aids(k=2))


@pytest.mark.parametrize(
    ("level", "mine", "other", "outcome"),
    [
        ("facets", Seen(facets=(("a", 2),)), Seen(facets=(("a", 1),)), VIOLATED),
        ("facets", Seen(facets=(("a", 2), ("b", 1))), Seen(facets=(("b", 1), ("a", 2))), HELD),
        ("suggestions", Seen(texts=("merger",)), Seen(), VIOLATED),
        ("suggestions", Seen(texts=("merger",)), Seen(texts=("merger",)), HELD),
        ("counts", Seen(count=3), Seen(count=2), VIOLATED),
        ("status", Seen(status="gone"), Seen(status="not_found"), VIOLATED),
    ],
)
def test_what_must_be_equal_is_a_breach_where_it_differs(small, level, mine, other, outcome):
    tap = "suggest"
    assert shown_twice(small, [level], {tap: mine}, {tap: other}).outcome is outcome


@pytest.mark.parametrize(
    ("level", "name", "other"),
    [
        ("ids", "ids_differ", Seen(("a", "c"), scores=(2.0, 1.0))),
        ("order", "order_differs", Seen(("b", "a"), scores=(2.0, 1.0))),
        ("scores", "scores_differ", Seen(("a", "b"), scores=(2.0, 0.5))),
    ],
)
def test_results_order_and_scores_are_counted_and_gated_only_where_asked(small, level, name, other):
    mine = {"retrieve": Seen(("a", "b"), scores=(2.0, 1.0))}
    counted = shown_twice(small, [level], mine, {"retrieve": other})
    assert (counted.outcome, counted.told) == (HELD, {name: True})
    gated = shown_twice(small, [level], mine, {"retrieve": other}, gate=[level])
    assert gated.outcome is VIOLATED


def test_only_the_first_k_results_are_compared(small):
    """k is 2: the third place is nobody's business."""
    mine, other = ({"retrieve": Seen(("a", "b", last))} for last in "cd")
    assert shown_twice(small, ["ids", "order"], mine, other, gate=["ids", "order"]).outcome is HELD


def test_what_differs_in_the_same_world_twice_is_noise_and_no_breach(small):
    mine, other, again = ({"suggest": Seen(count=n)} for n in (3, 1, 2))
    found = shown_twice(small, ["counts"], mine, other, again)
    assert (found.outcome, found.reason) == (UNOBSERVED, "noise")
    steady = shown_twice(small, ["counts"], mine, other, mine)
    assert steady.outcome is VIOLATED


@pytest.mark.parametrize(
    ("mine", "other", "outcome"),
    [("http_403", "", VIOLATED), ("", "", HELD), ("timeout", "", UNOBSERVED)],
)
def test_an_error_in_one_world_alone_is_a_breach(small, mine, other, outcome):
    made = small.expectation(small.step("m"), small.step("m"), compared=(0,), contrast=(1,))
    trace = small.trace(small.saw(0, error=mine), small.saw(1, error=other))
    assert unchanged.check({"is": ["errors"]}, made, trace, small.aids()).outcome is outcome


@pytest.mark.parametrize(
    ("exact", "interference"), [(("a", "b"), False), (("a", "z"), True)], ids=["recall", "world"]
)
def test_a_scan_tells_recall_loss_from_interference(small, exact, interference):
    """The lists of the index differ; those of a scan are equal, or differ as well."""
    marks = {"compared": (0,), "contrast": (1,), "compared_exact": (2,), "contrast_exact": (3,)}
    made = small.expectation(*[small.step("m")] * 4, **marks)
    lists = [("a", "b"), ("a", "c"), ("a", "b"), exact]
    trace = small.trace(*(small.saw(n, {"retrieve": Seen(ids)}) for n, ids in enumerate(lists)))
    told = unchanged.check({"is": ["ids"]}, made, trace, small.aids()).told
    assert told == {
        "ids_differ": True,
        "interference": interference,
        "approximation": not interference,
    }


def timed(small, forbidden, unknown, too=None, **args):
    """One figure in milliseconds for each opening."""
    groups = {"forbidden": forbidden, "unknown": unknown, "unknown_too": too or unknown}
    marks, observations = {}, []
    for kind, times in groups.items():
        marks[kind] = tuple(range(len(observations), len(observations) + len(times)))
        observations += [
            small.saw(n, {"citation": Seen()}, latency_s=t / 1000)
            for n, t in zip(marks[kind], times, strict=True)
        ]
    made = small.expectation(*[small.step("m")] * len(observations), **marks)
    return timing.check(args, made, small.trace(*observations), small.aids())


def around(middle, n=200, seed=0):
    rng = random.Random(seed)
    return [max(0.001, rng.gauss(middle, 0.3)) for _ in range(n)]


@pytest.mark.parametrize(
    ("forbidden", "outcome"),
    [(1.0, HELD), (1.1, HELD), (1.6, VIOLATED), (0.4, VIOLATED)],
    ids=["alike", "below_the_margin", "later", "sooner"],
)
def test_a_refusal_that_takes_another_time_is_a_breach(small, forbidden, outcome):
    found = timed(small, around(forbidden, seed=1), around(1.0), around(1.0, seed=2))
    assert found.outcome is outcome
    assert found.told == {"times_apart": outcome is VIOLATED}


def test_times_that_vary_by_themselves_say_nothing(small):
    noisy = timed(small, around(3.0, seed=1), around(1.0), around(2.0, seed=2))
    assert (noisy.outcome, noisy.reason) == (UNOBSERVED, "noise")


@pytest.mark.parametrize("times", [[0.0] * 200, [1.0] * 20], ids=["not_told", "too_few"])
def test_without_enough_times_nothing_is_concluded(small, times):
    assert timed(small, times, times).outcome is UNOBSERVED


def test_of_three_hundred_clean_runs_none_is_taken_for_slower(small):
    """Both kinds from one long-tailed distribution, as of a loaded machine."""
    rng = random.Random(5)

    def draw():
        return [rng.lognormvariate(0, 1.5) for _ in range(100)]

    outcomes = {timed(small, draw(), draw(), draw()).outcome for _ in range(300)}
    assert outcomes == {HELD}


def asked(small, held, absent, tap="rerank"):
    marks = {
        "held": tuple(range(len(held))),
        "absent": tuple(range(len(held), len(held) + len(absent))),
    }
    made = small.expectation(*[small.step("m")] * (len(held) + len(absent)), **marks)
    seen = [Seen(("mine",), scores=(score,)) for score in (*held, *absent)]
    trace = small.trace(*(small.saw(n, {tap: one}) for n, one in enumerate(seen)))
    return membership.check({}, made, trace, small.aids())


def test_scores_that_tell_held_from_absent_are_a_breach_either_way(small):
    low, high = ([base + n / 100 for n in range(40)] for base in (0.0, 0.5))
    assert asked(small, low, high).outcome is VIOLATED
    assert asked(small, high, low).outcome is VIOLATED


def test_scores_that_overlap_are_none(small):
    figures = [n / 100 for n in range(40)]
    assert asked(small, figures, figures[1:] + figures[:1]).outcome is HELD


def test_without_scores_or_texts_nothing_is_said(small):
    made = small.expectation(small.step("m"), small.step("m"), held=(0,), absent=(1,))
    trace = small.trace(small.saw(0, {}), small.saw(1, {}))
    assert membership.check({}, made, trace, small.aids()).outcome is UNOBSERVED


ABSTAINED = "没有找到。"


def spoken(small, mine, other, nothing=ABSTAINED, context=("The gate opens at nine.",)):
    made = small.expectation(*[small.step("m")] * 3, compared=(0,), contrast=(1,), nothing=(2,))
    seen = [
        {"answer": Seen(texts=(said,)), "context": Seen(texts=context)}
        for said in (mine, other, nothing)
    ]
    trace = small.trace(*(small.saw(n, one) for n, one in enumerate(seen)))
    return own_words.check({}, made, trace, small.aids()).outcome


@pytest.mark.parametrize(
    ("mine", "other", "outcome"),
    [
        ("The gate opens at nine. [1]", "The gate opens at nine. [1]", HELD),
        ("The gate opens at nine [ref AB-1]. [1] You may not see more.", ABSTAINED, VIOLATED),
        (ABSTAINED, "The gate opens at nine.", HELD),
        ("You may not see more.", "You may not see more.", HELD),
        ("我不能给您看合并文件。", ABSTAINED, VIOLATED),
    ],
    ids=["quoted", "hint", "usual_words", "said_in_both", "zh"],
)
def test_only_words_of_its_own_that_hidden_things_bring_out_are_a_breach(
    small, mine, other, outcome
):
    assert spoken(small, mine, other) is outcome


def test_without_another_world_words_are_compared_with_nothing(small):
    made = small.expectation(small.step("m"))
    result = own_words.check({}, made, small.trace(), small.aids())
    assert result.outcome is Outcome.NOT_APPLICABLE


def test_a_cited_title_is_no_opened_body(small):
    made = small.expectation(*[small.step("m")] * 2, compared=(0,), contrast=(1,))
    seen = [{"answer": Seen(texts=("x",)), "citation": Seen((t,), (t,))} for t in ("one", "two")]
    trace = small.trace(*(small.saw(n, one) for n, one in enumerate(seen)))
    result = unchanged.check({"is": ["body", "size"]}, made, trace, small.aids())
    assert result.outcome is UNOBSERVED
