"""The suite `poisoning` on the demo world: silent on a clean system, and each fault noticed."""

import msgspec
import pytest

from rageval_kit.build import compose
from rageval_kit.records.verdicts import Outcome
from rageval_kit.run.evaluate import evaluate
from rageval_kit.run.prove import outcomes
from rageval_kit.run.replay import replay
from rageval_kit.system.faults import FAULTS

# What a fault must be seen by, and where it shows.
KILLS = {
    "authority_ignored": ("POI-03", "answer"),
    "majority_believed": ("POI-01", "answer"),
    "newest_source_believed": ("POI-03", "answer"),
    "vectors_unnormalised": ("POI-02", "retrieve"),
    "title_stuffing_counts": ("POI-02", "retrieve"),
    "boundaries_believed": ("POI-04", "citation"),
    "claims_trusted_acl": ("POI-05", "retrieve"),
    "claims_trusted_tenant": ("POI-05", "retrieve"),
    "claims_trusted_owner": ("POI-05", "retrieve"),
    "claims_trusted_date": ("POI-05", "retrieve"),
    "near_duplicates_dropped": ("POI-06", "retrieve"),
}


def of(*families, **more):
    said = [f"{key}={value}" for key, value in more.items()]
    return compose(
        "+suite=poisoning", f"suites.poisoning.families.ids=[{','.join(families)}]", *said
    )


@pytest.mark.parametrize(("seed", "retriever"), [(7, "hybrid"), (8, "bm25"), (9, "dense")])
def test_a_clean_system_is_silent(seed, retriever):
    rows = outcomes(of("POI-*", seed=seed, retriever=retriever))
    assert {row.family for row in rows} == {f"POI-0{n}" for n in range(1, 7)}
    assert not [(r.case_id, r.reason) for r in rows if r.outcome is not Outcome.HELD]
    told = [row.told for row in rows if row.family == "POI-01"]
    assert all(one == {"poison_retrieved": True, "poison_answered": False} for one in told)


@pytest.mark.parametrize("fault", KILLS)
def test_each_fault_is_noticed_by_the_family_it_names(fault):
    family, stage = KILLS[fault]
    assert FAULTS[fault].families == (family,)
    rows = outcomes(of(family, fault=fault))
    violated = [row for row in rows if row.outcome is Outcome.VIOLATED]
    assert stage in {str(f.stage) for row in violated for f in row.findings}


def test_the_archived_run_says_what_its_replay_says(tmp_path):
    plan = of("POI-02", "CTL-07", fault="title_stuffing_counts", **{"archive.root": tmp_path})
    record = evaluate(plan)
    (family,) = record.families
    assert family.violated > 20
    assert family.told["hub_returned"] == (family.violated, family.planned)
    assert [(c.control, c.met) for c in record.controls] == [("CTL-07", True)]
    (folder,) = [path for path in tmp_path.iterdir() if path.is_dir()]
    raw = (folder / "verdicts.jsonl").read_bytes().splitlines()
    lines = [msgspec.json.decode(line) for line in raw]
    case = next(line["case_id"] for line in lines if line.get("outcome") == "violated")

    class Quiet:
        start = advance = finish = lambda *_: None

    assert replay(folder, case, Quiet()).differences == ()
