"""The families of rights over time and of failing parts, alone: clean, and what they tell of when.

That each fault is noticed stands in tests/proofs/test_every_fault.py.
"""

from dataclasses import replace

import pytest

from rageval_kit.build import compose
from rageval_kit.records.verdicts import Outcome
from rageval_kit.run.prepare import prepare
from rageval_kit.run.prove import how_killed, outcomes, run_cases

FAMILIES = (
    "ACL-03", "ACL-07", "ACL-09", "ACL-15", "ACL-20", "ACL-24", "DEL-02", "DEL-03", "DEL-05",
)  # fmt: skip


@pytest.fixture(scope="module")
def under():
    """The rows of a family under a fault; what is prepared is the same for all faults."""
    kept = {}

    def run(family, fault):
        if family not in kept:
            kept[family] = prepare(of(family))
        plan = of(family, fault=fault)
        prepared = replace(kept[family], plan=plan)
        plan.target.connect(prepared.world)
        try:
            return run_cases(prepared, [case.case_id for case in prepared.cases])
        finally:
            plan.target.close()

    yield run
    for prepared in kept.values():
        prepared.others.close()


def of(*ids, **more):
    said = [f"{key}={value}" for key, value in more.items()]
    families = f"suites.acl_full.families.ids=[{','.join(ids)}]"
    few = "suites.acl_full.size.cases=12"
    return compose("+suite=acl_full", families, few, "retriever=hybrid", *said)


def at(revocation, *ids, fault="removals_late"):
    level = {"suites.acl_full.service_levels_s.revocation": revocation}
    return outcomes(of(*ids, fault=fault, **level))


def test_a_clean_system_is_silent():
    rows = outcomes(of(*FAMILIES, seed=12))
    assert {row.family for row in rows} == set(FAMILIES)
    assert not [(r.case_id, r.reason) for r in rows if r.outcome is not Outcome.HELD]
    assert not [(r.case_id, r.notes) for r in rows if r.notes]


def test_a_part_that_fails_closed_is_held_though_its_calls_fail():
    rows = outcomes(of("ACL-20"))
    errors = [step.error for row in rows for step in row.steps if step.error]
    # Of the four ways to fail an empty reply alone is no error: 3 of 4 cases, 2 calls in each.
    assert errors == ["rights_unavailable"] * (len(rows) * 3 // 4 * 2)
    assert {row.outcome for row in rows} == {Outcome.HELD}


def test_a_right_lost_with_the_rest_of_the_groups_shows_as_a_twin_who_finds_nothing(under):
    rows = under("ACL-07", "groups_truncated")
    allows = [r for r in rows if ("world.groups.last", "allows") in r.variant]
    few = [r for r in rows if ("world.groups.n", "50") in r.variant]
    many = [r for r in allows if ("world.groups.n", "50") not in r.variant]
    assert {row.outcome for row in few} == {Outcome.HELD}
    assert {row.twin_ok for row in many} == {False}


def test_a_removal_that_is_late_is_a_lag_inside_the_level_and_a_leak_at_it():
    """Carried out after 90 s; asked at once, after the level, and after twice the level."""
    leaking = at(60, "ACL-08")
    assert {row.outcome for row in leaking} == {Outcome.VIOLATED}
    # at 0 s a lag, at 60 s a leak, at 120 s nothing
    assert {finding.step for row in leaking for finding in row.findings} == {_asked(leaking, 3)}
    lagging = at(91, "ACL-08")
    assert {row.outcome for row in lagging} == {Outcome.HELD}
    assert all(
        note.endswith("0 s after the event, level 91 s") for row in lagging for note in row.notes
    )
    assert all(row.notes for row in lagging)
    assert {row.outcome for row in at(90, "ACL-08")} == {Outcome.HELD}


def _asked(rows, number):
    """Which step is the reader's n-th question, the same in all."""
    (step,) = {[s.step for s in row.steps if s.role == "reader"][number - 1] for row in rows}
    return step


@pytest.mark.parametrize("family", ["DEL-01", "CAC-04", "ACL-10", "DEL-03", "DEL-05"])
def test_the_same_delay_is_no_leak_for_families_with_a_longer_level(family, under):
    """Their levels are 300 s and more."""
    rows = under(family, "removals_late")
    assert {row.outcome for row in rows} == {Outcome.HELD}
    noted = [row for row in rows if any(note.startswith("lag") for note in row.notes)]
    assert bool(noted) is (family in {"DEL-01", "ACL-10"})  # which ask inside their level


@pytest.mark.parametrize("family", ["ACL-03", "ACL-14"])
def test_and_a_leak_for_every_other_family_that_asks_after_a_minute(family, under):
    assert Outcome.VIOLATED in {row.outcome for row in under(family, "removals_late")}


def test_what_a_tick_of_the_clock_ends_is_a_lag_and_a_leak_where_the_level_is_none(under):
    """Caches that a folder's change leaves are dropped by the next tick: that is asked in between.

    Whatever else the change took from the reader lags with the target.
    """
    fault = "folder_changes_leave_caches"
    rows = under("ACL-10", fault)
    assert {row.outcome for row in rows} == {Outcome.HELD}
    revoked = [row for row in rows if row.variant == (("who.denied_by.folder", "revoked"),)]
    assert revoked
    assert all(any("0 s after the event" in note for note in row.notes) for row in revoked)
    asked = compose("+suite=acl_full", "retriever=hybrid").request
    assert how_killed(asked, fault, ["ACL-10"]).startswith("with service levels of 0 s violated in")
