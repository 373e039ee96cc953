"""A case small enough to read: u may read `mine`, not `theirs`; no other id exists."""

from types import SimpleNamespace

import numpy as np
import pytest

from rageval_kit.records.cases import (
    Expectation,
    Observation,
    Permitted,
    StepExpectation,
    Trace,
)
from rageval_kit.records.target import Seen, Stage
from rageval_kit.records.verdicts import Aids

INDEX = {"mine": 0, "theirs": 1, "other": 2}
ALL = frozenset(Stage)


def permitted(*ids):
    return Permitted(INDEX, np.array([name in ids for name in INDEX]))


def expectation(*steps, level=0.0, target=("theirs",), relevant=(), **marks):
    """`steps` are StepExpectations, in order; None for a step that nobody looks at."""
    roles = {"target": frozenset(target)}
    if relevant:
        roles["relevant"] = frozenset(relevant)
    known = {(i, 0): step for i, step in enumerate(steps) if step is not None}
    return Expectation("c", known, roles, level, {name: tuple(at) for name, at in marks.items()})


def step(*ids, elapsed=None, count=None, allowed=False):
    return StepExpectation(permitted(*ids), elapsed, count, target_allowed=allowed)


def saw(index, seen=None, role="reader", error="", **more):
    """What step `index` showed: a mapping of taps to what they showed."""
    taps = {Stage(name): shown for name, shown in (seen or {}).items()}
    return Observation(index, 0, role, "u", taps, error, **more)


def trace(*observations):
    return Trace("c", observations)


def aids(*must, stages=ALL, canaries=None, queries=None, k=10, prompt_canary="", quoted=None):
    return Aids(
        frozenset(Stage(s) for s in stages),
        tuple(Stage(s) for s in must),
        canaries,
        queries or {},
        k,
        prompt_canary,
        quoted,
    )


@pytest.fixture(scope="session")
def small():
    return SimpleNamespace(
        expectation=expectation,
        step=step,
        saw=saw,
        trace=trace,
        aids=aids,
        permitted=permitted,
        ids=lambda *ids: Seen(ids),
        texts=lambda *t: Seen(texts=t),
    )
