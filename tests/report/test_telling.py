"""Each finding is told by the sentence that says what happened, in either language."""

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest

import rageval_kit
from rageval_kit.records.decisions import TimelineStep
from rageval_kit.records.verdicts import Severity
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
    "an erased value in text",
    "a term of 32 characters that only hidden documents hold",
    "45 vectors, the first of 384 numbers",
    "the reader's own copy of the text was not found",
    "found before, not after",
    "no record names what was asked for: 0 of 2",
    "the record does not name the principal: 0 of 2",
    "the record does not say by which rule: 1 of 2",
    "the record does not bear the time of the event: 0 of 1",
    "cited for a value that it does not hold",
    "cited to a reader for whom it does not open",
    "sent to 'd1'",
    "forbidden text sent to 'd1'",
    "another passage than was cited",
    "other words than were cited",
    (
        "recall below 0.8 of an exact scan in 12 of 12 cases, at least 77.9% by the exact "
        "interval, at most 5.0% allowed"
    ),
    "refused 16.28 ms later than an unknown handle, delta +1.00, n 200",
    "score tells held from absent sentences: area 0.05, n 40",
    "hit differs from that of the world without it",
    "status differs from that of an unknown handle",
    "12 of 40 hidden facts were told, 20 chosen at all, p = 0.0039",
    "in another world: without what d1 may not read, 0123456789ab",
    "in another world: the same world, fresh",
    "in another world: other figures in d1",
    "in another world: without d1",
    "back in its own world",
    "looks: suggest; through d1, d2; bearing the token or link shown before; claiming tenant",
    "reads audit",
    "change Break: acl_service, stale_token",
    "change Mend: replica",
    "change BeforeAnswer: Revoke, SetClock",
    "change Relabel: d1",
    "change Resync",
    "change RestoreBackup",
    "noise scores",
    "must_be_filtered: retrieve.sparse, context",
]
OWN = re.compile(r"\bdelta\b|\b[d]\d?(@\d)?\b|[ab]\d|\d\w{11}|mail|HTML|SHA-256|rot13|\dT\d")


@pytest.mark.parametrize("text", EVIDENCE)
def test_no_english_is_left_of_what_checks_and_timelines_record(text):
    assert all(phrase(part) for part in text.split("; ")), text
    assert not re.search("[A-Za-z]{2}", OWN.sub("", plain(text, words("zh"))))


def texts_of(folder, call):
    """The words that modules of a folder give as a reason, or for want of anything: constants."""
    found = set()
    for path in (Path(rageval_kit.__file__).parent / folder).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == call:
                parts = [node.value]
                if isinstance(node.value, ast.IfExp):
                    parts = [node.value.body, node.value.orelse]
                found |= {p.value for p in parts if isinstance(p, ast.Constant) and p.value}
    assert found, (folder, call)
    return sorted(found)


@pytest.mark.parametrize(
    "text",
    [
        *texts_of("checks", "reason"),
        *texts_of("generate/alive", "reason"),
        *texts_of("generate/who", "nothing"),
    ],
)
def test_every_reason_of_a_word_is_told_in_chinese(text):
    assert not re.search("[A-Za-z]{3}", plain(text, words("zh")))


def names_in(folder):
    return [path.stem for path in (Path(rageval_kit.__file__).parent / folder).glob("[!_]*.py")]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_stage_power_level_change_door_and_living_positive_has_a_name(lang):
    from typing import get_args

    from rageval_kit.detect.levels import LEVELS
    from rageval_kit.records.changes import Change, SetState
    from rageval_kit.records.target import Power, Stage

    changes = [one.__name__ for one in get_args(Change) if one is not SetState]
    named = {
        "stage": map(str, Stage),
        "power": map(str, Power),
        "level": LEVELS,
        "change": changes,
        "door": names_in("system/doors"),
        "living": names_in("generate/alive"),
    }
    said = words(lang)
    assert not [
        (group, n) for group, names in named.items() for n in names if not said.known(group, n)
    ]


def step(action, role="reader"):
    return TimelineStep(0.0, role, f"{role} u-bo {action}", "u-bo", leaked=True)


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ("opens", "was shown `hr-0001#2` (tenant `acme`) by opening it"),
        ("asks; through a-1, a-2", "Through a chain of agents"),
        ("asks; bearing the token or link shown before", "With a token or link"),
        ("asks", "names `hr-0001#2` (tenant `acme`) as a source"),
    ],
)
def test_what_the_caller_did_tells_how_it_was_shown(records, action, sentence):
    _, line = told(records, check="canary", evidence="seen at citation", timeline=(step(action),))
    assert sentence in line


def test_a_handle_that_opens_is_a_sight_and_no_wrong_version(records):
    shown = records.finding(
        1, check="canary", stage="citation", evidence="seen at citation", timeline=(step("opens"),)
    )
    assert kind_of(shown) == "sight"


def test_what_differed_is_said_in_the_sentence_itself(records):
    evidence = "seen at rerank; ids d@1#1; scores differs from that of the world without it"
    _, line = told(records, check="unchanged", stage="rerank", evidence=evidence)
    assert line.endswith("compared with the other world, this differs: the scores.")


def test_one_family_with_many_findings_hides_no_other(records):
    from rageval_kit.report.view import a_few_of_each

    many = [records.finding(n) for n in range(40)]
    low = [records.finding(n, family="SID-01", severity=Severity.LOW) for n in range(40, 60)]
    shown = a_few_of_each((*many, *low), most=50, of_several=4)
    assert [one.family for one in shown] == ["CAC-01", "CAC-01", "SID-01", "SID-01"]
    assert len(a_few_of_each(tuple(many), most=30, of_several=4)) == 30


def test_many_violated_families_are_told_by_severity_and_reported_ones_as_such(records):
    run = records.failing()
    leaking = [
        replace(
            run.families[-1],
            family=f"CAC-{n:02d}",
            severity=severity,
            held=96 - n,
            violated=n,
            pairs_leaked=n,
            stages=(),
        )
        for n, severity in enumerate([Severity.HIGH] * 9 + [Severity.LOW], start=1)
    ]
    lines = terminal(replace(run, families=tuple(leaking))).splitlines()
    # 1 + 2 + … + 9 = 45
    line = next(line for line in lines if "high, 45 violations, by family: CAC-01 1," in line)
    assert line.startswith(" FAIL  Security")
    low = next(line for line in lines if "low, 10 violations, by family: CAC-10 10" in line)
    assert low.startswith(" reported only  Security")
