"""What the words of events put into a script, and whom the words beside them find denied by what.

Denials are checked by a monitor of our own, before the event and after it.
"""

from functools import reduce

import pytest

from rageval_kit.access import Monitor
from rageval_kit.corpus.evolve import evolve
from rageval_kit.generate.family import vocabulary, word_module
from rageval_kit.generate.scene import Pair
from rageval_kit.generate.sound import read
from rageval_kit.generate.walk import Walk
from rageval_kit.generate.wording import Wording
from rageval_kit.generate.world import groups, person
from rageval_kit.records import changes
from rageval_kit.records.cases import Apply, Ask
from rageval_kit.records.faults import InputError
from rageval_kit.records.target import Power
from rageval_kit.records.world import Effect, SubjectKind

TEXT = {"en": "A claim", "zh": "一句话"}


def family(**more):
    said = {
        "id": "X-01",
        "version": 1,
        "title": TEXT,
        "motive": TEXT,
        "limits": TEXT,
        "severity": "low",
        "who": "nobody",
        "see": {"must": ["retrieve"]},
        "checks": ["canary"],
        "service_level": "revocation",
    }
    return read(said | more, "X-01.yaml")


@pytest.fixture
def walk(scene):
    row, column = next(scene.allowed_cells("test"))
    event = (changes.SetClock(scene.world.clock),)
    pair = Pair(scene.readers[row], scene.chunk_ids[column], event=event)
    return Walk(scene, family(), pair, Wording("Which floor?"))


def emit(walk, word, **args):
    word_module("when", word).emit(walk, args)


def test_a_word_that_python_keeps_for_itself_is_written_as_it_is():
    assert "break" in vocabulary("when")
    assert not [word for word in vocabulary("when") if word.endswith("_")]
    how = {"break": {"part": "acl_service", "how": "timeout"}}
    assert family(when=[how, "ask"]).when[0].args == how["break"]
    with pytest.raises(InputError, match=r"when\.break\.how: is not one of its values"):
        family(when=[{"break": {"part": "acl_service", "how": "never"}}])


def test_questions_asked_while_a_part_is_broken_are_marked(walk):
    emit(walk, "ask")
    emit(walk, "break", part="acl_service", how="timeout")
    emit(walk, "ask")
    emit(walk, "mend", **{"is": "acl_service"})
    emit(walk, "ask")
    assert walk.marks["may_refuse"] == [2]
    assert [type(step.change) for step in walk.steps if isinstance(step, Apply)] == [
        changes.Break,
        changes.Mend,
    ]


@pytest.mark.parametrize(
    ("word", "args", "change"),
    [("resync", {}, changes.Resync), ("restore", {}, changes.RestoreBackup)],
)
def test_what_happens_to_the_index_leaves_the_source_as_it_is(walk, word, args, change):
    before = walk.world
    emit(walk, word, **args)
    assert isinstance(walk.steps[-1].change, change)
    assert walk.world is before


def test_an_interruption_is_the_event_and_the_level_between_retrieval_and_answer(walk):
    emit(walk, "interrupt")
    (happening,) = [step.change.changes for step in walk.steps]
    assert happening[:-1] == walk.pair.event
    assert (happening[-1].now - walk.scene.world.clock).total_seconds() == 60
    assert walk.world.clock == happening[-1].now
    emit(walk, "ask")
    assert walk.expected[1, 0].elapsed_s == 60


@pytest.mark.parametrize(("query", "said"), [("Which floor?", "above"), ("在哪一层？", "上面")])
def test_a_summary_is_asked_for_in_the_language_and_session_of_the_question(walk, query, said):
    walk.wording = Wording(query)
    emit(walk, "ask")
    emit(walk, "summarise")
    first, second = walk.steps
    assert said in second.query
    assert (first.session, first.caller) == (second.session, second.caller)


@pytest.mark.parametrize("word", ["break", "mend", "resync", "restore", "interrupt"])
def test_a_target_that_cannot_be_disturbed_is_spared(word):
    assert Power.DISTURB in word_module("when", word).NEEDS


# Whom the words of who find


def reasons(world, pair, scene, by_changes):
    place = scene.places[pair.chunk_id]
    now = Monitor(reduce(evolve, by_changes, world))
    return now.decide(
        pair.reader_id, place.document.document_id, place.version.version_id, pair.chunk_id
    )


