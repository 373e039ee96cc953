"""Known figures of known collections, met through the embedded system and scored by trec_eval.

The bm25 figures come from other implementations. What is left between theirs and ours is analysis:
words of one letter dropped and Porter's second stemmer give .676 and .679 on SciFact, bigrams over
marks and Latin letters too .977 on CMRC. Set KEEP_RUNS to a folder to keep the run files.

Every run is scored by pytrec_eval and by the kit, which agree in every measure of every query: no
list here holds two scores that are equal in the single precision of pytrec_eval only.
"""

import importlib.util
import os
import sys
from pathlib import Path

import pytest
import pytrec_eval

from rageval_kit import score_rankings
from rageval_kit.build import requests

_SPEC = importlib.util.spec_from_file_location(
    "judged_collections", Path(__file__).with_name("judged_collections.py")
)
assert _SPEC
assert _SPEC.loader
judged = importlib.util.module_from_spec(_SPEC)
sys.modules["judged_collections"] = judged
_SPEC.loader.exec_module(judged)

pytestmark = pytest.mark.real
pytest.importorskip("snowballstemmer")

MEASURES = ("ndcg_cut_10", "map", "recall_100")
OURS = ("ndcg_linear@10", "ap", "recall@100")  # of the same order
NEAR = 0.005
DEPTH = 1000
LUCENE = ("retriever.count_repeats=true", f"retriever.candidates={DEPTH}")
ENGLISH = (*LUCENE, "retriever.analyzer=english", "retriever.k1=0.9", "retriever.b=0.4")
NAMES = ("scifact", "cranfield", "cmrc2018")


@pytest.fixture(scope="module")
def collection(shared_data):
    made = {}

    def get(name):
        if name not in made:
            made[name] = getattr(judged, name)(shared_data(name))
        return made[name]

    return get


@pytest.fixture(scope="module")
def figures(collection):
    """Means over all judged queries; one that retrieved nothing counts as 0, as `trec_eval -c`."""
    known = {}

    def measure(name, file, *words):
        """`words` as on the command line; without more than the retriever: as shipped."""
        key = (name, *words)
        if key not in known:
            (request,), _notices = requests([*words, "reranker=none", "retriever.cache=false"])
            found = judged.run_of(collection(name), request.spec.retriever.config, DEPTH)
            if "KEEP_RUNS" in os.environ:
                folder = Path(os.environ["KEEP_RUNS"])
                judged.write(found, folder / f"{name}.{file}.run", file)
            qrels = collection(name).qrels
            scores = pytrec_eval.RelevanceEvaluator(qrels, set(MEASURES)).evaluate(found)
            assert not unlike(qrels, found, scores)
            known[key] = {
                of: sum(scores.get(query, {}).get(of, 0.0) for query in qrels) / len(qrels)
                for of in MEASURES
            }
        return known[key]

    return measure


def unlike(qrels, found, theirs):
    """The queries whose values differ; a query without a list counts 0 here, and none there."""
    scores = score_rankings(qrels, found, OURS, intervals=False)
    differ = set()
    for of, column in zip(MEASURES, scores.runs[0].columns, strict=True):
        for i, query in enumerate(scores.query_ids):
            if column.measured[i]:
                here, there = column.values[i], theirs.get(query, {}).get(of, 0.0)
                differ |= {query} if abs(here - there) > 1e-12 else set()
            else:
                assert max(qrels[query].values()) < 1
    return differ


@pytest.mark.parametrize(
    ("name", "documents", "queries", "judgments"),
    [("scifact", 5183, 300, 339), ("cranfield", 1400, 225, 1837), ("cmrc2018", 848, 3219, 3219)],
)
def test_collections_are_whole_and_judge_their_own_queries_and_documents(
    collection, name, documents, queries, judgments
):
    held = collection(name)
    assert len(held.world.documents) == documents
    assert len(held.queries) == queries
    assert sum(map(len, held.qrels.values())) == judgments
    assert held.qrels.keys() == held.queries.keys()
    assert {d for grades in held.qrels.values() for d in grades} <= held.world.documents.keys()


@pytest.mark.parametrize(
    ("name", "file", "analyzer", "k1", "b", "expected"),
    [
        ("scifact", "bm25", "english", 0.9, 0.4, {"ndcg_cut_10": 0.676}),
        ("scifact", "bm25-1.2-0.75", "english", 1.2, 0.75, {"ndcg_cut_10": 0.679}),
        ("cranfield", "bm25", "english", 0.9, 0.4, {"ndcg_cut_10": 0.366, "map": 0.288}),
        ("cmrc2018", "bm25", "bigrams", 0.9, 0.4, {"ndcg_cut_10": 0.977}),
    ],
)
def test_bm25_meets_the_known_figures(figures, name, file, analyzer, k1, b, expected):
    choice = (f"retriever.analyzer={analyzer}", f"retriever.k1={k1}", f"retriever.b={b}")
    found = figures(name, file, "retriever=bm25", *LUCENE, *choice)
    assert {of: found[of] for of in expected} == pytest.approx(expected, abs=NEAR)


def test_bm25_meets_the_published_figures_of_scifact(figures):
    """Anserini's page of the flat index: nDCG@10 .6789, recall@100 .9253."""
    found = figures("scifact", "bm25", "retriever=bm25", *ENGLISH)
    assert found["ndcg_cut_10"] == pytest.approx(0.6789, abs=NEAR)
    assert found["recall_100"] == pytest.approx(0.9253, abs=NEAR)


@pytest.mark.parametrize("name", ["scifact", "cranfield"])
def test_stems_find_more_than_plain_words(figures, name):
    stemmed = figures(name, "bm25", "retriever=bm25", *ENGLISH)
    plain = figures(name, "bm25-shipped", "retriever=bm25")
    assert stemmed["recall_100"] > plain["recall_100"] + 0.01


@pytest.mark.parametrize(
    ("name", "file", "choice", "at_least"),
    [
        ("scifact", "bm25-shipped", "bm25", 0.60),
        ("scifact", "dense", "dense", 0.35),
        ("scifact", "hybrid", "hybrid", 0.50),
        ("cranfield", "bm25-shipped", "bm25", 0.30),
        ("cranfield", "dense", "dense", 0.18),
        ("cranfield", "hybrid", "hybrid", 0.25),
        ("cmrc2018", "bm25-shipped", "bm25", 0.95),
        ("cmrc2018", "dense", "dense", 0.45),
        ("cmrc2018", "hybrid", "hybrid", 0.75),
    ],
)
def test_every_arm_as_shipped_ranks_far_above_chance(figures, name, file, choice, at_least):
    """Hashed words are no trained vectors: far below bm25, and far above chance (under .01)."""
    found = figures(name, file, f"retriever={choice}")
    assert at_least < found["ndcg_cut_10"] < 1.0
    assert 0.0 < found["map"] < found["recall_100"] <= 1.0


@pytest.mark.parametrize("name", NAMES)
def test_fusion_lies_above_its_weaker_arm(figures, name):
    dense = figures(name, "dense", "retriever=dense")
    hybrid = figures(name, "hybrid", "retriever=hybrid")
    assert hybrid["ndcg_cut_10"] > dense["ndcg_cut_10"]
