"""A canary in each passage, once, nowhere else, and the same whatever else is planted."""

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace

from rageval_kit.detect import Detector
from rageval_kit.generate.family import variants, word_module
from rageval_kit.generate.planting import plant
from rageval_kit.generate.words import MARK, marked, telling_sentence, without_marks

SCRIPT = """
import hashlib
from rageval_kit.archive.canonical import canonical, plain
from rageval_kit.corpus.snapshots import load_world
from rageval_kit.generate.family import variants, word_module
from rageval_kit.generate.planting import plant
from rageval_kit.generate.scene import Scene
from rageval_kit.generate.shelf import load
from rageval_kit.generate.suite import compile_family
from rageval_kit.records.target import Grain, Power, Stage
from rageval_kit.resources import tree
folder = tree("suites") / "worlds" / "demo"
families = load(tree("suites") / "families")
planted = plant(load_world(folder / "snapshot", folder / "directory.json"), families, 7)
scene = Scene(planted.world, Grain.CHUNK, frozenset(Power), frozenset(Stage), 7,
              {"revocation": 60.0}, planted.canaries)
body = hashlib.sha256(repr(list(planted.canaries.items())).encode())
for family in families:
    for case in compile_family(scene, family, 6).cases:
        roles = {role: sorted(ids) for role, ids in sorted(case.expectation.roles.items())}
        parts = (case.coordinates, case.script, roles, case.expectation.marks, case.denied_by)
        body.update(canonical(plain(parts)))
print(body.hexdigest())
"""


def texts(world):
    return {
        chunk.chunk_id: chunk.text
        for document in world.documents.values()
        for version in document.versions
        for chunk in version.chunks
    }


def of_passages(planted):
    """The canaries without those of titles (tests/generate/test_door_words.py)."""
    titles = "\n".join(v.title for d in planted.world.documents.values() for v in d.versions)
    return {t: chunk_id for t, chunk_id in planted.canaries.items() if t not in titles}


def test_every_passage_carries_its_own_canary_once_and_no_other(planted, families, demo):
    """But for those of which their word says so: each is word for word like another."""
    own = of_passages(planted)
    by_chunk = {chunk_id: token for token, chunk_id in own.items()}
    found = texts(planted.world)
    equal = declared_equal(families.values(), demo)
    assert by_chunk.keys() == found.keys() - equal
    assert len(by_chunk) == len(own)
    for chunk_id, token in by_chunk.items():
        assert found[chunk_id].count(token) == 1
        assert len(MARK.findall(found[chunk_id])) == 1
    bare = Counter(found[chunk_id] for chunk_id in equal)
    assert 0 < len(equal) < len(found) / 50
    assert all(n > 1 and not MARK.search(text) for text, n in bare.items())


def declared_equal(families, world):
    """The passages of which a word of `world` says that they take no canary."""
    words = {
        (word.name, str(word.args)): word
        for family in families
        if not family.is_code
        for variant in variants(family)
        for word in variant.world
    }
    made = [word_module("world", word.name).plant(world, word.args, 7) for word in words.values()]
    return {chunk_id for planting in made for chunk_id in planting.unmarked}


def test_no_canary_stands_in_a_title_an_id_or_a_second_passage(planted):
    counts = Counter()
    for text in texts(planted.world).values():
        counts.update(token for token in MARK.findall(text))
    assert set(counts.values()) == {1}
    detector = Detector(of_passages(planted))
    for document in planted.world.documents.values():
        assert not detector.find(document.document_id)
        for version in document.versions:
            assert not detector.find(version.title)


def test_the_passage_is_what_it_was_but_for_the_mark(demo, planted):
    before, after = texts(demo), texts(planted.world)
    for chunk_id, text in before.items():
        assert without_marks(after[chunk_id]) == text


def test_a_canary_holds_at_least_64_bits(planted):
    # 20 letters or digits of an alphabet of 32 would be 100 bits; digits alone 66.
    assert all(sum(map(str.isalnum, token)) >= 20 for token in planted.canaries)


