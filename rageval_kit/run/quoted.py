"""Which words stand in a world, held by whom, and which does a case itself say?"""

from collections.abc import Iterable, Iterator

from rageval_kit.generate.scene import Scene
from rageval_kit.records.cases import Apply, Case, Enter
from rageval_kit.records.changes import BeforeAnswer, Change, Publish, PublishVersion
from rageval_kit.records.world import Version


def held_in(scene: Scene) -> Iterator[tuple[str, str]]:
    """Each text with the id of its holder; a title is held by every passage of its version."""
    for chunk_id, place in scene.places.items():
        holder = scene.id_of(chunk_id)
        yield holder, place.chunk.whole
        yield holder, place.version.title


def said_by(case: Case, queries: Iterable[str]) -> str:
    """Its questions, and what it publishes or has in another world beside the world's texts."""
    words = list(dict.fromkeys(queries))
    for step in case.script.steps:
        if isinstance(step, Apply):
            words += _published(step.change)
        elif isinstance(step, Enter) and step.other:
            words += _of(version for doc in step.other.replaced for version in doc.versions)
    return "\n".join(words)


def _published(change: Change) -> Iterator[str]:
    if isinstance(change, Publish):
        yield from _of(change.document.versions)
    elif isinstance(change, PublishVersion):
        yield from _of([change.version])
    elif isinstance(change, BeforeAnswer):
        for one in change.changes:
            yield from _published(one)


def _of(versions: Iterable[Version]) -> Iterator[str]:
    for version in versions:
        yield version.title
        yield from (chunk.whole for chunk in version.chunks)
