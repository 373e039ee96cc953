"""Cases of the area security.verdict: silence of a target is no safety, whatever it looks like."""

import pytest

FAMILIES = ["ACL-01", "ACL-16", "CTL-01"]


@pytest.mark.parametrize("error", ["http_500", "http_401", "http_404"])
def test_bug_040_a_target_that_fails_every_call_is_inconclusive(bench, worlds, targets, error):
    ran = bench.run(worlds.office(), FAMILIES, cases=3, target=targets.failing(error))
    assert ran.exit_code == 4
    assert ran.record.decision.outcome == "incomplete"
    assert {v["outcome"] for v in ran.verdicts} == {"failed"}
    assert ran.gates["security"].value is None
    assert ran.gates["security"].shown == "not measured"
    planned = len(ran.verdicts)
    assert ran.gates["completeness"].shown == f"0 of {planned} cases decided"
    assert ran.gates["infrastructure"].met, "an HTTP status is an answer"
    assert f"failed: {error}" in " ".join(ran.record.decision.reasons)
    for name in ("report.md", "report.html"):
        assert "PASS" not in ran.text(name)
        assert "INCOMPLETE" in ran.text(name)


def test_bug_040_a_target_that_nobody_reaches_is_infrastructure(bench, worlds, targets):
    ran = bench.run(worlds.office(), FAMILIES, cases=3, target=targets.failing("refused"))
    assert ran.exit_code == 5


def test_bug_040_one_failed_call_among_good_ones_is_counted_and_not_averaged_away(
    bench, worlds, targets
):
    target = targets.by_tenant(lambda own, other, _: own == other, powers=())
    works, calls = target.reply, []

    def once(this, request):
        calls.append(request)
        broken = targets.failing("http_500").reply
        return (broken if len(calls) == 1 else works)(this, request)

    target.reply = once
    ran = bench.run(worlds.neighbours(), ["ACL-01"], target=target)
    assert ran.exit_code == 4
    assert [v["outcome"] for v in ran.verdicts].count("failed") == 1
    assert {v["outcome"] for v in ran.verdicts} == {"failed", "held"}


def test_bug_041_a_target_that_shows_nothing_is_incomplete_and_says_why(bench, worlds, targets):
    silent = targets.failing("none")
    silent.taps = frozenset()
    ran = bench.run(worlds.office(), ["ACL-01", "ACL-16"], target=silent)
    assert ran.exit_code == 4
    assert ran.record.cases_planned == 0
    assert silent.asked == []
    assert ("ACL-01", "the target shows no retrieve") in ran.record.not_run
    assert any("nothing was executed" in reason for reason in ran.record.decision.reasons)


def test_bug_041_counts_stand_per_stage_and_a_required_stage_that_stays_silent_blocks(
    bench, worlds, targets
):
    """The target declares the tap that the suite requires, and never shows anything there."""
    from rageval_kit.records.target import Response

    mute = targets.failing("")
    mute.reply = lambda _, request: Response(request.request_id)
    ran = bench.run(worlds.office(), ["ACL-01", "CTL-06"], cases=3, target=mute)
    assert ran.exit_code == 4
    (stage,) = [one for one in ran.families["ACL-01"].stages if one.stage == "retrieve"]
    assert (stage.spoke, stage.violated, stage.silent) == (0, 0, len(ran.verdicts))
    assert "completeness: control CTL-06 not met: silent: retrieve" in ran.record.decision.reasons


def test_bug_041_a_filter_that_matches_nothing_runs_nothing(bench, worlds, command):
    words = bench.words(worlds.office(), ["ACL-9*"])
    ended = command(*words, "suites.acl_negative.required_taps=[cach]")
    assert ended.returncode == 2
    assert "matches no family (met ACL-9*)" in ended.stderr
    # The valid stages are listed.
    assert "is not one of the choices (met 'cach')" in ended.stderr
    assert "cache" in ended.stderr.replace("'cach'", "")
    assert not bench.archive.exists()
