"""A small world for the tests of this folder."""

from datetime import UTC, datetime

from rageval_kit.records.world import (
    AccessPolicy,
    Chunk,
    Document,
    Effect,
    Entry,
    Folder,
    Guest,
    Membership,
    Principal,
    PrincipalStatus,
    ShareLink,
    State,
    SubjectKind,
    Tenant,
    Unit,
    UnitKind,
    Version,
    Window,
    World,
)


def day(number, month=1):
    return datetime(2024, month, number, tzinfo=UTC)


def entry(entry_id, subject_id="alice", effect=Effect.ALLOW):
    return Entry(entry_id, effect, SubjectKind.USER, subject_id)


def version(version_id, start, end=None, **more):
    chunk = Chunk(
        f"{version_id}#1", "年假10天\u2028第二行", "¶1", compartments=frozenset({"b", "a"})
    )
    return Version(
        version_id, "休假", (chunk,), start, end, states=((day(1), State.PUBLISHED),), **more
    )


def small_world():
    documents = {
        "leave": Document(
            "leave",
            "acme",
            (version("leave-1", day(1), day(10)), version("leave-2", day(10))),
            folder_id="policies",
            label="low",
            entries=(entry("e2"), entry("e1", "bob", Effect.DENY)),
            owner_id="alice",
        ),
        "other": Document("other", "acme", (version("other-1", day(2)),), inherits=False),
    }
    return World(
        documents=documents,
        folders={"policies": Folder("policies", "acme", name="规章", entries=(entry("f1"),))},
        tenants={"acme": Tenant("acme", "Acme")},
        principals={
            "alice": Principal("alice", "acme", clearance="low"),
            "bob": Principal("bob", "acme", statuses=((day(1), PrincipalStatus.ACTIVE),)),
        },
        units={"hr": Unit("hr", "acme", UnitKind.DEPARTMENT)},
        memberships={"m1": Membership("m1", "hr", "alice", window=Window(day(1), day(20)))},
        guests={"g1": Guest("g1", "bob", "acme", revoked_at=day(3))},
        links={"l1": ShareLink("l1", opened=(("bob", day(4)), ("alice", day(3))))},
        clock=day(15),
        policy=AccessPolicy(("low", "high"), unlabelled_denied=True, archive=True),
        timezone="Asia/Shanghai",
        name="small",
    )
