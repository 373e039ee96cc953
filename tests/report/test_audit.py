"""Sentence, tiles and gates say the same; files are no cases; no machine text is left."""

import re
from dataclasses import replace

import pytest

from rageval_kit.records.decisions import Decision, GateKind, RunOutcome
from rageval_kit.records.verdicts import Severity
from rageval_kit.report.phrases import plain
from rageval_kit.report.render import render
from rageval_kit.report.sarif import sarif
from rageval_kit.report.terminal import terminal
from rageval_kit.report.words import words

LANGS = ("en", "zh")


def own_files(records, planned=17, violated=0):
    return records.family(
        "ACL-01", Severity.HIGH, family="LOG-06", planned=planned, held=planned - violated,
        violated=violated, pairs_tested=0, pairs_available=0, exhaustive=True, upper_bound=None,
        stages=(), has_readers=False, required=False,
    )  # fmt: skip


def archive_leaks(records, violated=3):
    run = records.passing()
    security = records.gate(GateKind.SECURITY, met=False, value=float(violated), shown="3 violated",
                            reasons=("3 violations in LOG-06 (high)",))  # fmt: skip
    decision = Decision(RunOutcome.FAIL, 3, (security,), ("3 violations in LOG-06 (high)",))
    families = (*run.families, own_files(records, violated=violated))
    return replace(run, families=families, decision=decision)


def section(page, name, lang="en"):
    start = page.index("\n## " + words(lang)(f"{name}.title"))
    return page[start : page.find("\n## ", start + 4)]


def first(page):
    return page[: page.index("\n## ", page.index("\n## ") + 4)]


def test_a_leak_in_the_kits_own_archive_is_in_the_sentence_the_tile_and_the_gate(records):
    page = render(archive_leaks(records), "md")
    assert "a planted text stands in 3 of 17 files (`LOG-06`)" in first(page)
    assert "No violation was seen" not in page
    assert "critical 0, high 3, medium 0, low 0" in first(page)
    assert "files of the kit's own search: 3" in first(page)
    assert "**not met** (exit 3) | 3 violated" in section(page, "gates")
    said = render(archive_leaks(records), "md", "zh")
    assert "17 个文件中有 3 个含有植入的文本" in said
    assert "没有发现违规" not in said


def test_the_terminal_tells_a_leak_in_the_archive_as_files(records):
    told = terminal(archive_leaks(records))
    assert "3 files of the kit's own search hold a planted text: LOG-06 (high)" in told
    assert re.search(r"LOG-06 .* 17 files .* every file\n", told)


def test_leaks_to_readers_do_not_hide_a_leak_in_the_archive(records):
    run = records.failing()
    page = first(render(replace(run, families=(*run.families, own_files(records, 17, 1))), "md"))
    assert "In 2 of 350 executed cases a reader was shown" in page
    assert "violated too: a planted text stands in 1 of 17 files" in page


def test_a_security_gate_that_is_not_met_never_stands_beside_no_violation(records):
    run = records.passing()
    security = records.gate(GateKind.SECURITY, met=False, value=None, shown="")
    page = render(replace(run, decision=Decision(RunOutcome.FAIL, 3, (security,))), "md")
    assert "The system does not meet: Security" in first(page)
    assert "No violation" not in first(page)


def test_a_pass_says_which_violations_were_only_reported(records):
    run = records.passing()
    medium = records.family(
        "CAC-01", Severity.MEDIUM, planned=9, held=8, violated=1, upper_bound=None
    )
    page = first(render(replace(run, families=(*run.families, medium)), "md"))
    assert "reported and not gated were violated: `CAC-01`" in page
    assert "none showed a reader" not in page


def test_files_are_told_as_files_and_never_as_pairs(records):
    run = records.passing()
    run = replace(run, families=(*run.families, own_files(records)))
    row = next(line for line in section(render(run, "md"), "held").splitlines() if "LOG-06" in line)
    assert "| 17 files | 17 | 0 | 0 | files, no pairs | every file searched |" in row
    assert "17 个文件" in section(render(run, "md", "zh"), "held", "zh")
    one = replace(run, families=(*run.families[:-1], own_files(records, planned=1)))
    assert "| 1 file |" in section(render(one, "md"), "held")
    assert "files violated: 0 of 17" in section(render(run, "md"), "matrix")


def test_a_gate_that_counts_files_says_how_many(records):
    # 118 + 96 + 40 cases and 17 files make 271.
    run = records.passing()
    gates = (
        records.gate(GateKind.COMPLETENESS, n_scored=271, n_total=271, shown=""),
        records.gate(
            GateKind.SECURITY, n_scored=231, n_total=231,
            rule="no violated case in families of severity critical, high",
        ),
    )  # fmt: skip
    families = (*run.families, own_files(records))
    run = replace(run, families=families, decision=Decision(RunOutcome.PASS, 0, gates))
    page = section(render(run, "md"), "gates")
    assert "271 of 271; files of the kit's own search, not cases, among these: 17" in page
    assert "231 of 231; files of the kit's own search, not cases, among these: 17" in page
    # A gate that left them out (254 cases) is not said to count them.
    left = replace(gates[0], n_scored=254, n_total=254)
    run = replace(run, decision=Decision(RunOutcome.PASS, 0, (left,)))
    assert "among these" not in render(run, "md")


def entitled(records, **changes):
    run = records.failing()
    one = records.finding(1, role="twin", asked_about="hr-0900", **changes)
    one = replace(one, timeline=(replace(one.timeline[0], leaked=True), *one.timeline[1:]))
    return replace(run, findings=(one,), findings_total=1)


