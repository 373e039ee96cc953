"""Shapes of the access rule: each reader is denied by the one cause that the shape says."""

from dataclasses import replace

import pytest

from rageval_kit.access import Monitor
from rageval_kit.generate.planting import plant
from rageval_kit.generate.scene import Scene
from rageval_kit.generate.shelf import load
from rageval_kit.generate.sound import read
from rageval_kit.generate.suite import compile_family
from rageval_kit.generate.world import shapes
from rageval_kit.records.target import Grain, Power, Stage
from rageval_kit.records.world import AccessPolicy
from rageval_kit.text.normalise import language

TEXT = {"en": "a text", "zh": "文字"}
CAUSE = {  # conditions of docs/access-rule.md
    "deny_for_everyone_and_guest": "C9",
    "temporary_deny": "C8",
    "own_allow_below_inherited_deny": "C10",
    "nested_deny": "C9",
    "nested_edge_ended": "C13",
    "owner_without_entry": "C11",
    "public_with_sealed_passage": "C4",
    "broken_in_sealed_folder": "C4",
    "account_to_begin": "C1",
    "as_many_each": "C11",
}


def family_of(shape):
    data = {
        "id": "X-01",
        "version": 1,
        "title": TEXT,
        "motive": TEXT,
        "limits": TEXT,
        "severity": "high",
        "world": [{"shapes": shape}],
        "who": {"denied_by": {"barred": "alone"}, "part": "chunk"},
        "ask": ["question"],
        "see": {"must": ["retrieve"]},
        "checks": ["forbidden_document"],
    }
    return read(data, "X-01.yaml")


def made_in(world, shape):
    family = family_of(shape)
    planted = plant(world, [family], 7)
    scene = Scene(
        planted.world,
        Grain.CHUNK,
        frozenset(Power),
        frozenset(Stage),
        7,
        {},
        planted.canaries,
        own=world,
    )
    return compile_family(scene, family, 40).cases, planted.world


def without_labels(world):
    """The people of a world and its clock, with nothing that a label stands on."""
    people = {name: replace(one, clearance=None) for name, one in world.principals.items()}
    return replace(world, policy=AccessPolicy(), principals=people, documents={}, folders={})


def test_every_shape_has_its_cause():
    assert set(CAUSE) == set(shapes.TAKES["is"])


@pytest.mark.parametrize("labelled", [True, False])
@pytest.mark.parametrize("shape", CAUSE)
def test_the_reader_is_denied_by_the_one_cause_and_the_twin_by_none(demo, shape, labelled):
    world = demo if labelled else without_labels(demo)
    cases, planted = made_in(world, shape)
    monitor = Monitor(planted)
    assert len(cases) == shapes.PER_SHAPE
    for case in cases:
        document = planted.documents[case.coordinates.document_id]
        (edition,) = document.versions
        (target,) = case.expectation.roles["target"]
        where = (document.document_id, edition.version_id, target)
        assert monitor.decide(case.coordinates.reader_id, *where) == (CAUSE[shape],)
        assert monitor.decide(case.coordinates.twin_id, *where) == ()


@pytest.mark.parametrize("shape", CAUSE)
def test_questions_are_chinese_and_english(demo, shape):
    shown = shapes.exhibits(demo, {"is": shape}, 7)
    assert [one.lang for one in shown] == ["en", "zh"]
    assert [language(one.questions["topic"]) for one in shown] == ["en", "zh"]


def test_a_label_that_is_demanded_of_everything_denies_nobody_more(demo):
    strict = replace(demo, policy=replace(demo.policy, unlabelled_denied=True))
    for shape, cause in CAUSE.items():
        cases, _ = made_in(strict, shape)
        assert [case.denied_by for case in cases] == [(cause,)] * shapes.PER_SHAPE


def test_as_many_passages_are_read_by_two_but_not_the_same(demo):
    cases, planted = made_in(demo, "as_many_each")
    monitor = Monitor(planted)
    for case in cases:
        ids = case.coordinates.reader_id, case.coordinates.twin_id
        reader, twin = (monitor.permitted(one, Grain.CHUNK).mask for one in ids)
        assert reader.sum() == twin.sum()
        assert (reader != twin).sum() == 2


def test_folders_and_guests_are_planted_beside_those_of_the_world(demo, shelf):
    planted = plant(demo, load(shelf, ["ACL-26"]), 7).world
    assert planted.folders.items() > demo.folders.items()
    assert planted.guests.items() > demo.guests.items()
