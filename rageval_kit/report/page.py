"""What do the templates get to print beside the record itself?"""

import hashlib
import math
import shlex
from collections.abc import Callable, Mapping, Sequence

from rageval_kit.records.decisions import GateResult, MetricResult, RunRecord
from rageval_kit.report.figures import count, figure
from rageval_kit.report.standards import named_standards
from rageval_kit.report.view import View
from rageval_kit.report.words import Words

SECTIONS = (
    "verdict",
    "gates",
    "matrix",
    "findings",
    "held",
    "controls",
    "quality",
    "scope",
    "verify",
    "provenance",
)
_STEPS_SHOWN = 12
_CONFIG_SHOWN = 20_000


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
        "plain": str,
    }
    return {
        **helpers,
        "names": names,
        "numbers": {name: str(place) for place, name in enumerate(SECTIONS, start=1)},
        "left_out": [name for name in SECTIONS if name not in names],
        "stage_heads": stage_heads,
        "steps_shown": _STEPS_SHOWN,
        "config_shown": _CONFIG_SHOWN,
        "twins_failed": sum(family.reasons.get("twin_failed", 0) for family in view.families),
        "undecided": [f for f in view.families if f.unobserved or f.failed],
        "limited": [f for f in run.families if f.limits],
        "motivated": [f for f in run.families if f.motive],
        "named": named_standards(labels),
        "command": shlex.join(run.command),
    }
