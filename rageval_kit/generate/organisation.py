"""Who works here and who may read what, where a corpus comes without access data?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from rageval_kit.generate.access_kinds import (
    COMPARTMENTS,
    DAY,
    KINDS,
    LEAD,
    LOWEST,
    UNCLEARED_FOR_PROJECTS,
    Draft,
    Staff,
)
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.streams import python_stream, stream_digest
from rageval_kit.records.world import (
    ALWAYS,
    AccessPolicy,
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
    SubjectKind,
    Tenant,
    Unit,
    UnitKind,
    Window,
    World,
)

if TYPE_CHECKING:
    from faker import Faker

LABELS: Final = ("public", "internal", "confidential", "secret")
LOCALES: Final = ("zh_CN", "en_US")
PER_DEPARTMENT: Final = 3
SUSPENDED_EVERY, DELETED_EVERY, LAPSED_EVERY = 9, 11, 5


def organise(
    world: World,
    *,
    seed: int,
    tenants: int = 2,
    departments: int = 4,
    principals: int = 40,
    locales: Sequence[str] = LOCALES,
) -> World:
    """The same documents, given tenants, folders, labels, lists, people, guests and links.

    Deterministic in the world, the seed and the sizes. Ids never come from names: two people may
    be called alike. Documents are dealt in turn to tenants and to KINDS of access, so every kind
    occurs once there are `tenants` times len(KINDS) documents. Texts, titles, versions and their
    states stay; what the world had of tenants, people and lists is replaced.
    """
    _refuse(tenants, departments, principals, locales)
    policy = world.policy if world.policy.labels else replace(world.policy, labels=LABELS)
    staffs = [Staff(f"tenant-{number}") for number in range(1, tenants + 1)]
    units, memberships = _structure(staffs, departments)
    people = _people(world, staffs, seed, principals, locales, policy)
    memberships |= _enrolments(world.clock, staffs, people)
    guests = _guests(world.clock, staffs)
    links: dict[str, ShareLink] = {}
    dealt: dict[str, Document] = {}
    kinds = tuple(KINDS.values())
    for rank, document_id in enumerate(sorted(world.documents, key=lambda d: _shuffled(seed, d))):
        staff = staffs[rank % tenants]
        draw = python_stream(seed, "organisation", "document", document_id)
        department = draw.choice(staff.departments)
        bare = replace(
            world.documents[document_id],
            tenant_id=staff.tenant_id,
            folder_id=department,
            label=None,
            compartments=frozenset(),
            entries=(),
            inherits=True,
            owner_id=staff.members[department][LEAD],
        )
        draft = Draft(bare, staff, department, draw, world.clock, policy.labels, links)
        kinds[(rank // tenants) % len(kinds)](draft)
        dealt[document_id] = replace(draft.document, entries=tuple(draft.entries))
    return replace(
        world,
        documents={document_id: dealt[document_id] for document_id in world.documents},
        folders={folder.folder_id: folder for staff in staffs for folder in _folders(staff)},
        tenants={staff.tenant_id: Tenant(staff.tenant_id, staff.tenant_id) for staff in staffs},
        principals=people,
        units=units,
        memberships=memberships,
        guests=guests,
        links=links,
        policy=policy,
    )


def _shuffled(seed: int, document_id: str) -> tuple[bytes, str]:
    return stream_digest(seed, "organisation", "deal", document_id), document_id


def _refuse(tenants: int, departments: int, principals: int, locales: Sequence[str]) -> None:
    faults = [
        Fault(f"organisation.{name}", "must be at least 1", str(value), "raise it")
        for name, value in (("tenants", tenants), ("departments", departments))
        if value < 1
    ]
    least = tenants * (departments * PER_DEPARTMENT + 1)
    if not faults and principals < least:
        way_out = (
            f"every tenant needs {PER_DEPARTMENT} people per department and one service account, "
            f"so at least {least}"
        )
        faults.append(Fault("organisation.principals", "are too few", str(principals), way_out))
    if not locales:
        faults.append(Fault("organisation.locales", "is empty", "[]", "name one, such as zh_CN"))
    if faults:
        raise InputError(faults)


def _membership(
    unit_id: str, member_id: str, *, is_unit: bool = False, window: Window = ALWAYS
) -> tuple[str, Membership]:
    membership_id = f"{unit_id}<{member_id}"
    return membership_id, Membership(membership_id, unit_id, member_id, is_unit, window)


def _structure(
    staffs: Sequence[Staff], departments: int
) -> tuple[dict[str, Unit], dict[str, Membership]]:
    """Four deep: person in team in department in division in company."""
    units: dict[str, Unit] = {}
    memberships: dict[str, Membership] = {}
    for staff in staffs:
        tenant_id = staff.tenant_id
        for unit_id in (staff.company, staff.former):
            units[unit_id] = Unit(unit_id, tenant_id, name=unit_id.rsplit("/", 1)[-1])
        for number in range(1, departments + 1):
            division = f"{tenant_id}/division-{number % 2 + 1}"
            department = f"{tenant_id}/department-{number}"
            team = f"{department}/team"
            units[division] = Unit(division, tenant_id, name=division.rsplit("/", 1)[-1])
            units[department] = Unit(
                department, tenant_id, UnitKind.DEPARTMENT, f"department {number}"
            )
            units[team] = Unit(team, tenant_id, name=f"team {number}")
            for outer, inner in (
                (staff.company, division),
                (division, department),
                (department, team),
            ):
                membership_id, edge = _membership(outer, inner, is_unit=True)
                memberships[membership_id] = edge
            staff.departments.append(department)
            staff.members[department] = []
    return units, memberships


def _people(
    world: World,
    staffs: Sequence[Staff],
    seed: int,
    principals: int,
    locales: Sequence[str],
    policy: AccessPolicy,
) -> dict[str, Principal]:
    labels, every = policy.labels, frozenset(COMPARTMENTS)
    people = {
        staff.service_id: Principal(
            staff.service_id,
            staff.tenant_id,
            PrincipalKind.SERVICE,
            "index service",
            labels[-1],
            every,
        )
        for staff in staffs
    }
    fakers = {locale: _faker(locale) for locale in locales}
    for number in range(principals - len(staffs)):
        staff, turn = staffs[number % len(staffs)], number // len(staffs)
        row, column = divmod(turn, len(staff.departments))
        principal_id = f"p{number + 1:05d}"
        draw = python_stream(seed, "organisation", "principal", principal_id)
        extra = turn - PER_DEPARTMENT * len(staff.departments)
        statuses = _statuses(world.clock, extra)
        clearance, compartments = draw.choice(labels), frozenset({draw.choice(COMPARTMENTS)})
        if row in {LEAD, UNCLEARED_FOR_PROJECTS} or statuses:
            clearance = labels[-1]
        if row == LOWEST:
            clearance = labels[0]
        if row in {LEAD, LOWEST} or statuses:
            compartments = every
        if row == UNCLEARED_FOR_PROJECTS:
            compartments = frozenset()
        faker = fakers[locales[number % len(locales)]]
        faker.seed_instance(
            python_stream(seed, "organisation", "name", principal_id).getrandbits(64)
        )
        people[principal_id] = Principal(
            principal_id,
            staff.tenant_id,
            PrincipalKind.USER,
            str(faker.name()),
            clearance,
            compartments,
            statuses,
        )
        staff.members[staff.departments[column]].append(principal_id)
    return people


def _faker(locale: str) -> "Faker":
    from faker import Faker  # 0.2 s to import; names are needed only here

    return Faker(locale)


def _statuses(clock: datetime, extra: int) -> tuple[tuple[datetime, PrincipalStatus], ...]:
    """`extra` counts from the first person beyond the three of each department."""
    if extra >= 0 and extra % SUSPENDED_EVERY == 0:
        ended = PrincipalStatus.SUSPENDED
    elif extra >= 0 and extra % DELETED_EVERY == 1:
        ended = PrincipalStatus.DELETED
    else:
        return ()
    return ((clock - 900 * DAY, PrincipalStatus.ACTIVE), (clock - 15 * DAY, ended))


def _enrolments(
    clock: datetime, staffs: Sequence[Staff], people: Mapping[str, Principal]
) -> dict[str, Membership]:
    past = Window(clock - 300 * DAY, clock - 20 * DAY)
    enrolled: dict[str, Membership] = {}
    for staff in staffs:
        for department in staff.departments:
            enrolled.update(_membership(f"{department}/team", p) for p in staff.members[department])
        # Leads are named on most lists: they would read what a lapsed membership must hide.
        others = [p for unit in staff.departments for p in staff.members[unit][LEAD + 1 :]]
        active = [p for p in others if not people[p].statuses]
        enrolled.update(_membership(staff.former, p, window=past) for p in active[::LAPSED_EVERY])
    return enrolled


def _guests(clock: datetime, staffs: Sequence[Staff]) -> dict[str, Guest]:
    """Of the next tenant one is a live guest here, one was a guest, one never was."""
    guests: dict[str, Guest] = {}
    for position, staff in enumerate(staffs):
        if len(staffs) == 1:
            break
        neighbour = staffs[(position + 1) % len(staffs)]
        staff.strangers = neighbour.everyone[:3]
        since = clock - 120 * DAY
        windows = (Window(since, clock + 120 * DAY), Window(since, clock - 10 * DAY))
        for person, window in zip(staff.strangers, windows, strict=False):
            guest_id = f"{staff.tenant_id}<{person}"
            guests[guest_id] = Guest(guest_id, person, staff.tenant_id, window)
    return guests


def _folders(staff: Staff) -> list[Folder]:
    """The root grants the service account, a department its members; `closed` denies one."""

    def entry(folder_id: str, effect: Effect, kind: SubjectKind, subject_id: str) -> Entry:
        return Entry(f"{folder_id}/entry-{effect}", effect, kind, subject_id)

    root = staff.tenant_id
    service = entry(root, Effect.ALLOW, SubjectKind.USER, staff.service_id)
    folders = [Folder(root, root, name=root, entries=(service,))]
    for department in staff.departments:
        allow = entry(department, Effect.ALLOW, SubjectKind.UNIT, department)
        closed = f"{department}/closed"
        second = staff.members[department][UNCLEARED_FOR_PROJECTS]
        deny = entry(closed, Effect.DENY, SubjectKind.USER, second)
        folders += [
            Folder(department, root, root, department.rsplit("/", 1)[-1], entries=(allow,)),
            Folder(closed, root, department, "closed", entries=(deny,)),
        ]
    return folders
