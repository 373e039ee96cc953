"""A script carries the world forward, and knows at each question what may show."""

from datetime import UTC, datetime, timedelta

import pytest

from rageval_kit.generate.family import Word, word_module
from rageval_kit.generate.scene import Pair
from rageval_kit.generate.walk import Walk
from rageval_kit.generate.wording import Wording
from rageval_kit.records.cases import Apply, Ask, Count, Enter, Look, Resolve, Wait
from rageval_kit.records.changes import Grant, Revoke, SetClock
from rageval_kit.records.target import Grain, Power
from rageval_kit.records.world import Effect, Entry, SubjectKind

ANY = 0b11111111111111


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
    waits = [step.seconds for step in walk.steps if isinstance(step, Wait)]
    assert elapsed == [None, 0.0, waits[0], sum(waits)]
    assert all(60 <= seconds < 70 for seconds in waits)


def about(scene, families, n, family="ACL-08"):
    """Walks about so many pairs."""
    cells = [cell for cell, _ in zip(scene.denied(0, ANY), range(n), strict=False)]
    pairs = [Pair(scene.readers[row], scene.chunk_ids[column]) for row, column in cells]
    return [Walk(scene, families[family], pair, Wording("anything")) for pair in pairs]


def test_waits_end_on_the_full_minute_and_off_it_and_never_before_the_level(scene, families):
    ends = []
    for walk in about(scene, families, 40):
        before = walk.world.clock
        walk.wait(60)
        (step,) = walk.steps
        assert step.until == walk.world.clock >= before + timedelta(seconds=60)
        ends.append((step.until - before).total_seconds() - 60)
    to_the_second = ends.count(0)
    assert 2 <= to_the_second <= 20
    assert all(0 <= odd < 10 for odd in ends)
    assert sum(odd != int(odd) for odd in ends) == len(ends) - to_the_second


def test_a_wait_whose_end_is_tested_ends_there(scene, families):
    for walk in about(scene, families, 12):
        before = walk.world.clock
        walk.wait(3600, exactly=True)
        assert walk.world.clock == before + timedelta(hours=1)


def test_nobody_waits_longer_in_earnest(scene_for, families):
    slow = scene_for(powers=frozenset(Power) - {Power.CLOCK})
    for walk in about(slow, families, 12):
        walk.wait(60)
        assert walk.steps[0].seconds == 60


def test_about_one_case_in_five_asks_for_more_and_the_twin_for_as_many(scene, families):
    asked = []
    for walk in about(scene, families, 200, "ACL-01"):
        walk.ask("reader", walk.pair.reader_id, walk.wording)
        walk.ask("twin", walk.pair.reader_id, walk.wording)
        first, second = walk.steps
        assert first.k == second.k
        asked.append(first.k)
    assert set(asked) == {10, 11, 50, 100}
    assert 120 < asked.count(10) < 190


@pytest.mark.parametrize("family", ["CIT-01", "SID-04"])
def test_where_more_is_held_against_a_list_it_is_as_long_as_ever(scene, families, family):
    assert {walk.k for walk in about(scene, families, 40, family)} == {10}


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
    walk.wait(60, exactly=True)
    walk.wait(30, exactly=True)
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
        walk.wait(seconds, exactly=True)
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
