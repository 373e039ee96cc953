"""By the question with the time it asks about said in words, or at a time when rights differed."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from rageval_kit.corpus.evolve import evolve
from rageval_kit.corpus.times import INSTANT
from rageval_kit.generate.dates import dated
from rageval_kit.generate.scene import Pair, Scene
from rageval_kit.generate.wording import Wording
from rageval_kit.generate.words import exhibit_question, title_of
from rageval_kit.records.world import Effect, Entry, World

TAKES: Mapping[str, tuple[str, ...] | None] = {"when": ("reader_was_allowed",)}


def query(scene: Scene, pair: Pair, args: Mapping[str, str]) -> Wording | None:
    """`when: reader_was_allowed`: a time at which the reader's rights, but not today's, allow."""
    if "when" in args:
        then = _when_allowed(scene, pair)
        return Wording(title_of(scene, pair.chunk_id), as_of=then) if then else None
    question = exhibit_question(scene, pair)
    held = pair.as_of or scene.as_of or scene.world.clock
    return Wording(dated(question, held, scene.world.timezone), question=question)


def _when_allowed(scene: Scene, pair: Pair) -> datetime | None:
    """None where no entry of the reader's ever opened what was in force at the time."""
    world = scene.world
    for change in pair.setup:
        world = evolve(world, change)
    monitor = scene.monitor.after(world)
    place = scene.places[pair.chunk_id]
    ids = place.document.document_id, place.version.version_id, pair.chunk_id
    for instant in _live_at(scene, world, ids[0]):
        was = monitor.decide(pair.reader_id, *ids, now=instant, as_of=instant, known_at=instant)
        if not was and not monitor.decide(pair.twin_id, *ids, as_of=instant):
            return instant
    return None


def _live_at(scene: Scene, world: World, document_id: str) -> Iterator[datetime]:
    """Times inside the windows of the allow entries over a document."""
    clock = world.clock
    for entry in scene.effective_entries(world.documents[document_id]):
        if entry.effect is Effect.ALLOW:
            yield from _inside(entry, clock)


def _inside(entry: Entry, clock: datetime) -> Iterator[datetime]:
    start, end = entry.window.start, entry.window.end
    if start is not None:
        yield start + (min(end or clock, clock) - start) / 2 if start < clock else start
    if end is not None:
        yield end - INSTANT
