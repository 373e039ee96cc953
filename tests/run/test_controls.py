"""The suite's own controls fail when the suite could not have failed."""

from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from rageval_kit.detect import Detector
from rageval_kit.generate.planting import plant
from rageval_kit.generate.scene import Scene
from rageval_kit.records.decisions import CoverageCell, ProofSummary
from rageval_kit.records.target import Grain, Power, Stage
from rageval_kit.records.verdicts import Outcome
from rageval_kit.records.world import Chunk, Document, State, Version, World
from rageval_kit.run.controls import (
    _coverage,
    _faults,
    _twins,
    canaries_sound,
    detectors_awake,
    taps_spoke,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def scene_of(*titles, text="A passage with words enough to be quoted by somebody."):
    documents = {}
    for number, title in enumerate(titles):
        name = f"d{number}"
        version = Version(
            f"{name}@1", title, (Chunk(f"{name}#1", text),), NOW, states=((NOW, State.PUBLISHED),)
        )
        documents[name] = Document(name, "", (version,))
    planted = plant(World(documents, {}, {}, {}, {}, {}, {}, {}, NOW), [], 7)
    return Scene(
        planted.world, Grain.CHUNK, frozenset(Power), frozenset(Stage), 7, {}, planted.canaries
    )


@pytest.fixture
def scene():
    return scene_of("First", "Second", "Third")


def test_canaries_in_one_passage_each_are_sound(scene):
    found = canaries_sound(scene, Detector(scene.canaries), {"who may read this?"})
    assert (found.met, found.n, found.n_total) == (True, 3, 3)
    assert found.detail == "1 queries carry none"


def test_a_reference_of_the_corpus_own_is_no_canary():
    scene = scene_of("Report [ref ISO 9001]", text="See the annex [ref ABCD-1234] for figures.")
    found = canaries_sound(scene, Detector(scene.canaries), {"what does [ref ABCD-1234] say?"})
    assert found.met is True


def test_a_canary_in_a_query_is_unsound_however_spelt(scene):
    token = next(iter(scene.canaries))
    for spelt in (token, token.lower(), token.replace("-", " ")):
        found = canaries_sound(scene, Detector(scene.canaries), {f"what is {spelt}?"})
        assert found.met is False
        assert "query carries a canary" in found.detail
        assert token not in found.detail


def test_a_canary_in_a_title_is_unsound(scene):
    token = next(iter(scene.canaries))
    document = scene.world.documents["d1"]
    (version,) = document.versions
    titled = replace(document, versions=(replace(version, title=f"About {token}"),))
    world = replace(scene.world, documents={**scene.world.documents, "d1": titled})
    found = canaries_sound(replace(scene, world=world), Detector(scene.canaries), ())
    assert (found.met, found.detail) == (False, "a canary stands in the title of d1@1")


def test_a_canary_that_was_lost_is_unsound(scene):
    extra = {**scene.canaries, "ZZZZZ-00000-QQQQQ-11111": "d9#1"}
    found = canaries_sound(replace(scene, canaries=extra), Detector(extra), ())
    assert found.met is False
    assert "stands in 0 passages" in found.detail


def test_where_nothing_could_be_planted_it_is_not_measured(scene):
    assert canaries_sound(scene, None, ()).met is None


def test_the_detector_is_awake_and_a_plain_search_for_the_token_is_not():
    awake = detectors_awake(Detector)
    assert awake.met is True
    assert awake.n == awake.n_total > 5

    class Plain:
        def __init__(self, tokens):
            self.tokens = tokens

        def find(self, text):
            return [SimpleNamespace(token=token) for token in self.tokens if token in text]

    assert detectors_awake(Plain).met is False


def prepared(*taps):
    suites = {"acl_negative": SimpleNamespace(required_taps=taps)}
    return SimpleNamespace(plan=SimpleNamespace(spec=SimpleNamespace(suites=suites)))


def test_a_required_tap_that_never_spoke_is_named(by_hand):
    rows = [by_hand.row(1, stages_seen=("retrieve",)), by_hand.row(2)]
    both = taps_spoke(prepared(Stage.RETRIEVE, Stage.ANSWER), rows)
    assert (both.met, both.n, both.n_total, both.detail) == (False, 1, 2, "silent: answer")
    assert taps_spoke(prepared(Stage.RETRIEVE), rows).met is True
    assert taps_spoke(prepared(Stage.RETRIEVE), []).met is False
    assert taps_spoke(prepared(), rows).met is None


def test_twins_are_counted_over_the_cases_that_needed_them(by_hand):
    rows = [
        by_hand.row(1, twin_ok=True),
        by_hand.row(2, "unobserved", twin_ok=False),
        by_hand.row(3, "violated", twin_ok=False),
        by_hand.row(4, twin_ok=None),
    ]
    found = _twins(rows)
    assert (found.n, found.n_total, found.met) == (1, 2, False)
    assert not found.is_gated  # the case of a dead twin is unobserved, and counted as that
    assert _twins(rows[:1]).met is True
    assert _twins([]).met is None


@pytest.mark.parametrize(
    ("proof", "met"),
    [
        (ProofSummary(), None),
        (ProofSummary("h", "2026-01-01", 9, 9, 20, 20), True),
        (ProofSummary("h", "2026-01-01", 8, 9, 20, 20), False),
        (ProofSummary("h", "2026-01-01", 9, 9, 20, 19), False),
        (ProofSummary("h", "2026-01-01", 0, 0, 20, 20), False),
    ],
    ids=["no_proof", "all_killed", "one_survived", "one_seed_not_silent", "no_fault_was_tried"],
)
def test_a_proof_counts_only_whole(proof, met):
    assert _faults(proof).met is met


def test_every_condition_that_the_world_has_needs_a_denied_pair_and_a_living_one():
    absent = CoverageCell("C4", 0, 0, "the world has no attributes for C4")
    full, denied_only = CoverageCell("C1", 2, 2), CoverageCell("C2", 2, 0)
    assert _coverage([full, absent]).met is True
    assert _coverage([full, absent]).detail == "1 not in this world"
    found = _coverage([full, denied_only, absent])
    assert (found.met, found.n, found.n_total, found.detail) == (False, 1, 2, "missing: C2")
    assert _coverage([absent]).met is None


def test_an_outcome_of_a_row_reads_as_text(by_hand):
    assert by_hand.row(1, "violated").outcome == "violated"
    assert by_hand.row(1).outcome is Outcome.HELD
