"""Who may read which document, by an OpenFGA store file?"""

from pathlib import Path

from rageval_kit.intake.policies.decisions import Decisions
from rageval_kit.intake.policies.fga_check import Relations
from rageval_kit.intake.policies.fga_store import Store, read_store
from rageval_kit.intake.report import Collector, nearest
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.world import World

_LISTED = 20


def decisions(content: World, store: Path, user: str, document: str, reads: str) -> Decisions:
    """What `reads`, a relation of the type `document`, says of every `user` and every document.

    A store that its own tests contradict is refused, and so is one whose answer for some pair hangs
    on a condition.
    """
    faults = Collector()
    read = read_store(store, faults)
    if read is None:
        raise InputError(fault.fault for fault in faults.ordered())
    _check_types(read, user, document, reads)
    _check_tests(read)
    relations = Relations(read.model, read.tuples)
    readable: dict[str, frozenset[str]] = {}
    hanging: list[Fault] = []
    for who in relations.of_type(user):
        held = set()
        for document_id in content.documents:
            answer = relations.check(who, reads, f"{document}:{document_id}")
            if answer is True:
                held.add(document_id)
            elif answer is not False:
                problem = "hangs on a condition, whose values only a request has"
                met = ", ".join(sorted(answer))
                where = f"{store}: {who} {reads} {document}:{document_id}"
                hanging.append(Fault(where, problem, met, "leave its tuples out, or test it apart"))
        readable[who.partition(":")[2]] = frozenset(held)
    _refuse(hanging)
    known = frozenset(one.partition(":")[2] for one in relations.of_type(document))
    return Decisions("OpenFGA store", read.digest, readable, known)


def _check_types(store: Store, user: str, document: str, reads: str) -> None:
    types = store.model.types
    faults = [
        Fault(f"access.{key}", "is no type of the store's model", name, nearest(name, types))
        for key, name in (("user", user), ("document", document))
        if name not in types
    ]
    if not faults and reads not in types[document]:
        problem = f"is no relation of the type {document!r}"
        faults.append(Fault("access.reads", problem, reads, nearest(reads, types[document])))
    if faults:
        raise InputError(faults)


def _check_tests(store: Store) -> None:
    """Its author's own expectations must hold; those that cannot be expressed say nothing."""
    _refuse(
        [
            Fault(
                f"{store.file}:{one.assertion.line}",
                f"the store contradicts its own test: {one.assertion}",
                one.detail,
                "mend the model, a tuple or the test",
            )
            for one in store.outcomes()
            if one.agrees is False
        ]
    )


def _refuse(faults: list[Fault]) -> None:
    if faults:
        more = len(faults) - _LISTED
        rest = [Fault("and", f"{more:,} more like these")] if more > 0 else []
        raise InputError([*faults[:_LISTED], *rest])
