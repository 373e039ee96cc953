"""`score` as a person calls it: figures, notes, refusals, comparison, values by query.

Worked by hand. q1: relevant a (1) and c (2); the run gives a, b, c, so reciprocal rank 1, recall
1, AP (1 + 2/3) / 2. q2: relevant d, the run gives x, d: reciprocal rank 1/2, recall 1, AP 1/2.
"""

import csv
import json

import polars as pl
import pytest
from click.testing import CliRunner

from rageval_kit.cli.score import command
from rageval_kit.records.faults import InputError

QRELS = "q1 0 a 1\nq1 0 b 0\nq1 0 c 2\nq2 0 d 1\n"
RUN = "q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 c 3 1 t\nq2 Q0 x 1 2 t\nq2 Q0 d 2 1 t\n"
WORSE = "q1 Q0 b 1 3 t\nq1 Q0 a 2 2 t\nq1 Q0 c 3 1 t\nq2 Q0 x 1 2 t\nq2 Q0 y 2 1 t\n"


@pytest.fixture
def score(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def call(*words, qrels=QRELS, **runs):
        (tmp_path / "qrels.txt").write_text(qrels, encoding="utf-8")
        for name, content in (runs or {"run": RUN}).items():
            (tmp_path / f"{name}.txt").write_text(content, encoding="utf-8")
        files = [f"{name}.txt" for name in (runs or {"run": RUN})]
        ended = CliRunner().invoke(command, ["qrels.txt", *files, *words])
        if ended.exception is not None and not isinstance(ended.exception, SystemExit):
            raise ended.exception
        return ended

    return call


def told(ended):
    return json.loads(ended.stdout)


def values(ended, run=0):
    return {one["metric"]: one["value"] for one in told(ended)["runs"][run]["measures"]}


def test_the_figures_are_those_worked_by_hand(score):
    names = ("-m", "mrr@10", "-m", "recall@10", "-m", "ap", "-m", "recall@10>=2", "-m", "mrr@1")
    assert values(score(*names, "--json")) == pytest.approx(
        {
            "mrr@10": 3 / 4,
            "recall@10": 1.0,
            "ap": (5 / 6 + 1 / 2) / 2,
            "recall@10>=2": 1.0,
            "mrr@1": 1 / 2,
        }
    )


def test_every_figure_shows_how_many_queries_it_rests_on(score):
    ended = score("-m", "recall@10>=2")
    row = next(line for line in ended.stdout.splitlines() if "recall@10>=2" in line)
    assert "1/2 (1 × undefined: no document is judged relevant)" in row


def test_the_default_set_is_that_of_the_shipped_file(score):
    assert list(values(score("--json"))) == [
        *("ndcg@10", "ndcg_linear@10", "ap", "mrr@10", "precision@10", "recall@10"),
        *("recall@100", "hit_rate@10", "f1@10", "r_precision", "bpref", "judged@10"),
    ]


def test_bug_008_009_010_absent_undefined_and_unjudged_queries_are_named(score, tmp_path):
    qrels = "q1 0 a 1\nq2 0 b 1\nq3 0 c 1\nq4 0 e 0\n"
    run = "q1 Q0 a 1 3 t\nq2 Q0 z 1 2 t\nq4 Q0 e 1 2 t\nq9 Q0 zzz 1 2 t\n"
    ended = score("-m", "mrr@10", "--json", "--per-query", "by.csv", qrels=qrels, run=run)
    one = told(ended)["runs"][0]
    assert one["missing_queries"] == ["q3"]
    assert one["unjudged_queries"] == ["q9"]
    measure = one["measures"][0]
    assert measure["value"] == pytest.approx(1 / 3)
    assert (measure["n_scored"], measure["n_total"]) == (3, 4)
    assert measure["reasons"] == {"undefined: no document is judged relevant": 1}
    lines = (tmp_path / "by.csv").read_text("utf-8").splitlines()
    rows = {row["query_id"]: row for row in csv.DictReader(lines)}
    assert (rows["q3"]["value"], rows["q3"]["reason"], rows["q3"]["returned"]) == (
        "0.0", "no_results", "0",
    )  # fmt: skip
    assert (rows["q4"]["value"], rows["q4"]["returned"]) == ("", "1")
    assert rows["q4"]["reason"].startswith("undefined")
    trec = values(score("-m", "mrr@10", "--trec", "--json", qrels=qrels, run=run))
    assert trec == {"mrr@10|no_relevant=zero": pytest.approx(1 / 4)}
    with pytest.raises(InputError, match="q9"):
        score("--strict", qrels=qrels, run=run)


def test_bug_011_how_the_unjudged_count_is_part_of_the_name(score):
    qrels, run = "q1 0 a 1\nq1 0 b 0\n", "q1 Q0 u1 1 3 t\nq1 Q0 u2 2 2 t\nq1 Q0 a 3 1 t\n"
    words = ("-m", "ndcg@3", "--json")
    plain = score(*words, qrels=qrels, run=run)
    assert values(plain) == {"ndcg@3": 0.5}
    assert told(plain)["runs"][0]["judged_at_10"]["mean"] == pytest.approx(1 / 3)
    for policy, value in (("condensed", 1.0), ("highest", 1.0), ("lowest", None)):
        found = values(score(*words, "--unjudged", policy, qrels=qrels, run=run))
        assert list(found) == [f"ndcg@3|unjudged={policy}"]
        if value is not None:
            assert found[f"ndcg@3|unjudged={policy}"] == pytest.approx(value)


def test_a_further_run_is_compared_with_the_first_query_by_query(score):
    """mrr@10: 1 and 1/2 against 1/2 and 0: both queries worse by 1/2."""
    ended = score("-m", "mrr@10", "--json", good=RUN, bad=WORSE)
    (pair,) = told(ended)["comparisons"]["bad"]
    assert pair["difference"]["mean"] == pytest.approx(-0.5)
    assert (pair["n"], pair["n_total"]) == (2, 2)
    assert pair["effect"]["worse"] == 1.0
    assert pair["test"]["p"] == pytest.approx(0.5)  # 2 of 4 sign patterns are as extreme
    shown = score("-m", "mrr@10", good=RUN, bad=WORSE).stdout
    assert "bad against good" in shown
    assert "−0.5000" in shown


def test_all_that_is_wrong_is_told_at_once(score):
    with pytest.raises(InputError) as refused:
        score("-m", "nope", qrels="q1 0 a high\n", run="q1 Q0 a 1 nan t\n")
    told = str(refused.value)
    assert "metric 'nope'" in told
    assert "qrels.txt:1" in told
    with pytest.raises(InputError) as refused:
        score(one="q1 Q0 a 1 nan t\n", two="q1 Q0 a 1 1 t\nq1 Q0 a 2 1 t\n")
    assert "one.txt:1" in str(refused.value)
    assert "two: query 'q1'" in str(refused.value)


def test_ids_that_never_meet_are_refused(score):
    with pytest.raises(InputError, match="query ids"):
        score(run=RUN.replace("q", "query-"))
    with pytest.raises(InputError, match="document ids"):
        score(run="q1 Q0 nothing 1 3 t\nq2 Q0 known 1 2 t\n")
    kept = score("--allow-mismatch", "-m", "ap", run="q1 Q0 nothing 1 3 t\n")
    assert "warning" in kept.stdout


def test_an_empty_run_scores_zero_and_says_so(score):
    ended = score("-m", "ap", run="")
    assert "no result at all" in ended.stdout
    row = next(line for line in ended.stdout.splitlines() if line.startswith(" ap "))
    assert row.split()[1] == "0.0000"


def test_passages_roll_up_only_when_asked(score):
    run = "q1 Q0 a#2 1 3 t\nq1 Q0 a#1 2 2 t\nq1 Q0 c#9 3 1 t\n"
    with pytest.raises(InputError, match="document ids"):
        score(run=run)
    ended = score("--rollup", "#", "-m", "recall@2", "--json", run=run)
    assert values(ended) == {"recall@2|rolled_up_from=passage": pytest.approx(1 / 2)}
    assert told(ended)["runs"][0]["duplicates"] == 1


def test_claims_are_counted_by_the_passages_that_state_them(score, tmp_path):
    (tmp_path / "claims.tsv").write_text("p1\tc1\np1\tc2\np2\tc2\n", encoding="utf-8")
    qrels, run = "q1 0 c1 1\nq1 0 c2 1\nq1 0 c3 1\n", "q1 Q0 p1 1 2 t\nq1 Q0 p9 2 1 t\n"
    words = ("--grain", "claim", "--claims", "claims.tsv", "--json")
    found = values(score(*words, "-m", "recall@1", qrels=qrels, run=run))
    assert list(found.values()) == pytest.approx([2 / 3])
    with pytest.raises(InputError, match="not defined at this grain"):
        score(*words, "-m", "precision@1", qrels=qrels, run=run)


def test_values_by_query_are_written_in_three_forms(score, tmp_path):
    score("-m", "ap", "--per-query", "by.parquet")
    frame = pl.read_parquet(tmp_path / "by.parquet")
    assert frame["value"].to_list() == pytest.approx([5 / 6, 1 / 2])
    score("-m", "ap", "--per-query", "by.jsonl")
    line = json.loads((tmp_path / "by.jsonl").read_text("utf-8").splitlines()[0])
    assert (line["query_id"], line["metric"], line["returned"]) == ("q1", "ap", 3)
    with pytest.raises(InputError, match="no known form"):
        score("--per-query", "by.xlsx")


def test_a_file_given_twice_is_refused_and_equal_names_are_told_by_their_paths(score, tmp_path):
    with pytest.raises(InputError, match="given twice"):
        score("run.txt")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "run.txt").write_text(WORSE, encoding="utf-8")
    names = [run["name"] for run in told(score("other/run.txt", "--json"))["runs"]]
    assert names == ["run.txt", "other/run.txt"]


def test_the_table_is_told_in_chinese(score):
    shown = score("--lang", "zh", "-m", "ndcg@10").stdout
    assert "2 个查询" in shown
    assert "指标" in shown


def test_the_same_command_says_the_same(score):
    assert score(good=RUN, bad=WORSE).stdout == score(good=RUN, bad=WORSE).stdout
