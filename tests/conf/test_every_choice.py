"""Every file under conf/ composes into a checked configuration."""

from pathlib import Path

import pytest

from rageval_kit.build import requests
from rageval_kit.build.choices import choices
from rageval_kit.resources import tree

CONF = tree("conf")
ASKING = {  # they need a path or an address
    "corpus/snapshot",
    "access/directory",
    "access/cedar",
    "access/openfga",
    "retriever/http",
    "retriever/pgvector",
    "generator/openai",
    "generator/http",
    "generator/recorded",
}
CHOICES = sorted(
    file.relative_to(CONF).with_suffix("").as_posix()
    for file in CONF.rglob("*.yaml")
    if file.parent != CONF
)


@pytest.mark.parametrize("choice", [one for one in CHOICES if one not in ASKING])
def test_composes(choice):
    group, option = choice.split("/")
    word = {
        "suite": f"+suite={option}",
        "metric": f"+metric@metrics.tried={option}",
    }.get(group, f"{group}={option}")
    (request,), _notices = requests([word])
    assert request.spec.seed == 7


def test_every_group_of_the_defaults_has_its_default():
    (request,), _notices = requests([])
    shown = [name for name, _digest in request.config_files]
    for group in (
        "corpus",
        "access",
        "retriever",
        "reranker",
        "generator",
        "metrics",
        "gate",
        "report",
        "archive",
        "engine",
    ):
        assert any(name.startswith(f"conf/{group}/") for name in shown), group


@pytest.mark.parametrize(
    ("name", "arms"),
    [("bm25", ("sparse",)), ("dense", ("dense",)), ("hybrid", ("sparse", "dense"))],
)
def test_the_three_retrievers_are_one_system_with_its_arms(name, arms):
    (request,), _notices = requests([f"retriever={name}"])
    assert request.spec.retriever.kind == "embedded"
    assert request.spec.retriever.config.arms == arms


def test_the_suite_of_record_requires_the_retrieve_tap_only():
    (request,), _notices = requests(["+suite=acl_negative", "retriever=hybrid"])
    suite = request.spec.suites["acl_negative"]
    assert suite.required_taps == ("retrieve",)
    assert "CTL-*" in suite.families.ids
    full = requests(["+suite=acl_full"])[0][0].spec.suites["acl_full"]
    assert suite.families == full.families  # in fewer cases each, and so proved by the same proof


def test_no_file_names_code():
    for file in CONF.rglob("*.yaml"):
        assert "_target_" not in file.read_text(encoding="utf-8")


def test_conf_lies_beside_the_package_or_inside_it():
    assert choices().shipped == CONF
    assert CONF.is_absolute()
    assert Path(CONF, "config.yaml").is_file()
