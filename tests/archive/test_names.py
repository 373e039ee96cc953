"""The ids are those of real bug reports: colons, slashes, device names, 200 characters, case."""

import re
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rageval_kit.archive.names import check_name, new_run_id, safe_name
from rageval_kit.records.faults import InputError

DEVICES = {"CON", "PRN", "AUX", "NUL", *(f"{p}{n}" for p in ("COM", "LPT") for n in range(1, 10))}


def is_portable(name):
    return (
        re.fullmatch(r"[A-Za-z0-9._-]+", name) is not None
        and len(name.encode()) <= 80
        and not name.endswith((".", " "))
        and name.split(".")[0].upper() not in DEVICES
        and name not in {".", ".."}
    )


@pytest.mark.parametrize(
    "text",
    [
        "acl:cross-tenant/用户A",
        "CON",
        "con.txt",
        "a?b*c",
        "很" * 200,
        "x. ",
        "",
        "..",
        "-rf",
        "a" * 300,
        "../../etc/passwd",
        "nul.tar.gz",
        "\ud800",
        "a\u202eb",
        ".hidden",
    ],
)
def test_any_id_gets_a_portable_name(text):
    assert is_portable(safe_name(text))


@given(st.text())
def test_whatever_the_id_its_name_is_portable_and_accepted(text):
    name = safe_name(text)
    assert is_portable(name)
    check_name(name)


@given(st.lists(st.text(alphabet="aA_-/.:0很", max_size=6), unique=True, max_size=30))
def test_different_ids_get_names_that_differ_beyond_case(texts):
    assert len({safe_name(text).lower() for text in texts}) == len(texts)


def test_a_name_made_of_another_id_is_not_taken_by_an_id_that_spells_it():
    assert safe_name(safe_name("a?b")) != safe_name("a?b")


def test_a_plain_name_stays():
    assert safe_name("acl-00042.json") == "acl-00042.json"


@pytest.mark.parametrize(
    "name",
    [
        "../x",
        "/etc/passwd",
        "a/../b",
        "a//b",
        "",
        ".",
        "a\\b",
        "C:x",
        "CON",
        "a/nul.txt",
        "x.",
        "x ",
        ".git",
        "a/b/c/d/e",
        "很.txt",
        "a\n",
        "-x",
        "a" * 81,
    ],
)
def test_a_name_that_leaves_the_folder_or_breaks_a_file_system_is_refused(name):
    with pytest.raises(InputError, match="is not a plain relative name") as refusal:
        check_name(name)
    assert refusal.value.exit_code == 2


def test_a_run_id_shows_its_instant_in_utc_and_its_token():
    shanghai = datetime(2026, 11, 30, 16, 15, tzinfo=timezone(timedelta(hours=8)))
    assert new_run_id(shanghai, bytes.fromhex("3f9a2c51aa")) == "20261130T081500Z-3f9a2c51"


def test_run_ids_sort_by_time():
    start = datetime(2026, 12, 31, 23, 59, 58, tzinfo=UTC)
    ids = [new_run_id(start + timedelta(seconds=n), bytes([9 - n] * 4)) for n in range(5)]
    assert ids == sorted(ids)


@pytest.mark.parametrize(
    ("now", "token"),
    [(datetime(2026, 1, 1), b"1234"), (datetime(2026, 1, 1, tzinfo=UTC), b"12")],  # noqa: DTZ001
)
def test_a_run_id_needs_a_zone_and_a_token(now, token):
    with pytest.raises(InputError, match="run id"):
        new_run_id(now, token)
