"""The commands that read an archive, on a run made here with the real engine."""

import json

import pytest


@pytest.fixture
def run(kit, monkeypatch, tmp_path):
    monkeypatch.setenv("RAGEVAL_KEY_FILE", str(tmp_path / "key"))
    ended = kit("+suite=smoke", "suites.smoke.size.cases=2", "--json")
    assert ended.returncode in (0, 1, 4), ended.stderr
    return json.loads(ended.stdout)["run_id"]


def test_a_run_is_verified_told_again_explained_and_replayed(kit, run):
    verified = kit("verify", run)
    assert verified.returncode == 0, verified.stderr
    assert "intact" in verified.stderr
    told = kit("report", run, "--format", "md", "--lang", "zh")
    assert told.returncode == 0, told.stderr
    assert told.stdout.startswith("#")
    cases = (kit.folder / "reports/archive" / run / "verdicts.jsonl").read_text(encoding="utf-8")
    case_id = json.loads(cases.splitlines()[0])["case_id"]
    explained = kit("explain", run, case_id)
    assert explained.returncode == 0, explained.stderr
    assert case_id in explained.stdout
    replayed = kit("replay", run, case_id)
    assert replayed.returncode == 0, replayed.stderr
    # 1 differs
    page = kit.folder / "reports/archive" / run / "report.md"
    page.write_text(page.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert kit("verify", run).returncode == 1
    # 2 no archive
    (kit.folder / "reports/archive" / run / "manifest.json").unlink()
    assert kit("verify", run).returncode == 2


@pytest.mark.usefixtures("run")
def test_the_archive_is_all_that_a_run_leaves(kit):
    assert [one.name for one in kit.folder.iterdir()] == ["reports"]


def test_a_page_is_never_written_into_the_run(kit, run):
    ended = kit("report", run, "-o", f"reports/archive/{run}/again.html")
    assert ended.returncode == 2
    assert "lies inside the sealed run" in ended.stderr


def test_cases_are_generated_without_asking_the_target(kit):
    ended = kit("suites", "generate", "+suite=smoke", "suites.smoke.size.cases=2")
    assert ended.returncode == 0, ended.stderr
    families = {json.loads(line)["coordinates"]["family"] for line in ended.stdout.splitlines()}
    assert {"ACL-01", "ACL-02"} <= families
    assert list(kit.folder.iterdir()) == []


def test_the_shipped_world_is_valid(kit):
    from rageval_kit.resources import tree

    demo = tree("suites") / "worlds" / "demo"
    ended = kit(
        "validate",
        "--snapshot",
        str(demo / "snapshot"),
        "--directory",
        str(demo / "directory.json"),
    )
    assert ended.returncode == 0, ended.stderr


def test_a_metric_is_explained_by_its_definition(kit):
    ended = kit("explain", "recall@5>=2")
    assert ended.stdout.startswith("recall@5>=2  version 1")
    assert "divided by all documents judged relevant" in ended.stdout
    assert "除以该查询全部被判为相关" in ended.stdout
    only = kit("explain", "ndcg", "--lang", "zh")
    assert "divided" not in only.stdout
    assert json.loads(kit("explain", "ap", "--json").stdout)["parameters"] == {
        "k": None,
        "min_grade": 1,
    }


def test_doctor_tells_versions_and_folders(kit):
    told = {line["what"]: line for line in json.loads(kit("doctor", "--json").stdout)}
    assert told["hydra-core"]["ok"] is True
    assert told["conf"]["found"].endswith("conf")
    assert told["archive"]["ok"] is True
    assert "key file" in told


@pytest.mark.parametrize("command", ["report", "explain", "replay"])
def test_nothing_is_told_from_a_run_that_is_not_what_was_sealed(kit, run, command):
    folder = kit.folder / "reports/archive" / run
    case_id = json.loads((folder / "verdicts.jsonl").read_text("utf-8").splitlines()[0])["case_id"]
    words = [command, run, *([] if command == "report" else [case_id])]
    for number in range(6):
        (folder / f"added-{number}").write_text("x")
    ended = kit(*words)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "added-4: added" in ended.stderr
    assert "added-5" not in ended.stderr
    assert "and 1 more" in ended.stderr
    assert f"rageval-kit verify reports/archive/{run}" in ended.stderr
    for number in range(6):
        (folder / f"added-{number}").unlink()
    record = folder / "summary.json"
    record.write_bytes(record.read_bytes().replace(b'"user"', b'"usEr"', 1))
    ended = kit(*words)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "summary.json: bytes differ" in ended.stderr
    (folder / "manifest.json").unlink()
    ended = kit(*words)
    assert (ended.returncode, ended.stdout) == (2, "")


def test_pages_stay_out_of_the_archive_and_follow_the_ending(kit, run):
    for inside in ("reports/archive/again.html", "reports/archive/new/again.md"):
        ended = kit("report", run, "-o", inside)
        assert ended.returncode == 2
        assert "lies inside the archive" in ended.stderr
        assert not (kit.folder / inside).exists()
    # under another root than the one asked for, a run is known by its manifest
    by_path = f"reports/archive/{run}"
    ended = kit("report", by_path, "--root", "other", "-o", f"{by_path}/x.md")
    assert ended.returncode == 2
    for name, words, starts in (
        ("a.md", [], "#"),
        ("a.markdown", [], "#"),
        ("a.html", [], "<!"),
        ("b.md", ["--format", "html"], "<!"),
    ):
        ended = kit("report", run, "-o", name, *words)
        assert ended.returncode == 0, ended.stderr
        assert (kit.folder / name).read_text(encoding="utf-8").startswith(starts)


@pytest.mark.parametrize("command", ["explain", "replay"])
def test_of_many_cases_only_the_nearest_are_named(kit, run, command, monkeypatch):
    monkeypatch.setattr("rageval_kit.build.shape._LISTED", 9)
    ended = kit(command, run, "xx/../y")
    assert ended.returncode == 2
    assert "the nearest of" in ended.stderr
    assert 1 <= ended.stderr.count("-0000") <= 5


def test_hundreds_of_ids_are_not_listed():
    from rageval_kit.build.shape import nearest

    told = nearest("xx/../y", [f"ACL-01-{n:05}" for n in range(300)])
    assert told.count("ACL-01-") == 5
    assert "of 300" in told
