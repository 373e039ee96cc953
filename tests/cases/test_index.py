"""Every case of the areas that belong here has a test that bears its number, or a reason why not.

The cases themselves lie beside the checkout; `index.json` holds their ids and areas, so that the
tests are counted without them too.
"""

import json
import os
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
CASES = TESTS.parents[1] / "shared" / "cases" / "cases.jsonl"
INDEX = json.loads(Path(__file__).with_name("index.json").read_text(encoding="utf-8"))
AREAS = frozenset(
    [
        "acl",
        "aggregate",
        "citation",
        "freshness",
        "injection",
        "retriever.bm25",
        "text",
        "metrics.ir",
        "stats",
        "config",
        "run",
        "data",
        "gate",
        "report.html",
        "report.markdown",
        "report.csv",
        "report.size",
        "report.json",
        "report.strata",
        "report.template",
        "archive",
        "provenance",
        "determinism",
        "cli",
        "endpoint",
        "packaging",
        "generation",
        "import",
        "robustness",
    ]
)

# One function may stand for several cases: test_bug_086_and_087_…
_NUMBERS = re.compile(r"^def test_bug_((?:\d{3}_(?:and_)?)+)", re.MULTILINE)


def names_in_tests():
    return {
        f"BUG-{number}"
        for file in TESTS.rglob("test_*.py")
        for numbers in _NUMBERS.findall(file.read_text(encoding="utf-8"))
        for number in re.findall(r"\d{3}", numbers)
    }


def test_the_index_holds_exactly_the_cases_of_these_areas():
    if not CASES.is_file():
        missing = f"the cases are not beside the checkout (looked for {CASES})"
        if os.environ.get("CI", "").lower() == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    lines = CASES.read_text(encoding="utf-8").split("\n")
    cases = [json.loads(line) for line in lines if line.strip()]
    here = {
        case["id"]: case["area"]
        for case in cases
        if case["area"] in AREAS or case["area"].startswith("security.")
    }
    assert {case["id"]: case["area"] for case in INDEX} == here


def test_each_case_is_named_by_a_test_or_says_why_it_is_not():
    named = names_in_tests()
    without = {case["id"] for case in INDEX if "later" in case}
    assert sorted(case["id"] for case in INDEX if case["id"] not in named | without) == []
    assert without & named == set(), "has a test by now: its reason can go"


def test_the_index_holds_ids_areas_and_reasons_only():
    assert {key for case in INDEX for key in case} <= {"id", "area", "later"}
    ids = [case["id"] for case in INDEX]
    assert ids == sorted(set(ids))
