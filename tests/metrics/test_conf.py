"""The shipped metric files compose into the set that names them."""

from pathlib import Path

import pytest
import yaml

from rageval_kit.metrics.hit_rate import HitRate
from rageval_kit.metrics.mrr import MRR
from rageval_kit.metrics.recall import Recall

CONF = Path(__file__).resolve().parents[2] / "conf"


@pytest.mark.parametrize(
    ("name", "kind"), [("recall_at_10", Recall), ("hit_rate_at_10", HitRate), ("mrr_at_10", MRR)]
)
def test_a_metric_file_names_its_module_and_its_fields(name, kind):
    node = yaml.safe_load((CONF / "metric" / f"{name}.yaml").read_text("utf-8"))
    assert node.pop("kind") == kind.__module__.rpartition(".")[2]
    assert kind(**node) == kind(10)


def test_retrieval_core_composes_by_name():
    from hydra import compose, initialize_config_dir

    with initialize_config_dir(str(CONF), version_base="1.3"):
        node = compose(overrides=["+metrics=retrieval_core"])
    assert {name: one["kind"] for name, one in node["metrics"].items()} == {
        "recall_at_10": "recall",
        "hit_rate_at_10": "hit_rate",
        "mrr_at_10": "mrr",
    }