def test_the_mark_stands_inside_the_most_telling_sentence_in_both_languages():
    english = "Yes. The travel allowance for Osaka rises to 420 euros in May. Fine."
    chinese = "好的。差旅补贴自五月起在大阪提高到每天四百二十元。谢谢。"
    assert marked(english, "T0KEN") == (
        "Yes. The travel allowance for Osaka rises to 420 euros in May [ref T0KEN]. Fine."
    )
    assert marked(chinese, "T0KEN") == (
        "好的。差旅补贴自五月起在大阪提高到每天四百二十元 [ref T0KEN]。谢谢。"
    )
    assert telling_sentence(without_marks(marked(chinese, "T0KEN"))) in chinese


def test_suites_are_the_same_in_every_process_whatever_its_hash_seed():
    # BUG-082
    running = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "2", "random")
    ]
    digests = {one.communicate()[0].strip() for one in running}
    assert [one.returncode for one in running] == [0, 0, 0]
    assert len(digests) == 1


def test_another_seed_gives_other_canaries(demo, families, planted):
    other = plant(demo, list(families.values()), 8)
    assert not set(other.canaries) & set(planted.canaries)


def test_adding_or_reordering_families_changes_no_other_canary(demo, families, planted):
    # BUG-084: RNK-03 plants crowds, ACL-18 look-alikes; neither moves what was there.
    few = plant(demo, [families["ACL-01"]], 7)
    assert few.canaries.items() < planted.canaries.items()
    assert plant(demo, [], 7).canaries == few.canaries
    turned = plant(demo, list(families.values())[::-1], 7)
    assert turned.canaries == planted.canaries


def test_adding_an_attribute_or_a_document_changes_no_other_canary(demo):
    # BUG-084
    before = plant(demo, [], 7)
    people = {name: replace(one, clearance=None) for name, one in demo.principals.items()}
    assert plant(replace(demo, principals=people), [], 7).canaries == before.canaries
    name, *_ = demo.documents
    rest = {key: value for key, value in demo.documents.items() if key != name}
    fewer = plant(replace(demo, documents=rest), [], 7)
    assert fewer.canaries.items() < before.canaries.items()


def test_generators_own_nothing_that_another_family_draws_from(scene_for, families):
    # BUG-084: A before B, and B before A.
    from rageval_kit.generate.suite import compile_family

    one, other = families["ACL-01"], families["ACL-08"]
    first, second = scene_for(), scene_for()
    in_order = [compile_family(first, one, 24).cases, compile_family(first, other, 24).cases]
    turned = [compile_family(second, other, 24).cases, compile_family(second, one, 24).cases]
    for here, there in zip(in_order, turned[::-1], strict=True):
        assert [c.script for c in here] == [c.script for c in there]
        assert [c.coordinates for c in here] == [c.coordinates for c in there]


def test_near_miss_tenants_are_always_planted(planted, demo):
    # BUG-048: case, width, an added prefix or suffix, a trailing space, for every tenant.
    for tenant in demo.tenants:
        wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in tenant)
        for spelt in {
            tenant.swapcase(),
            wide,
            f"archive-{tenant}",
            f"{tenant}-archive",
            f"{tenant} ",
        }:
            assert spelt in planted.world.tenants
            own = [d for d in planted.world.documents.values() if d.tenant_id == spelt]
            people = [p for p in planted.world.principals.values() if p.tenant_id == spelt]
            assert own
            assert people


def test_a_crowd_is_as_large_and_as_visible_as_its_word_says(planted):
    from rageval_kit.access import Monitor
    from rageval_kit.generate.crowds import tenant_of

    tenant = tenant_of(planted.world)
    reader = next(p for p in planted.world.principals.values() if p.tenant_id == tenant)
    monitor = Monitor(planted.world)
    crowds = (
        ("0.5", 200, 100),
        ("0.1", 200, 20),
        ("0.05", 200, 10),
        ("6w-0.5", 200, 100),
        ("6w-0.1", 200, 20),
        ("6w-0.02", 500, 10),
    )
    for name, total, expected in crowds:
        crowd = [
            d
            for d in planted.world.documents.values()
            if d.document_id.startswith(f"kit-crowd-{name}-")
        ]
        assert len(crowd) == total
        seen = sum(
            not monitor.decide(
                reader.principal_id,
                d.document_id,
                d.versions[0].version_id,
                d.versions[0].chunks[0].chunk_id,
            )
            for d in crowd
        )
        assert seen == expected
