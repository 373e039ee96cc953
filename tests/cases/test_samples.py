"""Cases of judged questions: stale and dangling judgments, lost scores, strata that disappear."""

import dataclasses
import json
from datetime import UTC, datetime

import numpy as np
import pytest

from rageval_kit.build import plan, requests
from rageval_kit.gates.policy import load_policy
from rageval_kit.metrics.hit_rate import HitRate
from rageval_kit.metrics.recall import Recall
from rageval_kit.records.faults import InputError
from rageval_kit.records.target import Response, Seen, Stage
from rageval_kit.records.world import Principal
from rageval_kit.run.evaluate import evaluate


@pytest.fixture
def ask(bench, worlds, targets, tmp_path):
    """Run samples on two documents (d1, d2, d7): `shown[query_id]` is a list, or a failure."""

    def run(samples, shown, metrics, *words, gate=None, changed=None, name="judged"):
        documents = [worlds.document(d, f"paper {d}", worlds.EVERYONE) for d in ("d1", "d2", "d7")]
        if changed:  # d7's newest version was recorded then
            version = dataclasses.replace(documents[2].versions[0], recorded_from=changed)
            documents[2] = dataclasses.replace(documents[2], versions=(version,))
        home = bench.write(worlds.world(documents, [Principal("ann", "acme")]))
        file = tmp_path / f"{name}.jsonl"
        file.write_text("".join(json.dumps(one) + "\n" for one in samples), encoding="utf-8")
        (request,), _ = requests(
            ["corpus=snapshot", f"corpus.path={home / 'snapshot'}", f"archive.root={bench.archive}",
             f"samples.path={file}", "samples.principal=ann", *words]
        )  # fmt: skip

        def reply(_, asked):
            there = shown[asked.query]
            if isinstance(there, str):
                return Response(asked.request_id, error=there, detail="no reply")
            return Response(asked.request_id, {Stage.RETRIEVE: Seen(tuple(there))})

        made = dataclasses.replace(
            plan(request), target=targets.Plain(reply), metrics={m.name: m for m in metrics},
            gate=load_policy(gate or {}),
        )  # fmt: skip
        record = evaluate(made)
        return record, bench.archive / record.run_id

    return run


def sample(query_id, grades, **more):
    return {"query_id": query_id, "question": query_id, "relevant_passages": grades, **more}


def gate_of(record, name):
    return next(gate for gate in record.decision.gates if gate.gate == name)


def floor(metric, at_least):
    return {"thresholds": {"floor": {"metric": metric, "at_least": at_least}}}


def test_bug_015_a_judged_document_that_is_not_in_the_snapshot_is_refused_or_counted(ask):
    samples, shown = [sample("q1", {"d1": 1, "ghost": 1})], {"q1": ["d1"]}
    with pytest.raises(InputError, match=r"judged document not in snapshot: ghost \(query q1\)"):
        ask(samples, shown, [Recall(5)])
    record, folder = ask(samples, shown, [Recall(5)], "samples.allow_dangling=true")
    assert record.metrics[0].value == pytest.approx(0.5)
    assert record.samples.n_dangling == 1
    told = (folder / "report.md").read_text("utf-8")
    assert "so never found; the relevant ones lower recall: 1" in told


STALE = {"snapshot": "sha256:aaa", "date": "2024-01-08"}
CHANGED = datetime(2025, 6, 1, tzinfo=UTC)


def test_bug_016_judgments_older_than_their_document_never_pass_plainly(ask):
    samples = [sample("q1", {"d7": 2}, labelling=STALE)]
    record, folder = ask(samples, {"q1": ["d7"]}, [Recall(5)], changed=CHANGED)
    assert record.metrics[0].value == 1.0
    assert record.decision.exit_code == 4
    (note,) = record.samples.stale
    assert (note.query_id, note.document_id) == ("q1", "d7")
    assert (record.samples.stale_share, record.samples.labelled_on) == (1.0, ("aaa",))
    assert record.snapshot_digest
    assert gate_of(record, "completeness").reasons == (
        "judged on an older version: 1.00 of the relevant judgments > 0.1",
    )
    page = (folder / "report.md").read_text("utf-8")
    assert "Judged on an older version: 1" in page
    assert "aaa" in page


def test_bug_016_judgments_of_this_snapshot_or_after_the_change_are_current(ask):
    later = {"snapshot": "sha256:aaa", "date": "2025-07-01"}
    record, _ = ask([sample("q1", {"d7": 2}, labelling=later)], {"q1": ["d7"]}, [Recall(5)],
                    changed=CHANGED)  # fmt: skip
    assert (record.decision.exit_code, record.samples.stale) == (0, ())
    here = {"snapshot": f"sha256:{record.snapshot_digest}", "date": "2024-01-08"}
    record, _ = ask([sample("q1", {"d7": 2}, labelling=here)], {"q1": ["d7"]}, [Recall(5)],
                    changed=CHANGED, name="here")  # fmt: skip
    assert (record.decision.exit_code, record.samples.stale) == (0, ())


