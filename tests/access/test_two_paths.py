"""The plain path and the set-valued one agree on drawn worlds, and both keep the rule's laws."""

import random
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rageval_kit.access import CONDITIONS, Monitor
from rageval_kit.records.target import Grain
from rageval_kit.records.world import Effect, State

FEW = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
SEEDS = st.integers(0, 2**32)


def by_deciding(monitor, who, **times):
    """The bits of every chunk, from one `decide` each."""
    found = []
    for document in monitor.world.documents.values():
        for version in document.versions:
            for chunk in version.chunks:
                reasons = monitor.decide(
                    who, document.document_id, version.version_id, chunk.chunk_id, **times
                )
                names = [reason.partition(":")[0] for reason in reasons]
                found.append(sum(1 << CONDITIONS.index(name) for name in names))
    return found


def drawn_times(world, rng):
    now = world.clock + timedelta(days=rng.randrange(-3, 4))
    return {
        "now": now,
        "as_of": world.clock + timedelta(days=rng.randrange(-6, 3)),
        "known_at": now - timedelta(days=rng.randrange(6)),
    }


def visible(monitor, who):
    permitted = monitor.permitted(who, Grain.CHUNK)
    return {chunk_id for chunk_id in monitor.chunk_ids if chunk_id in permitted}


def changed_entries(world, document_id, entries):
    document = replace(world.documents[document_id], entries=tuple(entries))
    return replace(world, documents={**world.documents, document_id: document})


@FEW
@given(seed=SEEDS)
def test_both_paths_give_the_same_reasons(maker, readers, seed):
    rng = random.Random(seed)
    world = maker(rng).world()
    monitor = Monitor(world)
    for who in readers:
        times = drawn_times(world, rng)
        assert monitor.reason_bits(who, **times).tolist() == by_deciding(monitor, who, **times)


def test_drawn_worlds_meet_every_condition_alone_and_every_permission(maker, readers):
    """Otherwise agreement would say little: each condition is somewhere the only one to deny."""
    seen = np.zeros(1 << 14, np.int64)
    for seed in range(150):
        monitor = Monitor(maker(random.Random(seed)).world())
        for who in readers:
            seen += np.bincount(monitor.reason_bits(who), minlength=1 << 14)
    assert seen[0] > 100
    alone = {name: int(seen[1 << bit]) for bit, name in enumerate(CONDITIONS)}
    assert not [name for name, times in alone.items() if times == 0], alone


@FEW
@given(seed=SEEDS)
def test_a_version_or_document_is_permitted_iff_one_of_its_chunks_is(maker, readers, seed):
    monitor = Monitor(maker(random.Random(seed)).world())
    for who in readers:
        chunks = monitor.permitted(who, Grain.CHUNK)
        versions = monitor.permitted(who, Grain.VERSION)
        documents = monitor.permitted(who, Grain.DOCUMENT)
        for document in monitor.world.documents.values():
            shown = [any(c.chunk_id in chunks for c in v.chunks) for v in document.versions]
            assert shown == [v.version_id in versions for v in document.versions]
            assert any(shown) == (document.document_id in documents)
        n_shown = sum(d in documents for d in monitor.world.documents)
        assert monitor.count_visible(who, monitor.world.documents) == n_shown


@FEW
@given(seed=SEEDS)
def test_removing_an_allow_entry_never_adds_and_adding_a_deny_never_adds(maker, readers, seed):
    rng = random.Random(seed)
    making = maker(rng)
    world = making.world()
    document = rng.choice(list(world.documents.values()))
    fewer = [e for e in document.entries if e.effect is Effect.DENY or rng.random() < 0.5]
    entry = making.entry(0.0)
    while entry.subject_kind == "link":
        entry = making.entry(0.0)
    more = [*document.entries, replace(entry, effect=Effect.DENY)]
    before = Monitor(world)
    for entries in (fewer, more):
        after = Monitor(changed_entries(world, document.document_id, entries))
        for who in readers:
            assert visible(after, who) <= visible(before, who)


