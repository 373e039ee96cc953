"""What a corpus is on disk, how it is named by its content, and how a world changes."""

from rageval_kit.corpus.digests import directory_digest, snapshot_digest
from rageval_kit.corpus.evolve import evolve
from rageval_kit.corpus.snapshots import (
    Directory,
    Snapshot,
    load_directory,
    load_snapshot,
    load_world,
    write_directory,
    write_snapshot,
)

__all__ = [
    "Directory",
    "Snapshot",
    "directory_digest",
    "evolve",
    "load_directory",
    "load_snapshot",
    "load_world",
    "snapshot_digest",
    "write_directory",
    "write_snapshot",
]
