"""A server that stands in for a model, a retriever written by hand, and tasks."""

import importlib.util
from contextlib import contextmanager
from pathlib import Path

import pytest

from rageval_kit.answering.task import Passage, Task
from rageval_kit.records.target import Caller, Grain, Power, Response, Seen, Stage
from rageval_kit.system.model_service import ModelService

_SPEC = importlib.util.spec_from_file_location(
    "stubs", Path(__file__).parents[1] / "retrievers" / "stubs.py"
)
_STUBS = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(_STUBS)

PASSAGES = (
    Passage("d1@1#1", "The harbour opens at seven. Boats leave every hour."),
    Passage("d2@1#1", "The museum is closed on Mondays."),
)


class Shelf:
    """Finds the passages that it was given, for everybody; shows them at `at`."""

    name, grain = "shelf", Grain.CHUNK
    powers = frozenset({Power.RESTORE, Power.MUTATE})

    def __init__(self, passages=PASSAGES, at=Stage.CONTEXT, error=""):
        self.passages, self.at, self.error = passages, at, error
        self.taps = frozenset({Stage.RETRIEVE, at, Stage.ANSWER})
        self.restored, self.closed = 0, False

    def connect(self, world): ...

    def describe(self):
        return {"target": "shelf"}

    def close(self):
        self.closed = True

    def apply(self, change):
        return change is not None

    def restore(self):
        self.restored += 1

    def search(self, requests):
        ids = tuple(p.passage_id for p in self.passages)
        texts = tuple(p.text for p in self.passages)
        seen = {
            Stage.RETRIEVE: Seen(ids),
            self.at: Seen(ids, texts),
            Stage.ANSWER: Seen(texts=("the shelf's own words",)),
        }
        return [
            Response(r.request_id, {} if self.error else seen, error=self.error) for r in requests
        ]


@pytest.fixture
def stub():
    return _STUBS.stub


@pytest.fixture
def shelf():
    return Shelf


@pytest.fixture
def task():
    def made(question="When does the harbour open?", passages=PASSAGES, **more):
        return Task("case:0", question, passages, caller=Caller("u"), **more)

    return made


@pytest.fixture
def model():
    @contextmanager
    def serving(behaviour, **more):
        service = ModelService(behaviour, **more)
        service.start()
        try:
            yield service
        finally:
            service.stop()

    return serving


@pytest.fixture
def opened():
    """Connect a generator, and close it at the end of the test."""
    made = []

    def connected(generator):
        made.append(generator)
        generator.connect()
        return generator

    yield connected
    for generator in made:
        generator.close()
