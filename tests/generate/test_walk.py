"""A script carries the world forward, and knows at each question what may show."""

from datetime import UTC, datetime, timedelta

import pytest

from rageval_kit.generate.family import Word, word_module
from rageval_kit.generate.scene import Pair
from rageval_kit.generate.walk import Walk, Wording
from rageval_kit.records.cases import Apply, Ask, Count, Enter, Look, Resolve, Wait
from rageval_kit.records.changes import Grant, Revoke, SetClock
from rageval_kit.records.target import Grain
from rageval_kit.records.world import Effect, Entry, SubjectKind


@pytest.fixture
def pair(scene):
    return word_module("who", "grant").find(scene, {"is": "revoked"}, 1, "document").pairs[0]


@pytest.fixture
def walk(scene, families, pair):
    return Walk(scene, families["ACL-08"], pair, Wording("anything"))


def test_a_grant_allows_and_its_revocation_denies_at_the_next_question(walk, pair):
    walk.ask("reader", pair.reader_id, walk.wording)
    walk.apply(pair.setup)
    walk.ask("reader", pair.reader_id, walk.wording)
    word_module("when", "deny").emit(walk, {})
    walk.ask("reader", pair.reader_id, walk.wording)
    walk.ask("twin", pair.twin_id, walk.wording)
    allowed = [walk.expected[i, 0].target_allowed for i in (0, 2, 4, 5)]
    assert allowed == [False, True, False, True]
    assert [type(s) for s in walk.steps] == [Ask, Apply, Ask, Apply, Ask, Ask]


def test_the_world_of_the_scene_is_left_as_it_was(walk, scene, pair):
    before = scene.world
    walk.apply((*pair.setup, *pair.event))
    assert scene.world is before
    assert walk.world is not before
    assert scene.monitor.permitted(pair.reader_id, Grain.CHUNK) is not None


def test_time_since_the_event_is_none_before_it_zero_after_it_and_grows_by_waiting(walk, pair):
    walk.apply(pair.setup)
    walk.ask("reader", pair.reader_id, walk.wording)
    word_module("when", "deny").emit(walk, {})
    walk.ask("reader", pair.reader_id, walk.wording)
    for _ in range(2):
        word_module("when", "wait").emit(walk, {"is": "level"})
        walk.ask("reader", pair.reader_id, walk.wording)
    elapsed = [walk.expected[i, 0].elapsed_s for i in sorted(i for i, _ in walk.expected)]
    assert elapsed == [None, 0.0, 60.0, 120.0]


THEN = datetime(2026, 3, 31, 17, tzinfo=UTC)  # 1 April in Shanghai


@pytest.mark.parametrize(
    ("own", "said"),
    [
        (Wording("What is it?"), "What is it?"),
        (
            Wording("As of 5 May 2025: What is it?", question="What is it?"),
            "As of 1 April 2026: What is it?",
        ),
        (
            Wording("截至2025年5月5日，那是什么？", question="那是什么？"),
            "截至2026年4月1日，那是什么？",
        ),
        (
            Wording("As of the end of last year, what?", meant=THEN, question="what?"),
            "As of 1 April 2026: what?",
        ),
    ],
)
def test_a_question_about_another_time_says_that_time_and_no_other(
    scene, families, pair, own, said
):
    """Words that name one day and a parameter that names another would be two questions."""
    assert scene.world.timezone == "Asia/Shanghai"
    then = Walk(scene, families["ACL-08"], pair, own).about(THEN)
    assert (then.text, then.as_of, then.meant) == (said, THEN, None)


def test_waiting_moves_the_clock_to_an_instant(walk, scene):
    walk.wait(60)
    walk.wait(30)
    instants = [step.until for step in walk.steps if isinstance(step, Wait)]
    assert instants == [scene.world.clock + timedelta(seconds=s) for s in (60, 90)]
    assert walk.world.clock == instants[-1]


def test_a_right_that_ends_while_waiting_is_over(scene, families, pair):
    walk = Walk(scene, families["ACL-08"], pair, Wording("anything"))
    (grant,) = pair.setup
    ends = scene.world.clock + timedelta(seconds=60)
    short = Entry(
        grant.entry.entry_id,
        Effect.ALLOW,
        SubjectKind.USER,
        pair.reader_id,
        type(grant.entry.window)(grant.entry.window.start, ends),
    )
    walk.apply((Grant(grant.object_id, short),))
    for seconds in (0, 59, 1):
        walk.wait(seconds)
        walk.ask("reader", pair.reader_id, walk.wording)
    allowed = [e.target_allowed for _, e in sorted(walk.expected.items())]
    assert allowed == [True, True, False]  # half-open: over at its very end


