"""What the words that met faults nobody had named put into a script, and whom they find denied."""

from dataclasses import replace
from datetime import timedelta
from functools import reduce

import pytest

from rageval_kit.access import Monitor
from rageval_kit.corpus.evolve import evolve
from rageval_kit.detect.levels import shown
from rageval_kit.generate.family import word_module
from rageval_kit.generate.hidden_terms import beginning_of
from rageval_kit.generate.scene import Pair
from rageval_kit.generate.shelf import load
from rageval_kit.generate.walk import Walk
from rageval_kit.generate.wording import Wording
from rageval_kit.records.cases import Observation
from rageval_kit.records.changes import Grant, PublishVersion, SetInheritance
from rageval_kit.records.target import Seen, Stage
from rageval_kit.records.world import Effect
from rageval_kit.resources import tree

FAMILIES = tree("suites") / "families"


def decided(scene, pair):
    world = reduce(evolve, (*pair.setup, *pair.event), scene.world)
    place = scene.places[pair.chunk_id]
    return Monitor(world).decide(
        pair.reader_id,
        place.document.document_id,
        place.version.version_id,
        pair.chunk_id,
    )


def test_after_the_next_version_is_announced_broken_inheritance_still_denies_the_one_in_force(
    scene,
):
    args = {"is": "broken_then_new_version"}
    pairs = word_module("who", "folder").find(scene, args, 4, "document").pairs
    assert pairs
    for pair in pairs:
        assert [type(change) for change in pair.event] == [SetInheritance, PublishVersion]
        assert set(decided(scene, pair)) == {"C11"}


@pytest.mark.parametrize("order", ["deny_first", "allow_first"])
def test_a_deny_by_name_stands_beside_an_allow_by_the_same_name(scene, order):
    args = {"form": "name_over_name_allow", "order": order}
    pairs = word_module("who", "deny").find(scene, args, 4, "document").pairs
    assert pairs
    for pair in pairs:
        entries = [change.entry for change in pair.setup if isinstance(change, Grant)]
        assert {entry.subject_id for entry in entries} == {pair.reader_id}
        first = Effect.DENY if order == "deny_first" else Effect.ALLOW
        assert entries[0].effect is first
        assert set(decided(scene, pair)) == {"C8"}


def test_an_explanation_counts_in_whole_numbers_beside_ids_and_scores():
    lines = ('{"id": "d-7@1#2", "score": 0.016}', '{"id": "d-8", "score": 1e-05}', '{"out": 12}')
    seen = {Stage.LOG: Seen(("d-7@1#2", "d-8"), lines)}
    found = shown(Observation(0, 0, "reader", "p", seen), "counted", 10)
    assert found == {Stage.LOG: frozenset({"12"})}


@pytest.mark.parametrize(("title", "typed"), [("Closing of the office", "cl"), ("关于撤销", "关")])
def test_completions_are_asked_for_by_so_little_that_many_begin_alike(title, typed):
    assert beginning_of(title) == typed


def test_a_target_that_was_in_force_once_is_asked_about_then(scene):
    row, column = next(scene.allowed_cells("test"))
    then = scene.world.clock - timedelta(days=3)
    pair = Pair(scene.readers[row], scene.chunk_ids[column], living_at=then)
    for one, times in ((pair, [then]), (replace(pair, living_at=None), [])):
        walk = Walk(scene, load(FAMILIES, ["ASO-02"])[0], one, Wording("Which floor?"))
        word_module("when", "in_force").emit(walk, {})
        assert [step.as_of for step in walk.steps] == times
