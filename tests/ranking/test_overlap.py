"""Counts worked by hand; mix-ups made on purpose of lists that a plain BM25 found in real data."""

import gzip
import json
import re

import bm25s
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rageval_kit.ranking import mix_up
from rageval_kit.ranking.judge import judge
from rageval_kit.ranking.judgments import Judgments
from rageval_kit.ranking.natural import in_natural_order
from rageval_kit.ranking.overlap import DEPTH, Thresholds, check, measure

K = 10


def run_of(lists):
    rows = [(q, d, i) for q, ids in lists.items() for i, d in enumerate(ids, 1)]
    schema = {"query_id": pl.String, "document_id": pl.String, "rank": pl.Int64}
    return pl.DataFrame(rows, schema, orient="row")


def judgments_of(grades):
    rows = [(q, d, g) for q, of in grades.items() for d, g in of.items()]
    schema = {"query_id": pl.String, "document_id": pl.String, "grade": pl.Int32}
    return pl.DataFrame(rows, schema, orient="row")


def lists_of(run):
    return dict(run.group_by("query_id", maintain_order=True).agg("document_id").iter_rows())


def renamed(run, names):
    return run.with_columns(pl.col("query_id").replace_strict(names))


# --- counts ------------------------------------------------------------------------------------

RUN = run_of({"q1": ["a", "b", "x"], "q2": ["y", "z"], "q9": ["a"]})
JUDGED = judgments_of({"q1": {"a": 1, "b": 0, "c": 1}, "q2": {"a": 1}, "q3": {"c": 1}})


def test_counts_what_both_sides_know():
    """q1: a and b of 3 are judged, 3 could be; q2: none of 2, 1 could be; q9 has no judgment."""
    met = measure(RUN, JUDGED, corpus=["a", "b", "c", "x", "y"])
    assert (met.queries_both, met.queries_only_judged, met.queries_only_run) == (2, 1, 1)
    assert (met.only_judged, met.only_run) == (("q3",), ("q9",))
    assert met.any_judged_share == 1 / 2
    assert met.judged_share == 2 / 5
    assert met.reached_share == 2 / 4
    assert (met.documents, met.documents_judged) == (5, 2)
    assert met.documents_judged_share == 2 / 5
    assert met.documents_in_corpus_share == 4 / 5
    assert (met.corpus.documents, met.corpus.judged) == (4, 3)


def test_looks_at_the_top_ten_only():
    deep = run_of({"q1": [f"x{i}" for i in range(10)] + ["a"]})
    met = measure(deep, JUDGED)
    assert (met.rows, met.judged_rows) == (10, 0)
    assert check(met)[1]


def test_a_run_whose_judged_documents_stand_below_the_top_is_not_refused():
    """As `score` sees it: the join knows of a at rank 11, of the lists only the top is left."""
    rows = [("q1", f"x{i}", 20.0 - i) for i in range(10)] + [("q1", "a", 1.0)]
    lists = pl.DataFrame(rows, ["query_id", "document_id", "score"], orient="row")
    judged = judge(Judgments.of(JUDGED), lambda: iter([lists]))
    below = int(np.count_nonzero(judged.rankings.rank > DEPTH))
    met = measure(judged.notes.top, JUDGED, judged_below=below)
    assert (met.documents_judged, met.judged_below) == (0, 1)
    assert met.document_hint == ""
    assert not check(met)[1]


def test_a_grade_below_zero_is_no_judgment():
    met = measure(run_of({"q1": ["a"]}), judgments_of({"q1": {"a": -1, "b": 1}}))
    assert (met.judged_rows, met.documents_judged) == (0, 1)


def test_nothing_to_share_is_none_not_zero():
    met = measure(run_of({"q1": ["a"]}), judgments_of({"q2": {"a": 1}}))
    assert (met.any_judged_share, met.judged_share, met.reached_share) == (None, None, None)


def test_every_figure_of_a_warning_is_given_with_its_n():
    said, faults = check(measure(RUN, JUDGED, corpus=["a", "b", "c", "x", "y"]))
    assert faults == ()
    assert said == (
        "1 of 3 judged queries are absent from the run and score 0, such as 'q3'",
        "1 of 5 document ids in the top 10 are not in the corpus",
    )


def test_thresholds_are_the_callers():
    met = measure(RUN, JUDGED)
    limits = Thresholds(queries_ranked=0, queries_judged=0.7, any_judged=0.6, reached=0.6)
    said, _ = check(met, limits)
    assert [line.split(" ", 3)[:3] for line in said] == [
        ["1", "of", "3"],
        ["1", "of", "2"],
        ["2", "of", "5"],
    ]


# --- refusals ----------------------------------------------------------------------------------


