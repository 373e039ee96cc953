"""What an index lacks, keeps too long, holds in another text or learns too late is named."""

import hashlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from rageval_kit.corpus.reconcile import Kind, reconcile, source_index
from rageval_kit.records.target import Indexed
from rageval_kit.records.world import Chunk, Document, State, Tenant, Version, World

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
AGO = {name: NOW - timedelta(seconds=s) for name, s in {"minute": 60, "day": 86_400}.items()}
YEAR = NOW - timedelta(days=365)


def version(name, *, since=YEAR, states=None, valid_from=YEAR, valid_to=None, text=None):
    chunk = Chunk(f"{name}#1", text or f"text of {name}")
    states = ((since, State.PUBLISHED),) if states is None else states
    return Version(name, name, (chunk,), valid_from, valid_to, since, None, states)


def world(*versions):
    documents = {v.version_id: Document(v.version_id, "t", (v,)) for v in versions}
    return World(documents, {}, {"t": Tenant("t")}, {}, {}, {}, {}, {}, NOW)


def entry(name, **more):
    return replace(Indexed(f"{name}#1", name), **more)


def kinds(source, *held, level_s=600.0):
    found = reconcile(source, held, level_s)
    return [(one.kind, one.chunk_id, one.lag_s) for one in found.differences]


def test_an_index_that_holds_what_is_in_force_agrees():
    found = reconcile(source_index(world(version("a"), version("b"))), [entry("a"), entry("b")])
    assert (found.agrees, found.n_source, found.n_due, found.n_held) == (True, 2, 2, 2)


@pytest.mark.parametrize(("since", "kind"), [("minute", Kind.PENDING), ("day", Kind.MISSING)])
def test_what_is_absent_is_missing_once_the_service_level_has_passed(since, kind):
    late = version("new", since=AGO[since])
    lag = (NOW - AGO[since]).total_seconds()
    assert kinds(source_index(world(late))) == [(kind, "new#1", lag)]


@pytest.mark.parametrize(("since", "kind"), [("minute", Kind.PENDING), ("day", Kind.ORPHANED)])
def test_what_was_deleted_is_an_orphan_once_the_service_level_has_passed(since, kind):
    states = ((YEAR, State.PUBLISHED), (AGO[since], State.DELETED))
    lag = (NOW - AGO[since]).total_seconds()
    assert kinds(source_index(world(version("old", states=states))), entry("old")) == [
        (kind, "old#1", lag)
    ]


def test_what_the_source_never_had_is_an_orphan():
    assert kinds(source_index(world()), entry("ghost")) == [(Kind.ORPHANED, "ghost#1", None)]


@pytest.mark.parametrize(
    "of",
    [
        {"valid_to": AGO["day"]},
        {"valid_from": NOW + timedelta(days=1)},
        {"valid_from": None},
        {"states": ((YEAR, State.DRAFT),)},
        {"states": ((YEAR, State.PUBLISHED), (AGO["day"], State.WITHDRAWN))},
        {"states": ()},
    ],
)
def test_what_is_not_in_force_may_stand_in_the_index_or_not(of):
    source = source_index(world(version("x", **of)))
    assert kinds(source) == kinds(source, entry("x")) == []


def test_the_end_of_a_window_is_not_in_it():
    assert source_index(world(version("x", valid_to=NOW))).entries["x#1"].in_force is False
    assert source_index(world(version("x", valid_from=NOW))).entries["x#1"].in_force is True


def test_a_text_is_compared_by_its_digest_with_its_table_header():
    made = version("a")
    table = replace(made, chunks=(replace(made.chunks[0], table_header="h|i"),))
    source = source_index(world(table))
    right = hashlib.sha256(b"h|i\ntext of a").hexdigest()
    assert kinds(source, entry("a", digest=right)) == []
    wrong = hashlib.sha256(b"text of a").hexdigest()
    assert kinds(source, entry("a", digest=wrong)) == [(Kind.STALE, "a#1", None)]


