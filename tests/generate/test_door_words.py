"""What only the target says, what is asked at a door, and documents whose title is hidden."""

from dataclasses import replace

import numpy as np
import pytest

from rageval_kit.detect import Detector
from rageval_kit.generate.cells import door
from rageval_kit.generate.family import variants
from rageval_kit.generate.hidden_terms import (
    hidden_term,
    hidden_title,
    hidden_title_word,
    misspelt,
    prefix_of,
)
from rageval_kit.generate.planting import plant
from rageval_kit.generate.scene import Scene
from rageval_kit.generate.shelf import load
from rageval_kit.generate.suite import compile_family
from rageval_kit.generate.titles import TITLED, passages_of
from rageval_kit.generate.when import look, talk
from rageval_kit.generate.who import no_entry
from rageval_kit.generate.who.identity import find as unknown_to
from rageval_kit.generate.who.title import find as hidden_titles
from rageval_kit.generate.world import titled
from rageval_kit.records.cases import Ask, Look
from rageval_kit.records.target import Grain, Power, Stage
from rageval_kit.records.world import AccessPolicy
from rageval_kit.run.controls import canaries_sound, queries_of
from rageval_kit.system import doors
from rageval_kit.text.normalise import fold

IDS = ["ACL-13", "ACL-23", "CIT-03", "LOG-02", "LOG-03", "SID-03", "SID-05", "SID-09"]
LEVELS = {"revocation": 60.0}
BASE = frozenset({"open", "count", "read"})
ABLE = BASE | {door(name) for name in doors.names()}


@pytest.fixture(scope="module")
def own(shelf):
    return {family.id: family for family in load(shelf, IDS)}


@pytest.fixture(scope="module")
def small(demo, own):
    planted = plant(demo, list(own.values()), 11)
    return Scene(
        planted.world,
        Grain.CHUNK,
        frozenset(Power),
        frozenset(Stage),
        11,
        LEVELS,
        planted.canaries,
        own=demo,
        common=planted.common,
        abilities=ABLE,
    )


@pytest.fixture(scope="module")
def cases(small, own):
    return {name: compile_family(small, family, 12).cases for name, family in own.items()}


def test_a_hidden_term_stands_in_the_target_and_in_nothing_that_may_be_read(small):
    pairs = no_entry.find(small, {}, 40, "document").pairs
    terms = [(pair, hidden_term(small, pair), hidden_title(small, pair)) for pair in pairs]
    assert len({term for _, term, _ in terms if term}) > 20
    for pair, term, title in terms:
        place = small.places[pair.chunk_id]
        assert term in fold(place.chunk.text)
        assert title in fold(place.version.title)
        readable = small.monitor.reason_bits(pair.reader_id) == 0
        for position in np.flatnonzero(readable):
            seen = small.places[small.chunk_ids[position]]
            known = fold(f"{seen.version.title}\n{seen.chunk.text}")
            assert not term or term not in known
            assert not title or title not in known


def test_somebody_unknown_asks_about_titles_with_a_mark(small):
    """Else no title that a log could tell would stand behind the question (LOG-09)."""
    pairs = unknown_to(small, {"is": "unknown", "of": "titled"}, 12, "document").pairs
    assert [pair.chunk_id for pair in pairs] == [
        passages_of(f"{TITLED}{number}")[0] for number in range(titled.USUAL)
    ]


def test_a_word_of_a_title_stands_in_nothing_that_the_reader_may_read(small):
    """Not even in the passage of the same version: of that it may read the text alone."""
    pairs = hidden_titles(small, {}, 12, "chunk").pairs
    words = {pair: hidden_title_word(small, pair) for pair in pairs}
    assert len(pairs) == 12
    assert len(set(words.values())) == titled.USUAL
    for pair, word in words.items():
        assert word in fold(small.places[pair.chunk_id].version.title)
        assert word not in fold(small.places[pair.sibling_id].chunk.text)
        readable = small.monitor.reason_bits(pair.reader_id) == 0
        of_others = [
            small.folded[position]
            for position in np.flatnonzero(readable)
            if small.chunk_ids[position] != pair.sibling_id
        ]
        assert not any(word in text for text in of_others)


@pytest.mark.parametrize(
    ("term", "prefix", "slip"),
    [
        ("severance", "severan", "sevearnce"),
        ("moonlight", "moonlig", "moonilght"),
        ("aabbaa", "aabb", "aababa"),
        ("董事的离职补偿", "董事的离职", "董事的职离补偿"),
        ("salaries of directors", "salaries o", "salaries o fdirectors"),
    ],
)
def test_a_prefix_and_a_slip_tell_less_than_the_term(term, prefix, slip):
    assert prefix_of(term) == prefix
    assert misspelt(term) == slip
    assert sorted(slip) == sorted(term)


