"""Whole runs against an endpoint that returns ids of documents: sound, leaky, dead or silent."""

import json
from collections import Counter

import pytest

from rageval_kit.records.target import Response, Seen, Stage

CONTROLS = ("CTL-01", "CTL-02", "CTL-04", "CTL-05", "CTL-06", "CTL-07")
FAMILIES = ("ACL-01", "ACL-02", "ACL-08", "ACL-16", "CIT-01", "LOG-01", "PRN-02", "RNK-03")


def by_id(record):
    return {family.family: family for family in record.families}


@pytest.fixture(scope="module")
def leaky(run_against, shelf):
    """One run against the endpoint without a filter: its record, and the queries it was asked."""
    queries = set()

    class Remembering(shelf):
        def search(self, requests):
            queries.update(r.query for r in requests if len(r.query) > 40)
            return super().search(requests)

    return run_against(Remembering(filtered=False), "ACL-01", "ACL-02", "CTL-01", size=8), queries


def test_a_sound_endpoint_that_returns_ids_can_pass(run_against, shelf, archive):
    target = shelf()
    record = run_against(target, *FAMILIES, *CONTROLS, "LOG-06", size=8)
    families = by_id(record)
    assert record.decision.exit_code == 0, record.decision.reasons
    assert sum(f.violated + f.failed + f.unobserved for f in families.values()) == 0
    for family_id in ("ACL-01", "ACL-02", "CTL-01", "PRN-02"):
        assert families[family_id].held == families[family_id].planned >= 8
    assert "the target lacks the power" in families["ACL-08"].not_applicable
    assert "mutate" in families["ACL-08"].not_applicable
    assert families["CIT-01"].not_applicable == "the target shows no citation"
    assert "plant" in families["RNK-03"].not_applicable
    assert {name for name, _ in record.not_run} >= {"ACL-08", "CIT-01", "LOG-01", "RNK-03"}
    # without a canary in the target our own files cannot be searched for one: said, not left out
    assert ("LOG-06", "the target lacks the power plant") in record.not_run
    assert target.closed
    assert (record.grain, record.taps, record.powers) == ("document", ("retrieve",), ())
    lines = (archive / record.run_id / "verdicts.jsonl").read_text("utf-8").splitlines()
    assert all(json.loads(line)["outcome"] == "held" for line in lines)
    assert record.cases_planned == record.cases_executed == len(lines)
    controls = {control.control: control for control in record.controls}
    assert controls["CTL-02"].met is None  # nothing can be planted: said, not passed
    assert controls["CTL-04"].met is True
    assert controls["CTL-06"].met is True
    assert controls["CTL-07"].met is True


def test_an_endpoint_without_a_filter_fails_and_each_finding_can_be_replayed(leaky):
    record, _ = leaky
    families = by_id(record)
    assert record.decision.exit_code == 3
    assert families["ACL-01"].violated > 0
    assert families["ACL-01"].pairs_leaked > 0
    assert families["ACL-01"].upper_bound is None
    for finding in record.findings:
        assert finding.stage == "retrieve"
        assert finding.denied_by
        assert finding.replay == f"rageval-kit replay {record.run_id} {finding.case_id}"
        assert [step.action.split()[-1] for step in finding.timeline] == ["asks", "asks"]
        assert "results, first" in finding.timeline[0].seen
        assert finding.document_id == finding.item_id
    severities = [finding.severity for finding in record.findings]
    assert severities == sorted(severities, key=["critical", "high", "medium", "low"].index)


def test_why_somebody_elses_document_may_not_be_seen_is_the_monitors_word(leaky):
    """Beside the target an unfiltered list shows other documents, denied for their own reasons."""
    from rageval_kit.access import Monitor
    from rageval_kit.corpus.snapshots import load_world
    from rageval_kit.resources import tree

    folder = tree("suites") / "worlds" / "demo"
    world = load_world(folder / "snapshot", folder / "directory.json")
    monitor = Monitor(world)
    record, _ = leaky
    for finding in record.findings:
        document = world.documents[finding.document_id]
        said = {
            monitor.decide(finding.principal_id, document.document_id, v.version_id, c.chunk_id)
            for v in document.versions
            for c in v.chunks
        }
        assert finding.denied_by in said


