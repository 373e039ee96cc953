"""`score` as a person calls it: figures, notes, refusals, comparison, values by query.

Worked by hand. q1: relevant a (1) and c (2); the run gives a, b, c, so reciprocal rank 1, recall
1, AP (1 + 2/3) / 2. q2: relevant d, the run gives x, d: reciprocal rank 1/2, recall 1, AP 1/2.
"""

import csv
import json
import os
import subprocess
import sys

import polars as pl
import pytest
from click.testing import CliRunner

from rageval_kit.cli.explain import command as explain
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
    lines = (tmp_path / "by.csv").read_text("utf-8-sig").splitlines()
    rows = {row["query_id"]: row for row in csv.DictReader(lines)}
    assert list(rows["q3"].values()) == [
        "run", "q3", "mrr@10", "0.0", "", "0", "no_results",
    ]  # fmt: skip
    assert (rows["q4"]["value"], rows["q4"]["returned"], rows["q4"]["note"]) == ("", "1", "")
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
    for policy, value in (("condensed", 1.0), ("highest", 1.0), ("lowest", 0.5)):
        found = values(score(*words, "--unjudged", policy, qrels=qrels, run=run))
        assert found == {f"ndcg@3|unjudged={policy}": pytest.approx(value)}


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
    assert "two.txt" in str(refused.value)
    assert "query 'q1' names document 'a' more than once" in str(refused.value)
    with pytest.raises(InputError) as refused:
        score("none.txt", "neither.txt", "--per-query", "by.xlsx", "--rollup", "#", "--claims", "c")
    told = str(refused.value)
    for part in ("none.txt: does not exist", "neither.txt: does not", "by.xlsx", "--rollup"):
        assert part in told


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


