"""By what name does the content of a snapshot or a directory go?"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from rageval_kit.corpus import shape
from rageval_kit.corpus.times import format_instant
from rageval_kit.records.world import Document, Folder, World

SCHEMA = 1

_ENCODER = msgspec.json.Encoder(order="deterministic")


def encode(line: Any) -> bytes:
    """Give the canonical bytes of one JSON value: keys sorted, no spaces, UTF-8."""
    return _ENCODER.encode(line)


def head_lines(world: World) -> dict[str, Any]:
    """Give what snapshot.json says besides the name, which is no part of the content."""
    return {
        "schema": SCHEMA,
        "clock": format_instant(world.clock),
        "timezone": world.timezone,
        "policy": shape.write_policy(world.policy),
    }


def document_lines(documents: Mapping[str, Document]) -> Iterator[bytes]:
    return (encode(shape.write_document(documents[key])) for key in sorted(documents))


def folder_lines(folders: Mapping[str, Folder]) -> Iterator[bytes]:
    return (encode(shape.write_folder(folders[key])) for key in sorted(folders))


def directory_tables(world: World) -> dict[str, list[dict[str, Any]]]:
    """Give the tables of a directory, each in the order of its ids."""
    return {
        "tenants": [shape.write_tenant(world.tenants[k]) for k in sorted(world.tenants)],
        "principals": [
            shape.write_principal(world.principals[k]) for k in sorted(world.principals)
        ],
        "units": [shape.write_unit(world.units[k]) for k in sorted(world.units)],
        "memberships": [
            shape.write_membership(world.memberships[k]) for k in sorted(world.memberships)
        ],
        "guests": [shape.write_guest(world.guests[k]) for k in sorted(world.guests)],
        "links": [shape.write_link(world.links[k]) for k in sorted(world.links)],
    }


def _sha256(lines: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for line in lines:
        # the canonical form has no raw line feed, so a line cannot pass for two
        digest.update(line)
        digest.update(b"\n")
    return digest.hexdigest()


def _snapshot_lines(world: World) -> Iterator[bytes]:
    yield encode(head_lines(world))
    yield b"documents"
    yield from document_lines(world.documents)
    yield b"folders"
    yield from folder_lines(world.folders)


def snapshot_digest(source: World | Path) -> str:
    """Name a snapshot by its content: sha-256, whatever the order and format of its files.

    Clock, time zone and policy count; the name does not, and neither does the directory.
    """
    if isinstance(source, Path):
        from rageval_kit.corpus.snapshots import load_snapshot

        source = load_snapshot(source, verify=False).with_nobody()
    return _sha256(_snapshot_lines(source))


def directory_digest(source: World | Path, timezone: str = "UTC") -> str:
    """Name a directory by its content; `timezone` reads the bare dates of a file."""
    if isinstance(source, Path):
        from rageval_kit.corpus.snapshots import load_directory

        source = load_directory(source, timezone).with_nothing()
    tables = directory_tables(source)
    return _sha256(encode([name, line]) for name, lines in tables.items() for line in lines)
