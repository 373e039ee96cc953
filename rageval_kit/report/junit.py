"""How does a CI server see the run, case by case, with silence as an error and never as a pass?"""

from collections.abc import Iterable
from xml.etree import ElementTree as ET

from rageval_kit.records.decisions import GateResult, RunOutcome, RunRecord
from rageval_kit.records.verdicts import Outcome, Verdict
from rageval_kit.report.sound import require_sound
from rageval_kit.report.visible import visible

_LIMIT = 1000
_MARKS = {
    Outcome.VIOLATED: "failure",
    Outcome.UNOBSERVED: "error",
    Outcome.FAILED: "error",
    Outcome.NOT_APPLICABLE: "skipped",
}
_COUNTED = (("failure", "failures"), ("error", "errors"), ("skipped", "skipped"))


def _told(verdict: Verdict) -> str:
    seen = "; ".join(
        f"{f.check} at {f.stage}: reader {f.principal_id}, item {f.item_id}"
        for f in verdict.findings
    )
    return visible(seen or verdict.reason or str(verdict.outcome), _LIMIT)


def _case(suite: ET.Element, name: str, family: str) -> ET.Element:
    return ET.SubElement(suite, "testcase", {"classname": family, "name": name, "time": "0"})


def _close(suite: ET.Element) -> ET.Element:
    marks = [child.tag for case in suite for child in case]
    suite.set("tests", str(len(suite)))
    for tag, name in _COUNTED:
        suite.set(name, str(marks.count(tag)))
    return suite


def _gate(suite: ET.Element, gate: GateResult, outcome: RunOutcome) -> None:
    case = _case(suite, visible(gate.gate, _LIMIT), f"gate.{gate.kind}")
    if gate.met:
        return
    why = visible("; ".join((gate.rule, *gate.reasons)), _LIMIT)
    if gate.is_advice:  # decides nothing, and is no success either
        ET.SubElement(case, "skipped", {"message": f"advice: {why}"})
    else:
        tag = "error" if outcome is RunOutcome.INCOMPLETE else "failure"
        ET.SubElement(case, tag, {"message": why, "type": f"exit_{gate.exit_code}"})


def junit(run: RunRecord, verdict_rows: Iterable[Verdict]) -> bytes:
    """JUnit XML: a suite of gates, then one per family; all green only if the run passed."""
    require_sound(run)
    gates = ET.Element("testsuite", {"name": "gates"})
    for gate in run.decision.gates:
        _gate(gates, gate, run.decision.outcome)
    if run.decision.outcome is not RunOutcome.PASS and not any(
        not gate.met and not gate.is_advice for gate in run.decision.gates
    ):
        case = _case(gates, "decision", "gate")
        why = visible("; ".join(run.decision.reasons) or str(run.decision.outcome), _LIMIT)
        ET.SubElement(case, "error", {"message": why, "type": f"exit_{run.decision.exit_code}"})
    suites = {"": gates}
    for family in run.families:
        name = visible(family.family, _LIMIT)
        suites[family.family] = suite = ET.Element("testsuite", {"name": name})
        if family.not_applicable:
            why = visible(family.not_applicable, _LIMIT)
            ET.SubElement(_case(suite, name, name), "skipped", {"message": why})
    for verdict in verdict_rows:
        name = visible(verdict.family, _LIMIT)
        if verdict.family not in suites:
            suites[verdict.family] = ET.Element("testsuite", {"name": name})
        case = _case(suites[verdict.family], visible(verdict.case_id, _LIMIT), name)
        mark = _MARKS.get(verdict.outcome)
        if mark == "skipped":
            ET.SubElement(case, mark, {"message": _told(verdict)})
        elif mark:
            kind = visible(verdict.reason or str(verdict.outcome), _LIMIT)
            ET.SubElement(case, mark, {"message": _told(verdict), "type": kind})
    root = ET.Element("testsuites", {"name": visible(run.run_id, _LIMIT)})
    root.extend(_close(suite) for suite in suites.values())
    for name in ("tests", "failures", "errors", "skipped"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    made: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return made
