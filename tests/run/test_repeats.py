"""Cases that run several times: what they come to, and when another verdict is chance."""

import dataclasses
import json

import pytest

from rageval_kit.build import compose
from rageval_kit.records.faults import InputError
from rageval_kit.records.verdicts import Finding, Outcome
from rageval_kit.run.evaluate import evaluate
from rageval_kit.run.families import _told
from rageval_kit.run.repeats import by_chance, fold, varies
from rageval_kit.run.replay import replay
from rageval_kit.run.rows import show_the_same

HELD, VIOLATED, FAILED, UNOBSERVED = (
    Outcome.HELD,
    Outcome.VIOLATED,
    Outcome.FAILED,
    Outcome.UNOBSERVED,
)


class Quiet:
    def start(self, total): ...
    def advance(self, done, errors=0): ...
    def finish(self): ...


@pytest.mark.parametrize(
    ("outcomes", "came_to"),
    [
        ("held held held", "held"),
        ("held violated held", "violated"),
        ("failed violated unobserved", "violated"),
        ("held unobserved failed", "failed"),
        ("unobserved held held", "unobserved"),
    ],
)
def test_the_worst_repeat_is_the_case_in_the_order_of_the_rules(by_hand, outcomes, came_to):
    rows = [by_hand.row(1, outcome, reason=outcome) for outcome in outcomes.split()]
    row = fold(rows)
    assert (row.outcome, row.reason) == (came_to, came_to)
    assert row.repeats == tuple(outcomes.split())
    assert row.told["repeats_differ"] is (len(set(outcomes.split())) > 1)


def test_one_run_is_no_repeat(by_hand):
    row = by_hand.row()
    assert fold([row]) is row


def test_what_any_repeat_showed_is_kept(by_hand):
    one = Finding("canary", "answer", 0, "u", "a")
    two = Finding("canary", "answer", 0, "u", "b")
    rows = [
        by_hand.row(1, "held", notes=("lag: 1",), told={"echoed": True}, twin_ok=True),
        by_hand.row(1, "violated", findings=(one,), told={"echoed": False}, twin_ok=False),
        by_hand.row(1, "violated", findings=(one, two), notes=("lag: 1",), twin_ok=True),
    ]
    row = fold(rows)
    assert row.findings == (one, two)
    assert row.notes == ("lag: 1",)
    assert row.told == {"echoed": True, "repeats_differ": True}
    assert row.twin_ok is False


def test_a_family_tells_how_many_of_all_repeats_were_violated(by_hand):
    """Two cases of three repeats each: one violated once, one never."""
    rows = [
        fold([by_hand.row(1, o) for o in ("held", "violated", "held")]),
        fold([by_hand.row(2, o) for o in ("held", "held", "held")]),
    ]
    assert _told(rows) == {"repeats_differ": (1, 2), "repeats_violated": (1, 6)}


@pytest.mark.parametrize(
    ("before", "now", "p"),
    [
        ([HELD] * 5, [HELD] * 5, 1.0),
        ([HELD, VIOLATED], [VIOLATED, HELD], 1.0),
        ([HELD] * 3, [VIOLATED] * 3, 0.25),  # 2 · 1/8
        ([HELD] * 8, [VIOLATED] * 8, 2 / 256),
        ([VIOLATED] * 8, [HELD] * 7 + [FAILED], 2 / 256),
        ([HELD] * 5, [VIOLATED] + [UNOBSERVED] * 3 + [HELD], 0.125),  # 2 · 1/16
    ],
)
def test_a_sign_test_says_how_likely_chance_is(before, now, p):
    assert by_chance(before, now) == pytest.approx(p)


def test_taps_of_the_answer_may_be_left_out_of_the_comparison():
    from rageval_kit.run.rows import StepRow

    one = [StepRow(0, 0, "reader", "u", {"retrieve": ("a",), "citation": ("a",)})]
    two = [StepRow(0, 0, "reader", "u", {"retrieve": ("a",)})]
    assert not show_the_same(one, two)
    assert show_the_same(one, two, {"citation"})
    three = [StepRow(0, 0, "reader", "u", {"retrieve": ("b",)})]
    assert not show_the_same(one, three, {"citation"})


def test_a_target_varies_where_it_says_so_or_is_asked_several_times(shelf):
    assert not varies(shelf())
    assert varies(shelf(), 3)

    class Model(shelf):
        varies = True

    assert varies(Model())


@pytest.mark.parametrize("repeats", ["0", "101", "two"])
def test_a_number_of_repeats_that_is_none_is_refused(repeats):
    with pytest.raises(InputError, match=r"engine\.repeats"):
        compose("+suite=smoke", f"engine.repeats={repeats}")


def run(tmp_path, target, *words):
    plan = compose(
        "+suite=acl_negative",
        "suites.acl_negative.families.ids=[ACL-01,CTL-07]",
        "suites.acl_negative.size.cases=4",
        f"archive.root={tmp_path}",
        *words,
    )
    record = evaluate(dataclasses.replace(plan, target=target), Quiet())
    lines = (tmp_path / record.run_id / "verdicts.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return record, [row.get("record", row) for row in rows]


def test_a_leak_in_one_repeat_is_a_violation_and_the_archive_tells_which(tmp_path, shelf):
    class LeaksOnce(shelf):
        """Filters, except the second time that a script runs."""

        def _one(self, request):
            self.filtered = request.repeat != 1
            return super()._one(request)

    record, rows = run(tmp_path, LeaksOnce(), "engine.repeats=3")
    (family,) = record.families
    assert family.violated == family.planned == 4
    assert [row["repeats"] for row in rows] == [["held", "violated", "held"]] * 4
    assert family.told == {"repeats_differ": (4, 4), "repeats_violated": (4, 12)}
    assert record.calls == 3 * 4 * 2
    assert record.decision.exit_code == 3
    assert record.controls[0].met  # again three times, again the same verdicts


def test_without_repeats_nothing_is_told_of_them(tmp_path, shelf):
    record, rows = run(tmp_path, shelf())
    assert [row["repeats"] for row in rows] == [[]] * 4
    assert record.families[0].told == {}


def test_a_run_with_repeats_comes_to_the_same_when_replayed(tmp_path):
    plan = compose(
        "+suite=smoke",
        "suites.smoke.size.cases=2",
        "engine.repeats=2",
        f"archive.root={tmp_path}",
    )
    record = evaluate(plan, Quiet())
    report = replay(tmp_path / record.run_id, None, Quiet())
    assert report.repeated == record.cases_executed > 0
    assert report.differences == report.varied == ()
