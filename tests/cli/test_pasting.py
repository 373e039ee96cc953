"""Words that the command prints for pasting mean the same after the shell and Hydra."""

import json
import shlex

import pytest

from rageval_kit.build.pasting import pasted

PEOPLE = "schema: 1\ntenants: [{tenant_id: t}]\nprincipals: [{principal_id: u, tenant: t}]\n"
PAGE = "---\ntenant: t\neveryone: yes\nvalid_from: 2024-01-01\n---\n# Leave\nFifteen days.\n"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("snapshots/mine-1368420d2933", "corpus.path=snapshots/mine-1368420d2933"),
        ("我的", "'corpus.path=\"我的\"'"),
        ("a b", "'corpus.path=\"a b\"'"),
    ],
)
def test_plain_words_stay_and_others_are_quoted_for_both(value, written):
    assert pasted("corpus.path", value) == written


@pytest.mark.parametrize(
    "value",
    [
        "我的 快照",
        "a,b",
        "it's",
        'q"x',
        "back\\",
        "${HOME}",
        "$HOME",
        "x=1",
        "[1]",
        "a#b",
        "~",
        "null",
    ],
)
def test_a_pasted_word_arrives_as_it_was(value):
    from hydra import compose, initialize_config_dir

    from rageval_kit.resources import tree

    [word] = shlex.split(pasted("corpus.path", value))
    with initialize_config_dir(str(tree("conf")), version_base="1.3"):
        made = compose("config", ["corpus=snapshot", word])
    assert str(made.corpus.path) == ("None" if value == "null" else value)


def test_what_snapshot_prints_runs_as_printed(kit):
    folder = kit.folder / "资料 一"
    folder.mkdir()
    (folder / "a.md").write_text(PAGE, encoding="utf-8")
    (kit.folder / "people.yaml").write_text(PEOPLE)
    ended = kit(
        "snapshot", "资料 一", "--name", "我的 库", "--directory", "people.yaml",
        "--clock", "2024-08-01T00:00:00Z",
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    printed = ended.stderr.partition("use it with ")[2]
    words = shlex.split(printed)
    ended = kit("plan", "+suite=smoke", "suites.smoke.size.cases=1", *words)
    assert "is not read as it stands" not in ended.stderr
    assert "我的 库-" in printed
    assert ended.returncode == 0, ended.stderr


def test_a_value_that_hydra_cannot_read_is_answered_with_one_that_it_can(kit):
    ended = kit("plan", "+suite=smoke", "corpus.path=我的 it's")
    assert ended.returncode == 2
    assert pasted("corpus.path", "我的 it's") in ended.stderr


def test_a_suite_that_writes_over_another_is_refused_by_name(kit):
    file = kit.write("suite/weekly.yaml", "# @package suites.smoke\nsize: {cases: 1}\n")
    ended = kit("plan", "-cd", str(kit.own), "+suite=[smoke,weekly]")
    assert ended.returncode == 2
    assert str(file) in ended.stderr
    assert "# @package suites.smoke" in ended.stderr
    assert "# @package suites.weekly" in ended.stderr


@pytest.mark.parametrize(
    "text",
    [
        "# @package suites.weekly\nfamilies: {ids: [ACL-01]}\nsize: {cases: 1}\n",
        "# @package suites.weekly\ndefaults: [smoke@_here_, _self_]\nsize: {cases: 1}\n",
    ],
)
def test_a_suite_under_its_own_name_composes(kit, text):
    kit.write("suite/weekly.yaml", text)
    ended = kit("plan", "-cd", str(kit.own), "+suite=weekly", "--json")
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)


def test_a_global_suite_is_refused(kit):
    kit.write("suite/weekly.yaml", "\n# @package _global_\nsuites: {smoke: {size: {cases: 1}}}\n")
    ended = kit("plan", "-cd", str(kit.own), "+suite=[smoke,weekly]")
    assert ended.returncode == 2
    assert "# @package suites.weekly" in ended.stderr
