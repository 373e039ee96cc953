"""What does a principal bring along at an instant: its clearance, tenants, units and links?"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from rageval_kit.access.directory import Directory
from rageval_kit.records.faults import InputError
from rageval_kit.records.world import (
    Guest,
    Membership,
    Principal,
    PrincipalKind,
    PrincipalStatus,
    ShareLink,
    World,
)


@dataclass(frozen=True, slots=True)
class Standing:
    """`…_ever` ignores time, `…_live` holds at the instant. `clearance` -1 clears nothing."""

    principal_id: str
    is_active: bool
    clearance: int
    compartments: frozenset[str]
    tenants_ever: frozenset[str]
    tenants_live: frozenset[str]
    units_ever: frozenset[str]
    units_live: frozenset[str]
    links_held: frozenset[str]


class Units:
    """Units above each unit at one instant (or ever), worked out once and shared by principals."""

    def __init__(self, directory: Directory, now: datetime | None) -> None:
        self._directory = directory
        self._now = now
        self._above: dict[str, frozenset[str]] = {}

    def of(self, principal_id: str) -> frozenset[str]:
        return self._union(self._directory.of_principal.get(principal_id, ()))

    def _union(self, memberships: Iterable[Membership]) -> frozenset[str]:
        tops = [self._with_above(m.unit_id) for m in memberships if self._counts(m)]
        return frozenset().union(*tops)

    def _with_above(self, unit_id: str) -> frozenset[str]:
        found = self._above.get(unit_id)
        if found is None:
            # Ends because the directory refuses a unit that contains itself.
            found = self._union(self._directory.of_unit.get(unit_id, ())) | {unit_id}
            self._above[unit_id] = found
        return found

    def _counts(self, membership: Membership) -> bool:
        return self._now is None or _is_live(membership, self._now)


def standing_of(
    principal_id: str,
    world: World,
    directory: Directory,
    levels: Mapping[str, int],
    units: tuple[Units, Units],
    now: datetime,
) -> Standing:
    """`units` are those of ever and those of `now`."""
    principal = world.principals.get(principal_id)
    is_active = principal is not None and _is_active(principal, now)
    if principal is None:
        principal = Principal(principal_id)
    is_anonymous = principal.kind is PrincipalKind.ANONYMOUS
    guests = directory.guests.get(principal_id, ())
    home = set() if is_anonymous or principal.tenant_id is None else {principal.tenant_id}
    return Standing(
        principal_id,
        is_active,
        0 if is_anonymous else _clearance(principal, world, levels),
        frozenset() if is_anonymous else principal.compartments,
        frozenset(home | {guest.tenant_id for guest in guests}),
        frozenset(home | {guest.tenant_id for guest in guests if _is_live(guest, now)}),
        units[0].of(principal_id),
        units[1].of(principal_id),
        frozenset(
            link_id
            for link_id, at in directory.opened.get(principal_id, ())
            if at <= now and _is_live(world.links[link_id], now)
        ),
    )


def _is_active(principal: Principal, now: datetime) -> bool:
    status: PrincipalStatus | None = None if principal.statuses else PrincipalStatus.ACTIVE
    for at, reached in principal.statuses:
        if at <= now:
            status = reached
    return status is PrincipalStatus.ACTIVE


def _clearance(principal: Principal, world: World, levels: Mapping[str, int]) -> int:
    if principal.clearance is None:
        return -1 if world.policy.unlabelled_denied else 0
    level = levels.get(principal.clearance)
    if level is None:
        raise InputError.one(
            f"principal {principal.principal_id}",
            "its clearance is not among the policy's labels",
            repr(principal.clearance),
            f"use one of {', '.join(levels) or '(none declared)'} or declare it",
        )
    return level


def _is_live(record: Membership | Guest | ShareLink, now: datetime) -> bool:
    start, end, revoked = record.window.start, record.window.end, record.revoked_at
    begun = start is None or now >= start
    ended = any(bound is not None and now >= bound for bound in (end, revoked))
    return begun and not ended
