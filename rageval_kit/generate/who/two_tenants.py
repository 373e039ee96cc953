"""The reader is at home in one tenant and a guest in another: each token shows its own only."""

from collections.abc import Iterator, Mapping
from datetime import timedelta

import numpy as np

from rageval_kit.generate.bounds import is_public
from rageval_kit.generate.scene import Found, Pair, Scene
from rageval_kit.records.changes import Invite
from rageval_kit.records.streams import stream
from rageval_kit.records.target import Power
from rageval_kit.records.world import Guest, PrincipalKind, Window

TAKES: Mapping[str, tuple[str, ...] | None] = {}
INVITED = 6


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    """Guests of the world first; where it has none, people who are invited for it."""
    del args, part
    visits = list(_guests(scene)) or list(_invited(scene))
    per_visit = max(1, -(-limit // max(1, len(visits))))
    pairs = [
        pair
        for guest, setup in visits
        for pair in _pairs(scene, guest, setup=setup, limit=per_visit)
    ]
    nothing = "" if pairs else "nobody here reads in two tenants"
    return Found(tuple(pairs[:limit]), len(pairs), nothing)


def _guests(scene: Scene) -> Iterator[tuple[Guest, bool]]:
    now = scene.world.clock
    for guest in sorted(scene.given.guests.values(), key=lambda one: one.guest_id):
        ended = guest.revoked_at is not None and guest.revoked_at <= now
        if guest.window.contains(now) and not ended:
            yield guest, False


def _invited(scene: Scene) -> Iterator[tuple[Guest, bool]]:
    if not scene.has(Power.MUTATE, Power.RESTORE):
        return
    world, since = scene.world, Window(scene.world.clock - timedelta(days=1))
    people = [
        p
        for row, reader in enumerate(scene.readers)
        if row not in scene.extras
        for p in [world.principals[reader]]
        if p.kind is PrincipalKind.USER and p.tenant_id
    ]
    for person in people[:INVITED]:
        for tenant_id in sorted(world.tenants.keys() - {person.tenant_id})[:1]:
            name = f"kit-guest-{person.principal_id}"
            yield Guest(name, person.principal_id, tenant_id, since), True


def _pairs(scene: Scene, guest: Guest, *, setup: bool, limit: int) -> Iterator[Pair]:
    """Targets at home that somebody else reads too, with one passage of the other tenant."""
    row = scene.rows.get(guest.principal_id)
    if row is None:
        return
    home = scene.world.principals[guest.principal_id].tenant_id
    changes = (Invite(guest),) if setup else ()
    readable = np.flatnonzero(scene.reasons[row] == 0)
    order = stream(scene.seed, "two_tenants", guest.guest_id).permutation(readable)
    own = [c for c in order if _is_of(scene, int(c), home)]
    away = next(_away(scene, guest, changes, order.tolist()), None)
    if away is None:
        return
    made = 0
    for column in {int(scene.chunk_document[c]): int(c) for c in own}.values():
        twin = scene.twin_of(column, salt="two_tenants", unlike=(row,))
        if twin is None or made >= limit:
            continue
        made += 1
        yield Pair(
            guest.principal_id,
            scene.chunk_ids[column],
            twin_id=scene.readers[twin],
            setup=changes,
            sibling_id=away,
        )


def _away(
    scene: Scene, guest: Guest, changes: tuple[Invite, ...], columns: list[int]
) -> Iterator[str]:
    """A passage that the guest reads there: now, or once invited."""
    if changes:
        columns = list(range(len(scene.chunk_ids)))
    for column in columns:
        if not _is_of(scene, column, guest.tenant_id):
            continue
        chunk_id = scene.chunk_ids[column]
        if not changes or not scene.reasons_after(changes, guest.principal_id, chunk_id):
            yield chunk_id


def _is_of(scene: Scene, column: int, tenant_id: str | None) -> bool:
    """Of the tenant and of the world's own, and not open to everybody there is."""
    document = scene.places[scene.chunk_ids[column]].document
    is_prop = bool(scene.props[scene.chunk_document[column]])
    return document.tenant_id == tenant_id and not is_prop and not is_public(scene, document)
