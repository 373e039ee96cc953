"""The rule on one small world, worked by hand: who is denied, by which conditions, and why.

Ann of acme may read chunk c of document d through group `team`; each test changes one thing.
Every question is put to both paths.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from rageval_kit.access import CONDITIONS, Monitor
from rageval_kit.records.faults import InputError
from rageval_kit.records.target import Grain
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
    PrincipalKind,
    PrincipalStatus,
    ShareLink,
    State,
    SubjectKind,
    Tenant,
    Unit,
    Version,
    Window,
    World,
)

NOW = datetime(2024, 7, 1, 12, tzinfo=UTC)
BEFORE, AFTER = NOW - timedelta(days=1), NOW + timedelta(days=1)
INSTANT = timedelta(microseconds=1)
LAPSED, NOT_YET = Window(None, NOW), Window(AFTER, None)
PUBLISHED = ((BEFORE - timedelta(days=9), State.PUBLISHED),)
SHANGHAI = timezone(timedelta(hours=8))


def entry(kind, subject_id="", effect=Effect.ALLOW, **rest):
    return Entry(f"{effect}-{kind}-{subject_id}", effect, SubjectKind(kind), subject_id, **rest)


def deny(kind, subject_id="", **rest):
    return entry(kind, subject_id, Effect.DENY, **rest)


TEAM = entry("unit", "team")
VERSION = Version("v", "t", (Chunk("c", "x"),), BEFORE, states=PUBLISHED)
DOCUMENT = Document("d", "acme", (VERSION,), entries=(TEAM,))
IN_TEAM = Membership("m", "team", "ann")
ANN = Principal("ann", "acme")


def world(*documents, people=(ANN,), members=(IN_TEAM,), folders=(), guests=(), links=(), **rest):
    return World(
        {d.document_id: d for d in documents or (DOCUMENT,)},
        {f.folder_id: f for f in folders},
        {t: Tenant(t) for t in ("acme", "globex")},
        {p.principal_id: p for p in people},
        {u: Unit(u, "acme") for u in ("team", "dept", "all")},
        {m.membership_id: m for m in members},
        {g.guest_id: g for g in guests},
        {link.link_id: link for link in links},
        rest.pop("clock", NOW),
        rest.pop("policy", AccessPolicy(("public", "internal", "secret"))),
        **rest,
    )


def reasons(world, who="ann", document="d", version="v", chunk="c", **times):
    """What both paths say; they are compared on the way."""
    monitor = Monitor(world)
    found = monitor.decide(who, document, version, chunk, **times)
    bits = int(monitor.reason_bits(who, **times)[monitor.chunk_index[chunk]])
    assert [name.partition(":")[0] for name in found] == [
        name for position, name in enumerate(CONDITIONS) if bits >> position & 1
    ]
    return found


def doc(**rest):
    return replace(DOCUMENT, **rest)


def ver(**rest):
    return doc(versions=(replace(VERSION, **rest),))


def chunk(**rest):
    return ver(chunks=(Chunk("c", "x", **rest),))


def person(**rest):
    return (replace(ANN, **rest),)


def entries(*listed):
    return world(doc(entries=listed))


GLOBEX = person(tenant_id="globex")
GUEST = Guest("g", "ann", "acme")
OUT = replace(IN_TEAM, window=LAPSED)
SUSPENDED = PrincipalStatus.SUSPENDED
NESTED = (
    Membership("m1", "team", "ann"),
    Membership("m2", "dept", "team", member_is_unit=True),
    Membership("m3", "all", "dept", member_is_unit=True),
)
CUT = (*NESTED[:2], replace(NESTED[2], revoked_at=NOW))
LINK = ShareLink("l", opened=(("ann", BEFORE),))
BY_LINK = entry("link", "l")
TOP = Folder("top", "acme")
SUB = Folder("sub", "acme", "top")
IN_SUB = doc(entries=(), folder_id="sub")


CASES = {
    "a member may": (world(), ""),
    # C1
    "suspended": (world(people=person(statuses=((NOW, SUSPENDED),))), "C1"),
    "suspended later": (world(people=person(statuses=((BEFORE, PrincipalStatus.ACTIVE),
                                                      (NOW + INSTANT, SUSPENDED)))), ""),
    "not yet there": (world(people=person(statuses=((AFTER, PrincipalStatus.ACTIVE),))), "C1"),
    # C2
    "another tenant": (world(people=GLOBEX), "C2"),
    "no tenant": (world(people=person(tenant_id=None)), "C2"),
    "a guest": (world(people=GLOBEX, guests=(GUEST,)), ""),
    "a lapsed guest": (world(people=GLOBEX, guests=(replace(GUEST, window=LAPSED),)), "C2"),
    "a guest elsewhere": (world(people=GLOBEX, guests=(replace(GUEST, tenant_id="x"),)), "C2"),
    "a public document": (world(doc(entries=(entry("public"),)), people=GLOBEX), ""),
    "public and in a folder": (
        world(IN_SUB, people=GLOBEX, folders=(replace(TOP, entries=(entry("public"),)), SUB)),
        ""),
    "public no more": (
        world(doc(entries=(entry("public", window=LAPSED),)), people=GLOBEX), "C2 C11"),
    "a link of another tenant": (
        world(doc(entries=(BY_LINK,)), people=GLOBEX, links=(LINK,)), "C2"),
    # C3
    "the document's label": (world(doc(label="internal")), "C3"),
    "just the level": (world(doc(label="internal"), people=person(clearance="internal")), ""),
    "the chunk's own first": (world(replace(chunk(label="public"), label="secret")), ""),
    "the chunk's own is higher": (world(replace(chunk(label="secret"), label="public")), "C3"),
    "the nearest folder's": (
        world(doc(folder_id="sub"),
              folders=(replace(TOP, label="secret"), replace(SUB, label="public"))), ""),
    "a label passes a break": (
        world(doc(folder_id="sub", inherits=False),
              folders=(replace(TOP, label="secret"), replace(SUB, inherits=False))), "C3"),
    "an anonymous has the lowest": (
        world(doc(label="internal", entries=(entry("public"),)),
              people=person(kind=PrincipalKind.ANONYMOUS, clearance="secret")), "C3"),
    # C4
    "a compartment": (world(chunk(compartments=frozenset(("hr",)))), "C4"),
    "both compartments": (
        world(replace(chunk(compartments=frozenset(("hr",))),
                      compartments=frozenset(("law",))),
              people=person(compartments=frozenset(("hr", "law")))), ""),
    "a folder's compartment": (
        world(doc(folder_id="sub", inherits=False),
              folders=(replace(TOP, compartments=frozenset(("hr",))), SUB)), "C4"),
    # C5
    "withdrawn": (world(ver(states=(*PUBLISHED, (NOW, State.WITHDRAWN)))), "C5"),
    "withdrawn later": (world(ver(states=(*PUBLISHED, (AFTER, State.WITHDRAWN)))), ""),
    "an archive": (world(ver(states=((BEFORE, State.WITHDRAWN),)),
                         policy=AccessPolicy(archive=True)), ""),
    "quarantined": (world(ver(states=((NOW, State.QUARANTINED),)),
                          policy=AccessPolicy(archive=True)), "C5"),
    "deleted": (world(ver(states=((NOW, State.DELETED),))), "C5"),
    "someone's draft": (world(ver(states=())), "C5"),
    "one's own draft needs no entry": (
        world(replace(ver(states=()), owner_id="ann", entries=())), ""),
    "one's own draft, denied": (
        world(replace(ver(states=()), owner_id="ann", entries=(deny("user", "ann"),))), "C8"),
    "one's own document is no grant": (world(doc(owner_id="ann", entries=())), "C11"),
    # C6, C7
    "not yet in force": (world(ver(valid_from=NOW + INSTANT)), "C6"),
    "in force from now": (world(ver(valid_from=NOW)), ""),
    "superseded now": (world(ver(valid_to=NOW)), "C6"),
    "no beginning": (world(ver(valid_from=None)), "C6:undefined"),
    "recorded later": (world(ver(recorded_from=AFTER)), "C7"),
    "corrected": (world(ver(recorded_to=NOW)), "C7"),
    # C8 to C10
    "denied by name": (entries(TEAM, deny("user", "ann")), "C8"),
    "denied no more": (entries(TEAM, deny("user", "ann", revoked_at=NOW)), ""),
    "denied by group": (entries(TEAM, deny("unit", "team")), "C9"),
    "everyone denied": (entries(TEAM, deny("everyone")), "C9"),
    "public denied": (entries(TEAM, deny("public")), "C9"),
    "everyone denied, not a lapsed guest": (
        world(doc(entries=(entry("public"), deny("everyone"))), people=GLOBEX,
              guests=(replace(GUEST, window=LAPSED),)), ""),
    "denied far above": (world(doc(entries=(deny("unit", "all"), TEAM)), members=NESTED), "C9"),
    "not denied over a dead edge": (
        world(doc(entries=(deny("unit", "all"), TEAM)), members=CUT), ""),
    "a closer allow does not help": (
        world(doc(folder_id="sub"),
              folders=(replace(TOP, entries=(deny("user", "ann"),)), SUB)), "C10"),
    "a break helps": (
        world(doc(folder_id="sub", inherits=False),
              folders=(replace(TOP, entries=(deny("user", "ann"),)), SUB)), ""),
    "a folder's break helps": (
        world(doc(folder_id="sub"),
              folders=(replace(TOP, entries=(deny("user", "ann"),)),
                       replace(SUB, inherits=False))), ""),
    "a breaking folder keeps its own": (
        world(doc(folder_id="sub"),
              folders=(TOP, replace(SUB, inherits=False, entries=(deny("everyone"),)))), "C10"),
    # the ladder
    "inherited": (world(IN_SUB, folders=(replace(TOP, entries=(TEAM,)), SUB)), ""),
    "inheritance broken": (
        world(replace(IN_SUB, inherits=False),
              folders=(replace(TOP, entries=(TEAM,)), SUB)), "C11"),
    "expired": (entries(replace(TEAM, window=LAPSED)), "C12"),
    "not before": (entries(replace(TEAM, window=NOT_YET)), "C12"),
    "revoked now": (entries(replace(TEAM, revoked_at=NOW)), "C12"),
    "revoked in a moment": (entries(replace(TEAM, revoked_at=NOW + INSTANT)), ""),
    "membership lapsed": (world(members=(OUT,)), "C13"),
    "a dead edge above": (world(doc(entries=(entry("unit", "all"),)), members=CUT), "C13"),
    "expired before lapsed": (
        world(doc(entries=(replace(TEAM, window=LAPSED),)), members=(OUT,)), "C12"),
    "rungs are not mixed": (
        world(doc(entries=(TEAM, entry("user", "ann", window=LAPSED))), members=(OUT,)), "C13"),
    "everyone": (entries(entry("everyone")), ""),
    "everyone, a guest": (
        world(doc(entries=(entry("everyone"),)), people=GLOBEX, guests=(GUEST,)), ""),
    "everyone, a lapsed guest": (
        world(doc(entries=(entry("everyone"),)), people=GLOBEX,
              guests=(replace(GUEST, revoked_at=NOW),)), "C2 C13"),
    "an opened link": (world(doc(entries=(BY_LINK,)), links=(LINK,)), ""),
    "a link never opened": (
        world(doc(entries=(BY_LINK,)), links=(replace(LINK, opened=()),)), "C14"),
    "a link opened later": (
        world(doc(entries=(BY_LINK,)), links=(replace(LINK, opened=(("ann", AFTER),)),)),
        "C14"),
    "an expired link": (
        world(doc(entries=(BY_LINK,)), links=(replace(LINK, window=LAPSED),)), "C14"),
    "an expired entry for a link": (
        world(doc(entries=(replace(BY_LINK, window=LAPSED),)), links=(LINK,)), "C12"),
    "a link beside a lapsed membership": (
        world(doc(entries=(TEAM, BY_LINK)), members=(OUT,),
              links=(replace(LINK, opened=()),)), "C14"),
    # several at once
    "four at once": (
        world(replace(ver(valid_to=BEFORE), label="secret", entries=()), people=GLOBEX),
        "C2 C3 C6 C11"),
}  # fmt: skip


@pytest.mark.parametrize(("made", "expected"), CASES.values(), ids=CASES.keys())
def test_is_denied_by_exactly_these_conditions(made, expected):
    assert reasons(made) == tuple(expected.split())


def test_an_unknown_principal_has_nothing():
    assert reasons(world(), "zoe") == ("C1", "C2", "C11")
    assert reasons(entries(entry("public")), "zoe") == ("C1",)
    assert reasons(entries(entry("public"), deny("public")), "") == ("C1", "C9")


def test_the_title_has_the_label_of_the_document():
    made = world(replace(chunk(label="secret", compartments=frozenset(("hr",))), label="public"))
    assert Monitor(made).decide("ann", "d", "v", None) == ()
    assert Monitor(made).decide("ann", "d", "v", "c") == ("C3", "C4")


def test_bug_048_a_tenant_is_compared_whole():
    near = ("acme-eu", "eu-acme", "Acme", "acme ", "not acme", "acm", "ａｃｍｅ")
    for tenant in near:
        made = world(doc(tenant_id=tenant, entries=(entry("user", "ann"),)), doc(document_id="own"))
        assert Monitor(made).decide("ann", "d", "v", "c") == ("C2",)
    documents = [
        Document(f"d{n}", t, (replace(VERSION, version_id=f"v{n}"),), entries=(entry("everyone"),))
        for n, t in enumerate(("acme", *near))
    ]
    permitted = Monitor(world(*documents)).permitted("ann", Grain.DOCUMENT)
    assert [d.document_id in permitted for d in documents] == [True] + [False] * len(near)


def test_bug_049_what_has_no_class_is_denied_by_default():
    policy = AccessPolicy(("public", "secret"), unlabelled_denied=True)
    cleared = person(clearance="public")
    found = [
        reasons(world(doc(label=label), people=cleared, policy=policy))
        for label in ("public", "secret", None)
    ]
    assert found == [(), ("C3",), ("C3",)]
    assert reasons(world(doc(label="public"), policy=policy)) == ("C3",), "no clearance"


def test_bug_050_an_empty_list_denies_everyone():
    documents = [
        Document(f"d{n}", "acme", (Version(f"v{n}", "t", (Chunk(f"c{n}", "x"),), BEFORE,
                                           states=PUBLISHED),), entries=listed)
        for n, listed in ((1, ()), (2, (entry("unit", "hr"),)), (3, (entry("public"),)))
    ]  # fmt: skip
    made = world(
        *documents,
        people=(Principal("u1", "acme"), Principal("u2", "acme")),
        members=(Membership("m", "hr", "u1"),),
    )
    monitor = Monitor(made)
    seen = {
        who: [d.document_id for d in documents
              if d.document_id in monitor.permitted(who, Grain.DOCUMENT)]
        for who in ("u1", "u2")
    }  # fmt: skip
    assert seen == {"u1": ["d2", "d3"], "u2": ["d3"]}
    assert monitor.count_visible("u1", ["d1", "d2", "d3", "d3", "elsewhere"]) == 2


def test_bug_056_nested_groups_count_and_a_cycle_is_refused():
    infra = (
        Membership("m1", "infra", "wei"),
        Membership("m2", "eng", "infra", member_is_unit=True),
        Membership("m3", "all", "eng", member_is_unit=True),
    )
    wei = (Principal("wei", "acme"),)
    first, second = doc(entries=(entry("unit", "all"),)), doc(entries=(entry("unit", "sales"),))
    assert reasons(world(first, people=wei, members=infra), "wei") == ()
    assert reasons(world(second, people=wei, members=infra), "wei") == ("C11",)
    circle = (*infra, Membership("m4", "infra", "all", member_is_unit=True))
    for ask in (
        lambda monitor: monitor.decide("wei", "d", "v", "c"),
        lambda monitor: monitor.reason_bits("wei"),
    ):
        with pytest.raises(InputError, match="a unit is a member of itself"):
            ask(Monitor(world(first, people=wei, members=circle)))
    carried = Monitor(world(first, people=wei, members=infra))
    carried.reason_bits("wei")
    with pytest.raises(InputError, match="infra"):
        carried.after(world(first, people=wei, members=circle))


def test_bug_061_the_last_day_is_valid_to_its_end():
    """2024-06-01 to 2024-06-30 in Shanghai is [05-31 16:00Z, 06-30 16:00Z)."""
    made = world(
        ver(
            valid_from=datetime(2024, 5, 31, 16, tzinfo=UTC),
            valid_to=datetime(2024, 6, 30, 16, tzinfo=UTC),
        )
    )
    asked = (
        datetime(2024, 6, 30, 23, tzinfo=SHANGHAI),
        datetime(2024, 6, 30, 16, 30, tzinfo=UTC),
        datetime(2024, 7, 1, tzinfo=SHANGHAI),
    )
    assert [reasons(made, as_of=at) for at in asked] == [(), ("C6",), ("C6",)]


def test_bug_062_at_the_change_exactly_one_version_holds():
    change = datetime(2024, 7, 1, tzinfo=SHANGHAI)
    chunks = [(Chunk("c1", "x"),), (Chunk("c2", "x"),)]
    old = replace(VERSION, version_id="v1", chunks=chunks[0], valid_to=change)
    old = replace(old, valid_from=datetime(2024, 1, 1, tzinfo=SHANGHAI))
    new = replace(VERSION, version_id="v2", chunks=chunks[1], valid_from=change)
    monitor = Monitor(world(doc(versions=(old, new))))
    for as_of, expected in ((change - INSTANT, ["v1"]), (change, ["v2"])):
        permitted = monitor.permitted("ann", Grain.VERSION, as_of=as_of)
        assert [v for v in ("v1", "v2") if v in permitted] == expected


@pytest.mark.parametrize("name", ["now", "as_of", "known_at"])
def test_bug_063_a_naive_instant_is_refused(name):
    naive = {name: datetime(2024, 7, 1)}  # noqa: DTZ001 (that is the fault)
    monitor = Monitor(world())
    for ask in (
        lambda: monitor.decide("ann", "d", "v", "c", **naive),
        lambda: monitor.reason_bits("ann", **naive),
        lambda: monitor.permitted("ann", Grain.CHUNK, **naive),
    ):
        with pytest.raises(InputError, match=f"{name}: the instant has no time zone"):
            ask()


def test_bug_064_the_clock_is_the_worlds():
    """Dated five minutes after the declared clock: not yet valid, whatever today is."""
    clock = datetime(2024, 8, 1, tzinfo=SHANGHAI)
    made = world(ver(valid_from=clock + timedelta(minutes=5)), clock=clock)
    assert reasons(made) == ("C6",)
    assert reasons(made, as_of=clock + timedelta(minutes=5)) == ()


def test_rights_are_those_of_now_and_content_is_that_of_as_of():
    made = world(doc(entries=(replace(TEAM, window=NOT_YET),)))
    assert reasons(made, as_of=AFTER) == ("C12",)
    assert reasons(made, now=AFTER, as_of=BEFORE) == ()
    assert reasons(made, now=AFTER, as_of=BEFORE - INSTANT) == ("C6",)


def test_known_at_after_now_is_refused():
    with pytest.raises(InputError, match="nothing can be known later than now"):
        Monitor(world()).decide("ann", "d", "v", "c", known_at=NOW + INSTANT)


@pytest.mark.parametrize(
    ("made", "fault"),
    [
        (entries(TEAM, deny("link", "l")), "a deny entry names a link"),
        (
            world(doc(folder_id="top"), folders=(replace(TOP, entries=(deny("link", "l"),)),)),
            "a deny entry names a link",
        ),
        (world(doc(label="geheim")), "'geheim'"),
        (world(chunk(label="")), "''"),
        (world(people=person(clearance="geheim")), "'geheim'"),
        (world(doc(folder_id="nowhere")), "there is no such folder"),
        (world(doc(folder_id="top"), folders=(replace(TOP, tenant_id="globex"),)), "another"),
        (
            world(doc(folder_id="sub"), folders=(replace(TOP, tenant_id="globex"), SUB)),
            "another tenant's",
        ),
        (
            world(doc(folder_id="sub"), folders=(replace(TOP, parent_id="sub"), SUB)),
            "a folder contains itself",
        ),
    ],
)
def test_what_no_world_may_hold_is_refused_by_both_paths(made, fault):
    with pytest.raises(InputError, match=fault):
        Monitor(made).decide("ann", "d", "v", "c")
    with pytest.raises(InputError, match=fault):
        Monitor(made).reason_bits("ann")


def test_every_fault_is_named_at_once():
    made = world(
        doc(label="geheim"), doc(document_id="e", entries=(deny("link", "l"),), folder_id="gone")
    )
    with pytest.raises(InputError) as refused:
        Monitor(made).reason_bits("ann")
    assert [fault.where for fault in refused.value.faults] == [
        "document d", "document e, entry deny-link-l", "document e",
    ]  # fmt: skip


def test_ids_the_world_does_not_hold_are_refused():
    for asked in (("x", "v", "c"), ("d", "x", "c"), ("d", "v", "x")):
        with pytest.raises(InputError, match="'x'"):
            Monitor(world()).decide("ann", *asked)


def test_a_plain_world_has_attributes_for_few_conditions():
    plain = replace(world(), tenants={"acme": Tenant("acme")})
    assert Monitor(plain).attributes() == {"C1", "C11"}


@pytest.mark.parametrize(
    ("made", "condition"),
    [
        (world(), "C2"),
        (world(chunk(label="public")), "C3"),
        (world(chunk(compartments=frozenset(("hr",)))), "C4"),
        (world(ver(states=())), "C5"),
        (world(ver(valid_to=AFTER)), "C6"),
        (world(ver(recorded_from=BEFORE)), "C7"),
        (entries(deny("user", "ann")), "C8"),
        (entries(deny("everyone")), "C9"),
        (world(folders=(replace(TOP, entries=(deny("public"),)),)), "C10"),
        (entries(replace(TEAM, revoked_at=AFTER)), "C12"),
        (world(members=(OUT,)), "C13"),
        (entries(BY_LINK), "C14"),
    ],
)
def test_each_attribute_is_noticed(made, condition):
    assert condition in Monitor(made).attributes()
    assert len(Monitor(made).attributes() - {"C1", "C2", "C11", condition}) == 0


def test_making_a_monitor_reads_no_document():
    class Unread(dict):
        def __iter__(self):
            raise AssertionError("walked")

        values = items = keys = __iter__

    made = world()
    monitor = Monitor(replace(made, documents=Unread(made.documents)))
    assert monitor.decide("ann", "d", "v", "c") == ()


def test_an_empty_world_is_answered():
    empty = replace(world(), documents={})
    monitor = Monitor(empty)
    assert monitor.reason_bits("ann").shape == (0,)
    assert not monitor.permitted("ann", Grain.DOCUMENT).knows("d")
    assert "d" in monitor.after(world()).permitted("ann", Grain.DOCUMENT)
