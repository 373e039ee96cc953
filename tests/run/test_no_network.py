"""A run with the embedded system opens no socket: nothing leaves the machine.

Shown twice: Python itself reports every socket and look-up (audit events, also from C code that
goes through its socket module), and the kernel reports every network call of the whole process
tree, whatever library made it.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SUITE = ["+suite=acl_negative", "suites.acl_negative.size.cases=2", "retriever=hybrid"]
TOLD = """
import sys

met = []


def hook(event, args):
    if event.startswith("socket."):
        met.append(event)


sys.addaudithook(hook)
from rageval_kit.cli import main

try:
    main()
except SystemExit as end:
    code = end.code
if "--open-one" in sys.orig_argv:
    import socket

    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close()
print("exit", code, "sockets", met)
"""
STRACE = shutil.which("strace")
# The name service of the C library may ask a daemon of this machine who the user is.
OUTWARD = re.compile(r"\bsocket\((?!AF_UNIX)(\w+)")


def start(folder, words):
    return subprocess.run(
        words, cwd=folder, capture_output=True, text=True, timeout=280, check=False
    )


def test_python_opens_no_socket(tmp_path):
    ended = start(tmp_path, [sys.executable, "-c", TOLD, *SUITE])
    last = ended.stdout.strip().splitlines()[-1]
    assert re.fullmatch(r"exit \d+ sockets \[\]", last), ended.stderr[-2000:]
    assert ran(tmp_path)


def test_the_watch_would_see_one(tmp_path):
    ended = start(tmp_path, [sys.executable, "-c", TOLD, "--version", "--open-one"])
    assert "socket.__new__" in ended.stdout


@pytest.mark.skipif(STRACE is None, reason="strace is not installed")
def test_no_process_of_a_run_asks_the_kernel_for_the_network(tmp_path):
    log = tmp_path / "strace.log"
    watch = [STRACE, "-f", "-qq", "-e", "trace=network", "-o", str(log)]
    tried = start(tmp_path, [*watch, sys.executable, "-c", ONE])
    if tried.returncode != 0:
        pytest.skip(f"strace may not trace here: {tried.stderr[-200:]}")
    assert OUTWARD.search(log.read_text(encoding="utf-8")), "the watch sees nothing"
    started = start(tmp_path, [*watch, sys.executable, "-m", "rageval_kit", *SUITE])
    assert OUTWARD.findall(log.read_text(encoding="utf-8")) == [], started.stderr[-2000:]
    assert ran(tmp_path)


ONE = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close()"


def ran(folder: Path):
    """The run got to its end: it is sealed."""
    return list(folder.glob("reports/archive/*/manifest.json"))
