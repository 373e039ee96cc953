"""Who decides who may read what: the people and entries of the world's files, or another engine?"""

from pathlib import Path

from rageval_kit.build.planning import Plan
from rageval_kit.corpus.digests import directory_digest, snapshot_digest
from rageval_kit.corpus.snapshots import load_snapshot, load_world
from rageval_kit.intake.policies import cedar, openfga
from rageval_kit.intake.policies.decisions import Decisions, refuse_unlike, said, world_of
from rageval_kit.intake.policies.expected import read_expected
from rageval_kit.records.faults import InputError
from rageval_kit.records.world import World


def read_world(plan: Plan) -> tuple[World, str, str, str]:
    """The world as its files say it, the digests of content and rights, and who decided.

    '' as who decided: the directory. Of another engine the digest is that of its own files.
    """
    access, now = plan.spec.access, plan.spec.now
    if access.kind == "directory":
        world = load_world(plan.snapshot, plan.directory, now=now)
        return world, snapshot_digest(world), directory_digest(world), ""
    content = load_snapshot(plan.snapshot, now=now).with_nobody()
    decided = _decided(plan, content)
    world = world_of(content, decided)
    return world, snapshot_digest(content), decided.digest, said(decided, world)


def _decided(plan: Plan, content: World) -> Decisions:
    access = plan.spec.access
    words = (access.user, access.document, access.reads)
    if access.kind == "cedar":
        policies, entities = _path("policies", access.policies), _path("entities", access.entities)
        decided = cedar.decisions(content, policies, entities, *words)
    else:
        decided = openfga.decisions(content, _path("store", access.store), *words)
        for other in access.also:
            unlike = openfga.decisions(content, _path("also", other), *words)
            refuse_unlike(decided, unlike, other)
    if access.expected is not None:
        read_expected(_path("expected", access.expected), decided)
    return decided


def _path(key: str, given: str | None) -> Path:
    if given is None:
        raise InputError.one(f"access.{key}", "is missing", "", "name a file")
    path = Path(given).expanduser().absolute()
    if not path.exists():
        raise InputError.one(f"access.{key}", "does not exist", given)
    return path
