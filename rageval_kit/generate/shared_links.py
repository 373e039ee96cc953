"""Which share link is made for a reader, and how does it come to share a document?"""

from datetime import timedelta

from rageval_kit.generate.cells import Place
from rageval_kit.generate.scene import Scene
from rageval_kit.records.changes import AddLink, Change, Grant
from rageval_kit.records.world import Effect, Entry, ShareLink, SubjectKind, Window

LIFE = timedelta(hours=1)


def link_for(scene: Scene, place: Place, reader: str) -> ShareLink:
    now = scene.world.clock
    return ShareLink(
        f"kit-{place.document.document_id}-{reader}", Window(now - timedelta(days=1), now + LIFE)
    )


def shared_by(place: Place, link: ShareLink) -> tuple[Change, Change]:
    entry = Entry(f"{link.link_id}-entry", Effect.ALLOW, SubjectKind.LINK, link.link_id)
    return AddLink(link), Grant(place.document.document_id, entry)
