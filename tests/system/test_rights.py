"""The columns of rights against the access rule written plainly, entry by entry, on small worlds.

The plain rule below is written from the rule's text and shares no line with the system; worlds and
scripts of changes are drawn by a seeded generator that makes every condition matter.
"""

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from rageval_kit.corpus.evolve import evolve
from rageval_kit.records import changes as ch
from rageval_kit.records.target import Caller, Request, Stage
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
from rageval_kit.retrievers.embedded import Embedded
from rageval_kit.system.config import EmbeddedConfig

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
TIMES = [NOW + timedelta(days=d) for d in (-30, -20, -10, 0, 10, 20)]
LABELS = ("public", "internal", "secret")


# the plain rule ------------------------------------------------------------------------------


def live(item, now):
    return item.window.contains(now) and (item.revoked_at is None or now < item.revoked_at)


def last(history, now, before):
    found = before
    for at, word in history:
        if at <= now:
            found = word
    return found


def units(world, principal_id, now):
    found, edge = set(), [(principal_id, False)]
    while edge:
        member, is_unit = edge.pop()
        for m in world.memberships.values():
            named = m.member_id == member and m.member_is_unit == is_unit
            if named and live(m, now) and m.unit_id not in found:
                found.add(m.unit_id)
                edge.append((m.unit_id, True))
    return found


def folders_above(world, document):
    folder = world.folders.get(document.folder_id)
    while folder is not None:
        yield folder
        folder = world.folders.get(folder.parent_id)


def inherited(world, document):
    if not document.inherits:
        return
    for folder in folders_above(world, document):
        yield from folder.entries
        if not folder.inherits:
            return


def names(entry, world, person, tenant_id, mine, now):
    member = tenant_id in mine["tenants"]
    if entry.subject_kind is SubjectKind.USER:
        return entry.subject_id == person.principal_id
    if entry.subject_kind is SubjectKind.UNIT:
        return entry.subject_id in mine["units"]
    if entry.subject_kind is SubjectKind.EVERYONE:
        return member
    if entry.subject_kind is SubjectKind.PUBLIC:
        return True
    link = world.links.get(entry.subject_id)
    opened = link is not None and any(
        who == person.principal_id and at <= now for who, at in link.opened
    )
    return opened and live(link, now)


def level(label):
    return 0 if label is None else LABELS.index(label)


def allowed(world, principal_id, document, version, chunk, as_of, known_at):  # noqa: PLR0911
    now = world.clock
    person = world.principals.get(principal_id)
    if person is None:
        return False
    born = PrincipalStatus.ACTIVE if not person.statuses else None
    if last(person.statuses, now, born) is not PrincipalStatus.ACTIVE:
        return False
    anonymous = person.kind is PrincipalKind.ANONYMOUS
    tenants = {
        g.tenant_id
        for g in world.guests.values()
        if g.principal_id == principal_id and live(g, now)
    }
    if person.tenant_id is not None and not anonymous:
        tenants.add(person.tenant_id)
    mine = {"tenants": tenants, "units": units(world, principal_id, now)}
    handed = list(inherited(world, document))
    every = [e for e in (*document.entries, *handed) if live(e, now)]
    allows = [e for e in every if e.effect is Effect.ALLOW]
    public = any(e.subject_kind is SubjectKind.PUBLIC for e in allows)
    if document.tenant_id not in tenants and not public:
        return False
    above = list(folders_above(world, document))
    label = next(
        (x for x in (chunk.label, document.label, *(f.label for f in above)) if x is not None), None
    )
    if level(label) > (0 if anonymous else level(person.clearance)):
        return False
    needed = chunk.compartments.union(document.compartments, *(f.compartments for f in above))
    if not needed <= (frozenset() if anonymous else person.compartments):
        return False
    state = last(version.states, now, State.DRAFT)
    own_draft = state is State.DRAFT and document.owner_id == principal_id
    published = state is State.PUBLISHED or (state is State.WITHDRAWN and world.policy.archive)
    if not (own_draft or published):
        return False
    if version.valid_from is None or not Window(version.valid_from, version.valid_to).contains(
        as_of
    ):
        return False
    if not Window(version.recorded_from, version.recorded_to).contains(known_at):
        return False
    applies = [e for e in every if names(e, world, person, document.tenant_id, mine, now)]
    if any(e.effect is Effect.DENY for e in applies):
        return False
    return own_draft or any(e.effect is Effect.ALLOW for e in applies)


