"""What a family file may say: everything else is refused with the nearest, all at once."""

import copy
from pathlib import Path

import pytest
import yaml

from rageval_kit.generate.family import KIT_CHECKS, SLOTS, variants, vocabulary, word_module
from rageval_kit.generate.shelf import load, suite_hash
from rageval_kit.generate.sound import read
from rageval_kit.records.faults import InputError
from rageval_kit.resources import tree

SHELF = tree("suites") / "families"
SHIPPED = sorted(path.stem for path in SHELF.glob("*.yaml"))
TEXT = {"en": "A claim", "zh": "一句话"}
GOOD = {
    "id": "ACL-99",
    "version": 1,
    "title": TEXT,
    "motive": TEXT,
    "limits": TEXT,
    "severity": "critical",
    "who": {"denied_by": "tenant"},
    "see": {"must": ["retrieve"], "also": ["answer"]},
    "checks": ["forbidden_document"],
}


def family(**changed):
    data = copy.deepcopy(GOOD) | changed
    return {key: value for key, value in data.items() if value is not None}


def refused(data):
    with pytest.raises(InputError) as caught:
        read(data, "ACL-99.yaml")
    return [str(fault) for fault in caught.value.faults]


def test_the_plainest_family_takes_its_defaults():
    made = read(family(), "ACL-99.yaml")
    assert [word.name for word in made.world] == ["pair"]
    assert [word.name for word in made.when] == ["ask"]
    assert [word.name for word in made.ask] == ["topic", "title", "quote"]
    assert [word.name for word in made.alive] == ["allowed_reader"]
    assert (made.counts_as, made.part, made.contrast) == ("security", "document", None)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"chekcs": []}, "chekcs: is not a field of a family; did you mean 'checks'?"),
        ({"checks": None}, "checks: is required; add it"),
        ({"who": {"denied_by": "tenent"}}, "(met tenent); did you mean 'tenant'?"),
        ({"who": {"denied": "tenant"}}, "who.denied: is not a field here (met denied)"),
        ({"who": {"denied_by": "tenant", "part": "chunks"}}, "did you mean 'chunk'?"),
        ({"who": {"denied_by": "tenant", "beside": "service"}}, "'service_account'?"),
        ({"who": "nobdy"}, "did you mean 'nobody'?"),
        ({"who": ["tenant"]}, "who: is not text or a mapping (met list)"),
        ({"who": {"denied_by": {"grant": "revokd"}}}, "(met revokd); one of revoked, expired"),
        ({"who": {"denied_by": {"group": {"dept": 2}}}}, "(met dept); did you mean 'depth'?"),
        ({"who": {"denied_by": {"tenant": {"of": 1}}}}, "(met of); it takes none"),
        ({"who": {"denied_by": "condition"}}, "who.condition: lacks its argument is"),
        ({"when": ["ask", "denny"]}, "(met denny); did you mean 'deny'?"),
        ({"when": [["ask"]]}, "when: is not a word"),
        ({"when": "ask"}, "when: is not a list (met str)"),
        ({"ask": ["titel"]}, "did you mean 'title'?"),
        ({"alive": ["live"]}, "alive.live: lacks its argument is"),
        ({"world": [{"crowd": {"documents": 9}}]}, "world.crowd: lacks its argument visible"),
        ({"contrast": "unknown"}, "did you mean 'unknown_id'?"),
        ({"see": {"must": ["retreive"]}}, "did you mean 'retrieve'?"),
        ({"see": {"must": "retreive"}}, "did you mean 'retrieve'?"),
        ({"see": {"most": ["retrieve"]}}, "did you mean 'must'?"),
        ({"see": ["retrieve"]}, "see: is not a mapping (met list)"),
        ({"severity": "critcal"}, "did you mean 'critical'?"),
        ({"severity": {"default": "high", "at": {"reranker": "low"}}}, "(met reranker)"),
        ({"severity": {"default": "high", "at": {"rerank": "lo"}}}, "did you mean 'low'?"),
        ({"severity": {"at": {}}}, "severity.default: is not one of its values (met None)"),
        ({"counts_as": "safety"}, "counts_as: is not one of its values (met safety)"),
        ({"service_level": "revokation"}, "did you mean 'revocation'?"),
        ({"service_level": ["revokation"]}, "did you mean 'revocation'?"),
        ({"service_level": {"tenant": "revokation"}}, "did you mean 'revocation'?"),
        ({"service_level": {"tenand": "revocation"}}, "did you mean 'tenant'?"),
        ({"service_level": {"grant": "revocation"}}, "service_level: says none for this variant"),
        ({"service_level": 3}, "service_level: is not text or a list or a mapping (met int)"),
        ({"size": {"case": 4}}, "did you mean 'cases'?"),
        ({"size": {"cases": 0}}, "size.cases: is not a whole number above 0 (met 0)"),
        ({"size": {"cases": "many"}}, "(met many)"),
        ({"title": "Read"}, "title: is not a mapping (met str)"),
        ({"title": {"en": "Read"}}, "title: lacks zh; add it"),
        ({"limits": {"en": "x", "zh": ""}}, "limits: lacks zh"),
        ({"version": True}, "version: is not a whole number (met bool)"),
        ({"version": "1"}, "version: is not a whole number (met str)"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_not_of_the_grammar_is_refused_with_the_way_out(changed, said):
    faults = refused(family(**changed))
    assert any(said in fault for fault in faults), faults
    assert all(fault.startswith("ACL-99.yaml: ") for fault in faults)


def test_every_fault_is_told_at_once():
    faults = refused(
        family(
            severity="critcal",
            see={"must": ["retreive"]},
            checks=["canari"],
            titel=TEXT,
            limits=None,
            who={"denied_by": {"grant": "revokd"}},
            title="only English",
        )
    )
    assert len(faults) == 7


def test_a_fault_of_every_variant_is_told_once():
    depths = {"denied_by": {"group": {"depth": {"each": [1, 2]}}}}
    assert len(refused(family(who=depths, ask=["titel"]))) == 1


def test_a_fault_of_one_variant_is_found():
    (fault,) = refused(family(who={"denied_by": {"grant": {"each": ["revoked", "lapsed"]}}}))
    assert "(met lapsed)" in fault


def test_each_variant_has_the_service_level_of_the_word_that_denies_it():
    each = {"denied_by": {"each": [{"state": "deleted"}, {"valid_time": "superseded"}, "tenant"]}}
    levels = {"state": "deletion", "valid_time": ["cache_ttl", "indexing"], "tenant": "acl_sync"}
    made = read(family(who=each, service_level=levels), "ACL-99.yaml")
    assert [one.service_levels for one in variants(made)] == [
        ("deletion",),
        ("cache_ttl", "indexing"),
        ("acl_sync",),
    ]
    assert read(family(service_level="deletion"), "ACL-99.yaml").service_levels == ("deletion",)


def test_each_multiplies():
    made = read(
        family(
            who={
                "denied_by": {
                    "deny": {
                        "form": {"each": ["name_over_group_allow", "group_over_name_allow"]},
                        "order": {"each": ["deny_first", "allow_first"]},
                    }
                }
            },
            see={"must": [{"each": ["retrieve", "rerank", "context"]}]},
        ),
        "ACL-99.yaml",
    )
    found = variants(made)
    assert len({variant.variant for variant in found}) == len(found) == 2 * 2 * 3
    assert [str(variant.must[0]) for variant in found[:4]] == [
        "retrieve",
        "rerank",
        "context",
        "retrieve",
    ]
    assert found[0].variant == (
        ("who.denied_by.deny.form", "name_over_group_allow"),
        ("who.denied_by.deny.order", "deny_first"),
        ("see.must", "retrieve"),
    )


def test_each_over_words_multiplies_too():
    made = read(family(who={"denied_by": {"each": ["tenant", {"grant": "revoked"}]}}), "x")
    assert [(v.denied_by.name, dict(v.denied_by.args)) for v in variants(made)] == [
        ("tenant", {}),
        ("grant", {"is": "revoked"}),
    ]


def test_a_step_with_further_arguments_reads_both_ways():
    short = read(family(when=[{"ask": "same_words", "as": "twin"}]), "x").when
    long = read(family(when=[{"ask": {"is": "same_words", "as": "twin"}}]), "x").when
    assert short == long


def test_severity_may_depend_on_the_tap():
    made = read(family(severity={"default": "high", "at": {"rerank.input": "critical"}}), "x")
    assert made.severity_of([]) == "high"
    assert made.severity_of(["retrieve"]) == "high"
    assert made.severity_of(["retrieve", "rerank.input"]) == "critical"


def shelf_of(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name.replace('_', '-')}.yaml").write_text(text, encoding="utf-8")
    return folder


def test_a_folder_tells_the_faults_of_all_its_files(tmp_path):
    good = yaml.safe_dump(family(), allow_unicode=True)
    shelf_of(
        tmp_path,
        ACL_99=good,
        ACL_98=good,
        ACL_97="id: [",
        ACL_96="- a list",
        ACL_95=yaml.safe_dump(family(id="ACL-95", ask=["titel"])),
    )
    with pytest.raises(InputError) as caught:
        load(tmp_path, ["ACL-95", "ACL-96", "ACL-97", "ACL-98", "ACL-99", "ACL-9"])
    said = [str(fault) for fault in caught.value.faults]
    assert len(said) == 5
    assert "did you mean 'title'?" in said[0]
    assert "is not a mapping of fields (met list)" in said[1]
    assert "is not readable YAML" in said[2]
    assert said[3] == "ACL-98.yaml: id: is not the file's name (met ACL-99); ACL-98"
    assert "family ACL-9: is not there; did you mean 'ACL-9" in said[4]


def test_a_suite_is_named_by_the_bytes_of_its_files(tmp_path):
    shelf_of(tmp_path, ACL_01="a", ACL_02="b", ACL_03="c")
    known = suite_hash(tmp_path, ["ACL-01", "ACL-02"])
    assert suite_hash(tmp_path, ["ACL-02", "ACL-01", "ACL-02"]) == known
    assert suite_hash(tmp_path, ["ACL-01", "ACL-03"]) != known
    shelf_of(tmp_path, ACL_02="b ")
    assert suite_hash(tmp_path, ["ACL-01", "ACL-02"]) != known


@pytest.mark.parametrize("family_id", SHIPPED)
def test_a_shipped_family_is_sound(family_id, families):
    made = families[family_id]
    assert made.id == family_id
    for text in (made.title, made.motive, made.limits):
        assert text["en"].isascii() or "’" in text["en"]
        assert any("\u4e00" <= letter <= "\u9fff" for letter in text["zh"])
    assert made.is_code == (family_id in KIT_CHECKS)
    if not made.is_code:
        assert made.must
        assert made.checks
        assert made.denied_by is not None or made.raw["who"] == "nobody"
        assert set(made.look_first) == {"en", "zh"}


def test_shipped_ids_are_unique():
    said = [yaml.safe_load((SHELF / f"{name}.yaml").read_text("utf-8"))["id"] for name in SHIPPED]
    assert len(set(said)) == len(said) == len(SHIPPED)


def test_the_families_of_this_suite_are_all_there():
    wanted = """ACL-01 ACL-02 ACL-05 ACL-06 ACL-08 ACL-10 ACL-11 ACL-14 ACL-16 ACL-18 PRN-01 PRN-02
        CAC-01 CAC-04 RNK-01 RNK-03 CIT-01 CIT-02 LOG-01 LOG-06 SID-02 DEL-01
        CTL-01 CTL-02 CTL-04 CTL-05 CTL-06 CTL-07 CTL-08"""
    assert set(wanted.split()) <= set(SHIPPED)


@pytest.mark.parametrize("slot", SLOTS)
def test_every_word_has_its_parts(slot):
    parts = {
        "world": ("plant",),
        "who": ("find",),
        "when": ("emit",),
        "ask": ("query",),
        "checks": ("check", "NAME"),
        "alive": ("prepare", "judge", "NAME"),
        "contrast": ("prepare",),
    }
    assert vocabulary(slot)
    for name in vocabulary(slot):
        module = word_module(slot, name)
        assert module.__doc__
        for part in ("TAKES", *parts[slot]):
            assert hasattr(module, part), f"{slot}.{name} lacks {part}"
        assert set(getattr(module, "WANTS", ())) <= set(module.TAKES)
