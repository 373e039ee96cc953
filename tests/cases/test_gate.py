"""Cases of the area gate: one verdict, told alike by everything that tells it."""

import json
import xml.etree.ElementTree as ET

from rageval_kit.execute.names import session_name

SMALL = "suites.acl_negative.size.cases=8"


def test_bug_042_console_files_and_exit_code_tell_one_verdict(bench, worlds, command):
    """A mean of 1.0 over the permitted documents stands beside the leak, and offsets nothing."""
    words = bench.words(worlds.office(), ["ACL-01", "CTL-01"], SMALL, "fault=no_tenant_check")
    ended = command(*words, "--json")
    assert ended.returncode == 3, ended.stderr
    told = json.loads(ended.stdout)
    assert (told["exit_code"], told["outcome"]) == (3, "fail")
    (folder,) = bench.archive.iterdir()
    decision = json.loads((folder / "decision.json").read_bytes())
    assert (decision["exit_code"], decision["outcome"]) == (3, "fail")
    assert any(reason.startswith("security: ") for reason in decision["reasons"])
    summary = json.loads((folder / "summary.json").read_bytes())
    assert summary["decision"] == decision
    recall = next(one for one in summary["metrics"] if one["metric"] == "recall@10")
    assert recall["value"] == 1.0
    assert " FAIL" in ended.stderr
    assert " PASS" not in ended.stderr
    for name in ("report.md", "report.html"):
        text = (folder / name).read_text(encoding="utf-8")
        assert "FAIL" in text
    junit = ET.fromstring((folder / "junit.xml").read_bytes())  # noqa: S314 - our own
    assert int(junit.get("failures")) > 0
    sarif = json.loads((folder / "results.sarif").read_bytes())
    assert len(sarif["runs"][0]["results"]) > 0
    statement = json.loads((folder / "statement.intoto.json").read_bytes())
    assert statement["predicate"]["result"] == "FAILED"


def test_bug_043_a_report_shows_digits_that_justify_a_gate_that_fails_by_a_hair(
    bench, worlds, targets
):
    """One of the twins' questions finds nothing: recall is (n-1)/n, just below the threshold."""
    target = targets.by_tenant(lambda own, other, _: own == other, powers=())
    works, lost = target.reply, []

    def loses_one(this, request):
        response = works(this, request)
        if request.session in twins and (not lost or request.request_id in lost):
            lost.append(request.request_id)
            return targets.nothing(request)
        return response

    from rageval_kit.run.prepare import prepare

    home = worlds.neighbours()
    cases = prepare(bench.plan(bench.write(home), ["ACL-01"], target=target)).cases
    twins = {session_name(case.case_id, "twin") for case in cases}
    target.reply = loses_one
    n = 12  # three pairs of a reader and a document, four wordings
    threshold = round((n - 1) / n + 0.0001, 4)  # 0.9168 > 11/12 = 0.91667
    key = "gate.thresholds.recall_of_permitted.at_least"
    ran = bench.run(home, ["ACL-01"], f"{key}={threshold}", target=target)
    gate = ran.gates["recall_of_permitted"]
    assert (gate.n_scored, gate.met) == (n, False)
    assert gate.shown == "0.9167"
    for name in ("report.md", "report.html"):
        assert "0.9167" in ran.text(name)
        assert "0.9168" in ran.text(name)
    assert ran.exit_code in (1, 4)
