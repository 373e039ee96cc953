"""Which measures a name or a set stands for: the same ones whoever reads the set."""

from dataclasses import replace

import pytest

from rageval_kit.build import compose
from rageval_kit.build.check import METRICS
from rageval_kit.build.measures import fitting, measure, measures
from rageval_kit.records.conventions import Conventions
from rageval_kit.records.faults import InputError
from rageval_kit.resources import tree

SETS = sorted(path.stem for path in (tree("conf") / "metrics").glob("*.yaml"))

OWN = """\
defaults:
  - retrieval_core
  - /metric@deep: recall_at_100
  - _self_
recall_at_10: {k: 20}
mrr_at_10: null
first: {kind: precision, k: 1}
"""


@pytest.fixture
def own(tmp_path):
    def written(text):
        (tmp_path / "metrics").mkdir(exist_ok=True)
        (tmp_path / "metrics" / "own.yaml").write_text(text, encoding="utf-8")
        return tmp_path

    return written


@pytest.mark.parametrize("name", SETS)
def test_a_set_is_in_files_what_hydra_makes_of_it(name):
    made = list(compose(f"metrics={name}", "samples.depth=100").metrics.values())
    assert made
    assert list(measures([], [name]).values()) == made


def test_a_set_of_ones_own_is_composed_as_a_run_composes_it(own):
    folder = own(OWN)
    names = ["recall@20", "hit_rate@10", "recall@100", "precision@1"]
    assert list(measures([], ["own"], folder)) == names
    composed = compose("metrics=own", "samples.depth=100", config_dir=folder)
    assert [one.name for one in composed.metrics.values()] == names


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{}\n", "names no measure"),
        ("defaults: []\n", "names no measure"),
        ("first: 10\n", "member 'first' is no measure"),
        ("first: {kind: nope}\n", "metrics 'own': first.kind: is not known here"),
        ("defaults: [nope]\n", "metrics 'nope': is no set of measures"),
        ("defaults: [/gate: strict]\n", "has an entry of another kind"),
    ],
)
def test_a_set_that_comes_to_nothing_is_refused(own, text, problem):
    with pytest.raises(InputError, match=problem):
        measures([], ["own"], own(text))


def test_a_bare_name_cuts_only_where_the_measure_cannot_do_without():
    assert measure("recall").name == "recall"
    assert measure("hit_rate").name == "hit_rate"
    assert measure("precision").name == "precision@10"
    assert measure("precision>=2").name == "precision@10>=2"
    for kind in METRICS.built_in():
        (name,) = measures([kind], [])
        assert name == measure(kind).name


def test_what_the_conventions_do_not_allow_is_told_apart():
    made = measures(["recall@1", "bpref", "ap"], [])
    kept, unfit = fitting(made, replace(Conventions(), unjudged="lowest"))
    assert (list(kept), unfit) == (["recall@1", "ap"], {"bpref": "bounds"})
    kept, unfit = fitting(made, replace(Conventions(), grain="claim"))
    assert (list(kept), unfit) == (["recall@1"], {"bpref": "grain", "ap": "grain"})
