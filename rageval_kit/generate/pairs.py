"""How do the words of `who` turn cells of the reason matrix into pairs?"""

from collections.abc import Callable, Iterator, Sequence

from rageval_kit.generate.cells import Among, Place
from rageval_kit.generate.scene import Found, Pair, Scene, bit, conditions_of
from rageval_kit.records.changes import Change
from rageval_kit.records.world import Principal

NO_MATCH = 0b11110000000000  # C11 to C14: the ladder over allow entries
TRIES_PER_PAIR = 40

Keep = Callable[[Principal, Place], bool]
Script = Callable[[str, Place, str], tuple[Sequence[Change], Sequence[Change]] | None]


def standing(  # noqa: PLR0913 - which pairs are meant takes all of these to say
    scene: Scene,
    required: int,
    limit: int,
    *,
    allowed: int = 0,
    part: str = "document",
    keep: Keep | None = None,
    twin: bool = True,
    among: Among | None = None,
    nothing: str = "no such pair in this world",
) -> Found:
    """Pairs that the world denies as it stands, with an allowed twin each where `twin`."""
    pairs: list[Pair] = []
    per_reader: dict[int, int] = {}
    spread = max(1, 2 * limit // max(1, len(scene.readers)))
    spare: list[Pair] = []
    for row, column in scene.denied(required, allowed, part=part, among=among):
        if len(pairs) >= limit:
            break
        chunk_id = scene.chunk_ids[column]
        reader_id = scene.readers[row]
        if keep and not keep(scene.world.principals[reader_id], scene.places[chunk_id]):
            continue
        twin_row = scene.twin_of(column, salt=reader_id) if twin else None
        if twin and twin_row is None:
            continue
        pair = Pair(
            reader_id,
            chunk_id,
            twin_id="" if twin_row is None else scene.readers[twin_row],
            conditions=conditions_of(int(scene.reasons[row, column])),
            sibling_id=scene.sibling_of(row, column),
        )
        if not pair.twin_id and not pair.sibling_id:
            continue
        alone = int(scene.reasons[row, column]) == required
        if not alone and per_reader.get(row, 0) >= spread:
            spare.append(pair)
            continue
        per_reader[row] = per_reader.get(row, 0) + 1
        pairs.append(pair)
    pairs += spare[: limit - len(pairs)]
    available = scene.count_denied(required, allowed, part, among=among)
    return Found(tuple(pairs), available, "" if pairs else nothing)


def staged(
    scene: Scene,
    cells: Iterator[tuple[int, int]],
    script: Script,
    expected: str,
    limit: int,
    *,
    available: int,
    twin: str = "kept",
    nothing: str = "no pair of this world can be brought into this state",
) -> Found:
    """Pairs that a script brings about: before the event allowed, after it denied by `expected`.

    `script(reader, place, twin)` gives (setup, event) or None. `twin`: "kept" wants a second reader
    whom the event leaves alone, "maybe" takes one where there is one, "none" wants a sibling
    instead. Each pair is checked with the monitor before and after, so what a script means to do
    and what it does cannot drift apart.
    """
    pairs: list[Pair] = []
    for tried, (row, column) in enumerate(cells):
        if len(pairs) >= limit or tried >= limit * TRIES_PER_PAIR:
            break
        reader_id, chunk_id = scene.readers[row], scene.chunk_ids[column]
        twin_row = scene.twin_of(column, salt=reader_id, unlike=(row,))
        if twin == "kept" and twin_row is None:
            continue
        twin_id = scene.readers[twin_row] if twin != "none" and twin_row is not None else ""
        parts = script(reader_id, scene.places[chunk_id], twin_id)
        if parts is None:
            continue
        setup, event = tuple(parts[0]), tuple(parts[1])
        sibling_id = scene.sibling_of(row, column, (*setup, *event))
        if not twin_id and not sibling_id:
            continue
        if event and scene.reasons_after(setup, reader_id, chunk_id):
            continue
        if scene.reasons_after((*setup, *event), reader_id, chunk_id) != (expected,):
            continue
        if not scene.hidden_after((*setup, *event), reader_id, chunk_id):
            continue
        if twin_id and scene.reasons_after((*setup, *event), twin_id, chunk_id):
            if twin == "kept" or not sibling_id:
                continue
            twin_id = ""
        pairs.append(
            Pair(
                reader_id,
                chunk_id,
                twin_id=twin_id,
                conditions=(expected,),
                setup=setup,
                event=event,
                sibling_id=sibling_id,
            )
        )
    return Found(tuple(pairs), available, "" if pairs else nothing)


def unentitled(scene: Scene) -> Iterator[tuple[int, int]]:
    """Cells denied for want of any entry (C11 alone) to people, so that one grant would allow."""
    for row, column in scene.denied(bit("C11"), 0):
        if row not in scene.services:
            yield row, column


def count_unentitled(scene: Scene) -> int:
    return scene.count_denied(bit("C11"), 0)