def test_a_system_that_raises_fails_every_case_with_the_cause(run_against, shelf):
    class Broken(shelf):
        def search(self, _):
            raise RuntimeError("no route to index")

    record = run_against(Broken(), "ACL-01", "CTL-01")
    families = by_id(record)
    assert families["ACL-01"].failed == families["ACL-01"].planned > 0
    assert families["ACL-01"].upper_bound is None
    (reason,) = families["ACL-01"].reasons
    assert "RuntimeError: no route to index" in reason
    assert record.calls == record.calls_failed
    assert record.decision.exit_code == 5


def test_a_system_that_answers_every_call_with_an_error_has_answered(run_against, shelf):
    class Refusing(shelf):
        def search(self, requests):
            return [Response(r.request_id, error="http_500") for r in requests]

    record = run_against(Refusing(), "ACL-01", "CTL-01")
    assert record.decision.exit_code == 4
    assert by_id(record)["ACL-01"].failed == by_id(record)["ACL-01"].planned


def test_a_system_that_shows_nothing_to_those_it_denies_proves_nothing(run_against, shelf):
    class Mute(shelf):
        """Leaves the list out of its reply where it would be empty of what was asked for."""

        def __init__(self):
            super().__init__()
            self.asked = Counter()

        def search(self, requests):
            self.asked.update(request.script for request in requests)
            twins = all(self.asked[request.script] % 2 == 0 for request in requests)
            return [
                reply if twins else Response(reply.request_id) for reply in super().search(requests)
            ]

    record = run_against(Mute(), "ACL-01", "CTL-01")
    family = by_id(record)["ACL-01"]
    assert family.unobserved == family.planned > 0
    assert set(family.reasons) == {"silent: retrieve"}
    assert record.decision.exit_code == 4


def test_a_system_that_finds_nobody_anything_is_incomplete_not_safe(run_against, shelf):
    class Empty(shelf):
        def search(self, requests):
            return [Response(r.request_id, {Stage.RETRIEVE: Seen()}) for r in requests]

    record = run_against(Empty(), "ACL-01", "CTL-01")
    family = by_id(record)["ACL-01"]
    assert family.unobserved == family.planned
    assert all(reason.startswith("twin_failed") for reason in family.reasons)
    assert record.decision.exit_code == 4


def test_ids_that_the_snapshot_does_not_know_fail_their_cases(run_against, shelf):
    class Foreign(shelf):
        def search(self, requests):
            replies = super().search(requests)
            return [
                Response(
                    reply.request_id,
                    {Stage.RETRIEVE: Seen((*reply.seen[Stage.RETRIEVE].ids, "elsewhere-1"))},
                )
                for reply in replies
            ]

    record = run_against(Foreign(), "ACL-01")
    family = by_id(record)["ACL-01"]
    assert family.failed == family.planned
    assert all("id not in the snapshot: 'elsewhere-1'" in reason for reason in family.reasons)


def test_the_target_is_closed_even_where_the_run_breaks(run_against, shelf, monkeypatch):
    def broken(*_):
        raise OSError("disk full")

    monkeypatch.setattr("rageval_kit.run.evaluate.ask_and_judge", broken)
    target = shelf()
    with pytest.raises(OSError, match="disk full"):
        run_against(target, "CTL-01")
    assert target.closed


def test_a_target_that_does_not_repeat_itself_is_found_out(run_against, shelf):
    class Fickle(shelf):
        calls = 0

        def search(self, requests):
            type(self).calls += 1
            replies = super().search(requests)
            turned = type(self).calls > 2
            return [
                Response(r.request_id, {Stage.RETRIEVE: Seen(r.seen[Stage.RETRIEVE].ids[::-1])})
                if turned
                else r
                for r in replies
            ]

    record = run_against(Fickle(), "ACL-01", "CTL-07", size=1)
    controls = {control.control: control for control in record.controls}
    assert controls["CTL-07"].met is False
    assert controls["CTL-07"].detail == "the target does not repeat itself"


def test_no_query_stands_in_the_archive(leaky, archive):
    record, queries = leaky
    files = [path for path in (archive / record.run_id).rglob("*") if path.is_file()]
    texts = [path.read_bytes() for path in files]
    assert queries
    assert files
    for query in queries:
        assert not any(query.encode() in text for text in texts)
