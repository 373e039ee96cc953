"""Cases of the area determinism: the same seed, the same cases, in any process and any order."""

import dataclasses
import json

import pytest

from rageval_kit.archive.canonical import canonical
from rageval_kit.corpus.digests import directory_digest, snapshot_digest
from rageval_kit.generate import organisation
from rageval_kit.generate.organisation import organise
from rageval_kit.run.evaluate import cases

# PRN-01 asks many things at once: what its cache serves depends on which call came first.
EVERY = ["ACL-01", "ACL-05", "ACL-08", "ACL-18", "CAC-01", "CIT-01", "RNK-01", "SID-02", "CTL-01",
         "CTL-08"]  # fmt: skip
SMALL = "suites.acl_negative.size.cases=4"


def test_bug_082_the_seed_of_hashes_changes_no_byte_of_cases_and_findings(bench, worlds, command):
    """Under a fault that leaks at many stages at once, so that orders of sets would show."""
    home = bench.write(worlds.office())
    running = []
    for hash_seed in ("1", "2", "random"):
        root = bench.tmp_path / f"archive-{hash_seed}"
        words = bench.words(
            home, EVERY[:-1], SMALL, "seed=7", "fault=no_tenant_check", "archive.run_id=r"
        )
        process = command.process(*words, f"archive.root={root}", env={"PYTHONHASHSEED": hash_seed})
        running.append((root / "r", process))
    for _, process in running:
        _, told = process.communicate(timeout=200)
        assert process.returncode == 3, told
    for name in ("cases.jsonl", "verdicts.jsonl", "findings.jsonl", "decision.json"):
        assert len({(folder / name).read_bytes() for folder, _ in running}) == 1, name
    provenance = json.loads((running[0][0] / "provenance.json").read_bytes())
    assert provenance["seed"] == 7


def told(made):
    """What the target is sent in each case, by family."""
    by_family = {}
    for case in made:
        by_family.setdefault(case.coordinates.family, []).append(canonical(case.script))
    return by_family


def test_bug_084_the_order_of_families_and_of_generation_changes_no_case(bench, worlds):
    home = bench.write(worlds.office())
    forward = told(cases(bench.plan(home, [*EVERY, "RNK-03"], cases=4)))
    backward = told(cases(bench.plan(home, ["RNK-03", *EVERY[::-1]], cases=4)))
    again = told(cases(bench.plan(home, [*EVERY, "RNK-03"], cases=4)))
    assert set(forward) == {*EVERY, "RNK-03"}
    assert forward == backward == again


def test_bug_084_a_further_suite_changes_no_case_of_the_one_before(bench, worlds):
    """ACL-18 and RNK-03 plant documents of their own into the world that ACL-01 is drawn from."""
    home = bench.write(worlds.office())
    alone = told(cases(bench.plan(home, ["ACL-01", "ACL-05"], cases=4)))
    assert (
        told(cases(bench.plan(home, ["ACL-01", "ACL-05", "CIT-01", "SID-02"], cases=4)))["ACL-01"]
        == alone["ACL-01"]
    )


def test_bug_084_an_attribute_more_of_a_person_changes_no_canary(bench, worlds):
    from rageval_kit.run.prepare import prepare

    world = worlds.office()
    people = {
        name: dataclasses.replace(person, name="乔伊 Joy", compartments=frozenset({"x"}))
        for name, person in world.principals.items()
    }
    plain = prepare(bench.plan(world, ["ACL-01"], cases=4))
    more = prepare(bench.plan(dataclasses.replace(world, principals=people), ["ACL-01"], cases=4))
    assert plain.scene.canaries == more.scene.canaries != {}


@pytest.fixture
def other_names(monkeypatch):
    """As a later release of the library of names would draw them."""

    class Other:
        def __init__(self, locale):
            self.locale = locale

        def seed_instance(self, seed):
            self.seed = seed

        def name(self):
            return f"新名 {self.seed % 97}"

    monkeypatch.setattr(organisation, "_faker", Other)


def test_bug_083_other_names_make_no_other_documents_rights_or_ids(worlds, request):
    bare = worlds.world([worlds.document(f"d{n:02d}", f"text {n} of {n}.") for n in range(40)], [])
    before = organise(bare, seed=42)
    request.getfixturevalue("other_names")
    after = organise(bare, seed=42)
    assert snapshot_digest(after) == snapshot_digest(before)
    assert after.memberships == before.memberships
    assert list(after.principals) == list(before.principals)
    # The names themselves differ, and so does what the directory is named by.
    assert directory_digest(after) != directory_digest(before)


def test_bug_083_a_run_is_not_replayed_on_a_directory_that_is_not_the_one_it_used(
    bench, worlds, command
):
    home = bench.write(worlds.office())
    ran = bench.run(home, ["ACL-01", "CTL-01"], cases=4)
    assert ran.record.versions["rageval-kit"]
    folder = str(ran.folder)
    assert command("replay", folder).returncode == 0
    file = home / "directory.json"
    file.write_text(file.read_text(encoding="utf-8").replace('"ann"', '"Ann"'), encoding="utf-8")
    ended = command("replay", folder)
    assert ended.returncode == 2
    assert "directory: is not the one that the run used" in ended.stderr
    other = bench.run(home, ["ACL-01", "CTL-01"], cases=4)
    assert other.record.fingerprint != ran.record.fingerprint
    assert other.record.directory_digest != ran.record.directory_digest