@FEW
@given(seed=SEEDS)
def test_the_order_of_entries_changes_nothing(maker, readers, seed):
    rng = random.Random(seed)
    world = maker(rng).world()

    def shuffled(owner):
        return replace(owner, entries=tuple(rng.sample(owner.entries, len(owner.entries))))

    other = replace(
        world,
        documents={key: shuffled(document) for key, document in world.documents.items()},
        folders={key: shuffled(folder) for key, folder in world.folders.items()},
    )
    for who in readers:
        assert by_deciding(Monitor(other), who) == by_deciding(Monitor(world), who)
        np.testing.assert_array_equal(
            Monitor(other).reason_bits(who), Monitor(world).reason_bits(who)
        )


def changed(world, making):  # noqa: C901, PLR0911, PLR0912 (one branch per kind of change)
    """The world after one drawn change; untouched objects are the same objects."""
    rng = making.rng
    document = rng.choice(list(world.documents.values()))
    folder = rng.choice(list(world.folders.values()))
    match rng.randrange(19):
        case 0:
            new = replace(document, entries=(*document.entries, making.entry(0.3)))
        case 1:
            new = replace(document, inherits=not document.inherits)
        case 2:
            new = replace(document, folder_id=None)
        case 3:
            number = len(document.versions)
            version = making.version(f"{document.document_id}.{number}")
            new = replace(document, versions=(*document.versions, version))
        case 4:
            new = replace(document, compartments=frozenset(("neu",)))
        case 5:
            versions = tuple(
                replace(v, states=(*v.states, (world.clock, State.DELETED)))
                for v in document.versions
            )
            new = replace(document, versions=versions)
        case 6:
            new = making.document(f"d{len(world.documents)}", dict(world.folders))
        case 7:
            new = replace(document, owner_id=rng.choice(list(world.principals)))
        case 8:
            changed_folder = replace(
                folder,
                entries=(*folder.entries, making.entry(0.5)),
                label=making.label(),
                compartments=making.compartments(0.5),
                inherits=not folder.inherits,
            )
            return replace(world, folders={**world.folders, folder.folder_id: changed_folder})
        case 9:
            return replace(world, memberships={**world.memberships, **making.memberships()})
        case 10:
            kept = dict(world.memberships)
            del kept[rng.choice(list(kept))]
            return replace(world, memberships=kept)
        case 11:
            return replace(world, guests={**world.guests, "guest0": making.guest("guest0")})
        case 12:
            return replace(world, links={**world.links, "l0": making.link("l0")})
        case 13:
            return replace(world, principals={**world.principals, "u0": making.principal("u0")})
        case 14:
            kept = {k: d for k, d in world.documents.items() if d is not document}
            return replace(world, documents=kept or world.documents)
        case 15:
            new = replace(document, label=making.label(0.7))
        case 16:
            return replace(world, clock=making.instant())
        case 17:
            policy = replace(world.policy, archive=not world.policy.archive)
            return replace(world, policy=replace(policy, labels=tuple(reversed(policy.labels))))
        case _:
            added = replace(folder, folder_id=f"f{len(world.folders)}", parent_id=folder.folder_id)
            moved = replace(document, folder_id=added.folder_id, tenant_id=added.tenant_id)
            return replace(
                world,
                folders={**world.folders, added.folder_id: added},
                documents={**world.documents, document.document_id: moved},
            )
    return replace(world, documents={**world.documents, new.document_id: new})


@FEW
@given(seed=SEEDS)
def test_a_monitor_carried_over_a_script_equals_a_fresh_one(maker, readers, seed):
    making = maker(random.Random(seed))
    monitor = Monitor(making.world())
    for _ in range(6):
        monitor.reason_bits("u0")
        world = changed(monitor.world, making)
        monitor, fresh = monitor.after(world), Monitor(world)
        assert monitor.chunk_ids == fresh.chunk_ids
        for who in readers:
            assert monitor.reason_bits(who).tolist() == fresh.reason_bits(who).tolist()
            assert monitor.reason_bits(who).tolist() == by_deciding(monitor, who)
            for grain in Grain:
                carried, expected = monitor.permitted(who, grain), fresh.permitted(who, grain)
                assert dict(carried.index) == dict(expected.index)
                assert carried.mask.tolist() == expected.mask.tolist()


def test_what_is_handed_out_cannot_be_changed(maker):
    monitor = Monitor(maker(random.Random(1)).world())
    for array in (monitor.reason_bits("u1"), monitor.permitted("u1", Grain.DOCUMENT).mask):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
