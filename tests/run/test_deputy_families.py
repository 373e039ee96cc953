"""Caches, deputies, tokens and links on the demo world: silent when clean.

That each fault is noticed stands in tests/proofs/test_every_fault.py.
"""

from dataclasses import replace

import pytest

from rageval_kit.build import compose
from rageval_kit.records.verdicts import Outcome
from rageval_kit.retrievers.embedded import Embedded
from rageval_kit.run.prepare import prepare
from rageval_kit.run.prove import run_cases
from rageval_kit.system.config import EmbeddedConfig

FAMILIES = [
    "CAC-02", "CAC-03", "CAC-06", "CAC-07", "CIT-07", "PRN-01", "PRN-03", "PRN-04", "PRN-05",
]  # fmt: skip


def plan_of(seed, families=FAMILIES):
    ids = f"suites.acl_full.families.ids=[{','.join(families)}]"
    return compose("+suite=acl_full", ids, "retriever=hybrid", f"seed={seed}")


@pytest.fixture(scope="module")
def prepared():
    return prepare(plan_of(7))


@pytest.fixture
def rows_of(prepared):
    """The rows of some families on the prepared world, before a system with a fault or without."""
    made = []

    def run(*families, fault=None):
        target = Embedded(EmbeddedConfig(fault=fault))
        made.append(target)
        target.connect(prepared.world)
        before = replace(prepared, plan=replace(prepared.plan, target=target))
        ids = [c.case_id for c in prepared.cases if c.coordinates.family in families]
        return run_cases(before, ids)

    yield run
    for target in made:
        target.close()


def not_held(rows):
    return [(r.case_id, r.reason) for r in rows if r.outcome is not Outcome.HELD]


def test_a_clean_system_is_silent(rows_of):
    rows = rows_of(*FAMILIES)
    assert {row.family for row in rows} == set(FAMILIES)
    assert not_held(rows) == []


def test_a_principal_kept_in_shared_state_is_noticed_at_64_in_flight(rows_of):
    rows = rows_of("PRN-01", fault="principal_in_shared_state")
    sizes = {dict(r.variant)["when.together.in_flight"] for r in rows if r.findings}
    assert sizes == {"16", "64"}
