"""Lists ordered once and held against judgments, against a plain ranker and another implementation.

The plain ranker sorts (score, id bytes) downwards, which is trec_eval's rule.
"""

import random
import warnings

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rageval_kit.metrics.ap import AP
from rageval_kit.metrics.bpref import Bpref
from rageval_kit.metrics.hit_rate import HitRate
from rageval_kit.metrics.mrr import MRR
from rageval_kit.metrics.ndcg import NDCG
from rageval_kit.metrics.ndcg_linear import NDCGLinear
from rageval_kit.metrics.recall import Recall
from rageval_kit.ranking import judge as module
from rageval_kit.ranking import spill
from rageval_kit.ranking.claims import judge_claims
from rageval_kit.ranking.judge import judge
from rageval_kit.ranking.judgments import Judgments, Keys
from rageval_kit.ranking.roll_up import to_document
from rageval_kit.ranking.top import top
from rageval_kit.records.conventions import Conventions
from rageval_kit.records.faults import InputError


def judgments(rows):
    schema = {"query_id": pl.String, "document_id": pl.String, "grade": pl.Int32}
    return Judgments.of(pl.DataFrame(rows, schema=schema, orient="row"))


def blocks(rows, size=1000, columns=("query_id", "document_id", "score")):
    """Frames of at most `size` rows, afresh at each call."""
    types = {"query_id": pl.String, "document_id": pl.String, "score": pl.Float64}
    schema = {name: types.get(name, pl.Int64) for name in columns}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    return lambda: iter([frame.slice(at, size) for at in range(0, max(len(frame), 1), size)])


def standing(judged):
    """(query id, rank, grade) of every judged result."""
    lists = judged.rankings
    return [
        (judged.query_ids[query], rank, grade)
        for query, rank, grade in zip(
            lists.query.tolist(), lists.rank.tolist(), lists.grade.tolist(), strict=True
        )
    ]


def plain(rows, qrels):
    """The same by sorting every list in a loop."""
    grades = {(query, document): grade for query, document, grade in qrels}
    found = []
    for query in dict.fromkeys(query for query, _, _ in qrels):
        mine = [(score, document) for name, document, score in rows if name == query]
        mine.sort(key=lambda one: (one[0], one[1].encode()), reverse=True)
        found += [
            (query, rank, grades[query, document])
            for rank, (_, document) in enumerate(mine, 1)
            if (query, document) in grades
        ]
    return found


ids = st.sampled_from(["a", "b", "B", "doc", "doc1", "文档", "é", "z", "Z", "10", "9"])
names = st.sampled_from(["q1", "q2", "q10", "查询"])
rows_of_run = st.lists(
    st.tuples(names, ids, st.sampled_from([-1.0, 0.0, -0.0, 0.5, 1.0, 1.0 + 2**-50, 7.0])),
    unique_by=lambda row: row[:2],
    max_size=30,
)
rows_of_qrels = st.lists(
    st.tuples(names, ids, st.integers(-1, 3)),
    unique_by=lambda row: row[:2],
    min_size=1,
    max_size=30,
)


@settings(max_examples=100, deadline=None)
@given(rows_of_run, rows_of_qrels, st.integers(1, 7))
def test_any_order_of_rows_in_any_blocks_gives_the_lists_of_the_plain_ranker(rows, qrels, size):
    expected = plain(rows, qrels)
    assert standing(judge(judgments(qrels), blocks(rows, size))) == expected
    grouped = sorted(rows, key=lambda row: row[0])
    assert standing(judge(judgments(qrels), blocks(grouped, size))) == expected
    shuffled = random.Random(1).sample(rows, len(rows))
    assert standing(judge(judgments(qrels), blocks(shuffled, size))) == expected


@settings(max_examples=50, deadline=None)
@given(rows_of_run, rows_of_qrels)
def test_rows_that_went_to_disk_give_the_same_lists(rows, qrels):
    mixed = random.Random(2).sample(rows, len(rows))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spill.gathered.__wrapped__, "__defaults__", (2,))
        judged = judge(judgments(qrels), blocks(mixed, 2))
    assert standing(judged) == plain(rows, qrels)
    if judged.notes.interleaved and len(rows) > 3:
        assert judged.notes.spilled


