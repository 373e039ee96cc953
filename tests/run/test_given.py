"""Rankings that a program holds: mappings, frames, paths, with the refusals of files.

Worked by hand: q1 has a relevant document at rank 2, q2 at rank 1; reciprocal ranks 1/2 and 1.
"""

import polars as pl
import pytest

import rageval_kit
from rageval_kit.metrics.mrr import MRR
from rageval_kit.ranking.roll_up import to_document
from rageval_kit.records.conventions import Conventions
from rageval_kit.records.faults import InputError

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}}
RUN = {"q1": {"b": 2.5, "a": 1.5}, "q2": {"c": 9}}


def rows(mapping, value):
    told = [(q, d, n) for q, documents in mapping.items() for d, n in documents.items()]
    return pl.DataFrame(told, schema=["query_id", "doc_id", value], orient="row", strict=False)


class Column(list):
    def tolist(self):
        return list(self)


class PandasLike:
    """What is asked of a pandas frame: its columns, and each as a list."""

    def __init__(self, frame):
        self.frame = frame
        self.columns = frame.columns

    def __getitem__(self, name):
        return Column(self.frame[name].to_list())


def value(scores, run=0, metric=0):
    return scores.runs[run].results[metric].value


@pytest.mark.parametrize("wrap", [lambda frame: frame, PandasLike, lambda frame: frame.lazy()])
def test_frames_and_mappings_give_the_same(wrap):
    expected = rageval_kit.score_rankings(QRELS, RUN, ["mrr@10"])
    assert value(expected) == pytest.approx(3 / 4)
    assert expected.runs[0].columns[0].values.tolist() == [0.5, 1.0]
    assert expected.query_ids == ("q1", "q2")
    found = rageval_kit.score_rankings(
        wrap(rows(QRELS, "grade")), wrap(rows(RUN, "score")), ["mrr@10"]
    )
    assert value(found) == value(expected)


def test_files_are_read_too(tmp_path):
    (tmp_path / "run.txt").write_text("q1 Q0 b 1 2 t\nq1 Q0 a 2 1 t\nq2 Q0 c 1 1 t\n", "utf-8")
    assert value(rageval_kit.score_rankings(QRELS, tmp_path / "run.txt", ["mrr@10"])) == 3 / 4


def test_several_rankings_are_compared_with_the_first():
    worse = {"q1": {"a": 1.0, "b": 2.0}, "q2": {"x": 2.0, "c": 1.0}}
    scores = rageval_kit.score_rankings(QRELS, {"one": RUN, "two": worse}, ["mrr@10"])
    assert [run.name for run in scores.runs] == ["one", "two"]
    ((comparison, _),) = scores.comparisons["two"]
    assert comparison.difference.mean == pytest.approx(-1 / 4)


def test_measures_may_be_given_as_objects_and_conventions_as_data():
    qrels = {**QRELS, "q3": {"d": 0}}
    scores = rageval_kit.score_rankings(qrels, RUN, [MRR(10)], Conventions(no_relevant="zero"))
    assert value(scores) == pytest.approx(1.5 / 3)
    assert scores.runs[0].results[0].metric == "mrr@10|no_relevant=zero"


def test_ids_are_text_and_numbers_are_their_digits():
    scores = rageval_kit.score_rankings({"1": {"7": 1}}, pl.DataFrame(
        {"query_id": [1, 1], "doc_id": [8, 7], "score": [2, 1]}
    ), ["mrr@10"])  # fmt: skip
    assert value(scores) == 1 / 2


@pytest.mark.parametrize(
    ("qrels", "run", "problem"),
    [
        (QRELS, {"q1": {"a": float("nan")}}, "not a finite number"),
        ({"q1": {"a": 0.5}}, RUN, "not a whole number"),
        (QRELS, rows(RUN, "number"), "score"),
        (QRELS, 7, "nothing that can be read"),
        (QRELS, {"other": {"a": 1.0}}, "query ids"),
    ],
)
def test_what_files_are_refused_for_is_refused_here(qrels, run, problem):
    with pytest.raises(InputError, match=problem):
        rageval_kit.score_rankings(qrels, run, ["mrr@10"])