@pytest.mark.parametrize("role", ["twin", "service", "owner"])
def test_an_entitled_person_is_told_with_what_they_may_read(records, role):
    run = entitled(records)
    run = replace(run, findings=(replace(run.findings[0], role=role),))
    page = section(render(run, "md"), "findings")
    said = "Asking about `hr-0900`, which they may read, `u-bo` (tenant `globex`) also got `hr-0001"
    assert said in page
    assert "was shown" not in page
    chinese = section(render(run, "md", "zh"), "findings", "zh")
    assert "询问其有权阅读的 `hr-0900` 时，`u-bo`" in chinese
    assert "看到了" not in chinese
    assert "asking about hr-0900, which they may read, u-bo" in terminal(run)
    message = sarif(run)["runs"][0]["results"][0]["message"]["text"]
    assert message.startswith("asking about hr-0900, which they may read, u-bo also got")


def test_without_the_document_or_a_rule_the_sentence_still_says_they_may_read_it(records):
    run = entitled(records, denied_by=())
    run = replace(run, findings=(replace(run.findings[0], asked_about=""),))
    assert "Asking about a document, which they may read," in render(run, "md")


def test_the_step_that_leaked_is_marked_with_a_word(records):
    for lang, mark in (("en", "BREACH HERE"), ("zh", "此步违规")):
        steps = section(render(entitled(records), "md", lang), "findings", lang).splitlines()
        marked = [line for line in steps if mark in line]
        assert len(marked) == 1
        assert "+0 " in marked[0]


MACHINE = re.compile(r"\w_\w|\btwin_|, first|\b1 results|canary in|;\s*ids\b")


@pytest.mark.parametrize(
    ("text", "english", "chinese"),
    [
        ("twin_failed: allowed_reader twin_failed", "the entitled twin did not succeed",
         "获准的对照读者未能成功"),
        ("twin_failed: allowed_reader twin_silent",
         "the entitled twin did not succeed (the stage did not speak for the entitled twin)",
         "获准的对照读者未能成功（该阶段对获准的对照读者没有输出）"),
        ("not_fired: cache_silent",
         "nothing shows that the probe could have fired (the cache was not observed)",
         "没有迹象表明探针能够触发（缓存未被观测）"),
        (("required family ACL-01: 0 of 7 decided: 7 unobserved, "
          "twin_failed: allowed_reader twin_failed 4, silent: answer, context 3"),
         ("required family ACL-01: 0 of 7 decided: 7 unobserved, 4 × the entitled twin did not "
         "succeed, 3 × nothing came from the stage: answer, context"),
         ("必需的用例族 ACL-01：7 个用例中判定了 0 个：7 个未观测到、4 × 获准的对照读者未能成功、"
         "3 × 没有输出的阶段：回答、上下文")),
        ("1 results, first a-1", "1 result: a-1", "1 个结果：a-1"),
        ("9 results, first a-1, b-2", "9 results, of which the first: a-1, b-2",
         "9 个结果，最前为 a-1、b-2"),
        ("0 results, first ", "no results came back (0)", "没有返回结果（0）"),
        ("from cache: 1 results, first a-1", "from the cache: 1 result: a-1",
         "来自缓存：1 个结果：a-1"),
        ("seen at cache", "seen at the stage: cache", "所见阶段：缓存"),
        ("ids a-1", "identifiers: a-1", "编号：a-1"),
        ("canary in text", "a planted marker stands in the text", "正文中有植入的标记（金丝雀）"),
        ("not_fired: acknowledged not_acknowledged (late)",
         ("nothing shows that the probe could have fired "
          "(the system did not confirm the change (late))"),
         "没有迹象表明探针能够触发（系统未确认该变更 (late)）"),
    ],
)  # fmt: skip
def test_what_machines_record_is_told_in_words(text, english, chinese):
    assert plain(text, words("en")) == english
    assert plain(text, words("zh")) == chinese
    assert not MACHINE.search(english)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("form", ["html", "md"])
def test_no_code_is_left_on_a_page(records, form, lang):
    run = records.incomplete()
    *rest, unseen = run.families
    reasons = {"twin_failed: allowed_reader twin_failed": 17, "failed: timeout": 2}
    found = records.finding(1, evidence="seen at cache; ids hr-1; canary in text")
    page = render(
        replace(run, families=(*rest, replace(unseen, reasons=reasons)), findings=(found,),
                findings_total=1), form, lang,
    )  # fmt: skip
    for raw in ("allowed_reader", "twin_failed", "seen at cache", "canary in text"):
        assert raw not in page


def test_the_bound_names_the_families_it_is_about(records):
    told = "at most 2.51% of the pairs that `ACL-01` draws could be violated"
    assert told in first(render(records.passing(), "md"))
    run = records.passing()
    many = tuple(records.family("ACL-01", family=f"ACL-{n}") for n in range(20, 29))
    page = first(render(replace(run, families=many), "md"))
    assert "`ACL-25`, and 3 more, see section 5, at most 2.51% (`ACL-20`) to 2.51%" in page


def test_a_long_list_of_reasons_goes_to_the_gates(records):
    reasons = tuple(f"required family X-{n:02d} planned no case" for n in range(37))
    gate = records.gate(GateKind.COMPLETENESS, met=False, gate="completeness", reasons=reasons)
    told = (*(f"completeness: {reason}" for reason in reasons), "not applied: a, b")
    decision = Decision(RunOutcome.INCOMPLETE, 4, (gate,), told)
    page = render(replace(records.incomplete(), decision=decision), "md")
    assert [n for n in range(37) if f"X-{n:02d}" in first(page)] == list(range(6))
    assert "and 31 more, see section 2" in first(page)
    assert "not applied: a, b" in first(page)
    assert section(page, "gates").count("planned no case") == 37
