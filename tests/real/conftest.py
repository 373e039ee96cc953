"""Where do the public data sets stand? Beside the checkout; absent they skip, in CI they fail."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    def find(name: str) -> Path:
        folder = DATA / name
        if folder.is_dir():
            return folder
        missing = f"data set {name!r} is not beside the checkout (looked for {folder})"
        if os.environ.get("CI", "").lower() == "true":
            pytest.fail(missing)
        pytest.skip(missing)

    return find
