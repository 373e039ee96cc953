"""Does what a reader is shown look just like that of a world without what it may not notice?

The other world is a handle that does not exist, or one made for the comparison. What a shared index
moves in every such pair (which results, in which order, with which scores) is counted beside the
verdicts unless the family gates it; the other levels must be equal.
"""

from collections.abc import Mapping, Sequence

from rageval_kit.detect.levels import LEVELS, differing, shown
from rageval_kit.records.cases import Expectation, Observation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {"is": LEVELS, "gate": LEVELS}
NAME = "unchanged"
COMPARES = True  # there is nothing to say where there is no other world
USUAL = ("status", "body", "size")
COUNTED = frozenset({"ids", "order", "scores"})
NOISE = "noise"


def check(
    args: Mapping[str, Sequence[str]], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated where a named level differs between what is denied and its contrast.

    A value that the contrast does not state is a breach, unless it is the right one; so is a
    greater count. Where the same world shown twice differs already (`again`), the level says
    nothing of that step. Without a contrast there is nothing to say.
    """
    marks = expectation.marks
    contrast = marks.get("contrast", ())
    if not contrast:
        return CheckResult(NAME, Outcome.NOT_APPLICABLE, reason="there is no other world")
    pairs = _Pairs(args, expectation, trace, aids)
    compared = marks.get("compared") or marks.get("opened", ())
    again = dict(zip(compared, marks.get("again", ()), strict=False))
    for step, other in zip(compared, contrast, strict=False):
        if not expectation.steps[step, 0].target_allowed:
            pairs.compare(step, other, again.get(step))
    told = dict(pairs.told)
    if told.get("ids_differ") and (exact := _by_scan(pairs, marks)) is not None:
        told |= {"interference": exact, "approximation": not exact}
    if pairs.findings:
        return CheckResult(NAME, Outcome.VIOLATED, tuple(pairs.findings), told=told)
    if not pairs.compared:
        reason = NOISE if pairs.noisy else ""
        return CheckResult(NAME, Outcome.UNOBSERVED, reason=reason, told=told)
    return CheckResult(NAME, Outcome.HELD, told=told)


def _by_scan(pairs: "_Pairs", marks: Mapping[str, tuple[int, ...]]) -> bool | None:
    """Do the lists differ without the approximate index too? None: nobody asked for a scan."""
    scans = list(zip(marks.get("compared_exact", ()), marks.get("contrast_exact", ()), strict=True))
    found = [d for mine, other in scans for _, d in pairs.differing(mine, other, "ids")]
    return any(found) if found else None


class _Pairs:
    """What the pairs of steps came to, level by level."""

    def __init__(
        self,
        args: Mapping[str, Sequence[str]],
        expectation: Expectation,
        trace: Trace,
        aids: Aids,
    ) -> None:
        self._levels = args.get("is", USUAL)
        self._gated = {*self._levels} - COUNTED | {*args.get("gate", ())}
        self._expectation, self._aids = expectation, aids
        self._by_step: dict[int, Observation] = {o.step: o for o in trace.observations}
        self.findings: list[Finding] = []
        self.told: dict[str, bool] = {}
        self.compared = self.noisy = 0

    def differing(
        self, mine: int, other: int, level: str, *, wanted: str = ""
    ) -> list[tuple[Stage, bool]]:
        """Taps that spoke of the level at both steps, and whether they differ."""
        both = [self._by_step.get(mine), self._by_step.get(other)]
        if level != "errors" and any(one is None or one.error for one in both):
            return []
        values = self._expectation.values
        left, right = (
            {} if one is None else shown(one, level, self._aids.k, self._aids.stages, values)
            for one in both
        )
        return list(differing(left, right, level, wanted))

    def compare(self, step: int, other: int, again: int | None) -> None:
        for level in self._levels:
            wanted = self._expectation.steps[step, 0].wanted
            noise = () if again is None else self.differing(step, again, level)
            fickle = {stage for stage, differs in noise if differs}
            for stage, differs in self.differing(step, other, level, wanted=wanted):
                if stage in fickle:
                    self.noisy += 1
                    continue
                self.compared += 1
                if level in COUNTED:
                    name = "order_differs" if level == "order" else f"{level}_differ"
                    self.told[name] = self.told.get(name, False) or differs
                if differs and level in self._gated:
                    self.findings.append(self._finding(level, stage, step))

    def _finding(self, level: str, stage: Stage, step: int) -> Finding:
        is_handle = "compared" not in self._expectation.marks and stage is Stage.CITATION
        whose = "an unknown handle" if is_handle else "the world without it"
        return Finding(
            NAME,
            stage,
            step,
            self._by_step[step].principal_id,
            next(iter(sorted(self._expectation.roles["target"]))),
            evidence=f"{level} differs from that of {whose}",
        )
