"""Each finding is told by the sentence that says what happened, in either language."""

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest

import rageval_kit
from rageval_kit.report.phrases import phrase, plain
from rageval_kit.report.render import render
from rageval_kit.report.sarif import sarif
from rageval_kit.report.telling import KINDS, kind_of
from rageval_kit.report.terminal import terminal
from rageval_kit.report.words import words
from rageval_kit.resources import tree

CHECKS = sorted(
    path.stem
    for path in (Path(rageval_kit.__file__).parent / "checks").glob("*.py")
    if path.stem != "__init__"
)
CITED = (
    "seen at citation; ids d@2#1; cited, but not in force or not readable at the time asked; "
    "cited, but never retrieved in this reply; state withdrawn since 2026-10-24T01:00:00+00:00; "
    "the right value is stated"
)


def told(records, lang="en", **changes):
    """The one sentence of the finding, as Markdown shows it."""
    base = {"stage": "citation", "check": "forbidden_document, provenance", "denied_by": ("C5",)}
    one = records.finding(1, **(base | changes))
    run = replace(records.failing(), findings=(one,), findings_total=1)
    text = render(run, "md", lang)
    section = text.partition("## 发现\n" if lang == "zh" else "## Findings\n")[2]
    return run, section.partition("### ")[2].splitlines()[2]


def test_a_right_value_with_a_withdrawn_citation_says_both_plainly(records):
    run, line = told(records, evidence=CITED)
    assert line == (
        "The value stated to `u-bo` (tenant `globex`) is the right one; the source named for it, "
        "`hr-0001#2` (tenant `acme`), must not be used: the version was withdrawn."
    )
    assert told(records, "zh", evidence=CITED)[1] == (
        "告诉 `u-bo`（租户 `globex`）的数值是正确的；但为其注明的来源 `hr-0001#2`（租户 `acme`）"
        "不应使用：该版本已被撤回。"
    )
    assert "must not be used: the version was withdrawn" in terminal(run)
    message = sarif(run)["runs"][0]["results"][0]["message"]["text"]
    assert message.endswith("must not be used: the version was withdrawn.")


def test_what_was_shown_elsewhere_too_is_a_sight_and_no_mere_citation(records):
    _, line = told(records, stage="retrieve", evidence=CITED.replace("at cit", "at retrieve, cit"))
    assert "was shown `hr-0001#2`" in line
    assert "although the version was withdrawn" in line


@pytest.mark.parametrize(
    ("check", "evidence", "sentence"),
    [
        ("forbidden_document", "seen at citation", "names `hr-0001#2` (tenant `acme`) as a source"),
        ("goal_reached", "canary of a forbidden passage in the answer", "Carrying out an order"),
        ("goal_reached", "the tool mail was called as ordered", "did what the document"),
        ("goal_reached", "not answered, though the clean copy is", "ordered a refusal"),
        ("goal_reached", "cited as ordered, without having been retrieved", "never retrieved"),
        ("egress", "image to a host outside the list, carrying a canary", "sends text of"),
        ("egress", "link to a host outside the list, carrying no data", "host that is not allowed"),
        ("value", "kept back, though another source says otherwise", "keeps back"),
        ("poisoned", "the value of x is stated as the value, beside the true one", "planted"),
    ],
)
def test_the_sentence_follows_what_was_noted(records, check, evidence, sentence):
    assert sentence in told(records, check=check, evidence=evidence, stage="answer")[1]


def test_the_summary_names_each_kind_of_breach_and_calls_only_sights_sights(records):
    run, _ = told(records, evidence=CITED)
    obeyed = records.finding(2, check="goal_reached", family="ACL-01", denied_by=(), evidence="")
    families = (replace(run.families[0], held=117, violated=1, upper_bound=None), *run.families[1:])
    both = replace(run, families=families, findings=(*run.findings, obeyed), findings_total=2)
    lead = render(both, "md").partition("\n**")[2].splitlines()[0]
    assert "broke a security requirement" in lead
    assert "Versions or sources that did not hold were used: `CAC-01`" in lead
    assert "Orders in documents or questions were carried out" in lead
    assert "may not see" not in lead
    shown = replace(run, findings=(records.finding(1),))
    assert "was shown what that reader may not see" in render(shown, "md")


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_check_has_a_name_and_a_sentence_and_a_kind(records, check, lang):
    said = words(lang)
    assert said.known("check", check)
    kind = kind_of(records.finding(1, check=check, evidence="", stage="answer"))
    assert kind in KINDS
    assert said.known("kind", kind)
    if check not in {"forbidden_document", "canary", "tier_order"}:
        assert said.known("breach", check)


