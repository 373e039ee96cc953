"""An index held against its source, as people and programs are told of it."""

import json

import pytest

from rageval_kit.corpus.reconcile import source_index
from rageval_kit.corpus.snapshots import load_world
from rageval_kit.resources import tree

DEMO = tree("suites") / "worlds" / "demo"


@pytest.fixture(scope="module")
def entries():
    world = load_world(DEMO / "snapshot", DEMO / "directory.json")
    every = source_index(world).entries.values()
    assert any(entry.gone_at for entry in every)
    return [entry for entry in every if entry.gone_at is None]


def listing(folder, entries, **changed):
    rows = [{"chunk_id": e.chunk_id, "digest": e.digest} | changed for e in entries]
    path = folder / "index.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path.name


def test_an_index_that_agrees_ends_with_0(kit, entries):
    ended = kit("reconcile", listing(kit.folder, entries))
    assert ended.returncode == 0, ended.stderr
    assert f"the index holds {len(entries):,}" in ended.stderr
    assert "the index agrees with its source" in ended.stderr


def test_what_differs_is_counted_named_and_written(kit, entries):
    due = [entry for entry in entries if entry.in_force]
    held = [entry for entry in entries if entry is not due[0]]
    name = listing(kit.folder, held)
    with (kit.folder / name).open("a", encoding="utf-8") as file:
        file.write('{"chunk_id": "ghost"}\n')
    ended = kit("reconcile", name, "--json", "-o", "out.jsonl")
    assert ended.returncode == 1
    told = json.loads(ended.stdout)
    assert told["counts"]["missing"] == told["counts"]["orphaned"] == 1
    assert (told["agrees"], told["due"]) == (False, len(due))
    lines = (kit.folder / "out.jsonl").read_text("utf-8").splitlines()
    assert {(row["kind"], row["chunk_id"]) for row in map(json.loads, lines)} == {
        ("missing", due[0].chunk_id),
        ("orphaned", "ghost"),
    }
    assert "orphaned" in ended.stderr
    assert "ghost" in ended.stderr


def test_a_wrong_model_is_one(kit, entries):
    ended = kit("reconcile", listing(kit.folder, entries, model="old"), "--model", "new")
    assert ended.returncode == 1
    assert f"wrong_model {len(entries):>8,}" in ended.stderr


def test_entries_without_a_model_do_not_agree_with_one(kit, entries):
    """Nothing differs, and nothing was seen of what was asked: 4, as of any incomplete run."""
    name = listing(kit.folder, entries)
    ended = kit("reconcile", name, "--model", "new", "--json")
    assert ended.returncode == 4
    told = json.loads(ended.stdout)
    assert (told["agrees"], told["model_not_told"]) == (False, True)
    assert told["untold"]["model"] == len(entries)
    assert "whether every vector is of the model asked about cannot be said" in ended.stderr
    assert "agrees with its source" not in ended.stderr


def test_the_configured_target_lists_its_own_index(kit, entries):
    ended = kit("reconcile", "retriever=bm25", "--json")
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["held"] == len(entries)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("none.jsonl",), "none.jsonl"),
        (("a.jsonl", "b.jsonl"), "one INDEX at a time"),
        (("--level", "-1"), "--level is -1"),
        (("--timed-from", "yesterday"), "--timed-from 'yesterday'"),
        (("retriever=http", "retriever.url=http://127.0.0.1:9/x"), "does not list its index"),
        (("corpus.nam=demo",), "corpus.nam"),
    ],
)
def test_what_cannot_be_compared_is_refused(kit, words, said):
    ended = kit("reconcile", *words)
    assert ended.returncode == 2
    assert said in ended.stderr
