"""Versions that differ in their value alone, and pairs of which the monitor says what holds."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from rageval_kit.access import Monitor
from rageval_kit.generate.dates import spoken
from rageval_kit.generate.family import Word, word_module
from rageval_kit.generate.scene import Scene
from rageval_kit.generate.sound import read
from rageval_kit.generate.suite import compile_family
from rageval_kit.generate.words import without_marks
from rageval_kit.generate.world import versions
from rageval_kit.records.cases import Ask, Resolve
from rageval_kit.records.target import Grain, Power, Stage
from rageval_kit.records.world import (
    Chunk,
    Document,
    Effect,
    Entry,
    Principal,
    State,
    SubjectKind,
    Tenant,
    Version,
    World,
)

INSTANT = timedelta(microseconds=1)
ARGS = [
    {"chain": 2},
    {"chain": 3},
    {"chain": 2, "second": "effective_tomorrow"},
    {"chain": 2, "second": "on_event"},
    {"chain": 2, "changes": "two_values"},
    {"chain": 3, "shape": "line"},
    {"chain": 3, "shape": "branch"},
    {"chain": 3, "shape": "skip"},
    {"chain": 3, "shape": "undated"},
    {"chain": 2, "second": "on_event", "changes": "fewer_passages"},
    {"grid": [3, 3]},
    {"state": "draft"},
    {"edition": 3},
    {"conflict": 2},
]
SINGLE = [args for args in ARGS if not {"edition", "conflict"} & args.keys()]


def day(number, month=1):
    return datetime(2026, month, number, tzinfo=UTC)


def edition(number, start, end=None, **more):
    chunk = Chunk(f"d@{number}#1", f"Rule number {number} of the harbour.")
    states = ((day(1), State.PUBLISHED),)
    return Version(f"d@{number}", "Harbour rules", (chunk,), start, end, states=states, **more)


def small_scene(*editions, seed=1, powers=frozenset(Power)):
    """One tenant, one reader, one document of the given versions; it is 1 June."""
    entry = Entry("e", Effect.ALLOW, SubjectKind.EVERYONE)
    other = replace(edition(9, day(1)), version_id="o@1", chunks=(Chunk("o@1#1", "Of gulls."),))
    documents = {
        "d": Document("d", "t", editions, entries=(entry,)),
        "o": Document("o", "t", (other,), entries=(entry,)),
    }
    people = {"u": Principal("u", "t")}
    empty = {name: {} for name in ("folders", "units", "memberships", "guests", "links")}
    world = World(
        documents, tenants={"t": Tenant("t")}, principals=people, clock=day(1, 6), **empty
    )
    scene = Scene(world, Grain.CHUNK, powers, frozenset(Stage), seed, {"indexing": 60.0})
    shown = versions.exhibits(world, {"from": "corpus"}, seed)
    return scene.showing([e for e in shown if e.documents["target"] == "d"])


def pairs_of(scene, word, limit=1000, **args):
    return word_module("who", word).find(scene, args, limit, "version").pairs


@pytest.mark.parametrize("args", ARGS, ids=str)
def test_what_is_planted_is_what_the_exhibits_speak_of(demo, args):
    documents = {d.document_id: d for d in versions.plant(demo, args, 7).documents}
    shown = versions.exhibits(demo, args, 7)
    assert {d for e in shown for d in e.documents.values()} == set(documents)
    assert {e.lang for e in shown} == {"en", "zh"}
    texts = {
        name: chunk.text
        for d in documents.values()
        for v in d.versions
        for chunk in v.chunks
        for name in (v.version_id, chunk.chunk_id)
    }
    for exhibit in shown:
        coming = [c.version for change in exhibit.events.values() for c in change]
        texts |= {v.version_id: v.chunks[0].text for v in coming}
        assert len(set(exhibit.values.values())) == len(exhibit.values) > 1
        for name, value in exhibit.values.items():
            assert value.isdecimal()
            assert len(value) > 4
            holders = {text for text in texts.values() if value in text}
            assert holders == {texts[name]}


@pytest.mark.parametrize("args", SINGLE, ids=str)
def test_versions_of_a_document_are_alike_but_for_their_values(demo, args):
    shown = {e.documents["target"]: e for e in versions.exhibits(demo, args, 7)}
    for document in versions.plant(demo, args, 7).documents:
        values = shown[document.document_id].values.values()
        bodies = set()
        for version in document.versions:
            text = " ".join(without_marks(chunk.text) for chunk in version.chunks)
            for value in values:
                text = text.replace(value, "#")
            bodies.add((version.title, text))
        assert len(bodies) == 1


def test_the_same_seed_plants_the_same_and_another_seed_others(demo):
    first, again, other = (versions.plant(demo, {"chain": 3}, seed) for seed in (7, 7, 8))
    assert first == again
    assert first != other


def test_a_corpus_shows_its_own_documents_that_begin_or_end_and_needs_no_power(demo):
    undated = Document("undated", "t", (edition(1, None),))
    demo = replace(demo, documents={**demo.documents, "undated": undated})
    shown = versions.exhibits(demo, {"from": "corpus"}, 7)
    wanted = {d for d, one in demo.documents.items() if any(v.valid_from for v in one.versions)}
    assert any(len(demo.documents[d].versions) == 1 for d in wanted)
    assert "undated" not in wanted
    assert {e.exhibit_id for e in shown} == wanted
    assert not any(e.values for e in shown)
    assert versions.plant(demo, {"from": "corpus"}, 7).documents == ()
    assert versions.needs({"from": "corpus"}) == frozenset()
    assert versions.needs({"chain": 2}) == {Power.PLANT}


def test_every_edge_of_every_version_becomes_a_case_where_the_size_allows():
    scene = small_scene(
        edition(1, day(1), day(1, 2)), edition(2, day(1, 2), day(1, 4)), edition(3, day(1, 4))
    )
    asked = Counter()
    for edge in ("start", "end"):
        for offset in ("-1us", "0", "+1us"):
            for pair in pairs_of(
                scene, "valid_time", **{"is": "boundary"}, edge=edge, offset=offset
            ):
                asked[pair.as_of] += 1
    edges = {day(1): 1, day(1, 2): 2, day(1, 4): 2}  # 1 February ends one version, begins another
    assert asked == {e + o: n for e, n in edges.items() for o in (-INSTANT, 0 * INSTANT, INSTANT)}


@pytest.mark.parametrize(
    ("offset", "shown", "hidden"),
    [("-1us", "d@1#1", "d@2#1"), ("0", "d@2#1", "d@1#1"), ("+1us", "d@2#1", "d@1#1")],
)
def test_at_an_edge_the_newer_holds_and_just_before_it_the_older(offset, shown, hidden):
    scene = small_scene(edition(1, day(1), day(1, 2)), edition(2, day(1, 2)))
    pairs = pairs_of(scene, "valid_time", **{"is": "boundary"}, edge="start", offset=offset)
    (pair,) = [p for p in pairs if abs(p.as_of - day(1, 2)) <= INSTANT]
    assert (pair.sibling_id, pair.chunk_id) == (shown, hidden)


def test_before_the_first_version_nothing_holds_and_it_must_be_found_when_it_does():
    scene = small_scene(edition(1, day(5), day(1, 2)), edition(2, day(1, 2)))
    pairs = pairs_of(scene, "valid_time", **{"is": "boundary"}, edge="start", offset="-1us")
    (pair,) = [p for p in pairs if p.as_of < day(5)]
    assert pair.chunk_id == pair.sibling_id == "d@1#1"
    assert pair.living_at == day(5)


@pytest.mark.parametrize("family_id", ["ASO-01", "VER-03"])
def test_every_question_that_names_a_day_names_the_one_that_goes_along_with_it(made, family_id):
    """Also the last one of a script, which asks about a time when the version holds."""
    named = 0
    for case in made[family_id].cases:
        for step in case.script.steps:
            if isinstance(step, Ask) and step.query.startswith(("As of ", "截至")) and step.as_of:
                lang = "en" if step.query.isascii() else "zh"
                day_said = spoken(step.as_of, lang, case.expectation.timezone)
                assert day_said in step.query, (case.case_id, step)
                named += 1
    assert named


def test_a_change_is_judged_by_the_level_of_its_kind(made):
    """Deletion may take 300 s and indexing 600 s; a cached answer its own 300 s or longer."""
    levels = {
        (family_id, case.coordinates.variant[0][1].split("=")[0]): case.expectation.service_level_s
        for family_id in ("DEL-04", "CAC-04")
        for case in made[family_id].cases
    }
    assert levels == {
        ("DEL-04", "state"): 300.0,
        ("DEL-04", "valid_time"): 600.0,
        ("CAC-04", "grant"): 300.0,
        ("CAC-04", "folder"): 300.0,
        ("CAC-04", "membership"): 300.0,
        ("CAC-04", "state"): 300.0,
        ("CAC-04", "valid_time"): 600.0,
    }


def test_in_a_gap_nothing_holds_and_where_two_hold_either_may_be_found():
    gap = small_scene(edition(1, day(1), day(1, 2)), edition(2, day(1, 4)))
    (pair,) = [p for p in pairs_of(gap, "valid_time", **{"is": "past"}) if p.as_of.month in {2, 3}]
    assert pair.chunk_id == pair.sibling_id == "d@2#1"
    both = small_scene(
        edition(1, day(1), day(1, 2)), edition(2, day(1, 2), day(1, 5)), edition(3, day(1, 4))
    )
    (pair,) = [p for p in pairs_of(both, "valid_time", **{"is": "past"}) if p.as_of.month == 4]
    assert pair.chunk_id == "d@1#1"
    assert pair.sibling_id in {"d@2#1", "d@3#1"}


def test_a_relative_date_is_asked_soon_after_a_change_that_lies_within_every_last_period():
    scene = small_scene(
        edition(1, datetime(2024, 1, 1, tzinfo=UTC), day(10, 5)), edition(2, day(10, 5))
    )
    (pair,) = pairs_of(scene, "valid_time", **{"is": "lately_changed"})
    assert (pair.chunk_id, pair.sibling_id) == ("d@2#1", "d@1#1")
    for period in ("quarter", "year", "month", "fiscal_year"):
        wording = word_module("ask", "relative").query(scene, pair, {"is": period})
        assert wording.meant < day(10, 5) < pair.as_of


def test_what_was_known_then_differs_from_what_is_known_now():
    scene = small_scene(
        edition(1, day(1), recorded_from=day(1), recorded_to=day(1, 4)),
        edition(2, day(1), recorded_from=day(1, 4)),
    )
    (later,) = pairs_of(scene, "recorded_time", **{"is": "recorded_later"})
    assert (later.chunk_id, later.sibling_id) == ("d@2#1", "d@1#1")
    assert later.known_at == day(1, 4) - INSTANT
    (corrected,) = pairs_of(scene, "recorded_time", **{"is": "corrected"})
    assert (corrected.chunk_id, corrected.sibling_id) == ("d@1#1", "d@2#1")
    assert corrected.known_at is None
    cells = pairs_of(scene, "recorded_time", **{"is": "each_cell"})
    assert {(p.chunk_id, p.sibling_id) for p in cells} == {
        ("d@1#1", "d@2#1"),
        ("d@2#1", "d@1#1"),
    }


def test_a_version_without_a_start_never_holds_and_makes_no_pair_of_its_own():
    scene = small_scene(edition(1, None, day(1, 2)), edition(2, day(1, 2)))
    for pair in pairs_of(scene, "valid_time", **{"is": "past"}):
        assert pair.sibling_id == "d@2#1"


def test_a_state_is_found_as_it_stands_where_the_world_shows_one():
    draft = replace(edition(2, day(1, 2)), states=())
    scene = small_scene(edition(1, day(1)), draft)
    (pair,) = pairs_of(scene, "state", **{"is": "draft"})
    assert (pair.chunk_id, pair.sibling_id, pair.conditions) == ("d@2#1", "d@1#1", ("C5",))
    assert not pairs_of(scene, "state", **{"is": "withdrawn"})


@pytest.mark.parametrize("family_id", ["ASO-01", "ASO-02", "ASO-04", "ASO-07", "VER-02", "VER-05"])
def test_the_monitor_denies_every_target_by_one_condition_at_the_time_meant(family_id, made, scene):
    monitor = Monitor(scene.world)
    assert made[family_id].cases
    for case in made[family_id].cases:
        (condition,) = case.denied_by
        (place,) = case.expectation.marks["question"]
        step, expected = case.script.steps[place], case.expectation.steps[place, 0]
        times = {"as_of": expected.as_of, "known_at": step.known_at}
        for chunk_id in case.expectation.roles["target"]:
            at = scene.places[chunk_id]
            ids = at.document.document_id, at.version.version_id, chunk_id
            (reason,) = monitor.decide(step.caller.principal_id, *ids, **times)
            assert reason.partition(":")[0] == condition  # or C6:undefined, without a date


@pytest.mark.parametrize("family_id", ["ASO-01", "ASO-02", "ASO-03", "ASO-04", "ASO-07", "VER-01"])
def test_the_value_wanted_is_that_of_the_one_version_that_holds(family_id, made, scene):
    checked = 0
    for case in made[family_id].cases:
        for place in case.expectation.marks["question"]:
            expected = case.expectation.steps[place, 0]
            if not expected.wanted:
                continue
            checked += 1
            name = case.expectation.values[expected.wanted]
            assert name not in expected.unwanted.values()
            version = next(
                (p.version for p in scene.places.values() if p.version.version_id == name), None
            )
            then = expected.as_of or scene.world.clock
            if version and place == 0:
                assert version.valid_from <= then
                assert version.valid_to is None or then < version.valid_to
    assert checked


def test_the_same_instant_is_asked_in_three_zones(made):
    asked = [case.script.steps[0].as_of for case in made["ASO-03"].cases]
    assert {instant.tzinfo.key for instant in asked} == {"UTC", "Asia/Shanghai", "America/New_York"}


def test_a_relative_question_carries_its_own_time_and_means_another(made):
    for case in made["ASO-07"].cases:
        ask, expected = case.script.steps[0], case.expectation.steps[0, 0]
        assert ask.as_of > expected.as_of
        assert ask.query.startswith(("As of the end of ", "截至"))


def test_a_citation_is_opened_twice_as_of_the_answer(made):
    for case in made["ASO-05"].cases:
        opened = [step for step in case.script.steps if isinstance(step, Resolve)]
        assert len(opened) == 2
        assert opened[0] == opened[1]
        assert all(
            case.expectation.steps[i, 0].target_allowed
            for i, step in enumerate(case.script.steps)
            if isinstance(step, Resolve)
        )


def test_yesterdays_rights_are_asked_for_at_a_time_when_they_held(made, scene):
    asked = [s for c in made["ASO-06"].cases for s in c.script.steps if isinstance(s, Ask)]
    assert asked
    assert all(step.as_of is not None for step in asked)
    assert any(step.as_of < scene.world.clock for step in asked)


def test_a_family_of_the_corpus_runs_where_nothing_can_be_planted(scene_for, families):
    scene = scene_for(powers=())
    made = compile_family(scene, families["ASO-02"], 72)
    assert {v.world[0].args["from"] for v in made.variants.values()} == {"corpus"}
    assert any("the target lacks the power plant" in why for why in made.nothing.values())


def test_a_target_that_opens_nothing_as_of_a_time_is_not_asked_to(scene, families):
    scene = replace(scene, abilities=scene.abilities - {"open as of a time"})
    made = compile_family(scene, families["ASO-05"], 4)
    assert made.not_applicable == "the target cannot be asked to open as of a time"


def test_a_version_without_a_date_is_asked_about_beside_the_one_in_force():
    chain = edition(1, day(1), day(1, 2)), edition(2, day(1, 2)), edition(3, None)
    pairs = pairs_of(small_scene(*chain), "valid_time", **{"is": "past"})
    assert {(p.chunk_id, p.sibling_id, p.as_of < day(1, 2)) for p in pairs} == {
        ("d@2#1", "d@1#1", True),
        ("d@3#1", "d@2#1", False),
    }


def test_the_future_is_compared_only_where_the_target_can_be_changed(scene_for, families):
    able = compile_family(scene_for(), families["VER-03"], 4).cases[0].expectation.marks
    powers = frozenset(Power) - {Power.MUTATE}
    unable = compile_family(scene_for(powers=powers), families["VER-03"], 4).cases[0]
    assert len(able["contrast"]) == 2
    assert "contrast" not in unable.expectation.marks


def test_a_word_of_versions_refuses_what_it_does_not_know(families):
    raw = dict(families["ASO-01"].raw) | {"world": [{"versions": {"chain": 4}}]}
    with pytest.raises(Exception, match="one of 2, 3"):
        read(raw, "ASO-01.yaml")
    assert Word("versions", {"chain": 3}).args["chain"] == 3
