"""Invented facts that one holder may read, each with options as likely as the true one."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rageval_kit.generate.crowds import plain_label, tenant_of
from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.invented import SHARING, Fact, fact
from rageval_kit.generate.planting import Planting
from rageval_kit.generate.statements import document, version
from rageval_kit.records.target import Power
from rageval_kit.records.world import (
    Document,
    Effect,
    Entry,
    Principal,
    SubjectKind,
    World,
)

TAKES: Mapping[str, tuple[object, ...] | None] = {
    "kind": ("emblem", "number", "group"),
    "options": (2, 3, 4, 5),
    "n": None,
}
NEEDS = frozenset({Power.PLANT})
SIZED = "n"  # the argument that takes the family's size
HOLDER, ASKER = "kit-holder", "kit-asker"
FEW = 24


def plant(world: World, args: Mapping[str, Any], seed: int) -> Planting:
    """The documents, and who may read them: a holder for so many facts, each of its own values.

    Who asks about a group may read what its other members earn.
    """
    tenant_id = tenant_of(world)
    label = plain_label(world)
    documents: list[Document] = []
    people: dict[str, None] = {}
    for number, one in enumerate(_facts(args, seed)):
        holder = f"{HOLDER}-{number // SHARING}"
        people |= {holder: None}
        for part, text in enumerate(one.texts):
            readers = (holder,) if part == 0 else (holder, ASKER)
            people |= dict.fromkeys(readers)
            made = _document(_id(args, number, part), tenant_id, one, text, readers)
            documents.append(replace(made, label=label))
    principals = tuple(Principal(person, tenant_id, clearance=label) for person in people)
    return Planting(tuple(documents), principals)


def exhibits(world: World, args: Mapping[str, Any], seed: int) -> Sequence[Exhibit]:
    """Each fact with its question, and one of the same make about what stands in no document."""
    del world
    return [_exhibit(args, number, one, seed) for number, one in enumerate(_facts(args, seed))]


def _facts(args: Mapping[str, Any], seed: int) -> list[Fact]:
    return [fact(seed, *_make(args), number) for number in range(int(args.get("n") or FEW))]


def _make(args: Mapping[str, Any]) -> tuple[str, int]:
    return args.get("kind", "emblem"), args.get("options", 4)


def _exhibit(args: Mapping[str, Any], number: int, one: Fact, seed: int) -> Exhibit:
    nowhere = fact(seed, *_make(args), number, there=False)
    questions = {"topic": one.asked.text, "nowhere": nowhere.asked.text}
    return Exhibit(
        _id(args, number, 0),
        {"target": _id(args, number, 0)},
        questions | {f"narrow.{n}": text for n, text in enumerate(one.narrowing, 1)},
        readers=(ASKER,) if len(one.texts) > 1 else (),
        lang=one.asked_in,
        choices={"topic": one.asked.choice, "nowhere": nowhere.asked.choice},
    )


def _id(args: Mapping[str, Any], number: int, part: int) -> str:
    kind, options = _make(args)
    return f"kit-{kind}-{options}-{number}" + (f"-{part}" if part else "")


def _document(
    document_id: str, tenant_id: str, one: Fact, text: str, readers: Sequence[str]
) -> Document:
    entries = [
        Entry(f"{document_id}-{reader}", Effect.ALLOW, SubjectKind.USER, reader)
        for reader in readers
    ]
    return document(
        document_id, tenant_id, version(document_id, one.title, text, one.lang), *entries
    )
