"""The adapter keeps the protocols and declares exactly the taps that its parts have."""

import pytest

from rageval_kit.records.target import (
    Answers,
    Counts,
    Grain,
    Laboratory,
    Power,
    Resolves,
    ShowsSinks,
    Stage,
    Target,
)
from rageval_kit.retrievers.embedded import Embedded
from rageval_kit.system.config import EmbeddedConfig


def test_it_is_every_kind_of_target():
    target = Embedded()
    for protocol in (Target, Answers, Resolves, Counts, ShowsSinks, Laboratory):
        assert isinstance(target, protocol)
    assert target.grain is Grain.CHUNK
    assert target.powers == frozenset(Power)


@pytest.mark.parametrize(
    ("config", "absent"),
    [
        ({}, set()),
        ({"arms": ("sparse",)}, {Stage.RETRIEVE_DENSE}),
        ({"arms": ("dense",)}, {Stage.RETRIEVE_SPARSE}),
        ({"rerank": False}, {Stage.RERANK, Stage.RERANK_INPUT}),
        ({"cache": False}, {Stage.CACHE}),
    ],
)
def test_a_part_left_out_has_no_tap(config, absent):
    own = Embedded(EmbeddedConfig(**config)).taps
    assert set(Stage) - own - {Stage.TOOL, Stage.REPLY} == absent


def test_its_description_names_the_fault():
    assert Embedded(EmbeddedConfig(fault="deny_all")).describe()["fault"] == "deny_all"
    assert Embedded().describe()["fault"] == "none"
