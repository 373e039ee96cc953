"""What a plan comes to: nothing of a stricter suite is lost to a laxer, no time is guessed."""

import json
import shutil
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from rageval_kit.build import compose
from rageval_kit.generate.shelf import load
from rageval_kit.records.faults import InputError
from rageval_kit.resources import tree
from rageval_kit.run.prepare import _levels, _sizes, prepare
from rageval_kit.schema import FamilySelection, ServiceLevels, SizeSpec, SuiteSpec


def suite(cases=None, **levels):
    return SuiteSpec(FamilySelection(), SizeSpec(cases), service_levels_s=ServiceLevels(**levels))


def test_service_levels_that_differ_are_refused_by_name():
    with pytest.raises(
        InputError, match=r"suites\.b\.service_levels_s\.revocation.*30 is the other"
    ):
        _levels({"a": suite(revocation=30.0), "b": suite(revocation=60.0)})
    assert _levels({"a": suite(deletion=9.0), "b": suite(deletion=9.0)})["deletion"] == 9.0


def test_a_family_of_two_suites_is_as_large_as_the_larger_wants_it():
    (plain,) = load(tree("suites") / "families", ["ACL-01"])
    assert (plain.detects, plain.at_most) == (None, 0)
    families = [replace(plain, id="X-01", size=40), replace(plain, id="X-02", size=0)]
    chosen = {"a": ["X-01", "X-02"], "b": ["X-01"]}
    assert _sizes(families, {"a": suite(8), "b": suite(4)}, chosen) == {"X-01": 8, "X-02": 8}
    # Without a number in the suite the family's own counts, and where it has none the usual one.
    assert _sizes(families, {"a": suite(), "b": suite(4)}, chosen) == {"X-01": 40, "X-02": 24}


def test_a_text_is_searched_for_canaries_once_in_whatever_block_it_comes_back(monkeypatch):
    made = prepare(compose("+suite=smoke"))
    token, chunk_id = next(iter(made.scene.canaries.items()))
    text, searched = made.scene.places[chunk_id].chunk.text, []
    find = type(made.detector).find
    monkeypatch.setattr(
        type(made.detector), "find", lambda own, said: searched.append(said) or find(own, said)
    )
    for _ in range(3):
        assert made.canary_finder(text, "a question") == [chunk_id]
        assert made.canary_finder(text, f"about {token}") == []
    assert sorted(searched) == sorted([text, "a question", f"about {token}"])


def test_bug_064_a_snapshot_without_a_clock_runs_at_the_now_of_the_configuration(tmp_path):
    shutil.copytree(tree("suites") / "worlds" / "demo", tmp_path / "demo")
    head = tmp_path / "demo" / "snapshot" / "snapshot.json"
    told = json.loads(head.read_text("utf-8"))
    del told["clock"], told["digest"]
    head.write_text(json.dumps(told), "utf-8")
    words = ["+suite=smoke", "corpus=snapshot", f"corpus.path={head.parent}"]
    with pytest.raises(InputError, match=r"clock.*now="):
        prepare(compose(*words))
    made = prepare(compose(*words, "now=2026-10-27T09:00:00+08:00"))
    assert made.world.clock == datetime(2026, 10, 27, 1, tzinfo=UTC)
