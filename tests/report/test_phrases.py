"""What gates and controls record in English is told whole in the language of the report."""

import re
from dataclasses import replace

import pytest

from rageval_kit.gates import decide_run, load_policy
from rageval_kit.records.decisions import ControlResult, FamilyResult, MetricResult
from rageval_kit.records.verdicts import CountsAs, Severity
from rageval_kit.report.phrases import phrase, plain
from rageval_kit.report.render import render
from rageval_kit.report.words import words

TITLE = {"en": "t", "zh": "题"}
HELD = FamilyResult("ACL-01", TITLE, Severity.CRITICAL, CountsAs.SECURITY, 4, held=4, required=True)
FAMILIES = (
    HELD,
    replace(HELD, family="ACL-02", held=2, violated=2),
    replace(HELD, family="ACL-03", severity=Severity.MEDIUM, held=3, violated=1),
    replace(
        HELD, family="ACL-04", held=1, unobserved=2, failed=1,
        reasons={"twin_failed: allowed_reader": 2, "failed: timeout": 1},
    ),
    replace(HELD, family="ACL-05", held=0, unobserved=3, reasons={"silent: answer": 3}),
    replace(HELD, family="ACL-06", planned=0, held=0),
    replace(HELD, family="ACL-07", planned=0, held=0, not_applicable="the target shows no log"),
    replace(HELD, family="RNK-03", counts_as=CountsAs.AVAILABILITY, held=2, violated=2),
)  # fmt: skip
METRICS = (
    MetricResult("recall@10", TITLE, 0.5, None, None, 5, 10, {"failed: timeout": 5}),
    MetricResult("mrr@10", TITLE, 0.5, 0.4, 0.6, 10, 10),
    MetricResult("empty@10", TITLE, None, None, None, 0, 2, {"undefined: nothing": 2}),
)
CONTROLS = (
    ControlResult("CTL-04", TITLE, met=False, n=1, n_total=2, detail="silent: answer"),
    ControlResult("CTL-06", TITLE, met=False, n=1, n_total=2),
)
POLICY = load_policy(
    {
        "thresholds": {
            "recall": {"metric": "recall@10", "at_least": 0.8},
            "low": {"metric": "mrr@10", "at_least": 0.8, "estimate": "low"},
            "high": {"metric": "mrr@10", "at_most": 0.3, "estimate": "high"},
            "ends": {"metric": "recall@10", "at_least": 0.8, "estimate": "low"},
            "empty": {"metric": "empty@10", "at_least": 0.8},
            "absent": {"metric": "ndcg@10", "at_least": 0.8},
            "bound": {"metric": "recall@10|unjudged=highest", "at_least": 0.8},
            "aside": {"metric": "ndcg@10", "at_least": 0.8, "required": False},
        }
    }
)
DECISIONS = [
    decide_run(POLICY, FAMILIES, METRICS, calls=7, calls_answered=0, controls=CONTROLS, crash="x"),
    decide_run(POLICY, (), (), calls=1, calls_answered=0),
    decide_run(POLICY, (HELD,), METRICS, calls=0, calls_answered=0),
]
RECORDED = sorted(
    {
        text
        for decision in DECISIONS
        for gate in decision.gates
        for text in (gate.rule, *gate.reasons, gate.shown)
    }
    | {reason for decision in DECISIONS for reason in decision.reasons if reason.startswith("not ")}
)
# What may stay: ids, names of measures, and what came from elsewhere (a cause, a reader's word).
OWN = re.compile(
    r"\|?unjudged=\w+|[A-Z]{3}-\d\d|\w+@\d+|\b(x|n|allowed_reader|timeout|nothing|aside)\b"
)


@pytest.mark.parametrize("text", RECORDED)
def test_no_english_is_left_of_what_a_gate_records(text):
    told = plain(text, words("zh")) if text != "not measured" else ""
    assert not re.search("[A-Za-z]", OWN.sub("", told)), told


@pytest.mark.parametrize(
    "why",
    [
        "needs the length of every list",
        "no document is judged relevant",
        "no document is judged core evidence",
        "no document is judged evidence of any tier",
    ],
)
def test_why_twins_cannot_be_asked_for_a_measure_is_told_in_chinese(why):
    assert not re.search("[A-Za-z]", plain(f"not_applicable: {why}", words("zh")))


def test_english_tells_a_phrase_as_it_was_recorded():
    said = words("en")
    for text in RECORDED:
        if not re.search("twin_failed|failed:|silent|undefined|shows no", text):
            assert plain(text, said) == text


FIGURES = {"n", "total", "limit", "least", "share", "value"}


def test_no_phrase_is_hidden_by_one_before_it():
    for key, text in words("en").entries.items():
        if key.startswith("phrase."):
            filled = re.sub(r"\{(\w+)\}", lambda p: "7" if p[1] in FIGURES else "a-b", text)
            assert (phrase(filled) or ("",))[0] == key, filled


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("form", ["html", "md"])
def test_what_fills_a_phrase_is_escaped_like_everything_else(records, form, lang):
    run = records.failing()
    gate = replace(run.decision.gates[0], reasons=("the kit failed: <script>|\u202ex",))
    decision = replace(run.decision, gates=(gate, *run.decision.gates[1:]))
    page = render(replace(run, decision=decision), form, lang)
    assert "<script>" not in page.replace("`<script>", "")
    assert "\u202e" not in page


def test_several_reasons_in_one_text_are_told_one_by_one(records):
    both = "the target shows no retrieve.sparse; the target shows no retrieve.dense"
    run = replace(records.passing(), not_run=(("ACL-16", both),))
    assert "the target shows no" not in render(run, "md", "zh")
