"""Who is there, in which units, as whose guest, holding which links?

Frozen: a change gives a new `People` that shares what it did not touch.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from rageval_kit.records.world import (
    Guest,
    Membership,
    Principal,
    PrincipalStatus,
    ShareLink,
    World,
)

Word = TypeVar("Word")
Item = TypeVar("Item")

MemberKey = tuple[bool, str]


def inserted(
    history: tuple[tuple[datetime, Word], ...], at: datetime, word: Word
) -> tuple[tuple[datetime, Word], ...]:
    """The history with one more entry, in order; one at the very same instant gives way."""
    earlier = [entry for entry in history if entry[0] < at]
    later = [entry for entry in history if entry[0] > at]
    return (*earlier, (at, word), *later)


def sooner(known: datetime | None, at: datetime) -> datetime:
    """A thing that has ended is not revived by a later end."""
    return at if known is None else min(known, at)


def status_at(person: Principal, now: datetime) -> PrincipalStatus | None:
    """None: does not exist yet. An empty history is active since ever."""
    if not person.statuses:
        return PrincipalStatus.ACTIVE
    status: PrincipalStatus | None = None
    for instant, word in person.statuses:
        if instant <= now:
            status = word
    return status


@dataclass(frozen=True, slots=True)
class People:
    """Memberships by member, guests by principal, links by id and by who opened them."""

    principals: Mapping[str, Principal]
    memberships: Mapping[MemberKey, tuple[Membership, ...]]
    member_keys: Mapping[str, MemberKey]
    guests: Mapping[str, tuple[Guest, ...]]
    guest_keys: Mapping[str, str]
    links: Mapping[str, ShareLink]
    opened: Mapping[str, tuple[tuple[str, datetime], ...]]

    @classmethod
    def of(cls, world: World) -> "People":
        memberships: dict[MemberKey, list[Membership]] = defaultdict(list)
        for membership in world.memberships.values():
            memberships[_member_key(membership)].append(membership)
        guests: dict[str, list[Guest]] = defaultdict(list)
        for guest in world.guests.values():
            guests[guest.principal_id].append(guest)
        opened: dict[str, list[tuple[str, datetime]]] = defaultdict(list)
        for link in world.links.values():
            for principal_id, at in link.opened:
                opened[principal_id].append((link.link_id, at))
        return cls(
            principals=dict(world.principals),
            memberships={key: tuple(items) for key, items in memberships.items()},
            member_keys={m.membership_id: _member_key(m) for m in world.memberships.values()},
            guests={key: tuple(items) for key, items in guests.items()},
            guest_keys={g.guest_id: g.principal_id for g in world.guests.values()},
            links=dict(world.links),
            opened={key: tuple(items) for key, items in opened.items()},
        )

    def with_principal(self, person: Principal) -> "People":
        return replace(self, principals={**self.principals, person.principal_id: person})

    def with_membership(self, membership: Membership) -> "People":
        key = _member_key(membership)
        kept = _others(self.memberships.get(key, ()), "membership_id", membership.membership_id)
        return replace(
            self,
            memberships={**self.memberships, key: (*kept, membership)},
            member_keys={**self.member_keys, membership.membership_id: key},
        )

    def membership(self, membership_id: str) -> Membership | None:
        key = self.member_keys.get(membership_id)
        found = () if key is None else self.memberships[key]
        return next((item for item in found if item.membership_id == membership_id), None)

    def with_guest(self, guest: Guest) -> "People":
        kept = _others(self.guests.get(guest.principal_id, ()), "guest_id", guest.guest_id)
        return replace(
            self,
            guests={**self.guests, guest.principal_id: (*kept, guest)},
            guest_keys={**self.guest_keys, guest.guest_id: guest.principal_id},
        )

    def guest(self, guest_id: str) -> Guest | None:
        principal_id = self.guest_keys.get(guest_id)
        found = () if principal_id is None else self.guests[principal_id]
        return next((item for item in found if item.guest_id == guest_id), None)

    def with_link(self, link: ShareLink) -> "People":
        opened = dict(self.opened)
        for principal_id in {person for person, _ in link.opened}:
            kept = tuple(item for item in opened.get(principal_id, ()) if item[0] != link.link_id)
            own = tuple((link.link_id, at) for person, at in link.opened if person == principal_id)
            opened[principal_id] = (*kept, *own)
        return replace(self, links={**self.links, link.link_id: link}, opened=opened)


def _member_key(membership: Membership) -> MemberKey:
    return (membership.member_is_unit, membership.member_id)


def _others(items: Iterable[Item], field: str, own_id: str) -> tuple[Item, ...]:
    return tuple(item for item in items if getattr(item, field) != own_id)
