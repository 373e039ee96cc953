"""Authority and metadata in the file format: optional, checked, and no part of older digests."""

from dataclasses import replace
from datetime import UTC, datetime
from types import MappingProxyType

import pytest

from rageval_kit.corpus.digests import snapshot_digest
from rageval_kit.corpus.shape import read_document, write_document
from rageval_kit.corpus.snapshots import load_world
from rageval_kit.intake.cells import CellError, read_number, read_pairs
from rageval_kit.intake.validate import read_and_check, validate
from rageval_kit.records.world import Chunk, Document, Version
from rageval_kit.resources import tree

SINCE = datetime(2020, 1, 1, tzinfo=UTC)
PLAIN = Document("d", "acme", (Version("d@1", "t", (Chunk("c", "text"),), SINCE),))
SAID = (("author", "Wen"), ("tags", "a, b"))
RICH = replace(PLAIN, authority=5, versions=(replace(PLAIN.versions[0], metadata=SAID),))
DEMO = "8985192a637769f7b9c1ecdb889f6a09b076bc48a135b659ef8eca50c5148d55"


def test_what_is_not_said_leaves_no_trace_in_the_line():
    line = write_document(PLAIN)
    assert "authority" not in line
    assert "metadata" not in line["versions"][0]
    assert read_document(line, "UTC") == PLAIN


def test_what_is_said_comes_back():
    line = write_document(RICH)
    assert line["authority"] == 5
    assert line["versions"][0]["metadata"] == {"author": "Wen", "tags": "a, b"}
    assert read_document(line, "UTC") == RICH


def test_the_digest_of_the_shipped_world_is_the_one_it_had_before():
    folder = tree("suites") / "worlds" / "demo"
    world = load_world(folder / "snapshot", folder / "directory.json")
    assert snapshot_digest(world) == DEMO
    key = min(world.documents)
    richer = replace(world.documents[key], authority=1)
    changed = MappingProxyType({**world.documents, key: richer})
    assert snapshot_digest(replace(world, documents=changed)) != DEMO


@pytest.mark.parametrize(("written", "read"), [(0, 0), (7, 7), ("7", 7), (" 12 ", 12)])
def test_a_whole_number_is_read_as_a_number_or_its_digits(written, read):
    assert read_number(written) == read


@pytest.mark.parametrize("written", [-1, 1.5, True, "", "seven", "1.0", "٣", 10**12, None, [1]])
def test_anything_else_is_no_authority(written):
    with pytest.raises(CellError):
        read_number(written)


@pytest.mark.parametrize("written", ["{", "[]", "5", {"a": 1}, {"": "x"}, {"a": ["b"]}, 5])
def test_metadata_is_names_with_a_text_each(written):
    with pytest.raises(CellError):
        read_pairs(written)


def test_metadata_is_read_from_an_object_or_its_json_in_a_cell():
    assert read_pairs({"a": "b", None: 3}) == {"a": "b"}  # YAML keeps its line under None
    assert read_pairs('{"作者": "温"}') == {"作者": "温"}


WORLD = """
schema: 1
clock: 2024-08-01T09:00:00Z
timezone: UTC
tenants: [{tenant_id: acme}]
principals: [{principal_id: ann, tenant: acme}]
documents:
  - document_id: d
    tenant: acme
    authority: AUTHORITY
    entries: []
    versions:
      - version_id: d@1
        title: t
        valid_from: 2024-01-01
        states: published
        metadata: METADATA
        chunks: [{text: a}]
"""


def written(tmp_path, authority, metadata):
    path = tmp_path / "world.yaml"
    text = WORLD.replace("AUTHORITY", authority).replace("METADATA", metadata)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_world_written_by_hand_may_say_both(tmp_path):
    report, world = read_and_check(written(tmp_path, "3", "{author: Wen, 标签: 甲}"))
    assert report.ok
    document = world.documents["d"]
    assert document.authority == 3
    assert document.versions[0].metadata == (("author", "Wen"), ("标签", "甲"))


def test_what_is_neither_is_refused_with_its_place_and_its_way_out(tmp_path):
    report = validate(written(tmp_path, "high", "[Wen]"))
    said = [str(fault) for fault in report.faults]
    assert len(said) == 2
    assert any("authority" in one and "is not a whole number" in one for one in said)
    assert any("versions[0].metadata" in one and "is not an object" in one for one in said)