# worlds and changes --------------------------------------------------------------------------


class Draw:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.n = 0

    def name(self, kind):
        self.n += 1
        return f"{kind}-{self.n}"

    def rare(self, share=0.25):
        return self.r.random() < share

    def window(self):
        if not self.rare():
            return Window()
        return Window(self.r.choice([None, *TIMES]), self.r.choice([None, *TIMES]))

    def end(self, share=0.15):
        return self.r.choice(TIMES) if self.rare(share) else None

    def entry(self, world_ids):
        kind = self.r.choice(list(SubjectKind))
        effect = Effect.DENY if self.rare() and kind is not SubjectKind.LINK else Effect.ALLOW
        pool = {"user": "people", "unit": "units", "link": "links"}.get(kind.value)
        subject = self.r.choice(world_ids[pool]) if pool else ""
        return Entry(self.name("entry"), effect, kind, subject, self.window(), self.end())

    def label(self):
        return self.r.choice([None, None, None, *LABELS[:2]])

    def parts(self):
        return frozenset({"x"}) if self.rare(0.1) else frozenset()

    def version(self):
        history = ((TIMES[0], State.PUBLISHED),)
        if self.rare():
            at = self.r.choice(TIMES)
            history = tuple(
                sorted({TIMES[0]: State.PUBLISHED, at: self.r.choice(list(State))}.items())
            )
        return Version(
            self.name("version"),
            "标题 title",
            tuple(
                Chunk(
                    self.name("chunk"), "word 词语", label=self.label(), compartments=self.parts()
                )
                for _ in range(self.r.randint(1, 2))
            ),
            valid_from=None if self.rare(0.05) else self.r.choice(TIMES[:3]),
            valid_to=self.end(),
            recorded_from=self.end(),
            recorded_to=self.end(),
            states=() if self.rare(0.1) else history,
        )

    def document(self, ids):
        tenant = self.r.choice(["t1", "t2"])
        return Document(
            self.name("document"),
            tenant,
            tuple(self.version() for _ in range(self.r.randint(1, 2))),
            folder_id=self.r.choice([None, *ids["folders"][tenant]]),
            label=self.label(),
            compartments=self.parts(),
            entries=tuple(self.entry(ids) for _ in range(self.r.randint(0, 2))),
            inherits=not self.rare(),
            owner_id=self.r.choice([None, *ids["people"]]),
        )

    def membership(self, ids):
        unit = self.r.choice(ids["units"])
        if self.rare(0.4):
            child = self.r.choice(ids["units"])
            if child < unit:
                return Membership(self.name("m"), unit, child, True, self.window(), self.end())
        return Membership(
            self.name("m"), unit, self.r.choice(ids["people"]), False, self.window(), self.end()
        )

    def world(self):
        ids = {
            "people": [f"p{i}" for i in range(6)],
            "units": [f"u{i}" for i in range(5)],
            "links": ["l1", "l2"],
            "folders": {"t1": [], "t2": []},
        }
        folders = {}
        for i in range(6):
            tenant = self.r.choice(["t1", "t2"])
            parents = [None, *ids["folders"][tenant]]
            folders[f"f{i}"] = Folder(
                f"f{i}",
                tenant,
                self.r.choice(parents),
                label=self.label(),
                compartments=self.parts(),
                entries=tuple(self.entry(ids) for _ in range(self.r.randint(0, 2))),
                inherits=not self.rare(),
            )
            ids["folders"][tenant].append(f"f{i}")
        people = {
            name: Principal(
                name,
                self.r.choice(["t1", "t1", "t2", None]),
                self.r.choice([PrincipalKind.USER] * 4 + [PrincipalKind.ANONYMOUS]),
                clearance=self.r.choice([None, *LABELS]),
                compartments=self.parts() | self.parts(),
                statuses=((TIMES[1], self.r.choice(list(PrincipalStatus))),) if self.rare() else (),
            )
            for name in ids["people"]
        }
        members = [self.membership(ids) for _ in range(10)]
        guests = [
            Guest(
                self.name("g"),
                self.r.choice(ids["people"]),
                self.r.choice(["t1", "t2"]),
                self.window(),
                self.end(),
            )
            for _ in range(2)
        ]
        links = {
            link: ShareLink(
                link,
                self.window(),
                self.end(),
                tuple((self.r.choice(ids["people"]), self.r.choice(TIMES)) for _ in range(2)),
            )
            for link in ids["links"]
        }
        documents = [self.document(ids) for _ in range(8)]
        world = World(
            {d.document_id: d for d in documents},
            folders,
            {t: Tenant(t) for t in ("t1", "t2")},
            people,
            {u: Unit(u, "t1") for u in ids["units"]},
            {m.membership_id: m for m in members},
            {g.guest_id: g for g in guests},
            links,
            NOW,
            AccessPolicy(LABELS, archive=self.rare()),
        )
        return world, ids

    def change(self, world, ids):
        r = self.r
        document = r.choice(list(world.documents.values()))
        folder = r.choice(list(world.folders.values()))
        entries = [
            (d.document_id, e.entry_id, False) for d in world.documents.values() for e in d.entries
        ]
        entries += [
            (f.folder_id, e.entry_id, True) for f in world.folders.values() for e in f.entries
        ]
        name, entry_id, on_folder = r.choice(entries)
        return r.choice(
            [
                lambda: ch.Grant(document.document_id, self.entry(ids)),
                lambda: ch.Grant(folder.folder_id, self.entry(ids), on_folder=True),
                lambda: ch.Revoke(name, entry_id, r.choice(TIMES), on_folder),
                lambda: ch.SetState(
                    document.document_id,
                    r.choice(list(State)),
                    r.choice(TIMES),
                    r.choice([None, document.versions[0].version_id]),
                ),
                lambda: ch.Publish(self.document(ids)),
                lambda: ch.PublishVersion(document.document_id, self.version()),
                lambda: ch.Move(
                    document.document_id, r.choice([None, *ids["folders"][document.tenant_id]])
                ),
                lambda: ch.AddFolder(
                    Folder(self.name("folder"), folder.tenant_id, folder.folder_id)
                ),
                lambda: ch.SetInheritance(document.document_id, not document.inherits),
                lambda: ch.SetInheritance(folder.folder_id, not folder.inherits, on_folder=True),
                lambda: ch.Malform(
                    document.document_id, r.choice(["empty", "missing", "wrong_type"])
                ),
                lambda: ch.AddPrincipal(Principal(self.name("p"), "t1")),
                lambda: ch.SetStatus(
                    r.choice(ids["people"]), r.choice(list(PrincipalStatus)), r.choice(TIMES)
                ),
                lambda: ch.Enroll(self.membership(ids)),
                lambda: ch.EndMembership(r.choice(list(world.memberships)), r.choice(TIMES)),
                lambda: ch.Invite(
                    Guest(self.name("g"), r.choice(ids["people"]), r.choice(["t1", "t2"]))
                ),
                lambda: ch.EndGuest(r.choice(list(world.guests)), r.choice(TIMES)),
                lambda: ch.AddLink(ShareLink(self.name("l"))),
                lambda: ch.OpenLink(
                    r.choice(ids["links"]), r.choice(ids["people"]), r.choice(TIMES)
                ),
                lambda: ch.RevokeLink(r.choice(ids["links"]), r.choice(TIMES)),
                lambda: ch.Reindex(world.clock),
                lambda: ch.SetClock(r.choice(TIMES)),
            ]
        )()


