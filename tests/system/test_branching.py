"""A derived index is, number for number, the one that indexing the other world anew gives."""

from dataclasses import replace

import numpy as np
import pytest

from rageval_kit.build import compose
from rageval_kit.corpus.counterfactual import other_world
from rageval_kit.records.cases import OtherWorld
from rageval_kit.records.target import Caller, Request
from rageval_kit.retrievers.embedded import Embedded
from rageval_kit.run.prepare import read_world
from rageval_kit.system import branching
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.state import first_state

CONFIG = EmbeddedConfig()


@pytest.fixture(scope="module")
def world():
    return read_world(compose("+suite=smoke", "retriever=hybrid"))[0]


@pytest.fixture(scope="module")
def state(world):
    return first_state(world, CONFIG)


def _document(world):
    return next(d for d in world.documents.values() if len(d.versions[0].chunks) > 1)


def _saying(document, text):
    first, *rest = document.versions
    chunks = (replace(first.chunks[0], text=text), *first.chunks[1:])
    return replace(document, versions=(replace(first, chunks=chunks), *rest))


def _others(world):
    names, document = list(world.documents), _document(world)
    part = document.versions[0].chunks[0].chunk_id
    newcomer = replace(
        _saying(document, "A newcomer says quixotic things. 新来的文件另有说法。"),
        document_id="newcomer",
        versions=tuple(
            replace(
                v,
                version_id=f"new-{v.version_id}",
                chunks=tuple(replace(c, chunk_id=f"new-{c.chunk_id}") for c in v.chunks),
            )
            for v in document.versions
        ),
    )
    return {
        "the_same": OtherWorld("same"),
        "a_third_left_out": OtherWorld("out", without=frozenset(names[::3])),
        "the_first_left_out": OtherWorld("out", without=frozenset(names[:1])),
        "a_part_left_out": OtherWorld("part", without_parts=frozenset({part})),
        "nothing_left": OtherWorld("none", without=frozenset(names)),
        "says_another_thing": OtherWorld("swap", replaced=(_saying(document, "Zyxw, 改说别的。"),)),
        "one_more": OtherWorld("more", replaced=(newcomer,)),
        "another_title": OtherWorld(
            "title",
            replaced=(
                replace(
                    document,
                    versions=tuple(replace(v, title="Renamed 新名") for v in document.versions),
                ),
            ),
        ),
        "another_label": OtherWorld("label", replaced=(replace(document, label="secret"),)),
    }


@pytest.mark.parametrize(
    "name",
    [
        "the_same",
        "a_third_left_out",
        "the_first_left_out",
        "a_part_left_out",
        "nothing_left",
        "says_another_thing",
        "one_more",
        "another_title",
        "another_label",
    ],
)
def test_derived_and_indexed_anew_are_equal(world, state, name):
    there = other_world(world, _others(world)[name])
    derived, anew = (first_state(there, CONFIG, like) for like in (state, None))
    mine, its = derived.segments[0], anew.segments[0]
    assert mine.passages == its.passages
    assert dict(derived.lexicon.vocabulary.base) == dict(anew.lexicon.vocabulary.base)
    assert derived.lexicon.average_length == anew.lexicon.average_length
    assert np.array_equal(derived.lexicon.vocabulary.idf, anew.lexicon.vocabulary.idf)
    assert np.array_equal(mine.vectors, its.vectors)
    for column in ("indptr", "numbers", "counts", "in_body"):
        assert np.array_equal(getattr(mine.bag, column), getattr(its.bag, column))
    if its.bm25 is None:
        assert mine.bm25 is None
        return
    scores = [segment.bm25._index.scores for segment in (mine, its)]
    for column in ("data", "indices", "indptr"):
        assert np.array_equal(scores[0][column], scores[1][column]), column


def test_only_passages_that_are_new_are_read(world, state, monkeypatch):
    read = []
    known = branching.sources

    def counting(documents, *more):
        found = list(known(documents, *more))
        read.extend(found)
        return found

    monkeypatch.setattr(branching, "sources", counting)
    others = _others(world)
    first_state(other_world(world, others["a_third_left_out"]), CONFIG, state)
    assert read == []
    first_state(other_world(world, others["says_another_thing"]), CONFIG, state)
    assert {source.passage.document_id for source in read} == {_document(world).document_id}


def test_a_branch_knows_nothing_of_what_was_said_and_changed_in_the_other_world(world):
    target = Embedded(CONFIG)
    target.connect(world)
    reader = min(world.principals)
    request = Request("r", "leave policy", Caller(reader), session="s", script="s")
    for _ in range(2):
        before = target.answer([request])[0]
    beside = target.beside(world)
    fresh = beside.answer([request])[0]
    assert before.seen["cache"].ids
    assert fresh.seen["cache"].ids == ()
    target.close()
    assert beside.answer([request])[0].error == ""
    beside.close()
