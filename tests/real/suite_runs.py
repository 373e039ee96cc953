"""How does the permission suite run on public data, and where does the time of a run go?

`python tests/real/suite_runs.py agentdojo zh_laws seed=3` runs and tells; the tests use the rest.
"""

import importlib.util
import itertools
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from rageval_kit.build import compose
from rageval_kit.build.planning import Plan
from rageval_kit.corpus.snapshots import write_directory, write_snapshot
from rageval_kit.generate.organisation import organise
from rageval_kit.intake.validate import validate
from rageval_kit.records.decisions import RunRecord
from rageval_kit.records.target import Grain, Request, Response, Seen, Stage
from rageval_kit.records.world import Document, Version, World

_SPEC = importlib.util.spec_from_file_location(
    "real_importers", Path(__file__).with_name("importers.py")
)
assert _SPEC
assert _SPEC.loader
importers = importlib.util.module_from_spec(_SPEC)
sys.modules.setdefault("real_importers", importers)
_SPEC.loader.exec_module(importers)

NAMES = ("authzed_rag_acl", "agentdojo", "zh_laws", "site_policy")
WITHOUT_PEOPLE = frozenset({"zh_laws", "site_policy"})
ORGANISATION_SEED = 1
PAST = datetime(2022, 6, 1, tzinfo=UTC)
EDITIONS_KEPT = 2


def world_of(name: str, folder: Path) -> World:
    """The data set as a world; one without access data gets a generated organisation."""
    world: World = getattr(importers, name)(folder)
    return organise(world, seed=ORGANISATION_SEED) if name in WITHOUT_PEOPLE else world


def cut(world: World) -> World:
    """The same documents with fewer editions: those before PAST and the clock, and the next."""
    documents = {key: _cut(one, world.clock) for key, one in world.documents.items()}
    return replace(world, documents=documents)


def _cut(document: Document, clock: datetime) -> Document:
    def began(version: Version, instant: datetime) -> bool:
        return version.valid_from is not None and version.valid_from <= instant

    versions = document.versions
    kept: set[str] = set()
    for instant in (PAST, clock):
        past = [v.version_id for v in versions if began(v, instant)]
        kept |= set(past[-EDITIONS_KEPT:])
    kept |= {v.version_id for v in [v for v in versions if not began(v, clock)][:1]}
    return replace(document, versions=tuple(v for v in versions if v.version_id in kept))


@dataclass(frozen=True)
class Written:
    """A world as files: what a person hands to the kit."""

    world: World
    snapshot: Path
    directory: Path

    def plan(self, archive: Path, *words: str) -> Plan:
        return compose(
            "+suite=acl_negative",
            "retriever=hybrid",
            "corpus=snapshot",
            f"corpus.path={self.snapshot}",
            "access=directory",
            f"access.path={self.directory}",
            f"archive.root={archive}",
            *words,
        )


def written(world: World, folder: Path) -> Written:
    write_snapshot(world, folder / "snapshot")
    write_directory(world, folder / "directory.json")
    return Written(world, folder / "snapshot", folder / "directory.json")


class IdsOnly:
    """A plain endpoint: ids of documents for a question, no tap beyond them, nothing to change."""

    name = "ids only"
    grain = Grain.DOCUMENT
    taps = frozenset({Stage.RETRIEVE})
    powers = frozenset()

    def __init__(self, inner) -> None:
        self._inner = inner
        self._document: Mapping[str, str] = {}

    def connect(self, world: World) -> None:
        self._document = {
            chunk.chunk_id: document.document_id
            for document in world.documents.values()
            for version in document.versions
            for chunk in version.chunks
        }
        self._inner.connect(world)

    def search(self, requests: Sequence[Request]) -> list[Response]:
        wider = [replace(request, k=5 * request.k) for request in requests]
        return [
            self._plain(asked, reply)
            for asked, reply in zip(requests, self._inner.search(wider), strict=True)
        ]

    def _plain(self, request: Request, reply: Response) -> Response:
        if reply.error:
            return replace(reply, seen={})
        chunks = reply.seen[Stage.RETRIEVE].ids
        ids = tuple(dict.fromkeys(self._document[chunk] for chunk in chunks))[: request.k]
        return Response(request.request_id, {Stage.RETRIEVE: Seen(ids)})

    def describe(self) -> Mapping[str, str]:
        return {"target": "ids only"}

    def close(self) -> None:
        self._inner.close()


# --- told to a person ----------------------------------------------------------------------------


def timed(plan: Plan) -> tuple[RunRecord, dict[str, float]]:
    """`evaluate`, step by step, with the seconds of each."""
    from rageval_kit.cli.progress import Quiet
    from rageval_kit.run.conclude import conclude
    from rageval_kit.run.evaluate import ask_and_judge
    from rageval_kit.run.open import open_run
    from rageval_kit.run.prepare import prepare
    from rageval_kit.run.store import store

    marks = [time.perf_counter()]
    prepared = prepare(plan)
    marks.append(time.perf_counter())
    with open_run(prepared) as run:
        plan.target.connect(prepared.world)
        marks.append(time.perf_counter())
        rows = ask_and_judge(prepared, run, Quiet())
        marks.append(time.perf_counter())
        record = store(prepared, run, rows, conclude(prepared, run, rows))
        marks.append(time.perf_counter())
        plan.target.close()
    spent = dict(
        zip(
            ("prepare", "connect", "ask and judge", "conclude and store"),
            (later - earlier for earlier, later in itertools.pairwise(marks)),
            strict=True,
        )
    )
    spent["target"] = spent["connect"] + record.target_s
    return record, spent


def told(record: RunRecord, spent: Mapping[str, float]) -> Iterator[str]:
    wall = sum(spent[part] for part in spent if part != "target")
    pairs = sum(family.pairs_tested for family in record.families)
    yield (
        f"{record.snapshot}: exit {record.decision.exit_code}, {record.documents:,} documents, "
        f"{record.chunks:,} passages, {record.principals} principals, "
        f"{record.cases_planned:,} cases, {pairs} pairs"
    )
    yield f"  {wall:.1f} s: " + ", ".join(f"{part} {s:.1f}" for part, s in spent.items())
    ran = [f"{f.family} {f.planned}/{f.pairs_tested}" for f in record.families if f.planned]
    yield f"  cases/pairs: {', '.join(ran)}"
    for what, why in record.not_run:
        yield f"  not run: {what}: {why}"
    for family in record.families:
        if family.reasons:
            yield f"  {family.family}: {dict(family.reasons)}"
    for gate in record.decision.gates:
        if not gate.met:
            yield f"  {gate.gate}: {'; '.join(gate.reasons)}"


def main(words: Sequence[str]) -> None:
    data = Path(__file__).resolve().parents[3] / "shared" / "data"
    chosen = [word for word in words if "=" not in word] or NAMES
    overrides = [word for word in words if "=" in word]
    for name in chosen:
        with tempfile.TemporaryDirectory() as folder:
            here = Path(folder)
            files = written(world_of(name, data / name), here)
            report = validate(files.snapshot, files.directory)
            print(f"{name}: {len(report.faults)} faults")
            record, spent = timed(files.plan(here / "archive", *overrides))
            print("\n".join(told(record, spent)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
