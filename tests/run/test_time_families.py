"""The families of time against the embedded system: silent where it is sound."""

from collections import Counter

import pytest

from rageval_kit.corpus.snapshots import load_world
from rageval_kit.detect import Detector
from rageval_kit.execute.block import Runner
from rageval_kit.generate.planting import plant
from rageval_kit.generate.scene import Scene
from rageval_kit.generate.shelf import load
from rageval_kit.generate.suite import compile_family
from rageval_kit.resources import tree
from rageval_kit.retrievers.embedded import Embedded
from rageval_kit.run.judge import judge
from rageval_kit.system.config import EmbeddedConfig

VERSIONS = [f"VER-0{n}" for n in (1, 2, 3, 4, 5, 6, 7, 9)]
TIMES = [f"ASO-0{n}" for n in range(1, 8)]
LEVELS = {"revocation": 60.0, "indexing": 600.0}


@pytest.fixture(scope="module", params=[("sparse", "dense"), ("sparse",)], ids="+".join)
def outcomes(request):
    """How the cases of each family come out with a fault switched on (None: with none)."""
    folder = tree("suites") / "worlds" / "demo"
    demo = load_world(folder / "snapshot", folder / "directory.json")
    families = load(tree("suites") / "families", [*VERSIONS, *TIMES])
    seed = 100 + len(request.param[0])
    planted = plant(demo, families, seed)
    clean = Embedded(EmbeddedConfig(arms=request.param))
    scene = Scene(
        planted.world,
        clean.grain,
        clean.powers,
        clean.taps,
        seed,
        LEVELS,
        planted.canaries,
        own=demo,
        common=planted.common,
    )
    made = {family.id: compile_family(scene, family, 12) for family in families}
    detector = Detector(planted.canaries)
    found = {}

    def finder(text, _query):
        if text not in found:
            found[text] = tuple(planted.canaries[m.token] for m in detector.find(text))
        return found[text]

    def run(fault, ids):
        target = Embedded(EmbeddedConfig(fault=fault, arms=request.param))
        target.connect(planted.world)
        runner = Runner(target)
        counted = {}
        for family_id in ids:
            cases = made[family_id].cases
            traces = runner.run([case.script for case in cases]).traces
            counted[family_id] = Counter(
                judge(case, made[family_id].variants[case.case_id], trace, finder, 10).outcome
                for case, trace in zip(cases, traces, strict=True)
            )
        return counted

    return run


def test_a_clean_system_holds_every_case(outcomes):
    for family_id, counted in outcomes(None, [*VERSIONS, *TIMES]).items():
        assert set(counted) == {"held"}, family_id


def test_a_system_that_ignores_validity_is_caught_by_most_of_them(outcomes):
    counted = outcomes("ignore_c6", [*VERSIONS, *TIMES])
    assert {f for f, outcome in counted.items() if outcome["violated"]} >= {
        "VER-01", "VER-03", "VER-05", "VER-06",
        "ASO-01", "ASO-02", "ASO-03", "ASO-04", "ASO-07",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("fault", "family_id"),
    [("ignore_c7", "ASO-04"), ("ignore_c5", "VER-02"), ("ignore_c5", "VER-07")],
)
def test_a_condition_left_out_is_caught_by_its_family(outcomes, fault, family_id):
    assert outcomes(fault, [family_id])[family_id]["violated"]


@pytest.mark.parametrize(
    ("fault", "family_id"), [("undated_served", "VER-05"), ("old_tail_kept", "VER-01")]
)
def test_what_only_one_shape_of_a_document_shows_is_caught_by_its_family(
    outcomes, fault, family_id
):
    assert outcomes(fault, [family_id])[family_id]["violated"]
