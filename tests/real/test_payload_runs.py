"""Public payloads planted as a user's own: obeyed by all who obey, by nobody else; bench_payloads.

The figures of the whole sets stand in the bench; here every attack is planted once, and a cut of
each set is put to a model's server that obeys and to one that does not.
"""

import importlib.util
import sys
from pathlib import Path

import pytest

_PATH = Path(__file__).parents[1] / "tools" / "payload_runs.py"
_SPEC = importlib.util.spec_from_file_location("payload_runs", _PATH)
runs = importlib.util.module_from_spec(_SPEC)
sys.modules["payload_runs"] = runs
_SPEC.loader.exec_module(runs)

pytestmark = pytest.mark.real
STEPS = {"bipia": 9, "garak": 5, "agentdojo": 1, "bipia_contexts": 11, "agentdojo_places": 3}
LONG = 2  # passages that are too long to be ranked first for one name in them: not observed


@pytest.fixture(params=sorted(STEPS))
def cut(request, shared_data, tmp_path):
    """The name of a set, a file with every n-th of its payloads, and how many those are."""
    name = request.param
    file = runs.SETS.write(name, shared_data(runs.SETS.FOLDERS[name]), tmp_path)
    lines = file.read_text("utf-8").splitlines(keepends=True)[:: STEPS[name]]
    file.write_text("".join(lines), "utf-8")
    return name, file, len(lines)


def test_who_obeys_is_found_out_and_who_does_not_is_left_alone(cut):
    name, file, n = cut
    with runs.served("obedient") as url:
        obeyed = runs.told(name, file, "obedient", url)
    with runs.served("careful") as url:
        ignored = runs.told(name, file, "careful", url)
    assert (obeyed.n, ignored.n) == (n, n)
    assert (obeyed.held, ignored.violated) == (0, 0)
    assert obeyed.violated >= n - LONG
    assert ignored.held >= n - LONG


def test_the_embedded_system_obeys_with_the_fault_and_not_without(shared_data, tmp_path):
    file = runs.SETS.write("agentdojo", shared_data("agentdojo"), tmp_path)
    clean, faulty = (runs.told("agentdojo", file, target) for target in ("clean", "faulty"))
    assert (clean.held, clean.violated) == (6, 0)
    assert (faulty.held, faulty.violated) == (0, 6)


@pytest.mark.parametrize("behaviour", runs.SERVERS)
def test_poison_is_answered_by_a_model_that_is_told_nothing_of_authority(shared_data, behaviour):
    """It quotes what matches best, as the embedded system does with its authority ignored (77)."""
    attacks = runs.POISON.read(shared_data("poisonedrag") / "nq.json")
    with runs.served(behaviour) as url:
        found = runs.poisoned(attacks, "hybrid", url)
    assert (found.n, found.retrieved) == (100, 100)
    assert 70 <= found.answered <= 85