def only_fault(run, judgments, **more):
    said, faults = check(measure(run, judgments, **more))
    assert said == ()
    (fault,) = faults
    return fault


def test_an_empty_run_and_empty_judgments_are_refused():
    assert only_fault(run_of({}), JUDGED).problem == "holds no result"
    assert only_fault(RUN, judgments_of({})).problem == "hold no judgment"


SPELLINGS = {
    "case": (str.upper, str.lower, "upper and lower case"),
    "white_space": (lambda t: f"{t} ", str, "white space"),
    "float": (lambda t: f"{t[1:]}.0", lambda t: t[1:], "'.0' at the end"),
    "zeros": (lambda t: f"000{t[1:]}", lambda t: t[1:], "leading zeros"),
    "full_width": (lambda t: "ｄ" + t[1:], str, "full-width"),
    "composed": (lambda t: "e\u0301" + t, lambda t: "\u00e9" + t, "composed"),
    "prefix": (lambda t: f"doc_{t}", str, "begin with ('doc_"),
    "prefix_there": (lambda t: t[1:], str, "begin with ('' here, 'd' there)"),
    "suffix": (lambda t: f"{t}.txt", str, "end with ('.txt' here, '' there)"),
    "two": (lambda t: f"DOC_{t.upper()}", lambda t: f"{t}.0", "and"),
}


@pytest.mark.parametrize("way", SPELLINGS)
@pytest.mark.parametrize("side", ["query", "document"])
def test_ids_that_never_meet_are_refused_with_what_keeps_them_apart(way, side):
    here, there, said = SPELLINGS[way]
    names = [f"d{i}" for i in range(1, 30)]
    if side == "document":
        run, judgments = {"q": map(here, names)}, {"q": dict.fromkeys(map(there, names), 1)}
    else:
        run, judgments = {here(n): ["x"] for n in names}, {there(n): {"x": 1} for n in names}
    fault = only_fault(run_of(run), judgments_of(judgments))
    assert said in fault.way_out
    assert re.search(r"(10 of 10|29 of 29) would meet", fault.way_out)


def test_ids_of_another_kind_get_no_hint():
    run = run_of({"q": [f"http://a/{i}" for i in range(9)]})
    fault = only_fault(run, judgments_of({"q": {"apple": 1, "pear": 1}}))
    assert fault.way_out == "give judgments of the documents that were searched"


def test_a_miss_is_no_refusal_where_the_corpus_knows_both_sides():
    run, judged = run_of({"q": ["x"]}), judgments_of({"q": {"a": 1}})
    said, faults = check(measure(run, judged, corpus=["a", "x"]))
    assert faults == ()
    assert said[0].startswith("0 of 1 queries have a judged document in the top 10")


def test_a_corpus_that_knows_no_result_is_refused():
    faults = check(measure(RUN, JUDGED, corpus=["A", "B", "X", "Y", "Z"]))[1]
    assert [fault.problem for fault in faults] == [
        "none of the 5 document ids in its top 10 is in the corpus"
    ]
    assert "upper and lower case" in faults[0].way_out


# --- mix-ups, made ------------------------------------------------------------------------------


def perfect(n, r=1):
    """Query i has r relevant documents of its own, and its list holds them among strangers."""
    names = [f"q{i}" for i in range(n)]
    relevant = {q: [f"{q}-{j}" for j in range(r)] for q in names}
    lists = {q: [*ids, *(f"x{q}{j}" for j in range(K - r))] for q, ids in relevant.items()}
    return run_of(lists), judgments_of({q: dict.fromkeys(ids, 1) for q, ids in relevant.items()})


def shifted(run, by=1):
    names = list(lists_of(run))
    return renamed(run, dict(zip(names, names[by:] + names[:by], strict=True)))


@pytest.mark.parametrize("n", [12, 100])
def test_a_shift_by_one_is_refused_though_every_id_exists(n):
    run, judged = perfect(n)
    fault = only_fault(shifted(run), judged)
    assert fault.problem.startswith("its lists answer other queries")
    assert "run query q1 fits the judgments of query q0" in fault.met
    assert "place i-1 of the judged ones" in fault.met


@pytest.mark.parametrize(("n", "r"), [(8, 3), (12, 3), (100, 3)])
def test_an_arbitrary_exchange_is_seen_where_queries_have_several_documents(n, r):
    run, judged = perfect(n, r)
    names = list(lists_of(run))
    other = [names[(i * 5 + 3) % n if n % 5 else (i * 7 + 3) % n] for i in range(n)]
    moved = renamed(run, dict(zip(names, other, strict=True)))
    assert check(measure(moved, judged))[1]


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("r", [1, 3, 10])
def test_a_handful_of_lists_is_never_called_a_mix_up(n, r):
    run, judged = perfect(n, r)
    assert measure(shifted(run), judged).fit.mix_up is None


