"""Starts the command as a shell does, in an empty folder, and reads what it leaves behind."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import rageval_kit

PACKAGE = Path(rageval_kit.__file__).parent.parent
# Few cases in many blocks: steps alone, in lockstep and at once, shared state, a kit check.
SMALL = (
    "+suite=smoke",
    "suites.smoke.families.ids=[ACL-01,CAC-01,PRN-01,DEL-01,CTL-01,LOG-06]",
    "report.formats=[md]",
    "engine.block=3",
)
FAULT = "fault=cache_key_without_principal"
# What differs from run to run, and nothing else may.
CHAINED = ("seq", "prev", "hash")


@dataclass(frozen=True)
class Ended:
    returncode: int
    stdout: str
    stderr: str

    @property
    def lines(self):
        return [line for line in self.stderr.splitlines() if line]


def text(output):
    return (output or b"").decode("utf-8", "replace")


@dataclass
class Command:
    """Calls the command in `folder`, with a home of its own and none of our settings."""

    folder: Path
    home: Path
    env: dict = field(default_factory=dict)
    account: str = ""

    def environment(self, **changes):
        path = os.pathsep.join([str(self.home), str(PACKAGE)])
        kept = {"PATH": os.environ["PATH"], "HOME": str(self.home), "PYTHONPATH": path}
        kept |= self.env | {"LC_ALL": "C.UTF-8"} | changes
        return {name: value for name, value in kept.items() if value is not None}

    def start(self, *words, env=None, **options):
        settings = {
            "cwd": self.folder,
            "env": self.environment(**(env or {})),
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
        } | options
        other = ["setpriv", "--reuid", self.account, "--regid", self.account, "--clear-groups"]
        command = [sys.executable, "-m", "rageval_kit", *words]
        return subprocess.Popen([*other, *command] if self.account else command, **settings)

    def __call__(self, *words, env=None, **options):
        process = self.start(*words, env=env, **options)
        out, err = process.communicate(timeout=240)
        return Ended(process.returncode, text(out), text(err))

    def shell(self, line, **env):
        """As typed: {kit} stands for the command."""
        line = line.replace("{kit}", f"{sys.executable} -m rageval_kit")
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", line],
            cwd=self.folder,
            env=self.environment(**env),
            capture_output=True,
            timeout=240,
            check=False,
        )
        return Ended(done.returncode, text(done.stdout), text(done.stderr))

    def runs(self, root="reports/archive"):
        folder = self.folder / root
        return sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []

    def sealed(self, root="reports/archive"):
        return [run for run in self.runs(root) if (run / "manifest.json").exists()]


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def chain(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def verdicts(run):
    """Every verdict without its place in the chain, in order.

    Of questions asked at once (PRN-01) any may be the one that another's answer reaches, or on a
    busy machine none: there only that the case was decided is compared.
    """
    return [
        (line["case_id"], line["outcome"] in ("held", "violated"))
        if line["family"] == "PRN-01"
        else {name: value for name, value in line.items() if name not in CHAINED}
        for line in chain(run / "verdicts.jsonl")
    ]


def shown_ids(run):
    """What each step of each case showed, without times and keyed hashes.

    Of questions asked at once, which one finds the cache filled by another is a matter of luck, and
    so is what the steps after them find there.
    """
    shown = {}
    for line in chain(run / "traces.jsonl"):
        at_once = any(step["part"] > 0 for step in line["steps"])
        shown[line["case_id"]] = [
            (step["role"], step["principal_id"], at_once or step["seen"]) for step in line["steps"]
        ]
    return shown


def one_line(ended, *parts):
    """The only line of an error, without a trace, holding all `parts`."""
    said = [line for line in ended.lines if line.startswith("rageval-kit:")]
    assert len(said) == 1, ended.stderr
    assert "Traceback" not in ended.stderr + ended.stdout
    for part in parts:
        assert part in said[0], said[0]
    return said[0]


def wait_for(condition, process, seconds=120):
    """Until `condition` holds; fails if the process ends before."""
    until = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, process.communicate()[1].decode()
        assert time.monotonic() < until, "nothing happened"
        time.sleep(0.005)


def interrupt(process, number=signal.SIGINT):
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    return Ended(process.returncode, "", err.decode("utf-8", "replace"))


@dataclass(frozen=True)
class Undisturbed:
    run: Path
    ended: Ended
    calls: list
