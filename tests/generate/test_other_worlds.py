"""The other world is asked what the reader asked, step by step, and lacks what it must lack."""

import re
from collections import Counter

import pytest

from rageval_kit.build import compose
from rageval_kit.corpus.counterfactual import other_world
from rageval_kit.generate.words import without_marks
from rageval_kit.records.cases import Apply, Ask, Count, Enter, Resolve, Wait
from rageval_kit.records.changes import SetState
from rageval_kit.run.prepare import prepare

FAMILIES = "[SID-01,SID-02,SID-08,SID-14,DEL-06,RNK-05]"


@pytest.fixture(scope="module")
def prepared():
    ids = f"suites.acl_full.families.ids={FAMILIES}"
    return prepare(compose("+suite=acl_full", ids, "suites.acl_full.size.cases=6"))


def cases_of(prepared, family):
    found = [case for case in prepared.cases if case.coordinates.family == family]
    assert found
    return found


def worlds_of(case):
    return [s.other for s in case.script.steps if isinstance(s, Enter) and s.other]


@pytest.mark.parametrize("family", ["SID-01", "SID-02", "SID-14", "DEL-06", "RNK-05"])
def test_steps_are_paired_and_say_the_same(prepared, family):
    for case in cases_of(prepared, family):
        marks, steps = case.expectation.marks, case.script.steps
        pairs = list(zip(marks["compared"], marks["contrast"], strict=True))
        assert pairs
        for mine, other in pairs:
            for field in ("query", "handle", "door", "text"):
                assert getattr(steps[mine], field, "") == getattr(steps[other], field, "")
            assert steps[mine].caller == steps[other].caller
            assert steps[mine].role == "reader"


def test_left_out_is_all_that_the_reader_may_not_read_and_nothing_else(prepared):
    scene = prepared.scene
    for case in cases_of(prepared, "SID-01"):
        (other, *_) = worlds_of(case)
        world = other_world(scene.world, other)
        kept = {
            chunk.chunk_id
            for document in world.documents.values()
            for version in document.versions
            for chunk in version.chunks
        }
        bits = scene.monitor.reason_bits(case.coordinates.reader_id)
        readable = {c for c, bit in zip(scene.chunk_ids, bits, strict=True) if bit == 0}
        assert kept == readable


def test_never_existed_lacks_the_target_and_its_deletion_but_not_the_passing_of_time(prepared):
    for case in cases_of(prepared, "DEL-06"):
        steps, target = case.script.steps, case.coordinates.document_id
        entered = next(n for n, s in enumerate(steps) if isinstance(s, Enter))
        assert worlds_of(case)[0].without == {target}
        before, after = steps[:entered], steps[entered:]
        assert any(isinstance(s, Apply) and isinstance(s.change, SetState) for s in before)
        assert not any(isinstance(s, Apply) for s in after)
        waits = [s.until for s in before if isinstance(s, Wait)]
        assert [s.until for s in after if isinstance(s, Wait)] == waits
        kinds = [type(steps[n]) for n in case.expectation.marks["compared"]]
        assert kinds == [Ask, Count, Resolve]  # nothing of before the deletion


def test_no_history_has_the_same_world_and_nothing_of_what_others_did(prepared):
    for case in cases_of(prepared, "RNK-05"):
        same, again = worlds_of(case)
        assert again == same
        assert not {*same.without, *same.replaced, *same.without_parts}
        steps = case.script.steps
        doors = [n for n, step in enumerate(steps) if isinstance(step, Enter)]
        opened = [n for n, step in enumerate(steps) if isinstance(step, Resolve)]
        assert any(n < doors[0] for n in opened)
        assert not any(doors[0] < n < doors[1] for n in opened)
        assert case.script.alone


def test_a_swapped_field_is_the_only_difference(prepared):
    for case in cases_of(prepared, "SID-14"):
        (other, *_) = worlds_of(case)
        (swapped,) = other.replaced
        own = prepared.world.documents[swapped.document_id]
        texts = [[c.text for v in d.versions for c in v.chunks] for d in (own, swapped)]
        assert texts[0] == texts[1]
        assert own != swapped
        (asked,) = {case.script.steps[n].query for n in case.expectation.marks["compared"]}
        fields = [(d.owner_id, d.versions[0].metadata) for d in (own, swapped)]
        assert asked in str(fields[0])
        assert asked not in str(fields[1])


def test_sentences_held_and_not_held_use_every_word_equally_often(prepared):
    (case, *_) = cases_of(prepared, "SID-08")
    steps, marks = case.script.steps, case.expectation.marks
    held, absent = ([steps[n].query for n in marks[kind]] for kind in ("held", "absent"))
    assert len(held) == len(absent) == 40
    assert not set(held) & set(absent)
    words = [
        Counter(w for s in group for w in re.findall("[a-z]{8,}", s)) for group in (held, absent)
    ]
    assert words[0] == words[1]
    assert set(words[0].values()) == {4}


def test_only_sentences_that_are_held_stand_in_a_document(prepared):
    (case, *_) = cases_of(prepared, "SID-08")
    steps, marks = case.script.steps, case.expectation.marks
    texts = "\n".join(
        without_marks(c.text)
        for d in prepared.world.documents.values()
        for v in d.versions
        for c in v.chunks
    )
    assert all(steps[n].query in texts for n in marks["held"])
    assert not any(steps[n].query in texts for n in marks["absent"])
