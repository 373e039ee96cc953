"""A home folder whose `sitecustomize` can strike, and runs that nothing disturbed."""

import shutil
import sys
from pathlib import Path

import pytest

from rageval_kit.archive.keys import load_key

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))  # the tests of this folder share resilience_kit

from resilience_kit import SMALL, Command, Undisturbed  # noqa: E402


@pytest.fixture(scope="session")
def home(tmp_path_factory):
    """A home folder, which is also on the path: what strikes lies in it."""
    folder = tmp_path_factory.mktemp("home")
    shutil.copy(HERE / "strike.py", folder / "sitecustomize.py")
    load_key(folder / ".config" / "rageval-kit" / "key")  # so that all runs have the same calls
    return folder


@pytest.fixture
def kit(tmp_path, home):
    folder = tmp_path / "work"
    folder.mkdir()
    return Command(folder, home)


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory, home):
    """A finished run of SMALL with the words given, made once, and its dealings with the disk."""
    made = {}

    def run(*words):
        if words not in made:
            folder = tmp_path_factory.mktemp("undisturbed")
            kit = Command(folder, home)
            log = folder / "calls"
            ended = kit(*SMALL, *words, env={"STRIKE_LOG": str(log)})
            (only,) = kit.sealed()
            made[words] = Undisturbed(only, ended, log.read_text().splitlines())
        return made[words]

    return run
