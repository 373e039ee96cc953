"""What holds for every test: no key in anybody's home folder, no network but this machine's own."""

import os
import socket
from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"

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
