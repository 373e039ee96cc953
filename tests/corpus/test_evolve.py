"""Each change does what it says to one object and leaves every other object the very same."""

from dataclasses import fields, replace
from datetime import timedelta

import pytest

from rageval_kit.corpus.evolve import evolve
from rageval_kit.records import changes as c
from rageval_kit.records.faults import KitError
from rageval_kit.records.world import (
    Document,
    Folder,
    Guest,
    Membership,
    Principal,
    PrincipalStatus,
    ShareLink,
    State,
)

MAPPINGS = (
    "documents",
    "folders",
    "tenants",
    "principals",
    "units",
    "memberships",
    "guests",
    "links",
)


def table(worlds):
    day = worlds.day
    return [
        (c.Grant("leave", worlds.entry("new")), "documents", "leave"),
        (c.Grant("policies", worlds.entry("new"), on_folder=True), "folders", "policies"),
        (c.Revoke("leave", "e2", day(5)), "documents", "leave"),
        (c.SetState("leave", State.WITHDRAWN, day(5)), "documents", "leave"),
        (c.Publish(Document("n", "acme", ())), "documents", "n"),
        (c.PublishVersion("leave", worlds.version("leave-3", day(20))), "documents", "leave"),
        (c.Move("other", "policies"), "documents", "other"),
        (c.AddFolder(Folder("n", "acme")), "folders", "n"),
        (c.SetInheritance("policies", inherits=False, on_folder=True), "folders", "policies"),
        (c.Malform("leave", "missing"), "documents", "leave"),
        (c.AddPrincipal(Principal("n", "acme")), "principals", "n"),
        (c.SetStatus("alice", PrincipalStatus.SUSPENDED, day(5)), "principals", "alice"),
        (c.Enroll(Membership("n", "hr", "bob")), "memberships", "n"),
        (c.EndMembership("m1", day(5)), "memberships", "m1"),
        (c.Invite(Guest("n", "alice", "acme")), "guests", "n"),
        (c.EndGuest("g1", day(2)), "guests", "g1"),
        (c.AddLink(ShareLink("n")), "links", "n"),
        (c.OpenLink("l1", "alice", day(5)), "links", "l1"),
        (c.RevokeLink("l1", day(5)), "links", "l1"),
        (c.Reindex(day(5)), None, None),
        (c.Reembed("model-2", day(5)), None, None),
        (c.SetClock(day(5)), None, None),
        (c.Relabel("leave", "high", frozenset({"x"})), "documents", "leave"),
        (c.Break("acl_service", "timeout"), None, None),
        (c.Mend("acl_service"), None, None),
        (c.Resync(day(5)), None, None),
        (c.RestoreBackup(day(5)), None, None),
        (c.BeforeAnswer((c.Move("other", "policies"),)), "documents", "other"),
    ]


def test_every_change_touches_its_object_alone(world, worlds):
    before = replace(world)
    rows = table(worlds)
    assert {type(change) for change, _, _ in rows} == set(c.Change.__args__)
    for change, mapping, key in rows:
        after = evolve(world, change)
        for name in MAPPINGS:
            old, new = getattr(world, name), getattr(after, name)
            if name != mapping:
                assert new is old, (change, name)
                continue
            assert new[key] != old.get(key), change
            for other in old:
                if other != key:
                    assert new[other] is old[other], change
        assert all(getattr(world, f.name) is getattr(before, f.name) for f in fields(world))


def test_a_new_version_ends_the_one_valid_at_its_start(world, worlds):
    document = evolve(
        world, c.PublishVersion("leave", worlds.version("leave-3", worlds.day(20)))
    ).documents["leave"]
    assert [(v.version_id, v.valid_to) for v in document.versions] == [
        ("leave-1", worlds.day(10)),
        ("leave-2", worlds.day(20)),
        ("leave-3", None),
    ]
    # the untouched version and the access list are shared
    assert document.versions[0] is world.documents["leave"].versions[0]
    assert document.entries is world.documents["leave"].entries


def test_a_new_version_without_a_start_ends_nothing(world, worlds):
    document = evolve(world, c.PublishVersion("leave", worlds.version("v", None))).documents[
        "leave"
    ]
    assert document.versions[:2] == world.documents["leave"].versions


def test_a_revocation_never_gives_back_time(world, worlds):
    once = evolve(world, c.Revoke("leave", "e2", worlds.day(5)))
    twice = evolve(once, c.Revoke("leave", "e2", worlds.day(9)))
    assert twice.documents["leave"].entries[0].revoked_at == worlds.day(5)
    assert evolve(world, c.EndGuest("g1", worlds.day(2))).guests["g1"].revoked_at == worlds.day(2)


def test_a_state_takes_its_place_in_the_history(world, worlds):
    def states(changed):
        return changed.documents["other"].versions[0].states

    later = evolve(world, c.SetState("other", State.DELETED, worlds.day(9)))
    between = evolve(later, c.SetState("other", State.WITHDRAWN, worlds.day(5), "other-1"))
    same = evolve(between, c.SetState("other", State.QUARANTINED, worlds.day(5)))
    assert [word for _, word in states(between)] == ["published", "withdrawn", "deleted"]
    assert [word for _, word in states(same)] == ["published", "quarantined", "deleted"]


def test_a_malformed_list_is_an_empty_one(world):
    for how in ("empty", "missing", "unknown_principal", "wrong_type"):
        assert evolve(world, c.Malform("leave", how)).documents["leave"].entries == ()


def test_the_clock_moves_and_a_reindex_changes_nothing(world, worlds):
    assert evolve(world, c.SetClock(worlds.day(16))).clock == world.clock + timedelta(days=1)
    assert evolve(world, c.Reindex(worlds.day(16))) is world


def test_what_does_not_exist_or_exists_already_is_named(world, worlds):
    day = worlds.day
    for change, said in [
        (c.Revoke("leave", "nope", day(1)), "nope"),
        (c.Revoke("ghost", "e1", day(1)), "ghost"),
        (c.Move("leave", "nowhere"), "nowhere"),
        (c.SetState("leave", State.DELETED, day(1), "v9"), "v9"),
        (c.Publish(world.documents["leave"]), "leave"),
        (c.Grant("leave", worlds.entry("e1")), "e1"),
        (c.PublishVersion("leave", worlds.version("leave-1", day(1))), "leave-1"),
        (c.OpenLink("l9", "alice", day(1)), "l9"),
    ]:
        with pytest.raises(KitError, match=said):
            evolve(world, change)
