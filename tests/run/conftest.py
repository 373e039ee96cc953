"""Whole runs on the demo world against systems written for the test, and records by hand."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest

from rageval_kit.access import Monitor
from rageval_kit.build import compose
from rageval_kit.generate.sound import read
from rageval_kit.generate.suite import FamilyCases
from rageval_kit.records.cases import (
    Ask,
    Case,
    Coordinates,
    Expectation,
    Observation,
    Permitted,
    Script,
    StepExpectation,
    Trace,
)
from rageval_kit.records.target import Caller, Grain, Response, Seen, Stage
from rageval_kit.records.verdicts import Outcome
from rageval_kit.run.evaluate import evaluate
from rageval_kit.run.rows import CaseRow
from rageval_kit.text.words import words

TEXT = {"en": "A claim", "zh": "一句话"}
INDEX = {"mine": 0, "theirs": 1}


class Quiet:
    def start(self, total):
        self.total, self.done, self.errors = total, 0, 0

    def advance(self, done, errors=0):
        self.done += done
        self.errors += errors

    def finish(self):
        self.finished = True


class Shelf:
    """An endpoint that returns ids of documents and nothing else; it asks the monitor, or nobody.

    Documents are ranked by the words they share with the query, rare words counting more.
    """

    name, grain = "shelf", Grain.DOCUMENT
    taps, powers = frozenset({Stage.RETRIEVE}), frozenset()

    def __init__(self, *, filtered=True):
        self.filtered, self.closed = filtered, False

    def connect(self, world):
        self.monitor = Monitor(world)
        self.holds = {}
        for document in world.documents.values():
            for version in document.versions:
                for chunk in version.chunks:
                    text = f"{document.document_id} {version.title} {chunk.text}"
                    for word in set(words(text)):
                        self.holds.setdefault(word, set()).add(document.document_id)

    def search(self, requests):
        return [self._one(request) for request in requests]

    def _one(self, request):
        may = self.monitor.permitted(
            request.caller.principal_id,
            Grain.DOCUMENT,
            as_of=request.as_of,
            known_at=request.known_at,
        )
        scores = {}
        for word in set(words(request.query)):
            holders = self.holds.get(word, ())
            for document_id in holders:
                if not self.filtered or document_id in may:
                    scores[document_id] = scores.get(document_id, 0.0) + 1 / len(holders)
        ids = sorted(scores, key=lambda d: (-scores[d], d))[: request.k]
        return Response(request.request_id, {Stage.RETRIEVE: Seen(tuple(ids))})

    def describe(self):
        return {"target": "shelf"}

    def close(self):
        self.closed = True


def observation(step, seen=None, role="reader", **more):
    taps = {Stage(name): shown for name, shown in (seen or {}).items()}
    return Observation(step, more.pop("part", 0), role, more.pop("who", "u"), taps, **more)


def a_family(**changed):
    plain = {
        "id": "ACL-99",
        "version": 1,
        "title": TEXT,
        "motive": TEXT,
        "limits": TEXT,
        "severity": "critical",
        "who": {"denied_by": "tenant"},
        "see": {"must": ["retrieve"], "also": ["answer"]},
        "checks": ["forbidden_document"],
    }
    return read(plain | changed, "ACL-99.yaml")


def a_case(*steps, level=0.0, roles=None, marks=None, elapsed=None):
    """By default: u asks for `theirs`, which u may not read, then its twin t, who may."""
    steps = steps or (
        Ask("reader", Caller("u"), "what is theirs?"),
        Ask("twin", Caller("t"), "what is theirs?"),
    )
    expected = {}
    for index, step in enumerate(steps):
        role = getattr(step, "role", "")
        mask = np.array([True, role != "reader"])
        expected[index, 0] = StepExpectation(
            Permitted(INDEX, mask), elapsed, target_allowed=role != "reader"
        )
    marks = marks or {
        "twin": tuple(i for i, s in enumerate(steps) if getattr(s, "role", "") == "twin")
    }
    roles = {"target": frozenset({"theirs"}), **(roles or {})}
    coordinates = Coordinates("ACL-99", 7, "u", "d-theirs", "t", (), "title")
    return Case(
        "ACL-99-00001",
        coordinates,
        Script("ACL-99-00001", tuple(steps)),
        Expectation("ACL-99-00001", expected, roles, level, marks),
        ("C2",),
    )


def a_trace(*observations):
    return Trace("ACL-99-00001", observations)


def a_row(number=1, outcome="held", *, reader="u", document="d", family="ACL-99", **more):
    return CaseRow(
        case_id=f"{family}-{number:05d}",
        family=family,
        variant=more.pop("variant", ()),
        wording="title",
        seed=7,
        reader_id=reader,
        document_id=document,
        twin_id="t",
        denied_by=("C2",),
        query_hash="h",
        script=more.pop("script", ()),
        outcome=Outcome(outcome),
        **more,
    )


@pytest.fixture(scope="session")
def by_hand():
    def made(n_cases=1, *, available=0, every=False, nothing=None, **changed):
        family = a_family(**changed)
        cases = tuple(a_case() for _ in range(n_cases))
        return FamilyCases(family, cases, {}, available, every, nothing or {})

    return SimpleNamespace(
        family=a_family, case=a_case, trace=a_trace, saw=observation, row=a_row, made=made
    )


@pytest.fixture(scope="session")
def archive(tmp_path_factory):
    return tmp_path_factory.mktemp("archive", numbered=True)


@pytest.fixture(scope="session")
def run_against(archive):
    """Run families of the shipped suite on the demo world against a target of the test's own."""

    def run(target, *families, size=4):
        plan = compose(
            "+suite=acl_negative",
            f"suites.acl_negative.families.ids=[{','.join(families)}]",
            f"suites.acl_negative.size.cases={size}",
            f"archive.root={archive}",
        )
        return evaluate(dataclasses.replace(plan, target=target), Quiet())

    return run


@pytest.fixture(scope="session")
def shelf():
    return Shelf