def test_text_order_against_number_order_is_named():
    run, judged = perfect(100, 2)
    names = list(lists_of(run))
    moved = renamed(run, dict(zip(sorted(names), names, strict=True)))
    assert "as text" in only_fault(moved, judged).met


def test_half_a_mix_up_is_a_warning():
    """Of 60 lists 30 are right, 29 one place too high, and one is moved from the end to there."""
    run, judged = perfect(60, 2)
    names = list(lists_of(run))
    moved = [*names[:30], *names[31:], names[30]]
    said, faults = check(measure(renamed(run, dict(zip(names, moved, strict=True))), judged))
    assert faults == ()
    assert "29 of the 59 lists that clearly fit one query (n = 60) fit another" in said[0]


def test_lists_named_by_ids_of_another_kind_still_tell_where_they_belong():
    run, judged = perfect(40)
    other = {q: f"topic-{i}" for i, q in enumerate(lists_of(run))}
    fault = only_fault(renamed(run, other), judged)
    assert "none of its 40 query ids" in fault.problem
    assert "run query topic-0 fits the judgments of query q0" in fault.way_out


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 60), st.integers(10, 300), st.integers(1, 12), st.integers(0, 10**6))
def test_lists_drawn_at_random_are_bad_but_not_mixed_up(n, documents, relevant, seed):
    rng = np.random.default_rng(seed)

    def draw(size):
        size = min(size, documents)
        return [f"d{i}" for i in rng.choice(documents, size, replace=False)]

    run = run_of({f"q{i}": draw(K) for i in range(n)})
    judged = judgments_of({f"q{i}": dict.fromkeys(draw(relevant), 1) for i in range(n)})
    assert not (mixed := measure(run, judged).fit.mix_up) or mixed.share < 0.9


def test_the_same_list_for_everybody_is_no_mix_up():
    _, judged = perfect(50, 3)
    everybody = [f"q7-{j}" for j in range(3)] + [f"q9-{j}" for j in range(3)]
    met = measure(run_of({f"q{i}": everybody for i in range(50)}), judged)
    assert met.fit.mix_up is None
    assert check(met)[1] == ()


def test_queries_that_ask_the_same_are_no_mix_up():
    """Five wordings of each question, one paragraph each: every list fits five queries."""
    right = {f"q{i}": f"p{i // 5}" for i in range(200)}
    judged = judgments_of({q: {p: 1} for q, p in right.items()})
    half = {q: [p if i % 2 else "none", f"x{i}"] for i, (q, p) in enumerate(right.items())}
    assert measure(run_of(half), judged).fit.mix_up is None


