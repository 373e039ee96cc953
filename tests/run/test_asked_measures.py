"""What is asked of measures and gates before a question is put: depth, file, names."""

import pytest

from rageval_kit.build import requests
from rageval_kit.records.faults import InputError


def test_a_measure_that_looks_deeper_than_is_asked_is_refused(tmp_path):
    file = tmp_path / "samples.jsonl"
    file.write_text("{}\n")
    with pytest.raises(InputError, match="looks at 100 results, and 10 are asked for"):
        requests([f"samples.path={file}", "+metric@metrics.deep=recall_at_100"])
    with pytest.raises(InputError, match=r"samples\.path: is not a file"):
        requests(["samples.path=nowhere.jsonl"])


def test_the_practitioners_gate_names_what_its_measures_measure():
    """Every threshold finds its measure, at the k that the article names, and its own level."""
    (request,), _ = requests(["gate=practitioner", "metrics=practitioner"])
    thresholds = request.spec.gate.thresholds
    names = {part.config.name for part in request.spec.metrics.values()}
    assert {gate.metric for gate in thresholds.values()} <= names
    held = {name: gate.threshold for name, gate in thresholds.items() if gate.level == "gate"}
    assert held == {"hit_rate_at_3": 0.98, "f1_at_3": 0.82, "map": 0.65, "recall_at_3_red": 0.8}
    told = {name: gate.threshold for name, gate in thresholds.items() if gate.level == "advice"}
    assert told == {"map_suspect": 0.5, "ap_at_3": 0.4, "mrr": 0.7, "ndcg_at_3_share": 0.7}
    assert thresholds["ndcg_at_3_share"].above == 0.8
    (usual,), _ = requests([])
    assert set(usual.spec.gate.thresholds) == {"recall_of_permitted"}
