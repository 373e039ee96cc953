"""What is imported, and what is left behind, when nothing is evaluated."""

import json
import subprocess
import sys

import pytest

HEAVY = {"polars", "pandera", "scipy", "faker", "jinja2", "bm25s"}
LOADED = """
import json, sys
from rageval_kit.cli import main
try:
    main()
except SystemExit:
    pass
sys.stderr.write("\\n@" + json.dumps(sorted(name for name in sys.modules if "." not in name)))
"""


def loaded(kit, *words):
    ended = subprocess.run(
        [sys.executable, "-c", LOADED, *words],
        cwd=kit.folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return set(json.loads(ended.stderr.rpartition("@")[2]))


def test_help_loads_nothing_heavier_than_click(kit):
    names = loaded(kit, "-h")
    assert not names & (HEAVY | {"numpy", "hydra", "omegaconf", "yaml"})
    assert "click" in names


def test_version_loads_nothing_heavier_than_click(kit):
    assert not loaded(kit, "--version") & (HEAVY | {"numpy", "hydra", "omegaconf"})


def test_cfg_loads_no_engine(kit):
    assert not loaded(kit, "--cfg", "job", "+suite=smoke") & HEAVY


def test_completion_loads_no_hydra(kit):
    names = loaded(kit, "completion", "words", "--", "rageval-kit +suite=")
    assert not names & (HEAVY | {"numpy", "hydra", "omegaconf"})


def test_plan_loads_no_engine(kit):
    assert not loaded(kit, "plan", "+suite=smoke") & (HEAVY - {"bm25s"})


@pytest.mark.parametrize(
    "words",
    [
        ["-h"],
        ["--cfg", "job"],
        ["--info", "searchpath"],
        ["plan", "+suite=smoke"],
        ["doctor"],
        ["--hydra-help"],
        ["run", "--help"],
    ],
    ids=" ".join,
)
def test_nothing_is_left_in_the_folder(kit, words):
    ended = kit.process(*words)
    assert ended.returncode == 0, ended.stderr
    assert list(kit.folder.iterdir()) == []


def test_bug_081_works_from_any_folder(kit):
    ended = kit.process("--cfg", "job", "+suite=smoke")
    assert ended.returncode == 0
    assert "ACL-01" in ended.stdout


THREADS = """
import os
from rageval_kit.cli import main
try:
    main()
except SystemExit:
    pass
print(os.environ["OPENBLAS_NUM_THREADS"])
"""


@pytest.mark.parametrize(("own", "counts"), [(None, "1"), ("4", "4")], ids=["none", "one's own"])
def test_linear_algebra_keeps_to_one_thread_unless_somebody_says_otherwise(
    monkeypatch, own, counts
):
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    if own:
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", own)
    words = [sys.executable, "-c", THREADS, "--version"]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=60, check=True)
    assert ended.stdout.splitlines()[-1] == counts
