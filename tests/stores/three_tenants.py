"""Chinese passages under a generated organisation of three tenants, one with 2 % of the rows."""

import gzip
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from rageval_kit.corpus.snapshots import write_directory, write_snapshot
from rageval_kit.generate.organisation import organise
from rageval_kit.records.world import Chunk, Document, State, Tenant, Version, World

SINCE, CLOCK = datetime(2018, 1, 1, tzinfo=UTC), datetime(2024, 6, 1, tzinfo=UTC)
SMALL, SHARE = "tenant-3", 0.02


def world_of(folder: Path, seed: int = 1) -> World:
    """CMRC 2018: one document a paragraph. It names nobody; the organisation is the kit's."""
    documents = {}
    with gzip.open(folder / "retrieval" / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            name = f"cmrc-{row['_id'].replace('_', '-').lower()}"
            version = Version(
                f"{name}@1",
                row.get("title") or row["text"][:20],
                (Chunk(f"{name}@1#1", row["text"]),),
                SINCE,
                states=((SINCE, State.PUBLISHED),),
                language="zh",
            )
            documents[name] = Document(name, "cmrc", (version,))
    bare = World(documents, {}, {"cmrc": Tenant("cmrc")}, {}, {}, {}, {}, {}, CLOCK, name="cmrc")
    return _thinned(organise(bare, seed=seed, tenants=3, principals=45))


def _thinned(world: World) -> World:
    """Of the small tenant's documents, as many as make its share."""
    small = [key for key, one in world.documents.items() if one.tenant_id == SMALL]
    others = len(world.documents) - len(small)
    kept = set(small[: round(others * SHARE / (1 - SHARE))])
    documents = {
        key: one for key, one in world.documents.items() if one.tenant_id != SMALL or key in kept
    }
    return replace(world, documents=documents)


def written(world: World, folder: Path) -> list[str]:
    """The world as files, and the words that name them."""
    write_snapshot(world, folder / "snapshot")
    write_directory(world, folder / "directory.json")
    return [
        "corpus=snapshot",
        f"corpus.path={folder / 'snapshot'}",
        "access=directory",
        f"access.path={folder / 'directory.json'}",
    ]
