"""Every document is asked for once, and people and folders take turns."""

from collections import Counter

import pytest

from rageval_kit.access import Monitor
from rageval_kit.generate.family import word_module
from rageval_kit.records.target import Grain


def find(scene, limit):
    return word_module("who", "any_reason").find(scene, {}, limit, "document")


def documents(scene, found):
    return [scene.places[pair.chunk_id].document for pair in found.pairs]


@pytest.fixture(scope="module")
def whole(scene):
    return find(scene, 240)


def test_every_document_of_the_demo_is_asked_for_once(scene, demo, whole):
    asked = [document.document_id for document in documents(scene, whole)]
    assert len(asked) == len(set(asked)) == len(demo.documents) == 216
    assert set(asked) == demo.documents.keys()


def test_everybody_asks_as_often_as_anybody_else_within_one(demo, whole):
    """216 documents over 30 people: seven each, and six of them once more."""
    often = Counter(pair.reader_id for pair in whole.pairs)
    assert often.keys() == demo.principals.keys()
    assert Counter(often.values()) == {7: 24, 8: 6}


def test_the_reader_may_see_nothing_of_the_document_and_the_twin_may(scene, whole):
    monitor = Monitor(scene.world)
    seen = {
        reader: monitor.permitted(reader, Grain.DOCUMENT)
        for pair in whole.pairs
        for reader in (pair.reader_id, pair.twin_id)
        if reader
    }
    for pair in whole.pairs:
        place = scene.places[pair.chunk_id]
        document_id, version_id = place.document.document_id, place.version.version_id
        asked = (document_id, version_id, pair.chunk_id)
        assert document_id not in seen[pair.reader_id]
        assert monitor.decide(pair.reader_id, *asked) == pair.conditions != ()
        assert pair.twin_id or pair.sibling_id
        if pair.twin_id:
            assert monitor.decide(pair.twin_id, *asked) == ()


def test_of_more_documents_than_cases_every_folder_comes_before_any_comes_twice(scene, demo):
    folders = {document.folder_id for document in demo.documents.values()}
    few = [document.folder_id for document in documents(scene, find(scene, len(folders)))]
    assert set(few) == folders
    assert len(few) == len(folders)


def test_the_seed_draws_who_asks_and_which_come_first(scene, scene_for):
    here, again, elsewhere = (find(one, 40) for one in (scene, scene_for(), scene_for(seed=8)))
    assert here.pairs == again.pairs
    assert {p.chunk_id for p in here.pairs} != {p.chunk_id for p in elsewhere.pairs}