@pytest.mark.parametrize("right", [True, False], ids=["right_topic", "one_topic_for_all"])
@pytest.mark.parametrize("in_order", [True, False])
def test_who_finds_a_topic_but_no_document_is_no_mix_up(right, in_order):
    """100 queries on 5 topics of 40 documents: a list is 10 of its topic, drawn blindly."""
    rng = np.random.default_rng(11)
    topics = [i // 20 if in_order else i % 5 for i in range(100)]

    def draw(topic, size):
        return [f"t{topic}-{i}" for i in rng.choice(40, size, replace=False)]

    judged = judgments_of({f"q{i}": dict.fromkeys(draw(t, 8), 1) for i, t in enumerate(topics)})
    run = run_of({f"q{i}": draw(t if right else 3, K) for i, t in enumerate(topics)})
    assert measure(run, judged).fit.mix_up is None


def test_a_document_relevant_to_everybody_costs_nothing():
    n = 30_000
    run = run_of({f"q{i}": ["all"] for i in range(n)})
    judged = judgments_of({f"q{i}": {"all": 1} for i in range(n)})
    met = measure(run, judged)
    assert (met.judged_rows, met.fit.mix_up) == (n, None)
    assert check(met) == ((), ())


def test_many_lists_are_looked_at_in_part_and_a_shift_is_still_seen(monkeypatch):
    """Of 250 lists, where 100 are the most, every third is looked at: 84."""
    monkeypatch.setattr(mix_up, "MOST_LISTS", 100)
    run, judged = perfect(250)
    met = measure(shifted(run), judged)
    assert met.fit.lists == 84
    assert met.fit.mix_up.share == 1


# --- real data ----------------------------------------------------------------------------------


def words(text):
    return re.findall(r"[a-z0-9]+", text.lower())


def bigrams(text):
    return [text[i : i + 2] for i in range(len(text) - 1)]


def lines(path):
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def qrels(path):
    grades = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        query, _, document, grade = line.split()
        grades.setdefault(query, {})[document] = int(grade)
    return judgments_of(grades)


def bm25(documents, queries, tokens):
    index = bm25s.BM25()
    index.index([tokens(text) for text in documents.values()], show_progress=False)
    asked = [tokens(text) for text in queries.values()]
    found, _ = index.retrieve(asked, k=K, show_progress=False, n_threads=1)
    ids = list(documents)
    return run_of({q: [ids[i] for i in row] for q, row in zip(queries, found, strict=True)})


def at_random(run, documents):
    queries = list(lists_of(run))
    draws = np.random.default_rng(5).random((len(queries), len(documents))).argpartition(K)[:, :K]
    return run_of(
        {q: [documents[i] for i in row] for q, row in zip(queries, draws.tolist(), strict=True)}
    )


@pytest.fixture(scope="module")
def cranfield(shared_data):
    folder = shared_data("cranfield")
    packed = (folder / "cran.all.1400.xml.gz").read_bytes()
    text = gzip.decompress(packed).decode("utf-8", "replace")
    documents = dict(re.findall(r"<docno>(\d+)</docno>(.*?)</doc>", text, re.DOTALL))
    topics = (folder / "cran.qry.xml").read_text(encoding="utf-8")
    asked = re.findall(r"<num>\s*(\d+)</num>\s*<title>(.*?)</title>", topics, re.DOTALL)
    return bm25(documents, dict(asked), words), qrels(folder / "cranqrel.trec.txt"), list(documents)


@pytest.mark.real
def test_cranfield_keyed_by_its_gapped_numbers_is_refused(cranfield):
    gapped, judged, _ = cranfield
    met = measure(gapped, judged)
    assert (met.queries_both, met.queries_judged) == (152, 225)
    (fault,) = check(met)[1]
    assert "its lists answer other queries" in fault.problem
    assert "run query 4 fits the judgments of query 3" in fault.met
    assert "place i of the run's query ids fits place i of the judged ones" in fault.met


@pytest.mark.real
def test_cranfield_keyed_by_position_is_silent(cranfield):
    gapped, judged, documents = cranfield
    right = renamed(gapped, {q: str(i) for i, q in enumerate(lists_of(gapped), 1)})
    met = measure(right, judged)
    assert check(met) == ((), ())
    assert met.fit.own_hits > 500
    assert check(measure(at_random(right, documents), judged))[1] == ()
    assert check(measure(shifted(right), judged))[1]


@pytest.mark.real
def test_cranfield_with_ids_drawn_by_lot_is_suspected(cranfield):
    gapped, judged, _ = cranfield
    lots = np.random.default_rng(1).permutation(225) + 1
    names = dict(zip(lists_of(gapped), map(str, lots), strict=True))
    said, faults = check(measure(renamed(gapped, names), judged))
    assert faults == ()
    assert "lists that clearly fit one query (n = 225) fit another than their own" in said[0]


@pytest.mark.real
def test_scifact_is_silent_and_its_shift_is_refused(shared_data):
    folder = shared_data("scifact")
    documents = {d["_id"]: " ".join(d["sentences"]) for d in lines(folder / "corpus.jsonl.gz")}
    queries = {q["_id"]: q["text"] for q in lines(folder / "queries.jsonl")}
    judged = qrels(folder / "qrels.test.txt")
    run = bm25(documents, queries, words)
    assert check(measure(run, judged, corpus=documents)) == ((), ())
    assert check(measure(at_random(run, list(documents)), judged))[1] == ()
    assert check(measure(shifted(run), judged))[1]
    one_up = renamed(run, {q: str(int(q) + 1) for q in queries})
    assert "the judged query's id is the run's minus 1" in check(measure(one_up, judged))[1][0].met


@pytest.mark.real
def test_cmrc_whose_questions_share_paragraphs_is_silent_and_its_shift_is_refused(shared_data):
    folder = shared_data("cmrc2018") / "retrieval"
    documents = {d["_id"]: d["text"] for d in lines(folder / "corpus.jsonl.gz")}
    queries = {q["_id"]: q["text"] for q in lines(folder / "queries.jsonl")}
    judged = qrels(folder / "qrels.txt")
    run = bm25(documents, queries, bigrams)
    assert check(measure(run, judged, corpus=documents)) == ((), ())
    assert check(measure(at_random(run, list(documents)), judged))[1] == ()
    assert check(measure(shifted(run), judged))[1]
    # Words of Latin letters find next to nothing in Chinese: bad, and honestly so.
    assert check(measure(bm25(documents, queries, words), judged))[1] == ()


@pytest.mark.parametrize(
    ("ids", "ordered"),
    [
        (["10", "9", "2", "10"], ["2", "9", "10"]),
        (["q10", "q2", "a", "q02"], ["a", "q02", "q2", "q10"]),
        ([], []),
    ],
)
def test_ids_stand_as_people_count(ids, ordered):
    assert in_natural_order(pl.Series(ids, dtype=pl.String)) == ordered