def test_another_process_says_the_same_byte_for_byte(score, tmp_path):
    """Its strings hash otherwise, and its sets stand in another order."""
    here = score(good=RUN, bad=WORSE).stdout
    line = [sys.executable, "-m", "rageval_kit", "score", "qrels.txt", "good.txt", "bad.txt"]
    told = {
        subprocess.run(
            line,
            cwd=tmp_path,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout.decode()
        for seed in ("1", "2")
    }
    assert told == {here}


def test_a_set_scores_what_its_file_states_in_place(score):
    found = values(score("--metrics", "practitioner", "--json"))
    assert list(found) == ["recall@3", "hit_rate@3", "f1@3", "ap", "ap@3", "mrr", "ndcg@3"]
    assert found["mrr"] == pytest.approx(3 / 4)


@pytest.mark.parametrize("policy", ["lowest", "highest"])
def test_what_a_set_holds_beyond_the_conventions_is_left_out_by_name(score, policy):
    ended = score("--unjudged", policy, "--json")
    assert len(values(ended)) == 10
    why = "not_applicable: without a lowest and highest value"
    assert told(ended)["left_out"] == {"bpref": why, "judged@10": why}
    shown = score("--unjudged", policy).stdout
    assert "left out, bpref, judged@10: without a lowest and highest value" in shown
    assert "未计算 bpref, judged@10: 没有" in score("--unjudged", policy, "--lang", "zh").stdout
    with pytest.raises(InputError, match="bpref: has no lowest and highest value"):
        score("--unjudged", policy, "-m", "bpref")


def test_a_set_is_scored_at_claim_grain_as_far_as_it_goes(score, tmp_path):
    (tmp_path / "claims.tsv").write_text("a\tc1\nc\tc2\n", encoding="utf-8")
    qrels = "q1 0 c1 1\nq1 0 c2 1\n"
    words = ("--grain", "claim", "--claims", "claims.tsv", "--json")
    ended = score(*words, qrels=qrels)
    names = [name.partition("|")[0] for name in values(ended)]
    assert names == ["mrr@10", "recall@10", "recall@100", "hit_rate@10"]
    assert told(ended)["left_out"]["ap"] == "not_applicable: not defined at this grain"
    assert told(ended)["runs"][0]["judged_at_10"]["mean"] is None


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_ids_of_others_run_nothing_in_a_spreadsheet_and_stay_what_they_are_elsewhere(
    score, tmp_path, ending
):
    formula = "=cmd|calc"
    score("-m", "ap", "--per-query", f"by.{ending}",
          qrels=f"{formula} 0 a 1\n-2 0 b 1\n", run=f"{formula} Q0 a 1 1 t\n")  # fmt: skip
    path = tmp_path / f"by.{ending}"
    if ending == "csv":
        lines = path.read_text(encoding="utf-8-sig").splitlines()
        ids = [row["query_id"] for row in csv.DictReader(lines)]
        assert sorted(ids) == ["'-2", f"'{formula}"]
    else:
        frame = pl.read_parquet(path) if ending == "parquet" else pl.read_ndjson(path)
        assert sorted(frame["query_id"]) == ["-2", formula]


def test_each_run_has_its_own_n_where_they_differ(score):
    """judged@10 has no value for a query without a result: q2 is missing from the second run."""
    short = RUN.partition("q2")[0]
    ended = score("-m", "judged@10", "-m", "mrr@10", whole=RUN, short=short)
    table, _, _ = ended.stdout.partition("short against whole")
    rows = {line.split()[0]: line for line in table.splitlines() if "@10 " in line}
    assert "  whole 2/2; short 1/2 (1 × " in rows["judged@10"]
    assert rows["mrr@10"].endswith("  2/2")


def test_why_an_interval_is_missing_or_another_is_said_beneath(score):
    shown = score("-m", "recall@10", "-m", "mrr@10", "-m", "recall@10>=2").stdout
    chinese = score("-m", "recall@10", "--lang", "zh").stdout
    assert " recall@10: 2 个值全部相等：所列为精确二项区间" in chinese
    assert " recall@10: all 2 values are equal: the interval is the exact binomial one" in shown
    assert " recall@10>=2: one value has no spread, so there is no interval" in shown
    assert " mrr@10: " not in shown
    assert "values are equal" not in score("-m", "recall@10", "--no-intervals").stdout
    by_name = {
        one["metric"]: one["interval_note"]
        for one in told(score("-m", "recall@10", "-m", "mrr@10", "--json"))["runs"][0]["measures"]
    }
    assert by_name == {"recall@10": "all 2 values are 1: exact interval", "mrr@10": ""}


def test_a_comparison_carries_its_verdict_and_what_is_odd_in_its_interval(score):
    ended = score("-m", "mrr@10", "--json", good=RUN, bad=WORSE)
    (pair,) = told(ended)["comparisons"]["bad"]
    assert (pair["verdict"], pair["reason"]) == ("lower", "")
    shown = score("-m", "mrr@10", good=RUN, bad=WORSE).stdout
    assert " mrr@10: all 2 differences are -0.5: resampling shows no spread" in shown
    alone = {
        "qrels": "q1 0 a 1\n",
        "good": "q1 Q0 a 1 1 t\n",
        "bad": "q1 Q0 b 1 2 t\nq1 Q0 a 2 1 t\n",
    }
    ended = score("-m", "mrr@10", "--json", **alone)
    (pair,) = told(ended)["comparisons"]["bad"]
    assert (pair["verdict"], pair["reason"]) == ("inconclusive", "1 common queries, 2 are needed")


def test_machine_output_says_what_is_measured_and_how_far_both_sides_meet(score):
    """Of the 5 results 4 are judged for their query (x is not); the 4 judged are all in reach."""
    found = told(score("-m", "mrr@10", "--json"))
    assert set(found["definitions"]["mrr@10"]) == {"en", "zh"}
    overlap = found["runs"][0]["overlap"]
    assert overlap["results_judged"] == {"share": pytest.approx(4 / 5), "n": 5}
    assert overlap["judged_of_those_within_reach"] == {"share": 1.0, "n": 4}
    assert overlap["documents_in_corpus"] == {"share": None, "n": 0}


def test_a_bare_name_means_the_same_to_explain_and_to_score(score, tmp_path):
    for name, meant in (("hit_rate", "hit_rate"), ("precision", "precision@10")):
        assert list(values(score("-m", name, "--json"))) == [meant]
        assert CliRunner().invoke(explain, [name]).stdout.startswith(f"{meant}  version ")
    own = tmp_path / "own" / "metric"
    own.mkdir(parents=True)
    (own / "first.yaml").write_text("kind: precision\nk: 1\n", encoding="utf-8")
    assert list(values(score("-m", "first", "--config-dir", "own", "--json"))) == ["precision@1"]
    shown = CliRunner().invoke(explain, ["first", "--config-dir", "own"]).stdout
    assert shown.startswith("precision@1  version ")


def test_comments_are_passed_over_and_counted(score):
    shown = score("-m", "ap", qrels="# by hand\n" + QRELS, run=RUN + "# end\n").stdout
    assert shown.count("passed over as comments, since they begin with '# ': 1") == 2


MALFORMED = {
    "dup_run_doc": "run.txt:1, 4: query 'q1' names document 'a' more than once",
    "dup_qrel_conflict": "qrels.txt:1, 4: query 'q1', document 'a' is judged more than once",
    "nan_score": "run.txt:1: the score is not finite (met nan)",
    "text_score": "run.txt:1: the score is not a number (met abc)",
    "float_grade": "qrels.txt:1: the grade is not a whole number (met 1.0)",
    "text_grade": "qrels.txt:1: the grade is not a whole number (met high)",
    "five_col_run": "run.txt:1: has 5 columns, not 6",
}


@pytest.mark.real
def test_the_malformed_files_are_refused_by_file_line_and_fault(score, shared_data):
    cases = json.loads((shared_data("metrics") / "malformed.json").read_text("utf-8"))["cases"]
    refused = {}
    for case in cases:
        try:
            assert score("-m", "ap", qrels=case["qrels"], run=case["run"]).exit_code == 0
        except InputError as error:
            refused[case["id"]] = str(error)
    assert refused.keys() == MALFORMED.keys()
    for name, text in MALFORMED.items():
        assert refused[name].startswith(text)


def test_no_file_is_replaced_unless_forced(score, tmp_path):
    (tmp_path / "qrels.csv").write_text("kept", "utf-8")
    with pytest.raises(InputError, match="exists already"):
        score("-m", "ap", "--per-query", "qrels.csv")
    assert (tmp_path / "qrels.csv").read_text("utf-8") == "kept"
    score("-m", "ap", "--per-query", "qrels.csv", "--force")
    assert "query_id" in (tmp_path / "qrels.csv").read_text("utf-8-sig")
    with pytest.raises(InputError, match="folder does not exist"):
        score("-m", "ap", "--per-query", "nowhere/by.csv")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        *(("nDCG@10", "ndcg@10"), ("ndcg_cut_10", "ndcg"), ("map", "ap"), ("P@5", "precision@5")),
        *(("recip_rank", "mrr"), ("success.5", "hit_rate@5")),
    ],
)
def test_what_other_tools_call_a_measure_is_answered_with_our_name(score, typed, meant):
    with pytest.raises(InputError, match=f"did you mean '{meant}"):
        score("-m", typed)


