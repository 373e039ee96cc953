"""The tests of this folder share ranked_lists; the data sets stand where tests/real looks."""

import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[2] / "shared" / "data"
sys.path.insert(0, str(HERE))


@pytest.fixture(scope="session")
def shared_data():
    def find(name):
        folder = DATA / name
        if folder.is_dir():
            return folder
        missing = f"data set {name!r} is not beside the checkout (looked for {folder})"
        if os.environ.get("CI", "").lower() == "true":
            pytest.fail(missing)
        pytest.skip(missing)

    return find
