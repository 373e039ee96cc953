"""Small worlds that the cases speak of: a few documents, a few people, one clock."""

from datetime import UTC, datetime, timedelta

from rageval_kit.records.world import (
    AccessPolicy,
    Chunk,
    Document,
    Effect,
    Entry,
    Membership,
    Principal,
    PrincipalKind,
    PrincipalStatus,
    State,
    SubjectKind,
    Tenant,
    Unit,
    Version,
    World,
)

NOW = datetime(2026, 3, 1, tzinfo=UTC)
PAST = NOW - timedelta(days=300)
EVERYONE = (SubjectKind.EVERYONE, "")
GONE = ((PAST, PrincipalStatus.ACTIVE), (NOW - timedelta(days=9), PrincipalStatus.SUSPENDED))
LABELS = AccessPolicy(("public", "secret"))


def user(name):
    return SubjectKind.USER, name


def unit(name):
    return SubjectKind.UNIT, name


def document(name, text, *subjects, tenant="acme", title=None, **more):
    """One published passage; `subjects` are allowed."""
    entries = tuple(
        Entry(f"{name}/{number}", Effect.ALLOW, kind, subject)
        for number, (kind, subject) in enumerate(subjects)
    )
    version = Version(
        f"{name}@1",
        title or f"Paper on {text.split('.')[0]}",
        (Chunk(f"{name}@1#1", text),),
        valid_from=PAST,
        states=((PAST, State.PUBLISHED),),
    )
    return Document(name, tenant, (version,), entries=entries, **more)


def world(documents, people, *, units=(), members=(), policy=LABELS):
    """`members`: (unit, member) pairs; a member that is a unit nests."""
    tenants = sorted({d.tenant_id for d in documents} | {p.tenant_id for p in people} - {None})
    names = {one.unit_id for one in units}
    return World(
        documents={d.document_id: d for d in documents},
        folders={},
        tenants={tenant: Tenant(tenant) for tenant in tenants},
        principals={p.principal_id: p for p in people},
        units={one.unit_id: one for one in units},
        memberships={
            f"{outer}<{inner}": Membership(f"{outer}<{inner}", outer, inner, inner in names)
            for outer, inner in members
        },
        guests={},
        links={},
        clock=NOW,
        policy=policy,
        name="case",
    )


def office():
    """Two tenants, a nested group, a label, a service account, somebody who left."""
    documents = [
        document("menu", "canteen lunch noodles dumplings weekly. 食堂本周供应米饭。", EVERYONE),
        document("trip", "travel lodging ceiling taxi receipts. 差旅住宿上限五百元。", EVERYONE),
        document("pay", "salary bands marzipan ladder. 薪酬等级表。", user("ann"), user("svc")),
        document("audit", "auditors ledger bridge findings. 审计底稿。", unit("hr"), user("svc")),
        document(
            "merger", "merger lighthouse valuation memo. 并购估值。", user("ann"), user("svc")
        ),
        document(
            "vault",
            "vault opening combination procedure brass. 金库开启流程。",
            EVERYONE,
            user("svc"),
            label="secret",
        ),
        document("globe", "globex furnace blueprint. 熔炉蓝图。", EVERYONE, tenant="globex"),
        document(
            "plan",
            "globex hiring plan orchard. 招聘计划。",
            user("gil"),
            user("ann"),
            tenant="globex",
        ),
    ]
    people = [
        Principal("ann", "acme", clearance="secret"),
        Principal("bob", "acme", clearance="public"),
        Principal("cat", "acme", clearance="public"),
        Principal("gil", "globex", clearance="public"),
        Principal("hal", "globex", clearance="public"),
        Principal("old", "acme", clearance="public", statuses=GONE),
        Principal("svc", "acme", PrincipalKind.SERVICE, clearance="secret"),
    ]
    units = [Unit("hr", "acme"), Unit("all", "acme")]
    return world(documents, people, units=units, members=[("all", "hr"), ("hr", "cat")])


def neighbours():
    """Two tenants in which everybody may read all papers of the own one."""
    documents = [
        document(name, f"{name} chart {name} of {name}.", EVERYONE, tenant=tenant)
        for name, tenant in (("quince", "acme"), ("maple", "acme"), ("otter", "globex"))
    ]
    return world(documents, [Principal("ann", "acme"), Principal("gil", "globex")])
