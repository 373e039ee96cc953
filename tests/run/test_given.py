"""Rankings that a program holds: mappings, frames, paths, with the refusals of files.

Worked by hand: q1 has a relevant document at rank 2, q2 at rank 1; reciprocal ranks 1/2 and 1.
"""

import polars as pl
import pytest

import rageval_kit
from rageval_kit.metrics.mrr import MRR
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
