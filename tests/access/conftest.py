"""Small worlds that hold every attribute the rule speaks of, drawn from one `random.Random`.

Instants are small whole days after a start, so that bounds and questions often coincide.
"""

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

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

START = datetime(2024, 1, 1, tzinfo=UTC)
DAYS = 12
LABELS = ("public", "internal", "secret")
PRINCIPALS = tuple(f"u{number}" for number in range(7))
UNITS = tuple(f"g{number}" for number in range(6))
TENANTS = ("acme", "acme-eu")


def day(number: int) -> datetime:
    return START + timedelta(days=number)


class Maker:
    """`p` is how often an optional thing is there."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.n_entries = 0

    def chance(self, p: float) -> bool:
        return self.rng.randrange(100) < p * 100

    def instant(self) -> datetime:
        return day(self.rng.randrange(DAYS))

    def window(self, p: float = 0.3) -> Window:
        start = self.instant() if self.chance(p) else None
        end = self.instant() if self.chance(p) else None
        return Window(start, end)

    def revoked(self) -> datetime | None:
        return self.instant() if self.chance(0.15) else None

    def label(self, p: float = 0.3) -> str | None:
        return self.rng.choice(LABELS) if self.chance(p) else None

    def compartments(self, p: float = 0.15) -> frozenset[str]:
        return frozenset(name for name in ("hr", "法务") if self.chance(p))

    def entries(self, most: int, p_deny: float) -> tuple[Entry, ...]:
        return tuple(self.entry(p_deny) for _ in range(self.rng.randrange(most + 1)))

    def entry(self, p_deny: float) -> Entry:
        self.n_entries += 1
        is_deny = self.chance(p_deny)
        kinds = [SubjectKind.USER, SubjectKind.UNIT, SubjectKind.UNIT, SubjectKind.EVERYONE]
        if not is_deny:
            kinds += [SubjectKind.LINK, SubjectKind.PUBLIC, SubjectKind.UNIT]
        elif self.chance(0.1):
            kinds = [SubjectKind.PUBLIC]
        kind = self.rng.choice(kinds)
        ids = {
            SubjectKind.USER: PRINCIPALS,
            SubjectKind.UNIT: UNITS,
            SubjectKind.LINK: ("l0", "l1", "l2"),
        }.get(kind, ("",))
        return Entry(
            f"e{self.n_entries}",
            Effect.DENY if is_deny else Effect.ALLOW,
            kind,
            self.rng.choice(ids),
            self.window(),
            self.revoked(),
        )

    def principal(self, principal_id: str) -> Principal:
        statuses: tuple[tuple[datetime, PrincipalStatus], ...] = ()
        if self.chance(0.2):
            days = sorted(self.rng.sample(range(DAYS), 2))
            statuses = tuple((day(d), self.rng.choice(list(PrincipalStatus))) for d in days)
        kind = PrincipalKind.ANONYMOUS if self.chance(0.1) else PrincipalKind.USER
        return Principal(
            principal_id,
            self.rng.choice((*TENANTS, "acme", "acme", None)),
            kind,
            clearance=self.label(0.8),
            compartments=self.compartments(0.6),
            statuses=statuses,
        )

    def folders(self) -> dict[str, Folder]:
        found: dict[str, Folder] = {}
        for number in range(5):
            tenant = "acme" if number < 4 else "acme-eu"
            above = [f for f in found.values() if f.tenant_id == tenant]
            parent = self.rng.choice(above).folder_id if above and self.chance(0.8) else None
            found[f"f{number}"] = Folder(
                f"f{number}",
                tenant,
                parent,
                label=self.label(0.2),
                compartments=self.compartments(0.1),
                entries=self.entries(2, 0.2),
                inherits=self.chance(0.8),
            )
        # Children may stand before their parents in a file.
        ids = list(found)
        self.rng.shuffle(ids)
        return {folder_id: found[folder_id] for folder_id in ids}

    def version(self, version_id: str) -> Version:
        days = sorted(self.rng.sample(range(DAYS), self.rng.randrange(1, 3)))
        states = tuple((day(d), self.rng.choice(list(State))) for d in days)
        if self.chance(0.7):
            states = ((day(0), State.PUBLISHED),)
        return Version(
            version_id,
            "title",
            tuple(
                Chunk(
                    f"{version_id}.{number}",
                    "text",
                    label=self.label(0.2),
                    compartments=self.compartments(0.1),
                )
                for number in range(self.rng.randrange(4))
            ),
            valid_from=day(self.rng.randrange(4)) if self.chance(0.9) else None,
            valid_to=self.instant() if self.chance(0.3) else None,
            recorded_from=day(self.rng.randrange(4)) if self.chance(0.3) else None,
            recorded_to=self.instant() if self.chance(0.2) else None,
            states=states if self.chance(0.95) else (),
        )

    def document(self, document_id: str, folders: dict[str, Folder]) -> Document:
        tenant = self.rng.choice(("acme", "acme", "acme-eu"))
        shelves = [f.folder_id for f in folders.values() if f.tenant_id == tenant]
        return Document(
            document_id,
            tenant,
            tuple(
                self.version(f"{document_id}.{number}")
                for number in range(self.rng.randrange(1, 3))
            ),
            folder_id=self.rng.choice(shelves) if self.chance(0.8) else None,
            label=self.label(),
            compartments=self.compartments(0.1),
            entries=self.entries(3, 0.15),
            inherits=self.chance(0.8),
            owner_id=self.rng.choice(PRINCIPALS) if self.chance(0.5) else None,
        )

    def memberships(self) -> dict[str, Membership]:
        found = {}
        for number in range(12):
            position = self.rng.randrange(len(UNITS))
            is_unit = position > 0 and self.chance(0.5)
            # A unit joins only units of a higher number, so that none contains itself.
            member = UNITS[self.rng.randrange(position)] if is_unit else self.rng.choice(PRINCIPALS)
            found[f"m{number}"] = Membership(
                f"m{number}", UNITS[position], member, is_unit, self.window(0.2), self.revoked()
            )
        return found

    def guest(self, guest_id: str) -> Guest:
        return Guest(
            guest_id,
            self.rng.choice(PRINCIPALS),
            self.rng.choice(TENANTS),
            self.window(),
            self.revoked(),
        )

    def link(self, link_id: str) -> ShareLink:
        opened = tuple(
            (self.rng.choice(PRINCIPALS), self.instant()) for _ in range(self.rng.randrange(5))
        )
        return ShareLink(link_id, self.window(), self.revoked(), opened)

    def world(self, n_documents: int = 6) -> World:
        folders = self.folders()
        policy = AccessPolicy(LABELS, self.chance(0.15), self.chance(0.3))
        return World(
            documents={
                f"d{number}": self.document(f"d{number}", folders) for number in range(n_documents)
            },
            folders=folders,
            tenants={tenant: Tenant(tenant) for tenant in TENANTS},
            principals={who: self.principal(who) for who in PRINCIPALS},
            units={unit: Unit(unit, "acme") for unit in UNITS},
            memberships=self.memberships(),
            guests={f"guest{number}": self.guest(f"guest{number}") for number in range(4)},
            # l2 is named by entries and exists nowhere.
            links={f"l{number}": self.link(f"l{number}") for number in range(2)},
            clock=day(self.rng.randrange(2, DAYS)),
            policy=policy,
        )


@pytest.fixture(scope="session")
def maker() -> Callable[[random.Random], Maker]:
    return Maker


@pytest.fixture(scope="session")
def readers() -> tuple[str, ...]:
    """Everyone in the worlds of `maker`, and someone who is not."""
    return (*PRINCIPALS, "nobody")
