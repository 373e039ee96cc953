"""Who is it that asks, where are they at home, and what do they belong to and hold just now?"""

from dataclasses import dataclass
from datetime import datetime

from rageval_kit.records.world import (
    Membership,
    Principal,
    PrincipalKind,
    Window,
)
from rageval_kit.system.faults import AnyFault, Fault
from rageval_kit.system.faults_doors import DoorFault
from rageval_kit.system.faults_events import EventFault
from rageval_kit.system.faults_unseen_a import UnseenFaultA
from rageval_kit.system.names import same_id
from rageval_kit.system.overage import listed, overage
from rageval_kit.system.people import People


@dataclass(frozen=True, slots=True)
class Reader:
    """Who asks, as far as rights go; what is below `within` stays empty in a clean system.

    `via`: through whom; `within`: the one tenant that the call is about.
    """

    principal_id: str
    via: tuple[str, ...] = ()
    within: str | None = None
    tenant_id: str | None = None
    wider_tenants: tuple[str, ...] = ()
    sees_everything: bool = False
    as_signed_in: bool = False


def person_of(people: People, principal_id: str, fault: AnyFault | None) -> Principal | None:
    found = people.principals.get(same_id(principal_id, None))
    if found is None and fault is Fault.IDS_CASE_FOLDED:
        alike = (
            person
            for known_id, person in people.principals.items()
            if same_id(known_id, fault) == same_id(principal_id, fault)
        )
        found = next(alike, None)
    if found is None and fault is EventFault.UNKNOWN_ID_IS_DEFAULT_USER:
        found = next((p for p in people.principals.values() if p.kind is PrincipalKind.USER), None)
    return found


def tenants_open_to(
    people: People, person: Principal, reader: Reader, now: datetime, fault: AnyFault | None
) -> set[str]:
    """The tenants whose member or live guest the person is."""
    own = person.tenant_id if reader.tenant_id is None else reader.tenant_id
    tenants = set(reader.wider_tenants)
    if own is not None and person.kind is not PrincipalKind.ANONYMOUS:
        tenants.add(own)
    for guest in people.guests.get(person.principal_id, ()):
        stays = fault is EventFault.GUESTS_STAY and Window(guest.window.start).contains(now)
        if stays or is_live(guest.window, guest.revoked_at, now):
            tenants.add(guest.tenant_id)
    return tenants if reader.within is None else tenants & {reader.within}


def tenants_of(people: People, reader: Reader, now: datetime) -> set[str]:
    """Where the reader is a member or a live guest; nowhere, if not known."""
    person = people.principals.get(reader.principal_id)
    return set() if person is None else tenants_open_to(people, person, reader, now, None)


def is_live(window: Window, revoked_at: datetime | None, now: datetime) -> bool:
    return window.contains(now) and (revoked_at is None or now < revoked_at)


def units_of(
    people: People, principal_id: str, now: datetime | None, fault: AnyFault | None
) -> set[str]:
    """Units reached over edges all live at `now`; `now` None follows every edge there is."""
    units = overage(people, principal_id, fault)
    edge = [(False, principal_id)]
    while edge:
        reached = {
            membership.unit_id
            for member in edge
            for membership in listed(people, member, fault)
            if now is None or _counts(membership, now, fault)
        }
        edge = [(True, unit_id) for unit_id in sorted(reached - units)]
        units |= reached
        if fault is Fault.NESTING_DEPTH_ONE:
            break
    return units


def _counts(membership: Membership, now: datetime, fault: AnyFault | None) -> bool:
    if fault is UnseenFaultA.NESTED_EDGE_NEVER_ENDS and membership.member_is_unit:
        return Window(membership.window.start).contains(now)
    return is_live(membership.window, membership.revoked_at, now)


def links_of(people: People, principal_id: str, now: datetime, fault: AnyFault | None) -> set[str]:
    """Links the person has opened that still work."""
    if fault is DoorFault.LINK_IS_PUBLIC:
        return {link_id for link_id in people.links if link_works(people, link_id, now, fault)}
    return {
        link_id
        for opener_id in _openers(people, principal_id, fault)
        for link_id, opened_at in people.opened.get(opener_id, ())
        if opened_at <= now and link_works(people, link_id, now, fault)
    }


def _openers(people: People, principal_id: str, fault: AnyFault | None) -> list[str]:
    """Whose having opened a link counts for a person: the person's own."""
    person = people.principals.get(principal_id)
    if fault is not UnseenFaultA.LINK_OPENED_BY_COLLEAGUE or person is None:
        return [principal_id]
    return [p.principal_id for p in people.principals.values() if p.tenant_id == person.tenant_id]


def link_works(people: People, link_id: str, now: datetime, fault: AnyFault | None) -> bool:
    link = people.links.get(link_id)
    if link is None:
        return False
    if fault is Fault.LINK_END_IGNORED:
        return link.window.start is None or link.window.start <= now
    return is_live(link.window, link.revoked_at, now)