def test_agrees_with_the_reference_to_the_last_bit():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pytrec_eval
    choose = random.Random(11)
    rows, qrels = [], []
    for number in range(80):
        pool = [f"d{one:04d}" for one in range(400)]
        choose.shuffle(pool)
        # quarters are exact in single precision too, where the peer breaks its ties
        rows += [(f"q{number}", one, choose.randint(0, 200) / 4) for one in pool[:150]]
        grades = choose.sample(pool, 60)
        qrels += [(f"q{number}", one, choose.randint(0, 3)) for one in grades]
        qrels.append((f"q{number}", "never", 1))
    choose.shuffle(rows)
    judged = judge(judgments(qrels), blocks(rows, 777), Conventions(no_relevant="zero"))
    truth, run = {}, {}
    for query, document, grade in qrels:
        truth.setdefault(query, {})[document] = grade
    for query, document, score in rows:
        run.setdefault(query, {})[document] = score
    names = {"ndcg_cut_10", "ndcg", "map", "recip_rank", "recall_100", "bpref", "success_5"}
    other = pytrec_eval.RelevanceEvaluator(truth, names).evaluate(run)
    for metric, name in (
        (NDCGLinear(10), "ndcg_cut_10"),
        (NDCGLinear(None), "ndcg"),
        (AP(None), "map"),
        (MRR(None), "recip_rank"),
        (Recall(100), "recall_100"),
        (Bpref(), "bpref"),
        (HitRate(5), "success_5"),
    ):
        expected = [other[query][name] for query in judged.query_ids]
        assert metric(judged.rankings).values.tolist() == expected, name


def test_bug_001_the_tie_rule_is_named_and_the_tied_pairs_are_counted():
    qrels = judgments([("q1", "k", 0), ("q1", "m", 1), ("q1", "z", 0)])
    columns = ("query_id", "document_id", "rank", "score")
    run_a = blocks([("q1", "m", 1, 4.2), ("q1", "k", 2, 4.2)], columns=columns)
    run_b = blocks([("q1", "m", 1, 4.2), ("q1", "z", 2, 4.2)], columns=columns)
    swapped = blocks([("q1", "z", 2, 4.2), ("q1", "m", 1, 4.2)], columns=columns)
    for ties, values in (("keep_rank", (1.0, 1.0)), ("score_then_id", (1.0, 0.6309297535714575))):
        rule = Conventions(ties=ties)
        judged = [judge(qrels, run, rule) for run in (run_a, run_b, swapped)]
        found = [NDCG(10)(one.rankings).values[0] for one in judged]
        assert found == pytest.approx([*values, values[1]])
        assert [one.notes.tied_pairs for one in judged] == [1, 1, 1]
    assert (
        "ties=keep_rank"
        in NDCG(10)(judge(qrels, run_a, Conventions("keep_rank")).rankings).identity
    )


def test_bug_002_all_measures_read_one_ranking():
    rows = [("q1", f"d{number:02d}", 0.5) for number in range(1, 13)]
    qrels = judgments([("q1", "d01", 1)])
    for run in (rows, rows[::-1]):
        judged = judge(qrels, blocks(run))
        assert standing(judged) == [("q1", 12, 1)]
        assert judged.notes.tied_pairs == 66
        for metric in (MRR(10), NDCG(10), Recall(10), HitRate(10)):
            assert metric(judged.rankings).values[0] == 0.0


def test_bug_003_scores_are_compared_in_64_bit():
    qrels = judgments([("q1", "d1", 1), ("q1", "d9", 0)])
    rows = [("q1", "d1", 0.1234567891), ("q1", "d9", 0.123456789)]
    judged = judge(qrels, blocks(rows))
    assert MRR(10)(judged.rankings).values[0] == 1.0
    assert judged.notes.tied_pairs == 0


def test_bug_008_and_010_absent_queries_score_zero_and_unjudged_ones_are_left_out():
    qrels = judgments([("q1", "a", 1), ("q2", "b", 1), ("q3", "c", 1)])
    judged = judge(qrels, blocks([("q1", "a", 2.0), ("q9", "zzz", 1.0), ("q2", "z", 1.0)]))
    assert judged.notes.absent == ("q3",)
    assert judged.notes.unjudged == ("q9",)
    column = MRR(10)(judged.rankings)
    assert column.values.tolist() == [1.0, 0.0, 0.0]
    assert column.measured.all()
    assert judged.rankings.returned.tolist() == [1, 1, 0]


def test_a_repeated_document_is_refused_naming_query_and_document():
    rows = [
        ("q1", "a", 3.0),
        ("q1", "b", 2.0),
        ("q1", "a", 0.5),
        ("q2", "b", 2.0),
        ("q2", "b", 2.0),
    ]
    with pytest.raises(InputError) as refused:
        judge(judgments([("q1", "a", 1)]), blocks(rows), where="run.txt")
    told = str(refused.value)
    assert "run.txt: query 'q1' names document 'a' more than once" in told
    assert "query 'q2'" in told


