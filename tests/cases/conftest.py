"""Runs the whole product on a small world, and reads what it left behind."""

import dataclasses
import importlib.util
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest


def _beside(name):
    """A module of this folder, which is no package."""
    spec = importlib.util.spec_from_file_location(
        f"case_{name}", Path(__file__).with_name(f"{name}.py")
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


worlds_module, targets_module = _beside("worlds"), _beside("targets")


@dataclass(frozen=True)
class Ran:
    """One finished run: its record, and its folder as an auditor finds it."""

    record: object
    folder: Path

    @property
    def exit_code(self):
        return self.record.decision.exit_code

    @property
    def families(self):
        return {family.family: family for family in self.record.families}

    @property
    def gates(self):
        return {gate.gate: gate for gate in self.record.decision.gates}

    def lines(self, name):
        text = (self.folder / name).read_text(encoding="utf-8")
        return [json.loads(line) for line in text.split("\n") if line]

    @property
    def verdicts(self):
        return self.lines("verdicts.jsonl")

    def text(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    @property
    def files(self):
        return [path for path in self.folder.rglob("*") if path.is_file()]

    def holding(self, text):
        """The files in whose bytes the text stands."""
        return [path.name for path in self.files if text.encode() in path.read_bytes()]


class Bench:
    """Writes worlds, composes plans, runs them: the command without its door."""

    def __init__(self, tmp_path: Path) -> None:
        self.tmp_path = tmp_path
        self.archive = tmp_path / "archive"
        self._written = 0

    def write(self, world):
        """The folder with snapshot/ and directory.json."""
        from rageval_kit.corpus.snapshots import write_directory, write_snapshot

        self._written += 1
        home = self.tmp_path / f"world-{self._written}"
        home.mkdir()
        write_snapshot(world, home / "snapshot")
        write_directory(world, home / "directory.json")
        return home

    def words(self, world, families, *words):
        """The command line of a run on a world, or on a folder written before."""
        home = world if isinstance(world, Path) else self.write(world)
        return [
            "+suite=acl_negative",
            f"suites.acl_negative.families.ids=[{','.join(families)}]",
            "corpus=snapshot",
            f"corpus.path={home / 'snapshot'}",
            f"archive.root={self.archive}",
            *words,
        ]

    def plan(self, world, families, *words, cases=None, fault=None, target=None):
        """Composed from words where there are some; else from the one composition all tests share.

        Composing takes longer than a small run, and is tested elsewhere.
        """
        from rageval_kit.build import plan

        home = world if isinstance(world, Path) else self.write(world)
        asked = self.words(home, families, *words)
        asked += [f"fault={fault}"] if fault else []
        asked += [f"suites.acl_negative.size.cases={cases}"] if cases else []
        request = _request(asked) if words else self._shared(home, families, cases, fault)
        made = plan(dataclasses.replace(request, command=tuple(asked)))
        return made if target is None else dataclasses.replace(made, target=target)

    def _shared(self, home, families, cases, fault):
        if "request" not in _SHARED:
            _SHARED["request"] = _request(self.words(home, ["*"]))
        spec = _SHARED["request"].spec
        suite = spec.suites["acl_negative"]
        suite = dataclasses.replace(
            suite,
            families=dataclasses.replace(suite.families, ids=tuple(families)),
            size=dataclasses.replace(suite.size, cases=cases),
        )
        spec = dataclasses.replace(
            spec,
            corpus=dataclasses.replace(spec.corpus, path=str(home / "snapshot")),
            archive=dataclasses.replace(spec.archive, root=str(self.archive)),
            suites={"acl_negative": suite},
            fault=fault,
        )
        return dataclasses.replace(_SHARED["request"], spec=spec)

    def run(self, world, families, *words, **more):
        from rageval_kit.cli.progress import Quiet
        from rageval_kit.run.evaluate import evaluate

        record = evaluate(self.plan(world, families, *words, **more), Quiet())
        return Ran(record, self.archive / record.run_id)


_SHARED = {}


def _request(words):
    from rageval_kit.build import requests

    (request,), _notices = requests(words)
    return request


@dataclass(frozen=True)
class Ended:
    returncode: int
    stdout: str
    stderr: str


class Command:
    """The command as a shell calls it: in this process, or in one of its own."""

    def __init__(self, folder, key, monkeypatch, capfd) -> None:
        self.folder, self.key = folder, key
        self._monkeypatch, self._capfd = monkeypatch, capfd

    def __call__(self, *words):
        from rageval_kit.cli.door import start

        with self._monkeypatch.context() as patch:
            patch.chdir(self.folder)
            self._capfd.readouterr()
            code = start(list(words))
            out, err = self._capfd.readouterr()
        return Ended(code, out, err)

    def process(self, *words, env=None):
        return subprocess.Popen(
            [sys.executable, "-m", "rageval_kit", *words],
            cwd=self.folder,
            env={**os.environ, **(env or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )


@pytest.fixture(scope="session")
def worlds():
    return worlds_module


@pytest.fixture(scope="session")
def targets():
    return targets_module


@pytest.fixture(autouse=True)
def _key(tmp_path, monkeypatch):
    monkeypatch.setenv("RAGEVAL_KEY_FILE", str(tmp_path / "key"))


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


@pytest.fixture
def command(tmp_path, monkeypatch, capfd):
    folder = tmp_path / "cwd"
    folder.mkdir()
    return Command(folder, tmp_path / "key", monkeypatch, capfd)


OTHERS = '''
"""A system under test from somebody else's package."""

from dataclasses import dataclass, field
from collections.abc import Mapping

from rageval_kit.records.target import Grain, Response, Seen, Stage


@dataclass(frozen=True)
class Config:
    """`mode`: ok, value, key, empty, echo (an error that repeats the key), stop."""

    mode: str = "ok"
    api_key: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


class Flaky:
    name = "flaky"
    grain = Grain.DOCUMENT
    taps = frozenset({Stage.RETRIEVE})
    powers = frozenset()

    def __init__(self, config):
        self.config = config

    def connect(self, world):
        self.world = world
        if self.config.mode == "value":
            raise ValueError("no such index")
        if self.config.mode == "key":
            raise KeyError("doc-1")

    def search(self, requests):
        return [self.reply(request) for request in requests]

    def reply(self, request):
        mode = self.config.mode
        if mode in {"echo", "stop"}:
            self.first = getattr(self, "first", request.script)
            if mode == "stop" and request.script != self.first:
                raise KeyboardInterrupt
            said = f"401 invalid key {self.config.api_key} {dict(self.config.headers)}"
            return Response(request.request_id, error="http_401", detail=said)
        reader = self.world.principals.get(request.caller.principal_id)
        ids = tuple(
            d.document_id
            for d in self.world.documents.values()
            if mode == "ok" and reader and d.tenant_id == reader.tenant_id
        )
        return Response(request.request_id, {Stage.RETRIEVE: Seen(ids)})

    def describe(self):
        return {"target": "flaky"}

    def close(self):
        pass


def build(config):
    return Flaky(config)
'''


class Others:
    """Somebody's own package with a retriever, and their own folder of choices."""

    def __init__(self, site: Path, own: Path) -> None:
        self.site, self.own = site, own
        announced = site / "flaky-1.0.dist-info"
        announced.mkdir(parents=True)
        (announced / "METADATA").write_text("Metadata-Version: 2.1\nName: flaky\nVersion: 1.0\n")
        (announced / "entry_points.txt").write_text(
            "[rageval_kit.retrievers]\nflaky = case_flaky\n"
        )
        (site / "case_flaky.py").write_text(OTHERS)

    def choice(self, name: str, text: str) -> Path:
        file = self.own / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return self.own


@pytest.fixture
def others(tmp_path, monkeypatch):
    made = Others(tmp_path / "site", tmp_path / "mine")
    monkeypatch.syspath_prepend(str(made.site))
    return made
