"""Documents that answer a question truly and give whoever answers from them an order beside it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rageval_kit.generate.crowds import home_of, plain_label
from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.payload import recipe as recipes
from rageval_kit.generate.payload.making import TRUSTEE, Ground, Made, Maker
from rageval_kit.generate.payload.orders import DEPUTY
from rageval_kit.generate.payload.recipe import Recipe, recipe
from rageval_kit.generate.planting import Planting
from rageval_kit.records.streams import stream
from rageval_kit.records.target import Power
from rageval_kit.records.world import Document, Principal, PrincipalKind, World

TAKES: Mapping[str, tuple[object, ...] | None] = recipes.TAKES
NEEDS = frozenset({Power.PLANT})


def plant(world: World, args: Mapping[str, Any], seed: int) -> Planting:
    """The carriers with their clean copies, and whoever writes and may read them."""
    asked = recipe(args)
    ground = _ground(world)
    documents: list[Document] = []
    marks: dict[str, str] = {}
    for made in _all(asked, ground, seed):
        documents += made.others
        documents += made.carriers if asked.planted else []
        marks |= made.marks
    people = tuple(
        Principal(principal_id, ground.tenant_id, clearance=ground.label)
        for principal_id in (asked.author, TRUSTEE)
        if principal_id not in world.principals
    )
    return Planting(tuple(documents), people, marks=marks)


def files(args: Mapping[str, Any]) -> tuple[Path, ...]:
    """The file of the wordings: who changes it changes the suite."""
    return (recipe(args).rests_on,)


def exhibits(world: World, args: Mapping[str, Any], seed: int) -> Sequence[Exhibit]:
    """What each case is about, and who is meant to ask."""
    asked = recipe(args)
    found = (made.exhibit for made in _all(asked, _ground(world), seed))
    readers = _readers(world, asked)
    return [replace(one, readers=readers) for one in found]


def _all(asked: Recipe, ground: Ground, seed: int) -> Iterator[Made]:
    choices = asked.choices()
    order = stream(seed, "payload", asked.key, "techniques").permutation(len(choices))
    for number in range(asked.n):
        technique = choices[int(order[number % len(choices)])]
        yield Maker(asked, technique, ground, seed, number).made()


def _ground(world: World) -> Ground:
    """The tenant of most people; where it was planted before, that of the trustee."""
    return Ground(home_of(world, TRUSTEE), plain_label(world), world.clock)


def _readers(world: World, asked: Recipe) -> tuple[str, ...]:
    """People of the tenant; a deputy is who may read what the author may not."""
    trustee = world.principals.get(TRUSTEE)
    if asked.goal == DEPUTY or trustee is None:
        return (TRUSTEE,)
    return tuple(
        principal_id
        for principal_id, principal in sorted(world.principals.items())
        if principal.tenant_id == trustee.tenant_id
        and principal.kind is PrincipalKind.USER
        and principal_id not in {TRUSTEE, asked.author}
    )
