"""What is the world after a change?"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import reduce
from typing import Any, TypeVar

from rageval_kit.records import changes
from rageval_kit.records.changes import Change
from rageval_kit.records.faults import KitError
from rageval_kit.records.world import Document, Folder, ShareLink, Version, Window, World

Record = TypeVar("Record")
Word = TypeVar("Word")


def evolve(world: World, change: Change) -> World:
    """Apply one change to a copy; everything it does not touch is shared with the old world.

    An id the change names must exist, one it adds must be new: otherwise KitError.
    """
    return _STEPS[type(change)](world, change)


def _update(
    table: Mapping[str, Record], key: str, what: str, change: Callable[[Record], Record]
) -> dict[str, Record]:
    if key not in table:
        raise KitError(f"the world has no {what} {key!r}; a change can only touch what exists")
    return {**table, key: change(table[key])}


def _add(table: Mapping[str, Record], key: str, what: str, record: Record) -> dict[str, Record]:
    if key in table:
        raise KitError(f"the world has {what} {key!r} already; give what is added a new id")
    return {**table, key: record}


def _on_object(world: World, object_id: str, edit: Callable[[Any], Any], *, folder: bool) -> World:
    if folder:
        return replace(world, folders=_update(world.folders, object_id, "folder", edit))
    return replace(world, documents=_update(world.documents, object_id, "document", edit))


def _earlier(revoked_at: datetime | None, at: datetime) -> datetime:
    return at if revoked_at is None or at < revoked_at else revoked_at


def _inserted(
    history: tuple[tuple[datetime, Word], ...], at: datetime, word: Word
) -> tuple[tuple[datetime, Word], ...]:
    """Put an entry in its place; what stood at the very same instant gives way."""
    before = tuple(item for item in history if item[0] < at)
    after = tuple(item for item in history if item[0] > at)
    return (*before, (at, word), *after)


def _grant(world: World, change: changes.Grant) -> World:
    def edit(item: Document | Folder) -> Document | Folder:
        if any(entry.entry_id == change.entry.entry_id for entry in item.entries):
            raise KitError(
                f"{change.object_id!r} has an entry {change.entry.entry_id!r} already; "
                "give what is added a new id"
            )
        return replace(item, entries=(*item.entries, change.entry))

    return _on_object(world, change.object_id, edit, folder=change.on_folder)


def _revoke(world: World, change: changes.Revoke) -> World:
    def edit(item: Document | Folder) -> Document | Folder:
        if all(entry.entry_id != change.entry_id for entry in item.entries):
            raise KitError(
                f"{change.object_id!r} has no entry {change.entry_id!r}; "
                "only an entry that exists can be revoked"
            )
        return replace(
            item,
            entries=tuple(
                replace(entry, revoked_at=_earlier(entry.revoked_at, change.at))
                if entry.entry_id == change.entry_id
                else entry
                for entry in item.entries
            ),
        )

    return _on_object(world, change.object_id, edit, folder=change.on_folder)


def _set_state(world: World, change: changes.SetState) -> World:
    def edit(document: Document) -> Document:
        ids = {version.version_id for version in document.versions}
        if change.version_id is not None and change.version_id not in ids:
            raise KitError(f"{change.document_id!r} has no version {change.version_id!r}")
        return replace(
            document,
            versions=tuple(
                replace(version, states=_inserted(version.states, change.at, change.state))
                if change.version_id in (None, version.version_id)
                else version
                for version in document.versions
            ),
        )

    return _on_object(world, change.document_id, edit, folder=False)


def _publish(world: World, change: changes.Publish) -> World:
    document = change.document
    return replace(
        world, documents=_add(world.documents, document.document_id, "document", document)
    )


def _ended(version: Version, newcomer: Version) -> Version:
    start = newcomer.valid_from
    if start is None or version.valid_from is None:
        return version
    if not Window(version.valid_from, version.valid_to).contains(start):
        return version
    # a version that was corrected away before the newcomer was recorded has ended already
    if (
        version.recorded_to is not None
        and newcomer.recorded_from is not None
        and version.recorded_to <= newcomer.recorded_from
    ):
        return version
    return replace(version, valid_to=start)


def _publish_version(world: World, change: changes.PublishVersion) -> World:
    def edit(document: Document) -> Document:
        newcomer = change.version
        if any(version.version_id == newcomer.version_id for version in document.versions):
            raise KitError(
                f"{change.document_id!r} has version {newcomer.version_id!r} already; "
                "give what is added a new id"
            )
        ended = tuple(_ended(version, newcomer) for version in document.versions)
        return replace(document, versions=(*ended, newcomer))

    return _on_object(world, change.document_id, edit, folder=False)


def _move(world: World, change: changes.Move) -> World:
    if change.folder_id is not None and change.folder_id not in world.folders:
        raise KitError(f"the world has no folder {change.folder_id!r} to move a document into")
    return _on_object(
        world,
        change.document_id,
        lambda document: replace(document, folder_id=change.folder_id),
        folder=False,
    )


def _add_folder(world: World, change: changes.AddFolder) -> World:
    folder = change.folder
    return replace(world, folders=_add(world.folders, folder.folder_id, "folder", folder))


def _set_inheritance(world: World, change: changes.SetInheritance) -> World:
    return _on_object(
        world,
        change.object_id,
        lambda item: replace(item, inherits=change.inherits),
        folder=change.on_folder,
    )


def _malform(world: World, change: changes.Malform) -> World:
    # however the list is broken in the target, its meaning is that of an empty list: denied
    return _on_object(
        world, change.document_id, lambda document: replace(document, entries=()), folder=False
    )


def _add_principal(world: World, change: changes.AddPrincipal) -> World:
    person = change.principal
    return replace(
        world, principals=_add(world.principals, person.principal_id, "principal", person)
    )


def _set_status(world: World, change: changes.SetStatus) -> World:
    return replace(
        world,
        principals=_update(
            world.principals,
            change.principal_id,
            "principal",
            lambda p: replace(p, statuses=_inserted(p.statuses, change.at, change.status)),
        ),
    )


def _enroll(world: World, change: changes.Enroll) -> World:
    item = change.membership
    return replace(
        world, memberships=_add(world.memberships, item.membership_id, "membership", item)
    )


def _end_membership(world: World, change: changes.EndMembership) -> World:
    return replace(
        world,
        memberships=_update(
            world.memberships,
            change.membership_id,
            "membership",
            lambda m: replace(m, revoked_at=_earlier(m.revoked_at, change.at)),
        ),
    )


def _invite(world: World, change: changes.Invite) -> World:
    return replace(world, guests=_add(world.guests, change.guest.guest_id, "guest", change.guest))


def _end_guest(world: World, change: changes.EndGuest) -> World:
    return replace(
        world,
        guests=_update(
            world.guests,
            change.guest_id,
            "guest",
            lambda g: replace(g, revoked_at=_earlier(g.revoked_at, change.at)),
        ),
    )


def _add_link(world: World, change: changes.AddLink) -> World:
    return replace(world, links=_add(world.links, change.link.link_id, "link", change.link))


def _on_link(world: World, link_id: str, edit: Callable[[ShareLink], ShareLink]) -> World:
    return replace(world, links=_update(world.links, link_id, "link", edit))


def _open_link(world: World, change: changes.OpenLink) -> World:
    return _on_link(
        world,
        change.link_id,
        lambda link: replace(link, opened=(*link.opened, (change.principal_id, change.at))),
    )


def _revoke_link(world: World, change: changes.RevokeLink) -> World:
    return _on_link(
        world,
        change.link_id,
        lambda link: replace(link, revoked_at=_earlier(link.revoked_at, change.at)),
    )


def _same(world: World, change: Change) -> World:  # noqa: ARG001 - one shape for all
    """What happens to the index, or to a part of the target, changes nothing of its source."""
    return world


def _relabel(world: World, change: changes.Relabel) -> World:
    def edit(document: Document) -> Document:
        return replace(document, label=change.label, compartments=change.compartments)

    return _on_object(world, change.document_id, edit, folder=False)


def _before_answer(world: World, change: changes.BeforeAnswer) -> World:
    return reduce(evolve, change.changes, world)


def _set_clock(world: World, change: changes.SetClock) -> World:
    return replace(world, clock=change.now)


_STEPS: Mapping[type, Callable[[World, Any], World]] = {
    changes.Grant: _grant,
    changes.Revoke: _revoke,
    changes.SetState: _set_state,
    changes.Publish: _publish,
    changes.PublishVersion: _publish_version,
    changes.Move: _move,
    changes.AddFolder: _add_folder,
    changes.SetInheritance: _set_inheritance,
    changes.Malform: _malform,
    changes.AddPrincipal: _add_principal,
    changes.SetStatus: _set_status,
    changes.Enroll: _enroll,
    changes.EndMembership: _end_membership,
    changes.Invite: _invite,
    changes.EndGuest: _end_guest,
    changes.AddLink: _add_link,
    changes.OpenLink: _open_link,
    changes.RevokeLink: _revoke_link,
    changes.Reindex: _same,
    changes.Reembed: _same,
    changes.SetClock: _set_clock,
    changes.Relabel: _relabel,
    changes.Break: _same,
    changes.Mend: _same,
    changes.Resync: _same,
    changes.RestoreBackup: _same,
    changes.BeforeAnswer: _before_answer,
}
