"""Expected text is written by hand; the laws hold for any secret and any cutting into chunks."""

import base64
import html
import json
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rageval_kit.archive.masking import (
    Mask,
    secrets_behind_environment,
    secrets_in_config,
    secrets_on_command_line,
)

KEY = b"k" * 32
SECRET = "sk-test-000111222333"  # noqa: S105 - made up for this test
AWKWARD = "p\"a'ss<&>\\词 /+%"


def test_a_secret_becomes_stars_and_a_short_hash_that_tells_two_apart():
    mask = Mask.of([SECRET, "another-secret-value"], KEY)
    first, second = mask.text(f"{SECRET} {SECRET}").split()
    assert first == second
    assert first.startswith("***")
    assert len(first) == 11
    assert mask.text("another-secret-value") != first


def test_the_short_hash_depends_on_the_key_outside_the_archive():
    assert Mask.of([SECRET], KEY).text(SECRET) != Mask.of([SECRET], b"j" * 32).text(SECRET)


@pytest.mark.parametrize(
    "form",
    [
        AWKWARD,
        json.dumps(AWKWARD),
        json.dumps(AWKWARD, ensure_ascii=False),
        html.escape(AWKWARD),
        html.escape(AWKWARD).replace("&quot;", "&#34;").replace("&#x27;", "&#39;"),
        quote(AWKWARD),
        quote(AWKWARD, safe=""),
        AWKWARD.replace("'", "''"),
        base64.b64encode(AWKWARD.encode()).decode(),
    ],
    ids=["raw", "json_ascii", "json", "html", "markupsafe", "url", "url_all", "yaml", "base64"],
)
def test_a_secret_is_found_as_formats_escape_it(form):
    masked = Mask.of([AWKWARD], KEY).text(f"a {form} b")
    assert "***" in masked
    assert "ss" not in masked
    assert masked.startswith("a ")
    assert masked.endswith(" b")


def test_the_scheme_of_a_header_is_no_part_of_the_secret():
    mask = Mask.of([f"Bearer {SECRET}"], KEY)
    assert SECRET not in mask.text(f"401 invalid key {SECRET}")
    assert mask.text(f"Bearer {SECRET}").startswith("Bearer ***")


def test_a_short_secret_is_masked_where_it_stands_alone_only():
    mask = Mask.of(["admin"], KEY)
    assert mask.text("administrator admin1 _admin") == "administrator admin1 _admin"
    assert "admin" not in mask.text("password: admin\n").replace("***", "")


def test_a_numeric_secret_is_not_cut_out_of_longer_numbers():
    mask = Mask.of(["20261130"], KEY)
    assert mask.text("20261130T081500Z 120261130") == "20261130T081500Z 120261130"
    assert "20261130" not in mask.text("pin: 20261130")


def test_values_that_cannot_be_masked_are_counted():
    mask = Mask.of(["abc", "true", "", "  ", SECRET], KEY)
    assert mask.unmaskable == 2
    assert mask.text("abc true") == "abc true"


def test_of_overlapping_secrets_no_end_remains():
    masked = Mask.of(["alphabeta1", "beta1gamma"], KEY).text("x alphabeta1gamma y")
    assert masked.startswith("x ***")
    assert masked.endswith(" y")
    assert "gamma" not in masked


def test_without_secrets_nothing_changes():
    assert Mask().data(b"abc") == b"abc"
    assert not Mask()
    assert list(Mask().chunks([b"a", b"b"])) == [b"a", b"b"]


@given(
    st.lists(
        st.sampled_from([SECRET, "admin", "aaaaaaaaaa", "a", " ", "\n", "x", "很", "sk-test-000"])
    ),
    st.lists(st.integers(1, 15), min_size=1),
)
def test_however_a_file_is_cut_into_chunks_the_same_is_masked(words, sizes):
    mask = Mask.of([SECRET, "admin", "aaaaaaaaaa"], KEY)
    data = "".join(words).encode()
    chunks, position, turn = [], 0, 0
    while position < len(data):
        size = sizes[turn % len(sizes)]
        chunks.append(data[position : position + size])
        position, turn = position + size, turn + 1
    assert b"".join(mask.chunks(chunks)) == mask.data(data)
    assert SECRET.encode() not in mask.data(data)


@given(st.text(min_size=8), st.text(), st.text())
def test_no_secret_of_eight_characters_survives(secret, before, after):
    mask = Mask.of([secret], KEY)
    masked = mask.data(f"{before}{secret}{after}".encode())
    if mask and "*" not in secret:
        assert not mask.hits(masked)


def test_secrets_are_collected_from_where_they_are_named():
    yaml = "a: Bearer ${oc.env:JUDGE_API_KEY}\nb: ${oc.env:PORT,80}\nc: ${oc.env:UNSET}\n"
    environ = {"JUDGE_API_KEY": SECRET, "PORT": "8080", "HOME": "/srv/ann"}
    assert secrets_behind_environment([yaml], environ) == {SECRET, "8080"}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([f"judge.api_key={SECRET}"], {SECRET}),
        ([f"+retriever.headers.Authorization='Bearer {SECRET}'"], {f"Bearer {SECRET}"}),
        (
            [f"retriever.headers={{Authorization: Bearer {SECRET}, Accept: json}}"],
            {f"Bearer {SECRET}"},
        ),
        (["--token", SECRET], {SECRET}),
        ([f"--api-key={SECRET}"], {SECRET}),
        (["db.password=hunter22", "x.secret=s3cr3t"], {"hunter22", "s3cr3t"}),
        (
            ["judge.max_tokens=512", "tokenizer=jieba", "key_order=x", "context.token_budget=4000"],
            set(),
        ),
        (["judge.api_key=${oc.env:KEY}", "seed=42", "+suite=acl_negative"], set()),
    ],
)
def test_values_of_keys_named_like_secrets_are_collected(arguments, expected):
    assert secrets_on_command_line(arguments) == expected


def test_configuration_under_a_secret_key_is_collected():
    config = {"http": {"headers": {"Authorization": f"Bearer {SECRET}", "Accept": "json"}},
              "credentials": {"user": "root-user", "n": 3}, "key": "${oc.env:K}"}  # fmt: skip
    assert secrets_in_config(config) == {f"Bearer {SECRET}", "root-user"}
