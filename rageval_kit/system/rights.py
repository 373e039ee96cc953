"""Which passages may this reader see now, of the state of affairs at `as_of` known at `known_at`?

One boolean per passage, computed from columns before anything is searched: a true pre-filter.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from rageval_kit.records.world import (
    Principal,
    PrincipalKind,
    PrincipalStatus,
    State,
    SubjectKind,
)
from rageval_kit.system.belonging import (
    Reader,
    links_of,
    person_of,
    tenants_open_to,
    units_of,
)
from rageval_kit.system.block import STATES, Block, Numbering, clearance_of
from rageval_kit.system.faults import AnyFault, Fault
from rageval_kit.system.faults_events import EventFault
from rageval_kit.system.faults_time import TimeFault
from rageval_kit.system.faults_unseen_a import UnseenFaultA
from rageval_kit.system.instants import Instants
from rageval_kit.system.lists import KIND_CODES, Lists, Rows
from rageval_kit.system.markings import inside
from rageval_kit.system.names import same_id
from rageval_kit.system.people import People, status_at
from rageval_kit.system.validity import in_force

Mask = NDArray[np.bool_]
_PUBLIC = KIND_CODES[SubjectKind.PUBLIC]
_USER = KIND_CODES[SubjectKind.USER]
_UNIT = KIND_CODES[SubjectKind.UNIT]
_SERVED_TOO: Mapping[AnyFault | None, State] = MappingProxyType(
    {
        TimeFault.WITHDRAWN_SERVED: State.WITHDRAWN,
        TimeFault.DRAFT_SERVED: State.DRAFT,
        TimeFault.QUARANTINED_SERVED: State.QUARANTINED,
    }
)


@dataclass(frozen=True, slots=True)
class Visible:
    """Per passage: may it be seen, and may the title of its version be seen?"""

    passages: Mask
    titles: Mask


def everything(n_passages: int) -> Visible:
    """For whoever is above the rule; only seeded faults take anybody for that."""
    seen = np.ones(n_passages, dtype=np.bool_)
    return Visible(seen, seen)


@dataclass(frozen=True, slots=True)
class Standing:
    """What a reader holds at `now`: one flag per subject number, tenant number, compartment set.

    `ever` holds what was or will be held at some time; a seeded fault reads it.
    """

    is_active: bool
    subject: int
    held: Mask
    denied: Mask
    ever: Mask
    tenants: Mask
    clearance: int
    compartments: Mask


def stand(people: People, reader: Reader, now: datetime, numbering: Numbering) -> Standing:
    fault = numbering.fault
    person = person_of(people, reader.principal_id, fault)
    is_active = person is not None and status_at(person, now) is PrincipalStatus.ACTIVE
    if fault is EventFault.SUSPENDED_IS_NOT_DELETED and person is not None:
        is_active = status_at(person, now) is not PrincipalStatus.DELETED
    if fault is UnseenFaultA.FUTURE_ACCOUNT_WORKS and person is not None:
        gone = (PrincipalStatus.SUSPENDED, PrincipalStatus.DELETED)
        is_active = status_at(person, now) not in gone
    by_token = fault is UnseenFaultA.TOKEN_SKIPS_STATUS and reader.within is not None
    if fault is Fault.IGNORE_C1 or ((reader.as_signed_in or by_token) and person is not None):
        is_active = True
    person = person or Principal(reader.principal_id)
    is_anonymous = person.kind is PrincipalKind.ANONYMOUS
    tenants = tenants_open_to(people, person, reader, now, fault)
    # one size for all flags: the numbering may grow meanwhile, for lists that are not ours
    size = len(numbering.naming.subjects)
    holds = _Holder(numbering, size, person.principal_id)
    held = holds.flags(units_of(people, person.principal_id, now, fault), tenants)
    denied = _denying(holds, people, person, tenants, now)
    for link_id in links_of(people, person.principal_id, now, fault):
        holds.mark(held, SubjectKind.LINK, link_id)
    ever = held
    if fault in (Fault.IGNORE_C11, Fault.IGNORE_C13):
        visited = {guest.tenant_id for guest in people.guests.get(person.principal_id, ())}
        units = units_of(people, person.principal_id, None, fault)
        ever = held | holds.flags(units, tenants | visited)
    if fault in (Fault.IGNORE_C11, Fault.IGNORE_C14):
        ever = ever.copy()
        for link_id in people.links:
            holds.mark(ever, SubjectKind.LINK, link_id)
    if fault in (Fault.IGNORE_C13, Fault.IGNORE_C14):
        held = ever
    cleared = 0 if is_anonymous else clearance_of(person.clearance, numbering.policy)
    is_top = cleared == len(numbering.policy.labels) - 1
    compartments = frozenset[str]() if is_anonymous else person.compartments
    allowed = np.zeros(max(len(numbering.tenants), 1), dtype=np.bool_)
    for tenant_id in tenants:
        number = numbering.tenants.known(same_id(tenant_id, fault))
        if number is not None and number < len(allowed):
            allowed[number] = True
    subject = numbering.naming.known(SubjectKind.USER, person.principal_id)
    return Standing(
        is_active=is_active,
        subject=-2 if subject is None else subject,
        held=held,
        denied=denied,
        ever=ever,
        tenants=allowed,
        clearance=cleared,
        compartments=np.array(
            [
                inside(needed, compartments, fault, is_top=is_top)
                for needed in numbering.compartments.in_order()
            ],
            dtype=np.bool_,
        ),
    )


def _denying(
    holds: "_Holder", people: People, person: Principal, tenants: set[str], now: datetime
) -> Mask:
    """By what a deny may name the person: all that an allow may, but links."""
    fault = holds.numbering.fault
    read = Fault.NESTING_DEPTH_ONE if fault is UnseenFaultA.DENY_BY_DIRECT_GROUP_ONLY else fault
    if fault is UnseenFaultA.DENY_FOR_EVERYONE_SPARES_GUESTS:
        tenants = tenants & {person.tenant_id}
    return holds.flags(units_of(people, person.principal_id, now, read), tenants)


@dataclass(frozen=True, slots=True)
class _Holder:
    """Sets flags of one size for what one person holds."""

    numbering: Numbering
    size: int
    principal_id: str

    def flags(self, units: set[str], tenants: set[str]) -> Mask:
        held = np.zeros(self.size, dtype=np.bool_)
        self.mark(held, SubjectKind.USER, self.principal_id)
        self.mark(held, SubjectKind.PUBLIC, "")
        for unit_id in units:
            self.mark(held, SubjectKind.UNIT, unit_id)
        for tenant_id in tenants:
            self.mark(held, SubjectKind.EVERYONE, tenant_id)
        return held

    def mark(self, held: Mask, kind: SubjectKind, name: str) -> None:
        number = self.numbering.naming.known(kind, name, name)
        if number is not None and number < len(held):
            held[number] = True


def see(
    block: Block, folders: Lists, standing: Standing, at: Instants, numbering: Numbering
) -> Visible:
    """The rule over one block, conditions in their order; a fault leaves one of them out."""
    fault = numbering.fault
    if not standing.is_active or fault is Fault.DENY_ALL:
        nothing = np.zeros(len(block.positions), dtype=np.bool_)
        return Visible(nothing, nothing)
    granted, is_public = _granted(block, folders, standing, at.now, fault)
    here = standing.tenants[block.tenant] | is_public
    if fault in (Fault.IGNORE_C2, Fault.NO_TENANT_CHECK):
        here = np.ones_like(here)
    denied = _denied(block, folders, standing, at.now, fault)
    if fault is Fault.ALLOW_BEATS_DENY:
        denied &= ~granted
    document = block.version_document
    version = (
        (here & ~denied)[document]
        & _state(block, granted, standing, at.now, numbering)
        & in_force(block, at, fault)
    )
    reads_titles = Fault.IGNORE_C4 if fault is UnseenFaultA.TITLES_SKIP_COMPARTMENTS else fault
    title = _cleared(
        block.title_level[document], block.title_compartments[document], standing, reads_titles
    )
    passage = _cleared(block.level, block.compartments, standing, fault)
    if fault is UnseenFaultA.PUBLIC_SKIPS_MARKINGS:
        passage |= is_public[document][block.passage_version]
    title &= version
    passage &= version[block.passage_version]
    return Visible(passage, title[block.passage_version])


def failing(
    block: Block, folders: Lists, standing: Standing, at: Instants, numbering: Numbering
) -> Mapping[str, Mask]:
    """Of each passage of the block, which parts of the rule keep it from the reader, by name."""
    fault, document = numbering.fault, block.version_document
    granted, is_public = _granted(block, folders, standing, at.now, fault)
    own_draft = (block.owner == standing.subject)[document]
    parts = {
        "account": np.full(len(document), not standing.is_active),
        "tenant": ~(standing.tenants[block.tenant] | is_public)[document],
        "deny": _denied(block, folders, standing, at.now, fault)[document],
        "grant": ~(granted[document] | own_draft),
        "state": ~_state(block, np.ones_like(granted), standing, at.now, numbering),
        "time": ~in_force(block, at, fault),
    }
    kept = {name: mask[block.passage_version] for name, mask in parts.items()}
    return {**kept, "label": ~_cleared(block.level, block.compartments, standing, fault)}


def _over(own: Mask, inherited: Mask, block: Block) -> Mask:
    """Own lists joined with those handed down; folder -1 is the slot that is always false."""
    joined: Mask = own[:-1] | inherited[block.folder]
    return joined


def _granted(
    block: Block, folders: Lists, standing: Standing, now: int, fault: AnyFault | None
) -> tuple[Mask, Mask]:
    """C11 to C14, and whether a live public entry stands for C2."""

    def matching(rows: Rows) -> Mask:
        held = standing.held[rows.subject]
        live = rows.live(now)
        if fault is Fault.NO_DEPARTMENT_CHECK:
            held = held | (rows.kind == _UNIT)
        if fault is Fault.IGNORE_C12:
            live = live | (rows.kind != _PUBLIC)
        found: Mask = held & live
        return found

    def public(rows: Rows) -> Mask:
        found: Mask = (rows.kind == _PUBLIC) & rows.live(now)
        return found

    def named(rows: Rows) -> Mask:
        found: Mask = standing.ever[rows.subject] & ((rows.kind != _PUBLIC) | rows.live(now))
        return found

    own, inherited = block.lists.allow, folders.allow
    granted = _over(own.owners(matching(own)), inherited.owners(matching(inherited)), block)
    is_public = _over(own.owners(public(own)), inherited.owners(public(inherited)), block)
    if fault is Fault.IGNORE_C11:
        granted |= ~_over(own.owners(named(own)), inherited.owners(named(inherited)), block)
    return granted, is_public


def _denied(
    block: Block, folders: Lists, standing: Standing, now: int, fault: AnyFault | None
) -> Mask:
    """C8, C9 on the document's own list, C10 on what it inherits."""
    own, inherited = block.lists.deny, folders.deny
    matching_own = standing.denied[own.subject] & own.live(now)
    matching_inherited = standing.denied[inherited.subject] & inherited.live(now)
    if fault is Fault.IGNORE_C8:
        matching_own &= own.kind != _USER
    if fault is Fault.IGNORE_C9:
        matching_own &= own.kind == _USER
    if fault is Fault.IGNORE_C10:
        matching_inherited[:] = False
    denied = _over(own.owners(matching_own), inherited.owners(matching_inherited), block)
    if fault is UnseenFaultA.OWN_ALLOW_BEATS_INHERITED_DENY:
        allow = block.lists.allow
        closer = allow.owners(standing.held[allow.subject] & allow.live(now))[:-1]
        denied &= own.owners(matching_own)[:-1] | ~closer
    return denied


