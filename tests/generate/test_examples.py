"""Each family file carries examples as data; each comes out as it says, and each case can fail."""

import pytest

from rageval_kit.detect import Detector
from rageval_kit.generate.family import variants
from rageval_kit.generate.shelf import load
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Outcome
from rageval_kit.resources import tree
from rageval_kit.run.family_checks import family_words
from rageval_kit.run.judge import judge

SHELF = load(tree("suites") / "families")
FAMILIES = [family for family in SHELF if not family.is_code]
CASES = [
    pytest.param(family.id, number, id=f"{family.id}-{number}")
    for family in FAMILIES
    for number in range(len(family.examples))
]
# What a leak looks like where it is not an id in the first required tap.
OTHER_LEAKS = {
    "LOG-01": {"log": "+canary"},
    "LOG-09": {"log": "+canary"},
    "SID-02": {"suggest": 1},
    "RNK-03": {"retrieve": "-relevant"},
    "SID-06": {"citation": "status"},
    "SID-07": {"at": 1, "citation": "+canary"},
    "SID-14": {"at": "contrast", "retrieve": "-target"},
    "SID-03": {"suggest": "+term"},
    "SID-09": {"log": "+vector"},
    "CIT-03": {"citation": "+canary"},
    "CIT-04": {"citation": "-all"},
    "CIT-05": {"citation": "+unknown"},
    "LOG-04": {"log": "-all"},
    "PRN-06": {"log": "-all"},
    "CAC-01": {"answer": "+canary"},
    "CAC-04": {"answer": "+canary"},
    "CAC-07": {"at": "twin.2", "retrieve": "-target"},
    "DEL-04": {"index": "+orphan"},
    "VER-04": {"answer": "=unwanted"},
    "VER-08": {"index": "old_model"},
    "VER-09": {"answer": "one_value"},
    "POI-01": {"answer": "+carrier"},
    "POI-03": {"answer": "+carrier"},
    "POI-05": {"retrieve": "+published"},
    "POI-06": {"retrieve": "-true"},
}


@pytest.fixture(scope="module")
def finder(scene):
    detector = Detector(scene.canaries)
    kept = {}

    def in_text(text, _query):
        if text not in kept:
            kept[text] = {scene.canaries[match.token] for match in detector.find(text)}
        return sorted(kept[text])

    return in_text


@pytest.fixture(scope="module")
def outcome_of(scene, made, finder):
    def run(ideal):
        case = ideal.case
        variant = made[case.coordinates.family].variants[case.case_id]
        return judge(case, variant, ideal.trace(), finder, scene.k)

    return run


@pytest.mark.parametrize(("family_id", "number"), CASES)
def test_an_example_comes_out_as_it_says(
    family_id, number, families, made, scene, examples, outcome_of
):
    family = families[family_id]
    example = examples.Example.of(family.examples[number])
    case = made[family_id].cases[0]
    variant = made[family_id].variants[case.case_id]
    ideal = examples.Ideal(scene, case, variant.must).deviating(example.deviation)
    verdict = outcome_of(ideal)
    assert verdict.outcome == example.outcome, verdict.reason
    assert any(note.startswith("lag") for note in verdict.notes) == (example.note == "lag")


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.id)
def test_every_family_of_cases_has_an_example_that_fails_and_one_that_holds(family, examples):
    outcomes = {examples.Example.of(data).outcome for data in family.examples}
    assert "held" in outcomes
    # CTL-01 is about the twins: what it must not let pass is a reader who finds nothing. Where all
    # cases judge together no single one is a violation (tests/run/test_family_checks.py).
    spared = family.id == "CTL-01" or family_words(family)
    assert ("unobserved" if spared else "violated") in outcomes


def test_the_ideal_trace_of_every_case_is_held(made, scene, examples, outcome_of):
    wrong = {}
    for one in made.values():
        for case in one.cases:
            verdict = outcome_of(examples.Ideal(scene, case))
            if verdict.outcome is not Outcome.HELD or verdict.notes:
                wrong[case.case_id] = (verdict.outcome, verdict.reason, verdict.notes)
    assert not wrong


def leak_of(variant, case):
    """Where a payload is in play its goal says what a breach looks like."""
    payload = case.expectation.payload
    if payload is None:
        return OTHER_LEAKS.get(variant.id, {"must": "+target"})
    ways = {"tool": {"tool": "+call"}, "url": {"answer": "+url"}, "refuse": {"answer": "-all"}}
    return ways.get(payload.goal, {"answer": "+obeyed"})


def test_every_case_can_fail(made, scene, examples, outcome_of):
    """The last step of the denied reader leaks: violated, whatever the variant and the wording."""
    passed = {}
    for one in made.values():
        for case in () if family_words(one.family) else one.cases:
            variant = one.variants[case.case_id]
            ideal = examples.Ideal(scene, case, variant.must)
            leak = leak_of(variant, case)
            (name,) = (key for key in leak if key != "at")
            tap = variant.must[0] if name == "must" else Stage(name)
            able = [p for p in ideal.of_reader() if tap in ideal.showing(p)]
            marks = case.expectation.marks
            sibling = (*marks.get("sibling", ()), *marks.get("in_force", ()))
            last = sum(index not in sibling for index, _ in able)
            verdict = outcome_of(ideal.deviating({"at": last, **leak}))
            if verdict.outcome is not Outcome.VIOLATED:
                passed[case.case_id] = (verdict.outcome, verdict.reason)
    assert not passed


def test_every_variant_of_a_family_makes_a_case_on_the_demo_world(families, made):
    for family in FAMILIES:
        labels = {variant.variant for variant in variants(families[family.id])}
        assert {v.variant for v in made[family.id].variants.values()} == labels, family.id


def test_the_demo_world_gives_enough_cases_for_that_to_mean_something(made):
    assert sum(len(one.cases) for one in made.values()) > 1000
