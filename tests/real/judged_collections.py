"""How does a public test collection become a world that one reader may read whole, and a run?"""

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rageval_kit.records.target import Caller, Request, Stage
from rageval_kit.records.world import (
    Chunk,
    Document,
    Effect,
    Entry,
    Principal,
    State,
    SubjectKind,
    Tenant,
    Version,
    World,
)
from rageval_kit.retrievers.embedded import Embedded
from rageval_kit.system.config import EmbeddedConfig

BEGUN, NOW = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC)
EVERYONE = (Entry("everyone", Effect.ALLOW, SubjectKind.EVERYONE),)
Run = dict[str, dict[str, float]]
Qrels = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Collection:
    """Each document is one passage whose chunk id is the document's id in the judgments."""

    world: World
    queries: Mapping[str, str]
    qrels: Qrels


def scifact(folder: Path) -> Collection:
    rows = _lines(folder / "corpus.jsonl.gz")
    documents = [_document(row["_id"], row["title"], " ".join(row["sentences"])) for row in rows]
    return _collection(documents, folder / "queries.jsonl", folder / "qrels.test.txt")


def cranfield(folder: Path) -> Collection:
    """The judgments count queries by position, which is the `_id` of queries.jsonl."""
    text = gzip.decompress((folder / "cran.all.1400.xml.gz").read_bytes()).decode()
    documents = [
        _document(*(_field(name, found) for name in ("docno", "title", "text")))
        for found in re.findall(r"<doc>(.*?)</doc>", text, re.DOTALL)
    ]
    return _collection(documents, folder / "queries.jsonl", folder / "cranqrel.trec.txt")


def cmrc2018(folder: Path) -> Collection:
    folder = folder / "retrieval"
    documents = [
        _document(row["_id"], "", row["text"]) for row in _lines(folder / "corpus.jsonl.gz")
    ]
    return _collection(documents, folder / "queries.jsonl", folder / "qrels.txt")


def run_of(collection: Collection, config: EmbeddedConfig, k: int) -> Run:
    """What one reader of everything is shown for each query, with the scores that ordered it."""
    target = Embedded(config)
    target.connect(collection.world)
    reader = Caller("reader")
    requests = [Request(name, text, reader, k=k) for name, text in collection.queries.items()]
    run: Run = {}
    for response in target.search(requests):
        if response.error:
            raise ValueError(f"{response.request_id}: {response.error} ({response.detail})")
        seen = response.seen[Stage.RETRIEVE]
        run[response.request_id] = dict(zip(seen.ids, seen.scores, strict=True))
    target.close()
    return run


def write(run: Run, path: Path, name: str) -> None:
    """TREC's six columns; `repr` keeps every score as it is, so that no tie is made or unmade."""
    with path.open("w", encoding="utf-8") as file:
        for query, scores in run.items():
            for rank, (document, score) in enumerate(scores.items(), start=1):
                file.write(f"{query} Q0 {document} {rank} {score!r} {name}\n")


def _collection(documents: list[Document], queries: Path, judged: Path) -> Collection:
    qrels: dict[str, dict[str, int]] = {}
    for line in judged.read_text(encoding="utf-8").splitlines():
        query, _, document, grade = line.split()
        qrels.setdefault(query, {})[document] = int(grade)
    world = World(
        documents={document.document_id: document for document in documents},
        folders={},
        tenants={"public": Tenant("public")},
        principals={"reader": Principal("reader", "public")},
        units={},
        memberships={},
        guests={},
        links={},
        clock=NOW,
    )
    return Collection(world, {row["_id"]: row["text"] for row in _lines(queries)}, qrels)


def _document(name: str, title: str, text: str) -> Document:
    version = Version(
        f"{name}@1",
        title,
        (Chunk(name, text),),
        valid_from=BEGUN,
        states=((BEGUN, State.PUBLISHED),),
    )
    return Document(name, "public", (version,), entries=EVERYONE)


def _field(name: str, text: str) -> str:
    found = re.search(f"<{name}>(.*?)</{name}>", text, re.DOTALL)
    return found[1].strip() if found else ""


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode()
    return map(json.loads, text.splitlines())
