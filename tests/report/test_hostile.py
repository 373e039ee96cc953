"""A document whose title is code, in every field of the record, stays text in every format."""

import json
import re
from dataclasses import replace

import junitparser
import pytest
from markdown_it import MarkdownIt

from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Finding, Outcome, Verdict
from rageval_kit.report.escape import markdown, safe_href
from rageval_kit.report.files import write_reports
from rageval_kit.report.junit import junit
from rageval_kit.report.render import render
from rageval_kit.report.sarif import sarif
from rageval_kit.report.terminal import terminal

HIDDEN = re.compile("[\u202a-\u202e\u2066-\u2069\u200b-\u200f\x00-\x08\x0b-\x1f]")
LANGS = ["en", "zh"]
HOSTILE_TEXTS = [
    "<script>alert(1)</script>|[x](javascript:1)\u202eexe\u2066\u200b\x07\n## PASS\n| a | b |",
    "<img src=x onerror=alert(1)>",
    '"><script>alert(2)</script>',
    "<svg/onload=alert(3)>",
    'a" onmouseover="alert(4)',
    "x onmouseover=alert(1)",
    "a;}body{display:none",
    "</script><script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "{{ 7 * 7 }}{% raw %}{run_id}",
    "```\n# x\n~~~\n<b>x</b>",
    "![logo](https://evil.example/p.png?q=ZQ-CANARY-4417)",
    "<https://evil.example> www.evil.example https://evil.example",
    "]: https://evil.example \\` ` `` **x** __y__ ~~z~~ &lt;b&gt;",
]


def hostile(records, text):
    run = records.poisoned(records.failing(), text)
    return replace(run, snapshot_digest=records.DIGEST)


@pytest.mark.parametrize("text", HOSTILE_TEXTS)
@pytest.mark.parametrize("lang", LANGS)
def test_bug_066_067_no_field_becomes_a_tag_an_attribute_or_a_link_in_html(records, text, lang):
    page = render(hostile(records, text), "html", lang)
    clean = render(records.failing(), "html", lang)
    kinds = r"<([a-zA-Z!/][^\s>]*)"
    assert set(re.findall(kinds, page)) <= set(re.findall(kinds, clean)) | {"rect", "circle"}
    for forbidden in ("<img", "<script", "<svg/", ' onmouseover="', " onerror=alert(1)>"):
        assert forbidden not in page
    for href in re.findall(r'href="([^"]*)"', page):
        assert re.match(r"(https?://|#[\w-]+$|[\w.-]+$|data:,$)", href)
    # Attributes of the kit's own tags hold no text of the record but the column heads.
    assert not re.search(r'\s(on\w+|style)="', page.partition("</style>")[2])
    assert page.count("<style>") == 1
    assert not HIDDEN.search(page)


def test_bug_066_escaping_is_visible_and_does_not_hang_on_a_template_name(records):
    from rageval_kit.report.environment import environment

    page = render(hostile(records, "<img src=x onerror=alert(1)>"))
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    made = environment("html")
    assert made.autoescape is True
    assert made.from_string("{{ x }}").render(x="<b>") == "&lt;b&gt;"


def test_bug_066_the_page_carries_a_strict_policy_and_no_script(records):
    page = render(records.failing())
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page).group(1)
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:")
    assert "<script" not in page
    assert "javascript" not in page


@pytest.mark.parametrize(
    "href",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:1",
        "data:text/html,x",
        "file:///etc",
        "//evil.example",
        "../x",
        'https://evil.example/" onclick="x',
    ],
)
def test_bug_067_only_http_anchors_and_files_beside_the_report_are_links(href):
    from rageval_kit.records.faults import KitError

    with pytest.raises(KitError, match="report link"):
        safe_href(href)


