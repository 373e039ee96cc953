"""Does a reader find exactly what the reference monitor permits, as the worlds change?"""

import importlib.util
import random
from dataclasses import replace
from pathlib import Path

import pytest

from rageval_kit.access.monitor import Monitor
from rageval_kit.corpus.evolve import evolve
from rageval_kit.records import changes
from rageval_kit.records.target import Caller, Grain, Request, Stage
from rageval_kit.records.world import (
    Chunk,
    Document,
    Effect,
    Entry,
    Guest,
    Membership,
    Principal,
    PrincipalStatus,
    State,
    SubjectKind,
    Version,
    Window,
)
from rageval_kit.retrievers.pgvector import Config as PgConfig
from rageval_kit.retrievers.pgvector import Loaded
from rageval_kit.retrievers.qdrant import Config as QdrantConfig
from rageval_kit.retrievers.qdrant import Qdrant

_SPEC = importlib.util.spec_from_file_location(
    "drawn_worlds", Path(__file__).parents[1] / "access" / "conftest.py"
)
drawn = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(drawn)

READERS = (*drawn.PRINCIPALS, "nobody", "U1", "")


@pytest.fixture(params=["pgvector", "pgvector force", "qdrant"])
def engine(request):
    if request.param == "qdrant":
        target = Qdrant(QdrantConfig(dimensions=16))
    else:
        dsn = request.getfixturevalue("postgres")
        forced = request.param.endswith("force")
        target = Loaded(PgConfig(dsn, rls="force" if forced else "on", dimensions=16))
    yield target
    target.close()


def _disagreements(target, world, times):
    monitor = Monitor(world)
    asked = [(who, as_of, known_at) for who in READERS for as_of, known_at in times]
    requests = [
        Request(str(number), "text", Caller(who), 10_000, as_of, known_at, exact=bool(number % 2))
        for number, (who, as_of, known_at) in enumerate(asked)
    ]
    for (who, as_of, known_at), response in zip(asked, target.search(requests), strict=True):
        assert not response.error, response.detail
        permitted = monitor.permitted(who, Grain.CHUNK, as_of=as_of, known_at=known_at)
        wanted = {chunk for chunk in monitor.chunk_ids if chunk in permitted}
        if set(response.seen[Stage.RETRIEVE].ids) != wanted:
            yield who, as_of, known_at, wanted ^ set(response.seen[Stage.RETRIEVE].ids)


def _changes(world):
    now, later = world.clock, world.clock + (drawn.day(1) - drawn.day(0))
    document = next(one for one in world.documents.values() if one.entries)
    chunk = Chunk("new.0.0", "text and more")
    new = Document(
        "new",
        "acme",
        (Version("new.0", "title", (chunk,), now, states=((now, State.PUBLISHED),)),),
        entries=(Entry("new-e", Effect.ALLOW, SubjectKind.EVERYONE),),
    )
    again = Version(
        "new.1", "title", (Chunk("new.1.0", "text anew"),), later, states=((now, State.PUBLISHED),)
    )
    folder_id = next((f.folder_id for f in world.folders.values() if f.tenant_id == "acme"), None)
    yield changes.Grant(document.document_id, Entry("g", Effect.ALLOW, SubjectKind.USER, "u1"))
    yield changes.Grant(document.document_id, Entry("h", Effect.DENY, SubjectKind.UNIT, "g1"))
    yield changes.Enroll(Membership("late", "g1", "u2", window=Window(now, later)))
    yield changes.Publish(new)
    yield changes.PublishVersion("new", again)
    yield changes.Move("new", folder_id)
    yield changes.Relabel("new", "internal", frozenset({"hr"}))
    yield changes.Malform(document.document_id, "empty")
    yield changes.AddPrincipal(Principal("x", "acme"))
    yield changes.SetStatus("u1", PrincipalStatus.SUSPENDED, now)
    yield changes.Invite(Guest("late", "u3", "acme-eu"))
    yield changes.OpenLink("l0", "u4", now)
    yield changes.SetState("new", State.WITHDRAWN, later)
    yield changes.SetInheritance(document.document_id, inherits=False)
    yield changes.SetClock(later)
    yield changes.Reindex(later)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_found_is_what_the_monitor_permits_before_and_after_every_change(engine, seed):
    rng = random.Random(seed)
    world = drawn.Maker(rng).world(12)
    engine.connect(world)

    def times(one):
        past = drawn.day(rng.randrange(drawn.DAYS))
        return [(None, None), (past, None), (past, min(past, one.clock)), (one.clock, one.clock)]

    assert list(_disagreements(engine, world, times(world))) == []
    after = world
    for number, change in enumerate(_changes(world)):
        after = evolve(after, change)
        assert engine.apply(change)
        if number % 3 == seed % 3:
            assert list(_disagreements(engine, after, [(None, None)])) == []
    assert list(_disagreements(engine, after, times(after))) == []
    engine.restore()
    assert list(_disagreements(engine, world, [(None, None)])) == []


