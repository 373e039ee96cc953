"""Scores of both arms against bm25s over the whole corpus and against cosines worked by hand."""

import logging

import bm25s
import numpy as np
import pytest

from rageval_kit.records.world import AccessPolicy, Chunk, Document, Version
from rageval_kit.system.dense import cosines, embed_texts
from rageval_kit.system.ranking import best, fuse
from rageval_kit.system.segment import first_segment, joined, later_segment, sources
from rageval_kit.system.vocabulary import Vocabulary

logging.getLogger("bm25s").setLevel(logging.WARNING)
TEXTS = ["red green blue", "red red yellow", "报销 流程 red", "green 报销"]


def documents(texts, label=None):
    return [
        Document(f"{n}", "t", (Version(f"v{n}", "", (Chunk(f"c{n}", text),)),), label=label)
        for n, text in enumerate(texts)
    ]


def test_the_first_segment_scores_as_bm25s_does():
    found = list(sources(documents(TEXTS), AccessPolicy()))
    segment, lexicon = first_segment(found, 64, 1.5, 0.75)
    peer = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
    peer.index([s.body + s.title for s in found], show_progress=False)
    for query in ("red", "报销", "blue"):
        numbers = np.array([lexicon.vocabulary.number(query)], dtype=np.int32)
        assert segment.sparse_scores(numbers, None) == pytest.approx(peer.get_scores([query]))


def test_a_masked_passage_is_no_candidate():
    segment, lexicon = first_segment(list(sources(documents(TEXTS), AccessPolicy())), 64, 1.5, 0.75)
    numbers = np.array([lexicon.vocabulary.number("red")], dtype=np.int32)
    masked = segment.sparse_scores(numbers, np.array([True, False, True, True]))
    assert best(masked, 10, 0.0, None)[0].tolist() == [0, 2]


def test_a_text_published_later_scores_as_its_twin_of_the_first_index():
    found = list(sources(documents(TEXTS), AccessPolicy()))
    segment, lexicon = first_segment(found, 64, 1.5, 0.75)
    later, grown = later_segment([found[1]], 4, lexicon, 64)
    numbers = np.array([lexicon.vocabulary.number("red")], dtype=np.int32)
    twin = segment.sparse_scores(numbers, None)[1]
    assert later.sparse_scores(numbers, None) == pytest.approx([twin])
    assert (later.vectors == segment.vectors[1]).all()
    assert joined((segment,), later) == (segment, later)
    assert grown.vocabulary.base is lexicon.vocabulary.base


def test_joining_segments_changes_no_score():
    found = list(sources(documents(TEXTS), AccessPolicy()))
    _, lexicon = first_segment(found[:1], 64, 1.5, 0.75)
    one, lexicon = later_segment([found[1]], 1, lexicon, 64)
    two, lexicon = later_segment([found[2]], 2, lexicon, 64)
    numbers = np.array(
        sorted([lexicon.vocabulary.number("red"), lexicon.vocabulary.number("报销")]),
        dtype=np.int32,
    )
    apart = np.concatenate([one.sparse_scores(numbers, None), two.sparse_scores(numbers, None)])
    (together,) = joined((first_segment([], 64, 1.5, 0.75)[0], one), two)[1:]
    assert together.sparse_scores(numbers, None) == pytest.approx(apart)
    assert len(together) == 2


def test_title_words_find_a_passage_only_where_its_readers_may_read_the_title():
    policy = AccessPolicy(("public", "secret"))
    chunks = (Chunk("low", "body", label="public"), Chunk("own", "body"))
    document = Document("d", "t", (Version("v", "merger", chunks),), label="secret")
    low, own = sources([document], policy)
    assert "merger" not in low.title
    assert "merger" in own.title


EVEN = Vocabulary({}, {}, np.zeros(0), 1.0)


def test_dense_scores_do_not_depend_on_the_batch():
    rng = np.random.default_rng(3)
    texts = [[f"w{n}" for n in rng.integers(0, 500, 40)] for _ in range(65)]
    vectors = embed_texts(texts, EVEN, 384)
    together = cosines(vectors, vectors)
    for row in range(65):
        assert (cosines(vectors[row : row + 1], vectors)[0] == together[row]).all()
    assert np.diag(together) == pytest.approx(np.ones(65), abs=3e-3)


def test_a_typing_error_stays_near_and_a_foreign_text_far():
    wanted, typo, foreign = embed_texts([["reimbursement"], ["reimbursment"], ["menu"]], EVEN, 384)
    near, far = cosines(wanted[None], np.stack([typo, foreign]))[0]
    assert near > 0.15 > far


def test_fusion_is_the_sum_of_reciprocal_ranks():
    first = (np.array([7, 3]), np.array([9.0, 8.0]))
    second = (np.array([3, 5]), np.array([0.9, 0.8]))
    positions, scores = fuse([first, second], 60)
    assert positions.tolist() == [3, 7, 5]
    assert scores == pytest.approx([1 / 62 + 1 / 61, 1 / 61, 1 / 62])


def test_equal_scores_stand_in_index_order_also_at_the_cut():
    scores = np.array([1, 2, 1, 1, 0], dtype=np.float32)
    assert best(scores, 3, 0.0, None)[0].tolist() == [1, 0, 2]