def test_bug_006_repeats_of_live_lists_are_dropped_below_the_first_and_counted():
    qrels = judgments([("q1", "m", 1), ("q1", "n", 1)])
    rows = [("q1", "m", 3.0), ("q1", "m", 2.0), ("q1", "n", 1.0)]
    judged = judge(qrels, blocks(rows), repeats=True)
    assert standing(judged) == [("q1", 1, 1), ("q1", 2, 1)]
    assert judged.notes.duplicates == 1
    assert judged.rankings.returned.tolist() == [2]


def test_passages_roll_up_to_the_document_of_their_first_one():
    turned = to_document("#")
    rows = [("q1", "d2#1", 9.0), ("q1", "d1#7", 8.0), ("q1", "d1#2", 7.0), ("q1", "d3", 6.0)]
    run = blocks(rows)
    qrels = judgments([("q1", "d1", 1), ("q1", "d3", 2)])
    judged = judge(qrels, lambda: map(turned, run()), repeats=True)
    assert standing(judged) == [("q1", 2, 1), ("q1", 3, 2)]
    assert judged.notes.duplicates == 1


def test_a_claim_stands_at_the_rank_of_the_first_passage_that_states_it():
    """q1: p1 states c1 and c2, p2 states c2; c3 is stated nowhere. Recall@1 is 2 of 3."""
    qrels = judgments([("q1", "c1", 1), ("q1", "c2", 1), ("q1", "c3", 1), ("q2", "c1", 1)])
    stated = pl.DataFrame({"passage_id": ["p1", "p1", "p2"], "claim_id": ["c1", "c2", "c2"]})
    rows = [("q1", "p1", 3.0), ("q1", "p2", 2.0), ("q2", "p9", 2.0), ("q2", "p1", 1.0)]
    judged = judge_claims(qrels, stated, blocks(rows), Conventions(grain="claim"))
    assert standing(judged) == [("q1", 1, 1), ("q1", 1, 1), ("q2", 2, 1)]
    assert Recall(1)(judged.rankings).values.tolist() == pytest.approx([2 / 3, 0.0])
    assert MRR(10)(judged.rankings).values.tolist() == [1.0, 0.5]
    assert judged.rankings.returned.tolist() == [2, 2]


def test_ranks_that_repeat_in_a_list_are_refused_where_ranks_rule():
    columns = ("query_id", "document_id", "rank", "score")
    run = blocks([("q1", "a", 1, 2.0), ("q1", "b", 1, 1.0)], columns=columns)
    with pytest.raises(InputError, match=r"query .q1.: states one rank twice"):
        judge(judgments([("q1", "a", 1)]), run, Conventions(ties="keep_rank"))


def test_unjudged_ranks_are_kept_where_bounds_are_asked_for():
    qrels = judgments([("q1", "a", 1), ("q1", "n", -1)])
    run = blocks([("q1", "u", 4.0), ("q1", "a", 3.0), ("q1", "n", 2.0), ("q9", "x", 1.0)])
    judged = judge(qrels, run, Conventions(unjudged="highest")).rankings
    # what is graded below 0 counts as judged by nobody
    assert judged.unjudged_rank.tolist() == [1, 3]
    assert judged.unjudged_query.tolist() == [0, 0]
    assert judge(qrels, run).rankings.unjudged_rank is None


def test_a_run_without_rows_leaves_every_query_absent():
    judged = judge(judgments([("q1", "a", 1)]), lambda: iter([]))
    assert judged.notes.absent == ("q1",)
    assert len(judged.notes.top) == 0


def test_keys_that_are_equal_by_chance_change_nothing(monkeypatch):
    """With keys of three bits most pairs collide; documents are then told apart by themselves."""
    real = module.keys_of

    def narrow(documents, lists, seed):
        return real(documents, lists, seed) & np.uint64(7)

    monkeypatch.setattr(module, "keys_of", narrow)
    monkeypatch.setattr(
        Keys, "of", classmethod(lambda cls, documents, lists: _keys(cls, documents, lists, narrow))
    )
    rows = [("q1", name, float(score)) for score, name in enumerate("abcdefghijklm")]
    qrels = [("q1", "c", 2), ("q2", "a", 1)]
    assert standing(judge(judgments(qrels), blocks(rows))) == plain(rows, qrels)


def _keys(cls, documents, lists, narrow):
    keys = narrow(documents, lists, 0)
    at = np.argsort(keys)
    return cls(keys[at], at, np.ones(1024, dtype=bool), 0)


def test_the_first_of_every_list_are_given_in_order():
    rows = [("q2", "a", 1.0), ("q2", "b", 2.0), ("q1", "c", 1.0), ("q2", "d", 3.0)]
    first = top(blocks(rows), 2)
    assert sorted(first.rows()) == [("q1", "c", 1), ("q2", "b", 2), ("q2", "d", 1)]
