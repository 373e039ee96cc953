"""In which folders does a document stand, and which of their entries does it inherit?"""

from rageval_kit.records.faults import InputError
from rageval_kit.records.world import Document, Entry, Folder, World


def folders_of(world: World, document: Document) -> tuple[Folder, ...]:
    """All ancestors, nearest first, breaks of inheritance or not."""
    found: list[Folder] = []
    folder_id = document.folder_id
    while folder_id is not None:
        folder = world.folders.get(folder_id)
        where = f"document {document.document_id}, folder {folder_id}"
        if folder is None:
            raise InputError.one(where, "there is no such folder", folder_id, "add it")
        if folder.tenant_id != document.tenant_id:
            raise InputError.one(
                where,
                "the folder is another tenant's",
                f"{folder.tenant_id!r}, the document is of {document.tenant_id!r}",
                "keep a document in folders of its own tenant",
            )
        if any(folder is seen for seen in found):
            raise InputError.one(where, "a folder contains itself", folder_id, "break the circle")
        found.append(folder)
        folder_id = folder.parent_id
    return tuple(found)


def inherited_by(document: Document, folders: tuple[Folder, ...]) -> tuple[Entry, ...]:
    """The entries of the folders up to the first break; the breaking folder's own still count."""
    entries: list[Entry] = []
    inherits = document.inherits
    for folder in folders:
        if not inherits:
            break
        entries.extend(folder.entries)
        inherits = folder.inherits
    return tuple(entries)
