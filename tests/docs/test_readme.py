"""Every command of the README does what the README says, in one folder, in the README's order."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("httpx2", reason="the README's own-system example needs rageval-kit[http]")
ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INSTALL = re.compile(
    r"^python3 -m venv \.venv && \.venv/bin/pip install .*? && \.venv/bin/", re.MULTILINE
)
SHELL = ["bash", "-euo", "pipefail", "-c"]
# A block that fails halfway leaves nothing running.
TIDY = "trap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n"
STOP = "…"
# What a person waits ten seconds for may take longer where other tests run beside it.
PAUSE = "sleep 10\n"
WAIT = "until (: > /dev/tcp/127.0.0.1/{port}) 2> /dev/null; do sleep 0.2; done\n"


@dataclass
class Block:
    script: str
    exit_code: int
    shown: str = ""
    label: str = ""


def blocks():
    """The shell blocks marked `run`, each with the text block that follows it at once."""
    found, last = [], None
    for kind, marks, body in BLOCK.findall(README):
        if kind == "sh" and "run" in marks.split():
            code = re.search(r"exit=(\d+)", marks)
            last = Block(INSTALL.sub("", body), int(code[1]) if code else 0)
            last.label = last.script.strip().splitlines()[-1][:40]
            found.append(last)
        elif kind == "text" and last is not None:
            last.shown, last = body, None
        else:
            last = None
    assert found, "the README marks no command as run"
    return found


def plain(text):
    """The words of a line without its figures, ids and spacing, which differ from run to run."""
    text = re.sub(r"\d{8}T\d{6}Z-[0-9a-f]{8}", "RUN", text)
    text = re.sub(r"\b[0-9a-f]{12,64}\b|\b[0-9a-f]{4}…", "DIGEST", text)
    return re.sub(r"\s+", " ", re.sub(r"[\d,.]+", "0", text)).strip()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("readme")


@pytest.mark.parametrize("block", blocks(), ids=lambda block: block.label)
def test_a_command_does_what_the_readme_says(folder, block):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    (port,) = re.findall(r"--port (\d+)", block.script) or [""]
    ended = subprocess.run(
        [*SHELL, TIDY + block.script.replace(PAUSE, WAIT.format(port=port))],
        cwd=folder,
        env={**os.environ, "PATH": path, "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=280,
        check=False,
    )
    assert ended.returncode == block.exit_code, ended.stdout[-3000:]
    said = [plain(line) for line in ended.stdout.splitlines()]
    for line in block.shown.splitlines():
        if line.strip() not in ("", STOP):
            assert plain(line) in said, f"{line!r} is not in:\n{ended.stdout[-3000:]}"


def test_only_installing_and_testing_are_not_run_here():
    left = [
        body for kind, marks, body in BLOCK.findall(README) if kind == "sh" and "run" not in marks
    ]
    assert len(left) == 1
    assert INSTALL.match(left[0])


def test_the_continuous_check_runs_the_tests_as_the_readme_does():
    command = "pytest -n 2"
    assert command in README
    assert command in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_both_languages_tell_the_exit_codes():
    english, chinese = README.split("## 中文快速上手")
    for code in ("0", "1", "2", "3", "4", "5", "130"):
        assert f"| {code} |" in english
        assert re.search(rf"[：·\s]{code} ", chinese)
