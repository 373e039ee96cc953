"""A record that was written and read is the record; what JSON cannot say is refused by name."""

import dataclasses
import json

import pytest

from rageval_kit.archive.encoding import decode_record, encode_record
from rageval_kit.records.cases import Observation, Trace
from rageval_kit.records.decisions import (
    Decision,
    FamilyResult,
    FindingRecord,
    GateKind,
    GateResult,
    MetricResult,
    ProofSummary,
    RunOutcome,
    RunRecord,
    TimelineStep,
)
from rageval_kit.records.faults import InputError, KitError
from rageval_kit.records.target import Seen, Stage
from rageval_kit.records.verdicts import CountsAs, Outcome, Severity, Verdict


def run_record():
    family = FamilyResult(
        "ACL-01",
        {"en": "No access", "zh": "无权"},
        Severity.CRITICAL,
        CountsAs.SECURITY,
        20,
        held=20,
        upper_bound=0.139108,
        reasons={"twin_failed": 1},
    )
    finding = FindingRecord(
        "c1",
        "ACL-01",
        Severity.HIGH,
        "u1",
        "t1",
        "d1",
        "t2",
        "d1#3",
        "rerank",
        "forbidden",
        ("C2",),
        "…",
        (TimelineStep(0.0, "reader", "ask"),),
        ("CWE-862",),
        "rageval-kit replay c1",
    )
    gate = GateResult(
        "security", GateKind.SECURITY, "none violated", met=True, exit_code=3, value=0.0
    )
    text = {f.name: "文" for f in dataclasses.fields(RunRecord) if f.type is str}
    number = {f.name: 3 for f in dataclasses.fields(RunRecord) if f.type is int}
    return RunRecord(
        **text,
        **number,
        command=("rageval-kit",),
        target_parts={"b": "1", "a": "2"},
        taps=("retrieve",),
        powers=(),
        suites=("acl",),
        duration_s=1.0,
        target_s=0.25,
        families=(family,),
        controls=(),
        coverage=(),
        proof=ProofSummary(matrix=(("f", "ACL-01", "v"),)),
        findings=(finding,),
        metrics=(MetricResult("recall@10", {}, None, None, None, 0, 5, {"failed": 5}),),
        decision=Decision(RunOutcome.PASS, 0, (gate,)),
        not_run=(("VER-01", "no clock"),),
        versions={"rageval-kit": "0.1.0"},
    )


@pytest.mark.parametrize(
    "record",
    [
        run_record(),
        Verdict("c1", "ACL-01", Outcome.HELD, stages_seen=(Stage.RETRIEVE,), twin_ok=None),
        Trace(
            "c1",
            (Observation(0, 0, "reader", "u1", {Stage.RETRIEVE: Seen(("d1",), scores=(1.0,))}),),
        ),
    ],
    ids=["run", "verdict", "trace"],
)
def test_a_record_comes_back_as_it_was(record):
    data = encode_record(record)
    assert decode_record(data, type(record)) == record
    assert encode_record(decode_record(data, type(record))) == data
    assert data.endswith(b"}\n")


def test_keys_are_sorted_at_every_depth():
    def check(pairs):
        assert [key for key, _ in pairs] == sorted(key for key, _ in pairs)
        return dict(pairs)

    json.loads(encode_record(run_record()), object_pairs_hook=check)


def test_nan_is_refused_with_its_place():
    record = run_record()
    bad = dataclasses.replace(record.metrics[0], value=float("nan"))
    with pytest.raises(KitError, match=r"metrics\[0\]\.value: nan .* write null and the reason"):
        encode_record(dataclasses.replace(record, metrics=(bad,)))


def test_a_lone_surrogate_is_refused():
    with pytest.raises(KitError, match="surrogates not allowed"):
        encode_record({"title": "\ud800"})


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "is not a Verdict"),
        (b"{}", "missing required field"),
        (b'{"case_id":"c","family":"f","outcome":"fine"}', "Invalid enum value"),
        (
            b'{"case_id":1,"family":"f","outcome":"held"}',
            r"Expected `str`, got `int` - at `\$.case_id`",
        ),
        (b'{"case_id":"\xff"}', "is not a Verdict"),
        (b'{"x":' * 100_000, "nested too deeply"),
        (b" " * 2000, "too large"),
    ],
)
def test_what_is_no_such_record_is_refused_politely(data, problem):
    limit = 1000 if data.isspace() else 10_000_000
    with pytest.raises(InputError, match=problem) as refusal:
        decode_record(data, Verdict, where="verdicts.json", max_bytes=limit)
    assert refusal.value.exit_code == 2
