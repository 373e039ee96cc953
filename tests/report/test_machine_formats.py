"""SARIF against its schema, JUnit through a parser, the statement against its specification."""

import csv
import io
import json
import os
from dataclasses import replace
from pathlib import Path

import junitparser
import pytest

from rageval_kit.records.faults import InputError, KitError
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Finding, Outcome, Severity, Verdict
from rageval_kit.report.junit import junit
from rageval_kit.report.sarif import sarif
from rageval_kit.report.spreadsheet import csv_rows
from rageval_kit.report.statement import statement

NAMES = ("passing", "failing", "incomplete", "empty", "hostile")
SCHEMAS = Path(__file__).parents[3] / "shared" / "schemas"


@pytest.fixture(scope="session")
def validator():
    path = SCHEMAS / "sarif-schema-2.1.0.json"
    if not path.is_file():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{path} is missing, and CI must not skip")
        pytest.skip("the SARIF schema is not beside the checkout")
    import jsonschema_rs

    return jsonschema_rs.validator_for(json.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", NAMES)
def test_sarif_is_valid_against_the_official_schema(records, validator, name):
    made = json.loads(json.dumps(sarif(getattr(records, name)()), allow_nan=False))
    assert [str(error) for error in validator.iter_errors(made)] == []


def test_sarif_results_are_failures_only_and_coverage_stands_beside(records):
    run = sarif(records.failing())["runs"][0]
    assert {(r["kind"], r["level"]) for r in run["results"]} == {("fail", "error")}
    assert len(run["results"]) == 2
    assert run["properties"]["casesPlanned"] == 350
    acl = run["properties"]["families"][0]
    assert (acl["family"], acl["held"], acl["pairsTested"]) == ("ACL-01", 118, 118)
    assert sarif(records.passing())["runs"][0]["results"] == []


@pytest.mark.parametrize(
    ("severity", "level"),
    [("critical", "error"), ("high", "error"), ("medium", "warning"), ("low", "note")],
)
def test_sarif_level_follows_severity(records, severity, level):
    finding = records.finding(1, severity=Severity(severity))
    run = replace(records.failing(), findings=(finding,), findings_total=1)
    assert sarif(run)["runs"][0]["results"][0]["level"] == level


def test_sarif_fingerprints_repeat_for_the_same_case_and_differ_between_cases(records):
    def prints(run):
        return [r["partialFingerprints"]["caseStage/v1"] for r in sarif(run)["runs"][0]["results"]]

    first = prints(records.failing())
    assert first == prints(replace(records.failing(), run_id="another", fault="some_fault"))
    assert len(set(first)) == 2


def test_sarif_taxa_point_into_their_taxonomies(records):
    run = sarif(records.failing())["runs"][0]
    names = [taxonomy["name"] for taxonomy in run["taxonomies"]]
    for taxon in run["results"][0]["taxa"]:
        component = taxon["toolComponent"]
        taxonomy = run["taxonomies"][component["index"]]
        assert names[component["index"]] == component["name"]
        assert taxon["id"] in {entry["id"] for entry in taxonomy["taxa"]}
    assert {t["id"] for t in run["results"][0]["taxa"]} >= {"LLM09", "CWE-524"}


def test_sarif_bug_071_a_bound_that_is_no_number_is_null_with_its_reason(records):
    run = records.passing()
    odd = replace(run.families[0], upper_bound=float("nan"))
    family = sarif(replace(run, families=(odd,)))["runs"][0]["properties"]["families"][0]
    assert family["upperBound95"] is None
    assert family["upperBound95_reason"] == "not a finite number"


def verdicts():
    found = Finding("forbidden_document", Stage.CACHE, 1, "u-bo", "hr-0007#2")
    return [
        Verdict("CAC-01-0001", "CAC-01", Outcome.HELD),
        Verdict("CAC-01-0007", "CAC-01", Outcome.VIOLATED, "", (found,)),
        Verdict("CAC-01-0008", "CAC-01", Outcome.UNOBSERVED, "twin_failed"),
        Verdict("ACL-01-0001", "ACL-01", Outcome.FAILED, "timeout"),
        Verdict("ACL-01-0002", "ACL-01", Outcome.NOT_APPLICABLE, "no tenants"),
    ]


def test_junit_says_silence_as_error_and_never_as_pass(records):
    suites = junitparser.JUnitXml.fromstring(junit(records.failing(), verdicts()))
    marks = {
        case.name: [type(result).__name__ for result in case.result]
        for suite in suites
        for case in suite
    }
    assert marks["CAC-01-0001"] == []
    assert marks["CAC-01-0007"] == ["Failure"]
    assert marks["CAC-01-0008"] == ["Error"]
    assert marks["ACL-01-0001"] == ["Error"]
    assert marks["ACL-01-0002"] == ["Skipped"]
    assert marks["LOG-05"] == ["Skipped"]
    assert marks["security.default"] == ["Failure"]
    # cases: 5 verdicts, 1 family not applicable, 2 gates
    assert (suites.tests, suites.failures, suites.errors, suites.skipped) == (8, 2, 2, 2)


def test_junit_of_an_empty_or_incomplete_run_is_not_green(records):
    for run in (records.empty(), records.incomplete()):
        assert junitparser.JUnitXml.fromstring(junit(run, [])).errors == 1


def test_statement_has_the_required_fields_and_the_subject(records):
    made = statement(records.failing(), {"snapshot": records.DIGEST})
    assert made["_type"] == "https://in-toto.io/Statement/v1"
    assert made["predicateType"] == "https://in-toto.io/attestation/test-result/v0.1"
    assert made["subject"] == [{"name": "snapshot", "digest": {"sha256": records.DIGEST}}]
    predicate = made["predicate"]
    assert predicate["result"] == "FAILED"
    assert predicate["failedTests"] == ["CAC-01"]
    assert predicate["passedTests"] == ["ACL-01", "RNK-03"]
    assert predicate["warnedTests"] == ["ACL-08"]
    assert predicate["notObservedTests"] == ["LOG-05"]
    assert {d["name"] for d in predicate["configuration"]} >= {"suite", "snapshot"}


@pytest.mark.parametrize(
    ("name", "result"), [("passing", "WARNED"), ("incomplete", "FAILED"), ("empty", "FAILED")]
)
def test_statement_result_is_never_better_than_the_decision(records, name, result):
    run = getattr(records, name)()
    assert statement(run, {"s": records.DIGEST})["predicate"]["result"] == result


def test_statement_without_lag_passes(records):
    run = records.passing()
    run = replace(run, families=tuple(replace(f, lagged=0) for f in run.families))
    assert statement(run, {"s": records.DIGEST})["predicate"]["result"] == "PASSED"


@pytest.mark.parametrize("subjects", [{}, {"x": "abc"}, {"": "0" * 64}])
def test_statement_of_nothing_is_refused(records, subjects):
    with pytest.raises(InputError, match="statement"):
        statement(records.passing(), subjects)


def test_bug_069_text_cells_cannot_be_formulas_and_numbers_stay_numbers():
    rows = [
        ('=HYPERLINK("http://evil.example","x")', -0.03),
        ("@SUM(1)", 0.1),
        ("-rf 是什么", 0.0),
        ("\t=1+1", 0.0),
        ("  =1", 1),
        ("＝1", 2),
        ("plain", 3),
    ]
    read = list(csv.reader(io.StringIO(csv_rows(("query", "delta"), rows))))
    assert [row[0] for row in read[1:]] == [
        '\'=HYPERLINK("http://evil.example","x")',
        "'@SUM(1)",
        "'-rf 是什么",
        "'\t=1+1",
        "'  =1",
        "'＝1",
        "plain",
    ]
    assert [row[1] for row in read[1:4]] == ["-0.03", "0.1", "0.0"]


def test_a_text_cell_hides_and_forges_nothing():
    rows = [("a\u202eb\u200b=c\r\x1b[2J\U000e0041\u3164\n", 1)]
    read = list(csv.reader(io.StringIO(csv_rows(("evidence", "n"), rows), newline="")))
    assert read[1][0] == "a⟨U+202E⟩b⟨U+200B⟩=c⟨U+000D⟩⟨U+001B⟩[2J⟨U+E0041⟩⟨U+3164⟩\n"


@pytest.mark.parametrize("value", [None, float("nan"), float("inf")])
def test_a_csv_cell_without_a_value_is_refused(value):
    with pytest.raises(KitError, match="column 'delta'"):
        csv_rows(("query", "delta"), [("a", value)])


def test_junit_never_shows_advice_that_is_not_met_as_a_success(records):
    run = records.passing()
    advice = replace(run.decision.gates[0], gate="early", met=False, is_advice=True)
    gates = (*run.decision.gates, advice)
    told = junit(replace(run, decision=replace(run.decision, gates=gates)), [])
    (suite, *_) = junitparser.JUnitXml.fromstring(told)
    marks = {case.name: [type(result).__name__ for result in case.result] for case in suite}
    assert marks["early"] == ["Skipped"]
    assert suite.failures == suite.errors == 0
