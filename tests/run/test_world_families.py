"""The families that compare worlds: silent on a clean system, with few worlds for many cases.

That each fault is noticed stands in tests/proofs/test_every_fault.py.
"""

import pytest

from rageval_kit.build import compose
from rageval_kit.build.planning import with_spec
from rageval_kit.execute.block import Runner
from rageval_kit.records.cases import Enter
from rageval_kit.records.verdicts import Outcome
from rageval_kit.run.kit_faults import same_world_differs
from rageval_kit.run.prepare import prepare
from rageval_kit.run.prove import outcomes
from rageval_kit.run.same_world import same_world_twice

FAMILIES = (
    "CAC-05", "DEL-06", "RNK-05", "SID-01", "SID-02", "SID-04", "SID-06", "SID-07", "SID-08",
    "SID-14",
)  # fmt: skip
SIZE = "suites.acl_full.size.cases=6"


@pytest.fixture(scope="module")
def plan():
    ids = f"suites.acl_full.families.ids=[{','.join(FAMILIES)}]"
    return compose("+suite=acl_full", ids, SIZE, "retriever=hybrid")


def test_a_clean_system_is_silent_and_every_family_makes_cases(plan):
    rows = outcomes(with_spec(plan, seed=8))
    assert {row.family for row in rows} == set(FAMILIES)
    assert not [(r.case_id, r.reason) for r in rows if r.outcome is not Outcome.HELD]


def test_a_shared_index_moves_lists_and_scores_and_that_is_counted(plan):
    rows = outcomes(with_spec(plan, families=["SID-01"]))
    told = [row.told for row in rows]
    assert sum(one["scores_differ"] for one in told) > len(told) / 2
    # the embedded index is exact: whatever differs differs by a scan, too
    assert all(
        one["interference"] and not one["approximation"] for one in told if one["ids_differ"]
    )


def test_few_worlds_serve_many_cases(plan):
    prepared = prepare(with_spec(plan, families=["SID-01", "SID-02", "SID-04"]))
    prepared.plan.target.connect(prepared.world)
    Runner(plan.target, 0, prepared.others).run([case.script for case in prepared.cases])
    entered = {
        step.other.key
        for case in prepared.cases
        for step in case.script.steps
        if isinstance(step, Enter) and step.other
    }
    assert prepared.others.made == len(entered) <= 4 < len(prepared.cases)
    prepared.others.close()


def test_no_unit_enters_more_worlds_than_are_held_at_once():
    """Twelve documents, a world for each: every one is there when its case comes to it."""
    whole = compose("+suite=acl_full", "suites.acl_full.families.ids=[SID-14]", "retriever=bm25")
    prepared = prepare(whole)
    prepared.plan.target.connect(prepared.world)
    runner = Runner(whole.target, 0, prepared.others)
    traces = runner.run([case.script for case in prepared.cases]).traces
    assert prepared.others.made > prepared.others.kept
    assert not [o for trace in traces for o in trace.observations if o.error]
    prepared.others.close()


def test_the_same_world_twice_is_equal_level_by_level_and_a_fickle_target_is_not(plan):
    prepared = prepare(with_spec(plan, families=["SID-02"]))
    prepared.plan.target.connect(prepared.world)
    found = same_world_twice(prepared)
    assert found.met is None  # each of these enters another world already: there is no plain case
    plain = compose("+suite=acl_full", "suites.acl_full.families.ids=[CIT-01,ACL-02]", SIZE)
    prepared = prepare(plain)
    prepared.plan.target.connect(prepared.world)
    found = same_world_twice(prepared)
    assert found.met
    assert found.n == found.n_total > 100
    assert same_world_differs(prepared, ())
    prepared.others.close()
