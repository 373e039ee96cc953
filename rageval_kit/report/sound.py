"""Can this record be told at all: does it lack a value, or contradict itself?"""

from rageval_kit.records.decisions import RunOutcome, RunRecord
from rageval_kit.records.faults import KitError
from rageval_kit.report.visible import visible

_NEEDED = ("run_id", "fingerprint", "started_at", "finished_at", "target", "snapshot_digest")


def require_sound(run: RunRecord) -> None:
    """Raise with every fault at once: a report is written whole and true, or not at all."""
    faults = [f"{name} is empty" for name in _NEEDED if not str(getattr(run, name) or "").strip()]
    decision = run.decision
    if decision is None or not isinstance(decision.outcome, RunOutcome):
        raise KitError("run record: the decision has no outcome; no report is written")
    passed = decision.outcome is RunOutcome.PASS
    unmet = [gate.gate for gate in decision.gates if not gate.met and not gate.is_advice]
    if passed and unmet:
        faults.append(f"outcome is pass, yet gates are not met: {', '.join(unmet)}")
    if passed and not decision.gates:
        faults.append("outcome is pass, yet no gate was judged")
    if passed and decision.exit_code != 0:
        faults.append(f"outcome is pass, yet the exit code is {decision.exit_code}")
    if not passed and decision.exit_code == 0:
        faults.append(f"outcome is {decision.outcome}, yet the exit code is 0")
    faults += [
        f"gate '{gate.gate}' has no rule" for gate in decision.gates if not gate.rule.strip()
    ]
    if run.findings_total < len(run.findings):
        faults.append(f"findings_total {run.findings_total} is below {len(run.findings)} findings")
    for family in run.families:
        seen = family.held + family.violated + family.unobserved + family.failed
        if seen > family.planned:
            faults.append(
                f"family {family.family}: {seen} outcomes of {family.planned} planned cases"
            )
        if family.violated and family.upper_bound is not None:
            faults.append(f"family {family.family}: violated, yet it carries a zero-leak bound")
    if faults:
        told = "; ".join(visible(fault, 200) for fault in faults)
        raise KitError(f"run record {visible(run.run_id, 80)}: {told}; no report is written")
