"""The page says what the record says, in order, in both forms and both languages, or nothing."""

import re
import time
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt

from rageval_kit.records.decisions import Decision, GateKind, MetricResult, RunOutcome
from rageval_kit.records.faults import InputError, KitError
from rageval_kit.report.files import write_reports
from rageval_kit.report.page import all_sections
from rageval_kit.report.render import render

NAMES = ("passing", "failing", "incomplete", "empty")
FORMS = [(form, lang) for form in ("html", "md") for lang in ("en", "zh")]


class Page(HTMLParser):
    """Tags with their attributes, and the text that a reader sees."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text: list[str] = []
        self.loose: list[str] = []
        self.feed(source)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in {"meta", "link", "br", "path", "rect", "circle"}:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.text.append(data)
            if not {"bdi", "pre", "code"} & set(self.open):
                self.loose.append(data)

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.text).split())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("form", "lang"), FORMS)
def test_every_record_renders_to_the_same_bytes_twice(records, name, form, lang):
    run = getattr(records, name)()
    assert render(run, form, lang) == render(getattr(records, name)(), form, lang)


@pytest.mark.parametrize("name", [*NAMES, "hostile"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_html_is_balanced_with_unique_ids_and_links_that_lead_somewhere(records, name, lang):
    page = Page(render(getattr(records, name)(), "html", lang))
    assert page.open == []
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    inner = {a["href"][1:] for t, a in page.tags if t == "a" and a["href"].startswith("#")}
    assert inner <= set(ids)


def test_sections_stand_in_the_order_of_the_report(records):
    page = Page(render(records.failing()))
    assert [a["id"] for tag, a in page.tags if tag == "section"] == list(all_sections())


def test_a_left_out_section_is_named(records):
    text = Page(render(records.passing(), sections=("scope", "verdict"))).words
    assert "Sections left out of this copy" in text
    assert text.rindex("Verdict: PASS") < text.rindex("Scope and limits")


@pytest.mark.parametrize("sections", [("gates",), ("verdict", "verdict"), ("verdict", "extras")])
def test_a_section_list_that_hides_repeats_or_invents_is_refused(records, sections):
    with pytest.raises(InputError, match=r"report\.sections"):
        render(records.passing(), sections=sections)


@pytest.mark.parametrize(
    ("name", "lang", "said"),
    [
        ("passing", "en", "Every gate is met: 254 of 254 planned cases ran"),
        ("failing", "en", "In 2 of 350 executed cases a reader was shown"),
        ("failing", "zh", "在已执行的 350 个用例中，有 2 个让读者看到了其无权看到的内容"),
        ("incomplete", "en", "The evidence does not suffice for a verdict"),
        ("empty", "en", "Nothing was executed, so nothing is known. This is not a pass."),
    ],
)
def test_the_verdict_is_one_sentence_said_first(records, name, lang, said):
    page = render(getattr(records, name)(), "html", lang)
    assert said in Page(page.partition('<div class="tiles">')[0]).words


def test_the_first_section_says_what_was_not_tested_and_what_a_clean_result_is_worth(records):
    first = Page(render(records.failing()).partition('<section id="gates"')[0]).words
    for said in ("What was not tested", "AGT-01", "no agent", "LOG-05", "350 / 350", "critical 2",
                 "2.51%", "1 of them exhaustive"):  # fmt: skip
        assert said in first


def test_a_seeded_fault_is_warned_of_in_the_verdict(records):
    run = replace(records.failing(), fault="cache_key_without_principal")
    assert "A fault was switched on" in render(run)


def test_violations_of_availability_are_not_told_as_leaks(records):
    run = records.failing()
    starved = replace(run.families[2], held=38, violated=2)
    failed = Decision(RunOutcome.FAIL, 1, (records.gate(GateKind.AVAILABILITY, met=False),))
    text = render(replace(run, families=(starved,), findings=(), findings_total=0, decision=failed))
    assert "No security requirement was broken, but 2 of 350" in text
    assert "critical 0, high 0, medium 0, low 0" in text


def test_gates_stand_security_first_then_completeness_then_quality(records):
    text = render(records.passing(), "md")
    places = [text.index(f"| **{kind}** `") for kind in ("Security", "Completeness", "Quality")]
    assert places == sorted(places)


def test_bug_043_a_gate_shows_digits_that_justify_its_outcome(records):
    gate = records.gate(
        GateKind.QUALITY, met=False, value=0.8999, threshold=0.9, shown="0.90", rule="ndcg >= 0.9"
    )
    run = replace(records.passing(), decision=Decision(RunOutcome.FAIL, 1, (gate,)))
    for form in ("html", "md"):
        text = render(run, form)
        assert "0.8999 (threshold 0.9)" in text
        assert "0.90 " not in text


@pytest.mark.parametrize("form", ["html", "md"])
def test_what_was_not_measured_is_a_word_never_a_number(records, form):
    nan = MetricResult("faith", records.text("a", "b"), float("nan"), None, None, 0, 200)
    run = replace(records.passing(), metrics=(nan,))
    text = render(run, form)
    quality = text[text.rindex("Quality is averaged") : text.rindex("Scope and limits")]
    assert "not measured" in quality
    assert not re.search(r"\bnan\b|\bNone\b", text)


def test_the_words_of_conformity_are_never_claimed(records):
    text = Page(render(records.passing())).words
    assert "evidence supporting" in text
    assert "does not establish" in text
    assert not re.search(r"\bcompl(y|ies|iant)\b", text)


def test_a_proof_of_another_suite_does_not_count(records):
    run = records.passing()
    other = replace(run, proof=replace(run.proof, suite_hash="00" * 32))
    assert "it does not count for this run" in render(other)
    assert "There is no proof of exactly this suite" in render(records.incomplete())


def test_a_condition_nobody_tested_alone_is_marked_missing(records):
    run = records.passing()
    cell = replace(run.coverage[0], denied_alone=0)
    assert "MISSING" in render(replace(run, coverage=(cell,)))
    assert "MISSING" not in render(run)


# What may stay Latin in a Chinese report: names of standards, products, methods, exit words.
LATIN = re.compile(
    r"OWASP|MITRE|ATLAS|AISVS|CWE|NIST|AI|GDPR|CTL-\d+|Clopper-Pearson|SHA-256|FAIL|PASS|INCOMPLETE"
    r"|findings\.jsonl|verdicts\.jsonl|config\.resolved\.yaml|U\+202E|A/A|C\d+"
)


@pytest.mark.parametrize("name", NAMES)
def test_no_english_is_left_in_the_chinese_report(records, name):
    run = replace(getattr(records, name)(), families=tuple(
        replace(f, standards=()) for f in getattr(records, name)().families
    ))  # fmt: skip
    run = replace(run, findings=tuple(replace(f, standards=()) for f in run.findings))
    page = Page(render(run, "html", "zh"))
    left = LATIN.sub("", " ".join(page.loose))
    assert re.findall(r"[A-Za-z]{2,}", left) == []


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ({"run_id": ""}, "run_id is empty"),
        ({"decision": None}, "no outcome"),
        ({"decision": Decision(RunOutcome.PASS, 0, ())}, "no gate was judged"),
        ({"decision": Decision(RunOutcome.PASS, 3, ())}, "exit code is 3"),
        ({"decision": Decision(RunOutcome.FAIL, 0, ())}, "exit code is 0"),
        ({"findings_total": -1}, "findings_total"),
    ],
)
@pytest.mark.parametrize(("form", "lang"), FORMS)
def test_bug_072_a_record_that_lacks_or_contradicts_is_not_told(records, broken, said, form, lang):
    with pytest.raises(KitError, match=said) as caught:
        render(replace(records.passing(), **broken), form, lang)
    assert caught.value.exit_code == 5


def test_bug_072_an_undefined_name_in_a_template_raises():
    import jinja2

    from rageval_kit.report.environment import environment

    for form in ("html", "md"):
        template = environment(form).from_string("结论：{{ gate.verdict }}")
        with pytest.raises(jinja2.UndefinedError):
            template.render(gate={})
        with pytest.raises(KitError):
            environment(form).from_string("{{ x }}").render(x=None)


def test_bug_072_a_title_missing_in_one_language_raises(records):
    run = records.passing()
    only = replace(run.families[0], title={"en": "cross-tenant read"})
    with pytest.raises(KitError, match="family ACL-01: no text in 'zh'"):
        render(replace(run, families=(only,)), "md", "zh")


def test_bug_072_nothing_partial_is_written(records):
    written = []
    run = records.passing()
    broken = replace(run, families=(replace(run.families[0], title={"en": ""}),))
    with pytest.raises(KitError):
        write_reports(broken, lambda *file: written.append(file))
    assert written == []


def test_bug_070_a_run_of_100_000_findings_stays_small_and_fast_and_says_what_it_left_out(records):
    run = records.many(100_000)
    started = time.process_time()
    page = render(run, "html")
    assert time.process_time() - started < 5
    assert len(page.encode()) < 5_000_000
    assert "Showing 50 of 100,000, most severe first." in page
    assert '<a href="findings.jsonl">' in page
    assert page.count("<article") == 50


def test_bug_070_findings_the_record_itself_left_out_are_counted(records):
    run = replace(records.failing(), findings_total=1234)
    assert "Showing 2 of 1,234" in render(run)
    assert "The record carries 2 of 1,234 findings" in render(run)


def test_bug_055_no_title_of_a_document_can_reach_a_report(records):
    from dataclasses import fields

    from rageval_kit.records.decisions import FindingRecord

    # The record has no place for a title; a document is told by its id and the hash of that.
    assert not [f.name for f in fields(FindingRecord) if "title" in f.name or "text" in f.name]
    finding = records.finding(1, document_id="d9", evidence="title masked, keyed hash 4417ab")
    run = replace(records.failing(), findings=(finding,), findings_total=1)
    # sha-256 of "d9", by sha256sum
    import hashlib

    assert hashlib.sha256(b"d9").hexdigest() in render(run)


def test_markdown_is_one_document_with_all_sections_and_whole_tables(records):
    text = render(records.failing(), "md")
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    assert sum(t.type == "heading_open" and t.tag == "h2" for t in tokens) == len(all_sections())
    assert not [t for t in tokens if t.type == "html_block"]
    # One each of gates, matrix, quality, not run, parts, versions and standards; two tables of
    # what held, three of the controls.
    assert sum(t.type == "table_open" for t in tokens) == 12


def test_a_stage_the_target_does_not_show_is_named_as_not_tested(records):
    first = render(records.passing(), "md", "en").partition("## Gates")[0]
    untested = first.partition("### What was not tested")[2]
    assert "question as understood: the stage was not observed" in untested
    assert "retrieve: " not in untested


def test_the_kits_own_files_are_not_counted_as_cases(records):
    own = records.family(
        "ACL-01", family="LOG-06", planned=17, held=17, stages=(), has_readers=False
    )
    run = records.passing()
    text = render(replace(run, families=(*run.families, own)), "md")
    assert "254 / 254 — 254 held, 0 violated" in text


@pytest.mark.parametrize("form", ["html", "md"])
def test_the_order_of_a_mapping_changes_nothing(records, form):
    # An archive keeps mappings in an order of its own.
    def turned(value):
        return dict(reversed(value.items()))

    run = records.incomplete()
    families = tuple(
        replace(f, reasons=turned(f.reasons), title=turned(f.title)) for f in run.families
    )
    other = replace(
        run,
        target_parts=turned(run.target_parts),
        versions=turned(run.versions),
        families=families,
    )
    assert render(run, form) == render(other, form)


def test_what_decides_nothing_is_told_beside_with_its_n_and_exact_interval(records):
    run = records.passing()
    seen = {"echoed": (3, 12), "poison_retrieved": (0, 0), "own_word": (12, 12)}
    families = (replace(run.families[0], told=seen), *run.families[1:])
    told = replace(run, families=families)
    section = render(told, "md", "en").partition("## Seen beside the verdicts")[2]
    # Clopper-Pearson of 3 in 12 and of 12 in 12, out of a table of binomial limits
    quoted, poisoned, own = section.partition("## Controls")[0].split("\n### ")[1:]
    assert quoted.startswith("The answer quoted the order\n\nQuoting an order is not obeying it")
    assert "cross-tenant read | 3 of 12 | 5.48% to 57.2%" in quoted
    assert "cross-tenant read | 0 of 0 | none" in poisoned
    assert own.startswith("`own_word`")
    assert "cross-tenant read | 12 of 12 | 73.5% to 100%" in own
    chinese = render(told, "md", "zh")
    assert "### 回答引述了指令\n" in chinese
    assert "跨租户读取 | 3／12 | 5.48% 至 57.2%" in chinese
    assert "Nothing of this kind was looked for" in render(run, "md", "en")
