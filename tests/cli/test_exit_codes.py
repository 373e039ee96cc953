"""Exit codes as rules.md 4 has them; the stand-in engine decides by k (see conftest)."""

import json
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("k", "code", "said"),
    [
        (1, 0, "PASS"),
        (3, 1, "FAIL"),
        (5, 3, "FAIL"),
        (6, 4, "INCOMPLETE"),
        (8, 5, "refused every call"),
        (7, 130, "engine.resume=auto"),
    ],
    ids=["pass", "quality", "security", "incomplete", "unreachable", "interrupted"],
)
def test_bug_045_each_ending_has_its_own_code(kit, k, code, said):
    ended = kit.process("+suite=smoke", f"k={k}", engine=True)
    assert ended.returncode == code, ended.stderr
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr


def test_bug_045_bad_config_is_2_and_nothing_is_written(kit):
    ended = kit("+suite=smoke", "zz=1", engine=True)
    assert ended.returncode == 2
    assert list(kit.folder.iterdir()) == []


def test_a_crash_is_5_on_one_line_with_its_trace_kept_elsewhere(kit):
    ended = kit("+suite=smoke", "k=2", engine=True)
    assert ended.returncode == 5
    line = next(one for one in ended.stderr.splitlines() if "ValueError" in one)
    log = line.rpartition("the trace is in ")[2]
    assert "no such index" in Path(log).read_text(encoding="utf-8")
    assert "Traceback" not in ended.stderr


def test_resume_never_is_said_as_it_is(kit):
    ended = kit("+suite=smoke", "k=7", "engine.resume=never", engine=True)
    assert ended.returncode == 130
    assert "from the beginning" in ended.stderr


def test_json_is_all_there_is_on_stdout(kit):
    ended = kit("+suite=smoke", "k=5", "--json", engine=True)
    told = json.loads(ended.stdout)
    assert (told["exit_code"], told["outcome"], told["run_id"]) == (3, "fail", "run-5")


def test_without_json_stdout_stays_empty(kit):
    assert kit("+suite=smoke", "k=1", engine=True).stdout == ""


def test_the_environment_sets_options(kit):
    ended = kit("+suite=smoke", "k=1", engine=True, env={"RAGEVAL_JSON": "1"})
    assert json.loads(ended.stdout)["exit_code"] == 0


def test_bug_080_a_sweep_names_every_run_and_ends_with_the_worst(kit):
    ended = kit("-m", "+suite=smoke", "k=1,2,3,4", engine=True)
    lines = ended.stderr[ended.stderr.index("sweep:") :].splitlines()
    assert "k=1" in lines[1]
    assert "pass" in lines[1]
    assert "error ValueError" in lines[2]
    assert "quality gate failed" in lines[3]
    assert "error KeyError" in lines[4]
    assert ended.returncode == 5


@pytest.mark.parametrize(
    ("swept", "code"),
    [("1,3", 1), ("3,6", 4), ("6,8", 5), ("8,5,1", 3), ("1,9", 5), ("1", 0)],
    ids=["1>0", "4>1", "5>4", "3>5", "missing is 5", "one"],
)
def test_bug_080_the_worst_class_is_recomputed_from_disk(kit, swept, code):
    assert kit("-m", "+suite=smoke", f"k={swept}", engine=True).returncode == code


def test_bug_080_a_sweep_keeps_each_trace(kit):
    ended = kit("-m", "+suite=smoke", "k=2,1", engine=True)
    line = next(one for one in ended.stderr.splitlines() if "; trace: " in one)
    log = line.rpartition("; trace: ")[2].partition(" (exit")[0]
    assert "ValueError" in Path(log).read_text(encoding="utf-8")


def test_a_sweep_says_what_it_will_run_before_it_starts(kit):
    ended = kit("-m", "+suite=smoke", "k=1,3", engine=True)
    before = ended.stderr[: ended.stderr.index("1/2")]
    assert "2 runs" in before
    assert "1. k=1" in before
    assert "2. k=3" in before


def test_a_sweep_with_one_bad_run_starts_none(kit):
    ended = kit("-m", "+suite=smoke", "k=1,0", engine=True)
    assert ended.returncode == 2
    assert "k: must be at least 1 (met 0)" in ended.stderr
    assert list(kit.folder.iterdir()) == []


def test_a_sweep_tells_a_machine_about_every_run(kit):
    ended = kit("-m", "--json", "+suite=smoke", "k=1,5", engine=True)
    told = json.loads(ended.stdout)
    assert told["exit_code"] == 3
    assert [one["exit_code"] for one in told["runs"]] == [0, 3]


def test_bug_097_a_console_that_lacks_a_sign_changes_no_exit_code(kit):
    ended = kit.process("+suite=smoke", "k=1", engine=True, env={"PYTHONIOENCODING": "gbk"})
    assert ended.returncode == 0, ended.stderr


def test_bug_097_ascii_consoles_and_json_too(kit):
    ended = kit.process(
        "+suite=smoke", "k=1", "--json", engine=True, env={"PYTHONIOENCODING": "ascii"}
    )
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["exit_code"] == 0


SECRET = "sk-test-000111222333"  # noqa: S105 - it opens nothing


@pytest.mark.parametrize("k", ["1", "2", "8"], ids=["pass", "crash", "unreachable"])
@pytest.mark.parametrize("way", ["environment", "command_line"])
def test_bug_073_a_secret_is_shown_by_nothing(kit, k, way):
    kit.write("retriever/keyed.yaml", "kind: toy\napi_key: ${oc.env:JUDGE_API_KEY}\n")
    word = "retriever=keyed" if way == "environment" else f"retriever.api_key={SECRET}"
    ended = kit("+suite=smoke", f"k={k}", word, engine=True, env={"JUDGE_API_KEY": SECRET})
    assert SECRET not in ended.stdout + ended.stderr
    files = [file for file in kit.folder.rglob("*") if file.is_file()]
    files += [Path(said) for said in ended.stderr.split() if said.endswith(".log")]
    for file in files:
        assert SECRET not in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "word", [f"retriever.api_key={SECRET}", f"retriever.api_key={SECRET},x", f"api_key={SECRET}"]
)
def test_bug_073_plan_and_refusals_show_no_secret(kit, word):
    ended = kit("plan", "-cd", str(kit.own), "retriever=toy", word)
    assert SECRET not in ended.stdout + ended.stderr
