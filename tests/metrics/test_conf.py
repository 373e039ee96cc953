"""Every shipped metric file builds the measure it is named after; sets compose by name."""

from dataclasses import fields
from pathlib import Path

import pytest
import yaml

from rageval_kit.build.kinds import Registry, config_class
from rageval_kit.metrics.hit_rate import HitRate
from rageval_kit.metrics.mrr import MRR
from rageval_kit.metrics.recall import Recall

CONF = Path(__file__).resolve().parents[2] / "conf"
REGISTRY = Registry("metrics")
FILES = sorted((CONF / "metric").glob("*.yaml"))
SHIPPED_SETS = {
    "retrieval_core": ("recall@10", "hit_rate@10", "mrr@10"),
    "ranking": (
        *("ndcg@10", "ndcg_linear@10", "ap", "mrr@10", "precision@10", "recall@10"),
        *("recall@100", "hit_rate@10", "f1@10", "r_precision", "bpref", "judged@10"),
    ),
}


def build(node):
    kind = node.pop("kind")
    return config_class(REGISTRY.module(kind, "metric"), kind)(**node)


def plain_name(metric):
    """The file's name that a measure's name calls for: `recall@10` -> recall_at_10."""
    name = metric.name.replace("[weighted]", "")
    kind, _, k = name.partition("@")
    weighted = "_weighted" if "[weighted]" in metric.name else ""
    return f"{kind}{weighted}_at_{k}" if k else kind


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_metric_file_builds_the_measure_it_is_named_after(file):
    text = file.read_text("utf-8")
    metric = build(yaml.safe_load(text))
    assert plain_name(metric) == file.stem
    assert text.startswith("# ")
    assert text.splitlines()[0].endswith(".")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_metric_file_writes_out_every_field_that_a_reader_would_ask_about(file):
    node = yaml.safe_load(file.read_text("utf-8"))
    known = {one.name for one in fields(build(dict(node)))}
    assert set(node) - {"kind"} == known - {"min_grade"}


@pytest.mark.parametrize("kind", sorted(REGISTRY.built_in()))
def test_every_measure_has_a_shipped_file(kind):
    assert any(yaml.safe_load(file.read_text("utf-8"))["kind"] == kind for file in FILES)


@pytest.mark.parametrize(
    ("name", "kind"), [("recall_at_10", Recall), ("hit_rate_at_10", HitRate), ("mrr_at_10", MRR)]
)
def test_a_metric_file_names_its_module_and_its_fields(name, kind):
    node = yaml.safe_load((CONF / "metric" / f"{name}.yaml").read_text("utf-8"))
    assert node.pop("kind") == kind.__module__.rpartition(".")[2]
    assert kind(**node) == kind(10)


@pytest.mark.parametrize("name", SHIPPED_SETS)
def test_a_set_composes_by_name(name):
    from hydra import compose, initialize_config_dir
    from omegaconf import OmegaConf

    with initialize_config_dir(str(CONF), version_base="1.3"):
        node = OmegaConf.to_container(compose(overrides=[f"+metrics={name}"]).metrics)
    made = {key: build(one) for key, one in node.items()}
    assert tuple(metric.name for metric in made.values()) == SHIPPED_SETS[name]
    assert all(plain_name(metric) == key for key, metric in made.items())
