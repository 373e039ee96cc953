"""What do the system's records say after a change?

`change_people` and `change_shelf` give the new records, or None where the change is not theirs or
names what does not exist (or adds what does): such a change is not confirmed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from rageval_kit.records import changes
from rageval_kit.records.changes import Change
from rageval_kit.records.world import (
    Document,
    Effect,
    Entry,
    Folder,
    SubjectKind,
    Version,
    Window,
)
from rageval_kit.system.people import People, inserted, sooner

# What each kind of malformed list would look like to a careless reader.
MALFORMED: Mapping[str, object] = MappingProxyType(
    {"empty": [], "missing": None, "unknown_principal": ["nobody-by-this-id"], "wrong_type": "all"}
)


@dataclass(frozen=True, slots=True)
class Shelf:
    """Documents and folders: those of the connection, and those changed or added since.

    `malformed` keeps the raw list of a document whose own list no import would accept.
    """

    base: Mapping[str, Document]
    folders: Mapping[str, Folder]
    changed: Mapping[str, Document]
    malformed: Mapping[str, object]

    def document(self, document_id: str) -> Document | None:
        return self.changed.get(document_id) or self.base.get(document_id)

    def with_document(self, document: Document) -> "Shelf":
        return replace(self, changed={**self.changed, document.document_id: document})

    def with_folder(self, folder: Folder) -> "Shelf":
        return replace(self, folders={**self.folders, folder.folder_id: folder})


def change_people(people: People, change: Change) -> People | None:  # noqa: PLR0911 - a case each
    match change:
        case changes.AddPrincipal(person):
            known = person.principal_id in people.principals
            return None if known else people.with_principal(person)
        case changes.SetStatus(principal_id, status, at):
            found = people.principals.get(principal_id)
            if found is None:
                return None
            history = inserted(found.statuses, at, status)
            return people.with_principal(replace(found, statuses=history))
        case changes.Enroll(membership):
            known = people.membership(membership.membership_id) is not None
            return None if known else people.with_membership(membership)
        case changes.EndMembership(membership_id, at):
            item = people.membership(membership_id)
            if item is None:
                return None
            return people.with_membership(replace(item, revoked_at=sooner(item.revoked_at, at)))
        case changes.Invite(guest):
            known = people.guest(guest.guest_id) is not None
            return None if known else people.with_guest(guest)
        case changes.EndGuest(guest_id, at):
            visitor = people.guest(guest_id)
            if visitor is None:
                return None
            return people.with_guest(replace(visitor, revoked_at=sooner(visitor.revoked_at, at)))
    return _change_links(people, change)


def _change_links(people: People, change: Change) -> People | None:
    match change:
        case changes.AddLink(link):
            return None if link.link_id in people.links else people.with_link(link)
        case changes.OpenLink(link_id, principal_id, at):
            known = people.links.get(link_id)
            if known is None:
                return None
            return people.with_link(replace(known, opened=(*known.opened, (principal_id, at))))
        case changes.RevokeLink(link_id, at):
            known = people.links.get(link_id)
            if known is None:
                return None
            return people.with_link(replace(known, revoked_at=sooner(known.revoked_at, at)))
    return None


def change_shelf(shelf: Shelf, change: Change) -> Shelf | None:  # noqa: PLR0911 - a case each
    match change:
        case changes.Grant() | changes.Revoke() | changes.SetInheritance():
            return _change_object(shelf, change)
        case changes.Publish(document):
            known = shelf.document(document.document_id) is not None
            return None if known else shelf.with_document(document)
        case changes.AddFolder(folder):
            return None if folder.folder_id in shelf.folders else shelf.with_folder(folder)
    if not isinstance(
        change,
        changes.SetState
        | changes.PublishVersion
        | changes.Move
        | changes.Malform
        | changes.Relabel,
    ):
        return None
    found = shelf.document(change.document_id)
    if found is None:
        return None
    if isinstance(change, changes.Malform):
        raw = MALFORMED.get(change.how, change.how)
        emptied = shelf.with_document(replace(found, entries=()))
        return replace(emptied, malformed={**shelf.malformed, change.document_id: raw})
    if isinstance(change, changes.Relabel):
        relabelled = replace(found, label=change.label, compartments=change.compartments)
        return shelf.with_document(relabelled)
    edited = _change_document(shelf, found, change)
    return None if edited is None else shelf.with_document(edited)


def _change_document(
    shelf: Shelf,
    document: Document,
    change: changes.SetState | changes.PublishVersion | changes.Move,
) -> Document | None:
    match change:
        case changes.SetState(_, state, at, version_id):
            if version_id not in {None, *(v.version_id for v in document.versions)}:
                return None
            versions = (
                replace(version, states=inserted(version.states, at, state))
                if version_id in (None, version.version_id)
                else version
                for version in document.versions
            )
            return replace(document, versions=tuple(versions))
        case changes.PublishVersion(_, newcomer):
            if any(v.version_id == newcomer.version_id for v in document.versions):
                return None
            ended = (_ended(version, newcomer) for version in document.versions)
            return replace(document, versions=(*ended, newcomer))
        case changes.Move(_, folder_id):
            folder = None if folder_id is None else shelf.folders.get(folder_id)
            if folder_id is not None and (folder is None or folder.tenant_id != document.tenant_id):
                return None
            return replace(document, folder_id=folder_id)


def _ended(version: Version, newcomer: Version) -> Version:
    """One valid when the newcomer begins ends there; one corrected away earlier is history."""
    begins = newcomer.valid_from
    if begins is None or version.valid_from is None:
        return version
    if not Window(version.valid_from, version.valid_to).contains(begins):
        return version
    corrected_away = (
        version.recorded_to is not None
        and newcomer.recorded_from is not None
        and version.recorded_to <= newcomer.recorded_from
    )
    return version if corrected_away else replace(version, valid_to=begins)


def _change_object(  # noqa: PLR0911 - a way out each
    shelf: Shelf, change: changes.Grant | changes.Revoke | changes.SetInheritance
) -> Shelf | None:
    if change.on_folder:
        folder = shelf.folders.get(change.object_id)
        if folder is None:
            return None
        if isinstance(change, changes.SetInheritance):
            return shelf.with_folder(replace(folder, inherits=change.inherits))
        entries = _changed_entries(folder.entries, change)
        return None if entries is None else shelf.with_folder(replace(folder, entries=entries))
    document = shelf.document(change.object_id)
    if document is None:
        return None
    if isinstance(change, changes.SetInheritance):
        return shelf.with_document(replace(document, inherits=change.inherits))
    entries = _changed_entries(document.entries, change)
    if entries is None:
        return None
    mended = {key: raw for key, raw in shelf.malformed.items() if key != change.object_id}
    return replace(
        shelf.with_document(replace(document, entries=entries)),
        malformed=mended if isinstance(change, changes.Grant) else shelf.malformed,
    )


def _changed_entries(
    entries: tuple[Entry, ...], change: changes.Grant | changes.Revoke
) -> tuple[Entry, ...] | None:
    if isinstance(change, changes.Grant):
        new = change.entry
        # a deny that names a link is refused: whom would it deny?
        nobody = new.effect is Effect.DENY and new.subject_kind is SubjectKind.LINK
        if nobody or any(entry.entry_id == new.entry_id for entry in entries):
            return None
        return (*entries, new)
    if all(entry.entry_id != change.entry_id for entry in entries):
        return None
    return tuple(
        replace(entry, revoked_at=sooner(entry.revoked_at, change.at))
        if entry.entry_id == change.entry_id
        else entry
        for entry in entries
    )
