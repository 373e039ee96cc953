"""Which addresses a renderer, a browser or a chat client would follow: each case by hand."""

import time

import pytest

from rageval_kit.detect.urls import host_of, links_in

EVIL = "evil.example"


def hosts(text):
    return {link.host for link in links_in(text)}


@pytest.mark.parametrize(
    "text",
    [
        "see https://evil.example/p.png?d=1.",
        "HTTPS://EVIL.EXAMPLE",
        "见https://evil.example/文档。下一句",
        "www.x.example evil https://evil.example/x",
        "![logo](https://evil.example/p.png)",
        "![logo]( <https://evil.example/a b> )",
        "![a [b] c](//evil.example/p.png)",
        "[here](//evil.example)",
        "[![a](https://ok.example/i)](https://evil.example)",
        "![x][1]\n\n[1]: //evil.example/p.png",
        "[1]: <https://evil.example/p>",
        "<https://evil.example/auto>",
        '<img src="//evil.example/p.png">',
        "<img src='https://evil.example/p'>",
        "<img src=//evil.example/p>",
        '<img srcset="a.png 1x, //evil.example/b 2x">',
        '<a href="ht\ntps://evil.example">x</a>',
        '<a href="https:evil.example">x</a>',
        '<img src="\\\\evil.example\\share\\p.png">',
        '<div style="background:url(//evil.example/p)">',
        "<style>@import '//evil.example/a.css';</style>",
        '<meta http-equiv="refresh" content="0; url=//evil.example">',
        "<video poster=//evil.example/p>",
        "https://ev\u200bil.exa\u2060mple/p",
        "ht\u200btps:/\ufeff/evil.example",
        "![x](https&#58;//evil&#46;example/p)",
        "![x](https&colon;&sol;&sol;evil.example)",
        "![x](https:\\/\\/evil\\.example)",
        "https://kb.example@evil.example/",
        "https://evil.example\\@kb.example/",
        "https://%65vil.example/",
        "https://ｅｖｉｌ.example/",
        "https://evil。example/",
        "https://evil.example:8443./x",
        "https://ok.example/go?u=https://evil.example/p",
        "https://ok.example/go?u=https%3A%2F%2Fevil.example",
        "https://ok.example/go?u=https%253A%252F%252Fevil.example",
        "https://ok.example/go?next=//evil.example",
        "https://ok.example/web/2020/https://evil.example",
        "https://ok.example/proxy/https/evil.example/p.png",
        "https://ok.example/amp/s/evil.example/p",
        "https://ok.example/r?u=aHR0cHM6Ly9ldmlsLmV4YW1wbGUvcA==",
        "https://ok.example/r/aHR0cHM6Ly9ldmlsLmV4YW1wbGUvcA",
        "mailto:box@evil.example?body=x",
        "**https://evil.example**",
        "(https://evil.example)",
        "wss://evil.example/s",
        '<style>@import"//evil.example/a.css";</style>',
        '<p style="background:u\\72l(//evil.example/p)">',
        '<p style="background:u\\000072 l(//evil.example/p)">',
        '<style>a{background:url("\\2f\\2f evil.example/p")}</style>',
        """<p style='background:image-set("//evil.example" 1x)'>""",
        """<p style='background:-webkit-image-set("a" type("x") 1x, "//evil.example/b" 2x)'>""",
        "see \\\\evil.example\\share",
        "\\\\evil.example@SSL\\share",
        "smb://evil.example/share",
        "SMB://evil.example",
        "file://evil.example/share",
        "[x](file:////evil.example/share)",
        "https://ev\u3164il.example/p",
    ],
)
def test_an_address_is_seen(text):
    assert EVIL in hosts(text)


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("[x](javascript:alert(1))", "javascript:"),
        ("[x]( <JavaScript:alert(1)> )", "javascript:"),
        ("[x][1]\n\n[1]: vbscript:x", "vbscript:"),
        ("<javascript:alert(1)>", "javascript:"),
        ("<a href='java\nscript:alert(1)'>x</a>", "javascript:"),
        ('<a title="x" href=" javascript:alert(1)">x</a>', "javascript:"),
        ("<form action=javascript:alert(1)>", "javascript:"),
        ("[x](jav&#x61;script:alert(1))", "javascript:"),
        ("[x](java\u200bscript:alert(1))", "javascript:"),
        ("[x](data:text/html;base64,PHNjcmlwdD4=)", "data:"),
        ('<iframe src="data:image/svg+xml,<svg/>">', "data:"),
    ],
)
def test_an_address_that_is_a_program_is_seen_and_has_no_host_to_allow(text, host):
    assert [(link.host, link.form) for link in links_in(text)] == [(host, "program")]
    assert host_of(host) != host


