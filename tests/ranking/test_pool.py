"""Small pools worked by hand; weights by plain loops; fairness and order as laws."""

import itertools
from collections import Counter

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rageval_kit.ranking.pool import RunCoverage, pool, shuffled
from rageval_kit.records.faults import InputError

SCHEMA = {"query_id": pl.String, "document_id": pl.String, "rank": pl.Int64}


def run_of(lists):
    rows = [(q, d, i) for q, ids in lists.items() for i, d in enumerate(ids, 1)]
    return pl.DataFrame(rows, SCHEMA, orient="row")


def judgments_of(grades):
    rows = [(q, d, g) for q, of in grades.items() for d, g in of.items()]
    schema = {"query_id": pl.String, "document_id": pl.String, "grade": pl.Int32}
    return pl.DataFrame(rows, schema, orient="row")


A = run_of({"q2": ["a", "b", "c"], "q10": ["e"]})
B = run_of({"q2": ["b", "d", "a"]})


def pairs(rows):
    return list(rows.select("query_id", "document_id").iter_rows())


def test_the_pool_is_the_union_with_what_each_run_says():
    """q2: a stands 1st and 3rd, b 2nd and 1st, d 2nd in B alone, c 3rd in A alone."""
    merged = pool({"A": A, "B": B}, depth=3)
    told = merged.rows.select(
        "query_id", "document_id", "best_rank", "runs", "rank in A", "rank in B"
    )
    assert list(told.iter_rows()) == [
        ("q2", "a", 1, 2, 1, 3),
        ("q2", "b", 1, 2, 2, 1),
        ("q2", "d", 2, 1, None, 2),
        ("q2", "c", 3, 1, 3, None),
        ("q10", "e", 1, 1, 1, None),
    ]
    assert (merged.size, merged.judged) == (5, 0)


def test_a_pool_is_as_deep_as_asked():
    assert pairs(pool({"A": A, "B": B}, depth=1).rows) == [("q2", "a"), ("q2", "b"), ("q10", "e")]


def test_weights_are_those_of_rank_biased_precision():
    """a: .2 + .2*.64 = .328; b: .2*.8 + .2 = .36; d: .16; c: .128: so b comes before a.

    Nothing is judged: what is returned is relevant with probability 1/2.
    """
    rows = pool({"A": A, "B": B}, depth=3, order="adaptive").rows
    assert rows["document_id"].to_list() == ["b", "a", "d", "c", "e"]
    assert rows["weight"].to_list() == pytest.approx([0.18, 0.164, 0.08, 0.064, 0.1])


TWO = {
    "good": run_of({"q1": ["a", "b", "x"], "q2": ["g1", "g2"]}),
    "bad": run_of({"q1": ["c", "d", "y"], "q2": ["b1", "b2"]}),
}


def test_the_adaptive_order_turns_to_the_runs_that_found_most():
    """q1: of good a and b are relevant, of bad c and d are not.

    Over all queries good has (1+2)/(2+2) = 3/4, bad 1/4; at q1 (2*3/4+2)/(2+2) = 7/8 and 1/8. So
    x and y at rank 3 weigh .2*.64 = .128 times these; at q2, where nothing is judged yet, ranks 1
    and 2 weigh .2 and .16 times 3/4 and 1/4.
    """
    judged = judgments_of({"q1": {"a": 1, "b": 2, "c": 0, "d": 0}})
    rows = pool(TWO, order="adaptive", judged=judged).rows
    assert rows["document_id"].to_list() == ["x", "y", "g1", "g2", "b1", "b2"]
    assert rows["weight"].to_list() == pytest.approx([0.112, 0.016, 0.15, 0.12, 0.05, 0.04])
    turned = judgments_of({"q1": {"a": 0, "b": 0, "c": 1, "d": 1}})
    rows = pool(TWO, order="adaptive", judged=turned).rows
    assert rows["document_id"].to_list() == ["y", "x", "b1", "b2", "g1", "g2"]


def test_what_nobody_could_judge_says_nothing_of_a_run():
    judged = judgments_of({"q1": {"c": -1, "d": -1}})
    weights = pool(TWO, order="adaptive", judged=judged).rows["weight"].to_list()
    assert weights == pytest.approx([0.1, 0.08, 0.064, 0.064, 0.1, 0.1, 0.08, 0.08])


def test_what_is_judged_is_left_out_and_counted_for_each_run():
    judged = judgments_of({"q2": {"a": 0, "b": 1, "z": 1}})
    merged = pool({"A": A, "B": B}, depth=2, judged=judged)
    assert pairs(merged.rows) == [("q2", "d"), ("q10", "e")]
    assert (merged.size, merged.judged) == (4, 2)
    assert merged.coverage == (RunCoverage("A", 2, 2, 3), RunCoverage("B", 2, 1, 2))