@pytest.mark.parametrize("text", HOSTILE_TEXTS)
@pytest.mark.parametrize("lang", LANGS)
def test_bug_065_068_no_field_forges_a_row_heading_link_image_or_tag_in_markdown(
    records, text, lang
):
    source = render(hostile(records, text), "md", lang)
    shape = [(t.type, t.tag) for t in MarkdownIt("gfm-like", {"linkify": False}).parse(source)]
    plain = render(hostile(records, "plain"), "md", lang)
    assert shape == [
        (t.type, t.tag) for t in MarkdownIt("gfm-like", {"linkify": False}).parse(plain)
    ]
    for token in MarkdownIt("gfm-like", {"linkify": False}).parse(source):
        for part in token.children or ():
            assert part.type not in {"html_inline", "image"}
            if part.type == "link_open":
                assert part.attrs["href"] in {"verdicts.jsonl", "findings.jsonl"}
    assert not re.search(r"<(?!verdicts\.jsonl>|findings\.jsonl>)[A-Za-z/!]", source)
    assert not HIDDEN.search(source)


def test_bug_068_a_title_cannot_forge_the_verdict(records):
    title = "A | B\n\n## 总体结论：PASS\n| x | y |"
    run = records.failing()
    family = replace(run.families[0], title={"en": title, "zh": title})
    source = render(replace(run, families=(family, *run.families[1:])), "md", "zh")
    verdicts = [line for line in source.splitlines() if line.startswith("## 总体结论")]
    assert verdicts == ["## 总体结论：不通过（FAIL）"]
    matrix = source[source.index("## 用例族与阶段") : source.index("## 发现")]
    rows = [line for line in matrix.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + 4  # heads, rule, four families that ran
    assert r"A \| B⟨U+000A⟩⟨U+000A⟩\#\# 总体结论：PASS" in matrix


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("a|b", r"a\|b"),
        ("<b>&", "&lt;b&gt;&amp;"),
        ("- x", r"\- x"),
        ("1. x", r"1\. x"),
        ("# x", r"\# x"),
        ("see https://evil.example", r"see https\://evil.example"),
        ("2.51% of 4,120", "2.51% of 4,120"),
    ],
)
def test_markdown_escapes_what_would_be_read_as_a_mark_and_little_else(text, safe):
    assert markdown(text) == safe


def test_bug_071_nan_becomes_null_with_a_reason_and_text_stays_itself():
    from rageval_kit.report.plain import json_bytes

    title = "NaN 面包 Infinity -Infinity"
    made = json_bytes({"m": {"faith": float("nan"), "ratio": float("inf")}, "doc_title": title})

    def refuse(token):
        raise AssertionError(token)

    read = json.loads(made, parse_constant=refuse)
    assert read["m"]["faith"] is None
    assert read["m"]["ratio"] is None
    assert read["m"]["faith_reason"] == "not a finite number"
    assert read["doc_title"] == title


@pytest.mark.parametrize("text", [*HOSTILE_TEXTS, "lone \ud800 surrogate", "NaN Infinity"])
def test_every_written_file_is_utf8_and_data_files_keep_the_text_itself(records, text):
    files = {}
    run = hostile(records, text)
    write_reports(run, files.__setitem__)
    assert set(files) == {
        "report.html", "report.md", "findings.jsonl", "findings.csv", "results.sarif", "junit.xml",
        "statement.intoto.json",
    }  # fmt: skip
    for content in files.values():
        content.decode("utf-8")
    lines = files["findings.jsonl"].splitlines()
    assert [json.loads(line)["evidence"] for line in lines] == [text, text]


@pytest.mark.parametrize("text", HOSTILE_TEXTS)
def test_sarif_and_junit_show_hidden_characters_by_code_point(records, text):
    run = hostile(records, text)
    assert not HIDDEN.search(json.dumps(sarif(run), ensure_ascii=False))
    found = Finding("c", Stage.CACHE, 0, text, text, text)
    verdict = Verdict(text, text, Outcome.VIOLATED, text, (found,))
    made = junit(run, [verdict])
    assert not HIDDEN.search(made.decode())
    suites = junitparser.JUnitXml.fromstring(made)
    assert suites.failures == 2  # the case and the gate


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("text", HOSTILE_TEXTS)
def test_the_terminal_gets_no_control_character_of_others(records, text, lang):
    told = terminal(hostile(records, text), lang)
    assert not HIDDEN.search(told)
    assert "\x1b" not in told
