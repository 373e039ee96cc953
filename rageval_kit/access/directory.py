"""Which memberships, guest memberships and opened links does a principal have on record?"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from graphlib import CycleError, TopologicalSorter

from rageval_kit.records.faults import InputError
from rageval_kit.records.world import Guest, Membership, ShareLink, World


@dataclass(frozen=True, slots=True)
class Directory:
    """Indexes only, whatever their windows: whether a record is live is decided where it is read.

    `of_principal` and `of_unit`: the memberships in which that principal or unit is the member.
    `opened`: per principal, the links it opened, with the instants.
    """

    of_principal: Mapping[str, tuple[Membership, ...]]
    of_unit: Mapping[str, tuple[Membership, ...]]
    guests: Mapping[str, tuple[Guest, ...]]
    opened: Mapping[str, tuple[tuple[str, datetime], ...]]

    @classmethod
    def of(cls, world: World) -> "Directory":
        of_principal: dict[str, list[Membership]] = {}
        of_unit: dict[str, list[Membership]] = {}
        for membership in world.memberships.values():
            index = of_unit if membership.member_is_unit else of_principal
            index.setdefault(membership.member_id, []).append(membership)
        units = {member: tuple(found) for member, found in of_unit.items()}
        refuse_cycles(units)
        return cls(
            {member: tuple(found) for member, found in of_principal.items()},
            units,
            _guests(world.guests.values()),
            _opened(world.links.values()),
        )

    def after(self, before: World, world: World) -> "Directory":
        """The directory of `world`, given that this one is that of `before`."""
        of_principal, of_unit = self.of_principal, self.of_unit
        if world.memberships is not before.memberships:
            of_principal, of_unit = self._memberships_after(before, world)
        guests, opened = self.guests, self.opened
        if world.guests is not before.guests:
            guests = _guests(world.guests.values())
        if world.links is not before.links:
            opened = _opened(world.links.values())
        return Directory(of_principal, of_unit, guests, opened)

    def _memberships_after(
        self, before: World, world: World
    ) -> tuple[Mapping[str, tuple[Membership, ...]], Mapping[str, tuple[Membership, ...]]]:
        gone = [
            old for key, old in before.memberships.items() if world.memberships.get(key) is not old
        ]
        come = [
            new for key, new in world.memberships.items() if before.memberships.get(key) is not new
        ]
        indexes = (dict(self.of_principal), dict(self.of_unit))
        for old in gone:
            index = indexes[old.member_is_unit]
            index[old.member_id] = tuple(m for m in index[old.member_id] if m is not old)
        for new in come:
            index = indexes[new.member_is_unit]
            index[new.member_id] = (*index.get(new.member_id, ()), new)
        if any(membership.member_is_unit for membership in come):
            refuse_cycles(indexes[True])
        return indexes


def refuse_cycles(of_unit: Mapping[str, tuple[Membership, ...]]) -> None:
    """A unit inside itself is refused, whatever the windows: nobody could say how deep it is."""
    graph = {unit: [m.unit_id for m in memberships] for unit, memberships in of_unit.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise InputError.one(
            "memberships",
            "a unit is a member of itself",
            " > ".join(error.args[1]),
            "remove one of these memberships",
        ) from error


def _guests(guests: Iterable[Guest]) -> dict[str, tuple[Guest, ...]]:
    found: dict[str, tuple[Guest, ...]] = {}
    for guest in guests:
        found[guest.principal_id] = (*found.get(guest.principal_id, ()), guest)
    return found


def _opened(links: Iterable[ShareLink]) -> dict[str, tuple[tuple[str, datetime], ...]]:
    found: dict[str, list[tuple[str, datetime]]] = {}
    for link in links:
        for principal_id, at in link.opened:
            found.setdefault(principal_id, []).append((link.link_id, at))
    return {principal_id: tuple(links) for principal_id, links in found.items()}