def test_a_question_that_passes_an_agent_finds_what_both_may_read(engine):
    world = drawn.Maker(random.Random(3)).world(30)
    engine.connect(world)
    monitor = Monitor(world)
    may = {
        who: {c for c in monitor.chunk_ids if c in monitor.permitted(who, Grain.CHUNK)}
        for who in READERS
    }
    pairs = [(a, b) for a in READERS for b in READERS]
    requests = [Request("", "text", Caller(a, via=(b,)), 10_000) for a, b in pairs]
    for (a, b), response in zip(pairs, engine.search(requests), strict=True):
        assert set(response.seen[Stage.RETRIEVE].ids) == may[a] & may[b]
    assert any(may[a] & may[b] for a, b in pairs if a != b)


def test_a_change_of_what_is_not_there_is_not_confirmed(engine):
    world = drawn.Maker(random.Random(0)).world()
    engine.connect(world)
    assert not engine.apply(changes.SetState("ghost", State.DELETED, world.clock))
    assert not engine.apply(changes.Break("replica", "lag"))
    assert list(_disagreements(engine, world, [(None, None)])) == []


def test_connecting_again_holds_the_other_world_alone(engine):
    first, second = (drawn.Maker(random.Random(seed)).world() for seed in (1, 2))
    engine.connect(first)
    engine.connect(replace(second, clock=first.clock))
    assert list(_disagreements(engine, replace(second, clock=first.clock), [(None, None)])) == []


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        (Request("1", "text", Caller("u1"), k=0), "bad_request"),
        (
            Request("1", "text", Caller("u1"), as_of=drawn.day(1).replace(tzinfo=None)),
            "bad_request",
        ),
        (Request("1", "text", Caller("u1"), known_at=drawn.day(999)), "bad_request"),
        (Request("1", "…", Caller("u1")), "query_has_no_tokens"),
    ],
)
def test_a_request_that_cannot_be_served_is_an_error(engine, request_, error):
    engine.connect(drawn.Maker(random.Random(0)).world())
    assert engine.search([request_])[0].error == error


def test_what_is_deleted_leaves_the_index_and_comes_back_with_its_restoring(postgres):
    world = drawn.Maker(random.Random(5)).world(12)
    target = Loaded(PgConfig(postgres, dimensions=16))
    target.connect(world)
    try:
        first = {one.chunk_id for one in target.inventory()}
        document = next(
            one
            for one in world.documents.values()
            if any(chunk.chunk_id in first for v in one.versions for chunk in v.chunks)
        )
        own = {chunk.chunk_id for v in document.versions for chunk in v.chunks}
        later = world.clock + (drawn.day(1) - drawn.day(0))
        assert target.apply(changes.SetState(document.document_id, State.DELETED, later))
        assert {one.chunk_id for one in target.inventory()} == first  # not yet
        assert target.apply(changes.SetClock(later))
        assert not {one.chunk_id for one in target.inventory()} & own
        target.restore()
        assert {one.chunk_id for one in target.inventory()} == first
    finally:
        target.close()
