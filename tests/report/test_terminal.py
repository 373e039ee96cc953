"""What a person reads at the end, on any console (BUG-097)."""

import dataclasses

import pytest

from rageval_kit.records.decisions import SamplesResult
from rageval_kit.report.terminal import console, terminal


def test_the_order_is_head_table_controls_outcome_not_run_report(records):
    told = terminal(records.failing(), path="reports/archive/x/report.html")
    marks = [
        "acl_negative on hybrid · demo 3f9a…",
        "Family ",
        "controls: ",
        "FAIL  Security  2 violations in CAC-01 (critical)",
        "1. u-bo (tenant globex) got hr-0007#2 (tenant acme) at cache",
        "rageval-kit explain 20261130T081500Z-3f9a2c CAC-01-0007",
        "not run: AGT-01 (no agent)",
        "report  reports/archive/x/report.html",
    ]
    places = [told.index(mark) for mark in marks]
    assert places == sorted(places)


def test_bounds_stand_where_nothing_leaked_and_nowhere_else(records):
    rows = {
        line.split()[0]: line for line in terminal(records.failing()).splitlines() if line.strip()
    }
    assert rows["ACL-01"].endswith("2.51%")
    assert rows["ACL-08"].endswith("exhaustive")
    assert rows["CAC-01"].endswith("–")


def test_columns_line_up_when_titles_are_chinese(records):
    import unicodedata

    def cells(text):
        return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)

    lines = terminal(records.failing(), "zh", 90).splitlines()
    table = [line for line in lines if line.startswith((" ACL", " CAC", " RNK", " 用例族"))]
    assert len(table) == 5
    assert len({cells(line) for line in table}) == 1
    assert max(map(cells, table)) <= 90


def test_an_empty_run_is_told_as_incomplete(records):
    told = terminal(records.empty())
    assert "INCOMPLETE" in told
    assert "no case was executed" in told


def test_a_clean_run_says_so(records):
    assert "PASS  all gates met" in terminal(records.passing())


def test_colour_only_on_request(records):
    assert "\x1b[1;31mFAIL\x1b[0m" in terminal(records.failing(), color=True)
    assert "\x1b" not in terminal(records.failing())


@pytest.mark.parametrize("encoding", ["gbk", "ascii", "latin-1", "no-such-encoding", None])
def test_bug_097_any_console_can_print_it(records, encoding):
    told = console(terminal(records.failing(), "zh") + "✓ 通过 ➜", encoding)
    told.encode(encoding if encoding in {"gbk", "ascii", "latin-1"} else "utf-8")


def test_bug_097_chinese_stays_readable_on_gbk():
    assert console("✓ 通过 ➜", "gbk") == "? 通过 ?"


def test_judged_questions_without_a_suite_are_not_headed_by_cases_that_nobody_asked(records):
    asked = SamplesResult("q.jsonl", "", 2, "document", 10, n_answered=2, n_scored=2)
    run = dataclasses.replace(records.passing(), suites=(), families=(), controls=(), samples=asked)
    told = terminal(run)
    assert told.startswith(" judged questions on hybrid")
    assert "2 questions, no suite" in told.splitlines()[0]
    assert "controls" not in told
    assert terminal(run, "zh").startswith(" 对 hybrid")