def _state(block: Block, granted: Mask, standing: Standing, now: int, numbering: Numbering) -> Mask:
    """C5 with the grants: a published version needs one, one's own draft is its own grant."""
    states = block.states(now)
    readable = states == STATES[State.PUBLISHED]
    if numbering.policy.archive:
        readable |= states == STATES[State.WITHDRAWN]
    if numbering.fault in _SERVED_TOO:
        readable |= states == STATES[_SERVED_TOO[numbering.fault]]
    if numbering.fault is Fault.IGNORE_C5:
        readable[:] = True
    owned = (block.owner == standing.subject)[block.version_document]
    ungranted = owned & (states == STATES[State.DRAFT])
    if numbering.fault is UnseenFaultA.OWNER_READS_PUBLISHED:
        ungranted |= owned & readable
    found: Mask = (readable & granted[block.version_document]) | ungranted
    return found


def _cleared(
    level: NDArray[np.int16],
    compartments: NDArray[np.int32],
    standing: Standing,
    fault: AnyFault | None,
) -> Mask:
    """C3 and C4."""
    high_enough = level <= standing.clearance
    inside = standing.compartments[compartments]
    if fault is Fault.IGNORE_C3:
        return inside
    if fault is Fault.IGNORE_C4:
        return high_enough
    return high_enough & inside