def expected(world, principal_id, as_of, known_at):
    return {
        chunk.chunk_id
        for document in world.documents.values()
        for version in document.versions
        for chunk in version.chunks
        if allowed(
            world,
            principal_id,
            document,
            version,
            chunk,
            as_of or world.clock,
            known_at or world.clock,
        )
    }


CONFIG = EmbeddedConfig(arms=("sparse",), candidates=1000, rerank=False, cache=False)


def retrieved(target, world, as_of=None, known_at=None):
    people = [*world.principals, "nobody"]
    requests = [
        Request(p, "word", Caller(p), k=1000, as_of=as_of, known_at=known_at) for p in people
    ]
    return {r.request_id: set(r.seen[Stage.RETRIEVE].ids) for r in target.search(requests)}


def agree(target, world):
    for as_of, known_at in ((None, None), (TIMES[1], None), (None, TIMES[0]), (TIMES[4], TIMES[1])):
        if known_at is not None and known_at > world.clock:
            continue
        seen = retrieved(target, world, as_of, known_at)
        for principal_id, ids in seen.items():
            assert ids == expected(world, principal_id, as_of, known_at), (principal_id, as_of)


@pytest.mark.parametrize("seed", range(16))
def test_a_reader_finds_exactly_what_the_rule_allows_through_any_script_and_back(seed):
    draw = Draw(seed)
    world, ids = draw.world()
    target = Embedded(CONFIG)
    target.connect(world)
    agree(target, world)
    at_connection = retrieved(target, world)
    now = world
    for _ in range(7):
        change = draw.change(now, ids)
        assert target.apply(change)
        now = evolve(now, change)
        agree(target, now)
    target.restore()
    assert retrieved(target, world) == at_connection


