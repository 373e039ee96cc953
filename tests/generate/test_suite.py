"""Which cases a suite comes to in the demo world, and what it says of those it cannot make."""

from collections import Counter

import pytest

from rageval_kit.access import Monitor
from rageval_kit.corpus.evolve import evolve
from rageval_kit.generate.family import Word, variants
from rageval_kit.generate.suite import alive_words, compile_family
from rageval_kit.records.cases import (
    Apply,
    Ask,
    Count,
    Enter,
    Inventory,
    Look,
    ReadSink,
    Resolve,
    Together,
    Wait,
)
from rageval_kit.records.changes import SetClock
from rageval_kit.records.target import Grain, Power, Stage

DENY_NOBODY = {"crowd_member"}  # its people should find what they may
NEED_EVENTS = ("ACL-08", "ACL-10", "ACL-11", "ACL-14", "CAC-04", "DEL-01")


def every_case(made):
    return [case for one in made.values() for case in one.cases]


def asks(case):
    for step in case.script.steps:
        yield from step.asks if isinstance(step, Together) else [step]


def test_case_ids_are_unique_and_name_their_family(made):
    ids = [case.case_id for case in every_case(made)]
    assert len(set(ids)) == len(ids)
    for case in every_case(made):
        assert case.case_id.startswith(f"{case.coordinates.family}-")
        assert case.script.case_id == case.expectation.case_id == case.case_id


def test_the_same_seed_gives_the_same_cases_and_another_gives_others(scene_for, families):
    family = families["ACL-02"]
    first, second, other = (
        compile_family(scene_for(seed=seed), family, 40).cases for seed in (7, 7, 8)
    )
    assert [(c.coordinates, c.script, c.denied_by) for c in first] == [
        (c.coordinates, c.script, c.denied_by) for c in second
    ]
    assert [c.script for c in first] != [c.script for c in other]


def test_nobody_is_paired_with_itself(made):
    """Where the twin is the same person, it is through others that the question comes (PRN-04)."""
    # BUG-085
    for case in every_case(made):
        if case.coordinates.reader_id == case.coordinates.twin_id:
            reader, twin = (
                {one.caller.via for one in asks(case) if isinstance(one, Ask) and one.role == role}
                for role in ("reader", "twin")
            )
            assert reader
            assert twin
            assert () not in reader | twin
            assert not reader & twin
        for step in case.script.steps:
            if isinstance(step, Together):
                for twin, reader in zip(step.asks[::2], step.asks[1::2], strict=True):
                    assert twin.caller.principal_id != reader.caller.principal_id
                    assert twin.query == reader.query


def test_a_family_makes_about_as_many_cases_as_asked(scene, families):
    for family_id in ("ACL-01", "ACL-02", "PRN-02", "RNK-01", "SID-02"):
        for size in (1, 10, 50):
            made = compile_family(scene, families[family_id], size)
            variant, *rest = variants(families[family_id])  # of each one pair more, at the most
            per_pair = len(variant.ask) * (1 + len(rest))
            assert size <= len(made.cases) < size + per_pair


def test_every_case_has_a_denied_step_and_a_living_positive(made):
    for case in every_case(made):
        variant = made[case.coordinates.family].variants[case.case_id]
        assert alive_words(variant, case.expectation)
        if variant.denied_by is None or variant.denied_by.name in DENY_NOBODY:
            continue
        denied = [
            place
            for place, expected in case.expectation.steps.items()
            if not expected.target_allowed
        ]
        assert denied, case.case_id


def test_a_case_without_a_twin_is_alive_by_the_readers_own_sibling(families, made):
    variant = families["ACL-10"]
    names = {
        case.coordinates.twin_id != "": {
            word.name
            for word in alive_words(made["ACL-10"].variants[case.case_id], case.expectation)
        }
        for case in made["ACL-10"].cases
    }
    assert Word("same_reader_before") in variant.alive
    for has_twin, words in names.items():
        assert ("allowed_reader" in words) is has_twin
        assert {"same_reader_before", "acknowledged"} <= words