def test_what_is_judged_can_be_kept_with_its_grade():
    judged = judgments_of({"q2": {"a": 0}})
    rows = pool({"A": A}, depth=2, judged=judged, keep_judged=True).rows
    assert rows["grade"].to_list() == [0, None, None]


def test_a_budget_counts_only_what_is_left_to_judge():
    judged = judgments_of({"q2": {"a": 0}})
    rows = pool({"A": A}, depth=3, judged=judged, keep_judged=True, budget=2).rows
    assert pairs(rows) == [("q2", "a"), ("q2", "b"), ("q10", "e")]


def test_pooling_again_goes_on_where_judging_stopped():
    first = pool({"A": A, "B": B}, order="adaptive", budget=3).rows
    grades = {}
    for query, document in pairs(first):
        grades.setdefault(query, {})[document] = 0
    second = pool({"A": A, "B": B}, order="adaptive", judged=judgments_of(grades)).rows
    assert sorted(pairs(first) + pairs(second)) == sorted(
        pairs(pool({"A": A, "B": B}, order="adaptive").rows)
    )


LISTS = st.dictionaries(
    st.sampled_from([f"q{i}" for i in range(1, 13)]),
    st.lists(st.sampled_from([f"d{i}" for i in range(30)]), unique=True, min_size=1, max_size=8),
    min_size=1,
    max_size=6,
)


@settings(deadline=None, max_examples=30)
@given(LISTS, LISTS, st.integers(1, 9), st.integers(1, 40), st.sampled_from(["depth", "adaptive"]))
def test_a_budget_is_shared_out_fairly_and_first_things_first(one, two, depth, budget, order):
    runs = {"one": run_of(one), "two": run_of(two)}
    whole = pool(runs, depth=depth, order=order).rows
    cut = pool(runs, depth=depth, order=order, budget=budget).rows
    union = {(q, d) for lists in (one, two) for q, ids in lists.items() for d in ids[:depth]}
    assert set(pairs(whole)) == union
    assert cut.height == min(budget, whole.height)
    size, got = (Counter(rows["query_id"]) for rows in (whole, cut))
    most = max(got.values())
    assert all(got[q] >= min(size[q], most - 1) for q in size)
    for query in size:
        head = whole.filter(pl.col("query_id") == query).head(got[query])
        assert pairs(head) == pairs(cut.filter(pl.col("query_id") == query))


@settings(deadline=None, max_examples=30)
@given(LISTS, LISTS, LISTS)
def test_the_order_owes_nothing_to_the_order_of_runs_or_rows(one, two, three):
    runs = {"one": run_of(one), "two": run_of(two), "three": run_of(three)}
    weight = {}
    for lists in (one, two, three):
        for query, ids in lists.items():
            for i, document in enumerate(ids[:20]):
                weight[query, document] = weight.get((query, document), 0) + 0.1 * 0.8**i
    told = [
        pool({name: runs[name].reverse() for name in names}, order="adaptive").rows
        for names in itertools.permutations(runs)
    ]
    for rows in told:
        assert pairs(rows) == pairs(told[0])
        assert rows["weight"].to_list() == pytest.approx([weight[pair] for pair in pairs(rows)])


def test_a_blind_list_tells_nothing_and_is_drawn_by_the_seed():
    lists = {"q1": [f"d{i}" for i in range(20)], "q2": [f"e{i}" for i in range(20)]}
    backwards = {query: ids[::-1] for query, ids in lists.items()}
    rows = pool({"A": run_of(lists)}).rows
    blind = shuffled(rows, 7)
    assert blind.columns == ["query_id", "document_id", "grade"]
    assert blind["query_id"].to_list() == ["q1"] * 20 + ["q2"] * 20
    assert sorted(pairs(blind)) == sorted(pairs(rows))
    assert pairs(blind) not in (pairs(rows), sorted(pairs(rows)), pairs(shuffled(rows, 8)))
    assert pairs(blind) == pairs(shuffled(rows, 7))
    assert pairs(blind) == pairs(shuffled(pool({"B": run_of(backwards)}).rows, 7))


def test_one_run_alone_is_its_own_top():
    assert pairs(pool({"A": A}, depth=2).rows) == [("q2", "a"), ("q2", "b"), ("q10", "e")]


def test_everything_that_cannot_be_pooled_is_refused_at_once():
    with pytest.raises(InputError) as refused:
        pool({"A": A, "empty": run_of({})}, depth=0, budget=0)
    assert [str(fault) for fault in refused.value.faults] == [
        "empty: the run holds no result; leave it out, or give its lists",
        "depth: must be 1 or more (met 0); such as 20",
        "budget: must be 1 or more (met 0); how many can be judged?",
    ]
    with pytest.raises(InputError, match="needs a run"):
        pool({})
