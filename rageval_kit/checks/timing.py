"""Does a forbidden handle take longer, or less long, to refuse than one that does not exist?"""

from collections.abc import Mapping

import numpy as np

from rageval_kit.detect.apart import Apart, told_apart
from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

TAKES: Mapping[str, tuple[object, ...] | None] = {"margin_ms": None, "delta": None, "alpha": None}
NAME = "timing"
MARGIN_MS, DELTA, ALPHA = 0.2, 0.33, 1e-6
FEWEST = 100
MILLISECONDS = 1000.0


def check(
    args: Mapping[str, object], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated where the two are apart by more than the margin, surely and by a large effect.

    Surely: by Mann-Whitney's test of times from which the margin is taken, at `alpha`; large: at
    least `delta` of Cliff. What sets two kinds of unknown handles apart as surely is noise, and
    nothing is concluded then. Times that the adapter does not tell are none.
    """
    del aids
    margin = float(str(args.get("margin_ms", MARGIN_MS)))
    groups = {
        kind: _times(kind, expectation, trace) for kind in ("forbidden", "unknown", "unknown_too")
    }
    if min(map(len, groups.values())) < FEWEST:
        return CheckResult(NAME, Outcome.UNOBSERVED, reason="no_times")
    noise = _apart(groups["unknown_too"], groups["unknown"], margin, args)
    if noise is not None:
        return CheckResult(NAME, Outcome.UNOBSERVED, reason="noise")
    unknown = groups["unknown"] + groups["unknown_too"]
    found = _apart(groups["forbidden"], unknown, margin, args)
    told = {"times_apart": found is not None}
    if found is None:
        return CheckResult(NAME, Outcome.HELD, told=told)
    gap = float(np.median(groups["forbidden"]) - np.median(unknown))
    step = expectation.marks["forbidden"][0]
    reader = next((o.principal_id for o in trace.observations if o.step == step), "")
    said = (
        f"refused {abs(gap):.2f} ms {'later' if gap > 0 else 'sooner'} than an unknown handle, "
        f"delta {found.delta:+.2f}, n {found.n[0]}"
    )
    target = min(expectation.roles["target"])
    finding = Finding(NAME, Stage.CITATION, step, reader, target, evidence=said)
    return CheckResult(NAME, Outcome.VIOLATED, (finding,), told=told)


def _times(kind: str, expectation: Expectation, trace: Trace) -> list[float]:
    steps = set(expectation.marks.get(kind, ()))
    return [
        observation.latency_s * MILLISECONDS
        for observation in trace.observations
        if observation.step in steps and not observation.error and observation.latency_s > 0
    ]


def _apart(
    first: list[float], second: list[float], margin: float, args: Mapping[str, object]
) -> Apart | None:
    """The difference beyond the margin, the way the medians lie; None where there is none."""
    delta, alpha = (float(str(args.get(k, v))) for k, v in (("delta", DELTA), ("alpha", ALPHA)))
    sign = 1.0 if np.median(first) >= np.median(second) else -1.0
    beyond = [time - sign * margin for time in first]
    found = told_apart(beyond, second)
    return found if sign * found.delta >= delta and found.p <= alpha else None