def test_what_is_expected_of_a_step_is_what_the_monitor_says_of_the_world_then(made, scene):
    """Each eighth case walked again by hand: world and monitor anew at every question."""
    seen, bearing = Counter(), 0
    for case in every_case(made)[::8]:
        world, monitor = scene.world, None
        variant = made[case.coordinates.family].variants[case.case_id]
        is_field = variant.contrast == Word("swapped", {"is": "field"})
        for index, step in enumerate(case.script.steps):
            if isinstance(step, Apply):
                world, monitor = evolve(world, step.change), None
                continue
            if isinstance(step, Wait):
                world, monitor = evolve(world, SetClock(step.until)), None
                continue
            if isinstance(step, Inventory | Enter):
                continue  # of another world the same is expected as of one's own
            monitor = monitor or Monitor(world)
            for part, one in enumerate(step.asks if isinstance(step, Together) else [step]):
                expected = case.expectation.steps[index, part]
                # A relative date means another time than the question carries.
                times = {"as_of": expected.as_of, "known_at": getattr(one, "known_at", None)}
                parties = (one.caller.principal_id, *one.caller.via)
                may = [monitor.permitted(party, Grain.CHUNK, **times) for party in parties]
                target = case.expectation.roles["target"]
                allowed = {i for i in target if all(i in each for each in may)}
                found = {i for i in target if i in expected.permitted}
                # A token may only narrow it: tests/generate/test_deputy_words.py.
                assert found <= allowed if is_bearing(one) else found == allowed
                # Of a readable passage with a hidden field (SID-14) the field is what is denied.
                marks = case.expectation.marks
                hidden = is_field and index in {*marks["compared"], *marks["again"]}
                assert expected.target_allowed == (bool(found) and not hidden)
                seen[type(one)] += 1
                bearing += is_bearing(one)
    assert seen.keys() == {Ask, Count, Resolve, Look, ReadSink}
    assert 0 < bearing < seen.total() / 20


def is_bearing(step):
    """Whether it is asked under a token: at most what its bearer may see is then to be shown."""
    return isinstance(step, Ask) and step.bearing is not None


def test_no_query_carries_a_canary(made):
    from rageval_kit.generate.words import MARK

    for case in every_case(made):
        for one in asks(case):
            if isinstance(one, Ask | Count):
                assert not MARK.search(one.query)


def test_a_script_that_shares_no_state_may_share_a_batch(made):
    alone = {family_id: {c.script.alone for c in one.cases} for family_id, one in made.items()}
    assert alone["ACL-01"] == alone["SID-02"] == alone["CIT-01"] == {False}
    assert alone["ACL-08"] == alone["LOG-01"] == alone["PRN-01"] == {True}


def test_the_twin_asks_after_the_reader_unless_the_script_names_it(made):
    def order(family_id):
        steps = made[family_id].cases[0].script.steps
        return [s.role for s in steps if isinstance(s, Ask | Resolve | Count)]

    assert order("ACL-01") == ["reader", "twin"]
    assert order("CAC-01") == ["twin", "reader", "owner", "owner"]
    assert order("PRN-02") == ["reader", "twin", "service"]
    assert order("CIT-01") == ["reader", "contrast", "twin"]


def test_each_pair_of_a_crowd_of_questions_stands_in_one_script(made):
    seen = {16: Counter(), 64: Counter()}
    for case in made["PRN-01"].cases:
        (step,) = [s for s in case.script.steps if isinstance(s, Together)]
        assert len(step.asks) == step.in_flight
        pairs = {(one.caller.principal_id, one.query) for one in step.asks[1::2]}
        seen[step.in_flight].update(pairs)
    assert len(seen[16]) == 32
    assert set(seen[16].values()) == {1}


def test_cases_of_every_condition_are_denied_by_it_alone_with_a_twin_or_a_sibling(made):
    conditions = Counter()
    for case in made["CTL-08"].cases:
        ((_, condition),) = case.coordinates.variant
        assert case.denied_by == (condition,)
        conditions[condition] += 1
    assert set(conditions) == {f"C{n}" for n in range(1, 15)}


@pytest.mark.parametrize("family_id", NEED_EVENTS)
def test_without_powers_a_family_of_events_is_not_applicable_by_name(
    family_id, scene_for, families
):
    made = compile_family(scene_for(powers=()), families[family_id], 24)
    assert not made.cases
    assert "the target lacks the power" in made.not_applicable
    assert "mutate" in made.not_applicable


