"""A policy that cannot fail, or cannot be met, is refused before anything runs."""

import math
from pathlib import Path

import pytest
import yaml

from rageval_kit.gates import GatePolicy, load_policy
from rageval_kit.records.decisions import GateKind
from rageval_kit.records.faults import InputError
from rageval_kit.records.verdicts import Severity

CONF = Path(__file__).resolve().parents[2] / "conf" / "gate"


def shipped(name):
    return load_policy(yaml.safe_load((CONF / f"{name}.yaml").read_text("utf-8")))


def threshold(**fields):
    return {"thresholds": {"min_ndcg": {"metric": "ndcg@10", **fields}}}


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, None, "0.8", True])
def test_bug_044_a_threshold_that_is_no_finite_number_is_refused_by_name(value):
    with pytest.raises(InputError) as refused:
        load_policy(threshold(at_least=value), "gates")
    assert refused.value.exit_code == 2
    assert "gates.thresholds.min_ndcg.at_least: must be a finite number" in str(refused.value)


@pytest.mark.parametrize("value", [1.2, -0.1, 80])
def test_bug_044_a_ratio_is_not_compared_with_what_no_ratio_reaches(value):
    with pytest.raises(InputError, match="must lie between 0 and 1"):
        load_policy(threshold(at_least=value))
    assert load_policy(threshold(at_most=value, ratio=False)).thresholds["min_ndcg"].ratio is False


@pytest.mark.parametrize("key", ["allowance", "coverage"])
def test_bug_044_holds_for_every_number_of_a_policy(key):
    for value in (math.nan, 1.2, None):
        with pytest.raises(InputError, match=f"gate.completeness.{key}"):
            load_policy({"completeness": {key: value}})


def test_every_fault_is_told_at_once():
    with pytest.raises(InputError) as refused:
        load_policy(
            {
                "securty": {},
                "security": {"severities": ["critical"]},
                "completeness": {"coverage": 2},
                "availability": 3,
                "thresholds": {"a": {"at_least": 0.5, "at_most": 0.6}, "b": 3},
            }
        )
    said = str(refused.value)
    assert len(refused.value.faults) == 7
    assert "gate.securty: is not a known key; did you mean 'security'?" in said
    assert "gate.security.severities: leaves out high" in said
    assert "gate.availability: must hold names and values" in said
    assert "gate.thresholds.a: needs exactly one of at_least and at_most" in said
    assert "gate.thresholds.a.metric: must name a metric" in said


def test_critical_and_high_cannot_be_taken_out():
    with pytest.raises(InputError, match="leaves out critical"):
        load_policy({"security": {"severities": []}})


def test_a_word_is_checked():
    with pytest.raises(InputError, match="is not one of value, low, high"):
        load_policy(threshold(at_least=0.5, estimate="lowest"))
    with pytest.raises(InputError, match="quality or availability"):
        load_policy(threshold(at_least=0.5, kind="security"))


def test_a_threshold_set_to_null_is_left_out():
    assert load_policy({"thresholds": {"recall_of_permitted": None}}) == GatePolicy()


def test_the_default_holds_medium_findings_back_and_strict_does_not():
    default, strict = shipped("default"), shipped("strict")
    assert Severity.MEDIUM not in default.security.severities
    assert Severity.MEDIUM in strict.security.severities
    assert default.completeness.allowance == 0
    assert default.completeness.coverage == 0.9
    assert default.thresholds["recall_of_permitted"].threshold == 0.8
    assert default.thresholds["recall_of_permitted"].kind is GateKind.QUALITY
    assert strict.thresholds["recall_of_permitted"].required
