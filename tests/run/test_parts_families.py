"""The families about parts, copies and other paths: silent when clean, each fault noticed."""

import pytest

from rageval_kit.build import compose
from rageval_kit.records.verdicts import Outcome
from rageval_kit.run.prove import outcomes
from rageval_kit.system.faults import FAULTS

FAMILIES = ("ACL-04", "ACL-12", "ACL-17", "ACL-19", "ACL-21", "ACL-22", "RNK-02", "RNK-04")
# One fault of each mechanism; the proof of the suite holds them all. Where it shows first.
KILLS = {
    "compartments_any_of": ("ACL-04", "retrieve"),
    "passage_compartments_replace": ("ACL-04", "retrieve"),
    "labels_compared_as_text": ("ACL-04", "retrieve"),
    "overlap_copies_neighbour": ("ACL-12", "context"),
    "ocr_takes_parent_label": ("ACL-22", "retrieve"),
    "hidden_sheet_merged": ("ACL-22", "context"),
    "neighbours_unfiltered": ("ACL-17", "context"),
    "parent_unfiltered": ("ACL-17", "context"),
    "hypothetical_unfiltered": ("ACL-19", "retrieve"),
    "session_keeps_scope": ("ACL-19", "retrieve"),
    "copy_named_as_first": ("ACL-21", "citation"),
    "filtered_at_the_end": ("RNK-02", "retrieve"),
    "short_walk": ("RNK-04", "retrieve"),
}


def of(*families, **more):
    said = [f"{key}={value}" for key, value in more.items()]
    chosen = f"suites.acl_full.families.ids=[{','.join(families)}]"
    return compose("+suite=acl_full", chosen, *said)


@pytest.mark.parametrize(("seed", "retriever"), [(7, "hybrid"), (9, "dense")])
def test_a_clean_system_is_silent(seed, retriever):
    rows = outcomes(of(*FAMILIES, seed=seed, retriever=retriever))
    assert {row.family for row in rows} == set(FAMILIES)
    assert not [(r.case_id, r.reason) for r in rows if r.outcome is not Outcome.HELD]


@pytest.mark.parametrize("fault", KILLS)
def test_each_fault_is_noticed_by_the_family_it_names(fault):
    family, stage = KILLS[fault]
    assert FAULTS[fault].families == (family,)
    rows = outcomes(of(family, fault=fault))
    violated = [row for row in rows if row.outcome is Outcome.VIOLATED]
    assert stage in {str(f.stage) for row in violated for f in row.findings}


def test_a_system_that_expands_nothing_is_not_called_safe():
    rows = outcomes(of("ACL-17", **{"retriever.expand": 0}))
    assert {row.outcome for row in rows} == {Outcome.UNOBSERVED}
    assert {row.reason for row in rows} == {"not_fired: neighbour_given nothing_beside_a_hit"}