def test_a_question_at_another_time_is_expected_at_that_time(scene, families):
    """A version that begins tomorrow may show to a question as of tomorrow, not as of now."""
    found = word_module("who", "condition").find(scene, {"is": "C6"}, 40, "chunk").pairs
    now = scene.world.clock
    future = [
        pair
        for pair in found
        if (start := scene.places[pair.chunk_id].version.valid_from) and start > now
    ]
    pair = future[0]
    start = scene.places[pair.chunk_id].version.valid_from
    walk = Walk(scene, families["CTL-08"], pair, Wording("anything"))
    walk.ask("reader", pair.reader_id, Wording("anything"))
    walk.ask("reader", pair.reader_id, Wording("anything", as_of=start))
    assert pair.chunk_id not in walk.expected[0, 0].permitted
    assert pair.chunk_id in walk.expected[1, 0].permitted
    assert walk.steps[1].as_of == start


@pytest.mark.parametrize("grain", list(Grain))
def test_a_target_is_known_by_the_ids_of_its_grain(grain, scene_for, families, pair):
    scene = scene_for(grain=grain)
    place = scene.places[pair.chunk_id]
    walk = Walk(scene, families["ACL-08"], pair, Wording("anything"))
    assert (
        walk.roles["target"]
        == {
            Grain.DOCUMENT: {place.document.document_id},
            Grain.VERSION: {place.version.version_id},
            Grain.CHUNK: {chunk.chunk_id for chunk in place.version.chunks},
        }[grain]
    )


def test_a_part_is_known_by_itself(scene, made):
    case = made["CIT-02"].cases[0]
    (target,) = case.expectation.roles["target"]
    assert scene.places[target].chunk.kind == "attachment"


def test_a_count_expects_the_documents_with_a_readable_passage_that_holds_the_word(scene, made):
    from rageval_kit.access import Monitor
    from rageval_kit.text.words import words

    monitor, asked = Monitor(scene.world), set()
    for case in made["SID-02"].cases[:10]:
        for index, step in enumerate(case.script.steps):
            if isinstance(step, Enter):
                continue
            word = step.query if isinstance(step, Count) else step.text
            asked.add(step.door if isinstance(step, Look) else "count")
            may = monitor.permitted(step.caller.principal_id, Grain.CHUNK)
            holding = {
                place.document.document_id
                for chunk_id, place in scene.places.items()
                if chunk_id in may and word in words(f"{place.version.title}\n{place.chunk.text}")
            }
            assert case.expectation.steps[index, 0].visible_count == len(holding)
    assert asked == {"count", "facets"}


def test_a_guessed_handle_is_the_id_re_spelt(made):
    spelt = {}
    for case in made["CIT-01"].cases:
        (how,) = (value for key, value in case.coordinates.variant if "guess" in key)
        opened = next(s for s in case.script.steps if isinstance(s, Resolve))
        twin = next(s for s in case.script.steps if isinstance(s, Resolve) and s.role == "twin")
        spelt[how] = (opened.handle, twin.handle)
    exact, plain = spelt["exact_id"]
    assert exact == plain
    assert spelt["padded"][0] == f" {spelt['padded'][1]} "
    assert spelt["base64"][0] != spelt["base64"][1]


def test_a_denied_handle_is_followed_by_one_that_does_not_exist(made):
    for case in made["CIT-01"].cases:
        opened, contrast = case.expectation.marks["opened"], case.expectation.marks["contrast"]
        assert len(opened) == len(contrast) == 1
        steps = case.script.steps
        assert steps[opened[0]].caller == steps[contrast[0]].caller
        assert steps[contrast[0]].handle == "kit-no-such-handle"


def test_a_denied_link_is_contrasted_with_a_link(made):
    for case in made["ACL-14"].cases:
        for step in case.expectation.marks["contrast"]:
            assert case.script.steps[step].handle == "link:kit-no-such-handle"


def test_changes_are_applied_in_their_order_and_marked(walk, pair):
    walk.apply(pair.setup)
    walk.apply(pair.event)
    changes = [walk.steps[i].change for i in walk.marks["changed"]]
    assert [type(change) for change in changes] == [Grant, Revoke]
    assert not any(isinstance(change, SetClock) for change in changes)


def test_a_pair_without_a_sibling_has_no_such_role(scene, families, pair):
    alone = Pair(pair.reader_id, pair.chunk_id, twin_id=pair.twin_id)
    assert "sibling" not in Walk(scene, families["ACL-01"], alone, Wording("x")).roles
    assert Word("x").args == {}