def test_bug_016_the_limit_is_the_policys(ask):
    samples = [sample("q1", {"d7": 2}, labelling=STALE)]
    policy = {"completeness": {"stale_judgments": 1.0}}
    record, _ = ask(samples, {"q1": ["d7"]}, [Recall(5)], changed=CHANGED, gate=policy)
    assert record.decision.exit_code == 0
    assert record.samples.n_stale == 1


class Scored:
    """A judge that gave 0.8, nothing it could say, and 0.6."""

    name, version, definition = "judge", 1, {"en": "A judge's score.", "zh": "评分。"}
    grains = frozenset({"document"})

    def __call__(self, judged):
        values = np.array([0.8, np.nan, 0.6])
        return judged.column(self.name, self.version, values, np.ones(3, dtype=bool))


def test_bug_018_a_score_that_is_not_a_number_is_counted_and_not_averaged(ask):
    samples = [sample(f"q{n}", {"d1": 1}) for n in range(3)]
    shown = {f"q{n}": ["d1"] for n in range(3)}
    record, folder = ask(samples, shown, [Scored()], gate=floor("judge", 0.6))
    (metric,) = record.metrics
    assert metric.value == pytest.approx(0.7)
    assert (metric.n_scored, metric.n_total) == (2, 3)
    assert metric.reasons == {"failed: not a finite number": 1}
    assert gate_of(record, "floor").met  # 0.7 >= 0.6, and yet:
    assert record.decision.exit_code == 4
    (reason,) = gate_of(record, "completeness").reasons
    assert "2 of 3 queries scored, coverage 0.67 < 0.9" in reason
    assert "2 of 3" in (folder / "report.md").read_text("utf-8")


def test_bug_019_what_failed_before_it_was_scored_stays_in_the_denominator(ask):
    samples = [sample(f"q{n}", {"d1": 1}) for n in range(50)]
    shown = {"q0": ["d1"], **{f"q{n}": "timeout" for n in range(1, 50)}}
    record, _ = ask(samples, shown, [HitRate(1)], gate=floor("hit_rate@1", 1.0))
    (metric,) = record.metrics
    assert (metric.n_scored, metric.n_total) == (1, 50)
    assert metric.reasons == {"failed: timeout": 49}
    assert metric.floor == pytest.approx(0.02)
    assert record.decision.exit_code == 4
    assert str(record.decision.outcome) == "incomplete"


def test_bug_020_a_failure_of_the_line_is_no_wrong_answer(ask):
    samples = [sample(f"q{n}", {"d1": 1}) for n in range(4)]
    shown = {"q0": ["d1"], "q1": ["d1"], "q2": ["d2"], "q3": "rate_limited"}
    record, folder = ask(samples, shown, [HitRate(1)])
    (metric,) = record.metrics
    assert metric.value == pytest.approx(2 / 3)
    assert metric.floor == pytest.approx(0.5)
    assert metric.n_scored / metric.n_total == 0.75
    assert metric.reasons == {"failed: rate_limited": 1}
    page = (folder / "report.md").read_text("utf-8")
    assert "if every missing score were 0: 0.500" in page


DECLARED = "samples.strata={department:[finance,hr,legal]}"


def departments():
    named = ["finance"] * 10 + ["hr"]
    samples = [
        sample(f"q{n}", {"d1": 1}, strata={"department": name}) for n, name in enumerate(named)
    ]
    shown = {f"q{n}": ["d1"] if n % 2 == 0 else ["d2"] for n in range(11)}
    return samples, shown


def test_bug_113_a_stratum_without_samples_keeps_its_row(ask):
    samples, shown = departments()
    record, folder = ask(samples, shown, [HitRate(1)], DECLARED)
    rows = [(r.stratum, r.n_scored, r.value, r.note) for r in record.samples.strata]
    assert rows == [
        ("finance", 10, pytest.approx(0.5), ""),
        ("hr", 1, 1.0, "too_few"),
        ("legal", 0, None, "not_measured"),
    ]
    finance, hr, legal = record.samples.strata
    assert finance.low < 0.5 < finance.high
    assert (hr.low, hr.high, legal.low, legal.high) == (None, None, None, None)
    (mean,) = record.samples.macro
    assert (mean.entered, mean.value) == (("finance",), pytest.approx(0.5))
    page = (folder / "report.md").read_text("utf-8")
    lines = [
        line for line in page.splitlines() if line.startswith(("| `finance", "| `hr", "| `le"))
    ]
    assert ["too few" in line for line in lines] == [False, True, False]
    assert ["not measured" in line for line in lines] == [False, False, True]
    assert "rests on `finance`" in page
    assert record.decision.exit_code == 0


@pytest.mark.parametrize(("name", "n"), [("legal", 0), ("hr", 1)])
def test_bug_113_a_required_stratum_below_its_minimum_is_incomplete(ask, name, n):
    samples, shown = departments()
    required = f"samples.required={{department:[{name}]}}"
    record, _ = ask(samples, shown, [HitRate(1)], DECLARED, required)
    assert record.decision.exit_code == 4
    assert gate_of(record, "completeness").reasons == (
        f"required stratum department={name}: {n} of at least 5 samples scored",
    )
    assert [row.stratum for row in record.samples.strata] == ["finance", "hr", "legal"]