@pytest.mark.parametrize(
    "text",
    [
        "`https://evil.example/p`",
        "say ``![x](https://evil.example/`p`)`` or not",
        "```\n![x](https://evil.example/p)\n```\ndone",
        "~~~ text\nhttps://evil.example\n~~~",
        "```\n<img src=//evil.example>\n    ```\nhttps://evil.example\n```",
        "evil.example",
        "hxxps://evil[.]example/p",
        "https[:]//evil.example",
        "[x](/relative/evil.example)",
        "[x](#evil)",
        "javascript:alert(1)",
        "a javascript: address in an href attribute",
        '< a href="javascript:alert(1)">',
        "`[x](javascript:alert(1))`",
        "![x](data:image/png;base64,iVBORw0KGgo=)",
        "[x](data:text/plain,hello)",
        '< img src="//evil[.]example/p.png">',
        "1//2 and a//b",
        "file:///etc/evil.example",
        "file://localhost/evil.example and file://C:/evil.example",
        "C:\\evil.example\\share and a regex \\\\d.\\\\w+ with \\\\hline\\textbf",
        "a < b, `curl https://evil.example`",
    ],
)
def test_text_that_nobody_would_follow_is_none(text):
    assert hosts(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "\\`https://evil.example\\`",
        "`a\n`![x](https://evil.example)`",
        "` \n\n![x](https://evil.example)\n\n`",
        "- ```\n![x](https://evil.example)\n```",
        "  ```\ncode\n```\n![x](https://evil.example)\n```",
        "```\n    ```\n```\n![x](https://evil.example)\n```",
        "```\nx\n```\n![x](https://evil.example)",
        "<div>\n```\n<img src=https://evil.example>\n```",
        '<img alt="`" src=https://evil.example> `',
        "\\``a` ![x](https://evil.example) `b`",
        "| `a | ![x](https://evil.example) ` |\n|--|--|",
        "`\u200b`![x](https://evil.example)``",
        "``` a`b\n![x](https://evil.example)\n```",
        "`code` then https://evil.example",
        "![x](https://evil.example/?q=`abc`)",
        "<code>![x](https://evil.example)</code>",
    ],
)
def test_marks_of_code_hide_nothing_that_is_none(text):
    assert EVIL in hosts(text)


def test_a_letter_that_readers_see_stays_part_of_the_host():
    assert hosts("https://kb\u0640.example/") == {"kb\u0640.example"}
    assert hosts("https://kb\u2800.example/") == {"kb\u2800.example"}


def test_a_look_alike_is_another_host():
    assert hosts("https://kb.соrp.example/ https://xn--80ak6aa92e.example/") == {
        "kb.соrp.example",
        "аррӏе.example",
    }
    assert host_of("KB.Corp.Example.") == "kb.corp.example"


def test_what_follows_an_address_is_not_its_host():
    assert hosts("(https://a.example), https://b.example: c; 见https://c.example，又") == {
        "a.example",
        "b.example",
        "c.example",
    }


def test_the_form_tells_what_is_fetched_without_a_click():
    assert [link.form for link in links_in("![x](//a.example) [x](//b.example)")] == [
        "image",
        "link",
    ]
    assert {link.form for link in links_in("<img src=//a.example>")} == {"html"}
    assert {link.form for link in links_in("https://a.example/?u=//b.example")} == {
        "bare",
        "nested",
    }


def test_the_whole_address_is_kept_with_what_it_carries():
    assert any("abc" in link.url for link in links_in("![x](https://a.example/?q=`abc`)"))


def test_an_address_without_a_scheme_is_one_where_it_begins_with_www():
    assert hosts("at www.a.example/x, not at b.example") == {"www.a.example"}


@pytest.mark.parametrize(
    "unit",
    [
        "`",
        "```_",
        "\\",
        "[",
        "](",
        "![",
        "<",
        'src="',
        "src='",
        "url(",
        "&#",
        "&#1",
        "https://",
        "http:",
        "%25",
        "www.",
        "@",
        "a",
        "]:_",
        "//",
        "？",
        "xn--",
        "mailto:a,",
        "`_``_",
        "\u200b",
    ],
)
def test_hostile_input_costs_time_in_proportion_to_its_length(unit):
    part = unit.replace("_", " ")

    def seconds(size):
        text = (part * (size // len(part) + 1))[:size]
        started = time.perf_counter()
        links_in(text)
        return time.perf_counter() - started

    seconds(1000)
    assert seconds(400_000) < 3.0


def test_runs_of_every_length_are_no_trap():
    text = "".join("`" * n + "x" for n in range(1, 900))
    started = time.perf_counter()
    links_in(text)
    assert time.perf_counter() - started < 1.0


def test_a_number_too_long_for_an_entity_is_left_alone():
    assert hosts("&#" + "9" * 6000 + "; https://evil.example") == {EVIL}