def test_a_passage_under_another_version_is_stale():
    assert kinds(source_index(world(version("a"))), entry("a", version_id="b")) == [
        (Kind.STALE, "a#1", None)
    ]


def test_without_a_declared_model_the_fewer_vectors_are_of_the_wrong_one():
    source = source_index(world(version("a"), version("b"), version("c")))
    held = [entry("a", model="m1"), entry("b", model="m2"), entry("c", model="m2")]
    assert kinds(source, *held) == [(Kind.WRONG_MODEL, "a#1", None)]
    declared = kinds(source_index(world(version("a")), "m9"), entry("a", model="m2"))
    assert declared == [(Kind.WRONG_MODEL, "a#1", None)]


def test_entries_that_do_not_say_their_model_leave_a_question_about_it_open():
    world_ = world(version("a"), version("b"))
    held = [entry("a", model="m9"), entry("b")]
    asked = reconcile(source_index(world_, "m9"), held)
    assert (asked.differs, asked.agrees, asked.model_not_told) == (False, False, True)
    assert asked.untold == {"version_id": 0, "digest": 2, "model": 1}
    assert reconcile(source_index(world_), held).agrees
    orphan = [entry("a", model="m9"), entry("b", model="m9"), entry("ghost")]
    assert reconcile(source_index(world_, "m9"), orphan).model_not_told is False


def test_what_was_recorded_ahead_is_due_from_the_date_on_which_it_holds():
    month = timedelta(days=30)
    ahead = version("x", since=NOW - month, valid_from=AGO["minute"])
    source = source_index(world(ahead))
    assert kinds(source) == [(Kind.PENDING, "x#1", 60.0)]
    assert kinds(source, entry("x", indexed_at=NOW)) == []
    assert kinds(source, entry("x", indexed_at=NOW - month)) == []
    dated = version("x", since=NOW - month, valid_from=AGO["day"])
    assert kinds(source_index(world(dated)), entry("x", indexed_at=NOW)) == [
        (Kind.LATE, "x#1", 86_400.0)
    ]


def test_a_passage_held_twice_is_named():
    assert kinds(source_index(world(version("a"))), entry("a"), entry("a")) == [
        (Kind.REPEATED, "a#1", None)
    ]


def test_late_is_what_came_more_than_a_level_after_the_source_and_not_by_a_bulk_load():
    late = entry("a", indexed_at=YEAR + timedelta(seconds=601))
    source = source_index(world(version("a")))
    assert kinds(source, late) == [(Kind.LATE, "a#1", 601.0)]
    assert kinds(source, entry("a", indexed_at=YEAR + timedelta(seconds=600))) == []
    assert kinds(source_index(world(version("a")), timed_from=NOW), late) == []


def test_the_longest_lag_is_told():
    gone = version("b", states=((YEAR, State.PUBLISHED), (AGO["minute"], State.DELETED)))
    found = reconcile(source_index(world(version("a", since=AGO["day"]), gone)), [entry("b")], 9)
    assert found.worst_lag_s == 86_400
    assert found.counts[Kind.MISSING] == found.counts[Kind.ORPHANED] == 1


def test_bug_060_the_old_tail_that_an_update_left_in_the_index_is_named():
    """Four passages became two; the index overwrote the first two and still holds the others."""
    chunks = tuple(Chunk(f"leave#{n}", f"第{n}段") for n in (1, 2))
    source = source_index(world(replace(version("v2"), chunks=chunks)))
    held = [Indexed("leave#1", "v2"), Indexed("leave#2", "v2")]
    assert reconcile(source, held).agrees
    tail = [Indexed("leave#3", "v1"), Indexed("leave#4", "v1")]
    assert kinds(source, *held, *tail) == [
        (Kind.ORPHANED, "leave#3", None),
        (Kind.ORPHANED, "leave#4", None),
    ]