def test_a_measure_that_is_not_known_and_bad_judgments_are_told_at_once():
    with pytest.raises(InputError) as refused:
        rageval_kit.score_rankings({"q1": {"a": 0.5}}, RUN, ["nope"])
    assert "metric 'nope'" in str(refused.value)
    assert "whole number" in str(refused.value)


def test_ranks_rule_only_where_every_result_states_one():
    rule = Conventions(ties="keep_rank")
    with pytest.raises(InputError, match="states no rank"):
        rageval_kit.score_rankings(QRELS, RUN, ["mrr@10"], rule)
    ranked = pl.DataFrame(
        {"qid": ["q1", "q1", "q2"], "docid": ["a", "b", "c"], "score": [1, 2, 1], "rank": [1, 2, 1]}
    )
    assert value(rageval_kit.score_rankings(QRELS, ranked, ["mrr@10"], rule)) == 1.0
    twice = ranked.with_columns(rank=pl.Series([1, 1, 1]))
    with pytest.raises(InputError, match="query 'q1': states one rank twice"):
        rageval_kit.score_rankings(QRELS, twice, ["mrr@10"], rule)


def test_what_roll_up_does_to_a_figure_is_part_of_its_name():
    passages = {"q1": {"a#1": 2.0, "b#1": 1.0}, "q2": {"c#3": 1.0}}
    scores = rageval_kit.score_rankings(QRELS, passages, ["mrr@10"], roll_up=to_document("#"))
    result = scores.runs[0].results[0]
    assert result.value == 1.0
    assert result.metric == "mrr@10|rolled_up_from=passage"
    assert "rolled_up_from=passage" in result.identity


def test_queries_left_out_of_a_comparison_are_named_by_their_ids():
    qrels = {"17": {"a": 1}, "4": {"b": 0}}
    run = {"17": {"a": 1.0}, "4": {"b": 1.0}}
    scores = rageval_kit.score_rankings(qrels, {"one": run, "two": run}, ["mrr@10"])
    ((comparison, _),) = scores.comparisons["two"]
    assert [left.query for left in comparison.left_out] == ["4"]


def test_coverage_that_was_not_measured_is_no_number():
    nothing = rageval_kit.score_rankings(QRELS, {"q1": {}}, ["mrr@10"])
    assert nothing.runs[0].coverage.mean is None
    assert nothing.runs[0].coverage.reason == "undefined: nothing was returned"


def test_a_repeated_document_is_named_with_its_lines(tmp_path):
    path = tmp_path / "run.txt"
    path.write_text("q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 a 3 1 t\n", "utf-8")
    with pytest.raises(InputError) as refused:
        rageval_kit.score_rankings(QRELS, path, ["mrr@10"])
    assert str(refused.value).startswith(
        f"{path}:1, 3: query 'q1' names document 'a' more than once"
    )


def test_ids_may_be_numbers_grades_numpy_and_lists_bare():
    import numpy as np

    scores = rageval_kit.score_rankings(
        {1: {2: np.int64(1)}}, {1: {2: np.float64(0.5)}}, ["mrr@10"]
    )
    assert value(scores) == 1.0
    ordered = {"q1": ["b", "a"], "q2": ["c"]}
    assert value(rageval_kit.score_rankings(QRELS, ordered, ["mrr@10"])) == 3 / 4


def test_of_the_measures_that_nobody_named_those_without_bounds_are_left_out():
    bounded = rageval_kit.score_rankings(QRELS, RUN, conventions=Conventions(unjudged="lowest"))
    names = [result.metric for result in bounded.runs[0].results]
    assert "ndcg@10|unjudged=lowest" in names
    assert not any(name.startswith("judged") for name in names)
    with pytest.raises(InputError, match="no lowest and highest"):
        rageval_kit.score_rankings(QRELS, RUN, ["judged@10"], Conventions(unjudged="lowest"))
