"""Labels and compartments against readers who lack a little: a level, one compartment of three …"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from rageval_kit.generate.cleared import has_labels
from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.planting import Planting
from rageval_kit.generate.statements import Topic, document, topics, version
from rageval_kit.records.target import Power
from rageval_kit.records.world import Document, Principal, Tenant, World

TENANT, CLEARED = "kit-lattice", "kit-lattice-cleared"
A, B, C, A_AND_MORE = "kit-north", "kit-south", "kit-west", "kit-northern"


@dataclass(frozen=True, slots=True)
class _Shape:
    """What document, passage and reader bear; labels are the highest where `by_level` is not."""

    document: frozenset[str] = frozenset()
    reader: frozenset[str] = frozenset()
    passage: frozenset[str] = frozenset()
    by_level: bool = False


_SHAPES = {
    "level": _Shape(by_level=True),
    "level_in_compartment": _Shape(frozenset({A}), frozenset({A}), by_level=True),
    "only_compartment": _Shape(frozenset({A})),
    "one_of_two": _Shape(frozenset({A, B}), frozenset({A})),
    "one_of_three": _Shape(frozenset({A, B, C}), frozenset({A, C})),
    "another": _Shape(frozenset({A}), frozenset({B})),
    "spelt_alike": _Shape(frozenset({A}), frozenset({A_AND_MORE})),
    "of_document": _Shape(frozenset({A}), frozenset({B}), frozenset({B})),
    "of_passage": _Shape(frozenset({A}), frozenset({A}), frozenset({B})),
}
TAKES: Mapping[str, tuple[str, ...] | None] = {"lacks": tuple(_SHAPES)}
WANTS = ("lacks",)
NEEDS = frozenset({Power.PLANT})


@dataclass(frozen=True, slots=True)
class _Case:
    topic: Topic
    label: str
    clearance: str
    reader_id: str


def plant(world: World, args: Mapping[str, str], seed: int) -> Planting:
    """One cleared for all of it, and for each document a reader who lacks what the shape says."""
    if not has_labels(world):
        return Planting()
    shape = _SHAPES[args["lacks"]]
    highest, everything = world.policy.labels[-1], frozenset({A, B, C, A_AND_MORE})
    readers = [Principal(CLEARED, TENANT, clearance=highest, compartments=everything)]
    documents = []
    for case in _cases(world, args, seed):
        readers.append(
            Principal(case.reader_id, TENANT, clearance=case.clearance, compartments=shape.reader)
        )
        documents.append(_document(case, shape))
    return Planting(tuple(documents), tuple(readers), (Tenant(TENANT, TENANT),))


def exhibits(world: World, args: Mapping[str, str], seed: int) -> tuple[Exhibit, ...]:
    return tuple(
        Exhibit(
            case.topic.topic_id,
            {"target": f"kit-{case.topic.topic_id}"},
            {"topic": case.topic.question},
            readers=(case.reader_id,),
            values={f"kit-{case.topic.topic_id}@1": case.topic.values[0]},
            lang=case.topic.lang,
        )
        for case in (_cases(world, args, seed) if has_labels(world) else ())
    )


def _cases(world: World, args: Mapping[str, str], seed: int) -> Iterator[_Case]:
    """Every clearance below every label; a compartment lacks at the lowest label and the highest.

    So an order of labels by anything but their rank lets somebody in.
    """
    labels, lacks = world.policy.labels, args["lacks"]
    steps = list(combinations(labels, 2))
    if not _SHAPES[lacks].by_level:
        steps = [(labels[-1], labels[0]), (labels[-1], labels[-1])]
    made = topics(seed, f"lattice-{lacks}", "number", len(steps), n_values=1)
    for topic, (clearance, label) in zip(made, steps, strict=True):
        yield _Case(topic, label, clearance, f"kit-{topic.topic_id}-reader")


def _document(case: _Case, shape: _Shape) -> Document:
    document_id = f"kit-{case.topic.topic_id}"
    own = version(
        document_id, case.topic.title, case.topic.stated(case.topic.values[0]), case.topic.lang
    )
    chunks = (replace(own.chunks[0], compartments=shape.passage),)
    whole = document(document_id, TENANT, replace(own, chunks=chunks))
    return replace(whole, label=case.label, compartments=shape.document)
