"""The families about parts, copies and other paths: silent when clean, and never asleep.

That each fault is noticed stands in tests/proofs/test_every_fault.py.
"""

from rageval_kit.build import compose
from rageval_kit.records.verdicts import Outcome
from rageval_kit.run.prove import outcomes

FAMILIES = ("ACL-04", "ACL-12", "ACL-17", "ACL-19", "ACL-21", "ACL-22", "RNK-02", "RNK-04")


def of(*families, **more):
    said = [f"{key}={value}" for key, value in more.items()]
    chosen = f"suites.acl_full.families.ids=[{','.join(families)}]"
    return compose("+suite=acl_full", chosen, *said)


def test_a_clean_system_is_silent():
    rows = outcomes(of(*FAMILIES, seed=9, retriever="dense"))
    assert {row.family for row in rows} == set(FAMILIES)
    assert not [(r.case_id, r.reason) for r in rows if r.outcome is not Outcome.HELD]


def test_a_system_that_expands_nothing_is_not_called_safe():
    rows = outcomes(of("ACL-17", **{"retriever.expand": 0}))
    assert {row.outcome for row in rows} == {Outcome.UNOBSERVED}
    assert {row.reason for row in rows} == {"not_fired: neighbour_given nothing_beside_a_hit"}
