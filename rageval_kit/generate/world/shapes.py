"""Which shapes of the access rule does a world seldom hold, each denied by one cause alone?"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.planting import SINCE, Planting
from rageval_kit.generate.statements import Topic, document, topics, version
from rageval_kit.records.target import Power
from rageval_kit.records.world import (
    ALWAYS,
    Chunk,
    Document,
    Effect,
    Entry,
    Folder,
    Guest,
    Membership,
    Principal,
    PrincipalStatus,
    SubjectKind,
    Tenant,
    Unit,
    Window,
    World,
)

HOME, AWAY = "kit-shapes", "kit-shapes-away"
SEALED = "kit-sealed"
PER_SHAPE = 2  # one in each language
LONG = timedelta(days=3650)
_OPEN = {
    "en": "The {name} office stands in the main street.",
    "zh": "{name}办事处位于主街。",
}


@dataclass(frozen=True, slots=True)
class _Case:
    """Who is denied, who is not, and what the names of everything else begin with."""

    topic: Topic
    world: World

    @property
    def name(self) -> str:
        return f"kit-{self.topic.topic_id}"

    @property
    def reader_id(self) -> str:
        return f"{self.name}-reader"

    @property
    def twin_id(self) -> str:
        return f"{self.name}-twin"

    @property
    def label(self) -> str | None:
        return self.world.policy.labels[0] if self.world.policy.labels else None

    def entry(
        self, effect: Effect, kind: SubjectKind, subject_id: str = "", window: Window = ALWAYS
    ) -> Entry:
        named = f"{self.name}-{effect}-{kind}-{subject_id}"
        return Entry(named, effect, kind, subject_id, window)

    def allow(self, kind: SubjectKind, subject_id: str = "") -> Entry:
        return self.entry(Effect.ALLOW, kind, subject_id)

    def person(self, principal_id: str, tenant_id: str = HOME) -> Principal:
        labels = self.world.policy.labels
        return Principal(principal_id, tenant_id, clearance=labels[-1] if labels else None)

    def planting(self, *entries: Entry) -> Planting:
        """A document with these entries, a reader, and a twin who lacks nothing."""
        topic = self.topic
        text = topic.stated(topic.values[0])
        edition = version(self.name, topic.title, text, topic.lang)
        whole = replace(document(self.name, HOME, edition, *entries), label=self.label)
        twin = replace(self.person(self.twin_id), compartments=frozenset({SEALED}))
        return Planting((whole,), (self.person(self.reader_id), twin))


def _with(planting: Planting, **changes: object) -> Planting:
    """The same with its document changed."""
    (whole,) = planting.documents
    changed: Document = replace(whole, **changes)  # type: ignore[arg-type]
    return replace(planting, documents=(changed,))


def _everyone_but_guests(case: _Case) -> Planting:
    """Everyone of the tenant is denied, its guests as well; who has nothing to do with it reads."""
    made = case.planting(
        case.allow(SubjectKind.PUBLIC), case.entry(Effect.DENY, SubjectKind.EVERYONE)
    )
    _, twin = made.principals
    people = (case.person(case.reader_id, AWAY), replace(twin, tenant_id=AWAY))
    guest = Guest(f"{case.name}-guest", case.reader_id, HOME, Window(SINCE))
    return replace(made, principals=people, guests=(guest,))


def _temporary_deny(case: _Case) -> Planting:
    window = Window(SINCE, case.world.clock + LONG)
    return case.planting(
        case.allow(SubjectKind.EVERYONE),
        case.entry(Effect.DENY, SubjectKind.USER, case.reader_id, window),
    )


def _allow_below_deny(case: _Case) -> Planting:
    """The folder denies whom the document itself allows by name."""
    deny = case.entry(Effect.DENY, SubjectKind.USER, case.reader_id)
    made = case.planting(
        case.allow(SubjectKind.EVERYONE), case.allow(SubjectKind.USER, case.reader_id)
    )
    return _in_folder(made, case, entries=(deny,))


def _nested_deny(case: _Case) -> Planting:
    """The reader's group stands in another, and the outer one is denied."""
    outer = f"{case.name}-outer"
    made = case.planting(
        case.allow(SubjectKind.EVERYONE), case.entry(Effect.DENY, SubjectKind.UNIT, outer)
    )
    return _in_groups(made, case, ALWAYS)


def _edge_ended(case: _Case) -> Planting:
    """The outer group is allowed; the reader's own group stood in it once."""
    outer = f"{case.name}-outer"
    made = case.planting(case.allow(SubjectKind.UNIT, outer))
    ended = Window(SINCE, case.world.clock - timedelta(days=2))
    return _in_groups(made, case, ended)


