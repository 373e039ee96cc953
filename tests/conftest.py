"""What holds for every test: no key in anybody's home folder, no network but this machine's own."""

import base64
import binascii
import contextlib
import os
import re
import socket
from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"

# A canary as it is planted, and runs of characters that may be one in hexadecimal or base64.
CANARY = re.compile(rb"[A-Z]{4,6}-[0-9]{4,6}-[A-Z]{4,6}-[0-9]{4,6}")
HEX = re.compile(rb"(?:[0-9A-Fa-f]{2}){20,}")
BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{28,}")

LOOPBACK = ("127.", "::1", "localhost")


def _is_local(family, address):
    if family == socket.AF_UNIX:
        return True
    host = address[0] if isinstance(address, tuple) and address else ""
    return str(host).startswith(LOOPBACK)


@pytest.fixture(scope="session")
def shared_data():
    """Give the folder of a public data set beside the checkout; absent it skips, in CI it fails."""

    def find(name):
        folder = DATA / name
        if folder.is_dir():
            return folder
        missing = f"data set {name!r} is not beside the checkout (looked for {folder})"
        if os.environ.get("CI", "").lower() == "true":
            pytest.fail(missing)
        pytest.skip(missing)

    return find


@pytest.fixture(autouse=True, scope="session")
def _own_surroundings(tmp_path_factory):
    """The key lies in a temporary folder, and settings of whoever runs the tests do not count."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("RAGEVAL_")]:
            patch.delenv(name)
        key = tmp_path_factory.mktemp("key", numbered=True) / "key"
        patch.setenv("RAGEVAL_KEY_FILE", str(key))
        yield


@pytest.fixture(autouse=True, scope="session")
def _no_network():
    """Connecting, sending or looking up beyond this machine fails the test that tries."""
    kept = {name: getattr(socket.socket, name) for name in ("connect", "connect_ex", "sendto")}

    def guarded(name):
        def call(self, *args):
            address = args[-1]
            if not _is_local(self.family, address):
                message = f"a test reached for the network: {name} {address!r}"
                raise RuntimeError(message)
            return kept[name](self, *args)

        return call

    look_up = socket.getaddrinfo

    def guarded_look_up(host, *args, **kwargs):
        # `.invalid` names exist nowhere (RFC 2606): asking for one is how a test meets a failure.
        name = host.decode() if isinstance(host, bytes) else host
        if name and not name.startswith(LOOPBACK) and not name.endswith(".invalid"):
            message = f"a test reached for the network: looking up {name!r}"
            raise RuntimeError(message)
        return look_up(host, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        for name in kept:
            patch.setattr(socket.socket, name, guarded(name))
        patch.setattr(socket, "getaddrinfo", guarded_look_up)
        yield


def carried(data):
    """Canaries in the bytes of a file, as they are and behind hexadecimal and base64."""
    found = set(CANARY.findall(data))
    for run in HEX.findall(data):
        found.update(CANARY.findall(bytes.fromhex(run.decode())))
    for run in BASE64.findall(data.translate(bytes.maketrans(b"-_", b"+/"))):
        for start in range(4):  # the run may begin before what was encoded, and end behind it
            part = run[start:] if len(run[start:]) % 4 != 1 else run[start:-1]
            with contextlib.suppress(binascii.Error):
                found.update(CANARY.findall(base64.b64decode(part + b"=" * (-len(part) % 4))))
    return {canary.decode() for canary in found}


@pytest.fixture(autouse=True, scope="session")
def archives_searched():
    """Every archive that a run of this process seals is searched for the canaries it planted.

    By another way than the kit's own LOG-06: a test whose archive holds one fails, whatever it
    tests. The list names what was searched.
    """
    try:
        from rageval_kit.run import evaluate
    except Exception:  # noqa: BLE001 - what cannot be imported seals nothing; its own tests fail
        yield []
        return
    searched, kept = [], evaluate.store

    def store_and_search(prepared, run, *rest):
        record = kept(prepared, run, *rest)
        for path in sorted(run.folder.path.rglob("*")):
            told = (
                carried(path.read_bytes()) & set(prepared.scene.canaries) if path.is_file() else ()
            )
            if told:
                message = f"LOG-06: {path} holds planted texts: {sorted(told)[:3]}"
                raise AssertionError(message)
        searched.append(run.folder.path)
        return record

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evaluate, "store", store_and_search)
        yield searched