@pytest.mark.parametrize(
    ("family_id", "power"),
    [("ACL-18", "plant"), ("RNK-03", "plant"), ("PRN-01", "concurrent"), ("LOG-01", "restore")],
)
def test_a_lacking_power_is_named(family_id, power, scene_for, families):
    made = compile_family(scene_for(powers=()), families[family_id], 24)
    assert not made.cases
    assert power in made.not_applicable


def test_where_nothing_can_be_planted_a_family_that_only_looks_for_canaries_is_not_run(
    scene_for, families
):
    powers = frozenset(Power) - {Power.PLANT}
    made = compile_family(scene_for(powers=powers), families["LOG-01"], 24)
    assert made.not_applicable == "the target lacks the power plant"


@pytest.mark.parametrize(
    ("family_id", "tap"),
    [
        ("ACL-14", "citation"),
        ("CIT-01", "citation"),
        ("RNK-01", "rerank.input"),
        ("SID-02", "suggest"),
        ("LOG-01", "log"),
        ("CAC-01", "answer"),
    ],
)
def test_a_tap_that_the_target_does_not_show_is_named(family_id, tap, scene_for, families):
    taps = frozenset(Stage) - {Stage(tap)}
    made = compile_family(scene_for(taps=taps), families[family_id], 24)
    assert made.not_applicable == f"the target shows no {tap}"


def test_a_missing_arm_takes_one_variant_only(scene_for, families):
    made = compile_family(
        scene_for(taps=frozenset(Stage) - {Stage.RETRIEVE_SPARSE}), families["ACL-16"], 24
    )
    assert made.cases
    assert dict(made.nothing) == {"retrieve.sparse": "the target shows no retrieve.sparse"}


def test_an_endpoint_that_returns_document_ids_can_be_asked_about_them(scene_for, families):
    bare = scene_for(powers=(), taps={Stage.RETRIEVE}, grain=Grain.DOCUMENT, able=frozenset())
    made = {f.id: compile_family(bare, f, 24) for f in families.values()}
    assert {"ACL-01", "ACL-02", "ACL-06", "CTL-01", "PRN-02"} <= {
        family_id for family_id, one in made.items() if one.cases
    }
    for one in made.values():
        assert one.cases or one.family.is_code or one.not_applicable
        for case in one.cases:
            assert all(isinstance(step, Ask) for step in case.script.steps)
            assert case.expectation.roles["target"] == {case.coordinates.document_id}


@pytest.mark.parametrize("grain", [Grain.DOCUMENT, Grain.VERSION])
def test_what_is_finer_than_an_id_is_not_applicable(grain, scene_for, families):
    made = compile_family(scene_for(grain=grain), families["CIT-02"], 24)
    assert made.not_applicable == f"the target's ids tell no attachments apart within a {grain}"


def test_only_the_ranking_is_asked_for_where_nothing_further_is_shown(scene_for, families):
    for taps, whole in (({Stage.RETRIEVE}, False), (frozenset(Stage), True)):
        made = compile_family(scene_for(taps=taps), families["ACL-01"], 4)
        assert {case.script.whole_path for case in made.cases} == {whole}


def test_a_script_that_brings_its_pair_about_needs_the_changes_confirmed(made):
    """ACL-05 does not name `acknowledged`; a pair it has to stage is denied only by a change."""
    staged = [
        case
        for case in made["ACL-05"].cases
        if any(isinstance(step, Apply) for step in case.script.steps)
    ]
    for case in every_case(made):
        words = alive_words(made[case.coordinates.family].variants[case.case_id], case.expectation)
        changes = any(isinstance(step, Apply) for step in case.script.steps)
        if changes:
            assert "acknowledged" in {word.name for word in words}
    assert staged


def test_how_many_pairs_there_were_is_told(made, scene):
    """Counted anew from the monitor: no passage is readable, and one is denied by C11 alone."""
    monitor = Monitor(scene.world)
    own = set(scene.given.documents)
    expected = 0
    for reader in scene.given.principals:
        reasons = dict(zip(monitor.chunk_ids, monitor.reason_bits(reader), strict=True))
        by_document = {}
        for chunk_id, bits in reasons.items():
            by_document.setdefault(scene.places[chunk_id].document.document_id, []).append(
                int(bits)
            )
        expected += sum(
            document_id in own and all(bits for bits in found) and 1 << 10 in found
            for document_id, found in by_document.items()
        )
    assert made["RNK-01"].pairs_available == expected
