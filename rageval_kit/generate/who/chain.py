"""The question passes through agents, and one of the parties may not read what it asks for."""

from collections.abc import Iterator, Mapping

import numpy as np

from rageval_kit.generate.cells import VIA
from rageval_kit.generate.scene import Found, Pair, Scene, conditions_of
from rageval_kit.records.streams import stream
from rageval_kit.records.world import PrincipalKind

# How many hops there are, and at which place the one stands who may not; -1: it is who asks.
CHAINS = {"asker": (2, -1), "only": (1, 0), "first": (2, 0), "middle": (3, 1), "last": (3, 2)}
TAKES: Mapping[str, tuple[str, ...] | None] = {"missing": tuple(CHAINS)}
WANTS = ("missing",)


def abilities(args: Mapping[str, str]) -> frozenset[str]:
    del args
    return frozenset({VIA})


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    """The twin asks through as many hops, and every party may read."""
    del part
    pairs = [pair for column in _targets(scene) for pair in _pairs(scene, column, args["missing"])]
    nothing = "" if pairs else "no chain of agents here lacks just this one's right"
    return Found(tuple(pairs[:limit]), len(pairs), nothing)


def _targets(scene: Scene) -> Iterator[int]:
    for exhibit in scene.exhibits:
        if chunk_id := scene.passage_of(exhibit):
            yield scene.columns[chunk_id]


def _pairs(scene: Scene, column: int, missing: str) -> Iterator[Pair]:
    length, place = CHAINS[missing]
    readable = scene.reasons[:, column] == 0
    chunk_id = scene.chunk_ids[column]
    order = stream(scene.seed, "chain", missing, chunk_id).permutation(len(scene.readers))
    rows = {kind: _of_kind(scene, order.tolist(), kind) for kind in PrincipalKind}
    able = [row for row in rows[PrincipalKind.AGENT] if readable[row]]
    barred = [row for row in rows[PrincipalKind.AGENT] if not readable[row]]
    users = [row for row in rows[PrincipalKind.USER] if readable[row]]
    strangers = [row for row in rows[PrincipalKind.USER] if not readable[row]]
    lacking = strangers if place < 0 else barred
    if len(able) < length or not users or not lacking:
        return
    hops, out = able[:length], lacking[0]
    names = [scene.readers[row] for row in hops]
    through = list(names)
    if place >= 0:
        through[place] = scene.readers[out]
    yield Pair(
        scene.readers[out if place < 0 else users[0]],
        chunk_id,
        twin_id=scene.readers[users[0]],
        conditions=conditions_of(int(scene.reasons[out, column])),
        via=tuple(through),
        twin_via=tuple(names),
    )


def _of_kind(scene: Scene, rows: list[int], kind: PrincipalKind) -> list[int]:
    """People and agents of the tenant where the documents lie come first: they lack least."""
    people = scene.world.principals
    found = [row for row in rows if people[scene.readers[row]].kind is kind]
    return sorted(found, key=lambda row: np.count_nonzero(scene.reasons[row] & 2))