def test_the_worlds_exercise_both_outcomes():
    shares = []
    for seed in range(16):
        world, _ = Draw(seed).world()
        total = sum(len(v.chunks) for d in world.documents.values() for v in d.versions)
        shares.append(sum(len(expected(world, p, None, None)) for p in world.principals) / total)
    assert 0.1 < sum(shares) / len(shares) < 3.0


def test_an_unlabelled_passage_is_denied_where_the_policy_says_so():
    world, _ = Draw(3).world()
    world = replace(world, policy=AccessPolicy(LABELS, unlabelled_denied=True))
    target = Embedded(CONFIG)
    target.connect(world)
    for ids in retrieved(target, world).values():
        for document in world.documents.values():
            for version in document.versions:
                for chunk in version.chunks:
                    labels = (
                        chunk.label,
                        document.label,
                        *(f.label for f in folders_above(world, document)),
                    )
                    if all(label is None for label in labels):
                        assert chunk.chunk_id not in ids


LEAKING = [
    "no_tenant_check",
    "no_department_check",
    "allow_beats_deny",
    "revocation_ignored",
    "folder_acl_frozen",
    "empty_acl_is_public",
    "link_end_ignored",
    "tombstone_ignored",
    *(f"ignore_c{n}" for n in range(1, 15)),
]


@pytest.mark.parametrize("fault", LEAKING)
def test_each_access_fault_shows_somebody_what_the_rule_forbids(fault):
    config = replace(CONFIG, fault=fault)
    for seed in range(100, 140):
        draw = Draw(seed)
        world, ids = draw.world()
        target = Embedded(config)
        target.connect(world)
        for _ in range(9):
            for principal_id, found in retrieved(target, world).items():
                if found - expected(world, principal_id, None, None):
                    return
            change = draw.change(world, ids)
            assert target.apply(change)
            world = evolve(world, change)
    pytest.fail("the fault never showed anything forbidden")
