"""How does a world look in which another engine's decisions are the rights?

Every pair that the engine allows becomes an entry by name. One tenant, no labels, compartments,
folders, owners: of the access rule the engine decides C1 to C4 and C8 to C14, all at once. What
holds when (C5 to C7) stays that of the snapshot. Whoever reads the rule and whoever asked the
engine must come to the same for every pair, or the reference is refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from rageval_kit.access import Monitor
from rageval_kit.access.monitor import BIT
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.world import (
    AccessPolicy,
    Document,
    Effect,
    Entry,
    Principal,
    SubjectKind,
    Tenant,
    World,
)

TENANT = "reference"
_OF_CONTENT = BIT["C5"] | BIT["C6"] | BIT["C7"]
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Decisions:
    """`readable` by principal: the documents that `decided_by` lets it read; digest of its files.

    `known`: the documents that the engine knows by name; of any other it says no.
    """

    decided_by: str
    digest: str
    readable: Mapping[str, frozenset[str]]
    known: frozenset[str]

    @property
    def allowed(self) -> int:
        return sum(len(documents) for documents in self.readable.values())


def world_of(content: World, decisions: Decisions) -> World:
    """The snapshot with the engine's decisions as its only rights."""
    _check_names(content, decisions)
    readers: dict[str, list[str]] = {document_id: [] for document_id in content.documents}
    for principal_id, documents in decisions.readable.items():
        for document_id in documents & content.documents.keys():
            readers[document_id].append(principal_id)
    world = World(
        documents={key: _bare(one, readers[key]) for key, one in content.documents.items()},
        folders={},
        tenants={TENANT: Tenant(TENANT)},
        principals={who: Principal(who, TENANT, name=who) for who in decisions.readable},
        units={},
        memberships={},
        guests={},
        links={},
        clock=content.clock,
        policy=AccessPolicy(archive=content.policy.archive),
        timezone=content.timezone,
        name=content.name,
    )
    _check_equal(world, decisions)
    return world


def refuse_unlike(decisions: Decisions, other: Decisions, where: str) -> None:
    """Two references of one run must decide alike."""
    faults = []
    for who in sorted(decisions.readable.keys() | other.readable.keys()):
        ours, theirs = (
            decisions.readable.get(who, frozenset()),
            other.readable.get(who, frozenset()),
        )
        for document_id in sorted(ours ^ theirs):
            problem = f"{who} {'may' if document_id in theirs else 'may not'} read {document_id}"
            way_out = "the other reference says the contrary; mend one"
            faults.append(Fault(where, problem, "", way_out))
    if faults:
        raise InputError(faults)


def said(decisions: Decisions, world: World) -> str:
    """Who decided, as the report says it."""
    n_pairs = len(world.principals) * len(world.documents)
    unknown = len(world.documents.keys() - decisions.known)
    stated = f"; {unknown:,} documents it does not name" if unknown else ""
    return (
        f"decided by {decisions.decided_by} sha256:{decisions.digest}: "
        f"{decisions.allowed:,} of {n_pairs:,} pairs allowed{stated}"
    )


def _bare(document: Document, readers: list[str]) -> Document:
    return replace(
        document,
        tenant_id=TENANT,
        folder_id=None,
        label=None,
        compartments=frozenset(),
        owner_id=None,
        entries=tuple(
            Entry(f"{document.document_id}/{who}", Effect.ALLOW, SubjectKind.USER, who)
            for who in readers
        ),
        versions=tuple(
            replace(
                version,
                chunks=tuple(
                    chunk
                    if chunk.label is None and not chunk.compartments
                    else replace(chunk, label=None, compartments=frozenset())
                    for chunk in version.chunks
                ),
            )
            for version in document.versions
        ),
    )


def _check_names(content: World, decisions: Decisions) -> None:
    faults = []
    if not decisions.readable:
        faults.append(Fault(decisions.decided_by, "names no principal", "", "see access.user"))
    if not decisions.known & content.documents.keys():
        few = ", ".join(sorted(decisions.known)[:_SHOWN]) or "none"
        ours = ", ".join(sorted(content.documents)[:_SHOWN])
        way_out = f"its names must be the ids of the snapshot: {ours}, …"
        problem = "names no document of the snapshot"
        faults.append(Fault(decisions.decided_by, problem, few, way_out))
    if faults:
        raise InputError(faults)


def _check_equal(world: World, decisions: Decisions) -> None:
    """The monitor, asked of every pair, against the engine's own decisions."""
    monitor = Monitor(world)
    of_chunk, ids = monitor.document_of_chunk, list(world.documents)
    with_text = {ids[position] for position in np.unique(of_chunk).tolist()}
    for who, documents in decisions.readable.items():
        denied = monitor.reason_bits(who) & ~_OF_CONTENT
        found = {ids[position] for position in np.unique(of_chunk[denied == 0]).tolist()}
        differing = found ^ (documents & with_text)
        if differing:
            few = ", ".join(sorted(differing)[:_SHOWN])
            raise InputError.one(
                f"{decisions.decided_by}, principal {who}",
                "is read otherwise by the reference monitor",
                few,
                "report this: the translation of the decisions is wrong",
            )