@pytest.mark.parametrize(
    ("word", "how", "condition"),
    [
        ("rights_changed", "relabelled", "C3"),
        ("rights_changed", "recompartmented", "C4"),
        ("rights_changed", "denied", "C8"),
        ("rights_changed", "moved", "C3"),
        ("identity", "suspended", "C1"),
        ("identity", "deleted", "C1"),
        ("identity", "guest_lapsed", "C2"),
    ],
)
def test_a_pair_is_allowed_before_its_event_and_denied_by_one_condition_after(
    scene, word, how, condition
):
    found = word_module("who", word).find(scene, {"is": how}, 5, "document")
    assert len(found.pairs) == 5
    for pair in found.pairs:
        assert pair.conditions == (condition,)
        assert reasons(scene.world, pair, scene, pair.setup) == ()
        assert reasons(scene.world, pair, scene, (*pair.setup, *pair.event)) == (condition,)
        assert pair.reader_id != pair.twin_id


@pytest.mark.parametrize("how", ["unknown", "unnamed", "anonymous"])
def test_strangers_are_denied_as_the_world_stands_what_their_twins_may_read(scene, how):
    found = word_module("who", "identity").find(scene, {"is": how}, 5, "document")
    assert len({pair.chunk_id for pair in found.pairs}) == 5
    for pair in found.pairs:
        assert (pair.reader_id in scene.world.principals) is (how == "anonymous")
        assert reasons(scene.world, pair, scene, ())
        twin = Pair(pair.twin_id, pair.chunk_id)
        assert reasons(scene.world, twin, scene, ()) == ()
        if how != "anonymous":
            assert "C1" in pair.conditions


@pytest.mark.parametrize("n", [50, 200, 500])
@pytest.mark.parametrize(("last", "condition"), [("denies", "C9"), ("allows", "C11")])
def test_the_last_of_n_groups_decides(demo, scene, n, last, condition):
    args = {"n": n, "last": last}
    shown = scene.showing(groups.exhibits(scene.world, args, scene.seed))
    found = word_module("who", "overage").find(shown, {}, 10, "document")
    assert len(found.pairs) == 4
    planted = groups.plant(demo, args, scene.seed)
    for pair in found.pairs:
        assert pair.conditions == (condition,)
        own = [m for m in planted.memberships if m.member_id == pair.reader_id]
        assert len(own) == n
        place = scene.places[pair.chunk_id]
        decisive = place.document.entries[0]
        assert decisive.effect is (Effect.DENY if last == "denies" else Effect.ALLOW)
        assert decisive.subject_kind is SubjectKind.UNIT
        assert decisive.subject_id == f"kit-group-{n - 1:03d}"
        assert (decisive.subject_id in {m.unit_id for m in own}) is (last == "denies")


def test_where_no_groups_were_planted_there_is_nobody(scene):
    found = word_module("who", "overage").find(scene, {}, 10, "document")
    assert (found.pairs, found.nothing) == ((), "no groups were planted")


def test_everything_about_a_person_says_the_number_and_is_erased_together(demo):
    planted = {d.document_id: d for d in person.plant(demo, {}, 7).documents}
    shown = person.exhibits(demo, {}, 7)
    assert len(shown) == person.PEOPLE - 2
    assert {exhibit.lang for exhibit in shown} == {"en", "zh"}
    for exhibit in shown:
        erased = {change.document_id for change in exhibit.events["erase"]}
        assert erased == {f"{exhibit.exhibit_id}-{kind}" for kind in person.TEXTS}
        own = [v for v in exhibit.values if v.startswith(f"{exhibit.exhibit_id}-")]
        (number,) = {exhibit.values[version_id] for version_id in own}
        texts = [c.text for d in erased for v in planted[d].versions for c in v.chunks]
        assert len(texts) == 4
        assert all(number in text for text in texts)
        assert exhibit.documents["clean"] not in erased
        clean = planted[exhibit.documents["clean"]].versions[0].chunks[0].text
        assert number not in clean


def test_the_record_of_a_person_was_renewed_a_year_ago(scene):
    (exhibit, *_) = person.exhibits(scene.world, {}, scene.seed)
    newer, older = scene.world.documents[exhibit.documents["target"]].versions
    assert older.valid_to == newer.valid_from < scene.world.clock
    pair = Pair("anybody", older.chunks[0].chunk_id, exhibit=exhibit)
    walk = Walk(scene, family(), pair, Wording(exhibit.questions["topic"]))
    emit(walk, "look_back")
    (asked,) = walk.steps
    assert isinstance(asked, Ask)
    assert (
        asked.as_of
        == walk.scene.world.clock - person.YEAR - word_module("when", "look_back").JUST_BEFORE
    )
