"""Starts the command as a person would, in an empty folder, with a small third-party retriever."""

import os
import subprocess
import sys
import types
from dataclasses import dataclass
from pathlib import Path

import pytest

TOY = '''
"""A system under test of somebody else: it finds nothing, politely."""
from dataclasses import dataclass

from rageval_kit.records.target import Grain, Response, Stage


@dataclass(frozen=True)
class Config:
    tenant: str = "acme"
    groups: tuple[str, ...] = ()
    api_key: str = ""
    top_k: int = 10


class Toy:
    name = "toy"
    grain = Grain.DOCUMENT
    taps = frozenset({Stage.RETRIEVE})
    powers = frozenset()

    def __init__(self, config):
        self.config = config

    def connect(self, world): ...
    def close(self): ...
    def describe(self):
        return {}

    def search(self, requests):
        return [Response(one.request_id) for one in requests]


def build(config):
    return Toy(config)
'''

# Stands in for the engine: what happens is chosen by k, so that a sweep over k sees all of it.
ENGINE = """
from pathlib import Path

AT = "2026-11-30T08:15:00+00:00"


def evaluate(plan, progress):
    from rageval_kit.archive.folder import RunFolder
    from rageval_kit.records.decisions import (
        Decision, GateKind, GateResult, ProofSummary, RunOutcome, RunRecord,
    )
    from rageval_kit.records.faults import KitError, TargetError

    k = plan.spec.k
    progress.start(3)
    progress.advance(1)
    if k == 2:
        raise ValueError("no such index " + plan.target.config.api_key)
    if k == 4:
        raise KeyError("doc-1")
    if k == 7:
        raise KeyboardInterrupt
    if k == 8:
        raise TargetError("http://127.0.0.1:9 refused every call " + plan.target.config.api_key)
    code = {3: 1, 5: 3, 6: 4}.get(k, 0)
    kind = {1: GateKind.QUALITY, 3: GateKind.SECURITY, 4: GateKind.COMPLETENESS}.get(code)
    kind = kind or GateKind.QUALITY
    gates = (GateResult("g", kind, "the rule", code == 0, code or 1),)
    outcome = {0: RunOutcome.PASS, 4: RunOutcome.INCOMPLETE}.get(code, RunOutcome.FAIL)
    decision = Decision(outcome, code, gates)
    run_id = plan.spec.archive.run_id or f"run-{k}"
    folder = RunFolder.create(Path(plan.spec.archive.root).absolute(), run_id)
    if k != 9:  # 9: the process believes it passed, but no decision reached the disk
        folder.write_json("decision.json", decision)
    progress.finish()
    return RunRecord(
        run_id=run_id, fingerprint="f", started_at=AT, finished_at=AT, resumed=0, command=(),
        user="", target="toy", target_parts={}, grain="document", taps=("retrieve",), powers=(),
        fault="", snapshot="\\u2713 \\u901a\\u8fc7 \\u279c", snapshot_digest="3f9a00",
        directory_digest="", documents=1, chunks=1, principals=1, suites=("smoke",),
        suite_hash="", seed=7, now="", as_of="", known_at="", cases_planned=3, cases_executed=3,
        calls=3, calls_failed=0, duration_s=1.0, target_s=1.0, families=(), controls=(),
        coverage=(), proof=ProofSummary(), findings=(), findings_total=0, metrics=(),
        decision=decision, not_run=(), versions={},
    )
"""

STARTED = """
import sys
import types

engine = types.ModuleType("rageval_kit.run.evaluate")
engine.evaluate = evaluate
sys.modules["rageval_kit.run.evaluate"] = engine
from rageval_kit.cli import main

main()
"""


@dataclass(frozen=True)
class Ended:
    returncode: int
    stdout: str
    stderr: str


class Kit:
    """Calls the command in an empty folder, in this process or in one of its own.

    `engine` puts the stand-in in place of the engine and the toy in place of the retriever.
    """

    def __init__(self, folder: Path, site: Path, own: Path, monkeypatch, capfd) -> None:
        self.folder, self.site, self.own = folder, site, own
        self.monkeypatch, self.capfd = monkeypatch, capfd

    def _words(self, words, engine):
        return [*(["-cd", str(self.own), "retriever=toy"] if engine else []), *words]

    def __call__(self, *words, engine=False, env=None):
        from rageval_kit.cli.door import start

        with self.monkeypatch.context() as patch:
            patch.chdir(self.folder)
            patch.syspath_prepend(str(self.site))
            for name, value in (env or {}).items():
                patch.setenv(name, value)
            if engine:
                stand_in = types.ModuleType("rageval_kit.run.evaluate")
                exec(ENGINE, stand_in.__dict__)  # noqa: S102 - our own text, above
                patch.setitem(sys.modules, "rageval_kit.run.evaluate", stand_in)
            self.capfd.readouterr()
            code = start(self._words(words, engine))
            out, err = self.capfd.readouterr()
        return Ended(code, out, err)

    def process(self, *words, engine=False, env=None):
        """Call it as a shell does."""
        command = ["-c", ENGINE + STARTED] if engine else ["-m", "rageval_kit"]
        return subprocess.run(
            [sys.executable, *command, *self._words(words, engine)],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(self.site), "HOME": str(self.site), **(env or {})},
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=60,
            check=False,
        )

    def write(self, name: str, text: str) -> Path:
        """Add a file to the person's own folder of choices."""
        file = self.own / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    announced = folder / "toy-1.0.dist-info"
    announced.mkdir()
    (announced / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
    (announced / "entry_points.txt").write_text("[rageval_kit.retrievers]\ntoy = toy_target\n")
    (folder / "toy_target.py").write_text(TOY)
    return folder


@pytest.fixture
def kit(tmp_path, site, monkeypatch, capfd):
    own = tmp_path / "mine"
    empty = tmp_path / "empty"
    empty.mkdir()
    made = Kit(empty, site, own, monkeypatch, capfd)
    made.write("retriever/toy.yaml", "kind: toy\ntenant: acme\ngroups: []\napi_key: ''\n")
    return made
