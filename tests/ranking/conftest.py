"""The public data sets are found as in tests/real."""

import os
from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data():
    def find(name):
        folder = DATA / name
        if folder.is_dir():
            return folder
        missing = f"data set {name!r} is not beside the checkout (looked for {folder})"
        if os.environ.get("CI", "").lower() == "true":
            pytest.fail(missing)
        return pytest.skip(missing)

    return find