def test_no_step_of_the_reader_says_the_term_and_somebody_else_has(cases):
    for case in cases["SID-03"]:
        steps = case.script.steps
        (term,) = {t for e in case.expectation.steps.values() for t in e.unwanted}
        assert [step.query for step in steps if isinstance(step, Ask)] == [term]
        asker = next(s.caller.principal_id for s in steps if isinstance(s, Ask))
        looks = {s.role: s for s in steps if isinstance(s, Look)}
        assert set(looks) == {"reader", "twin"}
        assert asker not in {one.caller.principal_id for one in looks.values()}
        assert term not in looks["reader"].text
        (twin,) = case.expectation.marks["twin"]
        assert case.expectation.steps[twin, 0].wanted == term


def test_the_twin_looks_at_all_that_the_reader_looked_at(cases):
    for case in [case for some in cases.values() for case in some]:
        looks = [s for s in case.script.steps if isinstance(s, Look)]
        asked = {(s.door, s.text, s.session) for s in looks if s.role == "reader"}
        again = {(s.door, s.text, s.session) for s in looks if s.role == "twin"}
        if case.coordinates.family not in {"ACL-13", "CIT-03"}:  # where it searches
            assert asked <= again


def test_a_transcript_is_looked_at_by_the_link_that_its_owner_was_given(cases):
    shared = [
        (case.script.steps, number)
        for case in cases["LOG-03"]
        for number, step in enumerate(case.script.steps)
        if isinstance(step, Look) and step.door == "shared"
    ]
    assert shared
    for steps, number in shared:
        given = steps[steps[number].bearing]
        assert (given.door, given.role, given.session) == ("share", "owner", "talk")


def test_a_document_of_two_levels_marks_its_title_by_the_passage_that_is_read_like_it(demo):
    planting = titled.plant(demo, {"n": 2}, 7)
    assert [d.document_id for d in planting.documents] == [f"{TITLED}0", f"{TITLED}1"]
    assert {d.versions[0].language for d in planting.documents} == {"en", "zh"}
    tokens = {chunk_id: token for token, chunk_id in planting.titled.items()}
    for document in planting.documents:
        hidden, shown = passages_of(document.document_id)
        version = document.versions[0]
        assert tokens[hidden] in version.title
        assert {c.chunk_id: c.label for c in version.chunks} == {hidden: None, shown: "public"}
        assert document.label == "secret"


@pytest.mark.parametrize("labels", [(), ("public",), ("public", "unheard")])
def test_without_two_labels_that_divide_people_nothing_is_planted(demo, labels):
    world = replace(demo, policy=AccessPolicy(labels))
    assert titled.plant(world, {}, 7).documents == ()


def test_canaries_in_titles_are_sound_and_one_that_is_read_otherwise_is_not(small, cases):
    detector = Detector(small.canaries)
    queries = queries_of(case for some in cases.values() for case in some)
    assert canaries_sound(small, detector, queries).met
    hidden, shown = passages_of(f"{TITLED}0")
    (token,) = (
        t
        for t, chunk_id in small.canaries.items()
        if chunk_id == hidden and t in small.places[hidden].version.title
    )
    moved = replace(small, canaries={**small.canaries, token: shown})
    assert canaries_sound(moved, detector, ()).met is False


def test_each_reader_of_one_passage_may_read_neither_title_nor_rest(small, cases):
    for case in (*cases["SID-05"], *cases["CIT-03"]):
        hidden, shown = passages_of(case.coordinates.document_id)
        assert case.denied_by == ("C3",)
        assert case.expectation.roles["target"] == {hidden}
        permitted = small.monitor.permitted(case.coordinates.reader_id, Grain.CHUNK)
        assert hidden not in permitted
        assert shown in permitted
        assert hidden in small.monitor.permitted(case.coordinates.twin_id, Grain.CHUNK)


def test_a_door_that_is_wanted_must_be_there_and_one_that_is_only_used_need_not(small, own):
    bare = replace(small, abilities=BASE)
    for name in ("SID-03", "SID-05", "LOG-02", "LOG-03", "ACL-23", "SID-09"):
        told = compile_family(bare, own[name], 4).not_applicable
        assert "has no door" in told
        assert "look:" not in told
    found = compile_family(bare, own["ACL-13"], 4)
    assert found.cases
    assert not [s for c in found.cases for s in c.script.steps if isinstance(s, Look)]


def test_words_say_what_they_need():
    assert look.abilities({"is": "shared"}) == {door("shared"), door("share")}
    assert look.abilities({"is": "suggest", "only": "if_there"}) == frozenset()
    assert talk.needs({"as": "other"}) == frozenset()
    assert talk.needs({"as": "twin"}) == {Power.RESTORE}


def test_every_variant_makes_cases(cases, own):
    for name, family in own.items():
        labels = {case.coordinates.variant for case in cases[name]}
        assert labels == {variant.variant for variant in variants(family)}, name