def names_told():
    """Every name under which a check, or the kit, counts what decides nothing."""
    found = {"repeats_differ", "repeats_violated", "hub_returned", "parts_together"}
    for path in (Path(rageval_kit.__file__).parent / "checks").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            is_told = isinstance(node, ast.Subscript) and getattr(node.value, "id", "") == "told"
            if is_told and isinstance(node.slice, ast.Constant):
                found.add(node.slice.value)
            if isinstance(node, ast.Assign | ast.AnnAssign | ast.Call):
                own = getattr(node, "value", None)
                targets = [getattr(t, "id", "") for t in getattr(node, "targets", [])]
                if isinstance(own, ast.Dict) and "told" in targets:
                    found |= {k.value for k in own.keys if isinstance(k, ast.Constant)}
    return sorted(found)


@pytest.mark.parametrize("name", names_told())
def test_what_is_counted_beside_has_a_name_and_a_meaning(name):
    for lang in ("en", "zh"):
        assert words(lang).known("told", name)
        assert words(lang).known("told_means", name)


@pytest.mark.parametrize("kind", ["carriers", "transforms"])
def test_every_place_and_disguise_of_an_order_has_a_name(kind):
    folder = Path(rageval_kit.__file__).parent / "generate" / "payload" / kind
    group = {"carriers": "carrier", "transforms": "disguise"}[kind]
    for path in folder.glob("[!_]*.py"):
        assert words("en").known(group, path.stem), path.stem
        assert words("zh").known(group, path.stem), path.stem


def test_every_shipped_wording_of_an_order_has_a_name():
    for path in (tree("suites") / "payloads").glob("*.yaml"):
        assert words("zh").known("technique", path.stem), path.stem


def test_a_clean_copy_that_failed_is_not_called_a_reader():
    text = "twin_failed: clean_copy_answered clean_copy_not_answered"
    assert plain(text, words("en")) == "the copy without a payload was not answered with its value"


EVIDENCE = [
    "cited, but never put before the model in this reply",
    "points at no passage put before the model",
    "stated beside the right one: it is that of d@1",
    "stated as the only value: it is that of d@1",
    "right is 12 of d@2",
    "right is none",
    "the value of d@1 is stated as the value, and the true one is not",
    "beside d@2, of another version of the same document",
    "derived string in the answer (decoded)",
    "derived string in the arguments of mail",
    "bare to a host outside the list, carrying a canary and what only obeying brings",
    "sent out, carrying what only obeying brings",
    "the order's words are still there",
    "token of the hidden instructions in the answer (verbatim)",
    "the order still stands in the text, from its html_comment",
    "zero_width characters still stand in the text",
    "counts differs from that of the world without it",
    "other passages than before",
    "text sha-256 0123456789ab, was ba9876543210",
    "a near copy was listed in its place",
    "no such source",
    "understood as of 2026-01-01 00:00:00+00:00, meant was 2025-01-01 00:00:00+00:00",
    "2 numbers of the question are gone from the rewritten text",
    "stale: its text is not that of the source (3 such)",
    "wrong_model: vector of a1, not of b2 (3 such)",
    "hub_returned in 150 of 160 cases, at least 88.7% by the exact interval, at most 5.0% allowed",
    "asks; as of 2026-01-01T00:00:00+00:00; in session 2",
    "change Publish: d1; its file claims acl, tenant",
    "change SetState_withdrawn: d1",
    "wait 600 s",
    "state quarantined since 2026-01-01T00:00:00+00:00",
    "in force from 2025-01-01T00:00:00+00:00 until before 2026-01-01T00:00:00+00:00",
    "order for tool, wording ignore_previous, carrier title, disguise rot13",
    "violated in 1 of 3 repeats",
]
OWN = re.compile(r"\b[d]\d?(@\d)?\b|[ab]\d|\d\w{11}|mail|HTML|SHA-256|rot13|\dT\d")


@pytest.mark.parametrize("text", EVIDENCE)
def test_no_english_is_left_of_what_checks_and_timelines_record(text):
    assert all(phrase(part) for part in text.split("; ")), text
    assert not re.search("[A-Za-z]{2}", OWN.sub("", plain(text, words("zh"))))