def test_claims_are_read_by_their_header_whichever_column_comes_first(score, tmp_path):
    (tmp_path / "claims.csv").write_text("claim_id,passage_id\nc1,p1\nc2,p1\n", encoding="utf-8")
    qrels, run = "q1 0 c1 1\nq1 0 c2 1\n", "q1 Q0 p1 1 2 t\n"
    words = ("--grain", "claim", "--claims", "claims.csv", "-m", "recall@1", "--json")
    assert list(values(score(*words, qrels=qrels, run=run)).values()) == [1.0]


def test_a_line_without_its_end_swallows_no_result(score):
    """Two files put together of which the first lacks its last line feed."""
    run = "q1 Q0 a 1 3 t\nq1 Q0 b 2 2 tq2 Q0 x 1 2 t\nq2 Q0 d 2 1 t\n"
    with pytest.raises(InputError, match="more than 6 columns") as refused:
        score(run=run)
    assert "run.txt:2" in str(refused.value)
    with pytest.raises(InputError, match="carriage return"):
        score(run=RUN.replace("\n", "\r"))


def test_odd_files_of_measures_are_refused_by_name(score, tmp_path):
    (tmp_path / "own" / "metric").mkdir(parents=True)
    odd = tmp_path / "own" / "metric" / "odd.yaml"
    for content in (b"!!python/object/apply:os.system [id]", b"\xff\xfe", b"a: b: c", b"[" * 3000):
        odd.write_bytes(content)
        with pytest.raises(InputError, match=r"odd\.yaml"):
            score("-m", "odd", "-cd", "own")


def test_ids_are_shown_once_made_visible(score):
    shown = score("-m", "ap", qrels=QRELS + "q\x1b[31m 0 a 1\n").stdout
    assert "\x1b" not in shown
    assert "U+001B" in shown
    assert "U+27E8" not in shown
