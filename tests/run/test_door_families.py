"""The families of the ways in beside search: silent where the system is sound, and never asleep.

That each fault is noticed stands in tests/proofs/test_every_fault.py.
"""

from collections import Counter
from dataclasses import replace

import pytest

from rageval_kit.build import compose
from rageval_kit.records.cases import Look
from rageval_kit.records.verdicts import Outcome
from rageval_kit.retrievers.embedded import Embedded
from rageval_kit.run.prepare import prepare
from rageval_kit.run.prove import outcomes, run_cases
from rageval_kit.system.config import EmbeddedConfig

FAMILIES = "ACL-13,ACL-23,CIT-03,LOG-02,LOG-03,SID-03,SID-05,SID-09"


def plan(*more):
    return compose(
        "+suite=acl_full",
        f"suites.acl_full.families.ids=[{FAMILIES}]",
        "suites.acl_full.size.cases=12",
        "retriever=hybrid",
        *more,
    )


@pytest.fixture(scope="module")
def prepared():
    return prepare(plan())


def rows_of(prepared, families, fault=None):
    """As a run with the fault has them; the world and the cases are those of a clean one."""
    target = Embedded(EmbeddedConfig(fault=fault))
    with_fault = replace(prepared, plan=replace(prepared.plan, target=target))
    target.connect(prepared.world)
    wanted = [c.case_id for c in prepared.cases if c.coordinates.family in families]
    try:
        return run_cases(with_fault, wanted)
    finally:
        with_fault.others.close()


def test_a_clean_system_is_silent():
    rows = outcomes(plan("seed=10"))
    assert {row.family for row in rows} == set(FAMILIES.split(","))
    assert not [(r.case_id, r.outcome, r.reason) for r in rows if r.outcome is not Outcome.HELD]


def test_a_system_that_shows_nobody_anything_is_held_nowhere(prepared):
    rows = rows_of(prepared, set(FAMILIES.split(",")), "deny_all")
    assert Counter(row.outcome for row in rows) == {Outcome.UNOBSERVED: len(rows)}


def test_both_languages_are_asked_at_every_door():
    """Of as many cases as the family has by itself; of a few pairs all may be in one language."""
    shipped = compose("+suite=acl_full", "suites.acl_full.families.ids=[SID-03]")
    asked = {"en": set(), "zh": set()}
    for case in prepare(shipped).cases:
        for step in case.script.steps:
            if isinstance(step, Look):
                asked["en" if step.text.isascii() else "zh"].add(step.door)
    assert asked["en"] == asked["zh"] == {"suggest", "spelling"}