def _in_groups(made: Planting, case: _Case, edge: Window) -> Planting:
    """Reader in inner in outer; a twin who is allowed through the outer one is in it directly."""
    inner, outer = f"{case.name}-inner", f"{case.name}-outer"
    memberships = [
        Membership(f"{inner}<reader", inner, case.reader_id),
        Membership(f"{outer}<inner", outer, inner, member_is_unit=True, window=edge),
    ]
    if edge is not ALWAYS:
        memberships.append(Membership(f"{outer}<twin", outer, case.twin_id))
    units = (Unit(inner, HOME), Unit(outer, HOME))
    return replace(made, units=units, memberships=tuple(memberships))


def _owner_without_entry(case: _Case) -> Planting:
    made = case.planting(case.allow(SubjectKind.USER, case.twin_id))
    return _with(made, owner_id=case.reader_id)


def _public_with_sealed(case: _Case) -> Planting:
    """Of a public document one passage is in a compartment."""
    made = case.planting(case.allow(SubjectKind.PUBLIC))
    (whole,) = made.documents
    (edition,) = whole.versions
    sealed = replace(edition.chunks[0], compartments=frozenset({SEALED}))
    said = _OPEN[case.topic.lang].format(name=case.topic.name)
    chunks = (sealed, Chunk(f"{edition.version_id}#2", said))
    return _with(made, versions=(replace(edition, chunks=chunks),))


def _broken_in_sealed_folder(case: _Case) -> Planting:
    """Breaking inheritance ends a folder's entries, not what it is marked with."""
    made = _with(case.planting(case.allow(SubjectKind.EVERYONE)), inherits=False)
    return _in_folder(made, case, compartments=frozenset({SEALED}))


def _account_to_begin(case: _Case) -> Planting:
    made = case.planting(case.allow(SubjectKind.EVERYONE))
    reader, twin = made.principals
    begins = ((case.world.clock + LONG, PrincipalStatus.ACTIVE),)
    return replace(made, principals=(replace(reader, statuses=begins), twin))


def _as_many_each(case: _Case) -> Planting:
    """Of one folder each of two reads a document that the other does not: as many, not the same."""
    made = case.planting(case.allow(SubjectKind.USER, case.twin_id))
    made = _in_folder(made, case)
    (whole,) = made.documents
    beside = f"{case.name}-beside"
    said = _OPEN[case.topic.lang].format(name=case.topic.name)
    other = replace(
        whole,
        document_id=beside,
        versions=(version(beside, case.topic.title, said, case.topic.lang),),
        entries=(case.allow(SubjectKind.USER, case.reader_id),),
    )
    _, twin = made.principals
    alike = (case.person(case.reader_id), replace(twin, compartments=frozenset()))
    return replace(made, documents=(whole, other), principals=alike)


def _in_folder(
    made: Planting,
    case: _Case,
    *,
    entries: tuple[Entry, ...] = (),
    compartments: frozenset[str] = frozenset(),
) -> Planting:
    folder = Folder(
        f"{case.name}-folder", HOME, name=case.name, compartments=compartments, entries=entries
    )
    return replace(_with(made, folder_id=folder.folder_id), folders=(folder,))


_SHAPES: Mapping[str, Callable[[_Case], Planting]] = {
    "deny_for_everyone_and_guest": _everyone_but_guests,
    "temporary_deny": _temporary_deny,
    "own_allow_below_inherited_deny": _allow_below_deny,
    "nested_deny": _nested_deny,
    "nested_edge_ended": _edge_ended,
    "owner_without_entry": _owner_without_entry,
    "public_with_sealed_passage": _public_with_sealed,
    "broken_in_sealed_folder": _broken_in_sealed_folder,
    "account_to_begin": _account_to_begin,
    "as_many_each": _as_many_each,
}
TAKES: Mapping[str, tuple[str, ...] | None] = {"is": tuple(_SHAPES)}
WANTS = ("is",)
NEEDS = frozenset({Power.PLANT})


def plant(world: World, args: Mapping[str, str], seed: int) -> Planting:
    """For each case a document, a reader who is denied by what the shape says, and a twin."""
    made = [_SHAPES[args["is"]](case) for case in _cases(world, args, seed)]
    return Planting(
        documents=tuple(one for each in made for one in each.documents),
        principals=tuple(one for each in made for one in each.principals),
        tenants=(Tenant(HOME, HOME), Tenant(AWAY, AWAY)),
        units=tuple(one for each in made for one in each.units),
        memberships=tuple(one for each in made for one in each.memberships),
        folders=tuple(one for each in made for one in each.folders),
        guests=tuple(one for each in made for one in each.guests),
    )


def exhibits(world: World, args: Mapping[str, str], seed: int) -> tuple[Exhibit, ...]:
    return tuple(
        Exhibit(
            case.topic.topic_id,
            {"target": case.name},
            {"topic": case.topic.question},
            readers=(case.reader_id,),
            values={f"{case.name}@1": case.topic.values[0]},
            lang=case.topic.lang,
        )
        for case in _cases(world, args, seed)
    )


def _cases(world: World, args: Mapping[str, str], seed: int) -> Iterator[_Case]:
    for topic in topics(seed, f"shape-{args['is']}", "number", PER_SHAPE, n_values=1):
        yield _Case(topic, world)
