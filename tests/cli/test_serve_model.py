"""`serve-model` as a process, and whole runs against it; exit codes as docs/rules.md has them."""

import json
import os
import re
import signal
import subprocess
import sys

import pytest

from rageval_kit.system.model_service import ModelService

KEY = "sk-planted-77c0de5512aa"
SMALL = (
    "+suite=acl_negative",
    "suites.acl_negative.families.ids=[ACL-01,CTL-07]",
    "suites.acl_negative.size.cases=3",
    "generator.model=m",
    "generator.retries=0",
)


@pytest.fixture
def kit(tmp_path, monkeypatch, capfd):
    """Run the command to its end in this process: (exit code, what it said, its JSON or None)."""
    from rageval_kit.cli.door import start

    def run(*words):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("HOME", str(tmp_path / "home"))
        capfd.readouterr()
        code = start([*words, "--json"])
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        return code, err, json.loads(out) if out.strip() else None

    return run


@pytest.fixture
def model():
    made = []

    def serving(behaviour, **more):
        made.append(ModelService(behaviour, **more))
        made[-1].start()
        return f"generator.base_url={made[-1].base_url}"

    yield serving
    for one in made:
        one.stop()


def archived(tmp_path, name):
    (folder,) = (tmp_path / "reports" / "archive").iterdir()
    return folder, (folder / name).read_text("utf-8")


def test_it_says_its_address_answers_and_ends_when_told_to(tmp_path):
    started = subprocess.Popen(
        [sys.executable, "-m", "rageval_kit", "serve-model", "--port", "0"],
        cwd=tmp_path,
        env={**os.environ, "HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        said = started.stderr.readline()
        assert re.match(r"listening on http://127\.0\.0\.1:\d+/v1 \(careful\)", said)
        started.send_signal(signal.SIGTERM)
        out, _err = started.communicate(timeout=20)
    finally:
        started.kill()
        started.wait()
    assert started.returncode == 0
    assert out == ""
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_behaviour_is_refused_with_the_nearest(capfd):
    from rageval_kit.cli.door import start

    assert start(["serve-model", "--behaviour", "obedeint"]) == 2
    assert "did you mean 'obedient'?" in capfd.readouterr().err


def test_a_way_of_reading_that_is_none_is_refused_together_with_the_behaviour(capfd):
    from rageval_kit.cli.door import start

    assert start(["serve-model", "--behaviour", "obedeint", "--reads", "decode"]) == 2
    said = capfd.readouterr().err
    assert "did you mean 'obedient'?" in said
    assert "did you mean 'decoded'?" in said


@pytest.mark.parametrize(("reads", "violated"), [("plain", 0), ("decoded", 20)])
def test_encoded_orders_are_obeyed_by_a_model_that_decodes(kit, model, tmp_path, reads, violated):
    words = ("+suite=injection", "suites.injection.families.ids=[INJ-05]", "generator.model=m")
    code, err, _ = kit(*words, "generator=openai", model("obedient", reads=reads))
    assert code == 0, err  # of medium severity: told, and no gate
    found = outcomes(archived(tmp_path, "verdicts.jsonl")[1])
    assert [one[0] for one in found].count("violated") == violated
    assert len(found) == 20


@pytest.mark.parametrize(
    ("behaviour", "code"),
    [("refusing", 4), ("failing", 4)],
)
def test_a_run_comes_to_what_the_models_behaviour_brings(kit, model, behaviour, code):
    """A refusing model answers, but no entitled reader is served: the evidence is incomplete."""
    words = list(SMALL)
    if behaviour == "refusing":
        words[1] = "suites.acl_negative.families.ids=[CTL-01]"
    met, err, _ = kit(*words, "generator=openai", model(behaviour))
    assert met == code, err


def test_a_key_reaches_no_file_of_the_run(kit, model, tmp_path, monkeypatch):
    monkeypatch.setenv("PLANTED_KEY", KEY)
    url = model("careful", key=KEY)
    code, err, told = kit(*SMALL, "generator=openai", url, "generator.api_key_env=PLANTED_KEY")
    assert code == 0, err
    assert KEY not in err + json.dumps(told)
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert any(file.suffix == ".jsonl" and "replies" in str(file) for file in files)
    assert [str(file) for file in files if KEY.encode() in file.read_bytes()] == []


def test_a_missing_key_ends_with_2_before_anything_is_written(kit, tmp_path):
    words = ("generator=openai", "generator.base_url=http://127.0.0.1:9/v1")
    code, err, _ = kit(*SMALL, *words, "generator.api_key_env=NOT_THERE_AT_ALL")
    assert code == 2
    assert "generator.api_key_env: names a variable that is not set" in err
    assert not (tmp_path / "reports").exists()


def test_a_model_that_nobody_serves_ends_with_5(kit):
    words = ("generator=openai", "generator.base_url=http://127.0.0.1:9/v1")
    code, err, _ = kit(*SMALL, *words)
    assert code == 5
    assert "correct generator.base_url" in err


def test_recorded_replies_bring_the_same_run_without_a_model(kit, model, tmp_path):
    assert kit(*SMALL, "generator=openai", model("careful"))[0] == 0
    first, verdicts = archived(tmp_path, "verdicts.jsonl")
    traces = (first / "traces.jsonl").read_text("utf-8")
    first.rename(tmp_path / "first")
    small = [word for word in SMALL if not word.startswith("generator.")]
    words = ("generator=recorded", "generator.path=reports/cache/replies")
    code, err, _ = kit(*small, *words)
    assert code == 0, err
    second, again = archived(tmp_path, "verdicts.jsonl")
    assert outcomes(again) == outcomes(verdicts)
    now = (second / "traces.jsonl").read_text("utf-8")
    assert [cited(line) for line in now.splitlines()] == [
        cited(line) for line in traces.splitlines()
    ]


def outcomes(lines):
    return [re.findall(r'"outcome": ?"(\w+)"', line) for line in lines.splitlines()]


def cited(line):
    return re.findall(r'"citation": ?(\[[^\]]*\])', line)


def test_what_was_never_recorded_fails_as_such(kit, tmp_path):
    (tmp_path / "one.jsonl").write_text('{"query": "q", "answer": "a"}\n')
    small = [word for word in SMALL if not word.startswith("generator.")]
    code, _err, _ = kit(*small, "generator=recorded", "generator.path=one.jsonl")
    assert code == 4
    assert "not_recorded" in archived(tmp_path, "verdicts.jsonl")[1]


def test_a_moody_model_is_caught_by_repeats(kit, model, tmp_path):
    words = (
        "+suite=injection",
        "suites.injection.families.ids=[INJ-01]",
        "suites.injection.size.cases=6",
        "generator.model=m",
        "generator.retries=0",
    )
    code, err, _ = kit(*words, "generator=openai", model("moody"), "engine.repeats=3")
    assert code == 3, err
    _, verdicts = archived(tmp_path, "verdicts.jsonl")
    repeats = [re.search(r'"repeats": ?\[([^\]]*)\]', line) for line in verdicts.splitlines()]
    obeyed = [found[1].count("violated") for found in repeats if "violated" in found[1]]
    assert set(obeyed) <= {1, 2}  # each question of a case has its own of the three
    assert obeyed
