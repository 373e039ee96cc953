"""The document is granted to a unit that nests others: the reader is in none of them (C11, C13)."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from rageval_kit.generate.pairs import standing
from rageval_kit.generate.scene import Found, Pair, Scene, bit
from rageval_kit.records.world import Effect, Membership, SubjectKind

TAKES: Mapping[str, tuple[object, ...] | None] = {
    "depth": (1, 2, 3, 4, 8),
    "shape": ("line", "diamond", "middle_edge_removed"),
}


def find(scene: Scene, args: Mapping[str, object], limit: int, part: str) -> Found:
    depth, shape = int(str(args.get("depth", 1))), str(args.get("shape", "line"))
    removed = shape == "middle_edge_removed"
    paths = _paths(scene, live_only=True)
    found = standing(scene, bit("C13" if removed else "C11"), limit * 60, part=part, twin=True)
    pairs = []
    for pair in found.pairs:
        if removed and not _edge_removed(scene, pair.reader_id):
            continue
        twin = _twin(scene, pair, paths, depth, shape)
        if twin:
            pairs.append(replace(pair, twin_id=twin))
        if len(pairs) >= limit:
            break
    nothing = "" if pairs else f"no reader reaches a document {depth} units deep ({shape})"
    return Found(tuple(pairs), found.available if pairs else 0, nothing)


Paths = Mapping[tuple[str, str], tuple[int, int]]


def _twin(scene: Scene, pair: Pair, paths: Paths, depth: int, shape: str) -> str:
    """Who may read the target through units only, `depth` deep (and by two ways for a diamond)."""
    entries = [
        (kind, subject)
        for effect, kind, subject in scene.effective_entries(scene.places[pair.chunk_id].document)
        if effect == Effect.ALLOW
    ]
    column = scene.columns[pair.chunk_id]
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


def _paths(scene: Scene, *, live_only: bool) -> Paths:
    """Shortest depth and number of shortest ways from each principal to each unit above it."""
    above: dict[str, list[str]] = defaultdict(list)
    for membership in scene.world.memberships.values():
        if not live_only or _live(scene, membership):
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
