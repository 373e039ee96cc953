"""Does the same world, shown twice, look the same, level by level? Else no two can be compared."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from rageval_kit.detect.levels import LEVELS, differing, shown
from rageval_kit.execute.block import Runner
from rageval_kit.generate.other_worlds import SAME
from rageval_kit.records.cases import Ask, Count, Enter, Look, Resolve, Script, Trace
from rageval_kit.records.decisions import ControlResult
from rageval_kit.records.target import Branches
from rageval_kit.run.prepare import Prepared
from rageval_kit.run.repeats import varies

CONTROL = "CTL-03"
PLAIN = Ask | Count | Look | Resolve
SAMPLE = 24
SPOKEN = frozenset({"answer", "numbers", "values"})  # what a target may word otherwise each time


def same_world_twice(prepared: Prepared) -> ControlResult:
    """Of the same steps, taken in the world and in a fresh one like it, how many look equal?"""
    target = prepared.plan.target
    if not isinstance(target, Branches):
        reason = "the target holds no other world beside its own"
        return ControlResult(CONTROL, {}, None, 0, 0, reason)
    scripts = _scripts(prepared)
    if not scripts:
        return ControlResult(CONTROL, {}, None, 0, 0, "no case was made")
    traces = Runner(target, others=prepared.others).run(scripts).traces
    fickle = varies(target, prepared.plan.spec.engine.repeats)
    levels = [level for level in LEVELS if not (fickle and level in SPOKEN)]
    return compared(traces, levels, prepared.plan.spec.k)


def _scripts(prepared: Prepared) -> list[Script]:
    """Cases that only ask, in one world, a few of each family in turn; then the same in another."""
    plain: dict[str, list[Script]] = {}
    for case in prepared.cases:
        steps = case.script.steps
        if all(isinstance(step, PLAIN) for step in steps):
            twice = replace(case.script, steps=(*steps, Enter(SAME), *steps))
            plain.setdefault(case.coordinates.family, []).append(twice)
    turns = [(turn, script) for own in plain.values() for turn, script in enumerate(own)]
    return [script for _, script in sorted(turns, key=lambda one: one[0])][:SAMPLE]


def compared(traces: Sequence[Trace], levels: Sequence[str], k: int) -> ControlResult:
    """Each trace holds the same steps twice; the levels at which any pair differs are named."""
    equal, total, unlike = 0, 0, Counter[str]()
    for trace in traces:
        half = len(trace.observations) // 2
        pairs = zip(trace.observations[:half], trace.observations[half:], strict=True)
        for mine, other in pairs:
            for level in levels:
                left, right = (shown(one, level, k) for one in (mine, other))
                for _, differs in differing(left, right, level):
                    total += 1
                    equal += not differs
                    unlike[level] += differs
    told = ", ".join(f"{level} in {n}" for level, n in unlike.items() if n)
    detail = f"differs at {told}" if told else f"{len(traces)} cases"
    return ControlResult(CONTROL, {}, equal == total if total else None, equal, total, detail)
