"""What do the templates get to print beside the record itself?"""

import hashlib
import math
import re
import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, partial

from rageval_kit.records.conventions import read_name
from rageval_kit.records.decisions import GateResult, MetricResult, RunRecord, TimelineStep
from rageval_kit.report.figures import count, figure
from rageval_kit.report.phrases import phrase
from rageval_kit.report.standards import named_standards
from rageval_kit.report.telling import breach_of, noted, reasons_of
from rageval_kit.report.view import ENTITLED, FEW, View
from rageval_kit.report.words import Words, split

_STEPS_SHOWN = 12
_CONFIG_SHOWN = 20_000
_NOTES_SHOWN = 10
_REASONS_IN_ROW = 6


@cache
def all_sections() -> tuple[str, ...]:
    """The sections of a whole report in their order; the shipped choice is the list."""
    import yaml

    from rageval_kit.resources import tree

    path = tree("conf") / "report" / "audit.yaml"
    return tuple(yaml.safe_load(path.read_text(encoding="utf-8"))["sections"])


def measured(value: float | None) -> bool:
    return value is not None and math.isfinite(value)


def seconds(value: float) -> str:
    """Seconds to the millisecond, without idle zeros."""
    shown = f"{value:,.3f}" if measured(value) else "?"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def _threshold(gate: GateResult) -> str:
    if gate.threshold is None or not math.isfinite(gate.threshold):
        return ""
    return count(int(gate.threshold)) if gate.threshold.is_integer() else repr(gate.threshold)


def _ends(metric: MetricResult) -> tuple[str, str]:
    """The interval's ends: one that is not zero never reads as zero, for zero decides."""
    ends = (metric.low, metric.high)
    low, high = (figure(x) if x is not None and measured(x) else "" for x in ends)
    return low, high


def _only_figure(text: str) -> str:
    """The text if it is a number alone, '' if it carries words (those are set apart)."""
    return text if re.fullmatch(r"[-+\d.,%eE]+", text) else ""


def base_name(metric: str) -> str:
    """The measure without its conventions, which its identity tells."""
    return read_name(metric)[0]


def _population(run: RunRecord, over: str) -> list[MetricResult]:
    return [metric for metric in run.metrics if metric.over == over]


def _by(name: str, rows: Sequence[object]) -> list[tuple[str, list[object]]]:
    """The rows with the same value of a field together, in the order in which they were met."""
    groups: dict[str, list[object]] = {}
    for row in rows:
        groups.setdefault(getattr(row, name), []).append(row)
    return list(groups.items())


def _elsewhere(run: RunRecord) -> list[str]:
    """The snapshots on which judgments were made, other than the one that was asked."""
    named = run.samples.labelled_on if run.samples is not None else ()
    return [name for name in named if name != run.snapshot_digest]


def _deed(step: TimelineStep) -> str:
    """What was done, without the name of who did it, which stands before it."""
    return step.action.removeprefix(f"{step.role} {step.principal_id} ")


def _of_gate(text: str, gates: Collection[str]) -> tuple[str, str]:
    """The gate that gave a reason, and the reason alone; no gate where it names none of them."""
    gate, colon, reason = text.partition(": ")
    return (gate, reason) if colon and gate in gates else ("", text)


def _means(name: str, said: Words) -> str:
    """What is meant by a thing told; a name with a figure in it is known by its phrase."""
    found = phrase(name)
    return said.known("told_means", found[0].removeprefix("phrase.") if found else name)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def page_values(run: RunRecord, view: View, names: Sequence[str], said: Words) -> dict[str, object]:
    labels = [label for finding in view.findings for label in finding.standards]
    labels += [label for family in run.families for label in family.standards]
    stage_heads = [said.known("stage", stage) or stage for stage in view.stages]
    helpers: Mapping[str, Callable[..., object]] = {
        "measured": measured,
        "seconds": seconds,
        "threshold": _threshold,
        "near": _ends,
        "digest": _digest,
        "split": split,
        "deed": _deed,
        "plain_figure": _only_figure,
        "plain": str,
        "base": base_name,
        "population": _population,
        "elsewhere": _elsewhere,
        "by": _by,
        "breach": partial(breach_of, is_known=partial(said.known, "breach")),
        "reasons": partial(reasons_of, is_known=partial(said.known, "denied")),
        "noted": noted,
        "means": partial(_means, said=said),
        "of_gate": partial(_of_gate, gates=[gate.gate for gate in run.decision.gates]),
    }
    return {
        **helpers,
        "names": names,
        "numbers": {name: str(place) for place, name in enumerate(all_sections(), start=1)},
        "left_out": [name for name in all_sections() if name not in names],
        "stage_heads": stage_heads,
        "entitled": ENTITLED,
        "steps_shown": _STEPS_SHOWN,
        "config_shown": _CONFIG_SHOWN,
        "notes_shown": _NOTES_SHOWN,
        "reasons_in_row": _REASONS_IN_ROW,
        "few": FEW,
        "twins_failed": sum(
            n
            for family in view.families
            for reason, n in family.reasons.items()
            if split(reason)[0] == "twin_failed"
        ),
        "undecided": [f for f in view.families if f.unobserved or f.failed],
        "limited": [f for f in run.families if f.limits],
        "motivated": [f for f in run.families if f.motive],
        "named": named_standards(labels),
        "command": shlex.join(run.command),
    }
