"""The families that list an index hold on the clean system, and fall to the faults they name."""

import pytest

from rageval_kit.build import compose
from rageval_kit.build.planning import with_spec
from rageval_kit.generate.family import variants
from rageval_kit.generate.shelf import load
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Outcome
from rageval_kit.resources import tree
from rageval_kit.run.prove import outcomes

FAMILIES = ["DEL-04", "VER-08"]


@pytest.fixture(scope="module")
def made():
    return with_spec(compose("+suite=smoke", "retriever=bm25"), families=FAMILIES)


@pytest.mark.parametrize("seed", [7, 8])
def test_the_clean_system_is_silent(made, seed):
    rows = outcomes(with_spec(made, seed=seed))
    assert {row.family for row in rows} == set(FAMILIES)
    assert {row.outcome for row in rows} == {Outcome.HELD}


@pytest.mark.parametrize(
    ("fault", "family", "said"),
    [
        ("stale_vectors", "VER-08", "wrong_model: vector of hashed-words-1"),
        ("orphans_kept", "DEL-04", "orphaned: deleted in the source"),
    ],
)
def test_a_fault_falls_to_the_family_it_names(made, fault, family, said):
    rows = [row for row in outcomes(with_spec(made, fault=fault)) if row.family == family]
    assert {row.outcome for row in rows} == {Outcome.VIOLATED}
    found = {(f.stage, f.evidence.rpartition(" (")[0]) for row in rows for f in row.findings}
    assert any(told.startswith(said) for _, told in found)
    assert {stage for stage, _ in found} == {Stage.INDEX}


def test_a_breach_inside_the_service_level_is_a_lag(made):
    rows = outcomes(with_spec(made, fault="orphans_kept"))
    lagged = [row for row in rows if any(note.startswith("lag") for note in row.notes)]
    assert lagged
    assert {row.family for row in lagged} == {"DEL-04"}


def test_both_ways_of_falling_behind_are_tried():
    (family,) = load(tree("suites") / "families", ["DEL-04"])
    assert [one.variant[0][1] for one in variants(family)] == [
        "state=deleted",
        "valid_time=superseded",
    ]
