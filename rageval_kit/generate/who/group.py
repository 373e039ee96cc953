"""The document is granted to a unit that nests others: the reader is in none of them (C11, C13)."""

from collections import defaultdict
from collections.abc import Mapping

from rageval_kit.generate.scene import Found, Pair, Scene, bit, conditions_of
from rageval_kit.records.world import Effect, Membership, SubjectKind

TAKES: Mapping[str, tuple[object, ...] | None] = {
    "depth": (1, 2, 3, 4, 8),
    "shape": ("line", "diamond", "middle_edge_removed"),
}
TRIES = 5000


def find(scene: Scene, args: Mapping[str, object], limit: int, part: str) -> Found:
    depth, shape = int(str(args.get("depth", 1))), str(args.get("shape", "line"))
    removed = shape == "middle_edge_removed"
    required = bit("C13" if removed else "C11")
    paths = _paths(scene)
    twins: dict[int, str] = {}
    pairs: list[Pair] = []
    for tried, (row, column) in enumerate(scene.denied(required, 0, part=part)):
        if len(pairs) >= limit or tried >= TRIES:
            break
        reader = scene.readers[row]
        if removed and not _edge_removed(scene, reader):
            continue
        if column not in twins:
            twins[column] = _twin(scene, column, paths, depth, shape)
        if twins[column]:
            pairs.append(
                Pair(
                    reader,
                    scene.chunk_ids[column],
                    twin_id=twins[column],
                    conditions=conditions_of(required),
                    sibling_id=scene.sibling_of(row, column),
                )
            )
    nothing = "" if pairs else f"no reader reaches a document {depth} units deep ({shape})"
    return Found(tuple(pairs), scene.count_denied(required, 0, part) if pairs else 0, nothing)


Paths = Mapping[tuple[str, str], tuple[int, int]]


def _twin(scene: Scene, column: int, paths: Paths, depth: int, shape: str) -> str:
    """Who may read the target through units only, `depth` deep (and by two ways for a diamond)."""
    document = scene.places[scene.chunk_ids[column]].document
    entries = [
        (entry.subject_kind, entry.subject_id)
        for entry in scene.effective_entries(document)
        if entry.effect is Effect.ALLOW
    ]
    for row, reader in enumerate(scene.readers):
        if scene.reasons[row, column] or row in scene.services:
            continue
        if any(
            kind is not SubjectKind.UNIT and subject in {reader, ""} for kind, subject in entries
        ):
            continue
        reached = [paths[reader, u] for kind, u in entries if (reader, u) in paths]
        if reached and min(reached)[0] == depth and (shape != "diamond" or min(reached)[1] > 1):
            return reader
    return ""


def _paths(scene: Scene) -> Paths:
    """Shortest depth and number of shortest ways from each principal to each unit above it."""
    above: dict[str, list[str]] = defaultdict(list)
    for membership in scene.world.memberships.values():
        if _live(scene, membership):
            above[membership.member_id].append(membership.unit_id)
    paths: dict[tuple[str, str], tuple[int, int]] = {}
    for reader in scene.readers:
        layer = {reader: 1}
        seen = {reader}
        depth = 0
        while layer:
            depth += 1
            ways: dict[str, int] = defaultdict(int)
            for member, count in layer.items():
                for unit in above.get(member, ()):
                    if unit not in seen:
                        ways[unit] += count
            seen |= ways.keys()
            for unit, count in ways.items():
                paths[reader, unit] = (depth, count)
            layer = ways
    return paths


def _live(scene: Scene, membership: Membership) -> bool:
    now = scene.world.clock
    ended = membership.revoked_at is not None and membership.revoked_at <= now
    return membership.window.contains(now) and not ended


def _edge_removed(scene: Scene, reader: str) -> bool:
    """Whether some unit above the reader has lost its place in the unit above it."""
    up, todo = set(), [reader]
    while todo:
        member = todo.pop()
        for membership in scene.world.memberships.values():
            if membership.member_id == member and membership.unit_id not in up:
                if membership.member_is_unit and not _live(scene, membership):
                    return True
                up.add(membership.unit_id)
                todo.append(membership.unit_id)
    return False
